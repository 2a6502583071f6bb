"""The history of a session: how an edit of its document takes effect and is undone.

edit ─→ History.apply ─→ the document changes ─→ cells below are evaluated again ─→ Changes(entry, updated)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from evaluator.session.arguments import Arguments
from evaluator.session.cell import Cell, Entry, Evaluation, Name
from evaluator.session.document import REDO, UNDO, Document, Input
from evaluator.session.edits import (
    Changes,
    CodeChange,
    Configure,
    Edit,
    Forget,
    Refresh,
    Reset,
    Run,
    Snapshot,
    Step,
    Thaw,
    UndoStack,
    Version,
    describe_later,
    describe_order,
    describe_waiting,
    mark_stale,
)
from evaluator.session.epochs import Epoch, Epochs, ReplacedEntries
from evaluator.session.supervisor import Supervisor
from evaluator.session.timeline import Branch, Timeline, find_differing
from lexer_parser.errors import Note, PuppetError


class History:
    """The inputs of a session with their evaluations, and the edits that can be undone.

    Invariant: after each edit the entries of an epoch are the fold of the code in force, in the order of the document.
    Only while cells that were sent together run, the last epoch ends behind the cell that ran last.

    Args:
        arguments: the keyword arguments of the session.
        open_timeline: makes an empty timeline under given arguments.
    """

    def __init__(self, arguments: Arguments, open_timeline: Callable[[Arguments], Timeline]) -> None:
        self.document = Document()
        self.epochs = Epochs(self.document, arguments, open_timeline)
        self._undo = UndoStack()
        self._replaced: Branch | None = None  # the entries of the last epoch that the running input replaced

    # --- inputs

    def begin_input(self, key: str, sent: Sequence[str] = (), *, is_command: bool = False) -> None:
        """Begin an input, be it code or a command: it keeps its position, a new one is the last.

        Args:
            sent: the keys of all inputs that the front end sent together with this one, in the order of the document.
            is_command: the input is a command. A command that never succeeded runs again as the last input, unless it
                was sent together with others or all inputs run again in order.
        """
        self.epochs.is_superseded = False
        is_reordered, withdrawn = self.document.begin(key, sent, is_command)
        if is_reordered:
            self.epochs.follow_order()
        if withdrawn:
            self.epochs.mark_changed()

    def finish_input(self, key: str, failed: bool) -> Changes:
        """End an input: if it no longer sets arguments, its epoch ends."""
        self.document.frozen.finish_input(key)
        if self.document.find_position(key) is None:
            return Changes()
        changes, finished = Changes(), self.document[key]
        if not failed and not finished.has_succeeded:
            self.document.set(finished._replace(has_succeeded=True))
        # A command that fails leaves the former configuration in force, as a cell that fails leaves its former code.
        stays = failed and not self.document.running.sent
        if finished.arguments is not None and not self.document.running.is_configured and not stays:
            changes = self.apply(Configure(key, None))
        return self.epochs.catch_up(changes)

    # --- snapshots

    def snapshot(self) -> Snapshot:
        """Return what `restore` needs to return to this point."""
        return Snapshot(
            self.document.mark(),
            self._undo.copy(),
            tuple(self.epochs.all),
            self.epochs.last,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot that was taken before the running input."""
        is_reset = snapshot.last is not self.epochs.last or snapshot.epochs != tuple(self.epochs.all)
        self.document.restore(snapshot.document)
        self._undo = snapshot.undo.copy()
        if is_reset:
            self.epochs.all = list(snapshot.epochs)
            self.epochs.mark_changed()
            self.epochs.all[-1].timeline = self.epochs.current = snapshot.last
        cells, last = self.document.list_cells(), self.epochs.last
        contains_other_cells = last.count_common(cells) < max(len(cells), len(last.entries))
        if contains_other_cells:
            self._evaluate_document(self._replaced)

    # --- edits

    def apply(self, edit: Edit) -> Changes:
        """Apply an edit as a transaction: if it is stopped, nothing changes.

        Raises PuppetError for what stops it, be it an interrupt or a limit; for `Configure` also what opening a
        timeline raises. A cell that fails is no exception: its entry holds the error.
        """
        pending = self.epochs.find_pending()
        return self.epochs.redraw_pending(self._apply(edit), pending)

    def _apply(self, edit: Edit) -> Changes:
        match edit:
            case Run():
                return self._run(edit)
            case Step():
                return self._step(edit)
            case Forget():
                return self._forget(edit)
            case Configure():
                return self._configure(edit)
            case Reset():
                return self._reset(edit)
            case Thaw():
                self.document.frozen.thaw(edit.keys)
                return self._apply_waiting(None)
            case Refresh():
                return self.epochs.evaluate_stale()

    def _run(self, edit: Run) -> Changes:
        """Run a cell in the first of these ways that applies.

        1. Below it is a frozen cell: its result is displayed, but the program keeps the former text.
        2. It needs a name that a later cell defines: it runs in another order of the cells.
        3. Its result would be the same: it is not evaluated again.
        4. It runs in its place.
        """
        cell, key, frozen = edit.cell, edit.cell.key, self.document.frozen
        epoch, timeline, position, preparation = self._prepare_run(cell)
        former_entry = timeline.find(key)
        below = timeline.entries[position if former_entry is None else position + 1 :]
        blocker = frozen.find_blocker(below, self.document.running.sent) if below else None
        if blocker is not None and not timeline.is_repeatable(cell, edit.watcher):
            return self._run_above_frozen(edit, timeline, position, blocker, preparation)
        frozen.waiting.pop(key, None)
        if key in frozen.keys:
            # This cell runs again, so the edits that waited for it take effect first.
            applied = self._apply_waiting(key)
            others = [entry for entry in applied.updated if entry.cell.key != key]
            preparation = preparation._replace(updated=(*preparation.updated, *others))
            former_entry = timeline.find(key)
            position = self.document.find_position_in(timeline.positions, self.document.get_position(key))
        if former_entry is not None or not self.document.running.is_newest:  # a new last cell has none below
            reordered = self._run_reordered(edit, timeline, position)
            if reordered is not None:
                return reordered
        if former_entry is not None and timeline.is_repeatable(cell, edit.watcher):
            self.document.set(self.document[key]._replace(cell=former_entry.cell))
            timeline.show_logs(former_entry.evaluation.logs)
            return self.epochs.catch_up(preparation._replace(entry=former_entry, is_repeated=True))
        return self._run_in_place(edit, epoch, timeline, position, preparation)

    def _prepare_run(self, cell: Cell) -> tuple[Epoch, Timeline, int, Changes]:
        """Evaluate what is needed above a cell that is to run.

        Returns:
            The epoch in which the cell runs, its timeline, the position in it, and the changes to other cells so far.
        """
        key = cell.key
        if self.document.running.former.key != key or self.document.find_position(key) is None:
            self.begin_input(key)  # the front end did not begin this input before
        reconfigured: Sequence[Entry] = ()
        if self.document[key].arguments is not None and not self.document.running.is_configured:
            reconfigured = self._configure(Configure(key, None)).updated  # it sets arguments no longer
        epoch, timeline, position, moved = self.epochs.prepare_cell(cell)
        recovered = self._recover(timeline, position)
        updated = (*reconfigured, *moved, *recovered.updated)
        return epoch, timeline, position, recovered._replace(updated=updated)

    def _run_above_frozen(
        self,
        edit: Run,
        timeline: Timeline,
        position: int,
        blocker: Entry,
        preparation: Changes,
    ) -> Changes:
        """Run a cell above a frozen one to show its result, without changing the program.

        Args:
            position: the position of the cell in the timeline.
            blocker: the frozen cell.
            preparation: the changes that were made before the cell could run.
        """
        cell, former_entry = edit.cell, timeline.find(edit.cell.key)
        branch = timeline.detach(position)
        entry: Entry | None = None
        try:
            if cell.source:
                with timeline.running() as supervisor:
                    entry = self._evaluate(timeline, edit, supervisor)
        except BaseException as problem:
            entry = Entry(cell, Evaluation(error=timeline.make_stop_error(problem)), None)
        finally:
            timeline.restore(branch)
        if entry is not None and entry.evaluation.error is not None:
            return self._refuse(entry, former_entry, preparation, ())
        self.document.frozen.waiting[cell.key] = cell
        return preparation._replace(entry=entry, note=describe_waiting(blocker))

    def _apply_waiting(self, key: str | None) -> Changes:
        """Let edits that waited take effect: all that nothing blocks.

        Args:
            key: the frozen cell that runs again; None if none does.
        """
        waiting = self.document.frozen.waiting
        ready = self.document.frozen.find_ready(self.epochs.last.entries, self.document.order, key)
        if not ready:
            return Changes()
        inputs = [
            self.document.with_code(name, waiting[name] if waiting[name].source else None) for name in ready
        ]
        with self.document.replacing(inputs) as former:
            changes, branch = self._evaluate_document(None)
        for name in ready:
            del waiting[name]
        code = tuple(
            CodeChange(before.key, before.cell, after.cell)
            for before, after in zip(former, inputs, strict=True)
        )
        self._undo.record(Version(code, branch=branch))
        return changes

    def _run_in_place(
        self, edit: Run, epoch: Epoch, timeline: Timeline, position: int, preparation: Changes
    ) -> Changes:
        """Run a cell in its position as a transaction.

        The cells below are evaluated again, or postponed.

        Args:
            epoch: the epoch in which the cell runs.
            timeline: the timeline of the epoch.
            position: the position of the cell in the timeline.
            preparation: the changes that were made before the cell could run.
        """
        cell, key = edit.cell, edit.cell.key
        former, former_entry = self.document[key], timeline.find(key)
        branch = timeline.detach(position)
        below = branch.entries if former_entry is None else branch.entries[1:]
        entry: Entry | None = None
        reexecuted: Sequence[Entry] = ()
        makes_stale = self.epochs.is_lazy and epoch is self.epochs.all[-1]
        # An epoch that is not up to date lacks cells below, which are evaluated together with these.
        is_postponed = bool(self.document.running.sent) or makes_stale or not epoch.is_up_to_date
        try:
            with timeline.running() as supervisor:
                if cell.source:
                    entry = self._evaluate(timeline, edit, supervisor)
                    if entry.evaluation.error is None:
                        timeline.append(entry)
                    elif not self.document.running.sent:  # of cells that run together, the new text counts
                        timeline.restore(branch)
                        refused = self._refuse(entry, former_entry, preparation, below)
                        return self.epochs.catch_up(refused)
                if below and not is_postponed:
                    pairs = [(each.cell, each) for each in below]
                    reexecuted = self.epochs.replay(timeline, pairs, entry, supervisor)
            failure = None if entry is None or entry.evaluation.error is None else _reduce_to_error(entry)
            in_force = cell if cell.source and failure is None else None
            # The document first: it decides what is postponed, and what the timelines of other epochs are to contain.
            self.document.set(former._replace(cell=in_force, withdrawn=None, failed=failure))
            if is_postponed:
                self.epochs.postpone(below, failed=failure is not None)
            changes = self.epochs.refresh(epoch, ReplacedEntries(branch, reexecuted))
            if makes_stale:
                changes = changes._replace(updated=(*changes.updated, *map(mark_stale, below)))
        except BaseException as problem:
            self.document.set(former)
            timeline.restore(branch)
            stopped = timeline.make_stop_error(problem)
            logs = entry.evaluation.logs if entry is not None else ()
            failed = Entry(cell, Evaluation(error=stopped, logs=logs), None)
            return self._refuse(failed, former_entry, preparation, ())
        replaced = branch if epoch is self.epochs.all[-1] else None  # others cannot be attached again
        if replaced is not None:
            self._replaced = replaced
        if former.cell is not None or in_force is not None:
            self._undo.record(Version((CodeChange(key, former.cell, in_force),), branch=replaced))
        counted = self._select_counted(changes.reexecuted, key, counts_steps=former_entry is None)
        changes = changes._replace(
            entry=entry,
            updated=(*preparation.updated, *changes.updated),
            reexecuted=(*preparation.reexecuted, *counted),
        )
        return self.epochs.catch_up(changes)

    def _select_counted(self, reexecuted: Sequence[Entry], key: str, *, counts_steps: bool) -> list[Entry]:
        """Return the entries that the summary of a run counts; see `Document.find_summary_end`."""
        others = [entry for entry in reexecuted if entry.cell.key != key]
        if not others:
            return []
        end = self.document.find_summary_end(key, counts_steps=counts_steps)
        return [entry for entry in others if self.document.get_position(entry.cell.key) < end]

    def _evaluate(self, timeline: Timeline, edit: Run, supervisor: Supervisor) -> Entry:
        """Evaluate the cell that runs, with its diagnostics."""
        timeline.runtime.used_permission = False
        if not timeline.runtime.settings.interactive:
            return supervisor.run(partial(timeline.evaluate, edit.cell, watcher=edit.watcher))
        from evaluator.session.diagnostics import diagnose, find_quick_hints  # only users read them

        def work() -> tuple[Entry, list[Note | str] | None]:
            entry = timeline.evaluate(edit.cell, watcher=edit.watcher)
            return entry, find_quick_hints(timeline.state, entry)

        entry, hints = supervisor.run(work)
        return diagnose(timeline.state, entry, supervisor.run, hints)

    def _refuse(
        self, entry: Entry, former_entry: Entry | None, preparation: Changes, below: Sequence[Entry]
    ) -> Changes:
        """Return the changes of a run that failed: the former text stays in force.

        Args:
            entry: the cell with its error, to which notes are added.
            former_entry: the entry with the former text; None if there is none.
            preparation: the changes that were made before the cell ran.
            below: the entries that may define what the cell lacks.
        """
        error = entry.evaluation.error
        assert error is not None
        former = self.document[entry.cell.key]
        if former.cell is None:
            self.document.set(former._replace(failed=_reduce_to_error(entry)))
        if below and not self.document.running.is_in_order:
            definers = self._find_later_definers(entry.cell, below)
            error.notes = (*error.notes, *(describe_later(definer, name) for name, definer in definers))
        if former_entry is not None:
            error.notes = (*error.notes, Note("the former version of this cell stays in force"))
        return preparation._replace(entry=entry)

    def _recover(self, timeline: Timeline, position: int) -> Changes:
        """Evaluate cells again from the first one above that failed and would succeed now.

        Such a cell failed because of its surroundings, for example since a file was missing.
        """
        if not timeline.retryable or self.document.running.sent or self.epochs.is_lazy:
            return Changes()
        branch: Branch | None = None
        try:
            with timeline.running() as supervisor:
                start = supervisor.run(lambda: timeline.find_recovered(position))
                if start is None:
                    return Changes()
                branch = timeline.detach(start)
                cells = [(entry.cell, entry) for entry in branch.entries]
                reexecuted = supervisor.run(lambda: timeline.replay(cells))
        except BaseException as problem:
            timeline.abandon()
            if branch is not None:
                timeline.restore(branch)
            raise timeline.make_stop_error(problem) from None
        if timeline is self.epochs.last:
            self._undo.record(Version((), branch=branch))
        updated = tuple(find_differing(branch.entries, reexecuted))
        return Changes(updated=updated, reexecuted=tuple(reexecuted))

    # --- order

    def _run_reordered(self, edit: Run, timeline: Timeline, position: int) -> Changes | None:
        """Run a cell that needs a name of a later cell, in an order in which it works.

        The two smallest changes of the order are tried: the cell that defines the name moves up, or this one moves
        down. None if no name is missing, or if another cell would fail.
        """
        if (
            self.document.running.is_in_order
            or self.epochs.is_lazy
            or timeline is not self.epochs.last
            or position >= len(timeline.entries)
        ):
            return None
        for name, definer in self._find_later_definers(edit.cell, timeline.entries[position:]):
            for keys in self.document.iterate_orders_with_first(definer.cell.key, edit.cell.key):
                changes = self._try_order(edit, keys)
                if changes is not None:
                    return changes._replace(note=describe_order(definer, name, edit.cell))
        return None

    def _find_later_definers(self, cell: Cell, later: Sequence[Entry]) -> list[tuple[Name, Entry]]:
        from evaluator.session.names import find_later_definers  # most cells are the last one

        return find_later_definers(cell, self.epochs.last, later)

    def _try_order(self, edit: Run, keys: tuple[str, ...]) -> Changes | None:
        """Run a cell in another order of the document; None, and no change, if a cell fails."""
        cell, key, timeline = edit.cell, edit.cell.key, self.epochs.last
        former, order = self.document[key], self.document.order
        try:
            with self.document.replacing([former._replace(cell=cell, withdrawn=None)], keys):
                changes, branch = self._evaluate_order(key)
        except PuppetError:
            return None
        self._undo.record(Version((CodeChange(key, former.cell, cell),), order, keys, branch))
        entry = timeline.find(key)
        assert entry is not None
        timeline.show_logs(entry.evaluation.logs)
        others = tuple(each for each in changes.reexecuted if each.cell.key != key)
        updated = tuple(each for each in changes.updated if each.cell.key != key)
        return changes._replace(entry=entry, updated=updated, reexecuted=others)

    def _evaluate_order(self, key: str) -> tuple[Changes, Branch]:
        """Evaluate the document, whose order has changed for a cell.

        Returns:
            The changes, and the entries of the last epoch that were replaced.

        Raises:
            PuppetError: that cell fails, another cell fails that did not fail before, or the evaluation was stopped.
                The timeline is as before.
        """
        timeline = self.epochs.last
        failed = {entry.cell.key for entry in timeline.entries if entry.evaluation.error is not None}
        replaced = self.epochs.replay_to(timeline, self.document.list_cells())
        try:
            for entry in timeline.entries:
                if entry.evaluation.error is not None and entry.cell.key not in failed - {key}:
                    raise entry.evaluation.error
            return self.epochs.refresh(self.epochs.all[-1], replaced), replaced.branch
        except BaseException:
            timeline.restore(replaced.branch)
            raise

    # --- steps

    def _evaluate_document(self, branch: Branch | None) -> tuple[Changes, Branch]:
        """Evaluate the code in force; see `Epochs.evaluate_document`."""
        changes, self._replaced = self.epochs.evaluate_document(branch)
        return changes, self._replaced

    def _step(self, edit: Step) -> Changes:
        key, step = edit.key, edit.step
        if key is None or self.document.running.is_newest:
            changes = self._take_step(step)
            while changes.cell is not None and changes.cell.key == key:
                # Undoing the command's own code does not count as a step.
                changes = self._take_step(step)
        else:
            changes = self._take_step_in_document(step, key)
        if key is not None:
            command = self.document[key]
            self.document.set(command._replace(steps=(*command.steps, step)))
        return changes

    def _take_step(self, step: str) -> Changes:
        """Take back the last edit, or make the one again that was taken back last."""
        version = self._undo.find_next(step)
        if version is None:
            return Changes()
        inputs = [
            self.document.with_code(key, before if step == UNDO else after)
            for key, before, after in version.changes
        ]
        order: list[str] | None = None
        recorded_order = version.order_before if step == UNDO else version.order_after
        if recorded_order is not None:
            recorded = dict.fromkeys(recorded_order)
            present = self.document.order  # inputs may have been removed or added since then
            added = [key for key in present if key not in recorded]
            order = [*(key for key in recorded if key in present), *added]
        with self.document.replacing(inputs, order):
            changes, branch = self._evaluate_document(version.branch)
        self._undo.move(step, branch)
        first = branch.entries[0].cell if branch.entries else None
        return changes._replace(cell=version.subject or first)

    def _take_step_in_document(self, step: str, key: str) -> Changes:
        """Take the step of an input in the notebook: it is about the inputs above, in order."""
        target = self.document.find_step_target(step, self.document.get_position(key))
        if target is None:
            return Changes()
        former = self.document[target]
        cell = former.cell or former.withdrawn
        is_in_force = former.cell is not None
        if is_in_force == (step == REDO):
            return Changes(cell=cell)
        branches = self._undo.branches()
        with self.document.replacing([self.document.with_code(target, None if step == UNDO else cell)]):
            changes, branches[target] = self._evaluate_document(branches.get(target))
        self._undo.straighten(self.document, branches)
        return changes._replace(cell=cell)

    # --- other edits

    def _forget(self, edit: Forget) -> Changes:
        """Remove inputs that were deleted from the notebook, and withdraw their code."""
        updated: list[Entry] = []
        for key in edit.keys:
            if self.document.find_position(key) is not None and self.document[key].arguments is not None:
                updated += self._configure(Configure(key, None)).updated
        removable = self._find_removable(edit.keys)
        withdrawn = tuple(
            CodeChange(each.key, each.cell, None) for each in removable if each.cell is not None
        )
        for each in removable:
            if each.cell is None:
                self.document.remove(each.key)  # a deleted command that is run again counts as new
        if not withdrawn:
            return Changes(updated=tuple(updated))
        with self.document.replacing([Input(change.key, is_deleted=True) for change in withdrawn]):
            changes, branch = self._evaluate_document(None)
        self._undo.record(Version(withdrawn, branch=branch))
        return changes._replace(updated=(*updated, *changes.updated))

    def _find_removable(self, keys: Collection[str]) -> list[Input]:
        """Return the inputs that can be removed now.

        The removal of a cell above a frozen one is recorded: it waits.
        """
        removable, entries = [], self.epochs.last.entries
        for key in keys:
            position = self.epochs.last.positions.get(key)
            below = () if position is None else entries[position + 1 :]
            if self.document.frozen.find_blocker(below, keys) is not None:
                self.document.frozen.waiting[key] = entries[position or 0].cell._replace(source="")
                self.document.set(self.document[key]._replace(is_deleted=True))
            elif self.document.find_position(key) is not None:
                removable.append(self.document[key])
        return removable

    def _reset(self, edit: Reset) -> Changes:
        """Let the program begin again: with nothing, or with the input that resets it."""
        with self.epochs.outside_view(edit.key):
            if edit.key is None:
                self.document.clear()
                self.epochs.all = [Epoch(None, self.epochs.all[-1].arguments)]
            else:
                self.document.reset(edit.key)
                for epoch in self.epochs.all:
                    epoch.timeline, epoch.is_up_to_date = None, False
            last = self.epochs.all[-1]
            self.epochs.reopen(last)
            last.is_up_to_date = True
            self._undo.clear()
            self.epochs.postponed.clear()
        return Changes()

    def _configure(self, edit: Configure) -> Changes:
        """Set arguments of the session from an input on, or end that.

        What runs with other arguments now is evaluated again.
        """
        with self.epochs.outside_view(edit.key):
            former, former_epochs = self.document[edit.key], self.epochs.all
            displayed = self.epochs.find_displayed()
            arguments = edit.arguments
            if arguments is not None and former.arguments is not None and self.document.running.is_configured:
                arguments = {**former.arguments, **arguments}
            self.document.set(former._replace(arguments=arguments))
            try:
                self.epochs.all = self.epochs.make_epochs(former_epochs)
                epoch = self.epochs.find_code_epoch(self.document.get_position(edit.key))
                timeline = self.epochs.open(epoch)
                timeline.raise_beginning_error()
                self.epochs.bring_up_to_date(epoch)
                self.epochs.open(self.epochs.all[-1])
                self.epochs.bring_up_to_date(self.epochs.all[-1])
            except BaseException:
                self.epochs.all = former_epochs
                self.document.set(former)
                raise
            self.document.running = self.document.running._replace(is_configured=edit.arguments is not None)
            self.epochs.current = self.epochs.last
            updated = find_differing(displayed, self.epochs.find_displayed())
        return Changes(updated=tuple(updated), reexecuted=tuple(timeline.entries))


def _reduce_to_error(entry: Entry) -> Entry:
    """Return the entry of a failed cell with nothing but its error, to be listed."""
    return Entry(entry.cell, Evaluation(error=entry.evaluation.error), None, seconds=entry.seconds)
