"""The SemVer and SemVerRange values: versions of semver.org 2.0, ranges as in npm."""

from __future__ import annotations

import re
import sys
from typing import Any

from evaluator.issues import require, require_found
from evaluator.values import kind as kinds
from evaluator.values.kind import OrderedValue
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

_PART = r"[0-9A-Za-z-]++(?:\.[0-9A-Za-z-]++)*+"
_NUMBER = r"0|[1-9][0-9]*"
_VERSION = LazyPattern(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_PART}))?(?:\+({_PART}))?\n?", re.ASCII)


class SemVer(OrderedValue):
    """A version; `prerelease` and `build` are strings or None. The order ignores the build."""

    __slots__ = ("build", "major", "minor", "order", "patch", "prerelease")

    kind = kinds.SEMVER

    def __init__(
        self, major: int, minor: int, patch: int, prerelease: str | None = None, build: str | None = None
    ) -> None:
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build
        self.order = (*self.numbers, prerelease is None, _split_identifiers(prerelease))

    @classmethod
    def parse(cls, text: str) -> SemVer:
        """Return the version in a text.

        Raises:
            Failure: The text is not a version.
        """
        match = require_found(_VERSION.fullmatch(text), "NO_VERSION", value=text)
        major, minor, patch, prerelease, build = match.groups()
        _check_prerelease(prerelease)
        return cls(int(major), int(minor), int(patch), prerelease, build)

    @property
    def numbers(self) -> tuple[int, int, int]:
        return self.major, self.minor, self.patch

    @property
    def stable(self) -> bool:
        return self.prerelease is None

    def get_identity(self) -> tuple[Any, ...]:
        """Return the order and the build."""
        return self.order, self.build

    def text(self) -> str:
        """Return `1.2.3-rc1+build`, both as a string and as source."""
        prerelease = "" if self.prerelease is None else f"-{self.prerelease}"
        build = "" if self.build is None else f"+{self.build}"
        return f"{self.major}.{self.minor}.{self.patch}{prerelease}{build}"

    literal = text


def _split_identifiers(prerelease: str | None) -> tuple[tuple[bool, int, str], ...]:
    """Return the parts of a pre-release as comparable values: numbers before strings."""
    if not prerelease:
        return ()
    return tuple(
        (False, int(part), "") if part.isdecimal() else (True, 0, part) for part in prerelease.split(".")
    )


def _check_prerelease(prerelease: str | None) -> None:
    """Raise Failure for a number with a leading zero among the parts of a pre-release."""
    has_zero = any(re.fullmatch("0[0-9]+", part) for part in (prerelease or "").split("."))
    require(not has_zero, "VERSION_LEADING_ZERO")


