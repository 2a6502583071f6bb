"""Timestamp: instants, exact to the nanosecond, and time zones by name as Ruby has them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import date
from typing import Any

from evaluator.issues import require, require_found
from evaluator.limits import STRING
from evaluator.values.kind import TIMESTAMP
from evaluator.values.times.timespans import SECOND, Time, read_by_formats
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record, fresh

DAY_SECONDS = 86400

# fmt: off
# minutes east of Greenwich
ZONES = {
    "utc": 0, "ut": 0, "gmt": 0, "wet": 0, "wt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "at": -120, "brst": -120, "ndt": -90, "art": -180,
    "adt": -180, "brt": -180, "clst": -180, "nst": -150, "ast": -240, "clt": -240, "akdt": -480, "ydt": -480,
    "akst": -540, "hadt": -540, "hdt": -540, "yst": -540, "ahst": -600, "cat": 120, "hast": -600,
    "hst": -600, "nt": -660, "idlw": -720, "bst": 60, "cet": 60, "fwt": 60, "met": 60, "mewt": 60,
    "mez": 60, "swt": 60, "wat": 60, "west": 60, "cest": 120, "eet": 120, "fst": 120, "mest": 120,
    "mesz": 120, "sast": 120, "sst": -660, "bt": 180, "eat": 180, "eest": 180, "msk": 180, "msd": 240,
    "ist": 330, "wast": 120, "cct": 390, "sgt": 480, "wadt": 480, "jst": 540, "kst": 540, "east": -360,
    "gst": 600, "eadt": 660, "idle": 720, "nzst": 720, "nzt": 720, "nzdt": 780, "wib": 420, "wit": 540,
    "wita": 480, "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "awst": 480, "hkt": 480, "pht": 480,
    "pkt": 300, "npt": 345, "irst": 210, "cot": -300, "pet": -300, "vet": -240, "uyt": -180, "gft": -180,
    "fkt": -240, "egt": -60, "wgt": -180, "azt": 240, "get": 240, "uzt": 300, "tjt": 300, "kgt": 360,
    "almt": 360, "mmt": 390, "ict": 420, "chst": 600, "chut": 600, "pont": 660, "sbt": 660, "nct": 660,
    "vut": 660, "fjt": 720, "tot": 780, "nut": -660, "tkt": 780, "tvt": 720, "wft": 720, "myt": 480,
    "aft": 270,
    "eastern": -300, "central": -360, "mountain": -420, "pacific": -480,
    **{letter: 60 * hours for hours, letter in enumerate("abcdefghiklm", 1)},
    **{letter: -60 * hours for hours, letter in enumerate("nopqrstuvwxy", 1)},
    "z": 0,
}
# fmt: on


def find_zone_offset(zone: str) -> int | None:
    """Return the seconds east of Greenwich of a time zone; None for an unknown one.

    Forms: `PST`, `Eastern Standard Time`, `GMT+2`, `+02:00`, `+0230`, `+2.5` (hours).
    """
    name = " ".join(zone.lower().split())
    shift = 0
    for ending, summer_time in ((" standard time", 0), (" daylight time", 3600), (" dst", 3600)):
        if name.endswith(ending):
            name, shift = name.removesuffix(ending), summer_time
    if name in ZONES:
        return ZONES[name] * 60 + shift
    match = re.fullmatch(r"(?:gmt|utc?)?([-+])([0-9]+)(?:([.,])([0-9]+)|:([0-9]+)(?::([0-9]+))?)?", name)
    if match is None:
        return None
    sign, hours, point, fraction, minutes, seconds = match.groups()
    if point:
        total: int = int(hours) * 3600 + int(fraction) * 3600 // 10 ** len(fraction)
    else:
        if minutes is None and len(hours) > 2:  # `0230`, without colons
            digits = "0" + hours if len(hours) % 2 else hours
            hours, minutes, seconds = digits[:2], digits[2:4], digits[4:6]
        total = int(hours) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return -total if sign == "-" else total


def find_explicit_offset(timezone: str) -> int:
    """Return the offset of a zone that the program names, in seconds. Raise Failure."""
    if timezone == "current":
        return time.localtime().tm_gmtoff
    return require_found(find_zone_offset(timezone), "ILLEGAL_TIMEZONE", name=timezone)


def find_displayed_offset(timezone: str) -> int:
    """Return the offset of a zone for formatting, in seconds.

    Raises:
        Failure: The zone is unknown, its minutes are more than 59, or its offset is a day or more.
    """
    offset = find_explicit_offset(timezone)
    require(not re.fullmatch(r"[-+]\d+:?[6-9]\d", timezone), "ILLEGAL_UTC_OFFSET", name=timezone)
    require(abs(offset) < DAY_SECONDS, "TIME_OUT_OF_RANGE", part="utc_offset")
    return offset


class Timestamp(Time):
    """An instant: nanoseconds since 1970-01-01 00:00 UTC."""

    __slots__ = ()

    kind = TIMESTAMP

    @classmethod
    def now(cls) -> Timestamp:
        return cls(time.time_ns())

    @classmethod
    def parse(cls, text: str, formats: Any = None, timezone: str | None = None) -> Timestamp:
        """Return the instant of a string by a format, or the first of several that matches.

        Args:
            text: The string.
            formats: A format, a list of formats, or None for the default formats.
            timezone: The time zone of a string that has none.

        Raises:
            Failure: No format matches, or the time zone is unknown.
        """

        def read_instant(text: str, format: str) -> int | None:
            reader = _TimestampParser(text)
            is_match = reader.read(format) and reader.position == len(text)
            # in a list of formats, those with a zone are skipped if `timezone` is passed too
            is_skipped = timezone and "zone" in reader.fields and not isinstance(formats, str)
            return _make_instant(reader.fields, timezone) if is_match and not is_skipped else None

        return cls(read_by_formats(text, formats, DEFAULT_FORMATS, read_instant))

    def strftime(self, format: str, timezone: str | None = None) -> str:
        """Return the text of the instant by a format, in UTC or in a zone such as `+02:00`.

        Unknown directives stay as they are.

        Raises:
            Failure: The format ends within a directive, or the zone is unknown.
        """
        if timezone:
            civil_time = CivilTime(self.nanoseconds, find_displayed_offset(timezone), zone="")
        else:
            civil_time = CivilTime(self.nanoseconds, offset=0, zone="UTC")
        return _write(civil_time, format)

    def text(self) -> str:
        """Return `1970-01-01T00:00:00.000000000 UTC`."""
        return self.strftime("%FT%T.%N UTC")


# fmt: off
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December"]
WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
# fmt: on

# --- The calendar


# `date` knows the years 1 to 9999 only. The calendar repeats after 400 years, the length of a cycle.
_CYCLE = date(401, 1, 1).toordinal() - 1
_EPOCH = date(1970, 1, 1).toordinal()


def count_days(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date; `day` may be beyond the end of the month."""
    cycles, rest = divmod(year - 1, 400)
    return cycles * _CYCLE + date(rest + 1, month, 1).toordinal() + day - 1 - _EPOCH


