"""The cache of compiled sources of files, and parsing within the limits.

All sessions of the process share the cache; with a `DiskCache`, compiled sources outlive the process.

An entry is found by the path of the file and is valid as long as the file has the same content: if the stamp differs,
or was too recent to prove anything, the file is read and compared. So a change is never missed, and an unchanged file
is parsed and compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
from lexer_parser.validation import find_too_deep

if TYPE_CHECKING:
    from evaluator.cache import DiskCache
    from evaluator.compiler.compiled_source import CompiledSource
    from evaluator.program.settings import Settings

MOST_FILES = 2_000  # cached files
BUDGET = 8_000_000  # characters of all cached files together


class _CachedSource(Record):
    """A cached file.

    Attributes:
        stamp: The file's stamp, which proves that it has not changed; None if there is no proof.
        text: The content.
        source: The compiled source.
    """

    stamp: tuple[int, ...] | None
    text: str
    source: CompiledSource


_disk_cache: DiskCache | None = None  # the one that the running program uses, if any
_files: dict[tuple[str, tuple[Hashable, ...]], _CachedSource] = {}  # by path and purpose
_unused_characters = BUDGET  # negative when the budget is exceeded


@contextmanager
def use_cache(cache: DiskCache | None, on_log: Callable[[Log], None] | None) -> Iterator[None]:
    """Store compiled sources for other processes, too, in a `with` statement.

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


def load(
    settings: Settings, path: str, purpose: tuple[Hashable, ...], make: Callable[[str], CompiledSource]
) -> CompiledSource:
    """Return the compiled source of a file, cached if its text has not changed.

    Args:
        settings: The settings, which determine whether the file may be read.
        path: The file.
        purpose: The kind of the source, and everything besides its text that determines how it is compiled.
        make: Parses a text and returns its compiled source.

    Raises:
        Failure: The file may not be read or cannot be read.
        PuppetError: The file is not valid UTF-8.
        Exception: Any error of `make`.
    """
    cached = _files.get((path, purpose))
    stamp = sandbox.get_stamp(settings, path)
    if cached is not None and stamp is not None and cached.stamp == stamp:
        return cached.source
    if stamp is not None and is_young(stamp):
        stamp = None
    return load_text(path, sandbox.read_source(settings, path), purpose, make, stamp)


def load_text(
    path: str,
    text: str,
    purpose: tuple[Hashable, ...],
    make: Callable[[str], CompiledSource],
    stamp: tuple[int, ...] | None = None,
) -> CompiledSource:
    """Return the same as `load`, for a file that has been read already.

    Args:
        stamp: The stamp that proves that the file contains the text; None if there is no proof.
    """
    key = (path, purpose)
    cached = _files.get(key)
    if cached is not None and cached.text == text:
        cached.stamp = stamp
        return cached.source
    source = make(text) if _disk_cache is None else _disk_cache.load_source(path, purpose, text, make)
    _store(key, _CachedSource(stamp, text, source))
    return source


def _store(key: tuple[str, tuple[Hashable, ...]], file: _CachedSource) -> None:
    """Store a file as the newest, and drop the oldest ones when there are too many."""
    global _unused_characters
    former = _files.pop(key, None)
    _unused_characters += len(former.text) if former is not None else 0
    _files[key] = file
    _unused_characters -= len(file.text)
    while len(_files) > MOST_FILES or (_unused_characters < 0 and len(_files) > 1):
        _unused_characters += len(_files.pop(next(iter(_files))).text)


def clear() -> None:
    """Forget all files."""
    global _unused_characters
    _files.clear()
    _unused_characters = BUDGET


def count_files() -> tuple[int, int]:
    """Return the number of cached files and the most there can be."""
    return len(_files), MOST_FILES


def count_characters() -> tuple[int, int]:
    """Return the number of cached characters and the most there can be."""
    return BUDGET - _unused_characters, BUDGET


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
    # each level of nesting needs at least one character, so a short source is not examined
    deep = find_too_deep(program, NESTING.value) if len(source) > NESTING.value else None
    if deep is not None:
        error = NESTING.make_error()
        error.span = Span(program.source, deep.start, deep.end)
        raise error
    return program
