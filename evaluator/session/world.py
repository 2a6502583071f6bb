"""What the cells so far have made: the state, and the catalog that is settled from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evaluator import catalog
from evaluator.catalog import CatalogDifference, FixedPoint, PendingReference
from evaluator.catalog.fixpoint_result import LogLines
from evaluator.program.effects import EffectLog, recording
from evaluator.program.log import Log
from evaluator.program.state import State, StateDelta
from evaluator.running.runtime import Runtime
from evaluator.session import hands
from evaluator.session.explaining import explained
from lexer_parser.errors import PuppetError


class Moment:
    """A moment to which a world can go back: the lengths of what it has made.

    settlement  what was settled then; None when it is not kept, and then it is found again while it has only grown
    """

    __slots__ = ("key", "logs", "pending", "reads", "settled", "settlement", "state")

    def __init__(self, state: State, settlement: FixedPoint) -> None:
        self.state = settlement.savepoint = state.savepoint()
        self.settlement: FixedPoint | None = settlement
        self.key = settlement.key
        self.settled = settlement.state.savepoint()
        self.reads = settlement.read_set.savepoint()
        self.pending = settlement.pending
        self.logs = settlement.logs


class World:
    """The state that the next cell starts from, and what is settled of it."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        catalog.enter_initial_state(runtime)
        self.state: State = runtime.state
        self._settlement: FixedPoint | None = None
        self._answers = EffectLog()  # to what was asked late
        self._difference: CatalogDifference | None = None  # that which was found last, until it is compared

    def enter(self) -> None:
        """What runs next runs in the state."""
        self.runtime.enter(self.state)

    # --- moments

    def moment(self) -> Moment:
        """Now. Raises what settling raises."""
        return Moment(self.state, self.settled())

    def cut(self, moment: Moment) -> StateDelta:
        """Goes back; gives what was added since. It can be done again when it was stopped half-way."""
        tail = self.state.rollback(moment.state)
        self._go_back(moment)
        return tail

    def drop(self, moment: Moment) -> None:
        """Goes back, as `rollback`, where nobody puts back what was added since."""
        hands.free(self.state.discard(moment.state))
        self._go_back(moment)

    def _go_back(self, moment: Moment) -> None:
        """What is settled is what was settled at a moment, where that is known, and the state is the one in use."""
        self._compare()
        if moment.settlement is not None:
            self._settlement = moment.settlement
        settlement = self._settlement
        if settlement is not None and settlement.key is moment.key:
            hands.free(settlement.state.discard(moment.settled))
            settlement.read_set.rollback(moment.reads)
            settlement.savepoint, settlement.pending, settlement.logs = (
                moment.state,
                moment.pending,
                moment.logs,
            )
        else:
            self._settlement = None
        self.enter()

    def put_back(self, tail: StateDelta) -> None:
        """Adds again what `rollback` took off at this moment."""
        self._compare()
        self.state.reapply(tail)
        self.enter()
        if (
            self._settlement is not None
        ):  # it goes on in one step, no more cell by cell as the moments know it
            self._settlement.key = object()

    @contextmanager
    def aside(self, moment: Moment) -> Iterator[None]:
        """While it lasts, it is as it was at a moment; then as it is now, which has been settled."""
        self._compare()
        settlement = self._settlement
        assert settlement is not None
        source, pending, logs = settlement.savepoint, settlement.pending, settlement.logs
        goes_on = settlement is moment.settlement or settlement.key is moment.key
        grown = settlement.state.rollback(moment.settled) if goes_on else None
        read = settlement.read_set.rollback(moment.reads) if goes_on else None
        tail = self.cut(moment)
        try:
            yield
        finally:
            self.drop(moment)
            self.state.reapply(tail)
            self._settlement = settlement
            if grown is not None and read is not None:
                settlement.state.discard(
                    moment.settled
                )  # what was asked meanwhile may have been settled, too
                settlement.state.reapply(grown)
                settlement.read_set.rollback(moment.reads)
                settlement.read_set.reapply(read)
                settlement.savepoint, settlement.pending, settlement.logs = source, pending, logs
            self.enter()

    # --- settling

    def settled(self) -> FixedPoint:
        """What is settled of the state, as it is now; nothing is shown. Raises what settling raises."""
        settlement = self._settlement
        missing = settlement.find_additions(self.state) if settlement is not None else None
        if settlement is not None and missing == set():
            return settlement
        self._compare()
        self._settlement = None  # should it be stopped half-way
        with _late(self.runtime) as late:
            if settlement is None or not missing or not self._grow(settlement, late):
                settlement = self._settle_anew()
                settlement.logs = _lines(late)
        settlement.clear_replaced()
        self._settlement = settlement
        self.enter()
        return settlement

    def settle(self, answers: EffectLog) -> CatalogDifference:
        """Settles what the running cell has added; gives what that changed.

        answers  what the cell asked the outside, see `outside`
        What is evaluated late is evaluated anew then, and only log lines that were not written before are shown.
        Before the cell everything was settled. Raises what settling raises; the world is to be cut then.
        """
        runtime, before = self.runtime, self._settlement
        assert before is not None
        missing = before.find_additions(self.state)
        known = before.state.catalog
        if missing == set():
            return CatalogDifference()
        self._compare()
        if missing:
            resources = len(known.resources)
            with _late(runtime) as late:
                grown = self._grow(before, late)
            if grown:
                self.enter()
                self._show(late)
                grew = catalog.compare_growth(known, resources, before.replaced)
                before.clear_replaced()
                self._difference = grew
                return grew
        late = []
        try:
            with _late(runtime, late):
                made = self._settle_anew(answers)
        finally:
            self._show_new(late, before.logs)
        made.logs = _lines(late)
        self._settlement = made
        self.enter()
        found = catalog.compare_catalogs(known, made.state.catalog)
        made.clear_replaced()
        self._difference = found
        return found

    def _compare(self) -> None:
        """What the last cell changed is found out before something changes again, should nobody have asked yet."""
        if self._difference is not None:
            self._difference.compare_links()
            self._difference = None

    def _grow(self, settlement: FixedPoint, late: list[Log]) -> bool:
        """Goes on with what was settled; false when it is to be settled anew. The log lines are in `late` then."""
        if catalog.extend_fixed_point(settlement, self.runtime, self.state, self._explain):
            settlement.logs += _lines(late)
            return True
        late.clear()
        return False

    def _explain(self, problem: BaseException) -> PuppetError:
        return explained(problem, self.runtime)

    def _settle_anew(self, asked: EffectLog | None = None) -> FixedPoint:
        """Settles all of the state; what is asked late was asked by a cell as well, where one runs."""
        answers = EffectLog(self._answers)
        try:
            with recording(answers):
                made = FixedPoint.make_initial(self.runtime, self.state) or catalog.compute_fixed_point(
                    self.runtime, self.state, self._explain
                )
        finally:
            if asked is not None:
                asked.has_effects |= answers.has_effects
        self._answers = answers
        return made

    def weight(self, moment: Moment) -> int:
        """How many resources were evaluated and settled since a moment, of which what was settled is kept."""
        before = moment.settlement
        assert before is not None
        declared = self.state.count_added(moment.state, "catalog.resources")
        settled = before.state.count_added(moment.settled, "catalog.resources")
        again = len(before.state.catalog.resources) if before.find_additions(self.state) is None else 0
        return max(declared, settled) + again

    @property
    def pending(self) -> Sequence[PendingReference]:
        """What was not there yet when the state was settled last."""
        return self._settlement.pending if self._settlement is not None else ()

    def _show_new(self, late: list[Log], before: LogLines) -> None:
        """Shows what was not written before by the same resource, nor by another that comes in its place now."""
        written, texts = Counter(before), Counter(line[1:] for line in before)
        others = []
        for line, known in zip(late, _lines(late), strict=True):
            if written[known]:
                written[known] -= 1
                texts[known[1:]] -= 1
            else:
                others.append(line)
        for line in others:
            text = line.level, line.message
            if texts[text]:
                texts[text] -= 1
            else:
                self._show([line])

    def _show(self, lines: list[Log]) -> None:
        for line in lines:
            self.runtime.logs.append(line)
            if self.runtime.on_log is not None:
                self.runtime.on_log(line)


@contextmanager
def _late(runtime: Runtime, late: list[Log] | None = None) -> Iterator[list[Log]]:
    """While it lasts, log lines are collected, in a list that is given or in a new one."""
    late = [] if late is None else late
    logs, receiver = runtime.logs, runtime.on_log
    try:
        runtime.logs, runtime.on_log = late, None
        yield late
    finally:
        runtime.logs, runtime.on_log, runtime.writer = logs, receiver, None


def _lines(logs: list[Log]) -> LogLines:
    return tuple((line.writer, line.level, line.message) for line in logs)
