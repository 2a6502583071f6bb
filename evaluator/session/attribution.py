"""Attribution of an error to a cell: the one that contains its place, and the one that set its variable."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.session.cell import Cell, Entry
from evaluator.session.program_state import ProgramState
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes


def attribute(error: PuppetError, entries: Sequence[Entry], failed: Entry, state: ProgramState) -> None:
    """Add to the error of a cell the name of the other cell that it is in, and of the cell that set its variable.

    Args:
        entries: the entries before the failed one.
        state: the state, which still holds what the failed cell added.
    """
    name = error.arguments.get("name")
    if error.code == "ILLEGAL_REASSIGNMENT" and isinstance(name, str):
        owner = _find_setter(name, [*entries, failed], state)
        if owner is not None and owner is not failed:
            line = _line_of_assignment(owner.cell, name, state.runtime.dialect)
            error.notes = (*error.notes, Note(f"'{name}' comes from cell {owner.label}{line}"))
    span = error.span
    if span is not None and span.source.name is None and span.source.label != failed.label:
        error.cell = span.source.label


def _line_of_assignment(owner: Cell, name: str, dialect: Dialect) -> str:
    """Return `, line 2` for the statement of a cell that sets a variable; "" if no statement of its own does."""
    program = parse(owner.source, dialect=dialect, validate=False)
    for node in nodes.walk(program):
        if isinstance(node, nodes.Assignment):
            for part in nodes.walk(node.left):
                if isinstance(part, nodes.Variable) and part.name.removeprefix("::") == name:
                    return f", line {program.source.position(part.start)[0]}"
    return ""


def _find_setter(name: str, entries: Sequence[Entry], state: ProgramState) -> Entry | None:
    """Return the entry that set a variable of the top scope; None if it was set before all cells."""
    for entry in reversed(entries):
        savepoint = entry.savepoint
        if savepoint is not None and any(
            name == known for known, _ in state.state.get_added(savepoint.state, "variables")
        ):
            return entry
    return None
