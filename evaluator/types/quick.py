"""The commonest conversions, as `String(5)` and `Integer('5')`, without the constructors of the types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types.base import NUMERIC
from evaluator.types.numbers import FLOAT, INTEGER
from evaluator.types.strings import STRING

INTEGERS = 2**63


def _string(value: Any) -> str | None:
    if type(value) is str:
        return value
    return str(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


def _integer(value: Any) -> int | None:
    if type(value) is int:
        return value
    plain = (
        type(value) is str and value.isdecimal() and value.isascii() and value[0] != "0" and len(value) < 19
    )
    return int(value) if plain else None


def _float(value: Any) -> float | None:
    if type(value) is float:
        return value
    return float(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


def _numeric(value: Any) -> int | float | None:
    return value if type(value) is int or type(value) is float else None


# What types make of one value, None where it is for their constructors; by identity, as a hash of a type costs more
# than the conversion.
CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    id(STRING): _string,
    id(INTEGER): _integer,
    id(FLOAT): _float,
    id(NUMERIC): _numeric,
}


def quick(type: Any, value: Any) -> Any:
    """What the type makes of the one value, or None: it is to be made by the type's constructor."""
    convert = CONVERSIONS.get(id(type))
    return None if convert is None else convert(value)
