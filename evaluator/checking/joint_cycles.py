"""Cycles of relationships that a text certainly makes, or several files together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from evaluator.catalog.apply_checks import find_graph_cycle
from evaluator.catalog.graph import CatalogGraph
from evaluator.catalog.model import Edge
from evaluator.checking.relations import (
    TOP,
    BodyOrder,
    BodyOrders,
    EvaluationOrder,
    Key,
    add_reached_classes,
    find_entry_points,
    find_orders,
)
from evaluator.program.repositories import find_module_root
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.validation.validator import split_module_path

# The reasons of steps that only order resources; the others also pass on a notification.
_ORDERING = frozenset({"before", "require", "->"})


def find_cycles(found: Iterable[EvaluationOrder], source: Source) -> Iterator[PuppetError]:
    """Yield the cycles in a source, each once."""
    reported: set[str] = set()
    for order in found:
        problem = find_cycle(order, lambda place: Span(source, *place))
        if problem is not None and problem.message not in reported:
            reported.add(problem.message)
            yield problem


def find_cycle(order: EvaluationOrder, span: Callable[[Any], Span]) -> PuppetError | None:
    """Return the error for the cycles of one evaluation.

    Args:
        order: The relationships and containers that are evaluated together.
        span: Converts the position of a step, which is a pair of offsets, or a triple with the file before them.
    """
    containers = {owner for owner, _ in order.contains} | {key for key in order.keys if key[0] == "class"}
    contains = [Edge(owner, key, "contains") for owner, key in order.contains]
    steps = [
        Edge(before, after, "before" if reason in _ORDERING else "notify", reason, span(place))
        for before, after, reason, place in order.steps
    ]
    return find_graph_cycle(CatalogGraph(list(order.keys), containers, contains, steps))


class JointCycles:
    """The search for cycles that several files make together.

    A class that several files define is left out.

    Args:
        files: The relationships in each file, by the name of the file in errors.
        read: Returns the text of a file; raises ValueError if it cannot be read.
        modulepath: The folders that contain modules.
    """

    def __init__(
        self, files: Mapping[str, BodyOrders], read: Callable[[str], str], modulepath: Sequence[str]
    ) -> None:
        self._files = {name: _add_file_names(files[name], name) for name in sorted(files)}
        self._find_source = cache(lambda name: Source(read(name), name))
        self._find_messages_alone = cache(self._list_messages_alone)
        self._orders = files  # without the names of files in positions, for `_list_messages_alone`
        self._classes: BodyOrders = {}
        twice = set()
        for parts in self._files.values():
            for key, part in parts.items():
                if key[0] == "class" and self._classes.setdefault(key, part) is not part:
                    twice.add(key)
        for key in twice:
            del self._classes[key]
        # A folder of manifests -> the top-level orders of its files.
        self._sites: dict[str, dict[str, BodyOrder]] = {}
        for name, parts in self._files.items():
            site = _find_site_folder(name, modulepath)
            if site is not None:
                self._sites.setdefault(site, {})[name] = parts[TOP]
        self._tops = {name: tops for tops in self._sites.values() for name in tops}

    def find_cycles(self) -> Iterator[tuple[str, PuppetError]]:
        """Yield each cycle once, with the name of the file in which it is reported."""
        reported: set[str] = set()
        # The ids of parts that were checked together with others and are in no cycle.
        passed: set[int] = set()
        for name, parts in self._files.items():
            for start in find_entry_points(parts):
                if all(id(part) in passed for part in start.values()):
                    continue
                reached = dict(start)
                if TOP in start:
                    for other, top in self._tops.get(name, {}).items():
                        if other != name:
                            reached["", other] = top  # a key of its own: each file has an order for TOP
                add_reached_classes(reached, self._classes)
                order = EvaluationOrder(reached)
                if not order.has_cycle:
                    passed.update(map(id, reached.values()))
                    continue
                problem = find_cycle(order, self._span)
                if problem is None or problem.span is None or problem.message in reported:
                    continue
                reported.add(problem.message)
                where = problem.span.source.name or name
                if problem.message not in self._find_messages_alone(where):
                    yield where, problem

    def _span(self, place: tuple[str, int, int]) -> Span:
        name, start, end = place
        return Span(self._find_source(name), start, end)

    def _list_messages_alone(self, name: str) -> set[str]:
        """Return the messages of the cycles that a file makes alone."""
        closed = (order for order in find_orders(self._orders[name]) if order.has_cycle)
        return {problem.message for problem in find_cycles(closed, self._find_source(name))}


def _add_file_names(parts: BodyOrders, name: str) -> BodyOrders:
    """Return the parts with the name of the file added to the position of each step."""
    found: dict[Key, BodyOrder] = {}
    for key, part in parts.items():
        found[key] = made = BodyOrder()
        made.contains, made.evaluates = part.contains, part.evaluates
        made.steps = [(*step[:3], (name, *step[3])) for step in part.steps]
    return found


def _find_site_folder(name: str, modulepath: Sequence[str]) -> str | None:
    """Return the folder `manifests` of the environment that contains a file.

    Its files are one program.
    """
    path = os.path.abspath(name)
    folder, found, _ = path.rpartition("/manifests/")
    in_module = split_module_path(path, modulepath) is not None or find_module_root(path) is not None
    return folder if found and not in_module else None
