"""The inputs of the audit: the examples of all functions and issues, and all commands, also with paths."""

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


def generate_inputs(parity: int) -> Iterator[str]:
    """Yield programs, then commands with arguments and without.

    Args:
        parity: 0 for the examples and paths with even numbers, 1 for those with odd numbers.
    """
    for number, name in enumerate(registry.list_function_names()):
        if number % 2 == parity:
            yield from (example.source for example in getattr(registry.find_function(name), "examples", ()))
        for path in PATHS[(number + parity) % 2 :: 2]:
            yield f"{name}('{path}')"
    for row in [*load_all_rows().values()][parity::2]:
        yield from (source for source in (row.wrong, row.right) if source)
    for number, command in enumerate(COMMANDS):
        yield from (f"%{command.name}", f"?{command.name}", *command.examples)
        for path in PATHS[(number + parity) % 2 :: 2]:
            yield f"%{command.name} {path}"
