"""The tree of an explanation: a question, its answer, the reason, and the parts on which the answer depends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.program.scope import MISSING

if TYPE_CHECKING:
    from evaluator.values.kind import Value
    from lexer_parser.source import Span


class Explanation:
    """One line of an explanation, with the lines below it.

    Attributes:
        what: The subject, as source code or as a path: `[2]`, `'port'`, `Integer`.
        holds: True if the subject matches, None if that was never decided.
        words: The reason.
        parts: The explanations of the parts on which the answer depends.
        value: The value of the subject, `MISSING` if it has none.
        span: The position of the subject in the program.
    """

    __slots__ = ("holds", "parts", "span", "value", "what", "words")

    def __init__(
        self,
        what: str,
        holds: bool | None,
        words: str = "",
        parts: Sequence[Explanation] = (),
        *,
        value: Value = MISSING,
        span: Span | None = None,
    ) -> None:
        self.what = what
        self.holds = holds
        self.words = words
        self.parts = tuple(parts)
        self.value = value
        self.span = span
