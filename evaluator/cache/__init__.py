"""The disk cache of parsed and compiled files, which processes share.

A `DiskCache` has a file, its pack, for the results of each module. `folder` reads and writes these files,
`serialization` converts compiled sources. Only sessions that have a cache import it.

Resolved type aliases and signatures of functions in Ruby are not stored, because making them again costs little: in 26
processes that each compiled one program over a cache, aliases took 0.9 % of the CPU in the median (9 to 15 % with the
large types of the module systemd) and signatures 0.1 %; a function that is called is loaded into Ruby in any case.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, NamedTuple

from evaluator.cache.folder import LONGEST, CacheFolder, compute_text_digest, make_name
from evaluator.cache.serialization import deserialize, serialize
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.resource_types.records import DeclaredType
from lexer_parser.memo import memoize

# The errors for a result that is missing or has another structure.
_DAMAGE = (EOFError, ValueError, TypeError, IndexError, KeyError)
_PARTS = ("/manifests/", "/functions/", "/types/", "/templates/", "/lib/")  # the folders of a module

# What the name of a pack is made of: the folder of the module, and what the results depend on besides the sources.
_PackKey = tuple[str, tuple[Hashable, ...]]
# The kind and the path of a source.
_SourceKey = tuple[Hashable, str]
# The content of a pack: the digest of each source and its result. `marshal` serializes each result on its own, so that
# a program deserializes only those that it needs.
_Pack = dict[_SourceKey, tuple[bytes, bytes]]


class _NewResult(NamedTuple):
    """A result that is not in its pack yet.

    Attributes:
        digest: The digest of its source.
        make_storable: Returns it as a value for `marshal`, or None to store nothing.
    """

    digest: bytes
    make_storable: Callable[[], Any]


class DiskCache:
    """A cache of the results of processing files, in a folder at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder = CacheFolder(path)
        self._packs: dict[_PackKey, _Pack] = {}  # the packs that the running program has read
        # The new results. They are written after the program has ended, so that stopping it cannot interrupt that.
        self._unwritten: dict[_PackKey, dict[_SourceKey, _NewResult]] = {}

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
        pack_key, key, digest = (_find_module(path), tuple(settings)), (kind, path), compute_text_digest(text)
        source = None
        with suppress(*_DAMAGE):
            source = deserialize(text, path, marshal.loads(self._find(pack_key, key, digest)))
        # Nothing is stored of a new source: its tree is worth storing even if none of its code can be.
        stored_count = -1 if source is None else len(source.stored)

        def add_source(source: CompiledSource) -> None:
            result = _NewResult(digest, lambda: serialize(source, stored_count))
            self._unwritten.setdefault(pack_key, {})[key] = result

        if source is None:
            source = make(text)
            add_source(source)
        source.on_growth = add_source  # parts of a source are compiled when a program first needs them
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
        pack_key, key, digest = (_find_module(path), ()), (name, path), compute_text_digest(text)
        with suppress(*_DAMAGE):
            (fields,) = marshal.loads(self._find(pack_key, key, digest))
            return None if fields is None else DeclaredType(**fields)
        record = read()
        stored = (
            None
            if record is None
            else {field: getattr(record, field) for field in DeclaredType.record_fields}
        )
        self._unwritten.setdefault(pack_key, {})[key] = _NewResult(digest, lambda: (stored,))
        return record

    def _find(self, pack_key: _PackKey, key: _SourceKey, digest: bytes) -> bytes:
        """Return the stored result for a text, as `marshal` has written it; b"" without one."""
        pack = self._packs.get(pack_key)
        if pack is None:
            pack = self._packs[pack_key] = self._folder.get(make_name(*pack_key)) or {}
        stored_digest, content = pack.get(key, (b"", b""))
        return content if stored_digest == digest else b""

    def flush(self) -> str | None:
        """Write the new results, and return a warning about the folder, each warning once."""
        self._packs.clear()
        # The program has ended: after an interrupt the next call writes the remaining results.
        with suppress(KeyboardInterrupt):
            if self._unwritten and self._folder.is_outdated():
                self._unwritten.clear()
            while self._unwritten:
                self._write(*self._unwritten.popitem())
        return self._folder.take_warning()

    def _write(self, pack_key: _PackKey, new_results: dict[_SourceKey, _NewResult]) -> None:
        """Add the new results of a module to its pack, which another process may have extended."""
        name, added = make_name(*pack_key), _Pack()
        for key, result in new_results.items():
            with suppress(Exception):  # a program must not fail because a result cannot be serialized
                value = result.make_storable()
                if value is not None:
                    added[key] = result.digest, marshal.dumps(value)
        if added:
            pack: _Pack = self._folder.get(name) or {}
            # a pack that has become long is replaced, which drops the results of sources that are gone
            is_long = sum(len(content) for _, content in pack.values()) > LONGEST // 2
            self._folder.put(name, added if is_long else pack | added)


def _find_module(path: str) -> str:
    """Return the folder of the module to which a file belongs."""
    place = max(path.rfind(part) for part in _PARTS)
    return path[: path.rfind("/") if place < 0 else place]


@memoize(unbounded_because="one for each folder of caches", interned=True)
def get_cache(path: str) -> DiskCache:
    """Return the cache in a folder: one for all sessions of the process."""
    return DiskCache(path)
