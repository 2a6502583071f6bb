"""The context of an error, from which help is made, and notes with related places.

A function with the attribute `declared` is written in Puppet; others are built in, or written in Ruby.
`ErrorContext` finds the expression, the call and the resource that an error is about. The functions below it add notes
with further places to the error, such as the declaration of a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.catalog.references import parse_reference
from evaluator.program.tracing import FramePlace
from evaluator.types.learner_wording import ExpressionSource, advise, describe_actual, find_type_mismatch
from evaluator.types.mismatches import Mismatch, PathStep, TypeMismatch
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.catalog.model import CatalogResource
    from evaluator.running.runtime import Runtime

LONGEST_QUOTE = 30  # characters of source text that a sentence quotes
LONGEST_USAGE = 80  # characters of a signature in a line of help
ABOUT_ATTRIBUTES = ("PARAMETER_MISMATCH", "UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")
ABOUT_ARGUMENTS = ("ARGUMENT_MISMATCH", "ASSERTION_FAILED", "TYPE_MISMATCH")


class Subject:
    """The expression with the value that an error is about; `span` may be wider than the expression."""

    def __init__(self, source: Source, node: nodes.Node, span: Span | None = None) -> None:
        self.source = source
        self.node = node
        self.span = span or Span(source, node.start, node.end)

    @property
    def text(self) -> str | None:
        """Its source text if that is short enough for a sentence, else None."""
        text = self.source.text[self.node.start : self.node.end]
        return text if len(text) <= LONGEST_QUOTE and "\n" not in text and "`" not in text else None


class ErrorContext:
    """An error with its place and its program, as the rules of help see it.

    Attributes:
        error: The error.
        places: The Puppet places of its traceback, outermost first.
        runtime: The program that ran.
        node: The innermost expression, or None.
        words: The arguments of the error as strings by name, such as `function`, `expected` and `near`.
        subject: The expression with the wrong value; None if it is unknown.
    """

    def __init__(self, error: PuppetError, places: list[FramePlace], runtime: Runtime) -> None:
        self.error = error
        self.places = places
        self.runtime = runtime
        self.node: Any = places[-1].node if places else None
        self.subject: Subject | None = None
        self.words = Words(
            (name, str(value).removesuffix("-Type"))
            for name, value in error.arguments.items()
            if name not in ("detail", "mismatches")
        )

    # --- The value of the wrong type

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The mismatches that the error reports; none if it is about anything else."""
        mismatches: tuple[Mismatch, ...] = self.error.arguments.get("mismatches", ())
        return mismatches

    @property
    def mismatch(self) -> TypeMismatch | None:
        """The first mismatch of types that the error reports."""
        return find_type_mismatch(self.mismatches)

    def advise(self) -> str | None:
        """Return how to correct a value of the wrong type, None if its type alone does not show it."""
        if self.mismatch is None:
            return None
        node = self.subject.node if self.subject is not None else None
        text = self.subject.text if self.subject is not None else None
        string = node.value if isinstance(node, nodes.String) else None
        return advise(self.mismatch, ExpressionSource(text or "…", string))

    # --- The call that failed

    @property
    def called(self) -> str | None:
        """The name of the function whose call failed; None if no call of a named function failed."""
        is_call = isinstance(self.node, nodes.Call | nodes.MethodCall)
        name = nodes.get_callee_name(self.node) if is_call else ""
        return name.removeprefix("::") or None

    @property
    def arguments(self) -> list[nodes.Node]:
        """The expressions of the arguments of the call that failed, the receiver of a method call first."""
        is_call = isinstance(self.node, nodes.Call | nodes.MethodCall)
        return nodes.list_arguments(self.node) if is_call else []

    def find_function(self) -> Any:
        """Return the function whose call failed, None if there is none of that name."""
        name = self.called or self.words.get("function")
        return self.runtime.names.find_function(name) if name else None

    def find_usage(self) -> str | None:
        """Return how the function is called, None if that takes more than a line."""
        function = self.find_function()
        if function is None:
            return None
        if hasattr(function, "declared"):
            name = self.called or self.words.get("function")
            text = (
                f"{name}({', '.join(_format_parameter(function, node) for node in function.node.parameters)})"
            )
        else:
            text = function.signatures[0].partition(" >> ")[0]
            if len(function.signatures) > 1 or function.overloads[0].signature.legacy:
                return None
        return text if len(text) <= LONGEST_USAGE and "`" not in text else None

    # --- The resource that is wrong

    def find_resource(self) -> CatalogResource | None:
        """Return the resource of the catalog that the error names, None if there is none."""
        key = parse_reference(self.words.get("resource", ""))
        return None if key is None else self.runtime.state.catalog.find(key)

    # --- The expression with the wrong value

    def find_subject(self) -> Subject | None:
        """Return the expression with the wrong value, None if it is not known."""
        whole = self._find_whole_subject()
        return whole if whole is None or not self.mismatches else _find_part(whole, self.mismatches[0].steps)

    def _find_whole_subject(self) -> Subject | None:
        """Return the argument or attribute of whose value a part may be wrong."""
        if self.error.code in ABOUT_ATTRIBUTES:
            return self._find_attribute()
        if self.error.code not in ABOUT_ARGUMENTS or not self.places:
            return None
        arguments = self.arguments
        is_assertion = self.called == "assert_type" and len(arguments) > 1
        index = len(arguments) - 1 if is_assertion else self._find_argument()
        if index is None or index >= len(arguments):
            return None
        if any(isinstance(node, nodes.Splat) for node in arguments[: index + 1]):
            return None
        return Subject(self.places[-1].span.source, arguments[index])

    def _find_attribute(self) -> Subject | None:
        resource = self.find_resource()
        name = self.words.get("parameter") or self.words.get("name")
        if resource is None or resource.site is None or name not in resource.parameters:
            return None
        for operation in getattr(resource.body, "operations", ()):
            if getattr(operation, "name", None) == name:
                site = resource.site
                return Subject(site.source, operation.value, site.span(operation))
        return None

    def _find_argument(self) -> int | None:
        """Return the index of the argument for the parameter that the error names."""
        parameter = self.words.get("parameter")
        if parameter is None:
            return None
        if self.called is None:  # In `Integer('x')` the first argument is the value to convert.
            return 0 if parameter == "from" and isinstance(self.node, nodes.Call) else None
        function = self.find_function()
        if function is None:
            return None
        if hasattr(function, "declared"):  # it has one signature
            return self._find_position(function.declared[1], parameter)
        positions = {
            self._find_position(overload.signature.parameters, parameter) for overload in function.overloads
        } - {None}
        return positions.pop() if len(positions) == 1 else None

    def _find_position(self, parameters: Iterable[Any], name: str) -> int | None:
        """Return the index of a parameter; None if it takes several of the arguments."""
        for index, parameter in enumerate(parameters):
            if parameter.name == name:
                takes_rest = getattr(parameter, "splat", False) or getattr(parameter, "mode", "") in (
                    "*",
                    "+",
                )
                return None if takes_rest and len(self.arguments) > index + 1 else index
        return None


