"""Tells when a cell means something else in the other dialect, and by which switch.

The cell is evaluated again, silently and on a world set back to the moment before it, with the other dialect; when
that differs, once with each switch turned. Only interactive sessions do this, and only for cells that are quick.
"""

from __future__ import annotations

from evaluator.program.tracing import traced
from evaluator.session.cells import Cell, Outcome
from evaluator.session.evaluation import evaluate
from evaluator.session.world import World
from lexer_parser.dialect import DIALECTS, SWITCHES, Dialect
from lexer_parser.errors import Note, PuppetError

QUICK_SECONDS = 0.1
LONGEST_SECONDS = 0.3
_NAMES = {"puppet": "released Puppet", "spec": "specification"}
_LONGEST = 60
_ERROR = "an error: "


def may_add(world: World, cell: Cell) -> bool:
    """True for quick cells of a person at work: what they mean in the other dialect is worth a note."""
    error, runtime = cell.outcome.error, world.runtime
    return (
        runtime.settings.interactive
        and not runtime.used_permission
        and cell.outcome.seconds < QUICK_SECONDS
        and cell.moment is not None
        and (error is None or error.code != "INTERRUPTED")
    )


def add(world: World, cell: Cell) -> None:
    """Finds what the other dialect makes of a cell: the remarks of its outcome, or a note of its error.

    To be called while the world is set aside to the moment before the cell.
    """
    outcome = cell.outcome
    if outcome.error is not None:
        _annotate(world, cell)
    else:
        outcome.remarks = _remarks(world, cell.source, told(outcome))


def _remarks(world: World, source: str, seen: str) -> list[str]:
    """One remark for each switch that changes what the cell gives; `seen` is what it gave, see `told`."""
    dialect = world.runtime.dialect
    other = _other(dialect)
    theirs = _evaluated(world, source, other)
    if theirs == seen:
        return []
    found = []
    for switch in SWITCHES:
        turned = _evaluated(world, source, dialect.turned(switch))
        if turned != seen:
            found.append(f"{_NAMES[other.name]}: {_short(turned)} ({switch}) — %dialect {other.name}")
    return found or [f"{_NAMES[other.name]}: {_short(theirs)} — %dialect {other.name}"]


def _annotate(world: World, cell: Cell) -> None:
    """Adds a note to the error of a cell that the other dialect evaluates."""
    other = _other(world.runtime.dialect)
    theirs = _evaluated(world, cell.source, other)
    error = cell.outcome.error
    if error is not None and not theirs.startswith(_ERROR):
        error.notes = (*error.notes, Note(f"{_NAMES[other.name]}: {_short(theirs)} — %dialect {other.name}"))


def _other(dialect: Dialect) -> Dialect:
    return next(known for known in DIALECTS.values() if known is not dialect)


def _evaluated(world: World, source: str, dialect: Dialect) -> str:
    """What a cell gives in a dialect, as text: its value, or the message of its error; then its log lines."""
    cell = Cell(source, None, 0)
    runtime = world.runtime
    logs, receiver = runtime.logs, runtime.on_log
    runtime.on_log = None
    try:
        with runtime.in_dialect(dialect):
            try:
                evaluate(world, cell)
            except Exception as exception:
                return f"{_ERROR}{_message(traced(exception)[0])}"
            return told(cell.outcome)
    finally:
        runtime.logs, runtime.on_log = logs, receiver
        if cell.moment is not None:
            world.cut(cell.moment)


def told(outcome: Outcome) -> str:
    """The value and the log lines of an outcome, as text."""
    lines = [f"{line.level}: {line.message}" for line in outcome.logs]
    return "; ".join([outcome.text, *lines] if outcome.has_value or not lines else lines)


def _message(error: PuppetError) -> str:
    return error.message.splitlines()[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
