"""Integer and Float with their ranges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.issues import Failure
from evaluator.types.base import Memo, NumericType, Type
from evaluator.types.predicates import Code, both


def check_order(low: Any, high: Any, text: Any = str) -> None:
    """Raises the reference's words (with its missing bracket) when a range is empty."""
    if low is not None and high is not None and low > high:
        raise Failure("RANGE_BACKWARDS", low=text(low), high=text(high))


def range_text(low: Any, high: Any, *, full: bool = False, text: Any = str) -> list[str]:
    """The parameters that spell a range; `full` spells an open upper end too."""
    if low is None and high is None:
        return []
    if high is None and not full:
        return [text(low)]
    return ["default" if bound is None else text(bound) for bound in (low, high)]


class RangeType(NumericType):
    """A number type with bounds; None is no bound.

    full        spell both ends, where one parameter means exactly that value
    descending  written from the higher to the lower end, and iterated so
    """

    __slots__ = ("descending", "full", "high", "low")

    def __init__(
        self, low: Any = None, high: Any = None, full: bool = False, descending: bool = False
    ) -> None:
        self.low = low
        self.high = high
        self.full = full
        self.descending = descending

    def parts(self) -> tuple[Any, ...]:
        return (self.low, self.high)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, type(self))
            and (self.low is None or (actual.low is not None and self.low <= actual.low))
            and (self.high is None or (actual.high is not None and actual.high <= self.high))
        )

    def union(self, other: RangeType) -> Type:
        """The range that spans both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return type(self)(low, high, self.full or other.full)

    def touches(self, other: RangeType) -> bool:
        """True when the two ranges overlap."""
        return (self.low is None or other.high is None or self.low <= other.high) and (
            other.low is None or self.high is None or other.low <= self.high
        )

    def _spelled(self, text: Any) -> list[str]:
        ends = range_text(self.low, self.high, full=self.full, text=text)
        return ends[::-1] if self.descending else ends

    def arguments(self) -> list[str]:
        return self._spelled(str)


class IntegerType(RangeType):
    """Integer[low, high]."""

    __slots__ = ()
    keyword = "Integer"

    def test_source(self, variable: str, code: Code) -> str:
        return both(f"type({variable}) is int", code.range(variable, self.low, self.high))

    def iteration(self) -> Iterable[Any] | None:
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

    def test_source(self, variable: str, code: Code) -> str:
        return both(f"type({variable}) is float", code.range(variable, self.low, self.high))

    def arguments(self) -> list[str]:
        from evaluator.values.printing import float_text

        return self._spelled(float_text)

    def generalize(self) -> Type:
        return FLOAT


INTEGER = IntegerType()
FLOAT = FloatType()
