"""The places that belong to an error: the argument that is wrong, what was declared before, who called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.help.case import ONE_NUMBER, Case
from evaluator.help.subjects import resource_of
from evaluator.program.tracing import Place
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import an

MOST_CALLERS = 3
PLAIN_NAMES = {"Tuple": "Array", "Struct": "Hash"}  # what a person calls these types
UNKNOWN = ("UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")
INCLUDING = ("include", "contain", "require", "hiera_include")


def add_secondary(case: Case) -> None:
    """Adds the places that the error's kind asks for, but those that it has already."""
    finder = FINDERS.get(case.error.code)
    if finder is not None:
        _add(case.error, finder(case))


def add_callers(error: PuppetError, callers: list[Place]) -> None:
    """Adds where the functions, lambdas and classes around the place were called from, the nearest first.

    A call that encloses the place, as that of a lambda does, is seen there anyway.
    """
    inner, added = error.span, 0
    for place in reversed(callers):
        if place.span is not inner and (inner is None or not _encloses(place.span, inner)):
            added += _add(error, [Note(_call_words(place.node), place.span)])
        inner = place.span
        if added == MOST_CALLERS:
            return


def _encloses(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


def _call_words(node: Any) -> str:
    name = getattr(getattr(node, "functor", None), "value", "")
    if name in INCLUDING:
        return "included from here"
    return "declared here" if isinstance(node, nodes.Resource) else "called from here"


def _add(error: PuppetError, notes: Iterable[Note]) -> bool:
    """Adds notes whose place is not told yet; true when there was one."""
    told = [error.span, *(note.span for note in error.notes)]
    fresh = []
    for note in notes:
        if note.span is not None and not any(_same(note.span, span) for span in told):
            fresh.append(note)
            told.append(note.span)
    error.notes = (*error.notes, *fresh)
    return bool(fresh)


def _same(one: Span, other: Span | None) -> bool:
    return (
        other is not None and one.source is other.source and (one.start, one.end) == (other.start, other.end)
    )


# --- by code


def _argument(case: Case) -> Iterator[Note]:
    if case.subject is None:
        return
    yield Note(_actual_words(case), case.subject.span)
    function = case.function()
    if hasattr(function, "declared"):  # one that is written in Puppet
        yield from _declared(function.unit.source, function.node, case)


def _actual_words(case: Case) -> str:
    """What the value is, from `got String`."""
    actual = case.found.get("actual", "")
    number = ONE_NUMBER.fullmatch(actual)
    if number is not None:
        return f"this is {number[1]}"
    if not actual or actual.startswith("'") or len(actual) > 40:
        return "this value"
    return "this is undef" if actual == "Undef" else f"this is {an(PLAIN_NAMES.get(actual, actual))}"


def _declared(source: Source, definition: Any, case: Case) -> Iterator[Note]:
    """The declaration of the parameter in a function, class or define."""
    for parameter in definition.parameters:
        if parameter.name == case.found.get("parameter"):
            start = parameter.type.start if parameter.type is not None else parameter.start
            yield Note("the parameter", Span(source, start, parameter.end))


def _resource_parameter(case: Case) -> Iterator[Note]:
    if case.subject is not None:
        words = "set here" if case.error.code in UNKNOWN else _actual_words(case)
        yield Note(words, case.subject.span)
    definition = getattr(resource_of(case), "definition", None)
    if definition is not None:
        yield from _declared(definition.site.source, definition.site.node, case)


def _first_assignment(case: Case) -> Iterator[Note]:
    """The assignment before this one in the same body."""
    if not case.places:
        return
    place = case.places[-1]
    unit = place.frame.f_globals["__unit__"]
    inside = {
        unit.nodes.get((line, column, end_line, end_column))
        for line, end_line, column, end_column in place.frame.f_code.co_positions()
    }
    earlier = [
        node
        for node in inside
        if isinstance(node, nodes.Assignment)
        and node.start < place.span.start
        and case.found.get("name") in _targets(node.left)
    ]
    if earlier:
        first = min(earlier, key=lambda node: node.start)
        yield Note("first assigned here", Span(place.span.source, first.left.start, first.left.end))


def _targets(node: Any) -> list[str]:
    if isinstance(node, nodes.Array):
        return [name for value in node.values for name in _targets(value)]
    return [node.name] if isinstance(node, nodes.Variable) else []


FINDERS = {
    "ARGUMENT_MISMATCH": _argument,
    "TYPE_MISMATCH": _argument,
    "ASSERTION_FAILED": _argument,
    "PARAMETER_MISMATCH": _resource_parameter,
    **dict.fromkeys(UNKNOWN, _resource_parameter),
    "MISSING_REQUIRED_PARAMETER": _resource_parameter,
    "ILLEGAL_REASSIGNMENT": _first_assignment,
}
