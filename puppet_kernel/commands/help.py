"""The commands that explain a name: `%help TOPIC`, `?NAME` and `%explain CODE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.assistance.cards import Card
from evaluator.issues import load_explained_rows
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, Command, CommandContext, command
from puppet_kernel.commands.inputs import COMMAND, QUESTION, SECTION
from puppet_kernel.guides import GUIDES, render_guide
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Group, Table, make_line
from puppet_kernel.rendering.layout import mark_up
from puppet_kernel.replies import CommandError, Reply

# The remedies if nothing has a name: for names in general, and for variables.
_NAMES = "%help lists the commands; ?NAME describes functions, types, classes, keywords, error codes"
_VARIABLES = "no cell has set it; %vars lists the variables with a value"


@command(
    "help",
    arguments="[TOPIC]",
    complete_argument=lambda context: list_topics(context),
    examples=("%help map", "%help Integer", "%help =~"),
    demo="%help time",
)
def show_help(context: CommandContext, argument: str) -> Answer:
    """Show this table, or describe a name."""
    return explain_name(context, argument, commands=True) if argument else make_table(context.commands)


def make_table(commands: Iterable[Command]) -> Table:
    """Return a table of all commands with their summaries."""
    rows = [
        *((command.usage, command.summary) for command in commands),
        ("?NAME  ??NAME", "Describe a name in full: function, type, variable, class, keyword, operator …"),
        ("?§SECTION", "A section of the specification, as `%spec` shows it."),
        (f"{COMMAND}help GUIDE", f"A page about: {', '.join(GUIDES)}."),
    ]
    return Table((make_line(("strong", usage)), mark_up(summary)) for usage, summary in rows)


def answer_question(context: CommandContext, text: str) -> Reply:
    """Explain the name in `?x` briefly and in `??x` in full; list the commands for `?`."""
    text = text.strip()
    if text in (QUESTION, QUESTION * 2):
        return Reply(make_table(context.commands))
    full = text.startswith(QUESTION * 2)
    return explain_name(context, text[2 if full else 1 :].strip(), full=full)


def explain_name(context: CommandContext, name: str, *, full: bool = False, commands: bool = False) -> Reply:
    """Return the explanation of a name.

    Args:
        context: The context of the command.
        name: The name.
        full: True to show also the source, and a value in full.
        commands: True to find also commands without `%`, and guides.

    Raises:
        CommandError: Nothing has this name.
    """
    if name.startswith(SECTION):
        rules = context.commands.find("spec").run(context, name)
        return rules if isinstance(rules, Reply) else Reply(rules, page=full)
    cards = find_cards(context, name, commands=commands)
    if not full:
        for card in cards:
            card.source = ""
    parts = [views.describe_card(card, context.width(), lines=1000 if full else 20) for card in cards]
    explained = find_explanation(name)
    if explained is not None:
        parts.append(views.describe_explanation(explained))
    if commands and name in GUIDES:
        parts.append(render_guide(name))
    if not parts:
        variables = (f"${variable}" for variable, _ in context.session.assistant.iterate_variables())
        raise CommandError(
            f"Nothing is known about '{name}'",
            suggestion=find_nearest(name, variables if name.startswith("$") else list_topics(context)),
            help=_VARIABLES if name.startswith("$") else _NAMES,
        )
    return Reply(Group(*parts, spaced=True), page=full or (commands and name in GUIDES))


def list_topics(context: CommandContext) -> list[str]:
    """Return all topics of `%help` except variables."""
    commands = (command.name for command in context.commands)
    return [*commands, *GUIDES, *context.session.assistant.list_topics(), *sorted(load_explained_rows())]


def find_cards(context: CommandContext, name: str, *, commands: bool = False) -> list[Any]:
    """Return the cards of everything with a name; `commands` permits commands without `%`."""
    is_command = name.startswith(COMMAND) and name != COMMAND
    if not is_command and not (commands and name in context.commands.names):
        return context.session.assistant.find_cards(name)
    command = context.commands.find(name.removeprefix(COMMAND))
    card = Card(
        "command",
        f"{COMMAND}{command.name}",
        signatures=[command.usage, *command.examples],
        words=command.summary,
        origin="command",
    )
    return [card] if is_command else [card, *context.session.assistant.find_cards(name)]


@command(
    "explain",
    arguments="CODE",
    complete_argument=lambda context: sorted(load_explained_rows()),
    examples=("%explain ILLEGAL_REASSIGNMENT",),
    demo="%explain ILLEGAL_REASSIGNMENT",
)
def explain(context: CommandContext, argument: str) -> Answer:
    """Explain an error and how to fix it."""
    row = load_explained_rows().get(argument.strip().upper())
    if row is None:
        raise CommandError(
            f"No error has the code {argument}" if argument else "%explain takes the code of an error",
            suggestion=find_nearest(argument.upper(), load_explained_rows()),
            help="the code is in brackets after `error`",
        )
    return views.describe_explanation(row)


def find_explanation(name: str) -> Any:
    """Return the explanation of an error code; None for other names."""
    if not name.replace("_", "").isalnum() or not ("_" in name or name.isupper()):
        return None
    return load_explained_rows().get(name.upper())
