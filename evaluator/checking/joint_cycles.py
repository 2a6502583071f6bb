"""Cycles of relationships that one source, or several files together, certainly make.

`checking.relations` finds the relationships; here they are searched for cycles.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from evaluator.catalog.apply_checks import find_graph_cycle
from evaluator.catalog.graph import CatalogGraph
from evaluator.catalog.model import Edge
from evaluator.checking.relations import (
    TOP,
    BodyOrder,
    BodyOrders,
    EvaluationOrder,
    add_reached_classes,
    find_entry_points,
    find_evaluation_orders,
)
from evaluator.program.repositories import find_module_root
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.validation.module_files import split_module_path

# The reasons of steps that only order resources; the others also pass on a notification.
_ORDERING = frozenset({"before", "require", "->"})


def find_cycles(orders: Iterable[EvaluationOrder], source: Source) -> Iterator[PuppetError]:
    """Yield the errors for the cycles in a source, each once."""
    reported: set[str] = set()
    for order in orders:
        problem = find_cycle(order, lambda file: source)
        if problem is not None and problem.message not in reported:
            reported.add(problem.message)
            yield problem


def find_cycle(order: EvaluationOrder, get_source: Callable[[str | None], Source]) -> PuppetError | None:
    """Return the error for the cycles of one evaluation; None without a cycle.

    Args:
        order: The relationships and containers that are evaluated together.
        get_source: Returns the source of the file of a step.
    """
    containers = {owner for owner, _ in order.contains} | {key for key in order.keys if key[0] == "class"}
    contains = [Edge(owner, key, "contains") for owner, key in order.contains]
    steps = [
        Edge(
            step.source,
            step.target,
            "before" if step.reason in _ORDERING else "notify",
            step.reason,
            Span(get_source(step.file), step.start, step.end),
        )
        for step in order.steps
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
        self._files = {name: files[name] for name in sorted(files)}  # so that the reports have one order
        self._get_source = cache(lambda name: Source(read(name), name))
        self._get_messages_alone = cache(self._list_messages_alone)
        bodies = [pair for bodies in self._files.values() for pair in bodies.items()]
        definitions = Counter(key for key, _ in bodies)
        self._classes = {key: body for key, body in bodies if key[0] == "class" and definitions[key] == 1}
        # For each file of a folder of manifests, the top-level orders of all files of the folder.
        self._tops: dict[str, dict[str, BodyOrder]] = {}
        sites: dict[str, dict[str, BodyOrder]] = {}
        for name, orders in self._files.items():
            folder = _find_site_folder(name, modulepath)
            if folder is not None:
                self._tops[name] = sites.setdefault(folder, {})
                self._tops[name][name] = orders[TOP]

    def find_cycles(self) -> Iterator[tuple[str, PuppetError]]:
        """Yield each cycle once, with the name of the file in which it is reported.

        Cycles that one file makes alone are left out, because the check of the file reports them.
        """
        reported: set[str] = set()
        # The ids of bodies that were checked together with others and are in no cycle.
        passed: set[int] = set()
        for name, bodies in self._files.items():
            for start in find_entry_points(bodies):
                if all(id(body) in passed for body in start.values()):
                    continue
                reached = dict(start)
                if TOP in start:
                    # The other files of the folder, whose orders for TOP get keys of their own.
                    tops = self._tops.get(name, {}).items()
                    reached |= {("", other): top for other, top in tops if other != name}
                add_reached_classes(reached, self._classes)
                order = EvaluationOrder(reached)
                if not order.has_cycle:
                    passed.update(map(id, reached.values()))
                    continue
                problem = find_cycle(order, self._get_source)
                if problem is None or problem.span is None or problem.message in reported:
                    continue
                reported.add(problem.message)
                where = problem.span.source.name or name
                if problem.message not in self._get_messages_alone(where):
                    yield where, problem

    def _list_messages_alone(self, name: str) -> set[str]:
        """Return the messages of the cycles that a file makes alone."""
        cyclic = (order for order in find_evaluation_orders(self._files[name]) if order.has_cycle)
        return {problem.message for problem in find_cycles(cyclic, self._get_source(name))}


def _find_site_folder(name: str, modulepath: Sequence[str]) -> str | None:
    """Return the folder `manifests` of the environment that contains a file; None in a module.

    The files of such a folder are one program.
    """
    path = os.path.abspath(name)
    folder, separator, _ = path.rpartition("/manifests/")
    is_in_module = split_module_path(path, modulepath) is not None or find_module_root(path) is not None
    return folder if separator and not is_in_module else None
