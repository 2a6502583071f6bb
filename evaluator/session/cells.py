"""Cells, what running them gave, and the moments of a session between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.limits import OUTPUT
from evaluator.program.log import Log
from evaluator.program.state import State
from evaluator.session import worker
from evaluator.session.dependencies import Mentions, Provided
from evaluator.values.printing import CUT
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note, PuppetError
from lexer_parser.tree import nodes


class Outcome:
    """What running a cell gave.

    value      the value of its last statement;  text, type  its program form and that of its inferred type
    has_value  False when the last statement is one that nobody looks at the value of (a definition, a notice)
    logs       the log lines, in order;  change  what it changed in the catalog (None when it failed)
    error      the PuppetError that stopped it, or None;  notes  pending references and other remarks
    updated    other cells that were evaluated again because this one changed, with their new outcomes
    seconds    wall time
    """

    __slots__ = ("change", "error", "has_value", "logs", "notes", "room", "seconds", "updated", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.has_value = False
        self.logs: list[Log] = []
        self.change: Any = None
        self.error: PuppetError | None = None
        self.notes: list[Note | str] = []
        self.updated: list[Cell] = []
        self.seconds = 0.0
        self.room = int(OUTPUT.default)

    @property
    def text(self) -> str:
        """The value in program form: `'a'`, `[1, 2]`, `Notify['x']`; cut, with a mark, at the limit of output."""
        from evaluator.values import literal

        return _deep(lambda: literal(self.value, self.room))

    @property
    def type(self) -> str:
        """The inferred type of the value in program form."""
        from evaluator.types import infer
        from evaluator.values import literal

        return _deep(lambda: literal(infer(self.value, PUPPET), self.room))


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
    """A cell that was run: its source, the identity its front end gave it, what it mentions and provides."""

    __slots__ = ("_mentions", "cell_id", "name", "number", "outcome", "program", "provided", "source")

    def __init__(self, source: str, cell_id: str | None, number: int, name: str | None = None) -> None:
        self.source = source
        self.name = name
        self.cell_id = cell_id
        self.number = number
        self.outcome = Outcome()
        self.program: nodes.Program | None = None
        self._mentions: Mentions | None = None
        self.provided = Provided()

    @property
    def mentions(self) -> Mentions | None:
        """The names that occur in it, read when first asked for; None when it was never parsed."""
        if self._mentions is None and self.program is not None:
            self._mentions = Mentions(self.program)
        return self._mentions


class Moment:
    """The session at one moment: its cells, the state after them, and the state settled from it."""

    __slots__ = ("cells", "late_logs", "settled", "state")

    def __init__(
        self,
        cells: tuple[Cell, ...],
        state: State,
        settled: State | None,
        late_logs: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.cells = cells
        self.state = state
        self.settled = settled
        self.late_logs = late_logs