class Interval(Record):
    """The versions between two bounds.

    An interval with bounds includes a pre-release only when a bound is a pre-release of the same version.

    Attributes:
        low: The lower bound; None for none.
        high: The upper bound; None for none.
        open_low: True if `low` itself is excluded.
        open_high: True if `high` itself is excluded.
        twice: True for the intersection of one version with a longer interval, as in `1.2.3 1.x`. Puppet prints that
            version twice, and the interval does not equal that of `1.2.3`.
    """

    low: SemVer | None = None
    high: SemVer | None = None
    open_low: bool = False
    open_high: bool = False
    twice: bool = False

    def fields(self) -> tuple[Any, ...]:
        """Return the parts by which two intervals are compared."""
        return self.low, self.high, self.open_low, self.open_high, self.twice

    @property
    def single(self) -> bool:
        """True when the interval has one version only."""
        if self.low is None or self.high is None or self.open_low or self.open_high:
            return False
        return bool(self.low.order == self.high.order)

    def includes(self, version: SemVer) -> bool:
        """Return True when the version is in the interval."""
        if self.single:
            return version == self.low
        if self.low is not None and (version < self.low or (self.open_low and not self.low < version)):
            return False
        if self.high is not None and (self.high < version or (self.open_high and not version < self.high)):
            return False
        bounds = [bound for bound in (self.low, self.high) if bound is not None]
        return (
            version.stable
            or not bounds
            or any(not bound.stable and bound.numbers == version.numbers for bound in bounds)
        )

    def includes_begin(self, other: Interval) -> bool:
        """Return True when the lower bound of another interval is in this one."""
        return self.low is None if other.low is None else self.includes(other.low)

    def covers(self, other: Interval) -> bool:
        """Return True when everything between the other's bounds is between these.

        As released, it does not matter whether the lower bounds themselves are included.
        """
        return (self.low or LOWEST) <= (other.low or LOWEST) and _ends_after(self, other)

    def intersect(self, other: Interval) -> Interval | None:
        """Return the intersection with another interval; None if it is empty."""
        if self.low is None and self.high is None:
            return other
        low = other if _begins_before(self, other) else self
        high = other if _ends_after(self, other) else self
        common = Interval(low.low, high.high, open_low=low.open_low, open_high=high.open_high)
        if common.low is not None and common.high is not None:
            if common.high < common.low or (
                common.low == common.high and (common.open_low or common.open_high)
            ):
                return None
            common.twice = common.single and self.high != other.low and self.low != other.high
        return common

    def unite(self, other: Interval) -> Interval | None:
        """Return the union as one interval when the two overlap or touch, else None.

        As released, a union without bounds is `<=Infinity.0.0`, unless the other interval has no bounds itself.
        """
        first, second = (self, other) if _begins_before(self, other) else (other, self)
        if first.high is not None and second.low is not None:
            is_apart = first.high < second.low and not _are_successive(first, second)
            if is_apart or (first.high == second.low and first.open_high and second.open_low):
                return None
        last = first if _ends_after(first, second) else second
        is_unbounded = first.low is None and last.high is None
        high = HIGHEST if is_unbounded and (other.low or other.high) else last.high
        return Interval(
            first.low,
            high,
            open_low=first.open_low,
            open_high=last.open_high,
            twice=first.twice and second.twice,
        )

    def text(self) -> str:
        """Return the normal form: `>=1.0.0 <2.0.0`."""
        if self.low is None and self.high is None:
            return "*"
        if self.single:
            assert self.low is not None
            return f"{self.low.text()} {self.low.text()}" if self.twice else self.low.text()
        parts = []
        if self.low is not None:
            parts.append(f">{'' if self.open_low else '='}{self.low.text()}")
        if self.high is not None:
            parts.append(f"<{'' if self.open_high else '='}{self.high.text()}")
        return " ".join(parts)


def _begins_before(left: Interval, right: Interval) -> bool:
    """Return True when `left` begins before `right`, or at the same version."""
    low, other = left.low or LOWEST, right.low or LOWEST
    return low < other or (low <= other and (right.open_low or not left.open_low))


def _ends_after(left: Interval, right: Interval) -> bool:
    """Return True when `left` ends after `right`, or at the same version."""
    high, other = left.high or HIGHEST, right.high or HIGHEST
    return other < high or (other <= high and (right.open_high or not left.open_high))


def _are_successive(first: Interval, second: Interval) -> bool:
    """Return True for two stable versions that follow each other, as in `1.0.0 || 1.0.1`."""
    end, begin = first.high, second.low
    assert end is not None and begin is not None
    return (
        not (first.open_high or second.open_low)
        and (end.stable and begin.stable)
        and begin.numbers == (end.major, end.minor, end.patch + 1)
    )


class _Infinity(int):
    """A number of a version that is greater than all others."""

    def __str__(self) -> str:
        return "Infinity"


ZERO = SemVer(0, 0, 0)
LOWEST = SemVer(0, 0, 0, "")  # below all versions: a pre-release without identifiers
HIGHEST = SemVer(_Infinity(sys.maxsize), 0, 0)
NOTHING = Interval(high=ZERO, open_high=True)

