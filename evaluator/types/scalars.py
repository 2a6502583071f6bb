"""Types of single values: numbers, booleans, strings, patterns, regular expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from evaluator.issues import Failure, make_error, refuse_if
from evaluator.types.base import (
    Memo,
    TestCode,
    Type,
    describe_size_value,
    is_bound,
    join_and,
    make_usage_error,
    to_bound,
)
from evaluator.values import DEFAULT, format_float, format_integer, quote_string
from evaluator.values import kind as kinds
from evaluator.values.chunked import collect_distinct, sort_chunked
from evaluator.values.dag import flatten_lists
from evaluator.values.kind import Value, get_kind
from evaluator.values.regexps import RegexpValue, make_regexp
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.dialect import Dialect


class ScalarType(Type):
    """Scalar: numbers, strings, booleans, regexps, times and versions."""

    keyword = "Scalar"

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"({_write_kind_test(variable, code, bool, str, int, float)} or {code.bind(is_rich_scalar)}({variable}))"


class FormerLiteralType(ScalarType):
    """The specification's old name `Literal` for Scalar."""

    keyword = "Literal"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ScalarType)


class ScalarDataType(ScalarType):
    """ScalarData: Integer, Float, String and Boolean."""

    keyword = "ScalarData"

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_kind_test(variable, code, bool, str, int, float)


class NumericType(ScalarDataType):
    """Numeric: Integer and Float."""

    keyword = "Numeric"
    instance_kind = kinds.NUMERIC

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_kind_test(variable, code, int, float)


def _write_kind_test(variable: str, code: TestCode, *kinds: type) -> str:
    """Return source that tests whether `variable` is of one of some Python classes."""
    return f"type({variable}) in {code.bind(frozenset(kinds))}"


def is_rich_scalar(value: Value) -> bool:
    """Return True for a scalar of a class of ours: a Regexp, a time, a version."""
    return get_kind(value).scalar


SCALAR = ScalarType()
SCALAR_DATA = ScalarDataType()
NUMERIC = NumericType()


# --- Boolean


class BooleanType(ScalarDataType):
    """Boolean, or Boolean[true] and Boolean[false]."""

    keyword = "Boolean"
    instance_kind = kinds.BOOLEAN
    value: bool | None = None

    def arguments(self) -> list[str]:
        return [] if self.value is None else [str(self.value).lower()]

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is bool" if self.value is None else f"{variable} is {self.value}"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, BooleanType) and self.value in (None, actual.value)

    def generalize(self) -> Type:
        return BOOLEAN

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments)
        self.check_parameters_are(bool, arguments, "TrueClass or FalseClass")
        return TRUE if arguments[0] else FALSE


BOOLEAN = BooleanType()
TRUE = BooleanType(True)
FALSE = BooleanType(False)


def check_order(low: Value, high: Value, text: Any = format_integer) -> None:
    """Raise Failure if the ends of a range are in the wrong order."""
    if low is not None and high is not None and low > high:
        raise Failure("RANGE_BACKWARDS", low=text(low), high=text(high))


def format_range(low: Value, high: Value, *, full: bool = False, text: Any = format_integer) -> list[str]:
    """Return the parameters of a type with a range; with `full` also an open upper end."""
    if low is None and high is None:
        return []
    if high is None and not full:
        return [text(low)]
    return ["default" if bound is None else text(bound) for bound in (low, high)]


class BoundedType(ScalarType):
    """A type whose instances are between two bounds; None is no bound."""

    low: Value = None
    high: Value = None

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, type(self))
            and (self.low is None or (actual.low is not None and self.low <= actual.low))
            and (self.high is None or (actual.high is not None and actual.high <= self.high))
        )

    def generalize(self) -> Type:
        return type(self)()


