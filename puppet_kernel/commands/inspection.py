"""Commands that list parts of the program: its catalog, variables, functions and classes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import Element, Group, Line, NoteElement, Table, TextElement, Tree, line
from puppet_kernel.replies import CommandError, Reply

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
    """The resources so far, or those with TEXT in their names."""
    catalog = context.session.catalog()
    if argument == "--json":
        data = catalog.to_json(redact=True)
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return Reply(TextElement(*(line(row) for row in text.split("\n"))), data=data)
    if argument == "--all":
        whole = catalogs.catalog(catalog, context.width(), whole=True)
        return Reply(whole, page=True) if catalogs.list_declared(catalog) else catalogs.catalog(catalog)
    text = argument.replace("'", "").replace('"', "")
    cells = context.session.cells
    change = cells[-1].outcome.change if cells else None
    fresh = {resource.key for resource in change.added} if change else ()
    shown = catalogs.catalog(catalog, context.width(), fresh=fresh, text=text)
    if isinstance(shown, Group):
        more = "`%catalog TEXT` or `%catalog Class[NAME]` looks for some, `%catalog --all` shows each"
        return Group(shown, NoteElement("hint", more), spaced=True)
    if text and isinstance(shown, NoteElement):
        raise CommandError(f"There is no resource with '{text}' in its name", help="%catalog lists them")
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
    """The variables, or those whose name holds TEXT."""
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
        views.pairs(found, "variable", context.width())
        if found
        else NoteElement("hint", "No variables are set.")
    )


def list_variable_names(context: CommandContext) -> Iterable[str]:
    """Return the names of the variables that the program has set."""
    hidden = {*context.session.facts, *BUILTIN_VARIABLES}
    return sorted(
        name for name, _ in context.session.assistant.iterate_variables() if name.split("::")[0] not in hidden
    )


FEW = 30  # so many are one table; more are folded by first letter


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
    """The functions, or those with TEXT in name or words."""
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
    """The classes, or those with TEXT in name or words."""
    return _list_items(context, "classes", argument)


def _list_items(context: CommandContext, table: str, text: str) -> Answer:
    items = context.session.assistant.list_names(table, text)
    if not items:
        holding = f" whose name or words hold '{text}'" if text else ""
        return NoteElement("hint", f"There are no {table}{holding}.")
    told = NoteElement("hint", f"{len(items):,} found; %{table} TEXT looks for a text, ?NAME tells more")
    if len(items) <= FEW:
        return Group(Table([_row(item) for item in items]), told, spaced=True)
    groups = [(letter, list(found)) for letter, found in groupby(items, lambda item: item.text[0])]
    trees: list[Element] = [
        Tree(line(("title", letter), ("dim", f"  {len(found)}")), list(map(_branch, found)), open=False)
        for letter, found in groups
    ]
    return Reply(Group(*trees, told), page=True)


def _row(item: Any) -> tuple[Line, Line]:
    return line(("name", item.text)), line(("words", item.words))


def _branch(item: Any) -> Tree:
    name, words = _row(item)
    return Tree((*name, ("", "  "), *words))
