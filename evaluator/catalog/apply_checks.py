"""What would go wrong when a settled catalog is applied: cycles, and values that resource types refuse."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evaluator import issues, resource_types, values
from evaluator.catalog.graph import Graph, graph
from evaluator.catalog.model import Catalog, Edge, Resource, reference
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.resource_types.refusals import refusals
from lexer_parser.errors import Note, PuppetError
from lexer_parser.issues import hint
from lexer_parser.lexing.late_patterns import LatePattern

_OCTAL = LatePattern(r"=>\s*(0[0-7]{3,4})\b")  # which gives another number than its digits say


def problems(catalog: Catalog) -> Iterator[PuppetError]:
    """All that would go wrong with a catalog: the cycle first."""
    found = cycle(catalog)
    if found is not None:
        yield found
    for resource in catalog.resources.values():
        yield from refused(resource)


def refused(resource: Resource) -> Iterator[PuppetError]:
    """What the type of a resource refuses of it; nothing of one that is not applied, or whose type is no native one."""
    known = None if resource.virtual or resource.native is not None else resource.facts()
    if known is None or not resource_types.exists(resource.type):
        return
    given = {
        name: values.literal(value) if values.is_type(value) and name not in RELATIONSHIP_NAMES else value
        for name, value in resource.parameters.items()
        if value is not None
    }
    for refusal in refusals(resource.type, resource.title, given):
        where = resource.place_of(refusal.attribute) if refusal.attribute in given else resource.span
        row, named = issues.hints()["REFUSED_WHEN_APPLIED"], resource.reference
        found = hint(row, where, resource=named, problem=refusal.why, help=refusal.takes)
        found.suggestion = refusal.near
        if refusal.attribute and type(given.get(refusal.attribute)) is int and where is not None:
            octal = _OCTAL.search(where.source.text, where.start, where.end)
            found.help = f"Write it in quotes, as a text: `'{octal[1]}'`." if octal else found.help
        yield found


def cycle(catalog: Catalog, fresh: Collection[Edge] | None = None) -> PuppetError | None:
    """The dependency cycles of a catalog, as the released Puppet tells them; None when there are none.

    fresh  edges of which one must be on a cycle, None for any
    The place is that of a relationship which may be given up; the others of its cycle are notes.
    """
    return cycle_of(graph(catalog), fresh)


def cycle_of(made: Graph, fresh: Collection[Edge] | None = None) -> PuppetError | None:
    """The dependency cycles of a graph, as `cycle` tells them."""
    ways = made.cycles()
    around = {pair for way in ways for pair in zip(way, [*way[1:], way[0]], strict=True)}
    edges = [edge for edge in made.order if (edge.source, edge.target) in around]
    if not ways or (fresh is not None and not any(edge in fresh for edge in edges)):
        return None
    cut = next(iter(made.cuts()), edges[0] if edges else None)
    lines = (made.cycle_message() or "").split("\\n")[:-1]  # the last one tells of a file that is not there
    found = hint(
        *(issues.hints()["DEPENDENCY_CYCLE"], cut.span if cut is not None else None),
        problem="\n".join(lines),
    )
    found.notes = tuple(
        Note(f"{reference(edge.source)} comes before {reference(edge.target)}", edge.span)
        for edge in edges
        if edge is not cut and edge.span is not None
    )
    return found
