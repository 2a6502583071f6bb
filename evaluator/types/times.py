"""Timestamp and Timespan."""

from __future__ import annotations

from typing import Any, ClassVar

from evaluator.issues import Failure
from evaluator.types.base import Memo, Type, make_arity_error
from evaluator.types.numbers import format_range
from evaluator.types.predicates import TestCode, join_and
from evaluator.types.scalars import ScalarType
from evaluator.values import kind as kinds
from evaluator.values.core import DEFAULT
from evaluator.values.dag import flat
from evaluator.values.kind import Value
from evaluator.values.printing import quoted, with_capital_article
from evaluator.values.ruby_classes import get_ruby_class
from evaluator.values.times.times import nanoseconds_of
from evaluator.values.times.timespans import Timespan
from evaluator.values.times.timestamps import Timestamp
from lexer_parser.dialect import Dialect


class TimeType(ScalarType):
    """Timestamp[low, high] and Timespan[low, high]; the bounds are times, None is no bound."""

    __slots__ = ("high", "low")
    values: ClassVar[Any]

    def __init__(self, low: Value = None, high: Value = None) -> None:
        self.low = low
        self.high = high

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def arguments(self) -> list[str]:
        if self.low is not None and self.low == self.high:
            return [quoted(self.low.text())]
        return format_range(self.low, self.high, text=lambda bound: quoted(bound.text()))

    def write_test(self, variable: str, code: TestCode) -> str:
        kind = f"type({variable}) is {code.bind(self.values)}"
        return join_and(kind, code.write_range(variable, self.low, self.high))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, TimeType)
            and type(actual) is type(self)
            and (self.low is None or (actual.low is not None and self.low <= actual.low))
            and (self.high is None or (actual.high is not None and actual.high <= self.high))
        )

    def generalize(self) -> Type:
        return type(self)()

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if len(arguments) > 2:
            raise make_arity_error(with_capital_article(f"{self}-Type"), "0 to 2 arguments", len(arguments))
        low, high = ([*(self.to_bound(argument) for argument in arguments), None, None])[:2]
        if low is not None and high is not None and low > high:
            raise Failure("RANGE_BACKWARDS", low=low.text(), high=high.text())
        return type(self)(low, high)

    def to_bound(self, value: Value) -> Value:
        """Return a bound from a time or from what makes one; None for undef and `default`."""
        if value is None or value is DEFAULT:
            return None
        if self.instance(value):
            return value
        if type(value) in (int, float):
            return self.values(nanoseconds_of(value))
        if type(value) is str:
            return self.values.parse(value)
        if type(value) is dict:
            found = self.parse_hash(value)
            if found is not None:
                return found
        raise Failure("NO_TIME", type=self.keyword, actual=get_ruby_class(value))

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        """Return the bound that a hash describes; None for a hash that describes none."""
        raise NotImplementedError


class TimestampType(TimeType):
    """Timestamp."""

    __slots__ = ()
    keyword = "Timestamp"
    instance_kind = kinds.TIMESTAMP
    values = Timestamp

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        if "string" not in value:
            return None
        return Timestamp.parse(value["string"], value.get("format"), value.get("timezone"))


class TimespanType(TimeType):
    """Timespan."""

    __slots__ = ()
    keyword = "Timespan"
    instance_kind = kinds.TIMESPAN
    values = Timespan

    def parse_hash(self, value: dict[Value, Value]) -> Value:
        return Timespan.of_hash(value)


TIMESTAMP = TimestampType()
TIMESPAN = TimespanType()
