"""Timespan: durations, exact to the nanosecond."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure
from evaluator.values.kind import TIMESPAN
from evaluator.values.ruby_classes import get_ruby_class
from evaluator.values.times.times import Time
from evaluator.values.times.timespan_formats import format_timespan, parse_timespan
from evaluator.values.times.units import DAY, HOUR, MINUTE, SECOND

_FIELDS = frozenset(
    ("negative", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
)


class Timespan(Time):
    """A duration, possibly negative."""

    __slots__ = ()

    kind = TIMESPAN

    @classmethod
    def of_fields(
        cls,
        negative: bool = False,
        days: float = 0,
        hours: float = 0,
        minutes: float = 0,
        seconds: float = 0,
        milliseconds: float = 0,
        microseconds: float = 0,
        nanoseconds: float = 0,
    ) -> Timespan:
        """The sum of the fields, negated when `negative`."""
        total = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
        total += milliseconds * 1_000_000 + microseconds * 1000 + nanoseconds
        return cls(int(-total if negative else total))

    @classmethod
    def parse(cls, text: str, formats: Any = None) -> Timespan:
        """Reads a text by a format, or the first that fits of several; None: the default formats.

        Raises Failure when no format fits.
        """
        return cls(parse_timespan(text, formats))

    @classmethod
    def of_hash(cls, fields: dict[str, Any]) -> Timespan:
        """From `{string, format}` or the fields `days` to `nanoseconds` and `negative`; undef is no field."""
        if "string" in fields:
            return cls.parse(fields["string"], fields.get("format"))
        known = {name: value for name, value in fields.items() if name in _FIELDS and value is not None}
        for name, value in known.items():
            if name != "negative" and type(value) not in (int, float):
                actual = str(value).lower() if type(value) is bool else get_ruby_class(value)
                raise Failure("NO_COERCION", actual=actual, type="Integer")
        return cls.of_fields(**known)

    def strftime(self, format: str) -> str:
        """The duration by directives `%D %H %M %S %L %N`, of which the largest takes all that is above it."""
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
