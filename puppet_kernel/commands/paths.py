"""Paths that commands take: what they may read and write, and completion of names in the working folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from evaluator.issues import error
from evaluator.program import sandbox
from puppet_kernel.commands.command import CommandContext
from puppet_kernel.replies import CommandError


def require_readable(context: CommandContext, path: str) -> None:
    """Raises PuppetError for a path that the command must not lead to, whether something is there or not."""
    if not context.can_read(path):
        raise error("PATH_NOT_PERMITTED", path=path)


def write_file(
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


def list_folders(context: CommandContext) -> Iterable[str]:
    """Completes with the folders in the working folder."""
    return [
        name for name in _list_names() if context.can_read(name) and sandbox.get_kind(name) == sandbox.FOLDER
    ]


def list_yaml_files(context: CommandContext) -> Iterable[str]:
    """Completes with what the working folder has that is called as YAML is."""
    return [name for name in _list_names() if name.endswith((".yaml", ".yml"))]


def list_json_files(context: CommandContext) -> Iterable[str]:
    """Completes with what the working folder has that is called as JSON is."""
    return [name for name in _list_names() if name.endswith(".json")]


def list_manifests(context: CommandContext) -> Iterable[str]:
    """Completes with the manifests in the working folder."""
    return [name for name in _list_names() if name.endswith(".pp")]


def _list_names() -> list[str]:
    """What the working folder has, but hidden things."""
    return [name for name in sandbox.list_folder(".") if not name.startswith(".")]
