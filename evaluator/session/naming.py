"""Which cell an error is about: the one that owns a name, told by the number that stands beside it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.session.cells import Cell
from evaluator.session.program import Program
from lexer_parser.errors import Note, PuppetError


def explained(error: PuppetError, program: Program, since: Sequence[Cell], cell: Cell) -> PuppetError:
    """Adds to the error of a cell which other one has set the variable that it is about.

    since  cells that have been evaluated after those of the program. What the cell did is still there.
    """
    name = error.arguments.get("name")
    if error.code == "ILLEGAL_REASSIGNMENT" and isinstance(name, str):
        owner = _setter(name, program, [*program.cells, *since, cell])
        if owner is not None and owner is not cell:
            error.notes = (*error.notes, Note(f"'{name}' comes from cell {owner.label}"))
    return error


def _setter(name: str, program: Program, cells: Sequence[Cell]) -> Cell | None:
    """The cell that has set a variable of the top scope; None when that was there before them."""
    state = program.world.state
    for cell in reversed(cells):
        if cell.moment is not None and any(
            name == known for known, _ in state.added(cell.moment.state, "variables")
        ):
            return cell
    return None
