"""The cache of a session: what was read and compiled of a file is looked for there, and kept there afterwards."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from evaluator.cache.folder import CacheFolder, make_name
from evaluator.cache.serialization import deserialize, serialize
from evaluator.compiler.unit import CompiledSource
from evaluator.resource_types.records import Record
from lexer_parser.memo import memoize


class DiskCache:
    """What is made of files, in a folder."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder = CacheFolder(path)
        # by the names under which they are kept; they are written when the program has ended, which may be stopped
        self._grown: dict[str, CompiledSource] = {}
        self._records: dict[str, Any] = {}

    def load_source(self, path: str, purpose: Hashable, text: str, make: Callable[[str], Any]) -> Any:
        """What `make` makes of the text of a file, or what has been made of the same before.

        purpose  what it is made for, with all that decides what it becomes
        """
        name = make_name("reading", purpose, path, text)
        found = self._folder.get(name)
        reading = None
        if found is not None:
            with suppress(ValueError, TypeError, IndexError, KeyError):
                reading = deserialize(text, path, found)
        if reading is None:
            reading = make(text)
            self._grown[name] = reading
        reading.on_growth = lambda grown: self._grown.__setitem__(name, grown)
        return reading

    def load_record(
        self, purpose: Hashable, text: str, find: Any, read: Callable[[Any], Record | None]
    ) -> Any:
        """The record of a resource type that `read` finds in a text and in the sources that it asks `find` for."""
        name = make_name("type", purpose, text)
        found = self._folder.get(name)
        if found is not None:
            with suppress(ValueError, TypeError):
                record, asked = found
                if all(_digest(find(wanted)) == digest for wanted, digest in asked):
                    return None if record is None else Record(**record)
        asked = []

        def finding(wanted: str) -> Any:
            source = find(wanted)
            asked.append((wanted, _digest(source)))
            return source

        made = read(finding)
        plain = None if made is None else {field: getattr(made, field) for field in Record.__slots__}
        self._records[name] = plain, asked
        return made

    def flush(self) -> str | None:
        """Writes down what is new since the last time; gives what is to be said of the folder, once."""
        with suppress(KeyboardInterrupt):  # the program has ended; what is left is kept the next time
            while self._grown:
                name, reading = self._grown.popitem()
                with suppress(Exception):  # no program fails for what cannot be written down
                    value = serialize(reading)
                    if value is not None:
                        self._folder.put(name, value)
            while self._records:
                self._folder.put(*self._records.popitem())
        return self._folder.take_warning()


def _digest(source: tuple[str, str] | None) -> str:
    return "" if source is None else make_name(*source)


@memoize(owner="one for each folder of caches", interned=True)
def get_cache(path: str) -> DiskCache:
    """The cache in a folder: one for all sessions of the process."""
    return DiskCache(path)
