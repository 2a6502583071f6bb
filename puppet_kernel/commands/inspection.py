"""Commands that list the parts of the program, format and time code, leave and clear."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from lexer_parser.dialect import DIALECTS
from lexer_parser.printing.layout import format_source
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Group,
    Line,
    NoteElement,
    Table,
    TextElement,
    Tree,
    make_line,
)
from puppet_kernel.rendering.escape import cut_columns
from puppet_kernel.replies import Reply, refuse_if

BUILTIN_VARIABLES = (
    *(
        "environment",
        "facts",
        "module_name",
        "caller_module_name",
        "name",
        "title",
        "trusted",
        "server_facts",
    ),
    *("clientcert", "clientversion", "serverversion", "servername", "serverip", "settings"),
)


def is_builtin(name: str) -> bool:
    """Return True for a variable that every program has, or that names the running class."""
    return name.split("::")[0] in BUILTIN_VARIABLES or name.rpartition("::")[2] in BUILTIN_VARIABLES


@command(
    *("catalog", "[TEXT | --all | --json]", lambda context: list_catalog_words(context)),
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
    shown = catalogs.describe_catalog(catalog, context.width(), fresh=fresh, text=text)
    if isinstance(shown, Group):
        more = "`%catalog TEXT` or `%catalog Class[NAME]` selects some, `%catalog --all` shows all"
        return Group(shown, NoteElement("hint", more), spaced=True)
    refuse_if(
        text and isinstance(shown, NoteElement),
        f"There is no resource with '{text}' in its name",
        help="%catalog lists them",
    )
    return shown


def list_catalog_words(context: CommandContext) -> Iterable[str]:
    """Return candidates: the options and the resources of the catalog."""
    found = catalogs.list_declared(context.session.catalog())
    return ["--all", "--json", *(resource.reference for resource in found)]


@command(
    *("vars", "[TEXT]", lambda context: list_variable_names(context)),
    examples=("%vars port",),
    refreshable=True,
    demo="%vars port",
)
def show_variables(context: CommandContext, argument: str) -> Answer:
    """List the variables, or those with TEXT in their names."""
    wanted = argument.removeprefix("$")
    facts = context.session.facts

    def is_shown(name: str) -> bool:
        if wanted:
            return wanted in name and (not name.startswith("settings::") or wanted.startswith("settings"))
        return name.split("::")[0] not in facts and not is_builtin(name)

    found = [
        (f"${name}", value) for name, value in context.session.assistant.iterate_variables() if is_shown(name)
    ]
    return (
        views.describe_pairs(found, "variable", context.width())
        if found
        else NoteElement("hint", "No variables are set.")
    )


def list_variable_names(context: CommandContext) -> Iterable[str]:
    """Return the names of the variables that the program has set."""
    hidden = {*context.session.facts, *BUILTIN_VARIABLES}
    return sorted(
        name for name, _ in context.session.assistant.iterate_variables() if name.split("::")[0] not in hidden
    )


FEW = 30  # up to this many are shown in one table; more are folded by first letter


@command(
    *(
        "functions",
        "[TEXT]",
        lambda context: [item.text for item in context.session.assistant.list_names("functions")],
    ),
    examples=("%functions sort",),
    demo="%functions sort",
)
def functions(context: CommandContext, argument: str) -> Answer:
    """List the functions, or those with TEXT in name or description."""
    return _list_items(context, "functions", argument)


@command(
    *(
        "classes",
        "[TEXT]",
        lambda context: [item.text for item in context.session.assistant.list_names("classes")],
    ),
    examples=("%classes ntp",),
    refreshable=True,
    demo="%classes ntp",
)
def classes(context: CommandContext, argument: str) -> Answer:
    """List the classes, or those with TEXT in name or description."""
    return _list_items(context, "classes", argument)


def _list_items(context: CommandContext, table: str, text: str) -> Answer:
    items = context.session.assistant.list_names(table, text)
    if not items:
        holding = f" whose name or description contains '{text}'" if text else ""
        return NoteElement("hint", f"There are no {table}{holding}.")
    hint = NoteElement(
        "hint", f"{len(items):,} found; %{table} TEXT searches for a text, ?NAME describes one"
    )
    if len(items) <= FEW:
        return Group(Table([_make_row(item) for item in items]), hint, spaced=True)
    groups = [(letter, list(found)) for letter, found in groupby(items, lambda item: item.text[0])]
    trees: list[Element] = [
        Tree(
            make_line(("title", letter), ("dim", f"  {len(found)}")),
            list(map(_make_branch, found)),
            open=False,
        )
        for letter, found in groups
    ]
    return Reply(Group(*trees, hint), page=True)


def _make_row(item: Any) -> tuple[Line, Line]:
    return make_line(("name", item.text)), make_line(("words", item.words))


def _make_branch(item: Any) -> Tree:
    name, words = _make_row(item)
    return Tree((*name, ("", "  "), *words))


def format_first_line(source: str, columns: int = 70) -> str:
    """Return the first line of code, with a mark if more lines follow."""
    lines = [text.strip() for text in source.split("\n")]
    lines = [text for text in lines if text and not text.startswith("#")] or [""]
    return cut_columns(lines[0] + (" …" if len(lines) > 1 else ""), columns)


@command(
    *("format", "[CODE]"),
    examples=("%format file{'/a':mode=>'0644'}",),
    takes_code=True,
    demo="%format file{'/a':mode=>'0644'}",
)
def reformat(context: CommandContext, argument: str) -> Answer:
    """Format code, or the last input."""
    source = argument or (context.session.cells[-1].source if context.session.cells else "")
    refuse_if(not source, "There is nothing to format", help="%format CODE, or %format after a cell")
    dialect = DIALECTS[context.session.dialect]
    return Code(format_source(source.strip(), dialect).rstrip("\n"))


@command(
    *("time", "CODE"),
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
