"""Regular expressions that are compiled when first used: compiling all of them would slow the start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Found = re.Match[str] | None


class LatePattern:
    """A regular expression of `re`, with the methods of a compiled one."""

    __slots__ = ("_flags", "_text", "finditer", "fullmatch", "match", "search", "sub")

    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., Found]
    match: Callable[..., Found]
    search: Callable[..., Found]
    sub: Callable[..., str]

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method that is asked for the first time."""
        compiled = re.compile(self._text, self._flags)
        for method in ("finditer", "fullmatch", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
