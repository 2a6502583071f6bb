"""What is to be said of a cell beside what it gives: hints, what a machine would refuse, the other dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from evaluator.catalog.apply_checks import find_cycle, find_refused_attributes
from evaluator.issues import load_hints as rows
from evaluator.session import dialect_notes
from evaluator.session.cells import Cell
from evaluator.session.world import World
from lexer_parser.errors import Hint, PuppetError
from lexer_parser.lint import find_hints

MOST_HINTS = 5  # of one cell

SHORT = 4_000  # characters of a cell whose hints are found in no time, when it adds nothing to the catalog

Run = Callable[[Callable[[], Any], float], Any]


def add_quickly(world: World, cell: Cell) -> bool:
    """Adds the hints for a cell that has few; false for another one, see `add`."""
    if len(cell.source) > SHORT or cell.outcome.change:
        return False
    with suppress(Exception):
        _add_hints(world, cell)
    return True


def add(world: World, cell: Cell, run: Run, hinted: bool = False) -> None:
    """Adds the remarks to the outcome of a cell.

    run     calls a function, for so many seconds at most; what takes longer, or fails, is not said
    hinted  it has the hints already
    """
    if not hinted:
        with suppress(Exception):
            run(lambda: _add_hints(world, cell), dialect_notes.MOST_WAITING)
    if dialect_notes.may_add(world, cell):
        assert cell.moment is not None
        with world.aside(cell.moment), suppress(Exception):
            run(lambda: dialect_notes.add(world, cell), dialect_notes.MOST_WAITING)


def switches(world: World, source: str, run: Run) -> list[tuple[str, ...]] | None:
    """The switches that make code give something else in the other dialect; None when they are not found.

    See `dialect_notes.switches`.
    """
    found: list[tuple[str, ...]] | None = None
    with suppress(Exception):
        found = run(lambda: dialect_notes.switches(world, source), dialect_notes.ASKED_WAITING)
    return found


def _add_hints(world: World, cell: Cell) -> None:
    """Adds the hints for a cell to its outcome, each once; none for one that failed."""
    outcome = cell.outcome
    if outcome.error is not None:
        return
    table = rows()
    told = {Hint(problem, table[problem.code].severity): None for problem in _found(world, cell)}
    outcome.remarks += list(told)[:MOST_HINTS]


def _found(world: World, cell: Cell) -> Iterator[PuppetError]:
    outcome = cell.outcome
    if cell.text is not None and cell.tree is not None:
        yield from find_hints(cell.tree, cell.text, world.runtime.dialect, world.state.top.variables)
    change = outcome.change
    if not change:
        return
    for resource in [*change.added, *(after for _, after in change.changed)]:
        yield from find_refused_attributes(resource)
    if change.edges_added:
        found = find_cycle(world.settled().state.catalog, change.edges_added)
        if found is not None:
            yield found
