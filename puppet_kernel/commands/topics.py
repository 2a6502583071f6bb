"""What a name means: `?NAME` and `%help TOPIC`, for all that bears names in the program, the language and here."""

from __future__ import annotations

from typing import Any

from puppet_kernel.commands.inputs import COMMAND, QUESTION
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Group
from puppet_kernel.shell import CommandError, Reply, Shell


def question(shell: Shell, text: str) -> Reply:
    """`?x` tells about a name in short, `??x` all of it, `?` alone is %help."""
    from puppet_kernel.commands.commands import table_of_commands

    text = text.strip()
    if text in (QUESTION, QUESTION * 2):
        return Reply(table_of_commands())
    full = text.startswith(QUESTION * 2)
    return tell(shell, text[2 if full else 1 :].strip(), full)


def tell(shell: Shell, name: str, full: bool = False, *, commands: bool = False) -> Reply:
    """What a name means; `commands` also finds those that are written without their mark."""
    cards = cards_of(shell, name, commands)
    if not full:
        for card in cards:
            card.source = ""
    shown = [views.card(card, shell.width(), lines=1000 if full else 20) for card in cards]
    explained = explanation(name)
    if explained is not None:
        shown.append(views.explanation(explained))
    if not shown:
        raise _unknown(shell, name)
    return Reply(Group(*shown, spaced=True), page=full)


def explanation(name: str) -> Any:
    """What an issue code means; None for other names."""
    if not name.replace("_", "").isalnum() or not ("_" in name or name.isupper()):
        return None
    from evaluator.issues import explained

    return explained().get(name.upper())


def _unknown(shell: Shell, name: str) -> CommandError:
    from lexer_parser.issues.similar import nearest

    return CommandError(
        f"Nothing is known about '{name}'",
        suggestion=nearest(name, topics(shell)),
        help="%help lists the commands; ?NAME tells about functions, types, classes, keywords, error codes",
    )


def topics(shell: Shell) -> list[str]:
    """Everything that %help can tell about but variables."""
    from evaluator import resource_types
    from evaluator.assistance.words import language_names
    from evaluator.functions import names as functions
    from evaluator.issues import explained
    from evaluator.types import names as types
    from puppet_kernel.commands.commands import COMMANDS

    definitions = shell.session.runtime.state.definitions
    own = [*definitions.classes, *definitions.defines, *definitions.functions]
    known = [*functions(), *types(shell.session.runtime.dialect), *resource_types.NAMES]
    return [
        *(command.name for command in COMMANDS),
        *own,
        *known,
        *sorted(resource_types.METAPARAMETERS),
        *language_names(),
        *explained(),
    ]


def cards_of(shell: Shell, name: str, commands: bool = False) -> list[Any]:
    """The cards of everything that bears a name, in the program or among the commands."""
    from evaluator.assistance.inspection import Card, named_cards
    from puppet_kernel.commands.commands import (  # its table names the functions of this module
        COMMANDS,
        find,
        usage,
    )

    cards = []
    bare = {word for command in COMMANDS for word in (command.name, *command.aliases)}
    if (name.startswith(COMMAND) and name != COMMAND) or (commands and name in bare):
        command = find(name.removeprefix(COMMAND))
        cards.append(
            Card(
                "command",
                f"{COMMAND}{command.name}",
                signatures=[usage(command), *command.examples],
                words=command.words,
                origin="command",
            )
        )
    return cards if name.startswith(COMMAND) and cards else cards + named_cards(shell.session, name)