class Words(dict[str, str]):
    """The words of an error by name, for `str.format`; `…` for an unknown one."""

    def __missing__(self, name: str) -> str:
        return "…"


def _find_part(whole: Subject, steps: Sequence[PathStep]) -> Subject | None:
    """Return the part of an array or hash to which the steps lead; None if it is not written out."""
    node: nodes.Node | None = whole.node
    for step in steps:
        into = step.into
        if isinstance(into, int) and isinstance(node, nodes.Array) and into < len(node.values):
            node = node.values[into]
        elif isinstance(into, str) and isinstance(node, nodes.Hash):
            node = next(
                (pair.value for pair in node.entries if nodes.get_literal_string(pair.key) == into), None
            )
        else:
            return None
    if node is whole.node:
        return whole
    return Subject(whole.source, node) if node is not None else None


def _format_parameter(function: Any, node: Any) -> str:
    start = node.type.start if node.type is not None else node.start
    return " ".join(function.unit.source.text[start : node.end].split())


MOST_CALLERS = 3
UNKNOWN = ("UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")
INCLUDING = ("include", "contain", "require", "hiera_include")


def add_secondary(context: ErrorContext) -> None:
    """Add notes with the places that `FINDERS` finds for the code of the error."""
    finder = FINDERS.get(context.error.code)
    if finder is not None:
        _add_notes(context.error, finder(context))


