"""Cycles that several files make together, of which no file tells by itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluator.checking.folders import module_root
from evaluator.checking.ordering import cycle_in, cycles
from evaluator.checking.relations import TOP, Key, Order, Part, Parts, orders, reach, starts
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.validation.modules import module_parts


class Together:
    """What files say of order, taken together.

    files       the name of each file, as errors tell it, and what is in it
    read        gives the text of a file; raises ValueError when it cannot be read
    modulepath  the folders that hold modules
    A class that several files define is left alone.
    """

    def __init__(
        self, files: Mapping[str, Parts], read: Callable[[str], str], modulepath: Sequence[str]
    ) -> None:
        self._files = {name: _placed(files[name], name) for name in sorted(files)}
        self._read = read
        self._sources: dict[str, Source] = {}
        self._alone: dict[str, set[str]] = {}
        self._given = files
        self._classes: Parts = {}
        twice = set()
        for parts in self._files.values():
            for key, part in parts.items():
                if key[0] == "class" and self._classes.setdefault(key, part) is not part:
                    twice.add(key)
        for key in twice:
            del self._classes[key]
        self._sites: dict[str, dict[str, Part]] = {}  # a folder of manifests -> the tops of its files
        for name, parts in self._files.items():
            site = _site(name, modulepath)
            if site is not None:
                self._sites.setdefault(site, {})[name] = parts[TOP]
        self._tops = {name: tops for tops in self._sites.values() for name in tops}

    def cycles(self) -> Iterator[tuple[str, PuppetError]]:
        """The name of the file in which a cycle is told, and the cycle; each once."""
        told: set[str] = set()
        passed: set[int] = set()  # parts that are evaluated with others, without a cycle
        for name, parts in self._files.items():
            for start in starts(parts):
                if all(id(part) in passed for part in start.values()):
                    continue
                reached = dict(start)
                if TOP in start:
                    for other, top in self._tops.get(name, {}).items():
                        if other != name:
                            reached["", other] = top
                reach(reached, self._classes)
                order = Order(reached)
                if not order.has_cycle:
                    passed.update(map(id, reached.values()))
                    continue
                problem = cycle_in(order, self._span)
                if problem is None or problem.span is None or problem.message in told:
                    continue
                told.add(problem.message)
                where = problem.span.source.name or name
                if problem.message not in self._told_alone(where):
                    yield where, problem

    def _span(self, place: tuple[str, int, int]) -> Span:
        name, start, end = place
        return Span(self._source(name), start, end)

    def _source(self, name: str) -> Source:
        if name not in self._sources:
            self._sources[name] = Source(self._read(name), name)
        return self._sources[name]

    def _told_alone(self, name: str) -> set[str]:
        """The messages of the cycles that a file makes by itself."""
        if name not in self._alone:
            closed = (order for order in orders(self._given[name]) if order.has_cycle)
            self._alone[name] = {problem.message for problem in cycles(closed, self._source(name))}
        return self._alone[name]


def _placed(parts: Parts, name: str) -> Parts:
    """Parts whose steps tell the file in which they stand."""
    found: dict[Key, Part] = {}
    for key, part in parts.items():
        found[key] = made = Part()
        made.contains, made.evaluates = part.contains, part.evaluates
        made.steps = [(*step[:3], (name, *step[3])) for step in part.steps]
    return found


def _site(name: str, modulepath: Sequence[str]) -> str | None:
    """The folder `manifests` of an environment in which a file stands: its files are one program."""
    path = os.path.abspath(name)
    folder, found, _ = path.rpartition("/manifests/")
    in_module = module_parts(path, modulepath) is not None or module_root(path) is not None
    return folder if found and not in_module else None
