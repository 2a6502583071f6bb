"""Reading Timestamps: Ruby's strptime."""

from __future__ import annotations

import re
from typing import Any

from evaluator.issues import Failure
from evaluator.values.times.timestamp_formats import COMPOSITES, MONTHS, WEEKDAYS, days_of_date
from evaluator.values.times.timezones import explicit_offset
from evaluator.values.times.units import SECOND

_PLAIN_FORMATS = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"]
DEFAULT_FORMATS = [f"{format} %Z" for format in _PLAIN_FORMATS] + _PLAIN_FORMATS
# directive -> field, pattern, least, greatest
READ_NUMBERS: dict[str, tuple[str, str, int, int]] = {
    "C": ("century", r"[-+]?[0-9]{1,2}", -99, 99),
    "d": ("day", r" ?[0-9]{1,2}", 1, 31),
    "e": ("day", r" ?[0-9]{1,2}", 1, 31),
    "G": ("ignored", r"[-+]?[0-9]+", -(10**9), 10**9),
    "g": ("ignored", r"[0-9]{1,2}", 0, 99),
    "H": ("hour", r" ?[0-9]{1,2}", 0, 24),
    "k": ("hour", r" ?[0-9]{1,2}", 0, 24),
    "I": ("hour", r" ?[0-9]{1,2}", 1, 12),
    "l": ("hour", r" ?[0-9]{1,2}", 1, 12),
    "j": ("ignored", r"[0-9]{1,3}", 1, 366),
    "m": ("month", r"[0-9]{1,2}", 1, 12),
    "M": ("minute", r"[0-9]{1,2}", 0, 59),
    "Q": ("ignored", r"-?[0-9]+", -(10**30), 10**30),
    "S": ("second", r"[0-9]{1,2}", 0, 60),
    "s": ("ignored", r"-?[0-9]+", -(10**30), 10**30),
    "U": ("ignored", r"[0-9]{1,2}", 0, 53),
    "W": ("ignored", r"[0-9]{1,2}", 0, 53),
    "u": ("ignored", r"[0-9]", 1, 7),
    "V": ("ignored", r"[0-9]{1,2}", 1, 53),
    "w": ("ignored", r"[0-9]", 0, 6),
    "y": ("short_year", r"[0-9]{1,2}", 0, 99),
}
READ_COMPOSITES = {**COMPOSITES, "v": "%e-%b-%Y", "+": "%a %b %e %H:%M:%S %Z %Y"}
_ZONE = re.compile(
    r"(?:gmt|utc?)?[-+][0-9]+(?:[,.:][0-9]+(?::[0-9]+)?)?"
    r"|[a-z.\s]+(?:standard|daylight)\stime\b|[a-z]+(?:\sdst)?\b",
    re.IGNORECASE,
)
_MERIDIAN = re.compile(r"([ap])(?:m|\.m\.)", re.IGNORECASE)
_READ_DIRECTIVE = re.compile(r"%(?:E(?=[cCxXyY])|O(?=[deHImMSuUVwWy])|:{1,3}(?=z))?([a-zA-Z%+])")


