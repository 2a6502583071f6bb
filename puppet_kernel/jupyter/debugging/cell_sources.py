"""The paths by which front ends name cells: a hash of the text."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from lexer_parser.source import Source

SEED = 0x50757070
PREFIX, SUFFIX = "cell-", ".pp"
_FACTOR, _ALL = 0x5BD1E995, 0xFFFFFFFF


class CellSources:
    """The cells that were named: the text of each path, and the code in it, which is what runs.

    Args:
        code_of: Returns the code of a text.
    """

    def __init__(self, code_of: Callable[[str], str]) -> None:
        self._code_of = code_of
        self._known: dict[str, tuple[str, str]] = {}

    def add(self, text: str) -> str:
        """Add a cell and return its path."""
        path = _make_path(text)
        self._known[path] = text, self._code_of(text)
        return path

    def get_text(self, path: str) -> str | None:
        """Return the text of a cell, or None if it is unknown."""
        return self._known[path][0] if path in self._known else None

    def get_code(self, path: str) -> str | None:
        """Return the code of a cell, or None if it is unknown."""
        return self._known[path][1] if path in self._known else None

    def find_path(self, key: str) -> str:
        """Return the path of a breakpoint key, which is a file or the code of a cell."""
        found = next((path for path, (_, code) in self._known.items() if code == key), None)
        if found is not None:
            return found
        return key if os.path.isabs(key) and "\n" not in key else self.add(key)

    def to_protocol(self, source: Source) -> dict[str, Any]:
        """Return a source as the protocol has it."""
        path = os.path.abspath(source.name) if source.name is not None else self.find_path(source.text)
        return {"path": path, "name": os.path.basename(path), "sourceReference": 0}


def _make_path(text: str) -> str:
    return f"{PREFIX}{hash_murmur2(text.encode('utf-8', 'surrogatepass'), SEED)}{SUFFIX}"


def hash_murmur2(data: bytes, seed: int) -> int:
    """Return the 32-bit MurmurHash2 of bytes, with which front ends name cells."""
    whole = len(data) & ~3
    found = (seed ^ len(data)) & _ALL
    for place in range(0, whole, 4):
        part = int.from_bytes(data[place : place + 4], "little") * _FACTOR & _ALL
        part = (part ^ part >> 24) * _FACTOR & _ALL
        found = found * _FACTOR & _ALL ^ part
    if whole < len(data):
        found = (found ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _ALL
    found = (found ^ found >> 13) * _FACTOR & _ALL
    return found ^ found >> 15
