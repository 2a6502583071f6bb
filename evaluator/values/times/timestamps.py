"""Timestamp: instants, exact to the nanosecond."""

from __future__ import annotations

import time
from typing import Any

from evaluator.values.kind import TIMESTAMP
from evaluator.values.times.times import Time
from evaluator.values.times.timestamp_formats import format_timestamp
from evaluator.values.times.timestamp_parsing import parse_timestamp


class Timestamp(Time):
    """An instant: nanoseconds since 1970-01-01 00:00 UTC."""

    __slots__ = ()

    kind = TIMESTAMP

    @classmethod
    def now(cls) -> Timestamp:
        return cls(time.time_ns())

    @classmethod
    def parse(cls, text: str, formats: Any = None, timezone: str | None = None) -> Timestamp:
        """Reads a text by a format, or the first that fits of several; None: the default formats.

        Raises Failure when no format fits or the time zone is unknown.
        """
        return cls(parse_timestamp(text, formats, timezone))

    def strftime(self, format: str, timezone: str | None = None) -> str:
        """The instant by strftime directives, in UTC or a zone such as `+02:00` or `PST`."""
        return format_timestamp(self.nanoseconds, format, timezone)

    def text(self) -> str:
        """`1970-01-01T00:00:00.000000000 UTC`."""
        return self.strftime("%FT%T.%N UTC")
