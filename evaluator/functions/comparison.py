"""Comparison of values of one kind, and of versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure
from evaluator.values import label
from evaluator.values.kind import FLOAT, INTEGER, SEMVER, STRING, TIMESPAN, TIMESTAMP, kind_of
from evaluator.values.slices import run_end

_SHORT = 1000  # characters of versions that are taken apart at once, and remembered
_DIGITS, _OTHERS = re.compile("[0-9]*"), re.compile("[^-.0-9]*")
ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(string: str) -> str:
    """The text with the case of the letters A to Z removed, as comparison without case sees it."""
    return string.lower() if string.isascii() else string.translate(ASCII_LOWER)


def sign(left: Any, right: Any) -> int:
    """-1, 0 or 1 as left is below, equal to or above right."""
    order: int = (right < left) - (left < right)
    return order


@function("compare(Numeric a, Numeric b)")
def compare(left: Any, right: Any) -> int:
    """Compares two values of one kind: -1, 0 or 1 as the first is less, equal or greater.

    Strings compare without regard to case unless the third argument is false. The kinds are numbers, Strings, SemVer,
    Timestamp and Timespan. It is what the block of `sort` gives.

    > compare('apple', 'Banana')
    -1

    > compare('a', 'A', false)
    1

    > compare(2, 1.5)
    1

    > ['bb', 'a', 'ccc'].sort |$a, $b| { compare($b.length, $a.length) }
    ['ccc', 'bb', 'a']
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


_COMPARABLE = frozenset((INTEGER, FLOAT, STRING, SEMVER, TIMESPAN, TIMESTAMP))


@compare.mismatch
def compare_mismatch(*args: Any) -> Failure | None:
    """What is wrong with arguments that cannot be compared."""
    if len(args) < 2:
        return None
    kinds = [kind_of(arg) for arg in args[:2]]
    labels = " and ".join(label(arg) for arg in args[:2])
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
    """Compares two version texts: -1, 0 or 1 as the first is older, equal or newer; numbers count as numbers.

    With `true` zeroes at the end do not count. What follows a version makes it newer, also where a pre-release is
    meant: SemVer values know these.

    > versioncmp('1.9', '1.10')
    -1

    > versioncmp('1.2.0', '1.2', true)
    0

    > [versioncmp('1.0.0-rc1', '1.0.0'), compare(SemVer('1.0.0-rc1'), SemVer('1.0.0'))]
    [1, -1]
    """
    if ignore_trailing_zeroes:
        left, right = _without_zeroes(left), _without_zeroes(right)
    short = len(left) + len(right) <= _SHORT
    return _remembered_versions(left, right) if short else _compared_versions(left, right)


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


_remembered_versions = lru_cache(maxsize=1000)(
    _compared_versions
)  # the same few are compared again and again


def _version_parts(version: str) -> Iterable[str]:
    if len(version) <= _SHORT:
        return re.findall(r"[-.]|[0-9]+|[^-.0-9]+", version)
    return _parts_of_long(version)


def _parts_of_long(version: str) -> Iterator[str]:
    position = 0
    while position < len(version):
        first = version[position]
        kind = _DIGITS if first in "0123456789" else _OTHERS
        end = position + 1 if first in "-." else run_end(kind, version, position)
        yield version[position:end]
        position = end


def _without_zeroes(version: str) -> str:
    release, dash, rest = version.partition("-")
    return release.rstrip(".0") + dash + rest
