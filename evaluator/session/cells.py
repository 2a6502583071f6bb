"""Cells, and what running them gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaluator.catalog import PendingReference
from evaluator.limits import OUTPUT
from evaluator.program.effects import EffectLog
from evaluator.program.log import Log
from evaluator.session import worker
from evaluator.session.world import Moment
from evaluator.types import infer
from evaluator.values import literal
from evaluator.values.printing import CUT
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Node, Program


class Outcome:
    """What running a cell gave.

    value      the value of its last statement;  text, type  its program form and that of its inferred type
    has_value  False when the last statement is one that nobody looks at the value of (a definition, a notice)
    logs       the log lines, in order;  change  what it changed in the catalog (None when it failed)
    defined    what it defined, as (kind, name): ("class", "ntp"), ("function", "double")
    error      the PuppetError that stopped it, or None
    pending    what it refers to that is not there yet;  remarks  what else is to be said;  notes  all this as text
    updated    cells after this one whose outcomes are others now, with their new outcomes
    seconds    wall time
    """

    __slots__ = (
        "change",
        "defined",
        "error",
        "has_value",
        "logs",
        "pending",
        "remarks",
        "room",
        "seconds",
        "updated",
        "value",
    )

    def __init__(self) -> None:
        self.value: Any = None
        self.has_value = False
        self.logs: list[Log] = []
        self.change: Any = None
        self.defined: list[tuple[str, str]] = []
        self.error: PuppetError | None = None
        self.pending: Sequence[PendingReference] = ()
        self.remarks: list[Note | str] = []
        self.updated: list[Cell] = []
        self.seconds = 0.0
        self.room = int(OUTPUT.default)

    @property
    def interrupted(self) -> bool:
        """True when somebody has stopped it."""
        return self.error is not None and self.error.code == "INTERRUPTED"

    def told(self, updated: list[Cell], again: Iterable[Cell]) -> Outcome:
        """The same outcome, with what it meant for the cells after it.

        updated  those that differ;  again  all that ran again and are to be spoken of
        """
        found = Outcome()
        for slot in Outcome.__slots__:
            setattr(found, slot, getattr(self, slot))
        found.updated = updated
        spoken_of = set(again)
        different = [cell for cell in updated if cell in spoken_of]
        if different:
            found.remarks = [*self.remarks, _summary(len(spoken_of), different)]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled; see `WrittenOutcome`."""
        kept = ("defined", "error", "has_value", "logs", "pending", "remarks", "room", "seconds")
        told = {name: getattr(self, name) for name in kept}
        told |= {"text": self.text, "type": self.type, "value": self.value if _is_data(self.value) else None}
        return WrittenOutcome, (), (None, told)

    @property
    def notes(self) -> list[Note | str]:
        """What is to be said beside the value, in the words of this moment: cells may be called by other numbers."""
        return [*map(str, self.pending), *self.remarks]

    @property
    def text(self) -> str:
        """The value in program form: `'a'`, `[1, 2]`, `Notify['x']`; cut, with a mark, at the limit of output."""
        return self.beginning(self.room)

    def beginning(self, room: int) -> str:
        """So many characters of the value in program form, with a mark where there are more."""
        return _deep(lambda: literal(self.value, room))

    @property
    def type(self) -> str:
        """The inferred type of the value in program form."""
        return _deep(lambda: literal(infer(self.value, PUPPET), self.room))


class WrittenOutcome(Outcome):
    """A pickled outcome: its texts are as they were; values that are more than data, and the change, are gone."""

    __slots__ = ("text", "type")


def _is_data(value: Any) -> bool:
    if type(value) is list:
        return all(map(_is_data, value))
    if type(value) is dict:
        return all(type(name) is str and _is_data(part) for name, part in value.items())
    return value is None or type(value) in (str, int, float, bool)


def _summary(again: int, different: list[Cell]) -> str:
    """The line that sums up: `7 cells evaluated again, 2 differ: [4], [9]`."""
    cells = f"{again} {'cell' if again == 1 else 'cells'} evaluated again"
    verb = "differs" if len(different) == 1 else "differ"
    return f"{cells}, {len(different)} {verb}: {', '.join(cell.label for cell in different)}"


def _deep(function: Callable[[], str]) -> str:
    """Calls the function; where it takes many frames, in a thread that has them."""
    try:
        return function()
    except RecursionError:
        pass
    try:
        return str(worker.run(function))
    except (RecursionError, MemoryError):
        return CUT


class Cell:
    """A cell: its source, what identifies it, and what running it gave.

    cell_id  the identity that its front end gave it;  number  what the front end shows beside it, see `call`
    name     the path of the file that it was read from;  rank  its place in the order, see `order`
    moment   what there was before it ran
    manner   the settings it ran with;  answers  what it asked that the session does not hold
    tree     what was read from its source, until it has been settled;  weight  how many resources it was work for
    spent    the seconds of CPU that it took
    """

    __slots__ = (
        "_text",
        "answers",
        "cell_id",
        "manner",
        "moment",
        "name",
        "number",
        "outcome",
        "rank",
        "source",
        "spent",
        "tree",
        "weight",
    )

    def __init__(self, source: str, cell_id: str | None, number: int, name: str | None = None) -> None:
        self.source = source
        self.name = name
        self.cell_id = cell_id
        self.rank = 0
        self.number = number
        self.outcome = Outcome()
        self.spent = 0.0
        self.moment: Moment | None = None
        self.manner: Any = None
        self.answers = EffectLog()
        self.tree: Node | None = None
        self.weight = 0
        self._text: Source | None = None

    @property
    def label(self) -> str:
        """What messages call it: `[4]`."""
        return f"[{self.number}]"

    def call(self, number: int) -> None:
        """From now on this number stands beside it, and messages name it so."""
        self.number = number
        if self._text is not None:
            self._text.label = self.label

    @property
    def text(self) -> Source | None:
        """What it was read from, once it has been."""
        return self._text

    def read(self, program: Program) -> None:
        """This is what it consists of."""
        self.tree, self._text = program.body, program.source
        self._text.label = self.label

    def twin(self) -> Cell:
        """The same cell, to be evaluated again."""
        twin = Cell(self.source, self.cell_id, self.number, self.name)
        twin.rank, twin.manner, twin.answers = self.rank, self.manner, EffectLog(self.answers)
        twin.spent = self.spent
        return twin

    def stands_for(self, other: Cell) -> bool:
        """True when running the other one at the same place would give what running this one gave."""
        return (
            not self.answers.has_effects
            and self.outcome.error is None
            and (self.source, self.name, self.manner) == (other.source, other.name, other.manner)
        )

    @property
    def may_come_back(self) -> bool:
        """True when it failed, and the cause may be something that the session does not hold: a file, say."""
        return self.outcome.error is not None and self.answers.has_effects

    def settle(self) -> None:
        """It has been evaluated, and nothing more will be asked about what was there before."""
        self.tree = None
        if self.moment is not None:
            self.moment.settlement = None

    def fail(self, error: PuppetError) -> None:
        """It gives nothing but its log lines and an error."""
        # the frames of the program would keep its values alive
        error.__traceback__ = error.__context__ = error.__cause__ = None
        outcome, self.outcome = self.outcome, Outcome()
        self.outcome.logs, self.outcome.seconds = outcome.logs, outcome.seconds
        self.outcome.error = error
