"""Writing Timestamps: Ruby's strftime, in the proleptic Gregorian calendar."""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.issues import Failure
from evaluator.limits import STRING
from evaluator.values.times.timezones import displayed_offset
from evaluator.values.times.units import SECOND

# fmt: off
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December"]
WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
# fmt: on

# --- The calendar


def days_of_date(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to a date; `day` may lie beyond the month's end."""
    year -= month <= 2
    era_year = year % 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return year // 400 * 146097 + era_year * 365 + era_year // 4 - era_year // 100 + day_of_year - 719468


def date_of_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days from 1970-01-01."""
    era, day_of_era = divmod(days + 719468, 146097)
    era_year = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * era_year + era_year // 4 - era_year // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return era * 400 + era_year + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


class CivilTime:
    """An instant taken apart for a zone `offset` seconds east of Greenwich."""

    def __init__(self, nanoseconds: int, offset: int, zone: str) -> None:
        self.epoch, self.nanosecond = divmod(nanoseconds, SECOND)
        days, seconds = divmod(self.epoch + offset, 86400)
        self.offset = offset
        self.zone = zone
        self.year, self.month, self.day = date_of_days(days)
        self.hour, rest = divmod(seconds, 3600)
        self.minute, self.second = divmod(rest, 60)
        self.weekday = (days + 4) % 7
        self.year_day = days - days_of_date(self.year, 1, 1) + 1
        # the ISO week is that of the Thursday
        thursday = days - (self.weekday - 1) % 7 + 3
        self.week_year = date_of_days(thursday)[0]
        self.week = (thursday - days_of_date(self.week_year, 1, 1)) // 7 + 1


# --- Writing

COMPOSITES = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "v": "%e-%^b-%4Y",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
}
# directive -> value, width, padding
NUMBERS: dict[str, tuple[Callable[[CivilTime], int], int, str]] = {
    "Y": (lambda m: m.year, 4, "0"),
    "C": (lambda m: m.year // 100, 2, "0"),
    "y": (lambda m: m.year % 100, 2, "0"),
    "m": (lambda m: m.month, 2, "0"),
    "d": (lambda m: m.day, 2, "0"),
    "e": (lambda m: m.day, 2, " "),
    "j": (lambda m: m.year_day, 3, "0"),
    "H": (lambda m: m.hour, 2, "0"),
    "k": (lambda m: m.hour, 2, " "),
    "I": (lambda m: m.hour % 12 or 12, 2, "0"),
    "l": (lambda m: m.hour % 12 or 12, 2, " "),
    "M": (lambda m: m.minute, 2, "0"),
    "S": (lambda m: m.second, 2, "0"),
    "u": (lambda m: m.weekday or 7, 1, "0"),
    "w": (lambda m: m.weekday, 1, "0"),
    "G": (lambda m: m.week_year, 4, "0"),
    "g": (lambda m: m.week_year % 100, 2, "0"),
    "V": (lambda m: m.week, 2, "0"),
    "U": (lambda m: (m.year_day + 6 - m.weekday) // 7, 2, "0"),
    "W": (lambda m: (m.year_day + 6 - (m.weekday - 1) % 7) // 7, 2, "0"),
    "s": (lambda m: m.epoch, 1, "0"),
}
TEXTS: dict[str, Callable[[CivilTime], str]] = {
    "B": lambda m: MONTHS[m.month - 1],
    "b": lambda m: MONTHS[m.month - 1][:3],
    "h": lambda m: MONTHS[m.month - 1][:3],
    "A": lambda m: WEEKDAYS[m.weekday],
    "a": lambda m: WEEKDAYS[m.weekday][:3],
    "p": lambda m: "PM" if m.hour >= 12 else "AM",
    "P": lambda m: "pm" if m.hour >= 12 else "am",
    "Z": lambda m: m.zone,
    "n": lambda m: "\n",
    "t": lambda m: "\t",
    "%": lambda m: "%",
}
_DIRECTIVE = re.compile(
    r"%([-_0^#]*+)([0-9]*+)((?::{1,3}(?=z))?)(E(?=[cCxXyY])|O(?=[deHkIlmMSuUVwWy])|)([a-zA-Z%+]|\Z)"
)


def format_timestamp(nanoseconds: int, format: str, timezone: str | None = None) -> str:
    """Writes an instant in UTC, or in a zone; directives that do not exist stay as they are.

    Raises Failure for a format that ends within a directive.
    """
    offset, zone = (displayed_offset(timezone), "") if timezone else (0, "UTC")
    moment = CivilTime(nanoseconds, offset, zone)
    return _write(moment, format)


def _write(moment: CivilTime, format: str) -> str:
    return _DIRECTIVE.sub(lambda match: _directive(moment, match), format)


def _directive(moment: CivilTime, match: re.Match[str]) -> str:
    flags, width_text, colons, _, char = match.groups()
    if not char:
        raise Failure("INVALID_TIME_FORMAT", format=match.string)
    width = int(width_text[:10]) if width_text else 0
    STRING.check(width)
    if char == "z":
        return _offset(moment, flags, width, len(colons))
    if char in "LN":
        digits = width or (3 if char == "L" else 9)
        return f"{moment.nanosecond:09}"[:digits].ljust(digits, "0")
    if char in NUMBERS:
        value, default, padding = NUMBERS[char]
        number = value(moment)
        return _number(number, flags, width or default + (default == 4 and number < 0), padding)
    if char in COMPOSITES:
        text = _write(moment, COMPOSITES[char])
        text = text.upper() if "^" in flags else text
        return text.rjust(width, _padding(flags, " ") or " ")
    if char not in TEXTS:
        return match[0]
    text = TEXTS[char](moment)
    if "#" in flags and char in "pZ":
        text = text.lower()
    elif "^" in flags or "#" in flags:
        text = text.upper()
    return text.rjust(width, _padding(flags, " ")) if text and "-" not in flags else text


def _padding(flags: str, default: str) -> str:
    """What fills up to the width: the last of the flags `_` and `0` decides, `-` says nothing does."""
    if "-" in flags:
        return ""
    return next(({"_": " ", "0": "0"}[flag] for flag in reversed(flags) if flag in "_0"), default)


def _number(value: int, flags: str, width: int, padding: str) -> str:
    padding = _padding(flags, padding)
    if padding == "0":
        return f"{value:0{width}}"
    return str(value).rjust(width, " ") if padding else str(value)


def _offset(moment: CivilTime, flags: str, width: int, colons: int) -> str:
    # Ruby writes UTC's offset as unknown, `-0000`, when asked for it without padding
    unknown = moment.zone == "UTC" and "-" in flags
    sign, size = ("-" if moment.offset < 0 or unknown else "+"), abs(moment.offset)
    hours, minutes, seconds = size // 3600, size // 60 % 60, size % 60
    tail = [f"{minutes:02}", f":{minutes:02}", f":{minutes:02}:{seconds:02}"][min(colons, 2)]
    if colons == 3:
        tail = f":{minutes:02}:{seconds:02}" if seconds else f":{minutes:02}" if minutes else ""
    room = max(width - len(tail) - 1, 2)
    if _padding(flags.replace("-", ""), "0") == " ":
        return f"{sign}{hours}".rjust(room + 1) + tail
    return f"{sign}{hours:0{room}}{tail}"
