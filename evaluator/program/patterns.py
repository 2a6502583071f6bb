"""The expansion of shell patterns to paths; the sandbox checks each step of the way."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from evaluator.limits import COLLECTION
from evaluator.program import sandbox, stat_cache
from evaluator.program.definitions import Scope

_WILD = re.compile(r"[*?[]")


def find_matching(scope: Scope, function: str, pattern: str, *, recursive: bool = False) -> list[str]:
    """Return the paths that match a shell pattern, in order.

    Links that lead outside the roots are skipped.

    Args:
        scope: The scope of the call.
        function: The name of the calling function, for messages.
        pattern: The shell pattern.
        recursive: True if `**` matches any number of folders.

    Raises:
        Failure: The pattern begins outside the roots.
    """
    if not sandbox.is_path(pattern):
        return []
    sandbox.require_inside(scope, function, get_literal_prefix(pattern))
    return expand_braces(pattern, lambda path: sandbox.is_readable(scope.runtime.settings, path), recursive)


def _split_pattern(pattern: str) -> tuple[str, list[str], int]:
    """Return the start of a pattern, its parts, and the number of its leading literal parts.

    The start is "/" for an absolute pattern, otherwise "".
    """
    parts = [part for part in pattern.split("/") if part]
    wild = next((place for place, part in enumerate(parts) if _WILD.search(part)), len(parts))
    return "/" if pattern.startswith("/") else "", parts, wild


def get_literal_prefix(pattern: str) -> str:
    """Return the literal path with which a pattern begins: all matching paths are below it."""
    start, parts, wild = _split_pattern(pattern)
    return start + "/".join(parts[:wild]) or "."


def expand_braces(pattern: str, allowed: Callable[[str], bool], recursive: bool = False) -> list[str]:
    """Return the paths that match a pattern, in order.

    Args:
        pattern: The pattern; its literal prefix must be readable.
        allowed: Returns True for another path if it may be read.
        recursive: True if `**` matches any number of folders.
    """
    start, parts, wild = _split_pattern(pattern)
    fits = [_filter_matching(part, recursive) for part in parts]
    seen, found = {(start, 0)}, set()
    pending = [(start, 0)]
    while pending:
        path, place = pending.pop()
        if place >= wild and not allowed(path or "."):
            continue
        if place == len(parts):
            if path and sandbox.get_kind(path):
                found.add(path + "/" if pattern.endswith("/") and not path.endswith("/") else path)
            continue
        for step in _iterate_steps(path, place, parts[place], fits[place]):
            if step not in seen:
                seen.add(step)
                pending.append(step)
        COLLECTION.check(len(seen))
    return sorted(
        path for path in found if not path.endswith("/") or sandbox.get_kind(path) == sandbox.FOLDER
    )


def _filter_matching(part: str, recursive: bool) -> re.Pattern[str] | None:
    """Return the expression for names that match a part of a pattern; None for any folders."""
    from fnmatch import translate

    return None if recursive and part == "**" else re.compile(translate(part))


def _iterate_steps(
    path: str, place: int, part: str, fitting: re.Pattern[str] | None
) -> Iterator[tuple[str, int]]:
    """Yield the paths one step below a folder, each with the index of the part to match next."""
    if fitting is not None and not _WILD.search(part):
        yield os.path.join(path, part), place + 1
        return
    if fitting is None:
        yield path, place + 1
    hidden = part.startswith(".")
    for entry in sandbox.list_folder(path or ".") if sandbox.get_kind(path or ".") == sandbox.FOLDER else ():
        inner = os.path.join(path, entry)
        if entry.startswith(".") and not hidden:
            continue
        if fitting is not None and fitting.match(entry):
            yield inner, place + 1
        elif fitting is None and not stat_cache.is_link(inner) and sandbox.get_kind(inner) == sandbox.FOLDER:
            yield inner, place
