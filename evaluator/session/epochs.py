"""The epochs of a session: its cells, evaluated under each configuration.

An input that sets arguments of the session (`%facts`, `%node`) begins an epoch: what is below runs under other
settings. A user's program is that of the last epoch, in which all cells run; cells of an earlier epoch are displayed as
they are there.

The cells below an edit are evaluated again at once, unless they are postponed (`Epochs.postponed`) for one of three
reasons:

* More inputs that the front end sent together are to run (`RunningInput.sent`). The last of them evaluates the cells.
* Another input arrived while they were evaluated (`is_superseded`). That input evaluates the rest.
* The user wants it so (`is_lazy`): the cells are stale until a user refreshes or runs them.

In the first two cases `catch_up` evaluates the cells when the input ends, in the third `evaluate_stale`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluator.session.arguments import Arguments
from evaluator.session.cell import Cell, Entry, Outcome, index_by_key
from evaluator.session.document import Document
from evaluator.session.edits import Changes, ReplayStep
from evaluator.session.supervisor import Supervisor
from evaluator.session.timeline import Branch, Timeline, find_differing
from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.catalog.fixpoint_result import PendingSubject
    from evaluator.program.log import Log


LONG_REPLAY = 0.1  # seconds; a longer replay reports each step


class Epoch(Record):
    """The inputs below one that sets arguments, up to and including the next such input.

    Attributes:
        start: the key of the input that begins the epoch; None for the first one.
        arguments: all arguments that are in force in the epoch.
        timeline: the cells up to the end of the epoch, under these arguments; None until it is first needed.
        is_up_to_date: the timeline contains the code that is in force.
    """

    start: str | None
    arguments: Arguments
    timeline: Timeline | None = None
    is_up_to_date: bool = False


class ReplacedEntries(NamedTuple):
    """Entries of a timeline that gave way to others.

    Attributes:
        branch: the former entries.
        reexecuted: the entries that replaced them.
    """

    branch: Branch
    reexecuted: Sequence[Entry]


class Epochs:
    """All epochs of a document, in order.

    Args:
        arguments: the keyword arguments of the session.
        open_timeline: makes an empty timeline under given arguments.

    Attributes:
        all: the epochs.
        current: the timeline that the user sees.
        postponed: the former entries of postponed cells, by key. They are not in the last timeline until they are
            evaluated again.
        on_log: receives each log line as it is written; None if nobody does.
        on_replay: receives the steps of a long replay and returns True to continue; None to report none.
        is_superseded: the last replay ended early because another input arrived.
        is_lazy: an edit makes the cells below stale instead of evaluating them again.
    """

    def __init__(
        self, document: Document, arguments: Arguments, open_timeline: Callable[[Arguments], Timeline]
    ) -> None:
        self.document = document
        self._open_timeline = open_timeline
        self.all = [Epoch(None, dict(arguments), open_timeline(arguments), is_up_to_date=True)]
        self.current: Timeline = self.last
        self.postponed: dict[str, Entry] = {}
        self.on_log: Callable[[Log], None] | None = None
        self.on_replay: Callable[[ReplayStep], bool] | None = None
        self.is_lazy = self.is_superseded = False
        self._view: ExitStack | None = None

    @property
    def last(self) -> Timeline:
        """The timeline of the last epoch, in which all cells run."""
        timeline = self.all[-1].timeline
        assert timeline is not None
        return timeline

    @property
    def arguments(self) -> Arguments:
        """The arguments under which the current timeline runs."""
        return next(epoch.arguments for epoch in reversed(self.all) if epoch.timeline is self.current)

    def list_timelines(self) -> list[Timeline]:
        """Return all timelines that exist."""
        return [epoch.timeline for epoch in self.all if epoch.timeline is not None]

    def prepare_cell(self, cell: Cell) -> tuple[Epoch, Timeline, int, Sequence[Entry]]:
        """Update the number of a cell that is to run, and evaluate what is missing above it.

        Returns:
            Where the cell runs: the epoch, its timeline, the position in it; and the entries above whose display has
            changed.

        Raises:
            PuppetError: see `prepare`.
        """
        index = self.document.renumber(cell.key, cell.number)
        for timeline in self.list_timelines():
            timeline.renumber(cell.key, cell.number)
        epoch = self.find_code_epoch(index)
        moved = self.prepare(epoch, cell.key)
        timeline = self.open(epoch)
        return epoch, timeline, self.document.find_position_in(timeline.positions, index), moved

    def set_argument(self, name: str, value: Any) -> None:  # of any type that `Session` takes
        """Set an argument in all epochs, where that needs no new evaluation."""
        for epoch in self.all:
            epoch.arguments = {**epoch.arguments, name: value}

    def find_entry_before(self, key: str | None) -> Entry | None:
        """Return the last entry above an input; the last one of all, if there is no such input.

        While its evaluation is the same object, everything above the input is as it was.
        """
        index = self.document.find_position(key or "")
        if index is None:
            return self.current.entries[-1] if self.current.entries else None
        timeline = self.find_command_epoch(index).timeline
        if timeline is None:
            return None
        position = self.document.find_position_in(timeline.positions, index)
        return timeline.entries[position - 1] if position else None

    # --- pending references

    def find_pending(self) -> dict[str | None, set[PendingSubject]]:
        """Return what is pending at the end of each epoch."""
        return {
            epoch.start: _find_pending_after(epoch.timeline.entries)
            for epoch in self.all
            if epoch.timeline is not None
        }

    def find_hidden_pending(self, key: str, outcome: Outcome) -> list[str]:
        """Return the pending references that a cell does not display; see `Session`."""
        index = self.document.find_position(key)
        if index is None:  # the input has withdrawn its own code and thereby reset the session
            return []
        timeline = self.find_code_epoch(index).timeline
        assert timeline is not None
        above = _find_pending_after(
            timeline.entries[: self.document.find_position_in(timeline.positions, index)]
        )
        now = _find_pending_after(timeline.entries)
        return [
            str(reference)
            for reference in outcome.pending
            if reference.subject in above or reference.subject not in now
        ]

    def redraw_pending(self, changes: Changes, former: dict[str | None, set[PendingSubject]]) -> Changes:
        """Return changes with the cells whose notes on pending references differ now.

        Args:
            former: the pending references at the end of each epoch before the changes.
        """
        updated = list(changes.updated)
        done = {entry.cell.key for entry in (changes.entry, *updated) if entry is not None}
        for epoch in self.all:
            if epoch.timeline is None:
                continue
            now = _find_pending_after(epoch.timeline.entries)
            differing = now.symmetric_difference(former.get(epoch.start, now))
            if differing:
                updated += [
                    entry
                    for entry, added in _iterate_added_pending(epoch.timeline.entries)
                    if not differing.isdisjoint(added)
                    and entry.cell.key not in done
                    and self.is_displayed(entry, epoch)
                ]
        return changes._replace(updated=tuple(updated))

    # --- the epochs of inputs and entries

    def find_displayed_entry(self, key: str | None) -> Entry | None:
        """Return the entry of a cell in the epoch in which it is displayed."""
        index = self.document.find_position(key or "")
        timeline = None if index is None else self.find_code_epoch(index).timeline
        return None if timeline is None else timeline.find(key)

    def make_epochs(self, former: Sequence[Epoch]) -> list[Epoch]:
        """Return the epochs of the document. One whose arguments are the same keeps its timeline."""
        epochs = [Epoch(None, former[0].arguments)]
        for each in self.document:
            if each.arguments is not None:
                epochs.append(Epoch(each.key, {**epochs[-1].arguments, **each.arguments}))
        former_by_start = {epoch.start: epoch for epoch in former}
        for epoch in epochs:
            earlier = former_by_start.get(epoch.start)
            if earlier is not None and earlier.arguments == epoch.arguments:
                epoch.timeline = earlier.timeline
        return epochs

    def find_code_epoch(self, index: int) -> Epoch:
        """Return the epoch in which code at a position runs, which its own input may begin."""
        return self._find_last_begun(index + 1)

    def find_command_epoch(self, index: int) -> Epoch:
        """Return the epoch that a command at a position sees.

        A command that begins an epoch sees the previous one, until it has set its arguments in the present run.
        """
        running = self.document.running
        has_begun_own = running.is_configured and self.document.find_position(running.former.key) == index
        return self._find_last_begun(index + 1 if has_begun_own else index)

    def _find_last_begun(self, index: int) -> Epoch:
        """Return the last epoch that begins before a position."""
        begun = (
            epoch
            for epoch in reversed(self.all)
            if epoch.start is not None and self.document.get_position(epoch.start) < index
        )
        return next(begun, self.all[0])

    def is_displayed(self, entry: Entry, epoch: Epoch) -> bool:
        """Return True if a cell is displayed as it is in an epoch."""
        return len(self.all) == 1 or self.find_code_epoch(self.document.get_position(entry.cell.key)) is epoch

    def find_displayed(self) -> list[Entry]:
        """Return the entries of all cells, each as it is displayed."""
        return [
            entry
            for epoch in self.all
            if epoch.timeline is not None
            for entry in epoch.timeline.entries
            if self.is_displayed(entry, epoch)
        ]

    def mark_changed(self) -> None:
        """Note that the document changed: each timeline is compared with it before it is used."""
        for epoch in self.all:
            epoch.is_up_to_date = False

    def follow_order(self) -> None:
        """Put the epochs into the order of the document, which changed."""
        if len(self.all) > 1:
            self.all = self.make_epochs(self.all)
            self.current = self.open(self.all[-1])
        self.mark_changed()

    # --- timelines, and what brings them up to date

    def open(self, epoch: Epoch) -> Timeline:
        """Return the timeline of an epoch; a new one has no cells yet."""
        if epoch.timeline is None:
            epoch.timeline = self._make_timeline(epoch.arguments)
        return epoch.timeline

    def _make_timeline(self, arguments: Arguments) -> Timeline:
        """Return an empty timeline; its log lines are shown from now on."""
        timeline = self._open_timeline(arguments)
        timeline.runtime.on_log = self.on_log
        return timeline

    def reopen(self, epoch: Epoch) -> Timeline:
        """Replace the timeline of an epoch by an empty one, which the user sees; return it."""
        epoch.timeline = self.current = self._make_timeline(epoch.arguments)
        return epoch.timeline

    def prepare(self, epoch: Epoch, key: str) -> list[Entry]:
        """Bring the timeline of an epoch up to date, for an input that is to run.

        An earlier epoch has all its cells then, the last one those above the input.

        Returns:
            The entries above the input whose display has changed.

        Raises:
            PuppetError: the program was stopped, or the environment's manifests fail.
        """
        timeline = self.open(epoch)
        if timeline.beginning is not None and timeline.beginning.error is not None:
            timeline = self.reopen(epoch)  # the manifests may be correct by now
            epoch.is_up_to_date = False
            timeline.raise_beginning_error()
            timeline.show_logs(() if timeline.beginning is None else timeline.beginning.logs)
        if epoch.is_up_to_date:
            return []
        if epoch is self.all[-1]:
            return self._evaluate_above(key)
        self.bring_up_to_date(epoch)
        return []

    def _evaluate_above(self, key: str) -> list[Entry]:
        """Evaluate the cells above an input in the last timeline, if they are not up to date.

        Returns:
            The entries whose display has changed.
        """
        above, entries = self.document.list_cells(0, self.document.get_position(key)), self.last.entries
        if self.last.count_common(above) == len(above):
            # What follows may be in a former order of the document: the input would be assigned a wrong position.
            if len(entries) > len(above) and entries[len(above)].cell.key != key:
                self.postponed |= index_by_key(self.last.detach(len(above)).entries)
            return []
        current = index_by_key(entries)
        former = self.postponed | current
        reexecuted = self.replay_to(self.last, above).reexecuted
        self.postponed = former  # those below the input are still to be evaluated again
        if self.is_lazy:  # the note that marks stale entries must disappear
            return [entry for entry in reexecuted if entry.cell.key not in current]
        return find_differing(former.values(), reexecuted)

    def bring_up_to_date(self, epoch: Epoch, own: Entry | None = None) -> ReplacedEntries:
        """Evaluate what the timeline of an epoch lacks. Raises PuppetError if it is stopped.

        Args:
            own: the entry of the cell that ran; see `replay`.
        """
        later = self.all[self.all.index(epoch) + 1 :]
        end = self.document.get_position(later[0].start or "") if later else None
        cells = self.document.list_cells(0, end)
        replaced = self.replay_to(self.open(epoch), cells, own)
        epoch.is_up_to_date = not self.is_superseded
        if epoch is self.all[-1] and epoch.is_up_to_date:
            self.postponed = {}
        return replaced

    def replay_to(
        self,
        timeline: Timeline,
        cells: Sequence[Cell],
        own: Entry | None = None,
        preferred: Sequence[Entry] = (),
    ) -> ReplacedEntries:
        """Evaluate cells in place of entries of a timeline, from the first that differs on.

        Args:
            cells: all cells that the timeline is to contain, in order.
            own: the entry of the cell that ran; see `replay`.
            preferred: entries of an earlier point, whose effects are replayed rather than those of the last entries.

        Raises:
            PuppetError: it was stopped; the timeline is as before.
        """
        branch = timeline.detach(timeline.count_common(cells))
        last, preferred_by_key = self.postponed | index_by_key(branch.entries), index_by_key(preferred)
        pairs = [
            (
                cell,
                _if_same_input(preferred_by_key.get(cell.key), cell)
                or _if_same_input(last.get(cell.key), cell),
            )
            for cell in cells[branch.start :]
        ]
        reexecuted: list[Entry] = []
        try:
            if pairs:
                with timeline.running() as supervisor:
                    reexecuted = self.replay(timeline, pairs, own, supervisor)
        except BaseException as problem:
            timeline.restore(branch)
            raise timeline.make_stop_error(problem) from None
        return ReplacedEntries(branch, reexecuted)

    def replay(
        self,
        timeline: Timeline,
        cells: Sequence[tuple[Cell, Entry | None]],
        own: Entry | None,
        supervisor: Supervisor,
    ) -> list[Entry]:
        """Evaluate cells again, and report the steps to `on_replay` if that takes long.

        If another input arrives meanwhile, `on_replay` ends it: the rest is postponed until that input has run.

        Args:
            cells: each with the entry of its earlier evaluation.
            own: the entry of the cell that ran, which the first report contains; None to report nothing.
        """
        report = self.on_replay
        seconds = sum(earlier.seconds for _, earlier in cells if earlier is not None)
        if report is None or own is None or seconds < LONG_REPLAY or timeline is not self.last:
            return supervisor.run(lambda: timeline.replay(cells))
        send, total, start = supervisor.shield(report), len(cells), len(timeline.entries)

        def report_entry(now: Entry, former: Entry | None) -> bool:
            is_updated = former is not None and find_differing([former], [now])
            number = len(timeline.entries) - start
            return send(ReplayStep(own, number, total, now if is_updated else None))

        def replay_and_report() -> list[Entry]:
            send(ReplayStep(own, 0, total))
            return timeline.replay(cells, report_entry)

        reexecuted = supervisor.run(replay_and_report)
        self.is_superseded = len(reexecuted) < total
        if self.is_superseded:
            rest = cells[len(reexecuted) :]
            self.postponed |= {cell.key: earlier for cell, earlier in rest if earlier is not None}
            self.all[-1].is_up_to_date = False
        return reexecuted

    def evaluate_document(self, branch: Branch | None) -> tuple[Changes, Branch]:
        """Evaluate the code in force in all epochs. Raises PuppetError if it is stopped.

        Args:
            branch: entries of the last epoch that may be those of the code in force: then they are attached without an
                evaluation. Otherwise their effects are replayed. None if there are none.

        Returns:
            The changes, and the entries of the last epoch that were replaced.
        """
        epoch, cells = self.all[-1], self.document.list_cells()
        if branch is not None and self.last.can_attach(branch, cells):
            former = self.last.detach(branch.start)
            self.last.reattach(branch.with_numbers_of(cells))
            replaced = ReplacedEntries(former, self.last.entries[branch.start :])
        else:
            replaced = self.replay_to(self.last, cells, preferred=() if branch is None else branch.entries)
        try:
            changes = self.refresh(epoch, replaced)
        except BaseException:
            self.last.restore(replaced.branch)
            raise
        return changes, replaced.branch

    def refresh(self, epoch: Epoch, replaced: ReplacedEntries) -> Changes:
        """Bring the other epochs up to date after entries of one were replaced, or postpone it.

        Args:
            epoch: the epoch that is up to date.
            replaced: its entries that were replaced.

        Returns:
            The changes in each epoch to the cells that are displayed as they are there.
        """
        updated, reexecuted = [], []
        is_postponed = bool(self.document.running.sent) or self.is_lazy
        for each in self.all:
            if each is not epoch and (each.timeline is None or is_postponed):
                each.is_up_to_date = False
                continue
            change = replaced if each is epoch else self.bring_up_to_date(each)
            if change.reexecuted:
                displayed = [entry for entry in change.reexecuted if self.is_displayed(entry, each)]
                updated += find_differing(change.branch.entries, displayed)
                reexecuted += displayed
        return Changes(updated=tuple(updated), reexecuted=tuple(reexecuted))

    # --- cells that were sent together, and stale cells

    def postpone(self, below: Sequence[Entry], *, failed: bool) -> None:
        """Postpone the cells below the running one.

        Args:
            below: their entries.
            failed: True if the running cell failed. If all cells of the notebook were sent, none below is in force
                then: the result is that of a new session in which they have not run.
        """
        self.postponed |= index_by_key(below)
        self.all[-1].is_up_to_date = False
        if failed and self.document.running.sent_all:
            for key in self.document.running.sent[1:]:
                # A reset above the cell has removed it until it runs.
                if self.document.find_position(key) is not None:
                    self.document.set(self.document[key]._replace(cell=None, withdrawn=None))

    def catch_up(self, changes: Changes) -> Changes:
        """Evaluate what was postponed, and return all changes.

        Nothing is evaluated while more cells that were sent together are to run.

        Args:
            changes: the changes so far.
        """
        if self.is_lazy or self.is_superseded or len(self.document.running.sent) > 1:
            return changes
        for epoch in self.all:
            if epoch.timeline is None or epoch.is_up_to_date:
                continue
            postponed = self.postponed if epoch is self.all[-1] else {}  # the next call replaces it
            replaced = self.bring_up_to_date(epoch, changes.entry)
            former = index_by_key(replaced.branch.entries) | postponed
            displayed = [entry for entry in replaced.reexecuted if self.is_displayed(entry, epoch)]
            updated = find_differing(former.values(), displayed)
            changes = changes._replace(
                updated=(*changes.updated, *updated), reexecuted=(*changes.reexecuted, *displayed)
            )
        return changes

    def evaluate_stale(self) -> Changes:
        """Evaluate all stale cells again."""
        if not self.is_lazy or len(self.document.running.sent) > 1:
            return Changes()
        stale = {entry.cell.key for entry in self.find_stale()}
        entries = tuple(self.bring_up_to_date(self.all[-1]).reexecuted)
        return Changes(updated=tuple(each for each in entries if each.cell.key in stale), reexecuted=entries)

    def list_cells(self, key: str) -> list[tuple[Entry, str]]:
        """Return the cells above an input, each with its state; see `Session.list_cells`."""
        listed: list[tuple[Entry, str]] = []
        frozen = self.document.frozen
        stale = index_by_key(self.find_stale())
        for one in self.document:
            if one.key == key:
                break
            entry = self.find_displayed_entry(one.key)
            if one.key in stale:
                listed.append((stale[one.key], "stale"))
            elif entry is not None:
                waiting = "deleted" if one.is_deleted else "waiting" if one.key in frozen.waiting else ""
                listed.append((entry, waiting or ("frozen" if one.key in frozen.keys else "")))
            elif one.failed is not None and not one.is_deleted:
                listed.append((one.failed, "failed"))
        return listed

    def find_stale(self) -> list[Entry]:
        """Return the entries of stale cells, in order: cells above have changed since."""
        return [
            self.postponed[one.key]
            for one in self.document
            if one.cell is not None and one.key in self.postponed and self.last.find(one.key) is None
        ]

    @contextmanager
    def view(self, key: str) -> Iterator[list[Entry]]:
        """Show the program as it is above an input, for the duration of a `with` statement.

        Yields:
            The entries above the input whose display has changed.
        """
        with ExitStack() as stack:
            updated = self.prepare(self.find_command_epoch(self.document.get_position(key)), key)
            self._view_above(stack, key)
            self._view = stack
            try:
                yield updated
            finally:
                self._view, self.current = None, self.last

    def _view_above(self, stack: ExitStack, key: str) -> None:
        """Show the program as it is above an input until the stack is closed."""
        index = self.document.get_position(key)
        timeline = self.current = self.open(self.find_command_epoch(index))
        stack.enter_context(timeline.view(self.document.find_position_in(timeline.positions, index)))

    @contextmanager
    def outside_view(self, key: str | None) -> Iterator[None]:
        """Leave the view of the running command for an edit, and enter it again afterwards."""
        stack = self._view
        if stack is None or key is None:
            yield
            return
        stack.close()
        self.current = self.last
        try:
            yield
        finally:
            self._view_above(stack, key)


def _find_pending_after(entries: Sequence[Entry]) -> set[PendingSubject]:
    """Return what is pending after entries; a failed cell contributes nothing."""
    pending = (entry.evaluation.pending for entry in reversed(entries) if entry.evaluation.error is None)
    return {reference.subject for reference in next(pending, ())}


def _iterate_added_pending(entries: Sequence[Entry]) -> Iterator[tuple[Entry, set[PendingSubject]]]:
    """Yield the entries that did not fail, each with what is newly pending after it."""
    before: set[PendingSubject] = set()
    for entry in entries:
        if entry.evaluation.error is None:
            now = {reference.subject for reference in entry.evaluation.pending}
            yield entry, now - before
            before = now


def _if_same_input(entry: Entry | None, cell: Cell) -> Entry | None:
    """Return an earlier entry of an input if the input still has the same text, else None."""
    return entry if entry is not None and entry.cell.is_same_input(cell) else None
