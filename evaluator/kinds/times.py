"""What Timespans and Timestamps can do: how they are made of other values, arithmetic, order."""

from __future__ import annotations

import math
from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure, error
from evaluator.kinds.operand_errors import blames_left
from evaluator.program import effects
from evaluator.types.times import TimespanType, TimestampType
from evaluator.values.floats import check_finite, divide, to_whole
from evaluator.values.kind import (
    FLOAT,
    INTEGER,
    SEMVER,
    TIMESPAN,
    TIMESTAMP,
    Arithmetic,
    Kind,
    KindOrder,
    kind_of,
)
from evaluator.values.times.times import SECOND, nanoseconds_of
from evaluator.values.times.timespans import Timespan
from evaluator.values.times.timestamps import Timestamp

_SECONDS = "Variant[Integer, Float]"
_TIME_FORMATS = "Formats = Variant[String[2], Array[String[2], 1]]"
_FIELDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
_TIMESPAN_HASH = (
    "Struct[{Optional['negative'] => Boolean, "
    + ", ".join(f"Optional['{field}'] => Integer" for field in _FIELDS)
    + "}]"
)


def _timespan(seconds: int | float) -> Timespan:
    return Timespan(nanoseconds_of(seconds))


def _timespan_of_fields(*fields: int) -> Timespan:
    return Timespan.of_fields(False, *fields)


def _now() -> Timestamp:
    effects.record()
    return Timestamp.now()


def _timestamp(seconds: int | float) -> Timestamp:
    return Timestamp(nanoseconds_of(seconds))


_TIMESPAN = Constructor(
    "new_timespan",
    ([(_SECONDS, "seconds", "")], _timespan),
    ([("String[1]", "string", ""), (_TIME_FORMATS, "format", "?")], Timespan.parse),
    (
        [("Integer", field, "" if index < 4 else "?") for index, field in enumerate(_FIELDS)],
        _timespan_of_fields,
    ),
    ([("Struct[{'string' => String[1], Optional['format'] => Formats}]", "hash_arg", "")], Timespan.of_hash),
    ([(_TIMESPAN_HASH, "hash_arg", "")], Timespan.of_hash),
)
_TIMESTAMP = Constructor(
    "new_timestamp",
    ([], _now),
    ([(_SECONDS, "seconds", "")], _timestamp),
    (
        [("String[1]", "string", ""), (_TIME_FORMATS, "format", "?"), ("String[1]", "timezone", "?")],
        Timestamp.parse,
    ),
    (
        [
            (
                "Struct[{'string' => String[1], Optional['format'] => Formats, Optional['timezone'] => String[1]}]",
                "hash_arg",
                "",
            )
        ],
        lambda given: Timestamp.parse(given["string"], given.get("format"), given.get("timezone")),
    ),
)


# --- operators

_NUMBERS = (INTEGER, FLOAT)
# the words that the released Puppet uses in these messages
_WORDS = {SEMVER: "Version", TIMESPAN: "Timespan", TIMESTAMP: "Timestamp"}


def _amount(value: Any) -> int:
    """A time, or a number of seconds, in nanoseconds. Raises Failure for an infinite amount."""
    return nanoseconds_of(value) if type(value) in (int, float) else int(value.nanoseconds)


def _span_sum(left: Any, right: Any) -> Timespan:
    return Timespan(_amount(left) + _amount(right))


def _moment_sum(left: Any, right: Any) -> Timestamp:
    return Timestamp(_amount(left) + _amount(right))


def _span_difference(left: Any, right: Any) -> Timespan:
    return Timespan(_amount(left) - _amount(right))


def _moment_difference(left: Any, right: Any) -> Timestamp:
    return Timestamp(_amount(left) - _amount(right))


def _product(left: Any, right: Any) -> Timespan:
    span, factor = (left, right) if type(left) is Timespan else (right, left)
    scaled = span.nanoseconds * factor
    return Timespan(scaled if type(scaled) is int else to_whole(scaled))


def _ratio(left: Timespan, right: Timespan) -> float:
    return check_finite("/", divide(float(left.nanoseconds), float(right.nanoseconds)))


