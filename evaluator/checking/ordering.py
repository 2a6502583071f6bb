"""Cycles that the text of a program certainly makes, told as those of a catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from evaluator.catalog.apply_checks import find_graph_cycle
from evaluator.catalog.graph import CatalogGraph
from evaluator.catalog.model import Edge
from evaluator.checking.relations import Order
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

_KINDS = {"before": "before", "require": "before", "->": "before"}


def cycles(found: Iterable[Order], source: Source) -> Iterator[PuppetError]:
    """The cycles of what is ordered in a source, each once."""
    told: set[str] = set()
    for order in found:
        problem = cycle_in(order, lambda place: Span(source, *place))
        if problem is not None and problem.message not in told:
            told.add(problem.message)
            yield problem


def cycle_in(order: Order, span: Callable[[Any], Span]) -> PuppetError | None:
    """The cycles of one evaluation; `span` gives the text where a step stands."""
    containers = {owner for owner, _ in order.contains} | {key for key in order.keys if key[0] == "class"}
    contains = [Edge(owner, key, "contains") for owner, key in order.contains]
    steps = [
        Edge(before, after, _KINDS.get(reason, "notify"), reason, span(place))
        for before, after, reason, place in order.steps
    ]
    return find_graph_cycle(CatalogGraph(list(order.keys), containers, contains, steps))
