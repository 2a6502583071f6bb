"""An explanation: what was asked, whether it holds, why, and the parts on which that depends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.program.scope import MISSING
from lexer_parser.source import Span


class Because:
    """One line of an explanation, with those below it.

    what   what it is about, as code or as a path: `[2]`, `'port'`, `Integer`
    holds  whether it fits, None where nobody asked
    words  why
    value  the value it is about, MISSING for none;  span  where it stands in the program
    """

    __slots__ = ("holds", "parts", "span", "value", "what", "words")

    def __init__(
        self,
        what: str,
        holds: bool | None,
        words: str = "",
        parts: Sequence[Because] = (),
        *,
        value: Any = MISSING,
        span: Span | None = None,
    ) -> None:
        self.what = what
        self.holds = holds
        self.words = words
        self.parts = tuple(parts)
        self.value = value
        self.span = span
