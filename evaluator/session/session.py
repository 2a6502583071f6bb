"""The session: a program that grows cell by cell. The only object that kernel, REPL and tests talk to.

A cell has two parts. Its statements run on a copy of the state. What Puppet evaluates late (define bodies, node
blocks, collectors, overrides, relationships) is settled on a second copy, from which the catalog is shown; the
next cell starts from the first copy. When either part fails, neither copy is kept.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from evaluator import catalog as catalog_package
from evaluator import issues
from evaluator.compiler.definitions import Body
from evaluator.compiler.emitter import Unit
from evaluator.facts import facts_for
from evaluator.facts.trusted import trusted_for
from evaluator.limits import OUTPUT, amounts
from evaluator.program.log import Log
from evaluator.program.nesting import parse_bounded
from evaluator.program.permissions import permissions as permitted
from evaluator.program.settings import Settings
from evaluator.program.state import State
from evaluator.running.registration import register
from evaluator.running.runtime import Runtime
from evaluator.session import dialect_notes, rerun, worker
from evaluator.session.cells import Cell, Moment, Outcome
from evaluator.session.dependencies import provided
from evaluator.session.explaining import explained
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import Note, PuppetError
from lexer_parser.tree import nodes

_DIGITS_PER_BIT = 0.302  # log10(2), rounded up


class Session:
    """An incremental Puppet program.

    dialect           "spec" (the language of the specification) or "puppet" (as released)
    node              the certname to compile for
    facts             a mapping, the name of a bundled fact set, or None for a small neutral set
    trusted           a mapping that replaces or adds to `$trusted`: the node's certname, hostname and domain
    modulepath        directories that hold modules
    data              Hiera data of one common layer;  hiera_config  path of a hiera.yaml
    strict            "off", "warning" or "error";  strict_variables  unknown variables are errors
    interactive       statements without effect are allowed, and references to what is not declared yet are notes
    permissions       what is off unless it is named: "files" (outside the module path and working folder),
                      "generate" (running programs), "templates" (ERB, which is Ruby code)
    limits            amounts that are not the defaults, by name: `{"max_resources": 1000}`; see `evaluator.limits`
    on_log            set to be called with each Log while a program runs
    """

    def __init__(
        self,
        dialect: str = "spec",
        *,
        node: str = "localhost",
        facts: Mapping[str, Any] | str | None = None,
        trusted: Mapping[str, Any] | None = None,
        modulepath: Any = (),
        data: Mapping[str, Any] | None = None,
        hiera_config: str | None = None,
        strict: str = "warning",
        strict_variables: bool | str = False,
        interactive: bool = False,
        permissions: Any = (),
        limits: Mapping[str, float] | None = None,
    ) -> None:
        if dialect not in DIALECTS:
            raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
        settings = Settings(
            DIALECTS[dialect],
            node=node,
            facts=facts_for(facts, node),
            trusted=trusted_for(trusted, node),
            modulepath=tuple(map(str, modulepath)),
            data=data,
            hiera_config=hiera_config,
            strict=strict,
            strict_variables=strict_variables in (True, "true"),
            interactive=interactive,
            permissions=permitted(permissions),
            limits=amounts(limits),
        )
        self.runtime = Runtime(settings)
        self.limits = settings.limits
        self._past: list[Moment] = []
        self._future: list[Moment] = []
        self._moment: Moment
        self._runs = 0
        self.reset()

    # --- settings

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        return self.runtime.dialect.name

    @property
    def node(self) -> str:
        """The certname."""
        return self.runtime.settings.node

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the node."""
        return self.runtime.settings.facts

    @property
    def limits(self) -> Mapping[str, float | str]:
        """The amounts of all limits by name; see `evaluator.limits`. Others can be set between cells."""
        return self.runtime.settings.limits

    @limits.setter
    def limits(self, given: Mapping[str, float | str]) -> None:
        found = amounts(given)
        self.runtime.settings = self.runtime.settings.limited(found)
        # CPython refuses to convert longer integers; all that the language has can be written and read
        digits = int(found["max_integer_bits"] * _DIGITS_PER_BIT) + 1
        if 0 < sys.get_int_max_str_digits() < digits:
            sys.set_int_max_str_digits(digits)

    @property
    def on_log(self) -> Callable[[Log], None] | None:
        """Called with each log line as it is written."""
        return self.runtime.on_log

    @on_log.setter
    def on_log(self, receiver: Callable[[Log], None] | None) -> None:
        self.runtime.on_log = receiver

    @property
    def cells(self) -> list[Cell]:
        """The cells that make up the program, in order."""
        return list(self._moment.cells)

    # --- running

    def run(self, source: str, cell_id: str | None = None, *, name: str | None = None) -> Outcome:
        """Runs a cell, whole or not at all. Never raises: what went wrong is the outcome's `error`.

        `name` is the path of the file that the source was read from; messages tell it.
        A cell that is known by its identity is run again: see `rerun.replace`.
        """
        with worker.Supervisor(self.runtime.settings.limits) as supervisor:
            self._runs += 1
            cell = Cell(source, cell_id, self._runs, name)
            self._run(cell, supervisor)
            return cell.outcome

    def _run(self, cell: Cell, supervisor: worker.Supervisor) -> None:
        runtime, outcome, before = self.runtime, cell.outcome, self._moment
        started = time.perf_counter()
        manner = runtime.manner
        runtime.logs, runtime.written, runtime.answers = outcome.logs, 0, {}
        runtime.used_permission = False
        if runtime.on_log is not None:
            runtime.on_log = supervisor.shielded(runtime.on_log)
        after = before
        try:
            after = supervisor.run(lambda: self._attempt(before, cell))
        except KeyboardInterrupt:
            outcome.error = issues.error("INTERRUPTED")
        except Exception as exception:
            outcome.error = explained(exception, runtime)
        runtime.manner = manner
        if self._may_compare(before, cell, started):
            with suppress(KeyboardInterrupt, Exception):
                supervisor.run(lambda: dialect_notes.add(self, before, cell), dialect_notes.LONGEST_SECONDS)
            runtime.manner = manner
        runtime.end_companions()
        if outcome.error is None:
            self._past.append(before)
            self._future.clear()
        self._go(before if outcome.error is not None else after)
        outcome.room = int(OUTPUT.value)
        outcome.seconds = time.perf_counter() - started

    def _attempt(self, before: Moment, cell: Cell) -> Moment:
        """The next moment; or the same one, and the cell has its error."""
        try:
            return self._next_moment(before, cell)
        except Exception as exception:
            error = self._explained(explained(exception, self.runtime), before)
            # the frames of the program would keep its values alive
            error.__traceback__ = error.__context__ = error.__cause__ = None
            cell.outcome.error = error
            return before

    def _next_moment(self, before: Moment, cell: Cell) -> Moment:
        known = self._positions(before, cell)
        from evaluator.catalog.difference import difference

        after = rerun.replace(self, before, known[0], cell) if known else self.extend(before, cell)
        before_catalog = before.settled.catalog if before.settled else before.state.catalog
        assert after.settled is not None
        cell.outcome.change = difference(before_catalog, after.settled.catalog)
        return after

    def _may_compare(self, before: Moment, cell: Cell, started: float) -> bool:
        """True for quick cells of a person at work: what they mean in the other dialect is worth a note."""
        error = cell.outcome.error
        return (
            self.runtime.settings.interactive
            and not self.runtime.used_permission
            and time.perf_counter() - started < dialect_notes.QUICK_SECONDS
            and (error.code != "INTERRUPTED" if error else not self._positions(before, cell))
        )

    def _positions(self, before: Moment, cell: Cell) -> list[int]:
        """Where in the program a cell stands that has this one's identity."""
        return [
            index for index, old in enumerate(before.cells) if cell.cell_id and old.cell_id == cell.cell_id
        ]

    def extend(self, before: Moment, cell: Cell) -> Moment:
        """The moment after running `cell` at the end of the program; raises what the cell raises."""
        state = self.evaluate(before.state, cell)
        settled, late_logs = self._settle(state, before, cell)
        return Moment((*before.cells, cell), state, settled, late_logs)

    def evaluate(self, before: State, cell: Cell) -> State:
        """The state after the cell's own statements; fills in the cell. Raises what the cell raises."""
        runtime = self.runtime
        program = self._parse(cell)
        for warning in program.warnings:
            runtime.log("warning", warning.message, warning.span)
        state = before.copy()
        runtime.state = state
        unit = Unit(runtime, program.source, runtime.dialect)
        register(unit, program, state.definitions)
        cell.outcome.value = Body(unit, program.body)(state.top)
        cell.outcome.has_value = _is_looked_at(program.body, cell.outcome.value)
        state.match = runtime.match
        cell.program = program
        cell.provided = provided(before, state)
        return state

    def _parse(self, cell: Cell) -> nodes.Program:
        runtime = self.runtime
        try:
            return parse_bounded(
                cell.source,
                runtime.dialect,
                name=cell.name,
                interactive=runtime.settings.interactive,
                strict=runtime.settings.strict,
            )
        except PuppetError as error:
            error.prefix = f"Could not parse for environment {runtime.settings.environment}: "
            raise

    def _settle(self, state: State, before: Moment, cell: Cell) -> tuple[State, tuple[tuple[str, str], ...]]:
        """Evaluates what is evaluated late on a second copy, each time anew; shows only log lines that are new."""
        runtime = self.runtime
        settled = state.copy()
        runtime.state = settled
        receiver, runtime.on_log = runtime.on_log, None
        eager: list[Log] = runtime.logs
        late: list[Log] = []
        runtime.logs = late
        try:
            cell.outcome.notes += (
                catalog_package.settle(runtime, lambda problem: explained(problem, runtime)) or []
            )
        finally:
            runtime.on_log = receiver
            runtime.logs = eager
            self._show_new(late, before)
        return settled, tuple((line.level, line.message) for line in late)

    def _show_new(self, late: list[Log], before: Moment) -> None:
        seen = list(before.late_logs)
        for line in late:
            if (line.level, line.message) in seen:
                seen.remove((line.level, line.message))
                continue
            self.runtime.logs.append(line)
            if self.runtime.on_log is not None:
                self.runtime.on_log(line)

    def _explained(self, error: PuppetError, before: Moment) -> PuppetError:
        """Says which cell owns the name that an error is about."""
        name = error.arguments.get("name")
        if error.code in ("ILLEGAL_REASSIGNMENT", "REDEFINED_ENTITY") and isinstance(name, str):
            for cell in before.cells:
                if name in cell.provided.variables or name in cell.provided.words:
                    error.notes = (*error.notes, Note(f"'{name}' comes from cell {cell.number}"))
        return error

    # --- for running cells again (see rerun.py)

    def start_of(self, moment: Moment, index: int) -> Moment:
        """The moment before the cell at `index` of the program was run first."""
        if index == 0:
            return self._beginning
        wanted = moment.cells[:index]
        for past in reversed(self._past):
            if past.cells == wanted:
                return past
        return rerun.replay(self, self._beginning, list(wanted))

    def twin(self, cell: Cell) -> Cell:
        """A cell of the same source and identity, to be evaluated again."""
        return Cell(cell.source, cell.cell_id, cell.number, cell.name)

    @contextmanager
    def silence(self, cell: Cell | None = None) -> Iterator[None]:
        """While it lasts, log lines go to `cell` only, or nowhere."""
        runtime = self.runtime
        logs, receiver = runtime.logs, runtime.on_log
        runtime.logs, runtime.on_log = (cell.outcome.logs if cell else []), None
        try:
            yield
        finally:
            runtime.logs, runtime.on_log = logs, receiver

    def _go(self, moment: Moment) -> None:
        self._moment = moment
        self.runtime.state = moment.state

    # --- the session as a whole

    def undo(self) -> bool:
        """Takes back what was run last; false when there is nothing to take back."""
        if not self._past:
            return False
        self._future.append(self._moment)
        self._go(self._past.pop())
        return True

    def redo(self) -> bool:
        """Brings back what was taken back last; false when there is nothing."""
        if not self._future:
            return False
        self._past.append(self._moment)
        self._go(self._future.pop())
        return True

    def reset(self) -> None:
        """Starts again with nothing but the facts."""
        self._past.clear()
        self._future.clear()
        self._runs = 0
        catalog_package.start(self.runtime)
        self._beginning = self._moment = Moment((), self.runtime.state, None)

    def forget(self, cell_ids: Any) -> None:
        """Withdraws cells that were deleted from the notebook, and what depends on them."""
        gone = set(cell_ids)
        if any(cell.cell_id in gone for cell in self._moment.cells):
            before, manner = self._moment, self.runtime.manner
            with worker.Supervisor(self.runtime.settings.limits) as supervisor:
                try:
                    after = supervisor.run(lambda: rerun.without(self, before, gone))
                except BaseException:
                    self.runtime.manner = manner
                    self._go(before)
                    raise
                self._past.append(before)
                self._future.clear()
                self._go(after)

    def catalog(self) -> Any:
        """The settled Catalog: what `puppet apply` would compile from the cells joined in order."""
        moment = self._moment
        if moment.settled is None:
            moment.settled = moment.state.copy()
            self.runtime.state = moment.settled
            try:
                catalog_package.settle(self.runtime, lambda problem: explained(problem, self.runtime))
            finally:
                self._go(moment)
        return moment.settled.catalog

    # --- help for people who type

    def status(self, source: str) -> Any:
        """Whether an input is "complete", "incomplete" or "invalid" (`.kind`), and the next line's `.indent`."""
        from lexer_parser import status

        return status(source, self.runtime.dialect)

    def complete(self, source: str, cursor: int) -> Any:
        """Candidates for the word at the cursor."""
        from evaluator.assistance.completion import complete

        return complete(self, source, cursor)

    def inspect(self, source: str, cursor: int) -> Any:
        """A card about the name at the cursor, or None."""
        from evaluator.assistance.inspection import inspect

        return inspect(self, source, cursor)

    def cards(self, name: str) -> list[Any]:
        """The cards of all that bears a name, in the program and in the language."""
        from evaluator.assistance.inspection import named_cards

        return named_cards(self, name)

    def topics(self) -> list[str]:
        """The names that `cards` knows, but variables."""
        from evaluator.assistance.topics import topics

        return topics(self)

    def variables(self) -> Iterator[tuple[str, Any]]:
        """The names and values of the top scope's variables, then of every evaluated class's, qualified."""
        from evaluator.assistance.candidates import all_variables

        return all_variables(self)

    def definitions(self) -> dict[str, Mapping[str, Any]]:
        """What the program has defined: "class", "define", "function", "type" -> name -> definition."""
        known = self._moment.state.definitions
        return {
            "class": known.classes,
            "define": known.defines,
            "function": known.functions,
            "type": known.types,
        }


_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.Nop)


def _is_looked_at(body: nodes.Node, value: Any) -> bool:
    """False when the last statement is a definition, or a call made for its effect that gave undef."""
    last = body.statements[-1] if isinstance(body, nodes.Block) else body
    if isinstance(last, _DEFINITIONS):
        return False
    return not (value is None and isinstance(last, nodes.Call | nodes.MethodCall))
