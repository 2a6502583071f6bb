"""Commands that show what the program has made: its catalog and variables."""

from __future__ import annotations

import json
from collections.abc import Iterable

from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import Group, Note, Text, line
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
    """Whether a variable is one that every program has, or one that names a class or define as it runs."""
    return name.split("::")[0] in BUILTIN_VARIABLES or name.rpartition("::")[2] in BUILTIN_VARIABLES


def show_catalog(context: CommandContext, argument: str) -> Answer:
    """The resources so far, or those with TEXT in their names."""
    catalog = context.session.catalog()
    if argument == "--json":
        data = catalog.to_json(redact=True)
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return Reply(Text(*(line(row) for row in text.split("\n"))), data=data)
    if argument == "--all":
        whole = catalogs.catalog(catalog, context.width(), whole=True)
        return Reply(whole, page=True) if catalogs.declared(catalog) else catalogs.catalog(catalog)
    text = argument.replace("'", "").replace('"', "")
    cells = context.session.cells
    change = cells[-1].outcome.change if cells else None
    fresh = {resource.key for resource in change.added} if change else ()
    shown = catalogs.catalog(catalog, context.width(), fresh=fresh, text=text)
    if isinstance(shown, Group):
        more = "`%catalog TEXT` or `%catalog Class[NAME]` looks for some, `%catalog --all` shows each"
        return Group(shown, Note("hint", more), spaced=True)
    if text and isinstance(shown, Note):
        raise CommandError(f"There is no resource with '{text}' in its name", help="%catalog lists them")
    return shown


def catalog_words(context: CommandContext) -> Iterable[str]:
    """Completes with the options, and with what the catalog holds."""
    found = catalogs.declared(context.session.catalog())
    return ["--all", "--json", *(resource.reference for resource in found)]


def show_variables(context: CommandContext, argument: str) -> Answer:
    """The variables, or those whose name holds TEXT."""
    wanted = argument.removeprefix("$")
    facts = context.session.facts

    def is_shown(name: str) -> bool:
        if wanted:
            return wanted in name and (not name.startswith("settings::") or wanted.startswith("settings"))
        return name.split("::")[0] not in facts and not is_builtin(name)

    found = [(f"${name}", value) for name, value in context.session.variables() if is_shown(name)]
    return views.pairs(found, "variable", context.width()) if found else Note("hint", "No variables are set.")


def variable_names(context: CommandContext) -> Iterable[str]:
    """The names of the variables that the program has set."""
    hidden = {*context.session.facts, *BUILTIN_VARIABLES}
    return sorted(name for name, _ in context.session.variables() if name.split("::")[0] not in hidden)
