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

    turn  0 or 1: one takes the examples and paths with even numbers, the other those with odd ones
    """
    for number, name in enumerate(registry.list_function_names()):
        if number % 2 == turn:
            yield from (example.source for example in getattr(registry.find_function(name), "examples", ()))
        for path in PATHS[(number + turn) % 2 :: 2]:
            yield f"{name}('{path}')"
    for row in [*load_all_rows().values()][turn::2]:
        yield from (source for source in (row.wrong, row.right) if source)
    for number, command in enumerate(COMMANDS):
        yield from (f"%{command.name}", f"?{command.name}", *command.examples)
        for path in PATHS[(number + turn) % 2 :: 2]:
            yield f"%{command.name} {path}"
