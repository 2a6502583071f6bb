"""The timeline: the evaluated cells of a program under one configuration, in order.

Its state is the fold of the entries: each was evaluated on the state that those before it made, and added to it. To
evaluate a cell in another position, `detach` removes the entries from there on, `evaluate` and `append` add others, and
`restore` undoes both if that fails. What was detached can be attached again without an evaluation (`reattach`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from evaluator.issues import make_error
from evaluator.program import source_cache, stat_cache
from evaluator.program.state import StateDelta
from evaluator.running.runtime import Runtime
from evaluator.session.arguments import Arguments, make_settings, open_cache
from evaluator.session.cell import Cell, Entry, Evaluation, index_by_key
from evaluator.session.evaluation import Compile, compile_environment, evaluate
from evaluator.session.program_state import ProgramState, Savepoint, explain_error
from evaluator.session.supervisor import Supervisor, make_supervisor
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.cache import DiskCache
    from evaluator.debugger.engine import Watcher
    from evaluator.program.log import Log


class Branch(NamedTuple):
    """Entries detached from the end of a timeline, with what they added to the state.

    Attributes:
        start: The position from which they were detached.
        before: The evaluation of the entry before that position or, at the beginning, the state of the timeline: the
            branch can be attached again only behind the same object. None if it contains only replies.
        delta: What the entries added to the state; None if there was no entry.
    """

    start: int
    before: Evaluation | ProgramState | None
    entries: Sequence[Entry]
    delta: StateDelta | None = None

    def reduce_to_replies(self, keys: Collection[str]) -> Branch | None:
        """Return the branch with only the replies of other programs; None if there are none.

        Replies of Ruby are long: only some cells keep them, and the Ruby code of other cells runs again.

        Args:
            keys: the keys of the cells that keep replies of Ruby.
        """
        entries = [
            one._replace(
                evaluation=Evaluation(effects=one.evaluation.effects, cpu_seconds=one.evaluation.cpu_seconds),
                savepoint=None,
            )
            for one in self.entries
            if one.evaluation.effects.replies
            and (one.cell.key in keys or one.evaluation.effects.has_commands)
        ]
        return Branch(self.start, None, entries) if entries else None

    def with_numbers_of(self, cells: Sequence[Cell]) -> Branch:
        """Return the branch with the numbers that its cells have among others."""
        numbers = {cell.key: cell.number for cell in cells}
        return self._replace(entries=[one.with_number(numbers[one.cell.key]) for one in self.entries])


class Timeline:
    """Entries in order, and the state that they made.

    Invariant: each evaluation is that of its cell on the state after the entries before it.

    Args:
        cache: the store of compiled modules for other processes; None for none.

    Attributes:
        positions: the positions of the entries, by the key of the cell.
        beginning: the evaluation of the environment's manifests, before all cells; None without an environment.
        retryable: the failed entries that may succeed now, by key; see `Entry.is_retryable`.
    """

    def __init__(self, runtime: Runtime, cache: DiskCache | None = None) -> None:
        self.runtime = runtime
        self._cache = cache
        self.state = ProgramState(runtime)
        self.entries: list[Entry] = []
        self.beginning: Evaluation | None = None
        self.positions: dict[str, int] = {}
        self.retryable: dict[str, Entry] = {}
        self._unfinished: Savepoint | None = None  # the savepoint before the cell that is being evaluated

    # --- the entries

    def find(self, key: str | None) -> Entry | None:
        """Return the entry of a cell, or None."""
        index = self.positions.get(key or "")
        return None if index is None else self.entries[index]

    def is_repeatable(self, cell: Cell, watcher: Watcher | None) -> bool:
        """Return True if evaluating a cell in its place would produce the evaluation that it has."""
        entry = self.find(cell.key)
        if entry is None or (watcher is not None and watcher.can_stop):
            return False
        evaluation = entry.evaluation
        return (
            not evaluation.effects.has_effects
            and evaluation.error is None
            and entry.cell.is_same_input(cell)
            and evaluation.settings is self.runtime.settings
        )

    def renumber(self, key: str, number: int) -> None:
        """Set the number that the front end displays beside a cell, if it has an entry."""
        index = self.positions.get(key)
        if index is not None:
            entry = self.entries[index] = self.entries[index].with_number(number)
            if key in self.retryable:
                self.retryable[key] = entry

    def detach(self, index: int) -> Branch:
        """Detach the entries from a position on."""
        self._unfinished = None
        entries = self.entries[index:]
        before = self._get_before(index)
        if not entries:
            return Branch(index, before, ())
        savepoint = entries[0].savepoint
        assert savepoint is not None
        delta = self.state.detach(savepoint)
        self._drop_entries(index)
        return Branch(index, before, entries, delta)

    def _get_before(self, index: int) -> Evaluation | ProgramState:
        """Return the object that identifies what precedes a position; see `Branch.before`."""
        return self.entries[index - 1].evaluation if index else self.state

    def can_attach(self, branch: Branch, cells: Sequence[Cell]) -> bool:
        """Return True if the timeline is that of some cells once a branch is attached again.

        False for a branch of another timeline, which was evaluated under other arguments.
        """
        start = branch.start
        if start > len(self.entries) or len(cells) != start + len(branch.entries):
            return False
        if self._get_before(start) is not branch.before:
            return False
        pairs = zip([*self.entries[:start], *branch.entries], cells, strict=True)
        return all(entry.cell.is_same_input(cell) for entry, cell in pairs)

    def reattach(self, branch: Branch) -> None:
        """Attach entries where they were detached."""
        self.state.enter()
        if branch.delta is not None:
            self.state.reattach(branch.delta)
        self._append(branch.entries)

    def restore(self, branch: Branch) -> None:
        """Attach entries where they were detached, in place of all that was evaluated there since.

        This is also possible after an evaluation that was stopped half-way.
        """
        entries = self.entries[branch.start :]
        savepoint = entries[0].savepoint if entries else self._unfinished
        self._drop_entries(branch.start)
        self._unfinished = None
        if savepoint is not None:
            self.state.roll_back(savepoint)
        self.reattach(branch)

    def append(self, entry: Entry) -> None:
        """Append the entry that `evaluate` returned last."""
        # This order matters, because an interrupt may come at any point: `restore` reads the entries, then
        # `_unfinished`.
        self._append([entry])
        self._unfinished = None
        if entry.savepoint is not None:
            entry.savepoint.fixed_point = None  # nothing compares with it any more

    def _append(self, entries: Sequence[Entry]) -> None:
        """Append entries, whose additions the state has already."""
        start = len(self.entries)
        self.entries += entries
        for index, entry in enumerate(entries, start):
            self.positions[entry.cell.key] = index
            if entry.is_retryable:
                self.retryable[entry.cell.key] = entry

    def _drop_entries(self, index: int) -> None:
        """Remove the entries from a position on; the state stays as it is."""
        for entry in self.entries[index:]:
            self.positions.pop(entry.cell.key, None)
            self.retryable.pop(entry.cell.key, None)
        del self.entries[index:]

    @contextmanager
    def view(self, index: int) -> Iterator[None]:
        """Show only the entries before a position for the duration of a `with` statement.

        Raises what computing the fixed point raises.
        """
        later = self.entries[index:]
        if not later:
            yield
            return
        assert later[0].savepoint is not None
        self.state.fixed_point()
        with self.state.rolled_back(later[0].savepoint):
            self._drop_entries(index)
            try:
                yield
            finally:
                self._append(later)

    # --- evaluation

    @contextmanager
    def running(self) -> Iterator[Supervisor]:
        """Prepare the runtime for evaluations in a `with` statement, and restore it afterwards.

        Yields:
            The supervisor that runs the evaluations.
        """
        runtime = self.runtime
        with make_supervisor(runtime.settings.limits) as supervisor, runtime.running():
            if runtime.on_log is not None:
                runtime.on_log = supervisor.shield(runtime.on_log)
            with source_cache.use_cache(self._cache, runtime.on_log):
                yield supervisor

    # All that follows runs under a supervisor.

    def evaluate(
        self,
        cell: Cell,
        earlier: Entry | None = None,
        compile_cell: Compile | None = None,
        watcher: Watcher | None = None,
    ) -> Entry:
        """Return the entry of a cell that is evaluated after all entries; the caller appends it.

        A cell that fails leaves the state as it was.

        Args:
            earlier: the entry of an earlier evaluation, whose recorded effects are replayed.
            compile_cell: returns the units of the cell; by default those of its source.
            watcher: runs the cell for a debugger.
        """
        started, begun = time.perf_counter(), time.process_time()
        savepoint = self._unfinished = self.state.savepoint()
        effects = None if earlier is None else earlier.evaluation.effects
        evaluation = evaluate(self.state, savepoint, cell, compile_cell, effects, watcher)
        if evaluation.error is not None:
            from evaluator.session.names import attribute_error  # most programs have no error

            attribute_error(evaluation.error, self.entries, Entry(cell, evaluation, savepoint), self.state)
            self.state.roll_back(savepoint)
        cpu_seconds = time.process_time() - begun if earlier is None else earlier.evaluation.cpu_seconds
        return Entry(
            cell,
            evaluation._replace(cpu_seconds=cpu_seconds),
            savepoint,
            seconds=time.perf_counter() - started,
        )

    def evaluate_scratch(self, cell: Cell) -> Evaluation:
        """Evaluate a cell after all entries and roll it back: nothing but its value remains."""
        entry = self.evaluate(cell)
        self.abandon()
        return entry.evaluation

    def abandon(self) -> None:
        """Roll back the cell that was evaluated last and not appended, or was stopped."""
        if self._unfinished is not None:
            savepoint, self._unfinished = self._unfinished, None
            self.state.roll_back(savepoint)

    def evaluate_environment(self) -> None:
        """Evaluate the manifests of the environment. Log lines are shown."""
        entry = self.evaluate(Cell("", "", 0), compile_cell=compile_environment)
        assert entry.savepoint is not None
        entry.savepoint.fixed_point = None
        self._unfinished = None
        self.beginning = entry.evaluation._replace(source=None, tree=None)

    def show_logs(self, logs: Sequence[Log]) -> None:
        """Show log lines of an evaluation that ran in silence."""
        if self.runtime.on_log is not None:
            for line in logs:
                self.runtime.on_log(line)

    def make_stop_error(self, problem: BaseException) -> PuppetError:
        """Return the error for what stopped an edit.

        An exception that ends the process is raised.
        """
        if isinstance(problem, PuppetError):
            return problem
        if isinstance(problem, KeyboardInterrupt):
            return make_error("INTERRUPTED")
        if isinstance(problem, Exception):
            return explain_error(problem, self.runtime)
        raise problem

    def raise_beginning_error(self) -> None:
        """Raise the error of the environment's manifests, if they failed."""
        if self.beginning is not None and self.beginning.error is not None:
            raise self.beginning.error

    def replay(
        self,
        cells: Iterable[tuple[Cell, Entry | None]],
        receive: Callable[[Entry, Entry | None], bool] | None = None,
    ) -> list[Entry]:
        """Evaluate cells again after all entries, without showing log lines, and append them.

        A cell that fails contributes nothing but its error. If it did not fail before and depends on files or other
        programs, it is evaluated once more, because they may have failed only for a moment. Raises what stops it.

        Args:
            cells: the cells, each with the entry of its earlier evaluation.
            receive: receives each new entry with the earlier one as soon as it is known; returns False to stop.
        """
        start = len(self.entries)
        with self.runtime.hold_log():
            for cell, earlier in cells:
                entry = self.evaluate(cell, earlier)
                if entry.is_retryable and (earlier is None or earlier.evaluation.error is None):
                    stat_cache.invalidate()
                    entry = self.evaluate(cell, earlier)
                if self.runtime.settings.interactive:
                    diagnostics = _load_diagnostics()
                    entry = diagnostics.diagnose(
                        self.state, entry, diagnostics.call_directly, finds_cycles=False
                    )
                self.append(entry)
                if receive is not None and not receive(entry, earlier):
                    break
            if self.runtime.settings.interactive:
                self._add_cycles(start)
        return self.entries[start:]

    def _add_cycles(self, start: int) -> None:
        """Add to the entries from a position on the cycles of relationships that they close.

        One test of all of them is enough for most programs.
        """
        diagnostics = _load_diagnostics()
        if diagnostics.can_close_cycles(self.state, self.entries[start:]):
            for index in range(start, len(self.entries)):
                with self.view(index + 1):
                    entry = diagnostics.add_cycle(self.state, self.entries[index])
                self.entries[index] = entry

    def find_recovered(self, index: int) -> int | None:
        """Return the first position before an index whose cell failed and would succeed now.

        None if there is no such cell. The timeline stays as it is.
        """
        positions = (self.positions[key] for key in self.retryable)
        for position in sorted(position for position in positions if position < index):
            entry = self.entries[position]
            with self.runtime.hold_log(), self.view(position):
                retried = self.evaluate(entry.cell, entry)
                self.abandon()
            if retried.evaluation.error is None:
                return position
        return None

    def count_common(self, cells: Sequence[Cell]) -> int:
        """Return how many cells at the beginning are those of the entries, with the same text."""
        count = 0
        for entry, cell in zip(self.entries, cells, strict=False):
            if not entry.cell.is_same_input(cell):
                break
            count += 1
        return count


