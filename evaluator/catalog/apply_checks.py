"""Errors that a catalog would cause when it is applied.

These are dependency cycles, and values that resource types refuse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evaluator import issues, values
from evaluator.catalog.graph import CatalogGraph, build_graph, may_close_cycle
from evaluator.catalog.model import Catalog, CatalogResource, Edge, format_key
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.resource_types.refusals import find_refusals
from evaluator.types import Type
from lexer_parser.errors import Note, PuppetError
from lexer_parser.issues import make_hint
from lexer_parser.lazy import LazyPattern

_OCTAL = LazyPattern(r"=>\s*(0[0-7]{3,4})\b")  # an octal literal, whose value differs from its digits


def find_apply_errors(catalog: Catalog) -> Iterator[PuppetError]:
    """Yield every error that applying a catalog would cause, dependency cycles first."""
    cycle = find_cycle(catalog)
    if cycle is not None:
        yield cycle
    for resource in catalog.resources.values():
        yield from find_refused_attributes(resource)


def find_refused_attributes(resource: CatalogResource) -> Iterator[PuppetError]:
    """Yield the attributes of a resource that its native type refuses.

    Virtual resources are not applied, and resources of classes, defines and module types have no native type:
    they yield nothing.
    """
    type_facts = None if resource.virtual else resource.get_type_facts()
    if type_facts is None or not type_facts.is_builtin:
        return
    attributes = {
        name: values.format_literal(value)
        if isinstance(value, Type) and name not in RELATIONSHIP_NAMES
        else value
        for name, value in resource.parameters.items()
        if value is not None
    }
    for refusal in find_refusals(resource.type, resource.title, attributes):
        where = resource.find_place(refusal.attribute) if refusal.attribute in attributes else resource.span
        error = make_hint(
            issues.load_hints()["REFUSED_WHEN_APPLIED"],
            where,
            resource=resource.reference,
            problem=refusal.problem,
            help=refusal.remedy,
        )
        error.suggestion = refusal.suggestion
        if refusal.attribute and type(attributes.get(refusal.attribute)) is int and where is not None:
            octal = _OCTAL.search(where.source.text, where.start, where.end)
            error.help = f"Write it in quotes, as a string: `'{octal[1]}'`." if octal else error.help
        yield error


def find_cycle(catalog: Catalog, fresh: Collection[Edge] | None = None) -> PuppetError | None:
    """Return one error for all dependency cycles of a catalog; None without cycles.

    Args:
        fresh: Edges of which at least one must be on a cycle; None for any cycle.

    Returns:
        The error in Puppet's wording, located at a relationship whose removal breaks the cycle; the notes are the other
        relationships of the cycle.
    """
    if fresh is not None and not may_close_cycle(catalog, fresh):
        return None
    return find_graph_cycle(build_graph(catalog), fresh)


def find_graph_cycle(graph: CatalogGraph, fresh: Collection[Edge] | None = None) -> PuppetError | None:
    """Return the error for the dependency cycles of a graph; see `find_cycle`."""
    cycles = graph.find_cycles()
    steps = {pair for cycle in cycles for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    edges = [edge for edge in graph.order if (edge.source, edge.target) in steps]
    if not cycles or (fresh is not None and not any(edge in fresh for edge in edges)):
        return None
    cut = next(iter(graph.find_cuts()), edges[0] if edges else None)
    # Puppet separates the lines by a backslash and an `n`. The last line refers to a file that does not exist here.
    *lines, _ = (graph.describe_cycles() or "").split("\\n")
    error = make_hint(
        issues.load_hints()["DEPENDENCY_CYCLE"],
        cut.span if cut is not None else None,
        problem="\n".join(lines),
    )
    error.notes = tuple(
        Note(f"{format_key(edge.source)} comes before {format_key(edge.target)}", edge.span)
        for edge in edges
        if edge is not cut and edge.span is not None
    )
    return error
