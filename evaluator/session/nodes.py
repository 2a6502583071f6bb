"""The program of a session, ready to be compiled for one node after the other.

What a node changes is its name, its facts and what is trusted of it. All else is made once: the running program with
what it has read and compiled stays warm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any

from evaluator.catalog.export import to_json
from evaluator.facts import facts_for
from evaluator.facts.shapes import trusted_for
from evaluator.fleet.results import Fleet
from evaluator.fleet.running import compile_nodes
from evaluator.program import source_cache
from evaluator.program.settings import Settings
from evaluator.running.runtime import Runtime
from evaluator.session import worker
from evaluator.session.caching import cache_for
from evaluator.session.cells import Cell
from evaluator.session.evaluation import Source, beginning, evaluate, reading_of, sources_of
from evaluator.session.explaining import explained
from evaluator.session.naming import attributed
from evaluator.session.program import Branch, Program
from evaluator.session.world import World
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError

_Read = Callable[[Runtime, Cell], list[Source]]


def compile_cells(
    settings: Settings,
    cache: str | None,
    cells: Sequence[Cell],
    facts: Mapping[str, Mapping[str, Any] | str],
    executor: Executor | None = None,
    told: Callable[[Fleet], None] | None = None,
    certname: str | None = None,
) -> Fleet:
    """The Fleet of the program that consists of cells, see `evaluator.fleet.running.compile_nodes`.

    cache  the folder of the session in which is kept what modules were compiled to, for the processes of the fleet too
    """
    return compile_nodes(Spoken(settings, cells, cache), facts, executor, told, certname)


class Spoken:
    """What a session would compile, in a form that another process can read.

    settings  those of the session, but its dialect, which is told by its name
    cells     source, number and name of each
    cache     the folder in which is kept what modules were compiled to, if there is one
    trusted   what the session was given beside what follows from the name of its node
    """

    def __init__(self, settings: Settings, cells: Sequence[Cell], cache: str | None = None) -> None:
        known = trusted_for(None, settings.node)
        self.dialect = settings.dialect.name
        self.cache = cache
        self.settings = {
            name: getattr(settings, name)
            for name in Settings.__slots__
            if name not in ("dialect", "node", "facts", "trusted", "recorded")
        }
        self.cells = [(cell.source, cell.number, cell.name) for cell in cells]
        self.trusted = {
            name: value
            for name, value in settings.trusted.items()
            if name not in known or known[name] != value
        }

    def warm(self) -> Warm:
        """The program, running here."""
        return Warm(self)


class Warm:
    """A running program that gives the catalog of one node after the other."""

    def __init__(self, spoken: Spoken) -> None:
        self._trusted = spoken.trusted
        facts, trusted = self._of_node("localhost", {})
        self._settings = Settings(
            DIALECTS[spoken.dialect], node="localhost", facts=facts, trusted=trusted, **spoken.settings
        )
        self._runtime = Runtime(self._settings)
        self._cache = cache_for(self._settings, spoken.cache)
        self._parts: list[tuple[tuple[str, int, str | None], _Read]] = []
        if (self._settings.directory, self._settings.classification) != (None, None):
            self._parts.append((("", 0, None), beginning))
        self._parts += [(cell, _reader()) for cell in spoken.cells]

    def _of_node(self, node: str, facts: Mapping[str, Any] | str) -> tuple[dict[str, Any], dict[str, Any]]:
        return facts_for(facts, node), trusted_for(self._trusted, node)

    def supervisor(self) -> worker.Supervisor:
        """Runs what compiles for nodes, within the limits of the session."""
        return worker.supervisor(self._settings.limits)

    def keeping(self) -> AbstractContextManager[None]:
        """While it lasts, what files are compiled to is kept where the session keeps it."""
        return source_cache.using(self._cache, None)

    def catalog(self, node: str, facts: Mapping[str, Any] | str) -> str:
        """The catalog of a node as JSON text. Raises PuppetError, and what stops it.

        facts  of the node: a mapping, or the name of a bundled set
        """
        runtime = self._runtime
        own, trusted = self._of_node(node, facts)
        runtime.settings = self._settings.but(node=node, facts=own, trusted=trusted)
        manner = runtime.transient_state
        try:
            program = Program(World(runtime))
            for (source, number, name), read in self._parts:
                cell = Cell(source, None, number, name)
                try:
                    evaluate(program.world, cell, read)
                except Exception as problem:
                    raise attributed(self.explained(problem), program, [], cell) from None
                program.exchange(Branch([]), [cell])
            return json.dumps(to_json(program.world.settled().state.catalog.to_released_order()))
        finally:
            runtime.transient_state = manner
            runtime.end_companions()

    def explained(self, problem: BaseException) -> PuppetError:
        """The error of a node, whatever was raised."""
        return explained(problem, self._runtime)


def _reader() -> _Read:
    """Reads a cell when it is first asked, and gives the same again."""
    known: list[Any] = []

    def read(runtime: Runtime, cell: Cell) -> list[Source]:
        known[:] = known or [reading_of(runtime, cell)]
        return sources_of(runtime, cell, known[0])

    return read