class RangeType(BoundedType, NumericType):
    """A number type with bounds.

    Attributes:
        codes: The issues of a wrong number of bounds and of a wrong kind of bound.
        bounds: The classes of bounds; they are converted to the last one.
        full: True to print both bounds, in the dialect in which one parameter means exactly that value.
        descending: True if it is printed and iterated from the higher to the lower bound.
    """

    full: bool = False
    descending: bool = False
    codes: ClassVar[tuple[str, str]]
    bounds: ClassVar[tuple[type, ...]]
    spell: ClassVar[staticmethod[[Any], str]]

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        count, kind = self.codes
        if not 1 <= len(arguments) <= 2:
            raise make_error(count, operand=0, actual=len(arguments))
        for index, argument in enumerate(arguments):
            if type(argument) not in self.bounds and argument is not DEFAULT:
                raise make_error(kind, operand=1 + index, actual=get_ruby_class(argument))
        ends = [None if argument is DEFAULT else self.bounds[-1](argument) for argument in arguments]
        low, high = ends[0], ends[-1] if len(ends) == 2 or dialect.int_range else None
        make = type(self)
        if dialect.int_range:
            descending = low is not None and high is not None and low > high
            return make(high, low, True, True) if descending else make(low, high, True)
        check_order(low, high, self.spell)
        return make(low, high)

    def unite(self, other: RangeType) -> RangeType:
        """Return the range that spans both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return type(self)(low, high, self.full or other.full)

    def overlaps(self, other: RangeType) -> bool:
        """Return True if the two ranges overlap."""
        return (self.low is None or other.high is None or self.low <= other.high) and (
            other.low is None or self.high is None or other.low <= self.high
        )

    def arguments(self) -> list[str]:
        ends = format_range(self.low, self.high, full=self.full, text=self.spell)
        return ends[::-1] if self.descending else ends


class IntegerType(RangeType):
    """Integer[low, high]."""

    keyword = "Integer"
    codes = ("BAD_INTEGER_SLICE_ARITY", "BAD_INTEGER_SLICE_TYPE")
    bounds = (int,)
    spell = staticmethod(format_integer)
    instance_kind = kinds.INTEGER

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_and(f"type({variable}) is int", code.write_range(variable, self.low, self.high))

    def iteration(self) -> Iterable[Value] | None:
        if self.low is None or self.high is None:
            return None
        ascending = range(self.low, self.high + 1)
        return ascending[::-1] if self.descending else ascending

    def element_type(self) -> Type | None:
        return INTEGER


class FloatType(RangeType):
    """Float[low, high]."""

    keyword = "Float"
    codes = ("BAD_FLOAT_SLICE_ARITY", "BAD_FLOAT_SLICE_TYPE")
    bounds = (int, float)
    spell = staticmethod(format_float)
    instance_kind = kinds.FLOAT

    def arguments(self) -> list[str]:
        """Return the ends, open where they are infinite; only the released Puppet writes `1.0e+16`."""
        low = None if self.low == -math.inf else self.low
        high = None if self.high == math.inf else self.high
        ends = format_range(low, high, full=self.full, text=self.spell)
        return [end.replace("e+", "e") for end in ends] if self.full else ends

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_and(f"type({variable}) is float", code.write_range(variable, self.low, self.high))


INTEGER = IntegerType()
FLOAT = FloatType()


# --- sizes of strings and collections

Size = tuple[int, int | None]
UNBOUNDED: Size = (0, None)


def is_size_within(inner: Size | None, outer: Size | None) -> bool:
    """Return True if every size of `inner` is one of `outer`."""
    if outer is None or outer == UNBOUNDED:
        return True
    low, high = inner or UNBOUNDED
    return outer[0] <= low and (outer[1] is None or (high is not None and high <= outer[1]))


def span_sizes(one: Size, other: Size) -> Size:
    """Return the smallest size that contains both."""
    high = None if one[1] is None or other[1] is None else max(one[1], other[1])
    return (min(one[0], other[0]), high)


def format_size(size: Size | None) -> list[str]:
    """Return the parameters of a type with a size."""
    return [] if size is None else format_range(*size)


def make_size(low: Value, high: Value = DEFAULT, *, descends: bool = False) -> Size:
    """Return a size from its ends, which may be in any order if it `descends`; negative ends count as 0."""
    first, last = to_bound(low), to_bound(high)
    if descends and first is not None and last is not None and first > last >= 0:
        first, last = last, first
    check_order(first, last)
    return _clamp(first, last)


def _clamp(first: int | None, last: int | None) -> Size:
    """Return a size in which negative ends count as 0."""
    return (max(first or 0, 0), None if last is None else max(last, 0))


def parse_size(arguments: list[Value], first: int, dialect: Dialect) -> Size:
    """Return a size from an Integer type or one or two integers; `first` is the operand number of the first."""
    if len(arguments) == 1 and isinstance(arguments[0], IntegerType):
        return _clamp(arguments[0].low, arguments[0].high)
    for index, argument in enumerate(arguments):
        if not is_bound(argument):
            raise make_error(
                "BAD_COLLECTION_SLICE_TYPE", operand=first + index, actual=describe_size_value(argument)
            )
    return make_size(*arguments, descends=dialect.int_range)


def split_trailing_size(arguments: list[Value], dialect: Dialect) -> tuple[list[Any], Size | None]:
    """Return the arguments before a size of one or two integers at their end, and the size.

    The text `default` behind an integer is as good as `default`.
    """
    if len(arguments) > 1 and arguments[-1] == "default" and is_bound(arguments[-2]):
        arguments = [*arguments[:-1], DEFAULT]
    if len(arguments) >= 2 and is_bound(arguments[-1]) and is_bound(arguments[-2]):
        return arguments[:-2], make_size(*arguments[-2:], descends=dialect.int_range)
    if arguments and is_bound(arguments[-1]):
        return arguments[:-1], make_size(arguments[-1])
    return arguments, None


class StringType(ScalarDataType):
    """String[min, max]; one that was inferred from a string stores it as `value`, which is not shown."""

    keyword = "String"
    instance_kind = kinds.STRING
    size: Size | None = None
    value: str | None = None

    def arguments(self) -> list[str]:
        return format_size(self.size)

    @property
    def extent(self) -> Size:
        """The least and greatest length of an instance."""
        if self.value is not None:
            return (len(self.value), len(self.value))
        return self.size or UNBOUNDED

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.value is not None:
            return f"{variable} == {code.bind(self.value)}"
        return join_and(f"type({variable}) is str", code.write_size_test(variable, self.size))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.value is not None:
            if isinstance(actual, StringType):
                return actual.value == self.value
            return isinstance(actual, EnumType) and actual.values == (self.value,) and not actual.fold
        if isinstance(actual, StringType | EnumType):
            return is_size_within(actual.extent, self.size)
        return isinstance(actual, PatternType) and is_size_within(None, self.size)

    def element_type(self) -> Type | None:
        return StringType((1, 1))

    def generalize(self) -> Type:
        return STRING

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        refuse_if(not 1 <= len(arguments) <= 2, "BAD_STRING_SLICE_ARITY", operand=0, actual=len(arguments))
        return StringType(parse_size(arguments, 1, dialect))


class EnumType(ScalarDataType):
    """Enum['a', 'b']; `fold` when letters' case does not matter. A bare Enum that is not `empty` accepts Strings."""

    __slots__ = ("empty", "fold", "values")
    keyword = "Enum"

    def __init__(self, values: Iterable[str] = (), fold: bool = False, empty: bool = False) -> None:
        self.values = tuple(sort_chunked(collect_distinct(values)))
        self.fold = fold
        self.empty = empty

    def parts(self) -> tuple[object, ...]:
        return (self.values, self.fold, self.empty)

    def arguments(self) -> list[str]:
        return [*map(quote_string, self.values), *(["true"] if self.fold else [])]

    @property
    def extent(self) -> Size:
        """The least and greatest length of an instance."""
        if not self.values:
            return UNBOUNDED
        lengths = [len(value) for value in self.values]
        return (min(lengths), max(lengths))

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.fold:
            wanted = frozenset(value.lower() for value in self.values)
            return f"(type({variable}) is str and {variable}.lower() in {code.bind(wanted)})"
        if len(self.values) == 1:
            return f"{variable} == {code.bind(self.values[0])}"
        return f"(type({variable}) is str and {variable} in {code.bind(frozenset(self.values))})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.empty:
            return isinstance(actual, EnumType) and actual.empty
        if not self.values:
            return isinstance(actual, StringType | EnumType | PatternType)
        if isinstance(actual, StringType):
            return actual.value is not None and self.instance(actual.value)
        if isinstance(actual, EnumType):
            return (
                bool(actual.values)
                and (self.fold or not actual.fold)
                and all(map(self.instance, actual.values))
            )
        return False

    def iteration(self) -> Iterable[Value] | None:
        return list(self.values)

    def element_type(self) -> Type | None:
        return StringType((1, 1))

    def generalize(self) -> Type:
        return StringType(self.extent) if self.values else STRING

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        fold = False
        if arguments and type(arguments[-1]) is bool:
            fold = arguments.pop()
        self.check_parameters_are(str, self.take_parameters(arguments, most=None), "String")
        return EnumType(arguments, fold)