_PARTIAL = (
    rf"(\*|[xX]|{_NUMBER})(?:\.(\*|[xX]|{_NUMBER})(?:\.(\*|[xX]|{_NUMBER})(?:-({_PART}))?(?:\+({_PART}))?)?)?"
)
_SIMPLE = LazyPattern(rf"(~>|[<>]=?|[=~^]|)(?:(?<=[<>=~^])v)?\s*{_PARTIAL}(?=\s|$)", re.ASCII)
_HYPHEN = LazyPattern(rf"{_PARTIAL}\s+-\s+{_PARTIAL}", re.ASCII)


class Partial:
    """A version in a range, of which parts may be missing or `x`.

    Attributes:
        numbers: The numbers before the first one that is missing or `x`, at most three.
        prerelease, build: Strings, or None; only a version with three numbers has them.
    """

    def __init__(self, groups: tuple[str | None, ...]) -> None:
        """Read the groups of `_PARTIAL`: three numbers, the pre-release and the build."""
        numbers: list[int] = []
        for text in groups[:3]:
            if text is None or text in "xX*":
                break
            numbers.append(int(text))
        self.numbers = numbers
        self.prerelease, self.build = groups[3:] if len(numbers) == 3 else (None, None)
        _check_prerelease(self.prerelease)

    @property
    def low(self) -> SemVer:
        """The version with zeros for the missing parts."""
        major, minor, patch = [*self.numbers, 0, 0, 0][:3]
        return SemVer(major, minor, patch, self.prerelease, self.build)

    def after(self, index: int) -> SemVer:
        """Return the first version that differs from this one in the number at `index` or before."""
        major, minor, patch = [*self.numbers[:index], self.numbers[index] + 1, 0, 0][:3]
        return SemVer(major, minor, patch)


def _make_interval(operator: str, partial: Partial) -> Interval:
    """Return the interval of a simple range such as `~1.2`."""
    count = len(partial.numbers)
    if not count:
        if operator in (">", "<"):
            return NOTHING
        return Interval(low=ZERO) if operator in (">=", "<=") else Interval()
    low = partial.low
    complete = count == 3
    if operator == ">":
        return Interval(low=low, open_low=True) if complete else Interval(low=partial.after(count - 1))
    if operator == ">=":
        return Interval(low=low)
    if operator == "<":
        return Interval(high=low, open_high=True)
    if operator == "<=":
        return Interval(high=low) if complete else Interval(high=partial.after(count - 1), open_high=True)
    if operator == "^":
        # The numbers after the first one that is not 0 may change; here a version 0.0.z allows 0.0.*.
        return Interval(low, partial.after(0 if partial.numbers[0] or count == 1 else 1), open_high=True)
    if operator in ("~", "~>"):
        return Interval(low, partial.after(min(count, 2) - 1), open_high=True)
    return Interval(low, low) if complete else Interval(low, partial.after(count - 1), open_high=True)


def _parse_alternative(text: str, whole: str) -> Interval | None:
    """Return one side of `||` as an interval; None if it is empty.

    It is a hyphen range, or simple ranges that must all be true.

    Raises:
        Failure: The side, and so the whole text, is not a range.
    """
    if text.isspace():
        return None
    match = _HYPHEN.fullmatch(text)
    if match is not None:
        groups = match.groups()
        return Interval(low=Partial(groups[:5]).low).intersect(Interval(high=Partial(groups[5:]).low))
    intersection: Interval | None = Interval()
    position = 0
    while position < len(text):
        simple = None if text[:1].isspace() else _SIMPLE.match(text, position)
        match = require_found(simple, "NO_VERSION_RANGE", value=whole)
        intersection = intersection and intersection.intersect(
            _make_interval(match[1], Partial(match.groups()[1:]))
        )
        position = match.end()
        while text[position : position + 1].isspace():
            position += 1
    return intersection


