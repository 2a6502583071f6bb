"""The context of an error, from which help is made, and notes with related places.

`ErrorContext` finds the expression, the call and the resource that an error is about. The functions below it add notes
with further places to the error, such as the declaration of a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evaluator.catalog.references import parse_reference
from evaluator.program.tracing import FramePlace
from evaluator.types.learner_wording import ExpressionSource, advise, describe_actual, find_type_mismatch
from evaluator.types.mismatches import Mismatch, PathStep, TypeMismatch
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import capitalize_segments

if TYPE_CHECKING:
    from evaluator.catalog.model import CatalogResource, Key
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
        words: The arguments of the error as strings by name, such as `function` and `expected`; for an error about a
            resource also its `type`.
    """

    def __init__(self, error: PuppetError, places: list[FramePlace], runtime: Runtime) -> None:
        self.error = error
        self.places = places
        self.runtime = runtime
        self.node: Any = places[-1].node if places else None
        self.words = Words(
            (name, str(value).removesuffix("-Type"))
            for name, value in error.arguments.items()
            if name not in ("detail", "mismatches")
        )
        key = self.resource_key
        if key is not None:
            self.words.setdefault("type", capitalize_segments(key[0]) if key[0] != "class" else key[1])

    # --- The value of the wrong type

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The mismatches that the error reports; none if it is about anything else."""
        return tuple(self.error.arguments.get("mismatches", ()))

    @property
    def mismatch(self) -> TypeMismatch | None:
        """The first mismatch of types that the error reports."""
        return find_type_mismatch(self.mismatches)

    def advise(self) -> str | None:
        """Return how to correct a value of the wrong type; None if its type does not show it."""
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
        if is_written_in_puppet(function):
            name = self.called or self.words.get("function")
            text = (
                f"{name}({', '.join(_format_parameter(function, node) for node in function.node.parameters)})"
            )
        else:
            text = function.signatures[0].partition(" >> ")[0]
            has_names = not function.overloads[0].signature.legacy  # of its parameters
            if len(function.signatures) > 1 or not has_names:
                return None
        return text if len(text) <= LONGEST_USAGE and "`" not in text else None

    # --- The resource that is wrong

    @property
    def resource_key(self) -> Key | None:
        """The type and title, without quotes, of the resource that the error names, or None."""
        reference = self.words.get("resource") or self.words.get("reference") or ""
        return parse_reference(reference.replace("'", ""))

    def find_resource(self) -> CatalogResource | None:
        """Return the resource of the catalog that the error names, None if there is none."""
        key = parse_reference(self.words.get("resource", ""))
        return None if key is None else self.runtime.state.catalog.find(key)

    # --- The expression with the wrong value

    @cached_property
    def subject(self) -> Subject | None:
        """The expression with the wrong value; None if it is not known."""
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
        # The value is the last argument: `assert_type(Integer, $x)`.
        index = len(arguments) - 1 if is_assertion else self._find_argument()
        if index is None or index >= len(arguments):
            return None
        # A splat is one expression for several arguments, so indexes behind it are not those of expressions.
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
        if is_written_in_puppet(function):  # it has one signature
            return self._find_position(function.declaration.parameters, parameter)
        positions = {
            self._find_position(overload.signature.parameters, parameter) for overload in function.overloads
        } - {None}
        return positions.pop() if len(positions) == 1 else None

    def _find_position(self, parameters: Iterable[Any], name: str) -> int | None:
        """Return the index of a parameter; None if it takes several of the arguments."""
        for index, parameter in enumerate(parameters):
            if parameter.name == name:
                mode = getattr(parameter, "mode", "")  # of a built-in function; `splat` of one in Puppet
                takes_rest = mode in ("*", "+") or getattr(parameter, "splat", False)
                return None if takes_rest and len(self.arguments) > index + 1 else index
        return None


def is_written_in_puppet(function: Any) -> bool:
    """Return True for a function whose declaration is Puppet code, which others do not have."""
    return hasattr(function, "declaration")


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
UNKNOWN_NAMES = ("UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")
INCLUDING = ("include", "contain", "require", "hiera_include")


def add_secondary(context: ErrorContext) -> None:
    """Add notes with the places that `NOTE_FINDERS` finds for the code of the error."""
    finder = NOTE_FINDERS.get(context.error.code)
    if finder is not None:
        _add_notes(context.error, finder(context))


def add_callers(error: PuppetError, callers: list[FramePlace]) -> None:
    """Add the places from which the functions, lambdas and classes around an error were called, the nearest first.

    A call that encloses the place, as that of a lambda does, is visible there anyway.
    """
    inner, most_notes = error.span, len(error.notes) + MOST_CALLERS
    for place in reversed(callers):
        if len(error.notes) == most_notes:
            return
        if inner is None or not _encloses(place.span, inner):
            _add_notes(error, [Note(_describe_call(place.node), place.span)])
        inner = place.span


def _encloses(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


def _describe_call(node: Any) -> str:
    name = getattr(getattr(node, "functor", None), "value", "")
    if name in INCLUDING:
        return "included from here"
    return "declared here" if isinstance(node, nodes.Resource) else "called from here"


def _add_notes(error: PuppetError, notes: Iterable[Note]) -> None:
    """Add the notes whose place the error does not have yet."""
    for note in notes:
        spans = [error.span, *(note.span for note in error.notes)]
        if note.span is not None and not any(_is_same_place(note.span, span) for span in spans):
            error.notes = (*error.notes, note)


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
    if is_written_in_puppet(function):
        yield from _find_declaration(function.unit.source, function.node, context)


def _find_declaration(source: Source, definition: Any, context: ErrorContext) -> Iterator[Note]:
    """Yield the declaration of the parameter in a function, class or define."""
    for parameter in definition.parameters:
        if parameter.name == context.words.get("parameter"):
            start = parameter.type.start if parameter.type is not None else parameter.start
            yield Note("the parameter", Span(source, start, parameter.end))


def _find_attribute_places(context: ErrorContext) -> Iterator[Note]:
    if context.subject is not None:
        words = "set here" if context.error.code in UNKNOWN_NAMES else describe_actual(context.mismatch)
        yield Note(words, context.subject.span)
    definition = getattr(context.find_resource(), "definition", None)
    if definition is not None:
        yield from _find_declaration(definition.site.source, definition.site.node, context)


def _find_first_assignment(context: ErrorContext) -> Iterator[Note]:
    """Yield the first assignment to the variable in the same body.

    The body is known only as compiled code, of which each instruction has the position of its node.
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
NOTE_FINDERS = {
    "ARGUMENT_MISMATCH": _find_argument_places,
    "TYPE_MISMATCH": _find_argument_places,
    "ASSERTION_FAILED": _find_argument_places,
    "PARAMETER_MISMATCH": _find_attribute_places,
    **dict.fromkeys(UNKNOWN_NAMES, _find_attribute_places),
    "MISSING_REQUIRED_PARAMETER": _find_attribute_places,
    "ILLEGAL_REASSIGNMENT": _find_first_assignment,
}
