"""Floats that are no numbers, or infinite."""

from __future__ import annotations

import math
from typing import Any

from evaluator.issues import Failure, error
from evaluator.values.printing import float_text


def check_finite(operator: str, result: float) -> float:
    """A float result. Raises RESULT_IS_INFINITY; NaN passes."""
    if math.isinf(result):
        raise error("RESULT_IS_INFINITY", operator=operator, operand=0)
    return result


def divide(left: Any, right: Any) -> float:
    """left / right as floats; zero divided by zero is NaN, anything else by zero infinite."""
    try:
        result: float = left / right
        return result
    except ZeroDivisionError:
        return math.nan if left == 0 or left != left else math.inf


def to_whole(value: float) -> int:
    """A float's integer part. Raises Failure for NaN and infinity, in their own names."""
    if math.isfinite(value):
        return int(value)
    raise Failure("NOT_FINITE", value=float_text(value))
