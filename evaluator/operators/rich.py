"""Arithmetic and order of time spans, points in time, versions, URIs and binary data.

Values are told apart by the names of their types, so that nothing is imported before it is used.
"""

from __future__ import annotations

import math
from typing import Any

from evaluator.issues import Failure, error
from evaluator.values import label

SECOND = 10**9
NUMERIC = frozenset({"Timespan", "Timestamp", "SemVer"})
TIMES = frozenset({"Timespan", "Timestamp"})
# the words that the released Puppet uses in these messages
_WORDS = {"SemVer": "Version", "Timespan": "Timespan", "Timestamp": "Timestamp"}


def kind(value: Any) -> str:
    """The name of the value's Python type."""
    return type(value).__name__


def is_time(value: Any) -> bool:
    """True for a Timespan or Timestamp."""
    return type(value).__name__ in TIMES


def nanoseconds(seconds: Any) -> int:
    """Seconds as nanoseconds, cut to an integer. Raises Failure for an infinite amount."""
    return seconds * SECOND if type(seconds) is int else whole(seconds * SECOND)


def whole(value: float) -> int:
    """A float's integer part. Raises Failure for NaN and infinity, in their own names."""
    if math.isfinite(value):
        return int(value)
    raise Failure("NOT_FINITE", value="NaN" if value != value else "Infinity" if value > 0 else "-Infinity")


def _floor(value: float) -> int:
    return math.floor(value) if math.isfinite(value) else whole(value)


def inapplicable(operator: str, left: Any, right: Any = ...) -> Exception:
    """The error for operands that an operator does not take; `right` is given when it is to blame."""
    if right is ...:
        return error("OPERATOR_NOT_APPLICABLE", operator=operator, left=_an(left), operand=0)
    return error(
        "OPERATOR_NOT_APPLICABLE_WHEN", operator=operator, left=_an(left), right=_an(right), operand=0
    )


def _an(value: Any) -> str:
    from evaluator.values import an

    return an(label(value))


def _not_a_float(right: Any) -> Exception:
    return Failure("NO_CONVERSION", actual="SemanticPuppet::Version", type="Float")


def add(left: Any, right: Any) -> Any:
    """`left + right` where at least one is a time or a version."""
    for this, other in ((left, right), (right, left)):
        if is_time(this):
            result_type = type(this)
            if not is_time(other):
                if kind(other) == "SemVer":
                    raise Failure("NOT_ADDABLE", actual="Version", type=kind(this))
                return result_type(this.nanoseconds + nanoseconds(other))
            if kind(this) == kind(other) == "Timestamp":
                raise Failure("NOT_ADDABLE", actual="Timestamp", type="Timestamp")
            if kind(other) == "Timestamp":
                result_type = type(other)
            return result_type(this.nanoseconds + other.nanoseconds)
    raise inapplicable("+", left) if kind(left) == "SemVer" else _not_a_float(right)


def subtract(left: Any, right: Any) -> Any:
    """`left - right` where at least one is a time or a version."""
    if is_time(left):
        if kind(right) == "SemVer" or (kind(left) == "Timespan" and kind(right) == "Timestamp"):
            raise Failure("NOT_SUBTRACTABLE", actual=_WORDS[kind(right)], type=kind(left))
        if not is_time(right):
            return type(left)(left.nanoseconds - nanoseconds(right))
        difference = left.nanoseconds - right.nanoseconds
        return (
            type(right)(difference) if kind(left) == "Timespan" else _time_difference(left, right, difference)
        )
    if kind(right) == "Timestamp":
        raise inapplicable("-", left, right)
    if kind(left) == "SemVer":
        raise inapplicable("-", left)
    if kind(right) == "SemVer":
        raise _not_a_float(right)
    return type(right)(nanoseconds(left) - right.nanoseconds)


def _time_difference(left: Any, right: Any, difference: int) -> Any:
    if kind(right) == "Timespan":
        return type(left)(difference)
    from evaluator.values import Timespan

    return Timespan(difference)


def multiply(left: Any, right: Any) -> Any:
    """`left * right` where at least one is a time or a version."""
    if kind(left) == "Timestamp":
        raise inapplicable("*", left)
    if kind(right) == "Timespan" and kind(left) != "Timespan":
        left, right = right, left
    if kind(left) == "Timespan":
        if kind(right) in NUMERIC:
            # the released Puppet says Timestamp here
            raise Failure("TIME_NOT_MULTIPLIED", actual=_WORDS[kind(right)])
        scaled = left.nanoseconds * right
        return type(left)(scaled if type(scaled) is int else whole(scaled))
    if kind(right) == "Timestamp":
        raise inapplicable("*", left, right)
    raise inapplicable("*", left) if kind(left) == "SemVer" else _not_a_float(right)


def divide(left: Any, right: Any) -> Any:
    """`left / right` where at least one is a time or a version."""
    if kind(left) == "Timestamp":
        raise inapplicable("/", left)
    if kind(left) == "Timespan":
        if kind(right) == "Timespan":
            from evaluator.operators.numbers import finite, quotient

            return finite("/", quotient(float(left.nanoseconds), float(right.nanoseconds)))
        if kind(right) in NUMERIC:
            raise Failure("TIME_NOT_DIVIDED", actual=_WORDS[kind(right)])
        if right == 0:
            raise error("DIV_BY_ZERO", operand=1)
        exact = type(right) is int
        return type(left)(left.nanoseconds // right if exact else _floor(left.nanoseconds / right))
    if is_time(right):
        raise inapplicable("/", left, right)
    raise inapplicable("/", left) if kind(left) == "SemVer" else _not_a_float(right)


def modulo(left: Any, right: Any) -> Any:
    """`left % right` where at least one is a time or a version."""
    if type(left) is float:
        raise inapplicable("%", left)
    if type(right) is float:
        raise inapplicable("%", left, right)
    if kind(left) == "Timestamp":
        raise inapplicable("%", left)
    if kind(left) == "Timespan":
        if kind(right) in NUMERIC:
            raise Failure("TIME_MODULUS", actual=_WORDS[kind(right)])
        if right == 0:
            raise error("DIV_BY_ZERO", operand=1)
        return left.nanoseconds // SECOND % right
    if is_time(right):
        raise inapplicable("%", left, right)
    if kind(left) == "SemVer":
        raise error("DIV_BY_ZERO", operand=1) if right == 0 else inapplicable("%", left)
    raise _not_a_float(right)


def negate(value: Any) -> Any:
    """`-value` for a time or a version."""
    if kind(value) == "Timespan":
        return type(value)(-value.nanoseconds)
    raise Failure("TIME_NOT_NEGATED", actual=_WORDS[kind(value)]) if is_time(value) else _not_a_float(value)


def equal_to_number(time: Any, number: Any) -> bool:
    """True when a time is that number of seconds; with an Integer its whole seconds count."""
    if type(number) is int:
        return bool(time.nanoseconds // SECOND == number)
    return bool(time.nanoseconds == number * SECOND)
