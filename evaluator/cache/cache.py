"""The disk cache of a session, with a file for the results of each module."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from evaluator.cache.folder import LONGEST, CacheFolder, compute_text_digest, make_name
from evaluator.cache.serialization import deserialize, serialize
from evaluator.compiler.unit import CompiledSource
from evaluator.resource_types.records import DeclaredType
from lexer_parser.memo import memoize

# The errors for a result that is missing or has another structure.
_DAMAGE = (EOFError, ValueError, TypeError, IndexError, KeyError)
_PARTS = ("/manifests/", "/functions/", "/types/", "/templates/", "/lib/")  # the folders of a module

# The module that computes the results, and what the results depend on besides the sources.
_Scope = tuple[str, tuple[Hashable, ...]]
# The kind and the path of a source.
_Key = tuple[Hashable, str]
# The digest of a source, and a function that returns its result as a value for `marshal`, or None to store nothing.
_Result = tuple[bytes, Callable[[], Any]]
# The content of a cache file: the digest of each source and its result. `marshal` serializes each result on its own, so
# that a program deserializes only those that it needs.
_Pack = dict[_Key, tuple[bytes, bytes]]


class DiskCache:
    """A cache of the results of processing files, in a folder at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder = CacheFolder(path)
        self._packs: dict[_Scope, _Pack] = {}  # the packs that the running program has read
        # New results. They are written after the program has ended, so that stopping it cannot interrupt that.
        self._grown: dict[_Scope, dict[_Key, _Result]] = {}

    def load_source(
        self, path: str, purpose: tuple[Hashable, ...], text: str, make: Callable[[str], CompiledSource]
    ) -> CompiledSource:
        """Return the compiled source of a file, from the cache if the text is the same.

        Args:
            path: The path of the file.
            purpose: The kind of the source, and everything that determines how it is compiled.
            text: The text of the file.
            make: A function that compiles the content of the file.
        """
        kind, *settings = purpose
        scope, key, digest = (_find_module(path), tuple(settings)), (kind, path), compute_text_digest(text)
        source = None
        with suppress(*_DAMAGE):
            source = deserialize(text, path, marshal.loads(self._find(scope, key, digest)))
        stored_count = -1 if source is None else len(source.stored)

        def note_growth(grown: CompiledSource) -> None:
            self._grown.setdefault(scope, {})[key] = digest, lambda: serialize(grown, stored_count)

        if source is None:
            source = make(text)
            note_growth(source)
        source.on_growth = note_growth
        return source

    def load_record(
        self, path: str, name: str, text: str, read: Callable[[], DeclaredType | None]
    ) -> DeclaredType | None:
        """Return the record of a resource type, from the cache if its source is the same.

        Args:
            path: The path of its source.
            name: The name of the type.
            text: The text of its source.
            read: A function that reads the record.
        """
        scope, key, digest = (_find_module(path), ()), (name, path), compute_text_digest(text)
        with suppress(*_DAMAGE):
            (fields,) = marshal.loads(self._find(scope, key, digest))
            return None if fields is None else DeclaredType(**fields)
        record = read()
        stored = (
            None
            if record is None
            else {field: getattr(record, field) for field in DeclaredType.record_fields}
        )
        self._grown.setdefault(scope, {})[key] = digest, lambda: (stored,)
        return record

    def _find(self, scope: _Scope, key: _Key, digest: bytes) -> bytes:
        """Return the stored result for a text, as `marshal` has written it; nothing without one."""
        pack = self._packs.get(scope)
        if pack is None:
            pack = self._packs[scope] = self._folder.get(make_name(*scope)) or {}
        stored_digest, content = pack.get(key, (b"", b""))
        return content if stored_digest == digest else b""

    def flush(self) -> str | None:
        """Write the new results, and return a warning about the folder, each warning once."""
        self._packs.clear()
        # The program has ended: after an interrupt the next call writes the remaining results.
        with suppress(KeyboardInterrupt):
            if self._grown and self._folder.is_outdated():
                self._grown.clear()
            while self._grown:
                self._write(*self._grown.popitem())
        return self._folder.take_warning()

    def _write(self, scope: _Scope, grown: dict[_Key, _Result]) -> None:
        """Add the new results of a module to its file, which another process may have extended."""
        name, added = make_name(*scope), _Pack()
        for key, (digest, make) in grown.items():
            with suppress(Exception):  # a program must not fail because a result cannot be serialized
                value = make()
                if value is not None:
                    added[key] = digest, marshal.dumps(value)
        if added:
            pack: _Pack = self._folder.get(name) or {}
            # a file that has become long is replaced, which drops the results of sources that are gone
            is_long = sum(len(content) for _, content in pack.values()) > LONGEST // 2
            self._folder.put(name, added if is_long else pack | added)


def _find_module(path: str) -> str:
    """Return the folder of the module to which a file belongs."""
    place = max(path.rfind(part) for part in _PARTS)
    return path[: path.rfind("/") if place < 0 else place]


@memoize(owner="one for each folder of caches", interned=True)
def get_cache(path: str) -> DiskCache:
    """Return the cache in a folder: one for all sessions of the process."""
    return DiskCache(path)