def split_days(days: int) -> tuple[int, date]:
    """Return the years before the cycle of a day, and the date of the day in the first cycle.

    `days` is counted from 1970-01-01.
    """
    cycles, rest = divmod(days + _EPOCH - 1, _CYCLE)
    return cycles * 400, date.fromordinal(rest + 1)


class CivilTime:
    """The fields of an instant in a time zone.

    Attributes:
        epoch: The seconds since 1970-01-01 00:00 UTC.
        offset: The seconds of the zone east of Greenwich.
        zone: The name of the zone, "" without one.
        weekday: From 0, Sunday, to 6.
        year_day: From 1.
        week, week_year: The week by ISO 8601, and the year to which it belongs: that of its Thursday.
    """

    def __init__(self, nanoseconds: int, offset: int, zone: str) -> None:
        self.epoch, self.nanosecond = divmod(nanoseconds, SECOND)
        days, seconds = divmod(self.epoch + offset, DAY_SECONDS)
        self.offset = offset
        self.zone = zone
        former_years, day = split_days(days)
        self.year, self.month, self.day = former_years + day.year, day.month, day.day
        self.hour, rest = divmod(seconds, 3600)
        self.minute, self.second = divmod(rest, 60)
        self.year_day = day.timetuple().tm_yday
        # a cycle has a whole number of weeks, so that the weeks of all cycles are the same
        week_year, self.week, weekday = day.isocalendar()
        self.week_year, self.weekday = former_years + week_year, weekday % 7


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
# By directive: a function that computes the number, its default width, its default padding.
NUMBERS: dict[str, tuple[Callable[[CivilTime], int], int, str]] = {
    "Y": (lambda civil_time: civil_time.year, 4, "0"),
    "C": (lambda civil_time: civil_time.year // 100, 2, "0"),
    "y": (lambda civil_time: civil_time.year % 100, 2, "0"),
    "m": (lambda civil_time: civil_time.month, 2, "0"),
    "d": (lambda civil_time: civil_time.day, 2, "0"),
    "e": (lambda civil_time: civil_time.day, 2, " "),
    "j": (lambda civil_time: civil_time.year_day, 3, "0"),
    "H": (lambda civil_time: civil_time.hour, 2, "0"),
    "k": (lambda civil_time: civil_time.hour, 2, " "),
    "I": (lambda civil_time: civil_time.hour % 12 or 12, 2, "0"),
    "l": (lambda civil_time: civil_time.hour % 12 or 12, 2, " "),
    "M": (lambda civil_time: civil_time.minute, 2, "0"),
    "S": (lambda civil_time: civil_time.second, 2, "0"),
    "u": (lambda civil_time: civil_time.weekday or 7, 1, "0"),
    "w": (lambda civil_time: civil_time.weekday, 1, "0"),
    "G": (lambda civil_time: civil_time.week_year, 4, "0"),
    "g": (lambda civil_time: civil_time.week_year % 100, 2, "0"),
    "V": (lambda civil_time: civil_time.week, 2, "0"),
    "U": (lambda civil_time: (civil_time.year_day + 6 - civil_time.weekday) // 7, 2, "0"),
    "W": (lambda civil_time: (civil_time.year_day + 6 - (civil_time.weekday - 1) % 7) // 7, 2, "0"),
    "s": (lambda civil_time: civil_time.epoch, 1, "0"),
}
TEXTS: dict[str, Callable[[CivilTime], str]] = {
    "B": lambda civil_time: MONTHS[civil_time.month - 1],
    "b": lambda civil_time: MONTHS[civil_time.month - 1][:3],
    "h": lambda civil_time: MONTHS[civil_time.month - 1][:3],
    "A": lambda civil_time: WEEKDAYS[civil_time.weekday],
    "a": lambda civil_time: WEEKDAYS[civil_time.weekday][:3],
    "p": lambda civil_time: "PM" if civil_time.hour >= 12 else "AM",
    "P": lambda civil_time: "pm" if civil_time.hour >= 12 else "am",
    "Z": lambda civil_time: civil_time.zone,
    "n": lambda civil_time: "\n",
    "t": lambda civil_time: "\t",
    "%": lambda civil_time: "%",
}
_DIRECTIVE = LazyPattern(
    r"%([-_0^#]*+)([0-9]*+)((?::{1,3}(?=z))?)(E(?=[cCxXyY])|O(?=[deHkIlmMSuUVwWy])|)([a-zA-Z%+]|\Z)"
)


def _write(civil_time: CivilTime, format: str) -> str:
    return _DIRECTIVE.sub(lambda match: _format_directive(civil_time, match), format)


def _format_directive(civil_time: CivilTime, match: re.Match[str]) -> str:
    """Return the text of a directive with its flags and width. Raise Failure."""
    flags, width_text, colons, _, char = match.groups()
    require(char, "INVALID_TIME_FORMAT", format=match.string)
    width = int(width_text[:10]) if width_text else 0
    STRING.check(width)
    if char == "z":
        return _format_offset(civil_time, flags, width, len(colons))
    if char in "LN":
        digits = width or (3 if char == "L" else 9)
        return f"{civil_time.nanosecond:09}"[:digits].ljust(digits, "0")
    if char in NUMBERS:
        compute, default, padding = NUMBERS[char]
        value = compute(civil_time)
        if value < 0 and char in "YG":  # the sign of a year takes none of its four digits
            default += 1
        return _format_number(value, flags, width or default, padding)
    if char in COMPOSITES:
        text = _write(civil_time, COMPOSITES[char])
        text = text.upper() if "^" in flags else text
        # As in Ruby, `-` suppresses the padding of other directives, but not of a composite.
        return text.rjust(width, _find_padding(flags, " ") or " ")
    if char not in TEXTS:
        return match[0]
    text = TEXTS[char](civil_time)
    if "#" in flags and char in "pZ":
        text = text.lower()
    elif "^" in flags or "#" in flags:
        text = text.upper()
    return text.rjust(width, _find_padding(flags, " ")) if text and "-" not in flags else text


def _find_padding(flags: str, default: str) -> str:
    """Return the padding character: the last of the flags `_` and `0` decides; `-` means none."""
    if "-" in flags:
        return ""
    return next(({"_": " ", "0": "0"}[flag] for flag in reversed(flags) if flag in "_0"), default)


def _format_number(value: int, flags: str, width: int, padding: str) -> str:
    padding = _find_padding(flags, padding)
    if padding == "0":
        return f"{value:0{width}}"
    return str(value).rjust(width, " ") if padding else str(value)


def _format_offset(civil_time: CivilTime, flags: str, width: int, colons: int) -> str:
    """Return the offset of the zone.

    The number of colons determines the form: `+0230`, `+02:30`, `+02:30:00`; three of them mean the shortest one.
    """
    # without padding, Ruby writes the offset of UTC as the unknown offset, `-0000`
    unknown = civil_time.zone == "UTC" and "-" in flags
    sign, size = ("-" if civil_time.offset < 0 or unknown else "+"), abs(civil_time.offset)
    hours, minutes, seconds = size // 3600, size // 60 % 60, size % 60
    if colons == 0:
        tail = f"{minutes:02}"
    elif colons == 2 or (colons == 3 and seconds):
        tail = f":{minutes:02}:{seconds:02}"
    else:
        tail = f":{minutes:02}" if colons == 1 or minutes else ""
    room = max(width - len(tail) - 1, 2)  # for the hours
    if _find_padding(flags.replace("-", ""), "0") == " ":
        return f"{sign}{hours}".rjust(room + 1) + tail
    return f"{sign}{hours:0{room}}{tail}"


# --- parsing


_PLAIN_FORMATS = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"]
DEFAULT_FORMATS = [f"{format} %Z" for format in _PLAIN_FORMATS] + _PLAIN_FORMATS
# By directive: the field, the pattern of its digits, its least and greatest value. Fields named "ignored" are only
# checked.
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
# By directive: the field, the names, the number of the first name.
READ_NAMES: dict[str, tuple[str, list[str], int]] = {
    **dict.fromkeys("bhB", ("month", MONTHS, 1)),
    **dict.fromkeys("aA", ("ignored", WEEKDAYS, 0)),
}
READ_COMPOSITES = {**COMPOSITES, "v": "%e-%b-%Y", "+": "%a %b %e %H:%M:%S %Z %Y"}
_ZONE = LazyPattern(
    r"(?:gmt|utc?)?[-+][0-9]+(?:[,.:][0-9]+(?::[0-9]+)?)?"
    r"|[a-z.\s]+(?:standard|daylight)\stime\b|[a-z]+(?:\sdst)?\b",
    re.IGNORECASE,
)
_MERIDIAN = LazyPattern(r"([ap])(?:m|\.m\.)", re.IGNORECASE)
_READ_DIRECTIVE = LazyPattern(r"%(?:E(?=[cCxXyY])|O(?=[deHImMSuUVwWy])|:{1,3}(?=z))?([a-zA-Z%+])")


class _TimestampParser(Record):
    """A parser of one string by one format.

    Its methods move `position` behind what they read, and return True if the string matches.

    Attributes:
        fields: The fields that it has read, such as "year".
    """

    text: str
    position: int = 0
    fields: dict[str, Any] = fresh(factory=dict)

    def read(self, format: str) -> bool:
        """Read the text by a format."""
        index = 0
        while index < len(format):
            char = format[index]
            if char.isspace():
                while self.text[self.position : self.position + 1].isspace():
                    self.position += 1
            elif char == "%" and (match := _READ_DIRECTIVE.match(format, index)):
                if not self.read_directive(match[1], _digits_follow(format, match.end())):
                    return False
                index = match.end()
                continue
            elif not self.read_literal(char):
                return False
            index += 1
        return True

    def read_literal(self, text: str) -> bool:
        if not self.text.startswith(text, self.position):
            return False
        self.position += len(text)
        return True

    def read_pattern(self, pattern: str | LazyPattern) -> re.Match[str] | None:
        match = (re.compile(pattern) if isinstance(pattern, str) else pattern).match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def read_directive(self, char: str, digits_follow: bool) -> bool:
        """Read what a directive describes; a year or fraction leaves digits for the next one."""
        if char in READ_NUMBERS:
            return self.read_number(*READ_NUMBERS[char])
        if char in READ_COMPOSITES:
            return self.read(READ_COMPOSITES[char])
        if char == "Y":
            return self.read_number(
                "year", r"[-+]?[0-9]{1,4}" if digits_follow else r"[-+]?[0-9]+", -(10**9), 10**9
            )
        if char in READ_NAMES:
            return self.read_name(*READ_NAMES[char])
        if char in "pP":
            return self.read_field("meridian", _MERIDIAN, lambda match: 0 if match[1] in "aA" else 12)
        if char in "LN":
            most = (3 if char == "L" else 9) if digits_follow else ""
            return self.read_field("nanosecond", f"([-+]?)([0-9]{{1,{most}}})", _to_nanosecond)
        if char in "zZ":
            return self.read_field("zone", _ZONE, lambda match: match[0])
        if char in "nt":
            return self.read(" ")
        return self.read_literal("%" if char == "%" else f"%{char}")

    def read_number(self, field: str, pattern: str, least: int, greatest: int) -> bool:
        match = self.read_pattern(pattern)
        if match is None or not least <= int(match[0]) <= greatest:
            return False
        self.fields[field] = int(match[0])
        return True

    def read_name(self, field: str, names: list[str], first: int) -> bool:
        for number, name in enumerate(names, first):
            if self.read_pattern(f"(?i:{name}|{name[:3]})"):
                self.fields[field] = number
                return True
        return False

    def read_field(
        self, field: str, pattern: str | LazyPattern, convert: Callable[[re.Match[str]], int | str]
    ) -> bool:
        match = self.read_pattern(pattern)
        if match is not None:
            self.fields[field] = convert(match)
        return match is not None


def _to_nanosecond(match: re.Match[str]) -> int:
    """Return the fraction of a second in a sign and digits."""
    value = int(match[2].ljust(9, "0")[:9])
    return -value if match[1] == "-" else value


def _digits_follow(format: str, index: int) -> bool:
    """Return True if the next directive reads digits, so that a year or fraction leaves some."""
    match = _READ_DIRECTIVE.match(format, index)
    if match is not None:
        return match[1] in "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy"
    return format[index : index + 1].isdecimal()


def _make_instant(fields: dict[str, Any], timezone: str | None) -> int:
    """Return the nanoseconds of an instant from the fields that a parser has read."""
    zone = fields.get("zone")
    require(zone is None or not timezone, "TIMEZONE_TWICE")
    year = fields.get("year")
    if year is None and "short_year" in fields:
        short = fields["short_year"]
        year = short + 100 * fields.get("century", 19 if short >= 69 else 20)
    year = require_found(year, "NO_IMPLICIT_CONVERSION", actual="nil", type="Integer")
    hour, minute, second = fields.get("hour", 0), fields.get("minute", 0), fields.get("second", 0)
    if "meridian" in fields:
        hour = hour % 12 + fields["meridian"]
    is_within_day = hour != 24 or not (minute or second)
    require(is_within_day, "TIME_OUT_OF_RANGE", part="min" if minute else "sec")
    days = count_days(year, fields.get("month", 1), fields.get("day", 1))
    seconds = days * DAY_SECONDS + hour * 3600 + minute * 60 + second
    if zone or timezone:
        seconds -= find_explicit_offset(zone or timezone or "")
    return int(seconds * SECOND + fields.get("nanosecond", 0))
