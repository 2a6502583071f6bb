"""Relationships that follow from others: what need not be drawn to be known."""

from __future__ import annotations

from evaluator.catalog.graph import Graph, Point
from evaluator.catalog.model import Edge


def implied(graph: Graph) -> list[Edge]:
    """The edges of kind "before" that other ways make superfluous.

    What notifies stays, since it says more than an order; so does all that lies on a cycle.
    """
    steps = graph.steps()
    order, place = _order(steps)
    reach: dict[Point, int] = {}  # what comes after a point, one bit for each place in the order
    for point in reversed(order):
        bits = 0
        for target in steps[point]:
            if target in reach:  # on a cycle nothing follows
                bits |= reach[target] | 1 << place[target]
        reach[point] = bits
    notified = {graph.ends(edge) for edge in graph.order if edge.kind == "notify"}
    found = []
    for edge in graph.order:
        if edge.kind != "before":
            continue
        source, target = ends = graph.ends(edge)
        if source not in reach or target not in reach:
            continue
        if ends in notified or any(
            other != target and other in reach and reach[other] >> place[target] & 1
            for other in steps[source]
        ):
            found.append(edge)
    return found


def _order(steps: dict[Point, list[Point]]) -> tuple[list[Point], dict[Point, int]]:
    """The points from before to after, without those on cycles or after them, and the place of each."""
    waiting = dict.fromkeys(steps, 0)
    for targets in steps.values():
        for target in targets:
            waiting[target] += 1
    order = [point for point in steps if not waiting[point]]
    for point in order:
        for target in steps[point]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order, {point: n for n, point in enumerate(order)}
