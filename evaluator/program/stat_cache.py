"""A cache of resolved paths and file status for the duration of a run.

A running program queries the same folders many times: each name is searched in each module of the path. Results are
cached until the run ends, or until a program that it started may have changed files. Between runs nothing is cached.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Hashable
from posixpath import split
from typing import Any, TypeVar

_MOST = 100_000  # cached paths: programs may invent any number of them
_DEEPEST = 100  # folders in a path that are resolved one by one


class _PathCache:
    """The cached facts about paths.

    Attributes:
        real: The resolved paths.
        status: The status of each place; None when nothing exists there.
        answers: The results of queries that depend only on these.
    """

    __slots__ = ("answers", "real", "status")

    def __init__(self) -> None:
        self.answers: dict[Hashable, Any] = {}
        self.real: dict[str, str] = {}
        self.status: dict[str, os.stat_result | None] = {}


_known: _PathCache | None = None
_T = TypeVar("_T")


def begin() -> None:
    """Start a run: cache results from now on."""
    global _known
    _known = _PathCache()


def end() -> None:
    """End the run: cache nothing any more."""
    global _known
    _known = None


def invalidate() -> None:
    """Discard the cached results, because something else may have changed files."""
    if _known is not None:
        begin()


def memoize_query(question: Hashable, answer: Callable[[], _T]) -> _T:
    """Return the cached result of a query that depends only on the files that exist."""
    known = _known
    if known is None:
        return answer()
    if question not in known.answers:
        if len(known.answers) > _MOST:
            known.answers.clear()
        known.answers[question] = answer()
    return known.answers[question]  # type: ignore[no-any-return]


def resolve(path: str) -> str:
    """Return a path with its links resolved, like `os.path.realpath`."""
    known = _known
    if known is None:
        return os.path.realpath(path)
    found = known.real.get(path)
    if found is None:
        if len(known.real) > _MOST:
            begin()
        found = known.real[path] = _real(path)
    return found


def _real(path: str) -> str:
    folder, name = split(path)
    if name in ("", ".", "..") or not folder.startswith("/") or path.count("/") > _DEEPEST:
        return os.path.realpath(path)
    place = f"{resolve(folder).rstrip('/')}/{name}"
    status = _status(place)
    return os.path.realpath(path) if status is not None and stat.S_ISLNK(status.st_mode) else place


def get_status(path: str) -> os.stat_result | None:
    """Return the status of the file to which a path leads; None when there is none."""
    return _status(resolve(path))


def _status(place: str) -> os.stat_result | None:
    """Return the status of a file or link, without following it; None when there is none."""
    known = _known
    if known is not None and place in known.status:
        return known.status[place]
    try:
        found = os.lstat(place)
    except (OSError, ValueError):
        found = None
    if known is not None:
        if len(known.status) > _MOST:
            known.status.clear()
        known.status[place] = found
    return found
