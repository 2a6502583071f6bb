"""`%undo` and `%redo`: steps back and forward in the history of the program."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.session.order import Place
from evaluator.session.rerun import differing
from puppet_kernel.commands.cells import first_line
from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.rendering.elements import Note
from puppet_kernel.replies import CommandError, Reply


def undo(context: CommandContext, argument: str) -> Answer:
    """Take back the last input."""
    return _stepped(context, context.session.undo, "taken back", "There is nothing to take back")


def redo(context: CommandContext, argument: str) -> Answer:
    """Do again what was taken back."""
    return _stepped(context, context.session.redo, "done again", "There is nothing to do again")


def _stepped(context: CommandContext, step: Callable[[Place], bool], told: str, refused: str) -> Answer:
    """Make a step, and report the cell that it affects."""
    session, before = context.session, context.session.cells
    if not step(context.position):
        raise CommandError(refused)
    words = f"{told}: {first_line(session.step.source) if session.step is not None else ''}"
    return Reply(Note("hint", words), updated=differing(before, session.cells))
