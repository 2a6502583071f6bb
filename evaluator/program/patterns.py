"""The expansion of shell patterns, such as `data/*.yaml`, to the paths that match them.

The folders of a path are matched from left to right, and no folder is listed before it is known that it may be read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from evaluator.limits import COLLECTION
from evaluator.program import sandbox, stat_cache
from evaluator.program.definitions import Scope

_WILD = re.compile(r"[*?[]")


def find_readable_matches(scope: Scope, function: str, pattern: str, *, recursive: bool = False) -> list[str]:
    """Return the paths that match a shell pattern, in order.

    Only paths that the program may read are returned: links that lead outside its roots are skipped.

    Args:
        scope: The scope of the call.
        function: The name of the function that the program calls, for messages.
        pattern: The shell pattern.
        recursive: True if `**` matches any number of folders.

    Raises:
        Failure: The pattern begins outside the roots.
    """
    if not sandbox.is_path(pattern):
        return []
    sandbox.require_inside(scope, function, get_literal_prefix(pattern))
    return expand_pattern(pattern, lambda path: sandbox.is_readable(scope.runtime.settings, path), recursive)


def _split_pattern(pattern: str) -> tuple[str, list[str], int]:
    """Return the start of a pattern, its parts, and the number of its leading literal parts.

    The start is "/" for an absolute pattern, otherwise "".
    """
    parts = [part for part in pattern.split("/") if part]
    wild = next((index for index, part in enumerate(parts) if _WILD.search(part)), len(parts))
    return "/" if pattern.startswith("/") else "", parts, wild


def get_literal_prefix(pattern: str) -> str:
    """Return the literal path with which a pattern begins: all matching paths are below it."""
    start, parts, wild = _split_pattern(pattern)
    return start + "/".join(parts[:wild]) or "."


def expand_pattern(pattern: str, is_allowed: Callable[[str], bool], recursive: bool = False) -> list[str]:
    """Return the paths that match a pattern, in order.

    Args:
        pattern: The pattern. The caller has checked that its literal prefix may be read.
        is_allowed: Returns True for another path if it may be read.
        recursive: True if `**` matches any number of folders.
    """
    start, parts, wild = _split_pattern(pattern)
    expressions = [_compile_part(part, recursive) for part in parts]
    matches = set()
    # A step is a path, and the index of the part that the next name must match. `**` leads to a step in several ways.
    pending = [(start, 0)]
    seen = {*pending}
    while pending:
        path, index = pending.pop()
        if index >= wild and not is_allowed(path or "."):
            continue
        if index == len(parts):
            if path and sandbox.get_kind(path):
                matches.add(path + "/" if pattern.endswith("/") and not path.endswith("/") else path)
            continue
        for step in _iterate_steps(path, index, parts[index], expressions[index]):
            if step not in seen:
                seen.add(step)
                pending.append(step)
        COLLECTION.check(len(seen))
    return sorted(
        path for path in matches if not path.endswith("/") or sandbox.get_kind(path) == sandbox.FOLDER
    )


def _compile_part(part: str, recursive: bool) -> re.Pattern[str] | None:
    """Return the expression for a part of a pattern; None for `**`, which is any folders."""
    from fnmatch import translate

    return None if recursive and part == "**" else re.compile(translate(part))


def _iterate_steps(
    path: str, index: int, part: str, expression: re.Pattern[str] | None
) -> Iterator[tuple[str, int]]:
    """Yield the paths one step below a folder, each with the index of the part to match next.

    The name of a literal part need not exist.

    Args:
        path: The folder; "" for the working folder.
        index: The index of the part that the next name must match.
        part: The part.
        expression: The expression for it, as `_compile_part` returns it.
    """
    if expression is not None and not _WILD.search(part):
        yield os.path.join(path, part), index + 1
        return
    if expression is None:
        yield path, index + 1  # `**` matches no folder, too
    is_folder = sandbox.get_kind(path or ".") == sandbox.FOLDER
    for entry in sandbox.list_folder(path or ".") if is_folder else ():
        if entry.startswith(".") and not part.startswith("."):
            continue  # as in a shell, hidden names match only if the pattern names the dot
        inner = os.path.join(path, entry)
        if expression is not None:
            if expression.match(entry):
                yield inner, index + 1
        elif not stat_cache.is_link(inner) and sandbox.get_kind(inner) == sandbox.FOLDER:
            yield inner, index
