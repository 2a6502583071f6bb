"""Sizes of strings and collections, and how they are given as parameters."""

from __future__ import annotations

from typing import Any

from evaluator.issues import error
from evaluator.types.arguments import bound, is_bound
from evaluator.types.issues import size_words
from evaluator.types.numbers import IntegerType, check_order, range_text
from evaluator.values.core import DEFAULT

Size = tuple[int, int | None]
UNBOUNDED: Size = (0, None)


def size_within(inner: Size | None, outer: Size | None) -> bool:
    """True when every size of `inner` is one of `outer`."""
    if outer is None or outer == UNBOUNDED:
        return True
    low, high = inner or UNBOUNDED
    return outer[0] <= low and (outer[1] is None or (high is not None and high <= outer[1]))


def size_text(size: Size | None) -> list[str]:
    """The parameters that spell a size."""
    return [] if size is None else range_text(*size)


def size_of(low: Any, high: Any = DEFAULT) -> Size:
    """A size from its ends: negative ends count as 0. Raises Failure when the ends are in the wrong order."""
    first, last = bound(low), bound(high)
    check_order(first, last)
    return _clamped(first, last)


def _clamped(first: int | None, last: int | None) -> Size:
    return (max(first or 0, 0), None if last is None else max(last, 0))


def size_from(arguments: list[Any], first: int) -> Size:
    """A size from one Integer type or one or two integers; `first` is the first argument's operand number."""
    if len(arguments) == 1 and isinstance(arguments[0], IntegerType):
        return _clamped(arguments[0].low, arguments[0].high)
    for index, argument in enumerate(arguments):
        if not is_bound(argument):
            raise error("BAD_COLLECTION_SLICE_TYPE", operand=first + index, actual=size_words(argument))
    return size_of(*arguments)


def trailing_size(arguments: list[Any]) -> tuple[list[Any], Size | None]:
    """The arguments before a size of one or two integers at their end, and the size.

    The text `default` behind an integer is as good as `default`.
    """
    if len(arguments) > 1 and arguments[-1] == "default" and is_bound(arguments[-2]):
        arguments = [*arguments[:-1], DEFAULT]
    if len(arguments) >= 2 and is_bound(arguments[-1]) and is_bound(arguments[-2]):
        return arguments[:-2], size_of(*arguments[-2:])
    if arguments and is_bound(arguments[-1]):
        return arguments[:-1], size_of(arguments[-1])
    return arguments, None
