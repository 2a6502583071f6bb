"""The cache of results computed from source files, for all sessions of the process.

With a `DiskCache`, results outlive the process.

The key of a file is its path; its content validates the entry. When its stamp differs, or was too recent to prove
anything, the file is read and compared. So a change is never missed, and an unchanged file is processed once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.limits import NESTING, SOURCE
from evaluator.program import sandbox
from evaluator.program.log import Log
from evaluator.program.stat_cache import is_young
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError, locate_at_end
from lexer_parser.parsing import parse
from lexer_parser.record import Record
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes
from lexer_parser.validation.validator import find_too_deep

if TYPE_CHECKING:
    from evaluator.cache.cache import DiskCache
    from evaluator.program.settings import Settings

MOST_FILES = 2_000  # cached files
BUDGET = 8_000_000  # characters of all cached files together

_T = TypeVar("_T")


class _CachedSource(Record):
    """A cached file.

    Attributes:
        stamp: The file's stamp, which proves that it has not changed; None if there is no proof.
        text: The content.
        value: The result computed from the content.
    """

    stamp: tuple[int, ...] | None
    text: str
    value: Any


_disk_cache: DiskCache | None = None  # that of the running program
_files: dict[tuple[str, tuple[Hashable, ...]], _CachedSource] = {}
_room = BUDGET  # characters that are left of the budget; negative when it is exceeded


@contextmanager
def use_cache(cache: DiskCache | None, on_log: Callable[[Log], None] | None) -> Iterator[None]:
    """Store results for other processes as well, for the duration of the block.

    Args:
        cache: The disk cache; None for none.
        on_log: Receives a warning about the disk cache, if there is one.
    """
    global _disk_cache
    former, _disk_cache = _disk_cache, cache
    try:
        yield
    finally:
        _disk_cache = former
        warning = None if cache is None else cache.flush()
        if warning is not None and on_log is not None:
            on_log(Log("warning", warning))


def get_disk_cache() -> DiskCache | None:
    """Return the disk cache of the running program."""
    return _disk_cache


def load(settings: Settings, path: str, purpose: tuple[Hashable, ...], make: Callable[[str], _T]) -> _T:
    """Return the result of `make` for the text of a file, or the result cached for that text.

    Args:
        settings: The settings, which determine whether the file may be read.
        path: The file.
        purpose: The kind of the result, and everything else that determines the result.
        make: Computes the result from the text.

    Raises:
        Failure: The file may not be read or cannot be read.
        PuppetError: The file is not valid UTF-8.
        Exception: Any error of `make`.
    """
    key = (path, purpose)
    known = _files.get(key)
    stamp = sandbox.get_stamp(settings, path)
    if known is not None and stamp is not None and known.stamp == stamp:
        return known.value  # type: ignore[no-any-return]
    if stamp is not None and is_young(stamp):
        stamp = None
    return _load(key, stamp, sandbox.read_source(settings, path), make)  # type: ignore[no-any-return]


def load_text(path: str, text: str, purpose: tuple[Hashable, ...], make: Callable[[str], _T]) -> _T:
    """Return the same as `load`, for a file that has been read already."""
    return _load((path, purpose), None, text, make)  # type: ignore[no-any-return]


def _load(
    key: tuple[str, tuple[Hashable, ...]],
    stamp: tuple[int, ...] | None,
    text: str,
    make: Callable[[str], Any],
) -> Any:
    known = _files.get(key)
    if known is not None and known.text == text:
        known.stamp = stamp
        return known.value
    value = make(text) if _disk_cache is None else _disk_cache.load_source(*key, text, make)
    _keep(key, _CachedSource(stamp, text, value))
    return value


def _keep(key: tuple[str, tuple[Hashable, ...]], file: _CachedSource) -> None:
    """Store a file, and drop the ones that were read first when there are too many."""
    global _room
    former = _files.pop(key, None)
    _room += len(former.text) if former is not None else 0
    _files[key] = file
    _room -= len(file.text)
    while len(_files) > MOST_FILES or (_room < 0 and len(_files) > 1):
        _room += len(_files.pop(next(iter(_files))).text)


def clear() -> None:
    """Forget all files."""
    global _room
    _files.clear()
    _room = BUDGET


def count_files() -> tuple[int, int]:
    """Return the number of cached files and the most there can be."""
    return len(_files), MOST_FILES


def count_characters() -> tuple[int, int]:
    """Return the number of cached characters and the most there can be."""
    return BUDGET - _room, BUDGET


# --- parsing within the limits


def parse_bounded(
    source: str, dialect: Dialect, *, epp: bool = False, name: str | None = None, **options: object
) -> nodes.Program:
    """Return the parsed program, like `parse`, within the limits of length and nesting.

    Raises:
        PuppetError: The source has a syntax error or exceeds a limit.
    """
    SOURCE.check(len(source))
    try:
        program = parse(source, dialect, epp, name, **options)  # type: ignore[arg-type]
    except PuppetError as problem:
        locate_at_end(problem, Source(source, name))
        raise
    # each level of nesting needs at least one character
    deep = find_too_deep(program, NESTING.value) if len(source) > NESTING.value else None
    if deep is not None:
        error = NESTING.make_error()
        error.span = Span(program.source, deep.start, deep.end)
        raise error
    return program
