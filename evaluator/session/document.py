"""The document: the inputs of a session, code and commands, in the order of the notebook.

An input keeps the position where it first ran. Cells that a front end sends together are in the order of the document,
which the session adopts. After a reset the positions are assigned again, in the order in which inputs run again; what
was above the input that reset stays above it. Cells may be frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import ref

from evaluator.session.cell import ANONYMOUS, Cell, Entry

UNDO, REDO = "undo", "redo"


class Input(NamedTuple):
    """One input and what its last run did to the program.

    Attributes:
        key: the identity within the session.
        cell: the code in force; None for a command, and for code that failed or was withdrawn.
        withdrawn: the code that a step removed.
        failed: the evaluation of code that failed, as long as no code is in force.
        steps: the steps, UNDO or REDO, that the input took before its code ran.
        arguments: the arguments of the session that it sets from its position on; None if it sets none.
        has_succeeded: at least one of its runs ended without an error.
        resets: the program is reset by this input and begins with it.
        is_deleted: the user deleted it from the notebook; a step may restore its code.
    """

    key: str
    cell: Cell | None = None
    withdrawn: Cell | None = None
    failed: Entry | None = None
    steps: tuple[str, ...] = ()
    arguments: Mapping[str, Any] | None = None  # keyword arguments of `Session`
    has_succeeded: bool = False
    resets: bool = False
    is_deleted: bool = False


class RunningInput(NamedTuple):
    """The input that runs.

    Attributes:
        former: the input as it was before.
        sent: the keys of the inputs that the front end sent together and that have not run; this input is the first.
        sent_all: the inputs that were sent are all cells of the program.
        is_in_order: its position is that of the document: it was sent together with others, or all inputs run in order.
        is_newest: it is a new last input, or a command that repeats its step: the step undoes the last edit, not the
            input above it.
        is_configured: it has set arguments of the session.
    """

    former: Input
    sent: tuple[str, ...] = ()
    sent_all: bool = False
    is_in_order: bool = False
    is_newest: bool = False
    is_configured: bool = False


class FrozenPart:
    """The frozen part of a notebook: no edit above runs its cells again.

    An edit above a frozen cell shows its own result, but the program keeps the former text: what is below sees the
    program as it was. The edit takes effect when the frozen cell runs again, or is no longer frozen.

    Attributes:
        keys: the keys of the frozen cells, each with True if the cell was frozen by its own input.
        waiting: the new text of each cell whose edit waits, by key; its source is "" for a cell that was withdrawn.
    """

    def __init__(
        self, keys: Mapping[str, bool] | None = None, waiting: Mapping[str, Cell] | None = None
    ) -> None:
        self.keys = dict(keys or {})
        self._is_confirmed = False  # True once the running input has frozen itself again
        self.waiting = dict(waiting or {})

    def copy(self) -> FrozenPart:
        """Return a copy."""
        return FrozenPart(self.keys, self.waiting)

    def freeze(self, keys: Iterable[str], *, is_own: bool = False) -> None:
        """Freeze cells; with `is_own` until the cell runs without freezing itself."""
        self.keys.update(dict.fromkeys(keys, is_own))
        self._is_confirmed = self._is_confirmed or is_own

    def thaw(self, keys: Iterable[str] | None = None) -> None:
        """Let cells run again with those above them, by default all cells."""
        for key in list(self.keys if keys is None else keys):
            self.keys.pop(key, None)

    def remove(self, key: str) -> None:
        """Remove a cell that the user deleted."""
        self.thaw((key,))
        self.waiting.pop(key, None)

    def begin_input(self) -> None:
        """Begin an input, which may freeze itself."""
        self._is_confirmed = False

    def finish_input(self, key: str) -> None:
        """End an input: if it had frozen itself and no longer does, it is thawed."""
        if self.keys.get(key) and not self._is_confirmed:
            del self.keys[key]

    def find_blocker(self, below: Sequence[Entry], sent: Collection[str]) -> Entry | None:
        """Return the first frozen cell below an edit; None if all cells below may run again.

        Args:
            below: the entries below the edit.
            sent: the cells that run, or are removed, together with it.
        """
        if not self.keys:
            return None
        return next((one for one in below if one.cell.key in self.keys and one.cell.key not in sent), None)

    def find_ready(self, entries: Sequence[Entry], order: Sequence[str], key: str | None = None) -> list[str]:
        """Return the cells whose edits wait no longer, in order.

        Args:
            entries: the entries of the program.
            order: the keys of the document in order.
            key: a frozen cell that is to run again.
        """
        if not self.waiting:
            return []
        positions = {name: index for index, name in enumerate(order)}
        last_frozen = max(
            (positions[one.cell.key] for one in entries if one.cell.key in self.keys), default=-1
        )
        start, end = last_frozen + 1, len(order)
        if key is not None:
            end = positions[key] + 1
            # It is the last frozen cell: no other blocks the edits above it.
            start = 0 if start == end else start
        return [name for name in order[start:end] if name in self.waiting]


class DocumentMark:
    """A point to which a document can return, several times.

    It takes the same time and memory however many inputs there are, since it shares the list of inputs with the
    document. That only appends to the list, replaces inputs in it, which it then logs, and makes a new list for any
    other change.

    Attributes:
        inputs: the list of inputs.
        count: the number of inputs that the list contained.
        log: the replaced inputs, each with its list and position; an earlier mark that still exists shares the log.
        start: the position in the log from which on its entries belong to this mark.
        running, frozen, anchors, next_in_order: the other fields of the document.
    """

    __slots__ = (
        "__weakref__",
        "anchors",
        "count",
        "frozen",
        "inputs",
        "log",
        "next_in_order",
        "running",
        "start",
    )

    def __init__(
        self,
        inputs: list[Input],
        log: list[ReplacedInput],
        running: RunningInput,
        frozen: FrozenPart,
        anchors: dict[str, str],
        next_in_order: int | None,
    ) -> None:
        self.inputs, self.count = inputs, len(inputs)
        self.log, self.start = log, len(log)
        self.running, self.frozen = running, frozen.copy()
        self.anchors, self.next_in_order = dict(anchors), next_in_order

    def collect_inputs(self) -> list[Input]:
        """Return the inputs as they were."""
        inputs = self.inputs[: self.count]
        for changed, index, former in reversed(self.log[self.start :]):
            if changed is self.inputs and index < self.count:
                inputs[index] = former
        return inputs


# A list of inputs, a position in it, and the input that was there before.
ReplacedInput = tuple[list[Input], int, Input]


class Document:
    """Inputs in order, each found by its key. Appending costs the same however many there are.

    Attributes:
        running: the input that is running or ran last.
        frozen: the frozen cells.
    """

    __slots__ = (
        "_adopted",
        "_anchors",
        "_inputs",
        "_mark",
        "_next_in_order",
        "_positions",
        "frozen",
        "running",
    )

    def __init__(self) -> None:
        self.frozen = FrozenPart()
        self.running = RunningInput(Input(""))
        self._inputs: list[Input] = []
        self._positions: dict[str, int] = {}
        # Keys that have no position since a reset -> the input that they precede.
        self._anchors: dict[str, str] = {}
        self._adopted: Sequence[str] = ()  # the keys that were sent together last, whose order was adopted
        # The position of the next input if a user runs all inputs one by one in order; None if that is not so.
        self._next_in_order: int | None = 0
        # Returns the last mark if it still exists.
        self._mark: Callable[[], DocumentMark | None] = lambda: None

    def __iter__(self) -> Iterator[Input]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)

    def __getitem__(self, key: str) -> Input:
        return self._inputs[self._positions[key]]

    def find_position(self, key: str) -> int | None:
        """Return the position of an input, or None."""
        return self._positions.get(key)

    def get_position(self, key: str) -> int:
        """Return the position of an input that is part of the document."""
        return self._positions[key]

    def mark(self) -> DocumentMark:
        """Return a mark of this point, for `restore`."""
        last = self._mark()
        log = [] if last is None else last.log
        mark = DocumentMark(self._inputs, log, self.running, self.frozen, self._anchors, self._next_in_order)
        self._mark = ref(mark)
        return mark

    def restore(self, mark: DocumentMark) -> None:
        """Return to a mark."""
        self.running, self.frozen = mark.running, mark.frozen.copy()
        self._anchors, self._adopted = dict(mark.anchors), ()
        self._next_in_order = mark.next_in_order
        self._inputs = mark.collect_inputs()
        self._index_from(0)

    def _replace_at(self, index: int, changed: Input) -> None:
        """Replace the input at a position, and log the former one for a mark that still exists."""
        mark = self._mark()
        if mark is not None:
            mark.log.append((self._inputs, index, self._inputs[index]))
        self._inputs[index] = changed

    def clear(self) -> None:
        """Drop all inputs."""
        self._inputs = []
        self._positions.clear()
        self.frozen = FrozenPart()

    def begin(self, key: str, sent: Sequence[str], is_command: bool) -> tuple[bool, Sequence[str]]:
        """Begin an input: find its position and set `running`.

        See `History.begin_input` for the arguments.

        Returns:
            True if inputs that existed before have another order now; and the keys of inputs whose code was withdrawn,
            because all cells of the notebook were sent and these inputs are not in it any more.
        """
        self.frozen.begin_input()
        if len(sent) > 1:
            return self._begin_together(key, sent)
        self._begin_alone(key, is_command)
        return False, ()

    def _begin_together(self, key: str, sent: Sequence[str]) -> tuple[bool, Sequence[str]]:
        """Begin an input that was sent together with others; see `begin`."""
        is_reordered = False
        if sent != self._adopted or key not in self._positions:
            self._adopted, former_order = sent, self.order
            self.adopt(sent)
            is_reordered = self.order[: len(former_order)] != former_order
        index = self._positions[key]
        self._next_in_order = index + 1
        deleted, rest = self._find_deleted(sent), tuple(sent[sent.index(key) :])
        self._set_running(
            RunningInput(self._inputs[index], sent=rest, sent_all=deleted is not None, is_in_order=True)
        )
        for name in deleted or ():
            self.set(Input(name, is_deleted=True))
            self.frozen.remove(name)
        return is_reordered, deleted or ()

    def _begin_alone(self, key: str, is_command: bool) -> None:
        """Begin an input that was sent alone. A command that never succeeded moves to the end."""
        self._adopted = ()
        is_new = key not in self._positions
        index = self.find_or_add(key)
        # The first input alone does not show that the user goes on in order.
        is_in_order = index > 0 and index == self._next_in_order
        if is_command and not (is_new or is_in_order or self._inputs[index].has_succeeded):
            self.move_to_end(key)
            index = len(self._inputs) - 1
        self._next_in_order = index + 1 if is_in_order or self.is_first(index) else None
        former = self._inputs[index]
        is_new_last = is_new and index == len(self._inputs) - 1
        # A command that took a step and is run again undoes one more edit.
        repeats_step = bool(former.steps) and key == self.running.former.key
        self._set_running(
            RunningInput(former, is_in_order=is_in_order, is_newest=is_new_last or repeats_step)
        )

    def _set_running(self, running: RunningInput) -> None:
        """Set the input that runs, and drop what its last run did besides its code."""
        self.running, former = running, running.former
        steps = former.steps if running.is_newest else ()
        if former.steps != steps or former.resets or former.is_deleted:
            self.set(former._replace(steps=steps, resets=False, is_deleted=False))

    def _find_deleted(self, sent: Sequence[str]) -> list[str] | None:
        """Return the keys of inputs with code that were not sent, if the user deleted them all.

        Then all cells of the notebook were sent. Otherwise None is returned.
        """
        members = set(sent)
        others = [one for one in self._inputs if one.cell is not None and one.key not in members]
        return [one.key for one in others] if all(one.is_deleted for one in others) else None

    def find_or_add(self, key: str, after: str | None = None) -> int:
        """Return the position of an input, which is added if it is new.

        It is added behind `after`, else where it was before a reset, else at the end.

        Args:
            after: the key of the input that precedes a new one; None if the order is not known.
        """
        position = self._positions.get(key)
        if position is not None:
            return position
        anchor = self._anchors.pop(key, None)
        if after is not None and after in self._positions:
            index = self._positions[after] + 1
        elif anchor in self._positions:
            index = self._positions[anchor]
        else:
            index = len(self._inputs)
        if index == len(self._inputs):
            self._inputs.append(Input(key))
        else:
            self._inputs = [*self._inputs[:index], Input(key), *self._inputs[index:]]
        self._index_from(index)
        return index

    def set(self, changed: Input) -> None:
        """Replace the input of a key."""
        self._replace_at(self._positions[changed.key], changed)

    def renumber(self, key: str, number: int) -> int:
        """Set the number that is displayed beside the cell of an input; return its position."""
        index = self._positions[key]
        cell = self._inputs[index].cell
        if cell is not None:
            self._replace_at(index, self._inputs[index]._replace(cell=cell._replace(number=number)))
        return index

    def is_first(self, index: int) -> bool:
        """Return True if no input above, since a reset, has an identity of its front end."""
        while index and not self._inputs[index - 1].resets:
            index -= 1
            if not self._inputs[index].key.startswith(ANONYMOUS):
                return False
        return True

    def remove(self, key: str) -> None:
        """Remove an input: if it runs again, it is new."""
        index = self._positions.pop(key)
        self._inputs = [*self._inputs[:index], *self._inputs[index + 1 :]]
        self._index_from(index)

    def set_all(self, changed: Iterable[Input]) -> None:
        """Replace the inputs of several keys."""
        for one in changed:
            self.set(one)

    def with_code(self, key: str, cell: Cell | None) -> Input:
        """Return an input with other code in force; None takes its code back."""
        self.find_or_add(key)
        one = self[key]
        withdrawn = one.cell or one.withdrawn if cell is None else None
        return one._replace(cell=cell, withdrawn=withdrawn, failed=None)

    @contextmanager
    def replacing(self, inputs: Sequence[Input], order: Sequence[str] | None = None) -> Iterator[list[Input]]:
        """Replace inputs, and the order if one is passed, unless the `with` statement fails.

        Yields:
            The former inputs.
        """
        former, former_order = [self[one.key] for one in inputs], None if order is None else self.order
        if order is not None:
            self.reorder(order)
        self.set_all(inputs)
        try:
            yield former
        except BaseException:
            self.set_all(former)
            if former_order is not None:
                self.reorder(former_order)
            raise

    def move_to_end(self, key: str) -> None:
        """Make an input the last one."""
        self.reorder([*(other for other in self.order if other != key), key])

    def _index_from(self, index: int) -> None:
        """Update the positions of the inputs from a position on."""
        if not index:
            self._positions.clear()
        self._positions |= {each.key: place for place, each in enumerate(self._inputs[index:], index)}

    @property
    def order(self) -> tuple[str, ...]:
        """The keys in order."""
        return tuple(one.key for one in self._inputs)

    def reorder(self, keys: Iterable[str]) -> None:
        """Put all inputs in the order of their keys."""
        self._inputs = [self._inputs[self._positions[key]] for key in keys]
        self._index_from(0)

    def iterate_orders_with_first(self, definer: str, user: str) -> Iterator[tuple[str, ...]]:
        """Yield the two smallest reorderings that put one input before another.

        The first moves up, or the other moves down.

        Args:
            definer: the key of the input that defines a name.
            user: the key of the input that needs the name, above it.
        """
        rest = [key for key in self.order if key != definer]
        above = rest.index(user)
        yield (*rest[:above], definer, *rest[above:])
        rest = [key for key in self.order if key != user]
        below = rest.index(definer) + 1
        yield (*rest[:below], user, *rest[below:])

    def merge_order(self, sent: Sequence[str]) -> list[str]:
        """Return all keys, with those that were sent together in the order sent.

        Those that are part of the document take, in this order, the positions that they have. A new one follows the key
        that precedes it among those sent, and new ones before all others precede the first of these.
        """
        present = [key for key in sent if key in self._positions]
        if not present:
            return [*self.order, *sent]
        # The new keys that follow each present one; "" for those before the first of these.
        followers, previous = {"": list[str]()}, ""
        for key in sent:
            if key in self._positions:
                previous = key
                followers[key] = []
            else:
                followers[previous].append(key)
        queue, members, order = iter(present), set(present), list[str]()
        for one in self._inputs:
            if one.key in members:
                key = next(queue)
                first = followers[""] if key == present[0] else ()
                order += (*first, key, *followers[key])
            else:
                order.append(one.key)
        return order

    def adopt(self, sent: Iterable[str]) -> None:
        """Put inputs that were sent together into the order sent; see `merge_order`."""
        keys = list(dict.fromkeys(sent))
        order = self.merge_order(keys)
        for key in keys:
            if key not in self._positions:
                self._anchors.pop(key, None)
                self._positions[key] = len(self._inputs)
                self._inputs.append(Input(key))
        self.reorder(order)

    def is_moved_by(self, key: str, sent: Sequence[str]) -> bool:
        """Return True if adopting the order of inputs changes the code above an input."""
        order = self.merge_order(list(dict.fromkeys(sent)))
        above = [one.key for one in self._inputs[: self.get_position(key)] if one.cell is not None]
        return above != [
            other
            for other in order[: order.index(key)]
            if other in self._positions and self[other].cell is not None
        ]

    def reset(self, key: str) -> None:
        """Begin again with an input: code and steps are dropped, positions are assigned again.

        The input itself and those that set arguments stay where they are.
        """
        staying = [one for one in self._inputs if one.key == key or one.arguments is not None]
        staying_keys = {one.key for one in staying}
        anchor: str | None = None  # the nearest input that stays, at or below the current one
        anchors: dict[str, str] = {}
        for one in reversed(self._inputs):
            anchor = one.key if one.key in staying_keys else anchor
            if anchor is not None:
                anchors[one.key] = anchor
        # An input that preceded one that is dropped now gets the anchor of that one.
        anchors |= {name: anchors[below] for name, below in self._anchors.items() if below in anchors}
        self._inputs = [Input(one.key, arguments=one.arguments, resets=one.key == key) for one in staying]
        self._index_from(0)
        self._anchors = {name: below for name, below in anchors.items() if name not in staying_keys}
        self.frozen = FrozenPart()

    def find_summary_end(self, key: str, *, counts_steps: bool) -> int:
        """Return the position at which the summary of a run ends.

        The summary counts the cells that are evaluated again. It ends at the next input that resets the program,
        because nothing above has an effect there, and at the next input that took steps, if these could have undone the
        cell that ran. Otherwise it ends behind the last input.

        Args:
            key: the input that ran.
            counts_steps: True if its cell was not in force before, so that a step below may undo it.
        """
        below = range(self.get_position(key) + 1, len(self))
        return next(
            (
                place
                for place in below
                if self._inputs[place].resets or (counts_steps and self._inputs[place].steps)
            ),
            len(self),
        )

    def find_position_in(self, positions: Mapping[str, int], index: int) -> int:
        """Return the position in a part of the document, such as a timeline.

        It is that of the first input at or below `index` that the part contains; behind its last one without such.

        Args:
            positions: the positions in the part of the inputs that it contains, by key.
            index: a position in the document.
        """
        keys = (self._inputs[place].key for place in range(index, len(self._inputs)))
        return next((positions[key] for key in keys if key in positions), len(positions))

    def list_cells(self, start: int = 0, end: int | None = None) -> list[Cell]:
        """Return the code in force of the inputs between two positions."""
        return [one.cell for one in self._inputs[start:end] if one.cell is not None]

    def find_step_target(self, step: str, index: int) -> str | None:
        """Return the input whose code a step takes back or brings back, or None.

        The inputs above are replayed in order: code is done, UNDO takes back what was done last, REDO brings back
        what was taken back last. What is no longer in force cannot be taken back.

        Args:
            index: the position of the input that takes the step.
        """
        above = self._inputs[:index]
        start = max((place for place, one in enumerate(above) if one.resets), default=0)
        done, undone = list[str](), list[str]()  # keys of inputs, the last one last
        for each in above[start:]:
            for taken in each.steps:
                _apply_step(taken, done, undone)
            if each.cell is not None or each.withdrawn is not None:
                done.append(each.key)
                undone.clear()
        for taken in self._inputs[index].steps:
            _apply_step(taken, done, undone)
        if step == REDO:
            return undone[-1] if undone else None
        cells = (self[key].cell for key in done)
        in_force = [cell.key for cell in cells if cell is not None and cell.source]
        return in_force[-1] if in_force else None


def _apply_step(step: str, done: list[str], undone: list[str]) -> None:
    """Move the last input from one list to the other, if there is one."""
    source, target = (done, undone) if step == UNDO else (undone, done)
    if source:
        target.append(source.pop())
