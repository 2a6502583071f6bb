"""Commands that show what the program has made: its catalog and variables."""

from __future__ import annotations

import json

from puppet_kernel.commands.command import Answer, Desk, expect
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import Note, Text, line
from puppet_kernel.replies import Reply

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


def show_catalog(desk: Desk, argument: str) -> Answer:
    """The resources so far, as code or as Puppet's JSON."""
    catalog = desk.session.catalog()
    if argument == "--json":
        data = catalog.to_json(redact=True)
        text = json.dumps(data, indent=2, ensure_ascii=False)
        return Reply(Text(*(line(row) for row in text.split("\n"))), data=data)
    expect(argument, ("",), "%catalog")
    return catalogs.catalog(catalog, desk.width())


def show_variables(desk: Desk, argument: str) -> Answer:
    """The variables, or those whose name holds TEXT."""
    wanted = argument.removeprefix("$")
    facts = desk.session.facts

    def is_shown(name: str) -> bool:
        if wanted:
            return wanted in name and (not name.startswith("settings::") or wanted.startswith("settings"))
        return name.split("::")[0] not in facts and not is_builtin(name)

    found = [(f"${name}", value) for name, value in desk.session.variables() if is_shown(name)]
    return views.pairs(found, "variable", desk.width()) if found else Note("hint", "No variables are set.")
