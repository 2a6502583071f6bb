"""The state of a program that grows: what the next cell starts from, and its fixed point.

A state is a set of append-only logs, so a savepoint is their lengths, and going back to it costs what was added since.
What Puppet defers (bodies of defines, node definitions, collectors, overrides, relationships) is computed to a fixed
point on a second state, from which the catalog is shown; the next cell starts from the first. After a cell, the fixed
point is extended by what the cell added to the first state, or computed again from the start if that is not possible.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from evaluator import catalog, limits
from evaluator.catalog import CatalogDifference, FixedPoint, PendingReference
from evaluator.catalog.fixpoint_result import CURRENT, EXTENDABLE, OUTDATED, LogLines
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.program.effects import EffectLog
from evaluator.program.log import Log
from evaluator.program.state import State, StateDelta
from evaluator.program.tracing import to_error
from evaluator.running.runtime import Runtime
from evaluator.session import stack_threads
from lexer_parser.errors import PuppetError
from lexer_parser.memo import MemoTable

if TYPE_CHECKING:
    from evaluator.catalog.bodies import EvaluatedBodies

_MOST_PARSED = 100  # cells whose syntax trees stay in memory
# The superseded fixed points that stay in memory, and the resources that they contain together.
_MOST_SUPERSEDED = 4
_MOST_SUPERSEDED_RESOURCES = 50_000


class Savepoint:
    """A point to which a program can be rolled back: the lengths of its logs.

    Attributes:
        state: the lengths of the logs of the state.
        fixed_point: the fixed point at the savepoint, until the cell after it is complete. Afterwards it is recomputed
            if it is needed and the program has not only grown since then.
        key: the key of that fixed point: one that still has it was only extended since, and can be rolled back.
        generated: the lengths of the logs of the state in which deferred code has run.
        reads: the lengths of the logs of its read set; None if no reads are recorded.
        pending, logs: those of the fixed point.
    """

    __slots__ = ("fixed_point", "generated", "key", "logs", "pending", "reads", "state")

    def __init__(self, state: State, fixed_point: FixedPoint) -> None:
        self.state = fixed_point.savepoint = state.savepoint()
        self.fixed_point: FixedPoint | None = fixed_point
        self.key = fixed_point.key
        self.generated = fixed_point.generated.savepoint()
        self.reads = None if fixed_point.read_set is None else fixed_point.read_set.savepoint()
        self.pending = fixed_point.pending
        self.logs = fixed_point.logs


class _Superseded(NamedTuple):
    """A superseded fixed point, and the number of cells between the previous one and this."""

    fixed_point: FixedPoint
    cells: int


class SupersededFixedPoints:
    """Former fixed points of a program, which later cells replaced by recomputed ones.

    A fixed point can be rolled back to the savepoints of the cells that extended it. So when a cell above is edited,
    the fixed point before that cell is often here and need not be computed.
    """

    def __init__(self) -> None:
        self._stored: list[_Superseded] = []  # in the order of the cells
        self._last = 0  # the number of cells at the last addition

    def add(self, superseded: FixedPoint, cells: int) -> None:
        """Store a fixed point that was superseded; of too many, drop the one for the fewest cells.

        Args:
            cells: The number of cells that were evaluated so far.
        """
        if superseded.is_separate:
            superseded.finalized = None  # recomputing it takes less time than its memory is worth
        self._stored.append(_Superseded(superseded, cells - self._last))
        self._last = cells
        while len(self._stored) > _MOST_SUPERSEDED or (
            sum(len(stored.fixed_point.generated.catalog.resources) for stored in self._stored)
            > _MOST_SUPERSEDED_RESOURCES
        ):
            self._stored.remove(min(self._stored, key=lambda stored: stored.cells))

    def take(self, savepoint: Savepoint) -> FixedPoint | None:
        """Return the fixed point for a savepoint, or None, and drop it and the later ones."""
        while self._stored:
            stored = self._stored.pop().fixed_point
            if stored.key is savepoint.key:
                return stored
        return None


class ProgramState:
    """The state that the next cell starts from, and its fixed point.

    Attributes:
        parsed: the syntax trees of cells, with their code, for the next evaluation of the same text.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        catalog.enter_initial_state(runtime)
        self.state: State = runtime.state
        self._fixed_point: FixedPoint | None = None
        self._superseded = SupersededFixedPoints()
        self._settings = runtime.settings  # while dialects are compared, the runtime has others
        self._bodies: EvaluatedBodies | None = None  # made when the first body runs whose reads are recorded
        self._effects = EffectLog()  # the side effects of deferred code
        self._finalizes_copies = False  # True once a fixed point could be extended only by finalizing a copy
        self.parsed: MemoTable[Hashable, CompiledSource] = MemoTable("parsed cells", _MOST_PARSED)
        self._advances = 0  # the number of cells that were evaluated
        # The last difference, until its relationships are compared.
        self._difference: CatalogDifference | None = None

    def enter(self) -> None:
        """Make this the state in which code runs."""
        self.runtime.enter(self.state)

    # --- savepoints

    def savepoint(self) -> Savepoint:
        """Return the current point. Raises what computing the fixed point raises."""
        return Savepoint(self.state, self.fixed_point())

    def detach(self, savepoint: Savepoint) -> StateDelta:
        """Roll back and return what was added since, for `reattach`. May be repeated if it was stopped half-way."""
        delta = self.state.rollback(savepoint.state)
        self._roll_back_fixed_point(savepoint)
        return delta

    def roll_back(self, savepoint: Savepoint) -> None:
        """Roll back and discard what was added since."""
        stack_threads.defer_freeing(self.state.discard(savepoint.state))
        self._roll_back_fixed_point(savepoint)

    def _roll_back_fixed_point(self, savepoint: Savepoint) -> None:
        """Roll back a fixed point that was only extended since a savepoint, else drop it."""
        self._compare_links()
        if self._fixed_point is None or self._fixed_point.key is not savepoint.key:
            # It was recomputed since. Also if the savepoint still has the former one, that is no longer superseded.
            self._fixed_point = self._superseded.take(savepoint)
        if savepoint.fixed_point is not None:
            self._fixed_point = savepoint.fixed_point
        fixed_point = self._fixed_point
        if fixed_point is not None and fixed_point.key is savepoint.key:
            if fixed_point.is_separate and fixed_point.savepoint is not savepoint.state:
                fixed_point.finalized = None  # the copy contains later cells
            stack_threads.defer_freeing(fixed_point.generated.discard(savepoint.generated))
            if fixed_point.read_set is not None and savepoint.reads is not None:
                fixed_point.read_set.rollback(savepoint.reads)
            fixed_point.savepoint, fixed_point.pending = savepoint.state, savepoint.pending
            fixed_point.logs = savepoint.logs
        else:
            self._fixed_point = None
        self.enter()

    def reattach(self, delta: StateDelta) -> None:
        """Add again what `detach` removed at this point."""
        self._compare_links()
        self.state.reapply(delta)
        self.enter()
        if self._fixed_point is not None:
            # The fixed point continues in one step, no longer cell by cell as the savepoints record it.
            self._fixed_point.key = object()

    @contextmanager
    def rolled_back(self, savepoint: Savepoint) -> Iterator[None]:
        """Return to a savepoint for the duration of a `with` statement.

        The fixed point must be computed before.
        """
        self._compare_links()
        fixed_point = self._fixed_point
        assert fixed_point is not None
        # The superseded fixed points stay unchanged.
        superseded, self._superseded = self._superseded, SupersededFixedPoints()
        with _restore_afterwards(fixed_point, savepoint):
            delta = self.detach(savepoint)
            try:
                yield
            finally:
                self.roll_back(savepoint)
                self.state.reapply(delta)
                self._fixed_point, self._superseded = fixed_point, superseded
                self.enter()

    # --- the fixed point

    def fixed_point(self) -> FixedPoint:
        """Return the fixed point of the state, without showing log lines.

        Raises what deferred code raises.
        """
        current = self._fixed_point
        freshness = OUTDATED if current is None else current.find_freshness(self.state)
        if current is not None and freshness == CURRENT:
            if current.finalized is None:
                catalog.finalize_again(current, self.runtime, self._explain)
                self.enter()
            return current
        self._compare_links()
        self._fixed_point = None  # in case the computation is stopped half-way
        with self.runtime.hold_log() as logs, limits.lift_lowered():
            if current is None or freshness == OUTDATED or not self._extend(current, logs):
                current = self._compute_fixed_point(current)
                current.logs = _to_lines(logs)
        current.replaced = {}
        self._fixed_point = current
        self.enter()
        return current

    def recompute_fixed_point(self) -> None:
        """Evaluate deferred code again, for another dialect; the caller rolls back. Raises what the code raises."""
        with self.runtime.hold_log():
            self._fixed_point = self._compute_fixed_point(self._fixed_point)

    def advance_fixed_point(self, effects: EffectLog) -> CatalogDifference:
        """Advance the fixed point by what a cell added, and return the change to the catalog.

        Deferred code is evaluated again unless it is unaffected; only log lines that were not written before are
        shown. The fixed point before the cell must be known. Raises what deferred code raises; the caller rolls back.

        Args:
            effects: the log to which the requests of deferred code are added.
        """
        runtime, before = self.runtime, self._fixed_point
        assert before is not None
        freshness = before.find_freshness(self.state)
        self._advances += 1
        if freshness == CURRENT:
            return CatalogDifference()
        former_catalog = before.state.catalog
        self._compare_links()
        if freshness == EXTENDABLE:
            former_count = len(former_catalog.resources)
            with runtime.hold_log() as logs:
                is_extended = self._extend(before, logs, effects)
            if is_extended:
                self.enter()
                for line in logs:
                    runtime.write(line)
                if before.state.catalog is former_catalog:  # it has grown in place
                    growth = catalog.compare_growth(former_catalog, former_count, before.replaced)
                else:  # the extension was finalized on another copy
                    growth = catalog.compare_catalogs(former_catalog, before.state.catalog)
                return self._defer_comparison(before, growth)
        try:
            with runtime.hold_log() as logs:
                computed = self._compute_fixed_point(before, effects)
        finally:
            self._show_new(logs, before.logs)
        computed.logs = _to_lines(logs)
        self._superseded.add(before, self._advances)
        self._fixed_point = computed
        self.enter()
        difference = catalog.compare_catalogs(former_catalog, computed.state.catalog)
        return self._defer_comparison(computed, difference)

    def _defer_comparison(self, current: FixedPoint, difference: CatalogDifference) -> CatalogDifference:
        """Return a difference whose relationships are compared when they are needed.

        At the latest `_compare_links` compares them.

        Args:
            current: The fixed point after the change.
            difference: Its difference to the former one.
        """
        current.replaced = {}
        self._difference = difference
        return difference

    def _compare_links(self) -> None:
        """Compare the relationships of the last difference before the catalogs change again."""
        if self._difference is not None:
            self._difference.compare_links()
            self._difference = None

    def _extend(
        self, fixed_point: FixedPoint, logs: list[Log], cell_effects: EffectLog | None = None
    ) -> bool:
        """Extend a fixed point by what was added since; return False if that fails.

        Then it has to be computed from the start: only the extension itself finds some reasons against it.

        Args:
            logs: The log lines that the extension writes; they are removed if it fails.
            cell_effects: The log of the running cell, which has effects if the deferred code has some.
        """
        effects = EffectLog(self._effects)
        with effects:
            is_extended = catalog.extend_fixed_point(fixed_point, self.runtime, self.state, self._explain)
        if not is_extended:
            logs.clear()
            return False
        fixed_point.logs += _to_lines(logs)
        self._effects.extend(effects)
        if cell_effects is not None:
            cell_effects.has_effects |= effects.has_effects
        return True

    def _explain(self, problem: BaseException) -> PuppetError:
        return explain_error(problem, self.runtime)

    def _compute_fixed_point(
        self, before: FixedPoint | None, cell_effects: EffectLog | None = None
    ) -> FixedPoint:
        """Compute the fixed point from the start.

        What deferred code reads is recorded from the second cell on: most programs that are no notebooks have one cell.

        Args:
            before: The former fixed point; None if there is none.
            cell_effects: The log of the running cell, which has effects if the deferred code has some.
        """
        effects = EffectLog(self._effects)
        if self._bodies is None and self.state.catalog.pending:
            self._bodies = catalog.EvaluatedBodies(self._settings)
        records_reads = self.runtime.settings.interactive or self._advances > 1
        self._finalizes_copies |= before is not None and before.is_blocked_by_finalization
        try:
            with effects:
                computed = FixedPoint.make_initial(self.state) or catalog.compute_fixed_point(
                    self.runtime,
                    self.state,
                    self._explain,
                    bodies=self._bodies if records_reads else None,
                    is_separate=self._finalizes_copies,
                )
        finally:
            if cell_effects is not None:
                cell_effects.has_effects |= effects.has_effects
        self._effects.extend(effects)
        return computed

    def count_resources(self, savepoint: Savepoint) -> int:
        """Return how many resources were evaluated since a savepoint, deferred ones included."""
        before = savepoint.fixed_point
        assert before is not None
        declared = self.state.count_added(savepoint.state, "catalog.resources")
        deferred = before.generated.count_added(savepoint.generated, "catalog.resources")
        is_recomputed = before.find_freshness(self.state) == OUTDATED
        return max(declared, deferred) + (len(before.generated.catalog.resources) if is_recomputed else 0)

    @property
    def pending(self) -> Sequence[PendingReference]:
        """References to what no cell has declared yet, as of the last fixed point."""
        return self._fixed_point.pending if self._fixed_point is not None else ()

    def _show_new(self, logs: list[Log], before: LogLines) -> None:
        """Show the log lines of a recomputation that the user has not seen.

        A line counts as seen if the same resource wrote it before, or if another resource wrote the same text and no
        longer does.

        Args:
            logs: The log lines of the recomputation.
            before: The lines of the former fixed point.
        """
        written, texts = Counter(before), Counter(line[1:] for line in before)
        others = []
        for line, comparable in zip(logs, _to_lines(logs), strict=True):
            if written[comparable]:
                written[comparable] -= 1
                texts[comparable[1:]] -= 1
            else:
                others.append(line)
        for line in others:
            text = line.level, line.message
            if texts[text]:
                texts[text] -= 1
            else:
                self.runtime.write(line)


