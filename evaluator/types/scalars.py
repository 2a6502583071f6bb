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
    is_bound,
    join_and,
    make_usage_error,
    to_bound,
)
from evaluator.values import DEFAULT, add_article, format_float, format_integer, quote_string
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
        data_test = _write_class_test(variable, code, bool, str, int, float)
        return f"({data_test} or {code.bind(is_rich_scalar)}({variable}))"


class FormerLiteralType(ScalarType):
    """The specification's old name `Literal` for Scalar."""

    keyword = "Literal"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ScalarType)


class ScalarDataType(ScalarType):
    """ScalarData: Integer, Float, String and Boolean."""

    keyword = "ScalarData"

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_class_test(variable, code, bool, str, int, float)


class NumericType(ScalarDataType):
    """Numeric: Integer and Float."""

    keyword = "Numeric"
    instance_kind = kinds.NUMERIC

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_class_test(variable, code, int, float)


def _write_class_test(variable: str, code: TestCode, *classes: type) -> str:
    """Return source that tests whether the class of `variable` is one of these."""
    return f"type({variable}) in {code.bind(frozenset(classes))}"


def is_rich_scalar(value: Value) -> bool:
    """Return True for a scalar that Python has no class for: a Regexp, a time, a version."""
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


# --- types with bounds, Integer and Float


def check_order(low: Value, high: Value, format_bound: Any = format_integer) -> None:
    """Raise Failure if the bounds of a range are in the wrong order."""
    if low is not None and high is not None and low > high:
        raise Failure("RANGE_BACKWARDS", low=format_bound(low), high=format_bound(high))


