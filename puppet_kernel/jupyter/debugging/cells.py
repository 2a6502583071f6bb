"""The names that cells have for a front end, which come from their texts."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from lexer_parser.source import Source
from puppet_kernel.jupyter.debugging.hashing import murmur2

SEED = 0x50757070
PREFIX, SUFFIX = "cell-", ".pp"


class Cells:
    """The cells that were named: path -> the text, and the code in it, which is what runs.

    code_of  gives the code of a text
    """

    def __init__(self, code_of: Callable[[str], str]) -> None:
        self._code_of = code_of
        self._known: dict[str, tuple[str, str]] = {}

    def name(self, text: str) -> str:
        """The path of a cell, which is known from now on."""
        path = _path(text)
        self._known[path] = text, self._code_of(text)
        return path

    def text(self, path: str) -> str | None:
        """The text of a cell that is known."""
        return self._known[path][0] if path in self._known else None

    def code(self, path: str) -> str | None:
        """The code of a cell that is known."""
        return self._known[path][1] if path in self._known else None

    def path(self, key: str) -> str:
        """The path of a source: its own, or, where its key is the code of a cell, the cell's."""
        found = next((path for path, (_, code) in self._known.items() if code == key), None)
        if found is not None:
            return found
        return key if os.path.isabs(key) and "\n" not in key else self.name(key)

    def place(self, source: Source) -> dict[str, Any]:
        """A source as the protocol has it."""
        path = os.path.abspath(source.name) if source.name is not None else self.path(source.text)
        return {"path": path, "name": os.path.basename(path), "sourceReference": 0}


def _path(text: str) -> str:
    return f"{PREFIX}{murmur2(text.encode('utf-8', 'surrogatepass'), SEED)}{SUFFIX}"