class SemVerRange(kinds.RichValue):
    """A range: it includes the versions in any of its `intervals`; `source` is as written."""

    __slots__ = ("intervals", "source")

    kind = kinds.SEMVER_RANGE

    def __init__(self, intervals: list[Interval], source: str | None = None) -> None:
        united: list[Interval] = []
        distinct = {interval.fields(): interval for interval in intervals}
        for union in distinct.values():
            apart = [other for other in united if other.unite(union) is None]
            for other in united:
                union = other.unite(union) or union
            united = [*apart, union]
        self.intervals = tuple(united)
        self.source = source

    @classmethod
    def parse(cls, text: str) -> SemVerRange:
        """Return the range in a text such as `>=1.0.0 <2.0.0`, `1.x || ~2.3`, `^1.2`.

        Raises:
            Failure: The text is not a range.
        """
        # blanks around `||` are ignored, but not those at the ends of the text
        *others, last = text.split("||")
        first, *rest = [*map(str.rstrip, others), last]
        parts = [part for part in (first, *map(str.lstrip, rest)) if part]
        intervals = [_parse_alternative(part, text) for part in parts] or [Interval()]
        return cls([interval for interval in intervals if interval is not None] or [NOTHING], text)

    @classmethod
    def between(cls, low: SemVer | None, high: SemVer | None, open_high: bool = False) -> SemVerRange:
        """Return the range of the versions from `low` to `high`; None is no bound.

        Puppet prints it with the bounds exchanged: `2.0.0 - 1.0.0`.
        """
        begin, end = low or LOWEST, high or HIGHEST
        source = f">={end.text()} <{begin.text()}" if open_high else f"{end.text()} - {begin.text()}"
        if begin > end or (open_high and begin == end):
            return cls([NOTHING], source)
        return cls([Interval(low, end if open_high or low is None else high, open_high=open_high)], source)

    def merge(self, other: SemVerRange) -> SemVerRange | None:
        """Return one range for this one and another, if they overlap or touch, else None.

        The other one follows this one among the parameters of a type. Other than in the result of `Interval.unite`, the
        lower bound is included. As released, so is the upper one where this range contains the end of the other one and
        both exclude their upper bounds.
        """
        if len(self.intervals) > 1 or len(other.intervals) > 1:
            return None
        (mine,), (theirs,) = self.intervals, other.intervals
        overlap = mine.includes_begin(theirs) or theirs.includes_begin(mine)
        touches = (mine.low or LOWEST) == theirs.high or mine.high == (theirs.low or LOWEST)
        if not (overlap or touches):
            return None
        my_high, their_high = mine.high or HIGHEST, theirs.high or HIGHEST
        if my_high <= their_high:
            is_open = theirs.open_high and (mine.open_high or my_high < their_high)
        else:
            is_open = mine.open_high and not (overlap and theirs.open_high)
        low = min(theirs.low, mine.low) if theirs.low and mine.low else None
        high = max(my_high, their_high) if mine.high and theirs.high else None
        return self.between(low, high, open_high=is_open)

    def includes(self, version: SemVer) -> bool:
        """Return True when the version is in the range."""
        return any(interval.includes(version) for interval in self.intervals)

    def covers(self, other: SemVerRange) -> bool:
        """Return True when all of the other range is in this one."""
        return all(any(mine.covers(theirs) for mine in self.intervals) for theirs in other.intervals)

    def get_identity(self) -> tuple[Any, ...]:
        """Return the bounds of the intervals."""
        return tuple(interval.fields() for interval in self.intervals)

    def text(self) -> str:
        """Return the range as it was written, or its normal form when it was not written as text."""
        return self.literal() if self.source is None else self.source

    def literal(self) -> str:
        """Return the normal form: `>=1.0.0 <2.0.0 || >=3.0.0`."""
        return " || ".join(interval.text() for interval in self.intervals)
