"""Paths in arguments of commands: permission to read and write, and completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from evaluator.issues import error
from evaluator.program import sandbox
from puppet_kernel.commands.command import CommandContext
from puppet_kernel.replies import CommandError


def require_readable(context: CommandContext, path: str) -> None:
    """Raise PuppetError for a path that the command must not read, whether it exists or not."""
    if not context.can_read(path):
        raise error("PATH_NOT_PERMITTED", path=path)


def write_file(
    context: CommandContext, path: str, make: Callable[[], str | bytes], *, forced: bool, command: str
) -> None:
    """Write a file below the working folder, if the command may write.

    Args:
        context: The context of the command.
        path: The path that the user named.
        make: Returns the content.
        forced: True to replace an existing file.
        command: The command without its path, for the help of errors.

    Raises:
        CommandError: The file exists or cannot be written.
        PuppetError: Writing is not permitted.
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


def list_folders(context: CommandContext) -> Iterable[str]:
    """Return the folders in the working folder."""
    return [
        name for name in _list_names() if context.can_read(name) and sandbox.get_kind(name) == sandbox.FOLDER
    ]


def list_yaml_files(context: CommandContext) -> Iterable[str]:
    """Return the names of YAML files in the working folder."""
    return [name for name in _list_names() if name.endswith((".yaml", ".yml"))]


def list_json_files(context: CommandContext) -> Iterable[str]:
    """Return the names of JSON files in the working folder."""
    return [name for name in _list_names() if name.endswith(".json")]


def list_manifests(context: CommandContext) -> Iterable[str]:
    """Return the names of manifests in the working folder."""
    return [name for name in _list_names() if name.endswith(".pp")]


def _list_names() -> list[str]:
    """Return the names in the working folder, without hidden ones."""
    return [name for name in sandbox.list_folder(".") if not name.startswith(".")]
