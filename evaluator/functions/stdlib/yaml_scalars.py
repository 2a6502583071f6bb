"""The meaning of plain YAML scalars in the reader of the released Puppet."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from evaluator.issues import Failure
from evaluator.values import Value


def _whole(base: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = re.sub("[_,]", "", text)
        try:
            return int(digits, base)
        except ValueError:
            raise Failure("INVALID_INTEGER", value=f'"{digits}"') from None

    return read


def _float(text: str) -> float:
    return float(re.sub("[_,]", "", text))


def _clock(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return hours, minutes and seconds as seconds; a sign applies to the hours."""
    return lambda text: sum(
        read(part.replace("_", "")) * 60 ** (2 - place) for place, part in enumerate(text.split(":"))
    )


def _date(text: str) -> str:
    try:
        date(*map(int, text.split("-")))
    except ValueError:
        return text
    raise Failure("YAML_CLASS", name="Date")


def _time(text: str) -> Value:
    raise Failure("YAML_CLASS", name="Time")


# The forms of scalars, in the order in which they are tried.
_KINDS: tuple[tuple[str, Callable[[str], Value]], ...] = (
    (r"~|null|", lambda text: None),
    (r"yes|true|on", lambda text: True),
    (r"no|false|off", lambda text: False),
    (r"[-+]?0[0-7_,]+", _whole(8)),
    (r"[-+]?(0|[1-9]([0-9]|[_,][0-9])*+)", _whole(10)),
    (r"[-+]?0x[0-9a-f_,]+", _whole(16)),
    (r"[-+]?0b[01_,]+", _whole(2)),
    (r"[-+]?([0-9][0-9_,]*\.[0-9]*|\.[0-9]+)(e[-+][0-9]+)?", _float),
    (r"[-+]?\.inf", lambda text: float(text.replace(".", ""))),
    (r"\.nan", lambda text: float("nan")),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}", _clock(int)),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9]*", _clock(float)),
    (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}", _date),
    (
        r"-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(t|\s+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?"
        r"(\s*(z|[-+][0-9]{1,2}:?([0-9]{2})?))?",
        _time,
    ),
)
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), read) for pattern, read in _KINDS]


def read_plain(text: str) -> Value:
    """Return the value of a scalar without quotes. Raises Failure for dates and times."""
    for pattern, read in _PATTERNS:
        if pattern.fullmatch(text):
            return read(text)
    return text


def is_special(text: str) -> bool:
    """Return whether a String must be quoted to be read as a String."""
    if re.fullmatch(r"0[0-7]*[89][0-9]*", text):
        return True
    try:
        return type(read_plain(text)) is not str
    except Failure:
        return True
