"""Log lines: what a program tells while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexer_parser.source import Span

FindSimilar = Callable[[], str | None]


class Log:
    """A log line: its level ("notice", "warning", "err", …), its text, and where it was written.

    near    finds the name that is there and most like the one which the line misses
    writer  the type and title of the resource whose body has written it, while the catalog is settled
    """

    __slots__ = ("_near", "level", "message", "span", "writer")

    def __init__(
        self,
        level: str,
        message: str,
        span: Span | None = None,
        near: FindSimilar | None = None,
        writer: tuple[str, str] | None = None,
    ) -> None:
        self.level = level
        self.message = message
        self.span = span
        self._near: FindSimilar | str | None = near
        self.writer = writer

    @property
    def suggestion(self) -> str | None:
        """The name that is most like the one which the line misses, or None; looked for when it is first asked for.

        Programs write many lines that nobody looks at, and comparing names took a third of the time of a catalog.
        """
        if callable(self._near):
            self._near = self._near()
        return self._near

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: with the name that was looked for."""
        return Log, (self.level, self.message, self.span), (None, {"_near": self.suggestion})

    def __repr__(self) -> str:
        return f"{self.level}: {self.message}"
