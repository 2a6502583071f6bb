"""The table of all commands, for the terminal and the notebook; help and completion use it.

A command is a function with the decorator `@command` in any module of this package. The generated index has the module
of each command, which is imported when the command first runs: together the modules would cost a kernel 40 ms of CPU
and 2.7 MB more (Python 3.11, `tests/benchmarks/kernels.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from puppet_kernel.commands.command import CommandTable
from puppet_kernel.commands.index import MODULES

# The order in which %help lists commands. Others follow.
HELP_ORDER = (
    *("help", "catalog", "graph", "vars", "facts", "node", "environment", "modulepath", "hiera", "exported"),
    *("lookup", "dialect", "limits", "cells", "run", "load", "save", "undo", "redo", "reset", "time"),
    *(
        "format",
        "explain",
        "spec",
        "step",
        "types",
        "both",
        "diff",
        "whatif",
        "fleet",
        "why",
        "functions",
        "classes",
    ),
    *("break", "debug", "check", "hint", "solution", "exercises", "clear", "quit"),
)


def make_command_table(modules: Mapping[str, str]) -> CommandTable:
    """Return the table of commands in the order of the help.

    Args:
        modules: The module of this package that declares each command, by name and alias.
    """
    place = {name: number for number, name in enumerate(HELP_ORDER)}
    names = sorted(modules, key=lambda name: place.get(name, len(place)))
    return CommandTable({name: f"{__package__}.{modules[name]}" for name in names})


COMMANDS = make_command_table(MODULES)
