"""Timespans and Timestamps: how they are made of other values, their arithmetic and order."""

from __future__ import annotations

import math
from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure, error
from evaluator.kinds.operand_errors import make_left_refusal
from evaluator.program import effects
from evaluator.types.rich_data import TimespanType, TimestampType
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
    Value,
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


def _make_timespan(seconds: int | float) -> Timespan:
    return Timespan(nanoseconds_of(seconds))


def _make_timespan_from_fields(*fields: int) -> Timespan:
    return Timespan.of_fields(False, *fields)


def _get_now() -> Timestamp:
    effects.record()
    return Timestamp.now()


def _make_timestamp(seconds: int | float) -> Timestamp:
    return Timestamp(nanoseconds_of(seconds))


_TIMESPAN = Constructor(
    "new_timespan",
    ([(_SECONDS, "seconds", "")], _make_timespan),
    ([("String[1]", "string", ""), (_TIME_FORMATS, "format", "?")], Timespan.parse),
    (
        [("Integer", field, "" if index < 4 else "?") for index, field in enumerate(_FIELDS)],
        _make_timespan_from_fields,
    ),
    ([("Struct[{'string' => String[1], Optional['format'] => Formats}]", "hash_arg", "")], Timespan.of_hash),
    ([(_TIMESPAN_HASH, "hash_arg", "")], Timespan.of_hash),
)
_TIMESTAMP = Constructor(
    "new_timestamp",
    ([], _get_now),
    ([(_SECONDS, "seconds", "")], _make_timestamp),
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


def _to_nanoseconds(value: Value) -> int:
    """Return a time, or a number of seconds, in nanoseconds. Raise Failure for an infinite amount."""
    return nanoseconds_of(value) if type(value) in (int, float) else int(value.nanoseconds)


def _add_to_timespan(left: Value, right: Value) -> Timespan:
    return Timespan(_to_nanoseconds(left) + _to_nanoseconds(right))


def _add_to_timestamp(left: Value, right: Value) -> Timestamp:
    return Timestamp(_to_nanoseconds(left) + _to_nanoseconds(right))


def _subtract_to_timespan(left: Value, right: Value) -> Timespan:
    return Timespan(_to_nanoseconds(left) - _to_nanoseconds(right))


def _subtract_to_timestamp(left: Value, right: Value) -> Timestamp:
    return Timestamp(_to_nanoseconds(left) - _to_nanoseconds(right))


def _multiply(left: Value, right: Value) -> Timespan:
    span, factor = (left, right) if type(left) is Timespan else (right, left)
    scaled = span.nanoseconds * factor
    return Timespan(scaled if type(scaled) is int else to_whole(scaled))


def _divide_by_timespan(left: Timespan, right: Timespan) -> float:
    return check_finite("/", divide(float(left.nanoseconds), float(right.nanoseconds)))


def _divide_by_number(left: Timespan, right: int | float) -> Timespan:
    if right == 0:
        raise error("DIV_BY_ZERO", operand=1)
    if type(right) is int:
        return Timespan(left.nanoseconds // right)
    share = left.nanoseconds / right
    return Timespan(math.floor(share) if math.isfinite(share) else to_whole(share))


def _take_remainder(left: Timespan, right: int) -> int:
    if right == 0:
        raise error("DIV_BY_ZERO", operand=1)
    return left.nanoseconds // SECOND % right


def _refuse_addition(left: Value, right: Value) -> Value:
    time, other = (left, right) if kind_of(left) is not SEMVER else (right, left)
    raise Failure("NOT_ADDABLE", actual=_WORDS[kind_of(other)], type=kind_of(time).name)


def _refuse_subtraction(left: Value, right: Value) -> Value:
    raise Failure("NOT_SUBTRACTABLE", actual=_WORDS[kind_of(right)], type=kind_of(left).name)


def _make_refusal(code: str) -> Value:
    """Raise the issue that says what a Timespan is not multiplied with, divided by …"""

    def refuse(left: Value, right: Value) -> Value:
        other = right if type(left) is Timespan else left
        raise Failure(code, actual=_WORDS[kind_of(other)])

    return refuse


def _negate(value: Timespan) -> Timespan:
    return Timespan(-value.nanoseconds)


def _refuse_negation(value: Timestamp) -> Value:
    raise Failure("TIME_NOT_NEGATED", actual="Timestamp")


def _make_both_orders(operator: str, kind: Kind, rule: Any) -> Arithmetic:
    """Return a rule for a kind and a number, in either order."""
    return {
        pair: rule for number in _NUMBERS for pair in ((operator, kind, number), (operator, number, kind))
    }


_ARITHMETIC: Arithmetic = {
    ("+", TIMESPAN, TIMESPAN): _add_to_timespan,
    **_make_both_orders("+", TIMESPAN, _add_to_timespan),
    ("+", TIMESPAN, TIMESTAMP): _add_to_timestamp,
    ("+", TIMESTAMP, TIMESPAN): _add_to_timestamp,
    **_make_both_orders("+", TIMESTAMP, _add_to_timestamp),
    ("+", TIMESTAMP, TIMESTAMP): _refuse_addition,
    **{("+", time, SEMVER): _refuse_addition for time in (TIMESPAN, TIMESTAMP)},
    **{("+", SEMVER, time): _refuse_addition for time in (TIMESPAN, TIMESTAMP)},
    ("-", TIMESPAN, TIMESPAN): _subtract_to_timespan,
    **_make_both_orders("-", TIMESPAN, _subtract_to_timespan),
    ("-", TIMESTAMP, TIMESTAMP): _subtract_to_timespan,
    ("-", TIMESTAMP, TIMESPAN): _subtract_to_timestamp,
    **{("-", TIMESTAMP, number): _subtract_to_timestamp for number in _NUMBERS},
    ("-", TIMESPAN, TIMESTAMP): _refuse_subtraction,
    **{("-", time, SEMVER): _refuse_subtraction for time in (TIMESPAN, TIMESTAMP)},
    **_make_both_orders("*", TIMESPAN, _multiply),
    # the released Puppet says Timestamp here
    **{("*", TIMESPAN, other): _make_refusal("TIME_NOT_MULTIPLIED") for other in _WORDS},
    ("*", SEMVER, TIMESPAN): _make_refusal("TIME_NOT_MULTIPLIED"),
    ("/", TIMESPAN, TIMESPAN): _divide_by_timespan,
    **{("/", TIMESPAN, number): _divide_by_number for number in _NUMBERS},
    **{("/", TIMESPAN, other): _make_refusal("TIME_NOT_DIVIDED") for other in (SEMVER, TIMESTAMP)},
    ("%", TIMESPAN, INTEGER): _take_remainder,
    **{("%", TIMESPAN, other): _make_refusal("TIME_MODULUS") for other in _WORDS},
    **{
        (operator, TIMESTAMP, other): make_left_refusal(operator)
        for operator in "*/%"
        for other in (INTEGER, *_WORDS, *(() if operator == "%" else (FLOAT,)))
    },
}


def _equals_number(value: Value, number: int | float) -> bool:
    """Return True if a time is that number of seconds, as `_to_seconds` has them."""
    return bool(_to_seconds(value, number) == number)


def _to_seconds(time: Any, number: int | float) -> int | float:
    """Return a time in seconds for a comparison: a Float beside a Float, else whole seconds."""
    seconds: int | float = time.whole_seconds() if type(number) is int else time.seconds()
    return seconds


def _compare(left: Value, right: Value) -> int:
    """Return the order of two times, or of a time and a number; an Integer on the right counts as a Float."""
    if type(right) in (int, float):
        first, second = _to_seconds(left, right), right
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
    negate=_refuse_negation,
    equals_number=_equals_number,
    order=KindOrder(
        (TIMESTAMP, *_NUMBERS), "Timestamps are only comparable to Timestamps, Integers, and Floats", _compare
    ),
)
