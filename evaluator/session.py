"""The session: a program that grows cell by cell. The only object that kernel, REPL and tests talk to.

A cell has two parts. Its statements run on a copy of the state. What Puppet evaluates late (define bodies, node
blocks, collectors, overrides, relationships) is settled on a second copy, from which the catalog is shown; the
next cell starts from the first copy. When either part fails, neither copy is kept.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any

from evaluator import catalog as catalog_package
from evaluator import worker
from evaluator.compiler.definitions import Body
from evaluator.compiler.emitter import Unit
from evaluator.facts import facts_for
from evaluator.registration import register
from evaluator.runtime import Log, Runtime
from evaluator.state import State
from evaluator.tracing import located
from lexer_parser import nodes, parse
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError

# Syntax trees and catalogs are many small objects that live long; with CPython's defaults the collector walks
# them over and over (parsing the module corpus: 0.56 s instead of 0.36 s).
gc.set_threshold(100_000, 20, 50)


class Outcome:
    """What running a cell gave.

    value      the value of its last statement;  text, type  its program form and that of its inferred type
    has_value  False when the last statement is one that nobody looks at the value of (a definition, a notice)
    logs       the log lines, in order;  change  what it changed in the catalog (None when it failed)
    error      the PuppetError that stopped it, or None;  notes  pending references and other remarks
    seconds    wall time
    """

    __slots__ = ("change", "error", "has_value", "logs", "notes", "seconds", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.has_value = False
        self.logs: list[Log] = []
        self.change: Any = None
        self.error: PuppetError | None = None
        self.notes: list[str] = []
        self.seconds = 0.0

    @property
    def text(self) -> str:
        """The value in program form: `'a'`, `[1, 2]`, `Notify['x']`."""
        from evaluator.values import literal

        return literal(self.value)

    @property
    def type(self) -> str:
        """The inferred type of the value in program form."""
        from evaluator.types import infer

        return str(infer(self.value))


class Cell:
    """A cell that was run: its source, the identity its front end gave it, the states before and after."""

    __slots__ = ("after", "before", "cell_id", "outcome", "settled", "settled_before", "source")

    def __init__(self, source: str, cell_id: str | None, before: State, settled_before: State | None) -> None:
        self.source = source
        self.cell_id = cell_id
        self.before = before
        self.settled_before = settled_before
        self.after = before
        self.settled = settled_before
        self.outcome = Outcome()


class Session:
    """An incremental Puppet program.

    dialect           "spec" (the language of the specification) or "puppet" (as released)
    node              the certname to compile for
    facts             a mapping, the name of a bundled fact set, or None for a small neutral set
    modulepath        directories that hold modules
    data              Hiera data of one common layer;  hiera_config  path of a hiera.yaml
    strict            "off", "warning" or "error";  strict_variables  unknown variables are errors
    interactive       statements without effect are allowed, and references to what is not declared yet are notes
    on_log            set to be called with each Log while a program runs
    """

    def __init__(
        self,
        dialect: str = "spec",
        *,
        node: str = "localhost",
        facts: Mapping[str, Any] | str | None = None,
        modulepath: Any = (),
        data: Mapping[str, Any] | None = None,
        hiera_config: str | None = None,
        strict: str = "warning",
        strict_variables: bool = False,
        interactive: bool = False,
    ) -> None:
        if dialect not in DIALECTS:
            raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
        self.runtime = Runtime(
            DIALECTS[dialect],
            node=node,
            facts=facts_for(facts, node),
            modulepath=tuple(map(str, modulepath)),
            data=data,
            hiera_config=hiera_config,
            strict=strict,
            strict_variables=strict_variables,
            interactive=interactive,
        )
        self.cells: list[Cell] = []
        self._undone: list[Cell] = []
        self._shown_logs: list[tuple[str, str]] = []
        self._state: State
        self._settled: State | None = None
        self.reset()

    # --- settings

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        return self.runtime.dialect.name

    @property
    def node(self) -> str:
        """The certname."""
        return self.runtime.node

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the node."""
        return self.runtime.facts

    @property
    def on_log(self) -> Callable[[Log], None] | None:
        """Called with each log line as it is written."""
        return self.runtime.on_log

    @on_log.setter
    def on_log(self, receiver: Callable[[Log], None] | None) -> None:
        self.runtime.on_log = receiver

    # --- running

    def run(self, source: str, cell_id: str | None = None) -> Outcome:
        """Runs a cell, whole or not at all. Never raises: what went wrong is the outcome's `error`."""
        cell = Cell(source, cell_id, self._state, self._settled)
        outcome = cell.outcome
        started = time.perf_counter()
        self.runtime.logs = outcome.logs
        try:
            worker.run(lambda: self._evaluate(cell))
        except KeyboardInterrupt:
            outcome.error = PuppetError("INTERRUPTED", "Interrupted; the session is as it was before")
        except Exception as exception:
            outcome.error = located(exception)
        outcome.seconds = time.perf_counter() - started
        if outcome.error is None:
            self._commit(cell)
        else:
            self._restore(cell.before, cell.settled_before)
        return outcome

    def _evaluate(self, cell: Cell) -> None:
        runtime = self.runtime
        program = parse(cell.source, dialect=runtime.dialect, interactive=runtime.interactive)
        cell.after = cell.before.copy()
        runtime.state = cell.after
        unit = Unit(runtime, program.source, runtime.dialect)
        register(unit, program, cell.after.definitions)
        cell.outcome.value = Body(unit, program.body)(cell.after.top)
        cell.outcome.has_value = _is_looked_at(program.body, cell.outcome.value)
        cell.after.match = runtime.match
        self._settle(cell)

    def _settle(self, cell: Cell) -> None:
        """Evaluates what is evaluated late on a second copy; shows only log lines that are new."""
        runtime = self.runtime
        cell.settled = cell.after.copy()
        runtime.state = cell.settled
        receiver, runtime.on_log = runtime.on_log, None
        eager, late = runtime.logs, []
        runtime.logs = late
        try:
            cell.outcome.notes += catalog_package.settle(runtime) or []
        finally:
            runtime.on_log = receiver
            runtime.logs = eager
            seen = list(self._shown_logs)
            for line in late:
                if (line.level, line.message) in seen:
                    seen.remove((line.level, line.message))
                else:
                    runtime.logs.append(line)
                    if receiver is not None:
                        receiver(line)
        self._late_logs = [(line.level, line.message) for line in late]

    def _commit(self, cell: Cell) -> None:
        from evaluator.catalog.difference import difference

        before = cell.settled_before or cell.before
        assert cell.settled is not None
        cell.outcome.change = difference(before.catalog, cell.settled.catalog)
        self._shown_logs = self._late_logs
        self.cells.append(cell)
        self._undone.clear()
        self._restore(cell.after, cell.settled)

    def _restore(self, state: State, settled: State | None) -> None:
        self._state = state
        self._settled = settled
        self.runtime.state = state

    # --- the session as a whole

    def undo(self) -> Cell | None:
        """Takes back the last cell; gives it, or None when there is none."""
        if not self.cells:
            return None
        cell = self.cells.pop()
        self._undone.append(cell)
        self._restore(cell.before, cell.settled_before)
        return cell

    def redo(self) -> Cell | None:
        """Brings back the cell taken back last; gives it, or None when there is none."""
        if not self._undone:
            return None
        cell = self._undone.pop()
        self.cells.append(cell)
        self._restore(cell.after, cell.settled)
        return cell

    def reset(self) -> None:
        """Starts again with nothing but the facts."""
        self.cells.clear()
        self._undone.clear()
        self._shown_logs = []
        self._late_logs: list[tuple[str, str]] = []
        catalog_package.start(self.runtime)
        self._restore(self.runtime.state, None)

    def catalog(self) -> Any:
        """The settled Catalog: what `puppet apply` would compile from the cells joined in order."""
        if self._settled is None:
            settled = self._state.copy()
            self.runtime.state = settled
            catalog_package.settle(self.runtime)
            self._restore(self._state, settled)
        assert self._settled is not None
        return self._settled.catalog

    # --- help for people who type

    def status(self, source: str) -> Any:
        """Whether an input is "complete", "incomplete" or "invalid" (`.kind`), and the next line's `.indent`."""
        from lexer_parser import status

        return status(source, self.runtime.dialect)

    def complete(self, source: str, cursor: int) -> Any:
        """Candidates for the word at the cursor."""
        from evaluator.completion import complete

        return complete(self, source, cursor)

    def inspect(self, source: str, cursor: int) -> Any:
        """A card about the name at the cursor, or None."""
        from evaluator.inspection import inspect

        return inspect(self, source, cursor)


_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.Nop)


def _is_looked_at(body: nodes.Node, value: Any) -> bool:
    """False when the last statement is a definition, or a call made for its effect that gave undef."""
    last = body.statements[-1] if isinstance(body, nodes.Block) else body
    if isinstance(last, _DEFINITIONS):
        return False
    return not (value is None and isinstance(last, nodes.Call | nodes.MethodCall))
