"""Tells when a cell means something else in the other dialect, and by which switch.

The cell is evaluated again, silently and on a copy of the state, with the other dialect; when that differs, once
with each switch turned. Only interactive sessions do this, and only for cells that are quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexer_parser.dialect import DIALECTS, SWITCHES, Dialect
from lexer_parser.errors import Note, PuppetError

if TYPE_CHECKING:
    from evaluator.session.cells import Cell, Moment
    from evaluator.session.session import Session

QUICK_SECONDS = 0.1
LONGEST_SECONDS = 0.3
_NAMES = {"puppet": "released Puppet", "spec": "specification"}
_LONGEST = 60
_ERROR = "an error: "


class DialectNote(Note):
    """A note that the other dialect, `dialect`, gives something else, because of a switch when one alone does it."""

    __slots__ = ("dialect", "gives", "switch")

    def __init__(self, dialect: str, gives: str, switch: str = "") -> None:
        super().__init__(f"{_NAMES[dialect]}: {gives}" + (f" ({switch})" if switch else ""))
        self.dialect = dialect
        self.gives = gives
        self.switch = switch

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DialectNote) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def add(session: Session, before: Moment, cell: Cell) -> None:
    """Adds to the outcome of a cell what the other dialect makes of it."""
    outcome = cell.outcome
    if outcome.error is not None:
        annotate(session, before, cell)
    else:
        outcome.notes += notes(session, before, cell.source, told(outcome))


def notes(session: Session, before: Moment, source: str, seen: str) -> list[DialectNote]:
    """One note for each switch that changes what the cell gives; `seen` is what it gave, see `outcome_text`."""
    dialect = session.runtime.dialect
    other = _other(dialect)
    theirs = outcome_text(session, before, source, other)
    if theirs == seen:
        return []
    found = []
    for switch in SWITCHES:
        turned = outcome_text(session, before, source, dialect.turned(switch))
        if turned != seen:
            found.append(DialectNote(other.name, _short(turned), switch))
    return found or [DialectNote(other.name, _short(theirs))]


def annotate(session: Session, before: Moment, cell: Cell) -> None:
    """Adds a note to the error of a cell that the other dialect evaluates."""
    other = _other(session.runtime.dialect)
    theirs = outcome_text(session, before, cell.source, other)
    error = cell.outcome.error
    if error is not None and not theirs.startswith(_ERROR):
        error.notes = (*error.notes, DialectNote(other.name, _short(theirs)))


def _other(dialect: Dialect) -> Dialect:
    return next(known for known in DIALECTS.values() if known is not dialect)


def outcome_text(session: Session, before: Moment, source: str, dialect: Dialect | None = None) -> str:
    """What a cell gives, as text: its value, or the message of its error; then its log lines."""
    from evaluator.program.tracing import traced
    from evaluator.session.cells import Cell

    cell = Cell(source, None, 0)
    runtime = session.runtime
    with session.silence(cell), runtime.in_dialect(dialect or runtime.dialect):
        try:
            session.extend(before, cell)
        except Exception as exception:
            return f"{_ERROR}{_message(traced(exception)[0])}"
        return told(cell.outcome)


def told(outcome: Any) -> str:
    """The value and the log lines of an outcome, as text."""
    lines = [f"{line.level}: {line.message}" for line in outcome.logs]
    return "; ".join([outcome.text, *lines] if outcome.has_value or not lines else lines)


def _message(error: PuppetError) -> str:
    return error.message.splitlines()[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
