"""What has been made of sources in files, kept for all sessions of the process, and beyond where there is a cache.

A file is known by its path, and trusted by its content: when its stamp is another one, or was too young to tell, the
file is read and compared. So what has changed is never missed, and what has not is made once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.limits import NESTING, SOURCE
from evaluator.program import sandbox
from evaluator.program.log import Log
from lexer_parser.dialect import Dialect
from lexer_parser.parsing import parse
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.validation.validator import find_too_deep

if TYPE_CHECKING:
    from evaluator.program.protocols import SourceStore
    from evaluator.program.settings import Settings

MOST_FILES = 2_000  # files that are kept
BUDGET = 8_000_000  # characters that they have together
# A file that changes twice within a tick of its system's clock has one stamp: so young, it proves nothing.
_YOUNG = 2_000_000_000  # nanoseconds

_T = TypeVar("_T")


class _CachedSource:
    """stamp  what tells that it has not changed, None for nothing;  text  its content;  value  what was made of it"""

    __slots__ = ("stamp", "text", "value")

    def __init__(self, stamp: tuple[int, ...] | None, text: str, value: Any) -> None:
        self.stamp = stamp
        self.text = text
        self.value = value


_cache: SourceStore | None = None  # that of the running program
_files: dict[tuple[str, Hashable], _CachedSource] = {}
_room = BUDGET


@contextmanager
def using(cache: SourceStore | None, on_log: Callable[[Log], None] | None) -> Iterator[None]:
    """While it lasts, what is made is kept for other processes as well, where there is a cache.

    on_log  is told what is to be said of the cache
    """
    global _cache
    former, _cache = _cache, cache
    try:
        yield
    finally:
        _cache = former
        warning = None if cache is None else cache.flush()
        if warning is not None and on_log is not None:
            on_log(Log("warning", warning))


def get_cache() -> SourceStore | None:
    """The cache of the running program."""
    return _cache


def load(settings: Settings, path: str, purpose: Hashable, make: Callable[[str], _T]) -> _T:
    """What `make` makes of the text of a file that may be read, or what it has made of the same text before.

    purpose  what it is made for, with all that decides what it becomes
    Raises Failure and PuppetError for a file that cannot be read, and what `make` raises.
    """
    key = (path, purpose)
    known = _files.get(key)
    stamp = sandbox.get_stamp(settings, path)
    if known is not None and stamp is not None and known.stamp == stamp:
        return known.value  # type: ignore[no-any-return]
    if stamp is not None and time.time_ns() - max(stamp[:2]) < _YOUNG:
        stamp = None
    return _load(key, stamp, sandbox.read_source(settings, path), make)  # type: ignore[no-any-return]


def load_text(path: str, text: str, purpose: Hashable, make: Callable[[str], _T]) -> _T:
    """As `load`, of a file that has been read."""
    return _load((path, purpose), None, text, make)  # type: ignore[no-any-return]


def _load(
    key: tuple[str, Hashable], stamp: tuple[int, ...] | None, text: str, make: Callable[[str], Any]
) -> Any:
    known = _files.get(key)
    if known is not None and known.text == text:
        known.stamp = stamp
        return known.value
    value = make(text) if _cache is None else _cache.load_source(*key, text, make)
    _keep(key, _CachedSource(stamp, text, value))
    return value


def _keep(key: tuple[str, Hashable], file: _CachedSource) -> None:
    """Keeps a file, and drops those that were read first when there are too many."""
    global _room
    former = _files.pop(key, None)
    _room += len(former.text) if former is not None else 0
    _files[key] = file
    _room -= len(file.text)
    while len(_files) > MOST_FILES or (_room < 0 and len(_files) > 1):
        _room += len(_files.pop(next(iter(_files))).text)


# --- parsing within the limits


def parse_bounded(
    source: str, dialect: Dialect, *, epp: bool = False, name: str | None = None, **options: object
) -> nodes.Program:
    """As `parse`, within the limits of length and nesting. Raises PuppetError."""
    SOURCE.check(len(source))
    program = parse(source, dialect, epp, name, **options)  # type: ignore[arg-type]
    # each level takes a character at least
    deep = find_too_deep(program, NESTING.value) if len(source) > NESTING.value else None
    if deep is not None:
        error = NESTING.make_error()
        error.span = Span(program.source, deep.start, deep.end)
        raise error
    return program