class _TimestampParser:
    """Reads one text by one format into `fields`; `read` says whether the text fits."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.fields: dict[str, Any] = {}

    def read(self, format: str) -> bool:
        index = 0
        while index < len(format):
            char = format[index]
            if char.isspace():
                while self.text[self.position : self.position + 1].isspace():
                    self.position += 1
            elif char == "%" and (match := _READ_DIRECTIVE.match(format, index)):
                if not self.directive(match[1], _digits_follow(format, match.end())):
                    return False
                index = match.end()
                continue
            elif not self.literal(char):
                return False
            index += 1
        return True

    def literal(self, text: str) -> bool:
        if not self.text.startswith(text, self.position):
            return False
        self.position += len(text)
        return True

    def take(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        match = re.compile(pattern).match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def directive(self, char: str, digits_follow: bool) -> bool:
        if char in READ_NUMBERS:
            return self.number(*READ_NUMBERS[char])
        if char in READ_COMPOSITES:
            return self.read(READ_COMPOSITES[char])
        if char == "Y":
            return self.number(
                "year", r"[-+]?[0-9]{1,4}" if digits_follow else r"[-+]?[0-9]+", -(10**9), 10**9
            )
        if char in "bhB":
            return self.name("month", MONTHS, 1)
        if char in "aA":
            return self.name("ignored", WEEKDAYS, 0)
        if char in "pP":
            match = self.take(_MERIDIAN)
            if match is not None:
                self.fields["meridian"] = 0 if match[1] in "aA" else 12
            return match is not None
        if char in "LN":
            return self.fraction((3 if char == "L" else 9) if digits_follow else None)
        if char in "zZ":
            match = self.take(_ZONE)
            if match is not None:
                self.fields["zone"] = match[0]
            return match is not None
        if char in "nt":
            return self.read(" ")
        return self.literal("%" if char == "%" else f"%{char}")

    def number(self, field: str, pattern: str, least: int, greatest: int) -> bool:
        match = self.take(pattern)
        if match is None or not least <= int(match[0]) <= greatest:
            return False
        self.fields[field] = int(match[0])
        return True

    def name(self, field: str, names: list[str], first: int) -> bool:
        for number, name in enumerate(names, first):
            if self.take(f"(?i:{name}|{name[:3]})"):
                self.fields[field] = number
                return True
        return False

    def fraction(self, most: int | None) -> bool:
        match = self.take(r"([-+]?)([0-9]{1,%s})" % (most or ""))
        if match is None:
            return False
        value = int(match[2].ljust(9, "0")[:9])
        self.fields["nanosecond"] = -value if match[1] == "-" else value
        return True


def _digits_follow(format: str, index: int) -> bool:
    """True when what comes next in a format reads digits, so that a year has to leave some."""
    match = _READ_DIRECTIVE.match(format, index)
    if match is not None:
        return match[1] in "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy"
    return format[index : index + 1].isdecimal()


def parse_timestamp(text: str, formats: Any = None, timezone: str | None = None) -> int:
    """Reads an instant by the first format that fits it, in nanoseconds. Raises Failure when none does."""
    several = not isinstance(formats, str)
    for format in DEFAULT_FORMATS if formats is None else formats if several else [formats]:
        reader = _TimestampParser(text)
        fits = reader.read(format) and reader.position == len(text)
        if fits and not (several and timezone and "zone" in reader.fields):
            return _instant(reader.fields, timezone)
    if several:
        listed = ", ".join(DEFAULT_FORMATS if formats is None else formats)
        raise Failure("TIME_NOT_READ", value=text, formats=listed)
    raise Failure("TIME_NOT_IN_FORMAT", value=text, format=formats)


def _instant(fields: dict[str, Any], timezone: str | None) -> int:
    zone = fields.get("zone")
    if zone is not None and timezone:
        raise Failure("TIMEZONE_TWICE")
    year = fields.get("year")
    if year is None and "short_year" in fields:
        short = fields["short_year"]
        year = short + 100 * fields.get("century", 19 if short >= 69 else 20)
    if year is None:
        raise Failure("NO_IMPLICIT_CONVERSION", actual="nil", type="Integer")
    hour, minute, second = fields.get("hour", 0), fields.get("minute", 0), fields.get("second", 0)
    if "meridian" in fields:
        hour = hour % 12 + fields["meridian"]
    if hour == 24 and (minute or second):
        raise Failure("TIME_OUT_OF_RANGE", part="min" if minute else "sec")
    days = days_of_date(year, fields.get("month", 1), fields.get("day", 1))
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    if zone or timezone:
        seconds -= explicit_offset(zone or timezone or "")
    return int(seconds * SECOND + fields.get("nanosecond", 0))
