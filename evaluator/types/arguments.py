"""What the parameters of several types have in common: sizes, wrong numbers of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types import numbers, strings
from evaluator.types.issues import error, size_words
from evaluator.values.core import DEFAULT
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError

# makes a type of a bare one and its parameters
Parameterizer = Callable[[Any, list[Any], Dialect], Any]


def bound(value: Any) -> Any:
    """A range's end: None for `default`."""
    return None if value is DEFAULT else value


def is_bound(value: Any) -> bool:
    """True for an integer or `default`."""
    return type(value) is int or value is DEFAULT


def size_of(low: Any, high: Any = DEFAULT) -> strings.Size:
    """A size from its ends: negative ends count as 0. Raises Failure when the ends are in the wrong order."""
    first, last = bound(low), bound(high)
    numbers.check_order(first, last)
    return _clamped(first, last)


def _clamped(first: int | None, last: int | None) -> strings.Size:
    return (max(first or 0, 0), None if last is None else max(last, 0))


def size_from(arguments: list[Any], first: int) -> strings.Size:
    """A size from one Integer type or one or two integers; `first` is the first argument's operand number."""
    if len(arguments) == 1 and isinstance(arguments[0], numbers.IntegerType):
        return _clamped(arguments[0].low, arguments[0].high)
    for index, argument in enumerate(arguments):
        if not is_bound(argument):
            raise error("BAD_COLLECTION_SLICE_TYPE", operand=first + index, actual=size_words(argument))
    return size_of(*arguments)


def arity(type_label: str, expected: str, actual: int, operand: int = 0) -> PuppetError:
    """The error of a wrong number of arguments."""
    return error("BAD_TYPE_SLICE_ARITY", operand=operand, type=type_label, expected=expected, actual=actual)
