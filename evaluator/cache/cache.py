"""The disk cache of a session: compiled sources and records of resource types."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from evaluator.cache.folder import CacheFolder, make_name
from evaluator.cache.serialization import deserialize, serialize
from evaluator.compiler.unit import CompiledSource
from evaluator.resource_types.records import DeclaredType
from lexer_parser.memo import memoize

# The fields of a record, None for a source that does not declare its type.
_StoredRecord = tuple[dict[str, Any] | None]


class DiskCache:
    """A cache of the results of processing files, in a folder at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder = CacheFolder(path)
        # New entries by name. They are written after the program has ended, so that stopping it cannot interrupt that.
        self._grown: dict[str, CompiledSource] = {}
        self._records: dict[str, _StoredRecord] = {}

    def load_source(
        self, path: str, purpose: Hashable, text: str, make: Callable[[str], CompiledSource]
    ) -> CompiledSource:
        """Return the compiled source of a file, from the cache if the text is the same.

        Args:
            path: The path of the file.
            purpose: The purpose of the source, with everything that determines how it is compiled.
            text: The text of the file.
            make: A function that returns the compiled source of a text.
        """
        name = make_name("reading", purpose, path, text)
        found = self._folder.get(name)
        source = None
        if found is not None:
            with suppress(ValueError, TypeError, IndexError, KeyError):
                source = deserialize(text, path, found)
        if source is None:
            source = make(text)
            self._grown[name] = source
        source.on_growth = lambda grown: self._grown.__setitem__(name, grown)
        return source

    def load_record(
        self, name: str, text: str, read: Callable[[], DeclaredType | None]
    ) -> DeclaredType | None:
        """Return the record of a resource type, from the cache if its source is the same.

        Args:
            name: The name of the type.
            text: The text of its source.
            read: A function that reads the record.
        """
        entry = make_name("type", name, text)
        found = self._folder.get(entry)
        if found is not None:
            with suppress(ValueError, TypeError):
                (fields,) = found
                return None if fields is None else DeclaredType(**fields)
        record = read()
        stored = (
            None
            if record is None
            else {field: getattr(record, field) for field in DeclaredType.record_fields}
        )
        self._records[entry] = (stored,)
        return record

    def flush(self) -> str | None:
        """Write the new entries, and return a warning about the folder, each warning once."""
        # The program has ended: after an interrupt the next call writes the remaining entries.
        with suppress(KeyboardInterrupt):
            if (self._grown or self._records) and self._folder.is_outdated():
                self._grown.clear()
                self._records.clear()
            while self._grown:
                name, source = self._grown.popitem()
                with suppress(Exception):  # a program must not fail because an entry cannot be serialized
                    value = serialize(source)
                    if value is not None:
                        self._folder.put(name, value)
            while self._records:
                self._folder.put(*self._records.popitem())
        return self._folder.take_warning()


@memoize(owner="one for each folder of caches", interned=True)
def get_cache(path: str) -> DiskCache:
    """Return the cache in a folder: one for all sessions of the process."""
    return DiskCache(path)
