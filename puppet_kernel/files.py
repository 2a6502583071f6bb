"""Reading the files that the command line names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

from puppet_kernel.options import UsageError

SUFFIXES = (".pp", ".epp")
MOST_BYTES = 64_000_000  # a device would give more and more


def read_source(path: str) -> str:
    """The text of a file, or of standard input for "-". Raises UsageError when it cannot be read."""
    try:
        if path == "-":
            if sys.stdin is None:
                raise UsageError("there is no standard input")
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    if len(content) > MOST_BYTES:
        raise UsageError(f"cannot read {path}: it has more than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise UsageError(f"cannot read {path}: it is not UTF-8 (line {line})") from None


def expanded(inputs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The inputs, each folder replaced by the manifests and templates in it, in order of their names."""
    for kind, value in inputs:
        if kind == "file" and os.path.isdir(value):
            yield from (("file", path) for path in _files_in(value, os.path.realpath(value)))
        else:
            yield kind, value


def _files_in(folder: str, real: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The manifests and templates below a folder; links are followed, hidden folders are left out.

    `real` is the folder's path without links, `above` those of the folders that led to it.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as problem:
        raise UsageError(f"cannot read {folder}: {problem.strerror}") from None
    path = (*above, real)
    for entry in entries:
        if entry.is_dir():
            if entry.name.startswith("."):
                continue
            target = os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(real, entry.name)
            if target not in path:  # it is no link that leads back
                yield from _files_in(entry.path, target, path)
        elif entry.name.endswith(SUFFIXES):
            yield entry.path
