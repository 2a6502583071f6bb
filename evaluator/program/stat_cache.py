"""Where paths lead and what is there, asked of the system once in a run.

While a program runs, the same folders are asked for again and again: each name is looked for in each module of the
path. What has been found out is kept until the run ends, or until a program that it started may have changed it.
Between runs nothing is kept.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Hashable
from posixpath import split
from typing import Any, TypeVar

_MOST = 100_000  # paths that are kept: programs may make up any number of them
_DEEPEST = 100  # folders in a path that are looked at one by one


class _PathCache:
    """What is known of paths.

    real  where they lead;  status  what is there, None for nothing;  answers  what was found out of these
    """

    __slots__ = ("answers", "real", "status")

    def __init__(self) -> None:
        self.answers: dict[Hashable, Any] = {}
        self.real: dict[str, str] = {}
        self.status: dict[str, os.stat_result | None] = {}


_known: _PathCache | None = None
_T = TypeVar("_T")


def begin() -> None:
    """A run begins: what is found out from now on is kept."""
    global _known
    _known = _PathCache()


def end() -> None:
    """The run has ended: nothing is kept any more."""
    global _known
    _known = None


def invalidate() -> None:
    """Something else may have changed what is there; what was known of it is known no more."""
    if _known is not None:
        begin()


def memoize_query(question: Hashable, answer: Callable[[], _T]) -> _T:
    """The answer to a question that depends on nothing but on what is there."""
    known = _known
    if known is None:
        return answer()
    if question not in known.answers:
        if len(known.answers) > _MOST:
            known.answers.clear()
        known.answers[question] = answer()
    return known.answers[question]  # type: ignore[no-any-return]


def resolve(path: str) -> str:
    """Where a path leads, links resolved, as `os.path.realpath` says."""
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
    """What is where a path leads; None when nothing is there."""
    return _status(resolve(path))


def _status(place: str) -> os.stat_result | None:
    """What is at a place, be it a link; None when nothing is there."""
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
