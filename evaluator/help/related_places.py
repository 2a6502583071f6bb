"""The secondary places of an error: the wrong argument, an earlier declaration, the callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.help.context import ErrorContext
from evaluator.program.tracing import FramePlace
from evaluator.types.learner_wording import describe_actual
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

MOST_CALLERS = 3
UNKNOWN = ("UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")
INCLUDING = ("include", "contain", "require", "hiera_include")


def add_secondary(context: ErrorContext) -> None:
    """Add the places that belong to the code of the error, except those that it has already."""
    finder = FINDERS.get(context.error.code)
    if finder is not None:
        _add(context.error, finder(context))


def add_callers(error: PuppetError, callers: list[FramePlace]) -> None:
    """Add the places from which the functions, lambdas and classes around an error were called, the nearest first.

    A call that encloses the place, as that of a lambda does, is visible there anyway.
    """
    inner, added = error.span, 0
    for place in reversed(callers):
        if place.span is not inner and (inner is None or not _encloses(place.span, inner)):
            added += _add(error, [Note(_describe_call(place.node), place.span)])
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


def _add(error: PuppetError, notes: Iterable[Note]) -> bool:
    """Add the notes with a new place. Return True if there was one."""
    known = [error.span, *(note.span for note in error.notes)]
    fresh = []
    for note in notes:
        if note.span is not None and not any(_is_same_place(note.span, span) for span in known):
            fresh.append(note)
            known.append(note.span)
    error.notes = (*error.notes, *fresh)
    return bool(fresh)


def _is_same_place(one: Span, other: Span | None) -> bool:
    return (
        other is not None and one.source is other.source and (one.start, one.end) == (other.start, other.end)
    )


# --- Places by the code of the error


def _find_argument_places(context: ErrorContext) -> Iterator[Note]:
    if context.subject is None:
        return
    yield Note(describe_actual(context.mismatch), context.subject.span)
    function = context.find_function()
    if hasattr(function, "declared"):  # It is written in Puppet.
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
    """Yield the assignment before this one in the same body."""
    if not context.places:
        return
    place = context.places[-1]
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
        and context.words.get("name") in _list_targets(node.left)
    ]
    if earlier:
        first = min(earlier, key=lambda node: node.start)
        yield Note("first assigned here", Span(place.span.source, first.left.start, first.left.end))


def _list_targets(node: Any) -> list[str]:
    if isinstance(node, nodes.Array):
        return [name for value in node.values for name in _list_targets(value)]
    return [node.name] if isinstance(node, nodes.Variable) else []


FINDERS = {
    "ARGUMENT_MISMATCH": _find_argument_places,
    "TYPE_MISMATCH": _find_argument_places,
    "ASSERTION_FAILED": _find_argument_places,
    "PARAMETER_MISMATCH": _find_attribute_places,
    **dict.fromkeys(UNKNOWN, _find_attribute_places),
    "MISSING_REQUIRED_PARAMETER": _find_attribute_places,
    "ILLEGAL_REASSIGNMENT": _find_first_assignment,
}
