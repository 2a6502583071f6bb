"""String, Enum, Pattern and Regexp."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.issues import error
from evaluator.types.base import Memo, Type, make_arity_error, make_usage_error
from evaluator.types.numbers import UNBOUNDED, Size, format_size, is_size_within, parse_size
from evaluator.types.predicates import TestCode, join_and
from evaluator.types.scalars import ScalarDataType, ScalarType
from evaluator.values import kind as kinds
from evaluator.values.chunked import collect_distinct, sort_chunked
from evaluator.values.dag import flat
from evaluator.values.kind import Value
from evaluator.values.printing import quoted, with_capital_article
from evaluator.values.regexps import RegexpValue, make_regexp
from lexer_parser.dialect import Dialect


class StringType(ScalarDataType):
    """String[min, max]; one that was inferred from a string stores it as `value`, which is not shown."""

    __slots__ = ("size", "value")
    keyword = "String"
    instance_kind = kinds.STRING

    def __init__(self, size: Size | None = None, value: str | None = None) -> None:
        self.size = size
        self.value = value

    def parts(self) -> tuple[object, ...]:
        return (self.size, self.value)

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
        if isinstance(actual, StringType):
            return is_size_within(actual.extent, self.size)
        if isinstance(actual, EnumType):
            return is_size_within(actual.extent, self.size)
        return isinstance(actual, PatternType) and is_size_within(None, self.size)

    def element_type(self) -> Type | None:
        return StringType((1, 1))

    def generalize(self) -> Type:
        return STRING

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if not 1 <= len(arguments) <= 2:
            raise error("BAD_STRING_SLICE_ARITY", operand=0, actual=len(arguments))
        if dialect.int_range and all(type(end) is int and end >= 0 for end in arguments):
            arguments = sorted(arguments)  # a range of sizes, as of Integers, may be given from its upper end
        return StringType(parse_size(arguments, 1))


class EnumType(ScalarDataType):
    """Enum['a', 'b']; `fold` when letters' case does not matter. A bare Enum has no instances."""

    __slots__ = ("fold", "values")
    keyword = "Enum"

    def __init__(self, values: Iterable[str] = (), fold: bool = False) -> None:
        self.values = tuple(sort_chunked(collect_distinct(values)))
        self.fold = fold

    def parts(self) -> tuple[object, ...]:
        return (self.values, self.fold)

    def arguments(self) -> list[str]:
        return [*map(quoted, self.values), *(["true"] if self.fold else [])]

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
        arguments = flat(arguments)
        fold = False
        if arguments and type(arguments[-1]) is bool:
            fold = arguments.pop()
        if not arguments:
            raise make_arity_error(with_capital_article(f"{self}-Type"), "1 or more arguments", 0)
        for index, argument in enumerate(arguments):
            if type(argument) is not str:
                raise make_usage_error(f"{self}-Type", argument, "String", 1 + index)
        return EnumType(arguments, fold)


class PatternType(ScalarDataType):
    """Pattern[/a/, /b/]: strings in which one of the regexps is found.

    A bare Pattern takes every string, or has no instance (`empty`) where the specification's rule holds.
    """

    __slots__ = ("empty", "patterns")
    keyword = "Pattern"

    def __init__(self, patterns: Iterable[Any] = (), empty: bool = False) -> None:
        self.patterns = tuple(dict.fromkeys(patterns))
        self.empty = empty

    def parts(self) -> tuple[object, ...]:
        return (frozenset(self.patterns), self.empty)

    def arguments(self) -> list[str]:
        return [pattern.literal() for pattern in self.patterns]

    def is_match(self, text: str) -> bool:
        """Return True if one of the regexps is found in the text."""
        return any(pattern.search(text) is not None for pattern in self.patterns)

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.empty:
            return "False"
        is_string = f"type({variable}) is str"
        return f"({is_string} and {code.bind(self.is_match)}({variable}))" if self.patterns else is_string

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if isinstance(actual, PatternType):
            if not self.patterns:
                return True
            return set(actual.patterns) == set(self.patterns)
        if isinstance(actual, StringType):
            return not self.patterns or (actual.value is not None and self.is_match(actual.value))
        if isinstance(actual, EnumType):
            return not self.patterns or (bool(actual.values) and all(map(self.is_match, actual.values)))
        return False

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        patterns: list[Any] = []
        arguments = flat(arguments)
        if not arguments:
            raise make_arity_error(with_capital_article(f"{self}-Type"), "1 or more arguments", 0)
        for index, argument in enumerate(arguments):
            if type(argument) is str:
                patterns.append(_compile_regexp(argument, dialect))
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
        return PatternType(patterns)


class RegexpType(ScalarType):
    """Regexp, or Regexp[/a/]: the regexp with that source."""

    __slots__ = ("pattern",)
    keyword = "Regexp"
    instance_kind = kinds.REGEXP

    def __init__(self, pattern: Value = None) -> None:
        self.pattern = pattern

    def parts(self) -> tuple[object, ...]:
        return (self.pattern,)

    def arguments(self) -> list[str]:
        return [] if self.pattern is None else [self.pattern.literal()]

    def write_test(self, variable: str, code: TestCode) -> str:
        kind = f"type({variable}) is {code.bind(RegexpValue)}"
        return kind if self.pattern is None else join_and(kind, f"{variable} == {code.bind(self.pattern)}")

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, RegexpType) and self.pattern in (None, actual.pattern)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if len(arguments) != 1:
            raise make_arity_error(
                with_capital_article(f"{self}-Type"), "1 argument", len(arguments), operand=2
            )
        source = arguments[0]
        if type(source) is not str and type(source) is not RegexpValue:
            raise make_usage_error(f"{self}-Type", source, "String or Regexp", 1)
        return RegexpType(_compile_regexp(source, dialect) if type(source) is str else source)


def _compile_regexp(source: str, dialect: Dialect) -> Any:
    """Return a Regexp from a string; compiled now, as a wrong one is reported here."""
    regexp = make_regexp(source, dialect.regexp_form)
    _ = regexp.compiled
    return regexp


STRING = StringType()
ENUM = EnumType()
PATTERN = PatternType()
REGEXP = RegexpType()
