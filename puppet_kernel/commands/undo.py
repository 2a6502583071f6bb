"""`%undo` and `%redo`: steps back and forward in the history of the program."""

from __future__ import annotations

from evaluator.session.document import REDO, UNDO
from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.commands.inspection import first_line
from puppet_kernel.rendering.elements import NoteElement
from puppet_kernel.replies import CommandError, Reply


def undo(context: CommandContext, argument: str) -> Answer:
    """Take back the last input."""
    return _step(context, UNDO, "taken back", "There is nothing to take back")


def redo(context: CommandContext, argument: str) -> Answer:
    """Do again what was taken back."""
    return _step(context, REDO, "done again", "There is nothing to do again")


def _step(context: CommandContext, step: str, done: str, refused: str) -> Answer:
    """Take a step and name the cell that it is about."""
    changes = context.session.step(step, context.input_key)
    if changes.cell is None:
        raise CommandError(refused)
    return Reply(NoteElement("hint", f"{done}: {first_line(changes.cell.source)}"), updated=changes.updated)
