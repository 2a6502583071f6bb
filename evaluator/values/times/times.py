"""Timestamp and Timespan: instants and durations, exact to the nanosecond."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_FIELDS = frozenset(
    ("negative", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
)


def nanoseconds_of(seconds: int | float) -> int:
    """A number of seconds in nanoseconds. Raises Failure for NaN and infinities."""
    if type(seconds) is int:
        return seconds * SECOND
    scaled = seconds * SECOND
    if scaled != scaled or scaled in (float("inf"), float("-inf")):
        raise Failure(
            "NOT_FINITE", value="NaN" if scaled != scaled else "Infinity" if scaled > 0 else "-Infinity"
        )
    return int(scaled)


class Time:
    """What Timestamp and Timespan share: an exact number of nanoseconds, compared within one kind."""

    __slots__ = ("nanoseconds",)

    kind = ""

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.nanoseconds))

    def __repr__(self) -> str:
        return self.literal()

    def __lt__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds < other.nanoseconds

    def __le__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds <= other.nanoseconds

    def __gt__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds > other.nanoseconds

    def __ge__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds >= other.nanoseconds

    def seconds(self) -> float:
        """The seconds as Float."""
        return self.nanoseconds / SECOND

    def whole_seconds(self) -> int:
        """The seconds as Integer, rounded down."""
        return self.nanoseconds // SECOND

    def text(self) -> str:
        raise NotImplementedError

    def literal(self) -> str:
        """The form of source code: `Timespan('0-00:00:01.0')`."""
        return f"{self.kind}('{self.text()}')"


class Timespan(Time):
    """A duration, possibly negative."""

    __slots__ = ()

    kind = "Timespan"

    @classmethod
    def of_fields(
        cls,
        negative: bool = False,
        days: int = 0,
        hours: int = 0,
        minutes: int = 0,
        seconds: int = 0,
        milliseconds: int = 0,
        microseconds: int = 0,
        nanoseconds: int = 0,
    ) -> Timespan:
        """The sum of the fields, negated when `negative`."""
        total = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
        total += milliseconds * 1_000_000 + microseconds * 1000 + nanoseconds
        return cls(-total if negative else total)

    @classmethod
    def parse(cls, text: str, formats: Any = None) -> Timespan:
        """Reads a text by a format, or the first that fits of several; None: the default formats.

        Raises Failure when no format fits.
        """
        from evaluator.values.times.timespan_formats import parse_timespan

        return cls(parse_timespan(text, formats))

    @classmethod
    def of_hash(cls, fields: dict[str, Any]) -> Timespan:
        """From `{string, format}` or the fields `days` to `nanoseconds` and `negative`."""
        if "string" in fields:
            return cls.parse(fields["string"], fields.get("format"))
        known = {name: value for name, value in fields.items() if name in _FIELDS}
        for value in known.values():
            if type(value) not in (int, bool):
                raise Failure(
                    "NO_IMPLICIT_CONVERSION", actual=type(value).__name__.capitalize(), type="Integer"
                )
        return cls.of_fields(**known)

    def strftime(self, format: str) -> str:
        """The duration by directives `%D %H %M %S %L %N`, of which the largest takes all that is above it."""
        from evaluator.values.times.timespan_formats import format_timespan

        return format_timespan(self.nanoseconds, format)

    def text(self) -> str:
        """`1-02:03:04.5`: days, hours, minutes, seconds and a fraction without trailing zeros."""
        total = abs(self.nanoseconds)
        days, rest = divmod(total, DAY)
        hours, rest = divmod(rest, HOUR)
        minutes, rest = divmod(rest, MINUTE)
        seconds, fraction = divmod(rest, SECOND)
        sign = "-" if self.nanoseconds < 0 else ""
        # the released Puppet drops the fraction's leading zeros too
        digits = str(fraction).rstrip("0") or "0"
        return f"{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{digits}"


class Timestamp(Time):
    """An instant: nanoseconds since 1970-01-01 00:00 UTC."""

    __slots__ = ()

    kind = "Timestamp"

    @classmethod
    def now(cls) -> Timestamp:
        import time

        return cls(time.time_ns())

    @classmethod
    def parse(cls, text: str, formats: Any = None, timezone: str | None = None) -> Timestamp:
        """Reads a text by a format, or the first that fits of several; None: the default formats.

        Raises Failure when no format fits or the time zone is unknown.
        """
        from evaluator.values.times.timestamp_parsing import parse_timestamp

        return cls(parse_timestamp(text, formats, timezone))

    def strftime(self, format: str, timezone: str | None = None) -> str:
        """The instant by strftime directives, in UTC or a zone such as `+02:00` or `PST`."""
        from evaluator.values.times.timestamp_formats import format_timestamp

        return format_timestamp(self.nanoseconds, format, timezone)

    def text(self) -> str:
        """`1970-01-01T00:00:00.000000000 UTC`."""
        return self.strftime("%FT%T.%N UTC")
