"""The diagnostics of an evaluation: hints, and notes on the other dialect.

Interactive sessions call `diagnose` after each evaluation of a cell; its result becomes the remarks of the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from evaluator import catalog
from evaluator.issues import load_hints
from evaluator.session import dialect_notes
from evaluator.session.cell import Entry
from evaluator.session.program_state import ProgramState
from lexer_parser.errors import Hint, Note, PuppetError
from lexer_parser.lint import find_hints

MAX_HINTS = 5  # for one cell
# Characters of a cell that does not change the catalog, up to which finding its hints takes no noticeable time.
_QUICK_LENGTH = 4_000

_T = TypeVar("_T")
# Calls a function under a limit of time, in seconds.
Call = Callable[[Callable[[], list[Note | str]], float], list[Note | str]]


def find_quick_hints(program: ProgramState, entry: Entry) -> list[Note | str] | None:
    """Return the hints for a short cell that does not change the catalog, else None.

    They need no limit of time, so the program that evaluates the cell finds them, too.
    """
    if len(entry.source) > _QUICK_LENGTH or entry.evaluation.change:
        return None
    with suppress(Exception):
        return _find_hints(program, entry)
    return []


def diagnose(
    program: ProgramState,
    entry: Entry,
    call: Call,
    quick_hints: Sequence[Note | str] | None = None,
    *,
    finds_cycles: bool = True,
) -> Entry:
    """Return an entry with its diagnostics as remarks.

    If the cell failed, the notes on the other dialect are added to the error instead.

    Args:
        call: calls a function under a time limit. A function that takes longer, or fails, is ignored.
        quick_hints: the result of `find_quick_hints`; None to find the hints here.
        finds_cycles: False to leave out the cycle of relationships that the cell closes; see `add_cycle`.
    """
    remarks: list[Note | str] = list(quick_hints or ())
    if quick_hints is None:
        with suppress(Exception):
            remarks += call(lambda: _find_hints(program, entry, finds_cycles), dialect_notes.MOST_WAITING)
    if entry.savepoint is not None and dialect_notes.may_differ(program, entry):
        with program.rolled_back(entry.savepoint), suppress(Exception):
            notes = call(lambda: dialect_notes.find_notes(program, entry), dialect_notes.MOST_WAITING)
            error = entry.evaluation.error
            if error is None:
                remarks += notes
            else:
                error.notes = (*error.notes, *(note for note in notes if isinstance(note, Note)))
    # the tree is no longer needed, and the session stores the entry
    return entry._replace(remarks=remarks, evaluation=entry.evaluation._replace(tree=None))


def call_directly(function: Callable[[], _T], seconds: float) -> _T:
    """Call a function without a limit of time: for what runs under a supervisor already."""
    return function()


def _find_hints(program: ProgramState, entry: Entry, finds_cycles: bool = True) -> list[Note | str]:
    """Return the hints for a cell, each once; none for one that failed."""
    if entry.evaluation.error is not None:
        return []
    hints: list[Note | str] = [_make_hint(problem) for problem in _find_problems(program, entry)]
    cycle = _find_cycle(program, entry) if finds_cycles else None
    return list(dict.fromkeys(hints if cycle is None else [*hints, cycle]))[:MAX_HINTS]


def _make_hint(problem: PuppetError) -> Hint:
    return Hint(problem, load_hints()[problem.code].severity)


def _find_cycle(program: ProgramState, entry: Entry) -> Hint | None:
    """Return the cycle of relationships that a cell closes.

    `program` is the state after the cell.
    """
    change = entry.evaluation.change
    if not change or not change.edges_added:
        return None
    problem = catalog.find_cycle(program.fixed_point().state.catalog, change.edges_added)
    return None if problem is None else _make_hint(problem)


def can_close_cycles(program: ProgramState, entries: Sequence[Entry]) -> bool:
    """Return False if none of the last cells of a program closes a cycle of relationships.

    That is so if they only added relationships, and none of these is on a cycle.
    """
    changes = [change for entry in entries if (change := entry.evaluation.change)]
    added = [edge for change in changes for edge in change.edges_added]
    if not added:
        return False
    if any(change.removed or change.edges_removed for change in changes):
        return True
    return catalog.may_close_cycle(program.fixed_point().state.catalog, added)


def add_cycle(program: ProgramState, entry: Entry) -> Entry:
    """Return an entry with the cycle that its cell closes after its other hints.

    When many cells are evaluated again, `can_close_cycles` tests them together, and few need this.
    """
    cycle = _find_cycle(program, entry)
    hints = [remark for remark in entry.remarks if isinstance(remark, Hint)]
    if cycle is None or cycle in hints or len(hints) >= MAX_HINTS:
        return entry
    return entry._replace(remarks=[*hints, cycle, *entry.remarks[len(hints) :]])


def _find_problems(program: ProgramState, entry: Entry) -> Iterator[PuppetError]:
    evaluation = entry.evaluation
    if evaluation.source is not None and evaluation.tree is not None:
        yield from find_hints(
            evaluation.tree, evaluation.source, program.runtime.dialect, program.state.top.variables
        )
    change = evaluation.change
    if not change:
        return
    for resource in [*change.added, *(after for _, after in change.changed)]:
        yield from catalog.find_refused_attributes(resource)