def open_timeline(cache: str | None, arguments: Arguments) -> Timeline:
    """Return a timeline without cells, after the manifests of the environment have run.

    Their log lines are not shown: nobody receives them yet.

    Args:
        cache: the folder of the user's cache; None for none.
        arguments: the keyword arguments of the session.
    """
    settings = make_settings(arguments)
    timeline = Timeline(Runtime(settings), open_cache(settings, cache))
    if settings.directory is not None or settings.classification is not None:
        with make_supervisor(settings.limits):
            try:
                with timeline.running() as supervisor:
                    supervisor.run(timeline.evaluate_environment)
            except (Exception, KeyboardInterrupt) as problem:
                timeline.abandon()
                timeline.beginning = Evaluation(error=timeline.make_stop_error(problem))
    return timeline


def _load_diagnostics() -> ModuleType:
    from evaluator.session import diagnostics  # only users read them

    return diagnostics


def find_differing(before: Iterable[Entry], now: Iterable[Entry]) -> list[Entry]:
    """Return the entries that look different from the former entries of the same cells."""
    from evaluator.session.comparison import differ  # most cells are the last one

    former = index_by_key(before)
    return [
        entry
        for entry in now
        if (old := former.get(entry.cell.key)) is not None
        and old.evaluation is not entry.evaluation
        and differ(old.evaluation, entry.evaluation)
    ]
