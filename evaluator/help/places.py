"""The places that belong to an error: the argument that is wrong, what was declared before, who called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.help.case import Case
from lexer_parser import nodes
from lexer_parser.errors import Note
from lexer_parser.source import Span

MOST_CALLERS = 3
INCLUDING = ("include", "contain", "require", "hiera_include")


def add_secondary(case: Case) -> None:
    """Adds the places that the error's kind asks for, those that it has already left out."""
    finder = FINDERS.get(case.error.code)
    if finder is not None:
        _add(case, finder(case))


def add_callers(case: Case) -> None:
    """Adds where the functions, lambdas and classes around the place were called from, the nearest first.

    A call that encloses the place, as that of a lambda does, is seen there anyway.
    """
    error = case.error
    inner = error.span if error.span is not None else case.places[-1].span if case.places else None
    if inner is None:
        return
    added = 0
    for place in reversed(case.places):
        if _encloses(place.span, inner):
            continue
        if _add(case, [Note(_call_words(place.node), place.span)]):
            added += 1
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


def _add(case: Case, notes: Iterable[Note]) -> bool:
    """Adds notes whose place is not told yet; true when there was one."""
    error = case.error
    told = [error.span, *(note.span for note in error.notes)]
    fresh = []
    for note in notes:
        if note.span is not None and not any(_same(note.span, span) for span in told):
            fresh.append(note)
            told.append(note.span)
    error.notes = (*error.notes, *fresh)
    return bool(fresh)


def _same(one: Span, other: Span | None) -> bool:
    return other is not None and one.source is other.source and (one.start, one.end) == (other.start, other.end)


# --- by code


def _argument(case: Case) -> Iterator[Note]:
    node = case.argument
    if node is None:
        return
    yield Note(_actual_words(case), case.span(node))
    function = case.function()
    if hasattr(function, "facts"):
        for parameter in function.node.parameters:
            if parameter.name == case.found.get("parameter"):
                yield _declared(function.unit.source, parameter)


def _actual_words(case: Case) -> str:
    """What the argument is, from `got String`."""
    from lexer_parser.labels import an

    actual = case.found.get("actual", "")
    if not actual or actual.startswith("'"):
        return "this argument"
    if actual == "Undef":
        return "this is undef"
    return f"this is {an(actual)}" if len(actual) <= 40 else "this argument"


def _declared(source: Any, parameter: nodes.Parameter) -> Note:
    return Note("the parameter", Span(source, parameter.start, parameter.end))


def _resource_parameter(case: Case) -> Iterator[Note]:
    from evaluator.catalog.references import parse_reference

    key = parse_reference(case.found.get("resource", ""))
    name = case.found.get("parameter")
    if case.runtime is None or key is None or name is None:
        return
    resource = case.runtime.state.catalog.find(key)
    if resource is None:
        return
    if name in resource.parameters:
        words = "set here" if case.error.code == "UNKNOWN_PARAMETER" else _actual_words(case)
        yield Note(words, resource.place_of(name))
    if resource.definition is not None:
        site = resource.definition.site
        for parameter in site.node.parameters:
            if parameter.name == name:
                yield _declared(site.source, parameter)


def _first_assignment(case: Case) -> Iterator[Note]:
    """The assignment before this one in the same body."""
    if not case.places or case.places[-1].frame is None:
        return
    place = case.places[-1]
    unit = place.frame.f_globals["__unit__"]
    inside = {unit.nodes.get((a, c, b, d)) for a, b, c, d in place.frame.f_code.co_positions()}
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
    "PARAMETER_MISMATCH": _resource_parameter,
    "UNKNOWN_PARAMETER": _resource_parameter,
    "MISSING_REQUIRED_PARAMETER": _resource_parameter,
    "ILLEGAL_REASSIGNMENT": _first_assignment,
}
