"""Cycles that the text of a program certainly makes, told as those of a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluator.catalog.applying import cycle_of
from evaluator.catalog.graph import Graph
from evaluator.catalog.model import Edge
from evaluator.checking.relations import Order
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

_KINDS = {"before": "before", "require": "before", "->": "before"}


def cycles(found: Iterable[Order], source: Source) -> Iterator[PuppetError]:
    """The cycles of what is ordered in a source, each once."""
    told: set[str] = set()
    for order in found:
        problem = cycle_of(_graph(order, source))
        if problem is not None and problem.message not in told:
            told.add(problem.message)
            yield problem


def _graph(order: Order, source: Source) -> Graph:
    containers = {owner for owner, _ in order.contains} | {key for key in order.keys if key[0] == "class"}
    contains = [Edge(owner, key, "contains") for owner, key in order.contains]
    steps = [
        Edge(before, after, _KINDS.get(reason, "notify"), reason, Span(source, *place))
        for before, after, reason, place in order.steps
    ]
    return Graph(list(order.keys), containers, contains, steps)
