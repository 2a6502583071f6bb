"""Commands that show what the program has made: its catalog and variables."""

from __future__ import annotations

import json

from puppet_kernel.commands.command import Answer, Desk, expect
from puppet_kernel.rendering import catalogs, views
from puppet_kernel.rendering.elements import Note, Text, line

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


def show_catalog(desk: Desk, argument: str) -> Answer:
    """The resources so far, as code or as Puppet's JSON."""
    catalog = desk.session.catalog()
    if argument == "--json":
        return Text(
            *(
                line(text)
                for text in json.dumps(catalog.to_json(redact=True), indent=2, ensure_ascii=False).split("\n")
            )
        )
    expect(argument, ("",), "%catalog")
    return catalogs.catalog(catalog, desk.width())


def show_variables(desk: Desk, argument: str) -> Answer:
    """The variables, or those whose name holds TEXT."""
    wanted = argument.removeprefix("$")
    hidden = {"settings"} if wanted else {*desk.session.facts, *BUILTIN_VARIABLES}
    found = [
        (f"${name}", value)
        for name, value in desk.session.variables()
        if wanted in name and (name.split("::")[0] not in hidden or wanted.startswith("settings"))
    ]
    return views.pairs(found, "variable", desk.width()) if found else Note("hint", "No variables are set.")
