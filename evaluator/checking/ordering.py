"""Cycles that the text of a program certainly makes, reported as those of a catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from evaluator.catalog.apply_checks import find_graph_cycle
from evaluator.catalog.graph import CatalogGraph
from evaluator.catalog.model import Edge
from evaluator.checking.relations import EvaluationOrder
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

_KINDS = {"before": "before", "require": "before", "->": "before"}


def find_cycles(found: Iterable[EvaluationOrder], source: Source) -> Iterator[PuppetError]:
    """Yield the cycles in a source, each once."""
    told: set[str] = set()
    for order in found:
        problem = find_cycle(order, lambda place: Span(source, *place))
        if problem is not None and problem.message not in told:
            told.add(problem.message)
            yield problem


def find_cycle(order: EvaluationOrder, span: Callable[[Any], Span]) -> PuppetError | None:
    """Return the error for the cycles of one evaluation; `span` converts the position of a step."""
    containers = {owner for owner, _ in order.contains} | {key for key in order.keys if key[0] == "class"}
    contains = [Edge(owner, key, "contains") for owner, key in order.contains]
    steps = [
        Edge(before, after, _KINDS.get(reason, "notify"), reason, span(place))
        for before, after, reason, place in order.steps
    ]
    return find_graph_cycle(CatalogGraph(list(order.keys), containers, contains, steps))
