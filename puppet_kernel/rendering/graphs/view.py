"""The graph of a catalog as an element, before folding and selection."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.graph import build_graph as relations
from evaluator.catalog.graph import find_autorequires, find_implied_edges
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, format_key
from puppet_kernel.rendering.elements import Graph, NoteElement


def make_graph(catalog: Any, *, auto: bool = False, added: frozenset[str] = frozenset()) -> Graph:
    """Return all resources of a catalog with their containment and order.

    Relationships that follow from others are found by `find_implied_edges`.

    Args:
        catalog: A catalog after the fixed point.
        auto: True to add automatic requirements of resources.
        added: The references of new resources.
    """
    known = relations(catalog)
    stages = any(key[0] == "stage" and key != MAIN_STAGE for key in known.nodes)
    hidden = {SETTINGS, MAIN_CLASS} if stages else {SETTINGS, MAIN_CLASS, MAIN_STAGE}
    order = [key for key in known.sort() if key not in hidden]
    names = {key: format_key(key) for key in order}
    outer = {edge.target: edge.source for edge in known.contains}
    inside = {}
    for key, name in names.items():
        above = outer.get(key)
        while above is not None and above in hidden:
            above = outer.get(above)
        if above is not None and above != key and above in names:
            inside[name] = names[above]
    superfluous = set(map(id, find_implied_edges(known)))
    order_edges = [edge for edge in known.order if edge.source in names and edge.target in names]
    edges = _merge(edge for edge in order_edges if id(edge) not in superfluous)
    if auto:
        taken = {edge[:2] for edge in edges}
        edges += [edge for edge in _merge(find_autorequires(catalog)) if edge[:2] not in taken]
    made = Graph(
        list(names.values()),
        inside,
        edges,
        [[format_key(key) for key in cycle] for cycle in known.find_cycles()],
    )
    made.implied = tuple(_edge(edge) for edge in order_edges if id(edge) in superfluous)
    made.numbers = {name: number for number, name in enumerate(names.values(), 1)}
    made.defines = frozenset(
        names[key] for key in known.containers if key in names and key[0] not in ("class", "stage")
    )
    made.added = added
    for key, name in names.items():
        span = catalog.resources[key].span
        place = f"line {span.line}, " if span is not None else ""
        made.titles[name] = f"{place}applied as number {made.numbers[name]}"
    made.remarks = tuple(_suggest_cuts(known))
    return made


def _edge(edge: Any) -> tuple[str, str, str, str]:
    reason = f"{edge.reason}, line {edge.span.line}" if edge.span is not None else edge.reason
    return format_key(edge.source), format_key(edge.target), edge.kind, reason


def _merge(edges: Any) -> list[tuple[str, str, str, str]]:
    """Return edges merged by their ends, with all reasons.

    One that notifies makes the edge notify.
    """
    found: dict[tuple[str, str], tuple[str, str, str, str]] = {}
    for source, target, kind, reason in map(_edge, edges):
        known = found.get((source, target))
        if known is not None:
            kind = kind if known[2] == "before" else known[2]
            reason = known[3] if reason in known[3].split("; ") else f"{known[3]}; {reason}"
        found[source, target] = (source, target, kind, reason)
    return list(found.values())


def _suggest_cuts(known: Any) -> list[NoteElement]:
    """Return for each cycle a note with the relationship to remove first."""
    notes = []
    for edge in known.find_cuts():
        source, target, _, reason = _edge(edge)
        notes.append(
            NoteElement("help", f"without {source} → {target} ({reason}) there is no such cycle", "a way out")
        )
    return notes
