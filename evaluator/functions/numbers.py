"""Functions of numbers, and comparison of values and versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cmp_to_key, partial

from evaluator.calling.registry import BuiltinFunction, function
from evaluator.functions.grouping import make_comparison
from evaluator.issues import Failure, require, require_found
from evaluator.operators.comparison import fold_case
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.program.log import log_deprecation
from evaluator.values import Value, describe_kind, to_ruby_text
from evaluator.values.chunked import find_run_end
from evaluator.values.floats import to_whole
from evaluator.values.kind import FLOAT, INTEGER, SEMVER, STRING, TIMESPAN, TIMESTAMP, get_kind
from evaluator.values.ruby_values import parse_float
from lexer_parser.memo import memoize

_SHORT = 1000  # the results for versions up to this length together, in characters, are cached
_DIGITS, _OTHERS = re.compile("[0-9]*"), re.compile("[^-.0-9]*")


def compare_order(left: Value, right: Value) -> int:
    """Return -1, 0 or 1 if left is less than, equal to or greater than right."""
    return int(right < left) - int(left < right)


@function("compare(Numeric a, Numeric b)")
def compare(left: Value, right: Value) -> int:
    """Return -1, 0 or 1 if the first of two values of one kind is less, equal or greater.

    Strings compare without regard to case unless the third argument is false. The kinds are numbers, Strings, SemVer,
    Timestamp and Timespan. A block of `sort` can use it.

    > compare('apple', 'Banana')
    -1

    > compare('a', 'A', false)
    1

    > compare(2, 1.5)
    1

    > ['bb', 'a', 'ccc'].sort |$a, $b| { compare($b.length, $a.length) }
    ['ccc', 'bb', 'a']
    """
    return compare_order(left, right)


@compare.overload("compare(String a, String b, Boolean ignore_case?)")
def compare_text(left: str, right: str, ignore_case: bool = True) -> int:
    """Compare Strings; by default A to Z equal a to z."""
    return compare_order(fold_case(left), fold_case(right)) if ignore_case else compare_order(left, right)


compare.overload("compare(SemVer a, SemVer b)")(compare_order)


@compare.overload(
    "compare(Numeric a, Variant[Timespan, Timestamp] b)",
    "compare(Timestamp a, Variant[Timestamp, Numeric] b)",
    "compare(Timespan a, Variant[Timespan, Numeric] b)",
)
def compare_times(left: Value, right: Value) -> int:
    """Compare times; a number is seconds, an Integer whole ones."""
    if type(left) is int:
        return compare_order(left, right.whole_seconds())
    if type(right) is int:
        return compare_order(left.whole_seconds(), right)
    return compare_order(_to_nanoseconds(left), _to_nanoseconds(right))


def _to_nanoseconds(value: Value) -> Value:
    """Return a number of seconds, or a time, as nanoseconds.

    No time has as many as a number of at least 1e300, whose product may be infinite.
    """
    if type(value) is float:
        return int(value * 1e9) if abs(value) < 1e300 else value
    return value.nanoseconds


_COMPARABLE = frozenset((INTEGER, FLOAT, STRING, SEMVER, TIMESPAN, TIMESTAMP))


@compare.mismatch
def compare_mismatch(*args: Value) -> Failure | None:
    """Return the failure for arguments that cannot be compared."""
    if len(args) < 2:
        return None
    kinds = [get_kind(arg) for arg in args[:2]]
    labels = " and ".join(describe_kind(arg) for arg in args[:2])
    if not _COMPARABLE.issuperset(kinds):
        return Failure("NOT_COMPARABLE", actual=labels)
    if len(args) > 2 and kinds != [STRING, STRING]:
        return Failure("CASE_OF_STRINGS_ONLY")
    if len(args) > 3:
        return Failure("COMPARE_COUNT", number=len(args))
    if kinds == [STRING, STRING]:
        return None
    return Failure("NOT_OF_ONE_TYPE", actual=labels)


@function("versioncmp(String a, String b, Boolean ignore_trailing_zeroes?)")
def versioncmp(left: str, right: str, ignore_trailing_zeroes: bool = False) -> int:
    """Compare two versions: return -1, 0 or 1 if the first is older, equal or newer.

    With `true`, zeros at the end are ignored. Any suffix makes a version newer, even that of a pre-release: use SemVer
    values for those.

    > versioncmp('1.9', '1.10')
    -1

    > versioncmp('1.2.0', '1.2', true)
    0

    > [versioncmp('1.0.0-rc1', '1.0.0'), compare(SemVer('1.0.0-rc1'), SemVer('1.0.0'))]
    [1, -1]
    """
    if ignore_trailing_zeroes:
        left, right = _remove_zeroes(left), _remove_zeroes(right)
    is_short = len(left) + len(right) <= _SHORT
    return _compare_short_versions(left, right) if is_short else _compare_versions(left, right)


def _compare_versions(left: str, right: str) -> int:
    """Return -1, 0 or 1 by the first parts that differ; `-` and `.` precede any other part."""
    for left_part, right_part in zip(_split_version(left), _split_version(right), strict=False):
        if left_part == right_part:
            continue
        for separator in "-.":
            if left_part == separator:
                return -1
            if right_part == separator:
                return 1
        if (
            left_part[0].isdigit()
            and right_part[0].isdigit()
            and left_part[0] != "0"
            and right_part[0] != "0"
        ):
            return compare_order(int(left_part), int(right_part))
        return compare_order(left_part.upper(), right_part.upper())
    return compare_order(left, right)


# Programs compare the same few versions again and again.
_compare_short_versions = memoize(1000)(_compare_versions)


def _split_version(version: str) -> Iterator[str]:
    """Yield the parts of a version: `-`, `.`, numbers, and other text.

    They are found in short calls, because no call can be interrupted.
    """
    position = 0
    while position < len(version):
        first, end = version[position], position + 1
        if first not in "-.":
            end = find_run_end(_DIGITS if first in "0123456789" else _OTHERS, version, position)
        yield version[position:end]
        position = end


def _remove_zeroes(version: str) -> str:
    release, dash, rest = version.partition("-")
    return release.rstrip(".0") + dash + rest


# --- absolute values, rounding


def _log_conversion(scope: Scope, name: str, kinds: str, alternative: str = "") -> None:
    log_deprecation(
        scope.runtime,
        f"The {name}() function's auto conversion of {kinds} is deprecated"
        f" - change to convert input before calling{alternative}",
    )


@function("abs(Numeric val)")
def abs_(value: Value) -> Value:
    """Return the absolute value of a number. A String is converted first, which is deprecated.

    > abs(-5)
    5

    > abs(-1.5)
    1.5
    """
    return abs(value)


@abs_.overload("abs(String val)", context=True)
def abs_text(scope: Scope, value: str) -> Value:
    """Return the absolute value of decimal text (deprecated)."""
    _log_conversion(scope, "abs", "String to Numeric")
    if re.fullmatch(r"-?\d+", value):
        return abs(int(value))
    if re.fullmatch(r"-?\d+\.\d+", value):
        return abs(float(value))
    raise Failure(
        "ARGUMENT_REQUIRED",
        function="abs",
        expected="float or integer to work with - was given non decimal string",
    )


def _parse_deprecated(scope: Scope, name: str, value: str) -> float:
    """Return the Float of a text, and log that its conversion is deprecated."""
    _log_conversion(scope, name, "String to Float")
    return require_found(parse_float(value), "NOT_CONVERTED_TO_FLOAT", function=name)


@function("ceiling(Numeric val)")
def ceiling(value: Value) -> int:
    """Return the smallest Integer that is not below the number.

    > ceiling(1.2)
    2

    > ceiling(-1.2)
    -1

    > ceiling(7 / 2.0)
    4
    """
    return -to_whole(-value // 1)


@ceiling.overload("ceiling(String val)", context=True)
def ceiling_text(scope: Scope, value: str) -> int:
    """Return the ceiling of numeric text (deprecated)."""
    return int(ceiling.invoke(scope, (_parse_deprecated(scope, "ceiling", value),), None))


@function("floor(Numeric val)")
def floor(value: Value) -> int:
    """Return the greatest Integer that is not above the number.

    > floor(1.7)
    1

    > floor(-1.2)
    -2
    """
    return to_whole(value // 1)


@floor.overload("floor(String val)", context=True)
def floor_text(scope: Scope, value: str) -> int:
    """Return the floor of numeric text (deprecated)."""
    return to_whole(_parse_deprecated(scope, "floor", value) // 1)


_EXACT = 2**52  # smaller Floats can have a fraction


@function("round(Numeric val)", context=True)
def round_(scope: Scope, value: Value) -> int:
    """Return the nearest Integer; a half is rounded away from zero.

    `sprintf` formats decimals.

    > round(2.5)
    3

    > round(-2.5)
    -3

    > sprintf('%.1f', 2.25)
    '2.2'
    """
    if type(value) is int and (abs(value) < _EXACT or scope.runtime.dialect.unbounded_integers):
        return value  # the released Puppet converts Integers to Float to round them
    return to_whole(value + 0.5 if value > 0 else value - 0.5)


# --- Extremes


def _are_ordered(values: Value) -> bool:
    """Return True for versions, lengths of time, or dates, all of one kind."""
    (kind, *others) = {get_kind(value) for value in values}
    return not others and kind in (SEMVER, TIMESPAN, TIMESTAMP)


_NUMERIC = re.compile(r"-?[0-9]+(\.[0-9]+|[eE][0-9]+|(_[0-9]+)+)?")


def _to_numbers(values: Value) -> list[Value] | None:
    """Return the values as numbers, or None if one is neither a number nor numeric text."""
    numbers = []
    for value in values:
        if type(value) is str:
            match = _NUMERIC.fullmatch(value)
            value = float(value) if match else None
        if type(value) not in (int, float):
            return None
        numbers.append(value)
    return numbers


def _choose_extreme(scope: Scope, name: str, values: Value, block: LambdaBlock | None) -> Value:
    """Return the greatest (`max`) or least (`min`) value: as numbers if possible, or as text.

    Callers without a block have not found all values to be numbers.
    """
    choose = max if name == "max" else min
    if block is not None:
        return choose(values, key=cmp_to_key(make_comparison(block)), default=None)
    require(values, "ARGUMENT_NEEDED", function=name)
    if len(values) == 1 and type(values[0]) is not str:
        return values[0]
    kinds = set(map(type, values))
    if scope.runtime.dialect.ordered_extremes and _are_ordered(values):
        return choose(values)
    return choose(values, key=cmp_to_key(partial(_compare_converted, scope, name, is_mixed=kinds != {str})))


def _compare_converted(scope: Scope, name: str, left: Value, right: Value, *, is_mixed: bool) -> int:
    """Return the order of two values, as numbers if possible, else as text (deprecated)."""
    numbers = _to_numbers((left, right))
    if numbers is None:
        if is_mixed:
            _log_conversion(scope, name, "Any to String", ", or use lambda")
        return compare_order(to_ruby_text(left), to_ruby_text(right))
    _log_conversion(scope, name, "String to Numeric", ", or use lambda")
    return compare_order(*numbers)


@function("max(Numeric values*)", context=True)
def max_(scope: Scope, *values: Value) -> Value:
    """Return the greatest of its arguments, or of the elements of one array.

    A block compares two values.

    Numbers are compared as numbers and Strings as text. Strings that are numbers, and values of different kinds,
    are converted first, which is deprecated.

    > max(1, 5, 3)
    5

    > max(['b', 'a'])
    'b'

    > max('abc', 'de') |$a, $b| { compare($a.length, $b.length) }
    'abc'
    """
    return max(values) if values else _choose_extreme(scope, "max", values, None)


@function("min(Numeric values*)", context=True)
def min_(scope: Scope, *values: Value) -> Value:
    """Return the least of its arguments, or of the elements of one array.

    A block compares two values, as for `max`.

    > min(1.5, 1)
    1

    > min(['b', 'a'])
    'a'

    > min('10.2', '9.10') |$a, $b| { versioncmp($a, $b) }
    '9.10'
    """
    return min(values) if values else _choose_extreme(scope, "min", values, None)


_ORDERED = ("SemVer", "Timespan", "Timestamp")
_NUMBERS = frozenset((int, float))


def _add_overloads(declared: BuiltinFunction) -> None:
    """Declare all signatures of `max` or `min` but the first, in order."""
    name = declared.name
    extreme = max if name == "max" else min

    def choose(scope: Scope, *values: Value, block: LambdaBlock | None = None) -> Value:
        return _choose_extreme(scope, name, values, block)

    def choose_element(scope: Scope, values: list[Value], block: LambdaBlock | None = None) -> Value:
        if values and block is None and _NUMBERS.issuperset(map(type, values)):
            return extreme(values)
        return _choose_extreme(scope, name, values, block)

    def add(body: Callable[..., Value], *texts: str, switch: str = "") -> None:
        declared.add(tuple(f"{name}({text})" for text in texts), body, context=True, switch=switch)

    block = "values, Callable[2, 2] block?"
    add(choose, "String values*")
    add(choose, *(f"{kind} values*" for kind in _ORDERED), switch="ordered_extremes")
    add(choose_element, f"Array[Numeric] {block}")
    # in messages `max` lists String before the other kinds, `min` after them
    if name == "max":
        add(choose_element, f"Array[String] {block}")
    add(choose_element, *(f"Array[{kind}] {block}" for kind in _ORDERED), switch="ordered_extremes")
    if name == "min":
        add(choose_element, f"Array[String] {block}")
    add(choose_element, f"Array {block}")
    add(choose, "Any values*, Callable[2, 2] block", "Any values*")


_add_overloads(max_)
_add_overloads(min_)