def _quotient(left: Timespan, right: int | float) -> Timespan:
    if right == 0:
        raise error("DIV_BY_ZERO", operand=1)
    if type(right) is int:
        return Timespan(left.nanoseconds // right)
    share = left.nanoseconds / right
    return Timespan(math.floor(share) if math.isfinite(share) else to_whole(share))


def _remainder(left: Timespan, right: int) -> int:
    if right == 0:
        raise error("DIV_BY_ZERO", operand=1)
    return left.nanoseconds // SECOND % right


def _not_addable(left: Any, right: Any) -> Any:
    time, other = (left, right) if kind_of(left) is not SEMVER else (right, left)
    raise Failure("NOT_ADDABLE", actual=_WORDS[kind_of(other)], type=kind_of(time).name)


def _not_subtractable(left: Any, right: Any) -> Any:
    raise Failure("NOT_SUBTRACTABLE", actual=_WORDS[kind_of(right)], type=kind_of(left).name)


def _refused(code: str) -> Any:
    """Raises the issue that says what a Timespan is not multiplied with, divided by …"""

    def refuse(left: Any, right: Any) -> Any:
        other = right if type(left) is Timespan else left
        raise Failure(code, actual=_WORDS[kind_of(other)])

    return refuse


def _negate(value: Timespan) -> Timespan:
    return Timespan(-value.nanoseconds)


def _not_negated(value: Timestamp) -> Any:
    raise Failure("TIME_NOT_NEGATED", actual="Timestamp")


def _both(operator: str, kind: Kind, rule: Any) -> Arithmetic:
    """A rule for a kind and a number, in either order."""
    return {
        pair: rule for number in _NUMBERS for pair in ((operator, kind, number), (operator, number, kind))
    }


_ARITHMETIC: Arithmetic = {
    ("+", TIMESPAN, TIMESPAN): _span_sum,
    **_both("+", TIMESPAN, _span_sum),
    ("+", TIMESPAN, TIMESTAMP): _moment_sum,
    ("+", TIMESTAMP, TIMESPAN): _moment_sum,
    **_both("+", TIMESTAMP, _moment_sum),
    ("+", TIMESTAMP, TIMESTAMP): _not_addable,
    **{("+", time, SEMVER): _not_addable for time in (TIMESPAN, TIMESTAMP)},
    **{("+", SEMVER, time): _not_addable for time in (TIMESPAN, TIMESTAMP)},
    ("-", TIMESPAN, TIMESPAN): _span_difference,
    **_both("-", TIMESPAN, _span_difference),
    ("-", TIMESTAMP, TIMESTAMP): _span_difference,
    ("-", TIMESTAMP, TIMESPAN): _moment_difference,
    **{("-", TIMESTAMP, number): _moment_difference for number in _NUMBERS},
    ("-", TIMESPAN, TIMESTAMP): _not_subtractable,
    **{("-", time, SEMVER): _not_subtractable for time in (TIMESPAN, TIMESTAMP)},
    **_both("*", TIMESPAN, _product),
    # the released Puppet says Timestamp here
    **{("*", TIMESPAN, other): _refused("TIME_NOT_MULTIPLIED") for other in _WORDS},
    ("*", SEMVER, TIMESPAN): _refused("TIME_NOT_MULTIPLIED"),
    ("/", TIMESPAN, TIMESPAN): _ratio,
    **{("/", TIMESPAN, number): _quotient for number in _NUMBERS},
    **{("/", TIMESPAN, other): _refused("TIME_NOT_DIVIDED") for other in (SEMVER, TIMESTAMP)},
    ("%", TIMESPAN, INTEGER): _remainder,
    **{("%", TIMESPAN, other): _refused("TIME_MODULUS") for other in _WORDS},
    **{
        (operator, TIMESTAMP, other): blames_left(operator)
        for operator in "*/%"
        for other in (INTEGER, *_WORDS, *(() if operator == "%" else (FLOAT,)))
    },
}


def _equals_number(value: Any, number: int | float) -> bool:
    """True when a time is that number of seconds, as `_seconds` has them."""
    return bool(_seconds(value, number) == number)


def _seconds(time: Any, number: int | float) -> int | float:
    """A time as a number of seconds to compare with another: a Float beside a Float, else whole seconds."""
    seconds: int | float = time.whole_seconds() if type(number) is int else time.seconds()
    return seconds


def _compare(left: Any, right: Any) -> int:
    """The order of two times, or of a time and a number of seconds; on its right an Integer is as a Float."""
    if type(right) in (int, float):
        first, second = _seconds(left, right), right
    elif type(left) in (int, float):
        first, second = left, right.seconds()
    else:
        first, second = left.nanoseconds, right.nanoseconds
    if first != first or second != second:
        raise Failure("NAN_ORDERED")
    return int(second < first) - int(first < second)


TIMESPAN.set_rules(
    infer=lambda value, dialect: TimespanType(value, value),
    new=New(_TIMESPAN),
    arithmetic=_ARITHMETIC,
    negate=_negate,
    equals_number=_equals_number,
    order=KindOrder(
        (TIMESPAN, *_NUMBERS), "Timespans are only comparable to Timespans, Integers, and Floats", _compare
    ),
)
TIMESTAMP.set_rules(
    infer=lambda value, dialect: TimestampType(value, value),
    new=New(_TIMESTAMP),
    arithmetic=_ARITHMETIC,
    negate=_not_negated,
    equals_number=_equals_number,
    order=KindOrder(
        (TIMESTAMP, *_NUMBERS), "Timestamps are only comparable to Timestamps, Integers, and Floats", _compare
    ),
)
