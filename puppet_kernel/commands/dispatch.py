"""The dispatcher: it runs, completes and explains commands and questions."""

from __future__ import annotations

from functools import partial
from typing import Any

from evaluator import assistance
from puppet_kernel.commands.command import CommandContext
from puppet_kernel.commands.inputs import COMMAND, QUESTION, SECTION
from puppet_kernel.replies import CommandError, Reply


def dispatch(context: CommandContext, text: str, code: str, cell_id: str) -> Reply:
    """Run a command or answer a question.

    Args:
        context: The context in which the command runs.
        text: The line of the command.
        code: The code below it, for a command that takes code.
        cell_id: The identity of the input's cell.

    Raises:
        CommandError: The command cannot run.
    """
    if not text.startswith(COMMAND):
        from puppet_kernel.commands.help import answer_question  # most inputs ask nothing

        return context.session.call_supervised(lambda: answer_question(context, text))
    name, argument = [*text[1:].split(None, 1), "", ""][:2]
    command = context.commands.find(name)
    context.cell_id = cell_id
    if command.takes_code:
        argument = code if code.strip() else ""
    run = partial(command.run, context, argument)
    # a command that mutates the session supervises itself, see `Command`
    answer = run() if command.mutates_session else context.session.call_supervised(run)
    reply = answer if isinstance(answer, Reply) else Reply(answer)
    reply.refreshable = command.refreshable
    return reply


def complete(context: CommandContext, text: str, cursor: int) -> assistance.Completions:
    """Return candidates for the name of a command, its argument, or the name in a question."""
    text = text[:cursor]
    if text.startswith(QUESTION):
        start = len(text) - len(text.lstrip(QUESTION))
        if text.startswith(SECTION, start):
            return _complete_argument(context, "spec", text[start + 1 :], cursor)
        relative = context.session.complete(text[start:], cursor - start)
        return assistance.Completions(relative.start + start, cursor, relative.items)
    name, blank, argument = text[1:].partition(" ")
    if not blank:
        names = [
            assistance.Candidate(COMMAND + command.name, "command", command.summary)
            for command in context.commands
        ]
        return assistance.Completions(0, cursor, [item for item in names if item.text.startswith(text)])
    return _complete_argument(context, name, argument, cursor)


def _complete_argument(
    context: CommandContext, name: str, argument: str, cursor: int
) -> assistance.Completions:
    """Return candidates that continue the whole argument of a command, or else its last word."""
    texts = list(context.commands.find(name).complete_argument(context))
    typed = argument.lstrip()
    if not any(text.startswith(typed) for text in texts):
        typed = argument.rpartition(" ")[2]
    items = [assistance.Candidate(text, "argument") for text in texts if text.startswith(typed)]
    return assistance.Completions(cursor - len(typed), cursor, items)


def inspect(context: CommandContext, text: str) -> Any:
    """Return the card of a command, or of the name after `?`; None if there is neither."""
    from puppet_kernel.commands.help import find_cards  # as above

    name = text.split()[0] if text.startswith(COMMAND) else text.strip(QUESTION).strip()
    try:
        return next(iter(find_cards(context, name)), None)
    except CommandError:
        return None
