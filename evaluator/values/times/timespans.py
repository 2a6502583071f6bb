"""Timespan: durations in nanoseconds.

The base class, the units and `read_by_formats` are shared with Timestamp.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from evaluator.issues import Failure, require
from evaluator.limits import STRING
from evaluator.values.floats import to_whole
from evaluator.values.kind import TIMESPAN, Kind, OrderedValue
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record


class Time(OrderedValue, Record):
    """The base class of Timestamp and Timespan: nanoseconds, compared within one class."""

    nanoseconds: int

    kind: ClassVar[Kind]

    def get_identity(self) -> tuple[int]:
        """Return the nanoseconds."""
        return (self.nanoseconds,)

    @property
    def order(self) -> int:
        return self.nanoseconds

    def seconds(self) -> float:
        """Return the seconds as Float."""
        return self.nanoseconds / SECOND

    def whole_seconds(self) -> int:
        """Return the seconds as Integer, rounded down."""
        return self.nanoseconds // SECOND

    def text(self) -> str:
        raise NotImplementedError

    def literal(self) -> str:
        """Return the value as source code: `Timespan('0-00:00:01.0')`."""
        return f"{self.kind.name}('{self.text()}')"


# --- units

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def to_nanoseconds(seconds: int | float) -> int:
    """Convert seconds to nanoseconds. Raise Failure for NaN and infinities."""
    return seconds * SECOND if type(seconds) is int else to_whole(seconds * SECOND)


FIELDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")


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
        """Return the sum of the fields, negated if `negative`."""
        total = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
        total += milliseconds * 1_000_000 + microseconds * 1000 + nanoseconds
        return cls(int(-total if negative else total))

    @classmethod
    def parse(cls, text: str, formats: Any = None) -> Timespan:
        """Return the duration of a string by a format, or the first of several that matches.

        Args:
            text: The string.
            formats: A format, a list of formats, or None for the default formats.

        Raises:
            Failure: No format matches.
        """
        return cls(read_by_formats(text, formats, DEFAULT_FORMATS, _parse_by_format))

    @classmethod
    def of_hash(cls, fields: dict[str, Any]) -> Timespan:
        """Return the duration of a hash: `{string, format}`, or the fields that `of_fields` takes.

        Raises:
            Failure: No format matches, or a field is not a number.
        """
        if "string" in fields:
            return cls.parse(fields["string"], fields.get("format"))
        arguments = {
            name: value
            for name, value in fields.items()
            if name in ("negative", *FIELDS) and value is not None
        }
        for name, value in arguments.items():
            if name != "negative" and type(value) not in (int, float):
                actual = str(value).lower() if type(value) is bool else get_ruby_class(value)
                raise Failure("NO_COERCION", actual=actual, type="Integer")
        return cls.of_fields(**arguments)

    def strftime(self, format: str) -> str:
        """Return the text of the duration by a format with `%D %H %M %S %L %N`.

        The first directive of the largest unit includes the units above it.
        """
        parts = split_format(format)
        directives = [part for part in parts if isinstance(part, TimespanDirective)]
        letters = [directive.char for directive in directives]
        largest = next((directives[letters.index(unit)] for unit in UNITS if unit in letters), None)
        total = abs(self.nanoseconds)
        texts = [
            part if isinstance(part, str) else _format_directive(part, total, is_largest=part is largest)
            for part in parts
        ]
        return ("-" if self.nanoseconds < 0 else "") + "".join(texts)

    def text(self) -> str:
        """Return `1-02:03:04.5`: days, hours, minutes, seconds, a fraction without trailing zeros."""
        total = abs(self.nanoseconds)
        days, rest = divmod(total, DAY)
        hours, rest = divmod(rest, HOUR)
        minutes, rest = divmod(rest, MINUTE)
        seconds, fraction = divmod(rest, SECOND)
        sign = "-" if self.nanoseconds < 0 else ""
        # as in the released Puppet, without leading zeros too: 0.05 seconds are `0.5`
        digits = str(fraction).rstrip("0") or "0"
        return f"{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{digits}"


# --- formats

DEFAULT_FORMATS = [
    "%D-%H:%M:%S.%-N",
    "%H:%M:%S.%-N",
    "%M:%S.%-N",
    "%S.%-N",
    "%D-%H:%M:%S",
    "%H:%M:%S",
    "%D-%H:%M",
    "%S",
]
# By the letters of directives, the largest unit first. Both `%L` and `%N` are the fraction of a second, in milliseconds
# and in nanoseconds.
UNITS = {"D": DAY, "H": HOUR, "M": MINUTE, "S": SECOND, "L": 1_000_000, "N": 1}  # nanoseconds
PER_LARGER_UNIT = {"H": 24, "M": 60, "S": 60, "L": 1000, "N": SECOND}
WIDTHS = {"D": 1, "H": 2, "M": 2, "S": 2, "L": 3, "N": 9}  # characters, by default
FRACTIONS = "LN"  # the letters of fractions of a second

_SEGMENT = LazyPattern(r"%([-_0]?)([0-9]*)(.?)|[^%]+", re.DOTALL)


class TimespanDirective(Record):
    """A directive of a format, such as `%-3H`.

    Attributes:
        flag: "-" for no padding, "_" for spaces, "0" for zeros, "" for the default.
        width: The number of characters; None for the default.
        char: Its letter.
    """

    flag: str
    width: int | None
    char: str


def split_format(format: str) -> list[str | TimespanDirective]:
    """Return the literal strings and the directives of a format. Raise Failure for an unknown one."""
    parts: list[str | TimespanDirective] = []
    for match in _SEGMENT.finditer(format):
        flag, width, char = match.groups()
        if char is None:
            parts.append(match[0])
        elif char == "%":
            parts.append("%")
        elif char in UNITS:
            if width.startswith("0") and not flag:  # `%05H`: the first zero is the flag
                flag, width = "0", width.lstrip("0")
            parts.append(TimespanDirective(flag, int(width[:9]) if width else None, char))
        else:
            end = match.end() - 1  # the released message omits the last character
            specifier = format[match.start() : end]
            raise Failure("BAD_FORMAT_SPECIFIER", specifier=specifier, format=format, position=end)
    return parts


def _format_directive(part: TimespanDirective, total: int, is_largest: bool) -> str:
    """Return the text of a directive; that of the largest unit includes the units above it."""
    value = total // UNITS[part.char]
    if not is_largest and part.char in PER_LARGER_UNIT:
        value %= PER_LARGER_UNIT[part.char]
    width = WIDTHS[part.char] if part.width is None else part.width
    if part.char not in FRACTIONS:
        if part.flag == "-":
            return str(value)
        STRING.check(width)
        return str(value).rjust(width, " " if part.flag == "_" else "0")
    if part.char == "N" and width < WIDTHS["N"]:
        value //= 10 ** (WIDTHS["N"] - width)  # the width is the number of leading digits
    # A fraction is padded at its end with spaces, and may lose its trailing zeros. Without a larger unit the number is
    # not a fraction: it keeps its zeros.
    text = str(value)
    if not is_largest and part.flag in ("-", "_"):
        text = text.rstrip("0") or "0"
    STRING.check(width)
    return text if part.flag == "-" else text.ljust(width)


def read_by_formats(
    text: str, formats: Any, defaults: list[str], read: Callable[[str, str], int | None]
) -> int:
    """Return the nanoseconds of a string by the first format that matches.

    Args:
        text: The string.
        formats: A format, a list of formats, or None for the default formats.
        defaults: The default formats.
        read: Returns the nanoseconds of a string in a format; None if the format does not match.

    Raises:
        Failure: No format matches.
    """
    listed = [formats] if isinstance(formats, str) else formats
    if listed is None:
        listed = defaults
    for format in listed:
        nanoseconds = read(text, format)
        if nanoseconds is not None:
            return nanoseconds
    require(not isinstance(formats, str), "TIME_NOT_IN_FORMAT", value=text, format=formats)
    raise Failure("TIME_NOT_READ", value=text, formats=", ".join(listed))


def _parse_by_format(text: str, format: str) -> int | None:
    """Return the nanoseconds of a duration in a format; None if the text has another form."""
    parts = split_format(format)
    directives = [part for part in parts if isinstance(part, TimespanDirective)]
    pattern = "".join(
        re.escape(part) if isinstance(part, str) else _make_directive_pattern(part) for part in parts
    )
    match = re.fullmatch(f"(-)?{pattern}", text)
    if match is None:
        return None
    has_whole = not directives or any(part.char not in FRACTIONS for part in directives)
    require(has_whole, "ONLY_FRACTIONS")
    total = 0
    for part, digits in zip(directives, match.groups()[1:], strict=True):
        if part.char in FRACTIONS:
            total += int(digits.strip().ljust(9, "0")[:9])
        else:
            total += int(digits) * UNITS[part.char]
    return -total if match[1] else total


def _make_directive_pattern(part: TimespanDirective) -> str:
    """Return the regular expression of the digits that a directive reads."""
    width = part.width
    if width is None and part.char in FRACTIONS:
        return f"([0-9]{{1,{WIDTHS[part.char]}}})"
    if width is None:
        return "( *[0-9]+)" if part.flag == "_" else "([0-9]+)"
    if part.flag == "-":
        return f"([0-9]{{1,{width}}})"
    if part.flag == "_" and part.char not in FRACTIONS:
        return f"([ 0-9]{{{width}}}(?<=[0-9]))"  # spaces precede the digits
    return f"([0-9]{{{width}}})"
