"""Tells when a cell means something else in the other dialect, and by which switch.

Most cells mean the same, as their text shows (see `alike`). Another one is evaluated again, silently and on a world set
back to the moment before it, with the other dialect; when that differs, once with each switch turned. Only interactive
sessions do this, only for cells that are short, quick and add little to the catalog, and nothing outside is asked.
Who asks for the switches (see `switches`) waits longer.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from evaluator.program.source_cache import parse_bounded
from evaluator.program.tracing import to_error
from evaluator.session.alike import alike
from evaluator.session.cells import Cell, Outcome
from evaluator.session.evaluation import evaluate
from evaluator.session.world import World
from lexer_parser.dialect import DIALECTS, SWITCHES, Dialect
from lexer_parser.errors import Note

# where there is no clock for what the processor does here alone, the one on the wall has to do
_GENEROUS = 5 if sys.platform == "emscripten" else 1
QUICK_SECONDS = 0.1 * _GENEROUS  # of CPU, so that the same cells have notes on a busy machine
LONGEST_SECONDS = 0.3 * _GENEROUS  # of CPU, after which no further switch is tried
ASKED_SECONDS = 2.0 * _GENEROUS  # the same for somebody who has asked for them
ASKED_WAITING = 5.0 * _GENEROUS  # seconds by the clock that such a person waits at most
MOST_WAITING = 0.8 * _GENEROUS  # seconds by the clock, whatever it does
LONGEST_TEXT = 4000  # characters
LONGEST_VALUE = 20_000  # characters that are compared of a value
MOST_RESOURCES = 100  # that evaluating and settling a cell looks at
_NAMES = {"puppet": "released Puppet", "spec": "specification"}
_LONGEST = 60  # characters that are shown of a value
_SENTENCE = 240  # and of a message, which would mean little without its end


class Unknown(Exception):
    """What the other dialect gives, or why, would have to be asked of the outside, or takes too long."""


class Given(NamedTuple):
    """What a cell gives in a dialect; as a text the beginning of the value, and what is said as a whole.

    value  as text, "" for none;  said  log lines, or the message of the error;  failed  whether it has an error
    """

    value: str
    said: tuple[str, ...]
    failed: bool = False

    def __str__(self) -> str:
        value = self.value if len(self.value) <= _LONGEST else f"{self.value[: _LONGEST - 1]}…"
        said = "; ".join(self.said)
        if len(said) > _SENTENCE:
            said = said[:_SENTENCE].rpartition(" ")[0] + " …"
        return "; ".join(filter(None, (value, said)))


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


def may_add(world: World, cell: Cell) -> bool:
    """True for small cells of a person at work that may mean something else in the other dialect."""
    error, runtime = cell.outcome.error, world.runtime
    return (
        runtime.settings.interactive
        and not runtime.used_permission
        and cell.spent < QUICK_SECONDS
        and cell.moment is not None
        and cell.weight <= MOST_RESOURCES
        and len(cell.source) <= LONGEST_TEXT
        and (error is None or error.code != "INTERRUPTED")
        and not _means_the_same(world, cell)
    )


def _means_the_same(world: World, cell: Cell) -> bool:
    """True for a cell that both dialects read alike, and in which nothing depends on a switch."""
    if cell.tree is None or not alike(cell.tree):
        return False
    settings = world.runtime.settings
    other = _other(world.runtime.dialect)
    try:
        theirs = parse_bounded(cell.source, other, interactive=True, strict=settings.strict).body
    except (
        Exception
    ):  # they do not read it, or it is nested so deeply that it takes a thread of its own to say so
        return False
    return theirs == cell.tree


def add(world: World, cell: Cell) -> None:
    """Finds what the other dialect makes of a cell: the remarks of its outcome, or a note of its error.

    To be called while the world is set aside to the moment before the cell.
    """
    outcome = cell.outcome
    with suppress(Unknown):
        if outcome.error is not None:
            _annotate(world, cell)
        else:
            outcome.remarks += _notes(world, cell.source, told(outcome))


def _notes(world: World, source: str, seen: Given) -> list[DialectNote]:
    """What the other dialect gives, with each switch that alone does it; `seen` is what the cell gave, see `told`."""
    dialect = world.runtime.dialect
    other = _other(dialect)
    theirs = _evaluated(world, source, other)
    if theirs == seen:
        return []
    alone = _alone(world, source, theirs, LONGEST_SECONDS)
    return [DialectNote(other.name, str(theirs), switch) for switch in alone or [""]]


def switches(world: World, source: str) -> list[tuple[str, ...]]:
    """The switches that make code give something else in the other dialect, at the end of a program.

    Each of the groups does it, most of which are a single switch; there is none where the code gives the same.
    Raises Unknown.
    """
    dialect = world.runtime.dialect
    theirs = _evaluated(world, source, _other(dialect))
    if theirs == _evaluated(world, source, dialect):
        return []
    alone = _alone(world, source, theirs, ASKED_SECONDS)
    return [(switch,) for switch in alone] or [_together(world, source, theirs)]


def _alone(world: World, source: str, theirs: Given, seconds: float) -> list[str]:
    """The switches each of which alone makes code give `theirs`. Raises Unknown when it takes too long."""
    return list(_makers(world, source, theirs, seconds, lambda switch: (switch,)))


def _together(world: World, source: str, theirs: Given) -> tuple[str, ...]:
    """Switches that make code give `theirs`, none of which can be left out. Raises Unknown when it takes too long."""
    needed = set(SWITCHES)
    for switch in _makers(world, source, theirs, ASKED_SECONDS, lambda switch: needed - {switch}):
        needed.remove(switch)
    return tuple(switch for switch in SWITCHES if switch in needed)


def _makers(
    world: World, source: str, theirs: Given, seconds: float, turned: Callable[[str], Iterable[str]]
) -> Iterator[str]:
    """The switches for which code gives `theirs` when others are turned, which `turned` names for each."""
    begun = time.process_time()
    for switch in SWITCHES:
        if _evaluated(world, source, world.runtime.dialect.turned(*turned(switch))) == theirs:
            yield switch
        if time.process_time() - begun > seconds:
            raise Unknown


def _annotate(world: World, cell: Cell) -> None:
    """Adds a note to the error of a cell that the other dialect evaluates."""
    other = _other(world.runtime.dialect)
    theirs = _evaluated(world, cell.source, other)
    error = cell.outcome.error
    if error is not None and not theirs.failed:
        error.notes = (*error.notes, DialectNote(other.name, str(theirs)))


def _other(dialect: Dialect) -> Dialect:
    return next(known for known in DIALECTS.values() if known is not dialect)


def _evaluated(world: World, source: str, dialect: Dialect) -> Given:
    """What a cell gives in a dialect. Raises Unknown."""
    cell = Cell(source, None, 0)
    runtime = world.runtime
    logs, receiver, settings = runtime.logs, runtime.on_log, runtime.settings
    runtime.on_log = None
    runtime.settings = settings.but(permissions=())
    try:
        with runtime.in_dialect(dialect):
            try:
                evaluate(world, cell)
            except Exception as exception:
                problem = to_error(exception)[0]
                if problem.code == "NOT_PERMITTED":
                    raise Unknown from None
                return Given("", (f"an error: {problem.message.splitlines()[0]}",), failed=True)
            return told(cell.outcome)
    finally:
        runtime.logs, runtime.on_log, runtime.settings = logs, receiver, settings
        if cell.moment is not None:
            world.drop(cell.moment)


def told(outcome: Outcome) -> Given:
    """What the cell of an outcome has given, which has no error."""
    lines = tuple(f"{line.level}: {line.message}" for line in outcome.logs)
    return Given(outcome.beginning(LONGEST_VALUE) if outcome.has_value or not lines else "", lines)