class PatternType(ScalarDataType):
    """Pattern[/a/, /b/]: strings in which one of the regexps is found.

    A bare one takes every string unless it is `empty`. With `any` it accepts a Pattern with some of its regexps.
    """

    __slots__ = ("any", "empty", "patterns")
    keyword = "Pattern"

    def __init__(self, patterns: Iterable[Any] = (), empty: bool = False, any: bool = False) -> None:
        self.patterns = tuple(dict.fromkeys(patterns))
        self.empty = empty
        self.any = any

    def parts(self) -> tuple[object, ...]:
        return (frozenset(self.patterns), self.empty)

    def arguments(self) -> list[str]:
        return [pattern.literal() for pattern in self.patterns]

    def is_match(self, text: str) -> bool:
        """Return True if one of the regexps is found in the text."""
        return any(pattern.is_found(text) for pattern in self.patterns)

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.empty:
            return "False"
        is_string = f"type({variable}) is str"
        return f"({is_string} and {code.bind(self.is_match)}({variable}))" if self.patterns else is_string

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.empty:
            return isinstance(actual, PatternType) and actual.empty
        if isinstance(actual, PatternType):
            if not self.patterns or actual.empty:
                return True
            theirs = set(actual.patterns)
            return theirs.issubset(self.patterns) if self.any and theirs else theirs == set(self.patterns)
        if isinstance(actual, StringType):
            return not self.patterns or (actual.value is not None and self.is_match(actual.value))
        if isinstance(actual, EnumType):
            return not self.patterns or (bool(actual.values) and all(map(self.is_match, actual.values)))
        return False

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        patterns: list[Any] = []
        for index, argument in enumerate(self.take_parameters(arguments, most=None)):
            if type(argument) is str:
                patterns.append(make_regexp(argument, dialect.regexp_form))
            elif type(argument) is RegexpValue:
                patterns.append(argument)
            elif isinstance(argument, PatternType):
                patterns += argument.patterns
            elif isinstance(argument, RegexpType):
                patterns.append(argument.pattern if argument.pattern is not None else RegexpValue(""))
            else:
                raise make_usage_error(
                    f"{self}-Type", argument, "String or Regexp or Pattern-Type or Regexp-Type", 1 + index
                )
        return PatternType(patterns, any=dialect.bare_types)


