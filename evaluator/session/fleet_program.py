"""The program of a session, ready to be compiled for one node after the other.

A node changes its name, its facts and what is trusted of it. All else is made once: the running program, with what it
has read and compiled, is used again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any

from evaluator.catalog.export import to_json
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.facts import read_facts
from evaluator.facts.forms import make_trusted_facts
from evaluator.fleet.compilation import compile_nodes
from evaluator.fleet.table import Fleet
from evaluator.program import source_cache
from evaluator.program.settings import Settings
from evaluator.running.runtime import Runtime
from evaluator.session.arguments import open_cache
from evaluator.session.cell import Cell
from evaluator.session.evaluation import Compile, Units, make_units, parse_text
from evaluator.session.program_state import explain_error
from evaluator.session.supervisor import Supervisor, make_supervisor
from evaluator.session.timeline import Timeline
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError


def compile_cells(
    settings: Settings,
    cache: str | None,
    cells: Sequence[Cell],
    facts: Mapping[str, Mapping[str, Any] | str],
    executor: Executor | None = None,
    on_progress: Callable[[Fleet], None] | None = None,
    certname: str | None = None,
) -> Fleet:
    """Return the Fleet of a program that consists of cells.

    See `evaluator.fleet.compilation.compile_nodes`.

    Args:
        cache: The folder in which compiled modules are stored, for the processes of the fleet too.
    """
    return compile_nodes(PortableProgram(settings, cells, cache), facts, executor, on_progress, certname)


class PortableProgram:
    """A program that can be pickled, for the processes of a fleet.

    Attributes:
        dialect: The name of the dialect.
        settings: The other settings of the session that do not depend on the node.
        cells: The cells.
        cache: The folder in which compiled modules are stored, if there is one.
        trusted: The trusted data in addition to the data derived from the name of a node.
    """

    def __init__(self, settings: Settings, cells: Sequence[Cell], cache: str | None = None) -> None:
        derived = make_trusted_facts(None, settings.node)
        self.dialect = settings.dialect.name
        self.cache = cache
        self.settings = {
            name: getattr(settings, name)
            for name in Settings.record_fields
            if name not in ("dialect", "node", "facts", "trusted", "recorded")
        }
        self.cells = list(cells)
        self.trusted = {
            name: value
            for name, value in settings.trusted.items()
            if name not in derived or derived[name] != value
        }

    def warm(self) -> WarmProgram:
        """Return the program, running in this process."""
        return WarmProgram(self)


class WarmProgram:
    """A running program that compiles the catalog of one node after the other."""

    def __init__(self, program: PortableProgram) -> None:
        self._trusted = program.trusted
        facts, trusted = self._read_node("localhost", {})
        self._settings = Settings(
            DIALECTS[program.dialect], node="localhost", facts=facts, trusted=trusted, **program.settings
        )
        self._runtime = Runtime(self._settings)
        self._cache = open_cache(self._settings, program.cache)
        self._cells = [(cell, _make_compiler()) for cell in program.cells]

    def _read_node(self, node: str, facts: Mapping[str, Any] | str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the facts of a node, and its trusted data."""
        return read_facts(facts, node), make_trusted_facts(self._trusted, node)

    def make_supervisor(self) -> AbstractContextManager[Supervisor]:
        """Return the supervisor for compilations, within the limits of the session."""
        return make_supervisor(self._settings.limits)

    def use_cache(self) -> AbstractContextManager[None]:
        """Return a context in which compiled files are stored where the session stores them."""
        return source_cache.use_cache(self._cache, None)

    def compile_catalog(self, node: str, facts: Mapping[str, Any] | str) -> str:
        """Return the catalog of a node as JSON text. Raises PuppetError, and what stops it.

        Args:
            node: The name of the node.
            facts: The facts of the node: a mapping, or the name of a bundled set.
        """
        runtime = self._runtime
        own, trusted = self._read_node(node, facts)
        with runtime.running():
            runtime.settings = self._settings.replace(node=node, facts=own, trusted=trusted)
            timeline = Timeline(runtime)
            # Only these two have code or classes of their own, which are evaluated before the cells.
            if self._settings.directory is not None or self._settings.classification is not None:
                timeline.evaluate_environment()
                timeline.raise_beginning_error()
            for cell, compiler in self._cells:
                entry = timeline.evaluate(cell, compile_cell=compiler)
                if entry.evaluation.error is not None:
                    raise entry.evaluation.error
                timeline.append(entry)
            state = timeline.state.fixed_point().state
            catalog = json.dumps(to_json(state.catalog.to_released_order()), check_circular=False)
            runtime.files |= state.release_files()  # the next node takes the files of modules from there
            return catalog

    def explain(self, problem: BaseException) -> PuppetError:
        """Return the error of a node, whatever was raised."""
        return explain_error(problem, self._runtime)


def _make_compiler() -> Compile:
    """Return a function that compiles a cell; its text is parsed once for all nodes."""
    parsed: dict[str, CompiledSource] = {}

    def compile_cell(runtime: Runtime, cell: Cell) -> Units:
        def load() -> CompiledSource:
            if cell.key not in parsed:
                parsed[cell.key] = parse_text(runtime, cell)
            return parsed[cell.key]

        return make_units(runtime, load)

    return compile_cell
