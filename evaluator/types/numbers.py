"""Integer and Float with their ranges, and the sizes of strings and collections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from evaluator.issues import Failure, error
from evaluator.types.base import Memo, Type, describe_size_value, is_bound, to_bound
from evaluator.types.predicates import TestCode, join_and
from evaluator.types.scalars import NumericType
from evaluator.values import kind as kinds
from evaluator.values.core import DEFAULT
from evaluator.values.dag import flat
from evaluator.values.kind import Value
from evaluator.values.printing import float_text
from evaluator.values.ruby_classes import get_ruby_class
from lexer_parser.dialect import Dialect


def check_order(low: Value, high: Value, text: Any = str) -> None:
    """Raise the reference's words (with its missing bracket) when a range is empty."""
    if low is not None and high is not None and low > high:
        raise Failure("RANGE_BACKWARDS", low=text(low), high=text(high))


def format_range(low: Value, high: Value, *, full: bool = False, text: Any = str) -> list[str]:
    """Return the parameters that spell a range; `full` spells an open upper end too."""
    if low is None and high is None:
        return []
    if high is None and not full:
        return [text(low)]
    return ["default" if bound is None else text(bound) for bound in (low, high)]


class RangeType(NumericType):
    """A number type with bounds; None is no bound.

    Attributes:
        codes: The issues of a wrong number of bounds and of a wrong kind of bound.
        bounds: The classes of bounds; they are converted to the last one.
        full: True to write both ends, in the dialect in which one parameter means exactly that value.
        descending: True if it is written from the higher to the lower end, and iterated so.
    """

    __slots__ = ("descending", "full", "high", "low")
    codes: ClassVar[tuple[str, str]]
    bounds: ClassVar[tuple[type, ...]]
    spell: ClassVar[staticmethod[[Any], str]]

    def __init__(
        self, low: Value = None, high: Value = None, full: bool = False, descending: bool = False
    ) -> None:
        self.low = low
        self.high = high
        self.full = full
        self.descending = descending

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, type(self))
            and (self.low is None or (actual.low is not None and self.low <= actual.low))
            and (self.high is None or (actual.high is not None and actual.high <= self.high))
        )

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        count, kind = self.codes
        if not 1 <= len(arguments) <= 2:
            raise error(count, operand=0, actual=len(arguments))
        for index, argument in enumerate(arguments):
            if type(argument) not in self.bounds and argument is not DEFAULT:
                raise error(kind, operand=1 + index, actual=get_ruby_class(argument))
        ends = [None if argument is DEFAULT else self.bounds[-1](argument) for argument in arguments]
        low, high = ends[0], ends[-1] if len(ends) == 2 or dialect.int_range else None
        make = type(self)
        if dialect.int_range:
            descending = low is not None and high is not None and low > high
            return make(high, low, True, True) if descending else make(low, high, True)
        check_order(low, high, self.spell)
        return make(low, high)

    def unite(self, other: RangeType) -> Type:
        """Return the range that spans both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return type(self)(low, high, self.full or other.full)

    def overlaps(self, other: RangeType) -> bool:
        """Return True if the two ranges overlap."""
        return (self.low is None or other.high is None or self.low <= other.high) and (
            other.low is None or self.high is None or other.low <= self.high
        )

    def _format_bounds(self, text: Any) -> list[str]:
        ends = format_range(self.low, self.high, full=self.full, text=text)
        return ends[::-1] if self.descending else ends

    def arguments(self) -> list[str]:
        return self._format_bounds(str)


class IntegerType(RangeType):
    """Integer[low, high]."""

    __slots__ = ()
    keyword = "Integer"
    codes = ("BAD_INTEGER_SLICE_ARITY", "BAD_INTEGER_SLICE_TYPE")
    bounds = (int,)
    spell = staticmethod(str)
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

    def generalize(self) -> Type:
        return INTEGER


class FloatType(RangeType):
    """Float[low, high]."""

    __slots__ = ()
    keyword = "Float"
    codes = ("BAD_FLOAT_SLICE_ARITY", "BAD_FLOAT_SLICE_TYPE")
    bounds = (int, float)
    spell = staticmethod(float_text)
    instance_kind = kinds.FLOAT

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_and(f"type({variable}) is float", code.write_range(variable, self.low, self.high))

    def arguments(self) -> list[str]:
        return self._format_bounds(float_text)

    def generalize(self) -> Type:
        return FLOAT


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


def format_size(size: Size | None) -> list[str]:
    """Return the parameters that spell a size."""
    return [] if size is None else format_range(*size)


def make_size(low: Value, high: Value = DEFAULT) -> Size:
    """Return a size from its ends; negative ends count as 0. Raise Failure if they are in the wrong order."""
    first, last = to_bound(low), to_bound(high)
    check_order(first, last)
    return _clamp(first, last)


def _clamp(first: int | None, last: int | None) -> Size:
    return (max(first or 0, 0), None if last is None else max(last, 0))


def parse_size(arguments: list[Value], first: int) -> Size:
    """Return a size from an Integer type or one or two integers; `first` is the operand number of the first."""
    if len(arguments) == 1 and isinstance(arguments[0], IntegerType):
        return _clamp(arguments[0].low, arguments[0].high)
    for index, argument in enumerate(arguments):
        if not is_bound(argument):
            raise error(
                "BAD_COLLECTION_SLICE_TYPE", operand=first + index, actual=describe_size_value(argument)
            )
    return make_size(*arguments)


def split_trailing_size(arguments: list[Value]) -> tuple[list[Any], Size | None]:
    """Return the arguments before a size of one or two integers at their end, and the size.

    The text `default` behind an integer is as good as `default`.
    """
    if len(arguments) > 1 and arguments[-1] == "default" and is_bound(arguments[-2]):
        arguments = [*arguments[:-1], DEFAULT]
    if len(arguments) >= 2 and is_bound(arguments[-1]) and is_bound(arguments[-2]):
        return arguments[:-2], make_size(*arguments[-2:])
    if arguments and is_bound(arguments[-1]):
        return arguments[:-1], make_size(arguments[-1])
    return arguments, None
