"""Which cell an error is about: the one that has set a variable, told by the number that stands beside it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.session.cells import Cell
from evaluator.session.program import Program
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes


def attributed(error: PuppetError, program: Program, since: Sequence[Cell], cell: Cell) -> PuppetError:
    """Adds to the error of a cell in which other one it is, and which one has set the variable that it is about.

    since  cells that have been evaluated after those of the program. What the cell did is still there.
    """
    name = error.arguments.get("name")
    if error.code == "ILLEGAL_REASSIGNMENT" and isinstance(name, str):
        owner = _setter(name, program, [*program.cells, *since, cell])
        if owner is not None and owner is not cell:
            where = f"{owner.label}{_line(owner, name, program.world.runtime.dialect)}"
            error.notes = (*error.notes, Note(f"'{name}' comes from cell {where}"))
    span = error.span
    if span is not None and span.source.name is None and span.source.label != cell.label:
        error.cell = span.source.label
    return error


def _line(owner: Cell, name: str, dialect: Dialect) -> str:
    """The line on which a cell sets a variable; nothing when no statement of its own does."""
    program = parse(owner.source, dialect=dialect, validate=False)
    for node in nodes.walk(program):
        if isinstance(node, nodes.Assignment):
            for part in nodes.walk(node.left):
                if isinstance(part, nodes.Variable) and part.name.removeprefix("::") == name:
                    return f", line {program.source.position(part.start)[0]}"
    return ""


def _setter(name: str, program: Program, cells: Sequence[Cell]) -> Cell | None:
    """The cell that has set a variable of the top scope; None when that was there before them."""
    state = program.world.state
    for cell in reversed(cells):
        if cell.moment is not None and any(
            name == known for known, _ in state.get_added(cell.moment.state, "variables")
        ):
            return cell
    return None