class RegexpType(ScalarType):
    """Regexp, or Regexp[/a/]: the regexp with that source."""

    keyword = "Regexp"
    instance_kind = kinds.REGEXP
    pattern: Value = None

    def arguments(self) -> list[str]:
        return [] if self.pattern is None else [self.pattern.literal()]

    def write_test(self, variable: str, code: TestCode) -> str:
        kind = f"type({variable}) is {code.bind(RegexpValue)}"
        return kind if self.pattern is None else join_and(kind, f"{variable} == {code.bind(self.pattern)}")

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, RegexpType) and self.pattern in (None, actual.pattern)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, operand=2)
        self.check_parameters_are((str, RegexpValue), arguments, "String or Regexp")
        source = arguments[0]
        return RegexpType(make_regexp(source, dialect.regexp_form) if type(source) is str else source)


STRING = StringType()
ENUM = EnumType()
PATTERN = PatternType()
REGEXP = RegexpType()


# --- fast conversions, for calls such as `String(5)` without a constructor

INTEGERS = 2**63  # longer integers are converted by the constructor


def _to_string(value: Value) -> str | None:
    if type(value) is str:
        return value
    return str(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


def _to_integer(value: Value) -> int | None:
    if type(value) is int:
        return value
    is_plain = (
        type(value) is str and value.isdecimal() and value.isascii() and value[0] != "0" and len(value) < 19
    )
    return int(value) if is_plain else None


def _to_float(value: Value) -> float | None:
    if type(value) is float:
        return value
    return float(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


# Conversions of one value; they return None for values that need a constructor. The keys are identities, because
# hashing a type takes longer than the conversion.
FAST_CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    id(STRING): _to_string,
    id(INTEGER): _to_integer,
    id(FLOAT): _to_float,
    id(NUMERIC): lambda value: value if type(value) is int or type(value) is float else None,
}
