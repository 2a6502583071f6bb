"""Commands about the program: `%catalog`, `%vars`, `%functions`, `%format`, `%time` …"""

from __future__ import annotations

import json
from typing import Any

from evaluator import Session
from lexer_parser.dialect import DIALECTS
from lexer_parser.printing.layout import format_source
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import (
    Code,
    Group,
    Line,
    NoteElement,
    Table,
    TextElement,
    Tree,
    group_by,
    make_line,
)
from puppet_kernel.rendering.escape import cut_columns
from puppet_kernel.replies import Reply, refuse_if

# Variables that every program has, and those that name the running class.
_BUILTIN = {
    *("environment", "facts", "trusted", "server_facts", "settings"),
    *("clientcert", "clientversion", "serverversion", "servername", "serverip"),
    *("module_name", "caller_module_name", "name", "title"),
}


def list_own_variables(session: Session) -> dict[str, Any]:
    """Return the variables that the program sets, without facts and built-in ones."""
    hidden = {*session.facts, *_BUILTIN}
    return {
        name: value
        for name, value in session.assistant.iterate_variables()
        if name.split("::")[0] not in hidden and name.rpartition("::")[2] not in _BUILTIN
    }


@command(
    "catalog",
    arguments="[TEXT | --all | --json]",
    complete_argument=lambda context: (
        *("--all", "--json"),
        *(resource.reference for resource in catalogs.list_declared(context.session.catalog())),
    ),
    examples=("%catalog Class[ntp]", "%catalog /etc", "%catalog --json"),
    refreshable=True,
    demo="%catalog Class[ntp]",
)
def show_catalog(context: CommandContext, argument: str) -> Answer:
    """Show the resources so far, or those with TEXT in their names."""
    catalog = context.session.catalog()
    if argument == "--json":
        data = catalog.to_json(redact=True)
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return Reply(TextElement(*(make_line(row) for row in text.split("\n"))), data=data)
    if argument == "--all":
        whole = catalogs.describe_catalog(catalog, context.width(), whole=True)
        return (
            Reply(whole, page=True) if catalogs.list_declared(catalog) else catalogs.describe_catalog(catalog)
        )
    text = argument.replace("'", "").replace('"', "")
    cells = context.session.cells
    change = cells[-1].outcome.change if cells else None
    fresh = {resource.key for resource in change.added} if change else ()
    view = catalogs.describe_catalog(catalog, context.width(), fresh=fresh, text=text)
    if isinstance(view, Group):
        hint = "`%catalog TEXT` or `%catalog Class[NAME]` selects some, `%catalog --all` shows all"
        return Group(view, NoteElement("hint", hint), spaced=True)
    refuse_if(
        text and isinstance(view, NoteElement),
        f"There is no resource with '{text}' in its name",
        help="%catalog lists them",
    )
    return view


@command(
    "vars",
    arguments="[TEXT]",
    complete_argument=lambda context: sorted(list_own_variables(context.session)),
    examples=("%vars port",),
    refreshable=True,
    demo="%vars port",
)
def show_variables(context: CommandContext, argument: str) -> Answer:
    """List the variables, or those with TEXT in their names."""
    text = argument.removeprefix("$")
    if text:
        variables = {
            name: value
            for name, value in context.session.assistant.iterate_variables()
            if text in name and (not name.startswith("settings::") or text.startswith("settings"))
        }
    else:
        variables = list_own_variables(context.session)
    if not variables:
        return NoteElement("hint", "No variables are set.")
    pairs = ((f"${name}", value) for name, value in variables.items())
    return views.describe_pairs(pairs, "variable", context.width())


MOST_UNFOLDED = 30  # functions or classes in one table; more are folded by first letter


@command(
    "functions",
    arguments="[TEXT]",
    complete_argument=lambda context: [
        item.text for item in context.session.assistant.list_names("functions")
    ],
    examples=("%functions sort",),
    demo="%functions sort",
)
def functions(context: CommandContext, argument: str) -> Answer:
    """List the functions, or those with TEXT in name or description."""
    return _list_items(context, "functions", argument)


@command(
    "classes",
    arguments="[TEXT]",
    complete_argument=lambda context: [item.text for item in context.session.assistant.list_names("classes")],
    examples=("%classes ntp",),
    refreshable=True,
    demo="%classes ntp",
)
def classes(context: CommandContext, argument: str) -> Answer:
    """List the classes, or those with TEXT in name or description."""
    return _list_items(context, "classes", argument)


def _list_items(context: CommandContext, kind: str, text: str) -> Answer:
    """Return the names of a kind and their descriptions; many are folded by first letter.

    Args:
        context: The command context.
        kind: "functions" or "classes".
        text: A text that the names or descriptions contain; "" for all.
    """
    items = context.session.assistant.list_names(kind, text)
    if not items:
        condition = f" whose name or description contains '{text}'" if text else ""
        return NoteElement("hint", f"There are no {kind}{condition}.")
    hint = NoteElement("hint", f"{len(items):,} found; %{kind} TEXT searches for a text, ?NAME describes one")
    if len(items) <= MOST_UNFOLDED:
        return Group(Table([_make_row(item) for item in items]), hint, spaced=True)
    trees = [
        Tree(
            make_line(("title", letter), ("dim", f"  {len(members)}")),
            [Tree((*name, ("", "  "), *words)) for name, words in map(_make_row, members)],
            open=False,
        )
        for letter, members in group_by(items, lambda item: item.text[0]).items()
    ]
    return Reply(Group(*trees, hint), page=True)


def _make_row(item: Any) -> tuple[Line, Line]:
    return make_line(("name", item.text)), make_line(("words", item.words))


def format_first_line(source: str, columns: int = 70) -> str:
    """Return the first line of code, with a mark if more lines follow."""
    lines = [text.strip() for text in source.split("\n")]
    lines = [text for text in lines if text and not text.startswith("#")] or [""]
    return cut_columns(lines[0] + (" …" if len(lines) > 1 else ""), columns)


@command(
    "format",
    arguments="[CODE]",
    examples=("%format file{'/a':mode=>'0644'}",),
    takes_code=True,
    demo="%format file{'/a':mode=>'0644'}",
)
def reformat(context: CommandContext, argument: str) -> Answer:
    """Format code, or the last input."""
    source = argument or (context.session.cells[-1].source if context.session.cells else "")
    refuse_if(not source, "There is nothing to format", help="%format CODE, or %format after a cell")
    return Code(format_source(source.strip(), DIALECTS[context.session.dialect]).rstrip("\n"))


@command(
    "time",
    arguments="CODE",
    examples=("%time [1, 2, 3].map |$n| { $n * 2 }",),
    takes_code=True,
    runs_code=True,
    mutates_session=True,
    demo="%time [1, 2, 3].map |$n| { $n * 2 }",
    demo_varies=True,
)
def time(context: CommandContext, argument: str) -> Answer:
    """Run code and measure its time."""
    refuse_if(not argument, "%time takes the code to run")
    return context.evaluate(argument, context.cell_id, timed=True)


@command("quit", aliases=("exit",), demo="%quit", runs_demo=False)
def quit_session(context: CommandContext, argument: str) -> Answer:
    """Leave."""
    return Reply(action="quit")


@command("clear", demo="%clear")
def clear(context: CommandContext, argument: str) -> Answer:
    """Clear the screen or the output."""
    return Reply(action="clear")
