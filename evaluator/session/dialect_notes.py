"""Notes on cells that mean something else in the other dialect, with the switch that makes the difference.

Most cells mean the same, as their text shows (see `dialect_independence`). Another one is evaluated again, without log
lines and on the savepoint before it, in the other dialect; if the result differs, once with each switch turned. Only
interactive sessions do this, only for cells that are short, quick and add little to the catalog, and without effects
outside the session. `find_switches`, which a user requests, has more time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from evaluator.program.source_cache import parse_bounded
from evaluator.session.cell import Cell, Entry, Evaluation, Outcome
from evaluator.session.dialect_independence import is_dialect_independent
from evaluator.session.evaluation import evaluate
from evaluator.session.program_state import ProgramState
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


class Result(NamedTuple):
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


def may_differ(state: ProgramState, entry: Entry) -> bool:
    """Return True for a small cell of an interactive session that may mean something else in the other dialect."""
    evaluation, runtime = entry.evaluation, state.runtime
    error = evaluation.error
    return (
        runtime.settings.interactive
        and not runtime.used_permission
        and evaluation.cpu_seconds < QUICK_SECONDS
        and evaluation.weight <= MOST_RESOURCES
        and len(entry.source) <= LONGEST_TEXT
        and (error is None or error.code != "INTERRUPTED")
        and not _is_independent(state, entry)
    )


def _is_independent(state: ProgramState, entry: Entry) -> bool:
    """Return True for a cell that both dialects parse alike and in which nothing depends on a switch."""
    tree = entry.evaluation.tree
    if tree is None or not is_dialect_independent(tree):
        return False
    settings = state.runtime.settings
    other = _other(state.runtime.dialect)
    try:
        theirs = parse_bounded(entry.source, other, interactive=True, strict=settings.strict).body
    except Exception:  # a syntax error there, or nested so deeply that the message takes a thread of its own
        return False
    return theirs == tree


def find_notes(state: ProgramState, entry: Entry) -> list[Note | str]:
    """Return notes on the result of a cell in the other dialect; the state is rolled back to before the cell."""
    with suppress(Unknown):
        if entry.evaluation.error is None:
            return [*_notes(state, entry.source, summarize(entry.evaluation))]
        other = _other(state.runtime.dialect)
        theirs = _evaluated(state, entry.source, other)
        if not theirs.failed:
            return [DialectNote(other.name, str(theirs))]
    return []


def _notes(state: ProgramState, source: str, seen: Result) -> list[DialectNote]:
    """Return notes on the result in the other dialect, one for each switch that alone makes the difference."""
    dialect = state.runtime.dialect
    other = _other(dialect)
    theirs = _evaluated(state, source, other)
    if theirs == seen:
        return []
    alone = _alone(state, source, theirs, LONGEST_SECONDS)
    return [DialectNote(other.name, str(theirs), switch) for switch in alone or [""]]


def find_switches(state: ProgramState, source: str) -> list[tuple[str, ...]]:
    """The switches that make code give something else in the other dialect, at the end of a program.

    Each of the groups does it, most of which are a single switch; there is none where the code gives the same.
    Raises Unknown.
    """
    dialect = state.runtime.dialect
    theirs = _evaluated(state, source, _other(dialect))
    if theirs == _evaluated(state, source, dialect):
        return []
    alone = _alone(state, source, theirs, ASKED_SECONDS)
    return [(switch,) for switch in alone] or [_together(state, source, theirs)]


def _alone(state: ProgramState, source: str, theirs: Result, seconds: float) -> list[str]:
    """The switches each of which alone makes code give `theirs`. Raises Unknown when it takes too long."""
    return list(_makers(state, source, theirs, seconds, lambda switch: (switch,)))


def _together(state: ProgramState, source: str, theirs: Result) -> tuple[str, ...]:
    """Switches that make code give `theirs`, none of which can be left out. Raises Unknown when it takes too long."""
    needed = set(SWITCHES)
    for switch in _makers(state, source, theirs, ASKED_SECONDS, lambda switch: needed - {switch}):
        needed.remove(switch)
    return tuple(switch for switch in SWITCHES if switch in needed)


def _makers(
    state: ProgramState, source: str, theirs: Result, seconds: float, turned: Callable[[str], Iterable[str]]
) -> Iterator[str]:
    """The switches for which code gives `theirs` when others are turned, which `turned` names for each."""
    begun = time.process_time()
    for switch in SWITCHES:
        if _evaluated(state, source, state.runtime.dialect.with_switches_flipped(*turned(switch))) == theirs:
            yield switch
        if time.process_time() - begun > seconds:
            raise Unknown


def _other(dialect: Dialect) -> Dialect:
    return next(known for known in DIALECTS.values() if known is not dialect)


def _evaluated(state: ProgramState, source: str, dialect: Dialect) -> Result:
    """Return the result of code in a dialect. Raises Unknown."""
    runtime = state.runtime
    logs, receiver, settings = runtime.logs, runtime.on_log, runtime.settings
    runtime.on_log = None
    runtime.settings = settings.but(permissions=())
    savepoint = state.savepoint()
    try:
        with runtime.in_dialect(dialect):
            evaluation = evaluate(state, savepoint, Cell("", source, 0))
            problem = evaluation.error
            if problem is None:
                return summarize(evaluation)
            if problem.code == "NOT_PERMITTED":
                raise Unknown
            return Result("", (f"an error: {problem.message.splitlines()[0]}",), failed=True)
    finally:
        runtime.logs, runtime.on_log, runtime.settings = logs, receiver, settings
        state.roll_back(savepoint)


def summarize(evaluation: Evaluation) -> Result:
    """Return the result of an evaluation without an error."""
    lines = tuple(f"{line.level}: {line.message}" for line in evaluation.logs)
    shown = evaluation.has_value or not lines
    return Result(Outcome(evaluation).text_up_to(LONGEST_VALUE) if shown else "", lines)
