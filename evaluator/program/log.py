"""The log lines that a program writes while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.program import effects
from evaluator.program.tracing import iterate_code_frames
from lexer_parser.record import Record
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


FindSimilar = Callable[[], str | None]  # finds the existing name that is most similar to an unknown one


class Log(Record):
    """A log line: its level ("notice", "warning", "err", …), its text, and its source place.

    Attributes:
        _similar: For a message about an unknown name, the search for the most similar one; after the search, its
            result.
        writer: The type and title of the resource whose body wrote the line, while the catalog is finalized.
    """

    level: str
    message: str
    span: Span | None = None
    _similar: FindSimilar | str | None = None
    writer: tuple[str, str] | None = None

    @property
    def suggestion(self) -> str | None:
        """The existing name most similar to the unknown one, or None; searched on first access.

        Programs write many lines that nobody looks at, and comparing names took a third of the time of a catalog.
        """
        if callable(self._similar):
            self._similar = self._similar()
        return self._similar

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the line for pickling, together with the name that was searched for."""
        return Log, (self.level, self.message, self.span), (None, {"_similar": self.suggestion})

    def __repr__(self) -> str:
        return f"{self.level}: {self.message}"


# --- warnings of deprecations


def log_deprecation(runtime: Runtime, message: str, *, once_per_line: bool = False) -> None:
    """Log a warning once in a program, or once for each line of the program that causes it."""
    log_once(runtime, message, _format_running_place() if once_per_line else None)


MOST_REPORTED = 10  # at most this many errors, warnings and deprecations of one source are logged


def log_once(runtime: Runtime, message: str, place: str | None = None, subject: str = "") -> None:
    """Log a warning unless it has been logged for the same place or subject before.

    Args:
        runtime: The running program.
        message: The text of the warning.
        place: The place that the warning mentions; None if it is unknown; "" to mention none.
        subject: Warnings with the same subject are logged once; by default, those with the same text and place.
    """
    text = message if place == "" else f"{message}\n   ({place or 'file & line not available'})"
    effects.forbid_repetition()  # whether the line is logged depends on what has been logged
    subject = subject or text
    if subject not in runtime.state.warned:
        runtime.state.warned.add(subject)
        runtime.log("warning", text)


def _format_running_place() -> str | None:
    """Return the place of the running Puppet code: `line: 3`, or `file: site.pp, line: 3`."""
    for unit, frame in iterate_code_frames(sys._getframe(2)):
        name = unit.source.name
        return f"{f'file: {name}, ' if name else ''}line: {frame.f_lineno}"
    return None
