"""Files that commands write: below the working folder, and only where the person who runs the program permits it."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.issues import error
from evaluator.program import sandbox
from puppet_kernel.commands.command import CommandContext
from puppet_kernel.replies import CommandError


def write(
    context: CommandContext, path: str, make: Callable[[], str | bytes], *, forced: bool, command: str
) -> None:
    """Writes what `make` gives to a file below the working folder, where a command may write.

    forced   what is there is replaced;  command  how the person asked for it, but for the path
    Raises CommandError and PuppetError.
    """
    if not context.can_write():
        raise error("PATH_NOT_PERMITTED", path=path)
    if sandbox.get_kind(path) and not forced:
        raise CommandError(f"{path} is there already", help=f"{command} {path} --force replaces it")
    try:
        written = sandbox.save(path, make)
    except OSError as problem:
        raise CommandError(f"{path} cannot be written: {problem.strerror}") from None
    if not written:
        raise CommandError(
            f"{path} cannot be written", help=f"{command} takes a file below the working folder"
        )
