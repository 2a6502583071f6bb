"""Types of rich data: times, versions, Binary, URI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from evaluator.types.base import Memo, ScalarType, Type
from evaluator.types.numbers import range_text
from evaluator.types.predicates import Code, both
from evaluator.values import kind as kinds
from evaluator.values import uris
from evaluator.values.binaries import Binary
from evaluator.values.printing import literal, quoted
from evaluator.values.times.timespans import Timespan
from evaluator.values.times.timestamps import Timestamp
from evaluator.values.versions import SemVer, SemVerRange


class TimeType(ScalarType):
    """Timestamp[low, high] and Timespan[low, high]; bounds are values of theirs, None is no bound."""

    __slots__ = ("high", "low")
    values: ClassVar[type]

    def __init__(self, low: Any = None, high: Any = None) -> None:
        self.low = low
        self.high = high

    def parts(self) -> tuple[Any, ...]:
        return (self.low, self.high)

    def arguments(self) -> list[str]:
        if self.low is not None and self.low == self.high:
            return [quoted(self.low.text())]
        return range_text(self.low, self.high, text=lambda bound: quoted(bound.text()))

    def test_source(self, variable: str, code: Code) -> str:
        kind = f"type({variable}) is {code.bind(self.values)}"
        return both(kind, code.range(variable, self.low, self.high))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, TimeType)
            and type(actual) is type(self)
            and (self.low is None or (actual.low is not None and self.low <= actual.low))
            and (self.high is None or (actual.high is not None and actual.high <= self.high))
        )

    def generalize(self) -> Type:
        return type(self)()


class TimestampType(TimeType):
    """Timestamp."""

    __slots__ = ()
    keyword = "Timestamp"
    makes = kinds.TIMESTAMP
    values = Timestamp


class TimespanType(TimeType):
    """Timespan."""

    __slots__ = ()
    keyword = "Timespan"
    makes = kinds.TIMESPAN
    values = Timespan


class SemVerType(ScalarType):
    """SemVer, or SemVer['1.x', …]: versions in one of the ranges."""

    __slots__ = ("ranges",)
    keyword = "SemVer"
    makes = kinds.SEMVER

    def __init__(self, ranges: Iterable[Any] = ()) -> None:
        self.ranges = tuple(ranges)

    def parts(self) -> tuple[Any, ...]:
        return (self.ranges,)

    def arguments(self) -> list[str]:
        return [quoted(covered.text()) for covered in self.ranges]

    def _holds(self, value: Any) -> bool:
        return type(value) is SemVer and (
            not self.ranges or any(covered.includes(value) for covered in self.ranges)
        )

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, SemVerType):
            return False
        if not self.ranges:
            return True
        return bool(actual.ranges) and all(
            any(mine.covers(theirs) for mine in self.ranges) for theirs in actual.ranges
        )


def version_type(version: SemVer) -> SemVerType:
    """The type of just this version."""
    return SemVerType([SemVerRange.parse(f"{version.text()} - {version.text()}")])


class _PlainType(Type):
    """A type whose instances are those of one class, `values`."""

    __slots__ = ()
    values: ClassVar[type]

    def test_source(self, variable: str, code: Code) -> str:
        return f"type({variable}) is {code.bind(self.values)}"


class SemVerRangeType(_PlainType, ScalarType):
    """SemVerRange."""

    __slots__ = ()
    keyword = "SemVerRange"
    makes = kinds.SEMVER_RANGE
    values = SemVerRange

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, SemVerRangeType)


class BinaryType(_PlainType):
    """Binary."""

    __slots__ = ()
    keyword = "Binary"
    makes = kinds.BINARY
    values = Binary


URI_PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")


class UriType(Type):
    """URI, or URI[{part => String, Regexp, undef or type}]: URIs by their parts."""

    __slots__ = ("components",)
    keyword = "URI"
    makes = kinds.URI

    def __init__(self, components: dict[str, Any] | None = None) -> None:
        self.components = components or {}

    def parts(self) -> tuple[Any, ...]:
        return tuple(self.components.items())

    def arguments(self) -> list[str]:
        if not self.components:
            return []
        spelled = (
            f"{quoted(part)} => {wanted.inner() if isinstance(wanted, Type) else literal(wanted)}"
            for part, wanted in self.components.items()
        )
        return ["{" + ", ".join(spelled) + "}"]

    def _holds(self, value: Any) -> bool:
        if type(value) is not uris.URI:
            return False
        return all(_fits(wanted, part_of(value, part)) for part, wanted in self.components.items())

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, UriType):
            return False
        return all(
            part in actual.components and _covers(wanted, actual.components[part])
            for part, wanted in self.components.items()
        )

    def generalize(self) -> Type:
        return URI


def part_of(uri: Any, part: str) -> Any:
    """A part of a URI value; None when it has no such part."""
    return uri.components.get(part)


def _fits(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, Type):
        return wanted.instance(value)
    if isinstance(wanted, str) and isinstance(value, str):
        return wanted == value
    if hasattr(wanted, "search"):
        return isinstance(value, str) and wanted.search(value) is not None
    return bool(wanted == value)


def _covers(wanted: Any, other: Any) -> bool:
    if isinstance(wanted, Type) and isinstance(other, Type):
        return wanted.assignable(other)
    return bool(wanted == other) if isinstance(other, Type) else _fits(wanted, other)


TIMESTAMP = TimestampType()
TIMESPAN = TimespanType()
SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()
BINARY = BinaryType()
URI = UriType()
