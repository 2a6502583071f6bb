"""`%undo` and `%redo`: steps back and forth through what has been done to the program."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.session.rerun import differing
from puppet_kernel.commands.cells import first_line
from puppet_kernel.commands.command import Answer, Desk
from puppet_kernel.rendering.elements import Note
from puppet_kernel.replies import CommandError, Reply


def undo(desk: Desk, argument: str) -> Answer:
    """Take back the last input."""
    return _stepped(desk, desk.session.undo, "taken back", "There is nothing to take back")


def redo(desk: Desk, argument: str) -> Answer:
    """Do again what was taken back."""
    return _stepped(desk, desk.session.redo, "done again", "There is nothing to do again")


def _stepped(desk: Desk, step: Callable[[], bool], told: str, refused: str) -> Answer:
    """Makes a step and tells of which cell.

    Where the step was made before, and what ran last has only run again as it stood, it is told and not made: when
    all of a notebook runs again, another step would take the cell, which stands since then, from the program. That is
    so of a cell above only: one below has not run by then. A step that brings back what stood in the place of the
    command goes on to the next: the command stands there now.
    """
    session, place, before = desk.session, desk.place, desk.session.cells
    standing = (cell for cell in before if cell.rank == place.about < place.rank)
    about = next(standing, None) if session.step is None else None
    if about is None:
        if not step():
            raise CommandError(refused)
        while any(cell.rank == place.rank for cell in session.cells) and step():
            pass
        about = session.step
        place.about = about.rank if about is not None else 0
    words = f"{told}: {first_line(about.source) if about is not None else ''}"
    return Reply(Note("hint", words), updated=differing(before, session.cells))