@contextmanager
def _restore_afterwards(fixed_point: FixedPoint, savepoint: Savepoint) -> Iterator[None]:
    """Restore a fixed point after a `with` statement in which it is rolled back.

    Queries there may extend it in another direction.
    """
    if fixed_point is not savepoint.fixed_point and fixed_point.key is not savepoint.key:
        yield  # it was recomputed since the savepoint, so it is not used there
        return
    source, pending, logs = fixed_point.savepoint, fixed_point.pending, fixed_point.logs
    finalized, read_set, reads = fixed_point.finalized, fixed_point.read_set, None
    # A copy stays as it is, except that queries may extend it; `generated` itself is rolled back.
    finalized_savepoint = finalized.savepoint() if finalized is not None and fixed_point.is_separate else None
    generated = fixed_point.generated.rollback(savepoint.generated)
    if read_set is not None and savepoint.reads is not None:
        reads = read_set.rollback(savepoint.reads)
    try:
        yield
    finally:
        fixed_point.generated.discard(savepoint.generated)
        fixed_point.generated.reapply(generated)
        if read_set is not None and savepoint.reads is not None and reads is not None:
            read_set.rollback(savepoint.reads)
            read_set.reapply(reads)
        fixed_point.savepoint, fixed_point.pending, fixed_point.logs = source, pending, logs
        if finalized is not None and finalized_savepoint is not None:
            finalized.discard(finalized_savepoint)
        fixed_point.finalized = finalized


def _to_lines(logs: list[Log]) -> LogLines:
    """Return log lines without their places, for comparison with those of another evaluation."""
    return tuple((line.writer, line.level, line.message) for line in logs)


def explain_error(exception: BaseException, runtime: Runtime) -> PuppetError:
    """Return the PuppetError, with help, for any exception raised while Puppet code ran.

    A defect in the help, or a system without memory for it, must not hide the error itself, so it is raised only if
    PUPPET_KERNEL_DEBUG is set.

    Args:
        exception: The exception.
        runtime: The program; unknown names are compared with its names for suggestions.
    """
    problem, places, callers = to_error(exception)
    try:
        from evaluator.help import add_help  # most programs have no error

        return add_help(problem, places, callers, runtime)
    except Exception:
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        return problem
