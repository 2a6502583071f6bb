"""The programs of the audit: the examples of all functions and issues, all commands, and paths in all of them."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.calling import registry
from evaluator.issues import load_all_rows
from puppet_kernel.commands.command import COMMANDS

PATHS = (
    "/etc/passwd",
    "../x",
    "/proc/self/environ",
    "m/../../../etc/passwd",
    "/dev/null",
    "https://example.com/x",
)


def corpus(turn: int) -> Iterator[str]:
    """Programs, then commands with arguments and without.

    turn  0 or 1: of the paths that a function is given, one takes the even ones, the other the odd ones
    """
    for number, name in enumerate(registry.list_function_names()):
        function = registry.find_function(name)
        yield from (example.source for example in getattr(function, "examples", ()))
        for path in PATHS[(number + turn) % 2 :: 2]:
            yield f"{name}('{path}')"
    for row in load_all_rows().values():
        yield from (source for source in (row.wrong, row.right) if source)
    for command in COMMANDS:
        yield from (f"%{command.name}", f"?{command.name}", *command.examples)
        for path in PATHS:
            yield f"%{command.name} {path}"
