"""The edits of a history: the requests of front ends, their effect, and what undo needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaluator.session.arguments import Arguments
from evaluator.session.cell import Cell, Entry, Evaluation, Name, Outcome
from evaluator.session.document import UNDO, Document, DocumentMark
from evaluator.session.timeline import Branch, Timeline
from lexer_parser.errors import Note
from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.debugger.engine import Watcher
    from evaluator.session.epochs import Epoch

MAX_UNDO = 1000  # steps that can be undone
# Steps that store the entries that they restore. Older steps evaluate their cells again.
MAX_BRANCHES = 50
STALE = "stale: cells above have changed since; run this cell to see its result now"


class Run(Record):
    """An edit: code runs as the cell of an input. Empty code withdraws the cell."""

    cell: Cell
    watcher: Watcher | None = None


class Step(Record):
    """An edit: a user takes the last edit back, or makes it again.

    Attributes:
        step: UNDO or REDO.
        key: the input that takes the step; None if the front end takes it.
    """

    step: str
    key: str | None = None


class Forget(Record):
    """An edit: cells were deleted from the document."""

    keys: frozenset[str]


class Configure(Record):
    """An edit: an input sets arguments of the session; None if it no longer does."""

    key: str
    arguments: Arguments | None


class Reset(Record):
    """An edit: the program begins again, with an input or without."""

    key: str | None = None


class Thaw(Record):
    """An edit: frozen cells, or all, are thawed, and edits that waited take effect."""

    keys: frozenset[str] | None = None


class Refresh(Record):
    """An edit: all stale cells are evaluated again."""


Edit = Run | Step | Forget | Configure | Reset | Thaw | Refresh


class Changes(NamedTuple):
    """The effect of an edit.

    Attributes:
        entry: The entry of the cell that ran; None for other edits, and for a cell that was withdrawn.
        cell: The cell that a step removed or restored.
        updated: The entries of other cells whose display has changed.
        reexecuted: All other entries that were evaluated again, in order, also those that did not change.
        is_repeated: The cell is unchanged, and its former evaluation is used.
        note: A message for the user about the order of the cells.
    """

    entry: Entry | None = None
    cell: Cell | None = None
    updated: tuple[Entry, ...] = ()
    reexecuted: tuple[Entry, ...] = ()
    is_repeated: bool = False
    note: str | None = None

    def to_outcome(self, seconds: float) -> Outcome:
        """Return the changes as a user of the cell that ran sees them.

        Args:
            seconds: The time that the edit took.
        """
        evaluation, remarks = Evaluation(), list[Note | str]()
        if self.entry is not None:
            evaluation, remarks = self.entry.evaluation, list(self.entry.remarks)
            seconds = self.entry.seconds if self.is_repeated else seconds
        if self.note is not None:
            remarks.append(self.note)
        reexecuted = {entry.cell.key for entry in self.reexecuted}
        different = [entry for entry in self.updated if entry.cell.key in reexecuted]
        if different:
            remarks.append(_summarize(len(reexecuted), different))
        return Outcome(evaluation, remarks, self.updated, seconds)


def _summarize(count: int, different: Sequence[Entry]) -> str:
    """Return the summary line: `7 cells evaluated again, 2 differ: [4], [9]`."""
    cells = f"{count} {'cell' if count == 1 else 'cells'} evaluated again"
    verb = "differs" if len(different) == 1 else "differ"
    return f"{cells}, {len(different)} {verb}: {', '.join(entry.label for entry in different)}"


class ReplayStep(Record):
    """A step of a replay, which evaluates the cells below one that ran, in order.

    Attributes:
        own: The entry of the cell that ran.
        number: The number of cells evaluated again so far.
        total: The number of cells to evaluate again.
        updated: The entry of the last one, if its display has changed.
    """

    own: Entry
    number: int
    total: int
    updated: Entry | None = None


class CodeChange(NamedTuple):
    """The code of an input before and after an edit; None for an input without code."""

    key: str
    before: Cell | None
    after: Cell | None


class Version(NamedTuple):
    """An edit that can be undone.

    Attributes:
        changes: The inputs whose code the edit changed.
        order_before, order_after: The order of the keys, if the edit changed it.
        branch: The entries of the last epoch that the edit replaced, which can be reattached without an evaluation.
    """

    changes: tuple[CodeChange, ...]
    order_before: tuple[str, ...] | None = None
    order_after: tuple[str, ...] | None = None
    branch: Branch | None = None

    @property
    def subject(self) -> Cell | None:
        """The cell that the edit was about."""
        return next((after or before for _, before, after in self.changes if after or before), None)


class UndoStack:
    """The edits that can be taken back, and those that can be made again."""

    def __init__(self, past: Iterable[Version] = (), future: Iterable[Version] = ()) -> None:
        self._past = deque(past, maxlen=MAX_UNDO)
        self._future = list(future)

    def copy(self) -> UndoStack:
        """Return a copy."""
        return UndoStack(self._past, self._future)

    def record(self, version: Version) -> None:
        """Record an edit.

        Of the entries that an old edit replaced, it keeps only the replies of other programs.
        """
        self._past.append(version)
        self._future.clear()
        if len(self._past) > MAX_BRANCHES:
            old = self._past[-MAX_BRANCHES - 1]
            if old.branch is not None:
                replies = old.branch.reduce_to_replies([change.key for change in old.changes])
                self._past[-MAX_BRANCHES - 1] = old._replace(branch=replies)

    def clear(self) -> None:
        """Forget all edits."""
        self._past.clear()
        self._future.clear()

    def find_next(self, step: str) -> Version | None:
        """Return the edit that UNDO would take back or REDO make again; None if there is none."""
        source = self._past if step == UNDO else self._future
        return source[-1] if source else None

    def move(self, step: str, branch: Branch) -> None:
        """Note that a step was taken, with the entries that it replaced."""
        source, target = (self._past, self._future) if step == UNDO else (self._future, self._past)
        target.append(source.pop()._replace(branch=branch))

    def branches(self) -> dict[str, Branch | None]:
        """Return the branch of each edit that can be undone or redone, by its first key."""
        return {
            version.changes[0].key: version.branch
            for version in (*self._past, *self._future)
            if version.changes
        }

    def straighten(self, document: Document, branches: Mapping[str, Branch | None]) -> None:
        """Replace the edits by those of a user who ran each cell once, from top to bottom.

        Args:
            document: The cells. Withdrawn ones are those that the user has undone.
            branches: The branches to reattach, by the key of the cell.
        """
        done = [each.cell for each in document if each.cell is not None]
        undone = [each.withdrawn for each in document if each.withdrawn is not None]
        self.clear()
        for versions, cells in ((self._past, done), (self._future, reversed(undone))):
            versions.extend(
                Version((CodeChange(cell.key, None, cell),), branch=branches.get(cell.key)) for cell in cells
            )


class Snapshot(Record):
    """The point to which an interrupted input returns.

    Attributes:
        document: The inputs.
        undo: The steps.
        epochs: All epochs.
        last: The timeline of the last epoch.
    """

    document: DocumentMark
    undo: UndoStack
    epochs: tuple[Epoch, ...]
    last: Timeline


def describe_order(definer: Entry, name: Name, cell: Cell) -> str:
    """Return the note that a cell now runs after the one that defines a name which it needs."""
    kind, word = name
    does = f"sets ${word}" if kind == "variable" else f"defines the {kind} {word}"
    return f"{definer.label} runs before {cell.label} now: it {does}"


def mark_stale(entry: Entry) -> Entry:
    """Return an entry with the note that it is stale."""
    return entry._replace(remarks=[*entry.remarks, STALE])


def describe_waiting(blocker: Entry) -> str:
    """Return the note on an edit that waits for a frozen cell."""
    return (
        f"the program keeps the former text of this cell, because {blocker.label} below is frozen: "
        f"run {blocker.label} again to use the new text"
    )


def describe_later(definer: Entry, name: Name) -> Note:
    """Return the note on a name that only a later cell defines."""
    kind, word = name
    what = f"${word} is set" if kind == "variable" else f"the {kind} {word} is defined"
    return Note(f"{what} in {definer.label}, which runs after this cell")
