"""Types of rich data: versions, points in time and durations, URIs, and binary data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from evaluator.issues import Failure, make_error, require
from evaluator.types.base import Memo, TestCode, Type, UndefType, join_and
from evaluator.types.scalars import (
    BoundedType,
    ScalarType,
    check_order,
    format_range,
)
from evaluator.types.variants import NotUndefType
from evaluator.values import DEFAULT, Value, format_literal, quote_string, uris
from evaluator.values import kind as kinds
from evaluator.values.binaries import Binary
from evaluator.values.regexps import RegexpValue
from evaluator.values.ruby_values import get_ruby_class
from evaluator.values.times.timespans import Timespan, to_nanoseconds
from evaluator.values.times.timestamps import Timestamp
from evaluator.values.versions import SemVer, SemVerRange
from lexer_parser.dialect import Dialect
from lexer_parser.lazy import LazyPattern


class SemVerType(ScalarType):
    """SemVer, or SemVer['1.x', …]: versions in one of the ranges.

    Attributes:
        ranges: The ranges, none of which overlaps or touches another.
    """

    __slots__ = ("ranges",)
    keyword = "SemVer"
    instance_kind = kinds.SEMVER

    def __init__(self, ranges: Iterable[SemVerRange] = ()) -> None:
        self.ranges: tuple[SemVerRange, ...] = ()
        remaining = list(ranges)
        # As released, the last range is merged with those before it, then the last of the others.
        while remaining:
            union, apart = remaining.pop(), []
            for other in remaining:
                merged = other.merge(union)
                if merged is None:
                    apart.append(other)
                union = merged or union
            self.ranges, remaining = (union, *self.ranges), apart

    def parts(self) -> tuple[object, ...]:
        return ((self._to_single_range(),) if len(self.ranges) > 1 else self.ranges,)

    def arguments(self) -> list[str]:
        return [quote_string(version_range.text()) for version_range in self.ranges]

    write_test = Type.write_test  # not the test of ScalarType, which accepts every scalar

    def _test_value(self, value: Value) -> bool:
        return type(value) is SemVer and (
            not self.ranges or any(version_range.includes(value) for version_range in self.ranges)
        )

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, SemVerType) or not self.ranges:
            return isinstance(actual, SemVerType)
        return bool(actual.ranges) and self._to_single_range().covers(actual._to_single_range())

    def _to_single_range(self) -> SemVerRange:
        """Return all ranges as one, in which those that overlap or touch are joined."""
        return SemVerRange([interval for each in self.ranges for interval in each.intervals])

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, most=None)
        self.check_parameters_are((str, SemVerRange), arguments, "String or SemanticPuppet::VersionRange")
        ranges = [SemVerRange.parse(each) if type(each) is str else each for each in arguments]
        return SemVerType(ranges)


def make_version_type(version: SemVer) -> SemVerType:
    """Return the type whose only instance is a version."""
    return SemVerType([SemVerRange.parse(f"{version.text()} - {version.text()}")])


class SemVerRangeType(ScalarType):
    """SemVerRange."""

    keyword = "SemVerRange"
    instance_kind = kinds.SEMVER_RANGE

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is {code.bind(SemVerRange)}"


SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()


class TimeType(BoundedType):
    """Timestamp[low, high] and Timespan[low, high].

    Attributes:
        value_class: The class of the instances and of the bounds.
    """

    value_class: ClassVar[Any]

    def arguments(self) -> list[str]:
        if self.low is not None and self.low == self.high:
            return [quote_string(self.low.text())]
        return format_range(self.low, self.high, format_bound=lambda bound: quote_string(bound.text()))

    def write_test(self, variable: str, code: TestCode) -> str:
        class_test = f"type({variable}) is {code.bind(self.value_class)}"
        return join_and(class_test, code.write_range(variable, self.low, self.high))

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, 0, 2)
        low, high = [*map(self.to_bound, arguments), None, None][:2]
        check_order(low, high, lambda bound: bound.text())
        return type(self)(low, high)

    def to_bound(self, value: Value) -> Value:
        """Return a bound from a value that `new` accepts; None for undef and `default`."""
        if value is None or value is DEFAULT:
            return None
        if self.instance(value):
            return value
        if type(value) in (int, float):
            return self.value_class(to_nanoseconds(value))
        if type(value) is str:
            return self.value_class.parse(value)
        if type(value) is dict:
            bound = self.parse_hash(value)
            if bound is not None:
                return bound
        raise Failure("NO_TIME", type=self.keyword, actual=get_ruby_class(value))

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        """Return the time of a hash such as `{ hours => 2 }`; None for another hash."""
        raise NotImplementedError


class TimestampType(TimeType):
    """Timestamp."""

    keyword = "Timestamp"
    instance_kind = kinds.TIMESTAMP
    value_class = Timestamp

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        if "string" not in value:
            return None
        return Timestamp.parse(value["string"], value.get("format"), value.get("timezone"))


class TimespanType(TimeType):
    """Timespan."""

    keyword = "Timespan"
    instance_kind = kinds.TIMESPAN
    value_class = Timespan

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        return Timespan.of_hash(value)


TIMESTAMP = TimestampType()
TIMESPAN = TimespanType()


# --- constraints on the parts of a value, for URI and for Object types with parameters

PartConstraints = Mapping[str, Any]  # by the name of a part: the value that it must have, a Regexp or a type


def matches_parts(constraints: PartConstraints, get_part: Callable[[str], Any]) -> bool:
    """Return True if a value matches constraints; `get_part` returns its part of a name."""
    return all(_matches_constraint(each, get_part(name)) for name, each in constraints.items())


def covers_parts(constraints: PartConstraints, others: PartConstraints) -> bool:
    """Return True if all values that match `others` also match `constraints`."""
    return all(
        name in others and _covers_constraint(each, others[name]) for name, each in constraints.items()
    )


def _matches_constraint(constraint: Value, value: Value) -> bool:
    """Return True if a part matches its constraint."""
    if isinstance(constraint, Type):
        return constraint.instance(value)
    if hasattr(constraint, "search"):
        return isinstance(value, str) and constraint.search(value) is not None
    return bool(constraint == value)


def _covers_constraint(constraint: Value, other: Any) -> bool:
    """Return True if all parts that match `other` also match `constraint`."""
    if isinstance(constraint, Type) and isinstance(other, Type):
        return constraint.assignable(other)
    return bool(constraint == other) if isinstance(other, Type) else _matches_constraint(constraint, other)


# --- URI


# The types of a part that must be present, and of one that must be missing.
_PART_TYPES = (NotUndefType(), UndefType())
_ABSOLUTE = LazyPattern(r"[a-zA-Z][-+.a-zA-Z\d]*:")


class UriType(Type):
    """URI, or URI[{part => String, Regexp, undef or type}]: URIs by their parts."""

    __slots__ = ("components",)
    keyword = "URI"
    instance_kind = kinds.URI

    def __init__(self, components: dict[str, Any] | None = None) -> None:
        self.components = components or {}

    def parts(self) -> tuple[object, ...]:
        return tuple(self.components.items())

    def arguments(self) -> list[str]:
        entries = (
            f"{quote_string(part)} => {each.inner() if isinstance(each, Type) else format_literal(each)}"
            for part, each in self.components.items()
        )
        return ["{" + ", ".join(entries) + "}"] if self.components else []

    def _test_value(self, value: Value) -> bool:
        return type(value) is uris.URI and matches_parts(self.components, value.components.get)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, UriType) and covers_parts(self.components, actual.components)

    def generalize(self) -> Type:
        return URI

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        argument = self.take_parameters(arguments, label="URI-Type")[0]
        if type(argument) is str and argument:
            require(_ABSOLUTE.search(argument), "URI_TYPE_NOT_ABSOLUTE", value=argument)
            return UriType(dict(uris.URI.parse(argument).components))
        if type(argument) is dict and all(
            _is_uri_part(part, constraint) for part, constraint in argument.items()
        ):
            return UriType(argument)
        raise make_error("BAD_TYPE_SLICE_TYPE", operand=1, type="URI-Type", actual=get_ruby_class(argument))


def _is_uri_part(part: Any, constraint: Value) -> bool:
    """Return True if a hash entry is a constraint on a part of a URI."""
    if part not in uris.PARTS:
        return False
    if isinstance(constraint, Type):
        return any(each.assignable(constraint) for each in _PART_TYPES)
    return constraint is None or type(constraint) in ((int,) if part == "port" else (str, RegexpValue))


URI = UriType()


# --- Binary


class BinaryType(Type):
    """Binary."""

    keyword = "Binary"
    instance_kind = kinds.BINARY

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is {code.bind(Binary)}"


BINARY = BinaryType()
