"""Numbers: absolute values, rounding, extremes and comparison."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

from evaluator.errors import Failure
from evaluator.functions.deprecations import deprecated
from evaluator.functions.host import host_class
from evaluator.functions.registry import function
from evaluator.values import host_text, label, text

# --- Rounding


def _deprecated(scope: Any, name: str, kinds: str, way: str = "") -> None:
    deprecated(
        scope.runtime,
        f"The {name}() function's auto conversion of {kinds} is deprecated"
        f" - change to convert input before calling{way}",
    )


def host_float(string: str) -> float | None:
    """The Float that a text stands for: decimal, with exponent, or hexadecimal; None for other text."""
    if re.fullmatch(r"\s*[-+]?\d+(_\d+)*(\.\d+(_\d+)*)?([eE][-+]?\d+)?\s*", string):
        return float(string.replace("_", ""))
    match = re.fullmatch(r"\s*([-+]?)0[xX]([0-9a-fA-F]+)\s*", string)
    return float(int(match[1] + match[2], 16)) if match else None


def whole(value: float) -> int:
    """The Integer part of a Float. Raises Failure for a Float that is no number."""
    try:
        return int(value)
    except (OverflowError, ValueError):
        raise Failure(text(value)) from None


@function("abs(Numeric val)")
def abs_(value: Any) -> Any:
    """Gives the distance of a number from zero.

    > abs(-5)
    5

    > abs(-1.5)
    1.5
    """
    return abs(value)


@abs_.overload("abs(String val)", context=True)
def abs_text(scope: Any, value: str) -> Any:
    """The absolute value of decimal text (deprecated)."""
    _deprecated(scope, "abs", "String to Numeric")
    if re.fullmatch(r"-?\d+", value):
        return abs(int(value))
    if re.fullmatch(r"-?\d+\.\d+", value):
        return abs(float(value))
    raise Failure("abs(): Requires float or integer to work with - was given non decimal string")


def _float_of(scope: Any, name: str, value: str) -> float:
    _deprecated(scope, name, "String to Float")
    number = host_float(value)
    if number is None:
        raise Failure(f"{name}(): cannot convert given value to a floating point value.")
    return number


@function("ceiling(Numeric val)")
def ceiling(value: Any) -> int:
    """Gives the smallest Integer that is not below the number.

    > ceiling(1.2)
    2

    > ceiling(-1.2)
    -1
    """
    floor_value = whole(value // 1)
    return floor_value if floor_value == value else floor_value + 1


@ceiling.overload("ceiling(String val)", context=True)
def ceiling_text(scope: Any, value: str) -> int:
    """The ceiling of numeric text (deprecated)."""
    return ceiling.invoke(scope, (_float_of(scope, "ceiling", value),), None)


@function("floor(Numeric val)")
def floor(value: Any) -> int:
    """Gives the greatest Integer that is not above the number.

    > floor(1.7)
    1

    > floor(-1.2)
    -2
    """
    return whole(value // 1)


@floor.overload("floor(String val)", context=True)
def floor_text(scope: Any, value: str) -> int:
    """The floor of numeric text (deprecated)."""
    return whole(_float_of(scope, "floor", value) // 1)


@function("round(Numeric val)")
def round_(value: Any) -> int:
    """Gives the nearest Integer; a half goes away from zero.

    > round(2.5)
    3

    > round(-2.5)
    -3
    """
    if type(value) is int:
        return value
    return whole(value + 0.5 if value > 0 else value - 0.5)


# --- Extremes

_are_numbers = frozenset((int, float)).issuperset


_NUMERIC = re.compile(r"-?[0-9]+(\.[0-9]+|[eE][0-9]+|(_[0-9]+)+)?")


def _numbers(values: Any) -> list[Any] | None:
    """The values as numbers, or None unless all are numbers or numeric text."""
    numbers = []
    for value in values:
        if type(value) is str:
            match = _NUMERIC.fullmatch(value)
            value = float(value) if match else None
        if type(value) not in (int, float):
            return None
        numbers.append(value)
    return numbers


def _by_block(values: Any, block: Any, sign: int) -> Any:
    def better(best: Any, value: Any) -> Any:
        result = block.fn(value, best)
        if result is None:
            from evaluator.functions.grouping import not_comparable

            raise not_comparable(value, best)
        if type(result) not in (int, float):
            raise Failure(f"comparison of {host_class(result)} with 0 failed")
        return value if result * sign > 0 else best

    return reduce(better, values)


def _extreme(scope: Any, name: str, values: Any, block: Any) -> Any:
    """The greatest (`max`) or least (`min`) value: as numbers where possible, else by their text."""
    choose: Callable[..., Any] = max if name == "max" else min
    if block is not None:
        return _by_block(values, block, 1 if name == "max" else -1) if values else None
    if not values:
        raise Failure(f"{name}(): Wrong number of arguments need at least one")
    if len(values) == 1 and type(values[0]) is not str:
        return values[0]
    kinds = {type(value) for value in values}
    if kinds <= {int, float}:
        return choose(values)
    mixed = kinds != {str}
    return reduce(lambda best, value: _better(scope, name, best, value, mixed), values)


def _better(scope: Any, name: str, best: Any, value: Any, mixed: bool) -> Any:
    """The greater or lesser of two values: as numbers where both can be, else by their text."""
    numbers = _numbers((best, value))
    if numbers is None:
        if mixed:
            _deprecated(scope, name, "Any to String", ", or use lambda")
        order = sign(_text(value), _text(best))
    else:
        _deprecated(scope, name, "String to Numeric", ", or use lambda")
        order = sign(numbers[1], numbers[0])
    return value if order * (1 if name == "max" else -1) > 0 else best


def _text(value: Any) -> str:
    return (
        host_text(value) if type(value) in (list, dict) or type(value).__name__ == "Regexp" else text(value)
    )


def _signatures(name: str) -> tuple[str, ...]:
    return (
        f"{name}(Numeric values*)",
        f"{name}(String values*)",
        f"{name}(Array[Numeric] values, Callable[2, 2] block?)",
        f"{name}(Array[String] values, Callable[2, 2] block?)",
        f"{name}(Array values, Callable[2, 2] block?)",
        f"{name}(Any values*, Callable[2, 2] block)",
        f"{name}(Any values*)",
    )


@function(_signatures("max")[0], context=True)
def max_(scope: Any, *values: Any) -> Any:
    """Gives the greatest of its arguments, or of the elements of one array. A block compares two values.

    > max(1, 5, 3)
    5

    > max(['b', 'a'])
    'b'

    > max('abc', 'de') |$a, $b| { compare($a.length, $b.length) }
    'abc'
    """
    return max(values) if values else _extreme(scope, "max", values, None)


@max_.overload(_signatures("max")[1], context=True)
def max_text(scope: Any, *values: Any) -> Any:
    """The greatest text."""
    return _extreme(scope, "max", values, None)


@max_.overload(*_signatures("max")[2:5], context=True)
def max_array(scope: Any, values: list[Any], block: Any = None) -> Any:
    """The greatest element."""
    if block is None and values and _are_numbers(map(type, values)):
        return max(values)
    return _extreme(scope, "max", values, block)


@max_.overload(*_signatures("max")[5:], context=True)
def max_any(scope: Any, *values: Any, block: Any = None) -> Any:
    """The greatest of mixed values."""
    return _extreme(scope, "max", values, block)


@function(_signatures("min")[0], context=True)
def min_(scope: Any, *values: Any) -> Any:
    """Gives the least of its arguments, or of the elements of one array. A block compares two values.

    > min(1.5, 1)
    1

    > min(['b', 'a'])
    'a'
    """
    return min(values) if values else _extreme(scope, "min", values, None)


@min_.overload(_signatures("min")[1], context=True)
def min_text(scope: Any, *values: Any) -> Any:
    """The least text."""
    return _extreme(scope, "min", values, None)


@min_.overload(*_signatures("min")[2:5], context=True)
def min_array(scope: Any, values: list[Any], block: Any = None) -> Any:
    """The least element."""
    if block is None and values and _are_numbers(map(type, values)):
        return min(values)
    return _extreme(scope, "min", values, block)


@min_.overload(*_signatures("min")[5:], context=True)
def min_any(scope: Any, *values: Any, block: Any = None) -> Any:
    """The least of mixed values."""
    return _extreme(scope, "min", values, block)


# --- Comparison

ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(string: str) -> str:
    """The text with the case of the letters A to Z removed, as comparison without case sees it."""
    return string.lower() if string.isascii() else string.translate(ASCII_LOWER)


def sign(left: Any, right: Any) -> int:
    """-1, 0 or 1 as left is below, equal to or above right."""
    return (right < left) - (left < right)


@function("compare(Numeric a, Numeric b)")
def compare(left: Any, right: Any) -> int:
    """Compares two values of one kind: -1, 0 or 1 as the first is less, equal or greater.

    Strings compare without regard to case unless the third argument is false.

    > compare('apple', 'Banana')
    -1

    > compare('a', 'A', false)
    1

    > compare(2, 1.5)
    1
    """
    return sign(left, right)


@compare.overload("compare(String a, String b, Boolean ignore_case?)")
def compare_text(left: str, right: str, ignore_case: bool = True) -> int:
    """Compares text."""
    return sign(fold(left), fold(right)) if ignore_case else sign(left, right)


compare.overload("compare(SemVer a, SemVer b)")(sign)


@compare.overload(
    "compare(Numeric a, Variant[Timespan, Timestamp] b)",
    "compare(Timestamp a, Variant[Timestamp, Numeric] b)",
    "compare(Timespan a, Variant[Timespan, Numeric] b)",
)
def compare_times(left: Any, right: Any) -> int:
    """Compares times; a number counts seconds, an Integer whole ones."""
    if type(left) is int:
        return sign(left, right.nanoseconds // 1_000_000_000)
    if type(right) is int:
        return sign(left.nanoseconds // 1_000_000_000, right)
    return sign(_nanoseconds(left), _nanoseconds(right))


def _nanoseconds(value: Any) -> Any:
    if type(value) is float:
        return int(value * 1e9) if abs(value) < 1e300 else value
    return value.nanoseconds


@compare.mismatch
def compare_mismatch(*args: Any) -> str | None:
    """What is wrong with arguments that cannot be compared."""
    if len(args) < 2:
        return None
    kinds = [type(arg).__name__ for arg in args[:2]]
    comparable = ("int", "float", "str", "SemVer", "Timespan", "Timestamp")
    labels = " and ".join(label(arg) for arg in args[:2])
    if kinds[0] not in comparable or kinds[1] not in comparable:
        return (
            "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and"
            f" Timestamp can be compared. Got {labels}"
        )
    if len(args) > 2 and kinds != ["str", "str"]:
        return "compare(): The third argument (ignore case) can only be used when comparing strings"
    if len(args) > 3:
        return f"compare(): Accepts at most 3 arguments, got {len(args)}"
    if kinds == ["str", "str"]:
        return None
    return (
        "compare(): Can only compare values of the same type"
        f" (or for Timestamp/Timespan also against Numeric). Got {labels}"
    )


@function("versioncmp(String a, String b, Boolean ignore_trailing_zeroes?)")
def versioncmp(left: str, right: str, ignore_trailing_zeroes: bool = False) -> int:
    """Compares two version texts: -1, 0 or 1 as the first is older, equal or newer.

    > versioncmp('1.9', '1.10')
    -1

    > versioncmp('1.2.0', '1.2', true)
    0
    """
    if ignore_trailing_zeroes:
        left, right = _without_zeroes(left), _without_zeroes(right)
    return _compared_versions(left, right)


@lru_cache(maxsize=1000)  # the same few versions are compared again and again
def _compared_versions(left: str, right: str) -> int:
    for one, other in zip(_version_parts(left), _version_parts(right), strict=False):
        if one == other:
            continue
        for separator in "-.":
            if one == separator:
                return -1
            if other == separator:
                return 1
        if one[0].isdigit() and other[0].isdigit() and one[0] != "0" and other[0] != "0":
            return sign(int(one), int(other))
        return sign(one.upper(), other.upper())
    return sign(left, right)


def _version_parts(version: str) -> list[str]:
    return re.findall(r"[-.]|[0-9]+|[^-.0-9]+", version)


def _without_zeroes(version: str) -> str:
    release, dash, rest = version.partition("-")
    return release.rstrip(".0") + dash + rest