def format_range(
    low: Value, high: Value, *, full: bool = False, format_bound: Any = format_integer
) -> list[str]:
    """Return the parameters of a type with a range, as source.

    Args:
        low: The lower bound, None for none.
        high: The upper bound, None for none.
        full: True to return both even if there is no upper bound.
        format_bound: Returns the source of a bound.
    """
    if low is None and high is None:
        return []
    if high is None and not full:
        return [format_bound(low)]
    return ["default" if bound is None else format_bound(bound) for bound in (low, high)]


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
        codes: The codes of the issues of a wrong number of bounds, and of a bound of a wrong class.
        bound_classes: The classes of bounds; they are converted to the last one.
        full: True in the specification: both bounds are printed, since one parameter is both of them.
        descending: True if it is printed and iterated from the higher to the lower bound.
        format_bound: Returns the source of a bound.
    """

    full: bool = False
    descending: bool = False
    codes: ClassVar[tuple[str, str]]
    bound_classes: ClassVar[tuple[type, ...]]
    format_bound: ClassVar[staticmethod[[Any], str]]

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        count_code, class_code = self.codes
        if not 1 <= len(arguments) <= 2:
            raise make_error(count_code, operand=0, actual=len(arguments))
        for operand, argument in enumerate(arguments, 1):
            if type(argument) not in self.bound_classes and argument is not DEFAULT:
                raise make_error(class_code, operand=operand, actual=get_ruby_class(argument))
        bounds = [None if argument is DEFAULT else self.bound_classes[-1](argument) for argument in arguments]
        range_class = type(self)
        if dialect.int_range:
            low, high = bounds[0], bounds[-1]  # one parameter is both bounds
            descending = low is not None and high is not None and low > high
            if descending:
                return range_class(high, low, full=True, descending=True)
            return range_class(low, high, full=True)
        low, high = [*bounds, None][:2]
        check_order(low, high, self.format_bound)
        return range_class(low, high)

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
        bounds = format_range(self.low, self.high, full=self.full, format_bound=self.format_bound)
        return bounds[::-1] if self.descending else bounds


class IntegerType(RangeType):
    """Integer[low, high]."""

    keyword = "Integer"
    codes = ("BAD_INTEGER_SLICE_ARITY", "BAD_INTEGER_SLICE_TYPE")
    bound_classes = (int,)
    format_bound = staticmethod(format_integer)
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
    bound_classes = (int, float)
    format_bound = staticmethod(format_float)
    instance_kind = kinds.FLOAT

    def arguments(self) -> list[str]:
        """Return the bounds, where an infinite one is none."""
        low = None if self.low == -math.inf else self.low
        high = None if self.high == math.inf else self.high
        bounds = format_range(low, high, full=self.full, format_bound=self.format_bound)
        # The specification writes `1.0e16`, the released Puppet `1.0e+16`.
        return [bound.replace("e+", "e") for bound in bounds] if self.full else bounds

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_and(f"type({variable}) is float", code.write_range(variable, self.low, self.high))


INTEGER = IntegerType()
FLOAT = FloatType()


# --- sizes of strings and collections

Size = tuple[int, int | None]  # the least and the greatest size; None for no greatest size
UNBOUNDED: Size = (0, None)


def is_size_within(inner: Size | None, outer: Size | None) -> bool:
    """Return True if every size of `inner` is one of `outer`; None contains all sizes."""
    if outer is None or outer == UNBOUNDED:
        return True
    low, high = inner or UNBOUNDED
    return outer[0] <= low and (outer[1] is None or (high is not None and high <= outer[1]))


def span_sizes(one: Size, other: Size) -> Size:
    """Return the smallest range of sizes that contains both."""
    high = None if one[1] is None or other[1] is None else max(one[1], other[1])
    return (min(one[0], other[0]), high)


def format_size(size: Size | None) -> list[str]:
    """Return the parameters of a type with a size, as source."""
    return [] if size is None else format_range(*size)


def make_size(first: Value, last: Value = DEFAULT, *, descends: bool = False) -> Size:
    """Return a size from its ends.

    Args:
        first: An integer or `default`. A negative one counts as 0.
        last: The other end, in the same way.
        descends: True if the greater end may be the first.

    Raises:
        Failure: The ends are in the wrong order.
    """
    low, high = to_bound(first), to_bound(last)
    if descends and low is not None and high is not None and low > high >= 0:
        low, high = high, low
    check_order(low, high)
    return _clamp(low, high)


def _clamp(low: int | None, high: int | None) -> Size:
    """Return a size in which negative ends count as 0."""
    return (max(low or 0, 0), None if high is None else max(high, 0))


def parse_size(arguments: list[Value], first_operand: int, dialect: Dialect) -> Size:
    """Return a size from an Integer type, or from one or two integers.

    Args:
        arguments: The parameters of a type that are its size.
        first_operand: The number of the first of them among the parameters, from 1, for errors.
        dialect: The dialect, which determines whether the greater end may be the first.
    """
    if len(arguments) == 1 and isinstance(arguments[0], IntegerType):
        return _clamp(arguments[0].low, arguments[0].high)
    for operand, argument in enumerate(arguments, first_operand):
        if not is_bound(argument):
            raise make_error(
                "BAD_COLLECTION_SLICE_TYPE", operand=operand, actual=describe_size_value(argument)
            )
    return make_size(*arguments, descends=dialect.int_range)


def describe_size_value(value: Value) -> str:
    """Return what a value is, in a message about sizes: `a String`, `an Integer-Type`."""
    return add_article(f"{value.keyword}-Type" if isinstance(value, Type) else get_ruby_class(value))


def split_trailing_size(arguments: list[Value], dialect: Dialect) -> tuple[list[Any], Size | None]:
    """Return the arguments before a size of one or two integers at their end, and the size.

    The string 'default' after an integer counts as `default`.
    """
    if len(arguments) > 1 and arguments[-1] == "default" and is_bound(arguments[-2]):
        arguments = [*arguments[:-1], DEFAULT]
    if len(arguments) >= 2 and is_bound(arguments[-1]) and is_bound(arguments[-2]):
        return arguments[:-2], make_size(*arguments[-2:], descends=dialect.int_range)
    if arguments and is_bound(arguments[-1]):
        return arguments[:-1], make_size(arguments[-1])
    return arguments, None


class StringType(ScalarDataType):
    """String[min, max].

    Attributes:
        value: The only string that is an instance, in a type that is inferred from a string. It is not printed.
    """

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
    """Enum['a', 'b'].

    Attributes:
        values: The strings that are instances.
        fold: True if upper and lower case are the same, `Enum['a', true]`.
        empty: True without parameters in the specification, where no other type is assignable. In the released Puppet
            all types of strings are.
    """

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
            lowered = frozenset(value.lower() for value in self.values)
            return f"(type({variable}) is str and {variable}.lower() in {code.bind(lowered)})"
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
        return (
            isinstance(actual, EnumType)
            and bool(actual.values)
            and (self.fold or not actual.fold)
            and all(map(self.instance, actual.values))
        )

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

    Attributes:
        patterns: The regexps. Without any, every string is an instance unless the type is `empty`.
        empty: True without parameters in the specification, where no string is an instance.
        any: True in the specification: a Pattern with some of the regexps is assignable. In the released Puppet it
            must have all of them.
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
            others = set(actual.patterns)
            return others.issubset(self.patterns) if self.any and others else others == set(self.patterns)
        if isinstance(actual, StringType):
            return not self.patterns or (actual.value is not None and self.is_match(actual.value))
        return isinstance(actual, EnumType) and (
            not self.patterns or (bool(actual.values) and all(map(self.is_match, actual.values)))
        )

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        patterns: list[Any] = []
        for operand, argument in enumerate(self.take_parameters(arguments, most=None), 1):
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
                    f"{self}-Type", argument, "String or Regexp or Pattern-Type or Regexp-Type", operand
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
        class_test = f"type({variable}) is {code.bind(RegexpValue)}"
        value_test = "True" if self.pattern is None else f"{variable} == {code.bind(self.pattern)}"
        return join_and(class_test, value_test)

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


# --- conversions for calls such as `String(5)` that need no constructor

_LIMIT = 2**63  # greater integers are converted by the constructor


def _to_string(value: Value) -> str | None:
    if type(value) is str:
        return value
    return str(value) if type(value) is int and -_LIMIT <= value < _LIMIT else None


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
    return float(value) if type(value) is int and -_LIMIT <= value < _LIMIT else None


# The conversion of one value to a type, by the id of the type, because hashing a type takes longer than the conversion.
# It returns None for a value that needs the constructor.
FAST_CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    id(STRING): _to_string,
    id(INTEGER): _to_integer,
    id(FLOAT): _to_float,
    id(NUMERIC): lambda value: value if type(value) is int or type(value) is float else None,
}
