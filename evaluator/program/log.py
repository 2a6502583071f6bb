"""Log lines: what a program tells while it runs."""

from __future__ import annotations

from lexer_parser.source import Span


class Log:
    """A log line: its level ("notice", "warning", "err", …), its text, and where it was written.

    suggestion  a name that is there and most like the one which the line misses, or None
    """

    __slots__ = ("level", "message", "span", "suggestion")

    def __init__(
        self, level: str, message: str, span: Span | None = None, suggestion: str | None = None
    ) -> None:
        self.level = level
        self.message = message
        self.span = span
        self.suggestion = suggestion

    def __repr__(self) -> str:
        return f"{self.level}: {self.message}"