def add_callers(error: PuppetError, callers: list[FramePlace]) -> None:
    """Add the places from which the functions, lambdas and classes around an error were called, the nearest first.

    A call that encloses the place, as that of a lambda does, is visible there anyway.
    """
    inner, added = error.span, 0
    for place in reversed(callers):
        if place.span is not inner and (inner is None or not _encloses(place.span, inner)):
            added += _add_notes(error, [Note(_describe_call(place.node), place.span)])
        inner = place.span
        if added == MOST_CALLERS:
            return


def _encloses(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


def _describe_call(node: Any) -> str:
    name = getattr(getattr(node, "functor", None), "value", "")
    if name in INCLUDING:
        return "included from here"
    return "declared here" if isinstance(node, nodes.Resource) else "called from here"


def _add_notes(error: PuppetError, notes: Iterable[Note]) -> bool:
    """Add the notes whose place the error does not have yet. Return True if there was one."""
    spans = [error.span, *(note.span for note in error.notes)]
    new = []
    for note in notes:
        if note.span is not None and not any(_is_same_place(note.span, span) for span in spans):
            new.append(note)
            spans.append(note.span)
    error.notes = (*error.notes, *new)
    return bool(new)


def _is_same_place(span: Span, other: Span | None) -> bool:
    return (
        other is not None
        and span.source is other.source
        and (span.start, span.end) == (other.start, other.end)
    )


# --- Notes by the code of the error


def _find_argument_places(context: ErrorContext) -> Iterator[Note]:
    if context.subject is None:
        return
    yield Note(describe_actual(context.mismatch), context.subject.span)
    function = context.find_function()
    if hasattr(function, "declared"):
        yield from _find_declaration(function.unit.source, function.node, context)


def _find_declaration(source: Source, definition: Any, context: ErrorContext) -> Iterator[Note]:
    """Yield the declaration of the parameter in a function, class or define."""
    for parameter in definition.parameters:
        if parameter.name == context.words.get("parameter"):
            start = parameter.type.start if parameter.type is not None else parameter.start
            yield Note("the parameter", Span(source, start, parameter.end))


def _find_attribute_places(context: ErrorContext) -> Iterator[Note]:
    if context.subject is not None:
        words = "set here" if context.error.code in UNKNOWN else describe_actual(context.mismatch)
        yield Note(words, context.subject.span)
    definition = getattr(context.find_resource(), "definition", None)
    if definition is not None:
        yield from _find_declaration(definition.site.source, definition.site.node, context)


def _find_first_assignment(context: ErrorContext) -> Iterator[Note]:
    """Yield the first assignment to the variable in the same body.

    The body is known only as compiled code: each instruction of it has the position of the node that it belongs to.
    """
    if not context.places:
        return
    place = context.places[-1]
    unit = place.frame.f_globals["__unit__"]
    compiled = {
        unit.nodes.get((line, column, end_line, end_column))
        for line, end_line, column, end_column in place.frame.f_code.co_positions()
    }
    earlier = [
        node
        for node in compiled
        if isinstance(node, nodes.Assignment)
        and node.start < place.span.start
        and context.words.get("name") in _list_targets(node.left)
    ]
    if earlier:
        first = min(earlier, key=lambda node: node.start)
        yield Note("first assigned here", Span(place.span.source, first.left.start, first.left.end))


def _list_targets(node: Any) -> list[str]:
    """Return the names of the variables that the left side of an assignment sets."""
    if isinstance(node, nodes.Array):
        return [name for value in node.values for name in _list_targets(value)]
    return [node.name] if isinstance(node, nodes.Variable) else []


# Functions that yield notes with related places, by the code of the error.
FINDERS = {
    "ARGUMENT_MISMATCH": _find_argument_places,
    "TYPE_MISMATCH": _find_argument_places,
    "ASSERTION_FAILED": _find_argument_places,
    "PARAMETER_MISMATCH": _find_attribute_places,
    **dict.fromkeys(UNKNOWN, _find_attribute_places),
    "MISSING_REQUIRED_PARAMETER": _find_attribute_places,
    "ILLEGAL_REASSIGNMENT": _find_first_assignment,
}
