"""The arithmetic of floats that are NaN or infinite, and of ties of decimal rounding."""

from __future__ import annotations

import math

from evaluator.issues import Failure, make_error
from evaluator.values.kind import Value
from evaluator.values.printing import format_float


def check_finite(operator: str, result: float) -> float:
    """Return a float result; NaN passes.

    Raises:
        PuppetError: The result is infinite (RESULT_IS_INFINITY).
    """
    if math.isinf(result):
        raise make_error("RESULT_IS_INFINITY", operator=operator, operand=0)
    return result


def divide(left: Value, right: Value) -> float:
    """Return left / right as floats: 0 / 0 is NaN, and any other division by zero is infinite."""
    try:
        return float(left / right)
    except ZeroDivisionError:
        return math.nan if left == 0 or left != left else math.inf


def to_whole(value: float) -> int:
    """Return a float's integer part.

    Raises:
        Failure: The value is NaN or infinite; the message names it.
    """
    if math.isfinite(value):
        return int(value)
    raise Failure("NOT_FINITE", value=format_float(value))


# --- ties of decimal rounding

# Ruby formats floats by an algorithm of David Gay (`dtoa`). For up to 14 digits it calculates with floats and an
# estimate of their error: what is within this error of a tie is rounded like a tie.

_MOST_DIGITS = 14
_POWERS = [float(10**power) for power in range(16)]
_LARGE_POWERS = (1e16, 1e32, 1e64, 1e128, 1e256)
_EPSILON = 2.0**-52  # the distance from 1 to the next float


def round_tie(value: float, char: str, precision: int) -> tuple[float, bool]:
    """Return the value moved off a tie to the side to which Ruby rounds it.

    Args:
        value: A finite float.
        char: The directive, one of `f e E g G`.
        precision: The number of digits after the point; of all digits for `g` and `G`.

    Returns:
        The value, and True if a trailing zero is kept.
    """
    if not value:
        return value, False
    digits, _, exponent = f"{abs(value):.30e}".partition("e")
    power = int(exponent)
    count = {"f": precision + 1 + power, "e": precision + 1, "g": precision or 1}[char.lower()]
    last = _find_digit_before_tie(abs(value), power, count)
    if last is None:
        return value, False
    digits = digits.replace(".", "")
    leading, dropped = digits[:count], digits[count:]
    # a tie is rounded to an even digit: an odd one goes up
    following = "75" if last % 2 else "25"
    moved = float(f"{'-' if value < 0 else ''}{leading}{following}e{power - count - 1}")
    is_before_point = count == power + 1
    return moved, char in "gG" and last == 0 and dropped >= "5" and not is_before_point


def _find_digit_before_tie(value: float, power: int, count: int) -> int | None:
    """Return the last of `count` digits when a tie follows it in Ruby's arithmetic; else None.

    Args:
        value: A positive float.
        power: The exponent of its first digit.
        count: The number of digits that are printed.
    """
    if not 0 < count <= _MOST_DIGITS:
        return None
    value, steps = _scale(value, power)
    # the estimate of the algorithm, at the last digit
    error = (steps * value + 7) * _EPSILON * _POWERS[count - 1]
    for place in range(count):
        digit = int(value)
        value -= digit
        if not value:
            return None
        if place < count - 1:
            value *= 10
    return digit if 0.5 - error <= value <= 0.5 + error else None


def _scale(value: float, power: int) -> tuple[float, int]:
    """Return the value with one digit before the point, and its number of roundings.

    It counts from 2, and repeats exactly these multiplications, whose errors decide what is a tie.
    """
    steps = 2
    size = abs(power)
    # 10 ** size as a product: its lowest four bits select one of `_POWERS`, each higher bit one of `_LARGE_POWERS`
    factors = [large for bit, large in enumerate(_LARGE_POWERS) if size >> 4 >> bit & 1]
    if power < 0:
        value *= _POWERS[size & 15]
        for factor in factors:
            value *= factor
        return value, steps + len(factors)
    divisor = _POWERS[size & 15]
    if size >= 256:  # the algorithm divides by the largest factor first
        value /= factors.pop()
        steps += 1
    for factor in factors:
        divisor *= factor
    return value / divisor, steps + len(factors)
