"""Iteration in another order or in parts; without a block these functions give Iterators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.elements import bounded, iterator, pairs, sequence, steps
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.program.unwinding import BreakIteration


def _each(values: Iterable[Any], block: Any) -> None:
    call = block.fn if block.min == block.max else _spread(block)
    try:
        for value in values:
            call(value)
    except BreakIteration:
        pass


def _spread(block: Any) -> Any:
    """A block that may get one argument or another number gets what an element holds: none of undef."""

    def spread(value: Any) -> Any:
        if type(value) is dict:
            value = pairs(value)
        return block.call(value if type(value) is list else [] if value is None else [value])

    return spread


@function("reverse_each(Iterable iterable)")
def reverse_each(values: Any) -> Any:
    """Iterates from the last element to the first; without a block it gives an Iterator.

    An Iterator is for `map`, `filter`, `each` and the like; `Array($iterator)` or `*$iterator` make an array of it.

    > [1, 2, 3].reverse_each.map |$x| { $x * 10 }
    [30, 20, 10]

    > Array([1, 2, 3].reverse_each)
    [3, 2, 1]

    > reverse_each(['a', 'b']) |$x| { notice($x) }
    notice: b
    notice: a
    undef
    """
    return iterator(sequence(values)[::-1], values)


@reverse_each.overload("reverse_each(Iterable iterable, Callable[1, 1] block)")
def reverse_each_do(values: Any, block: Any) -> None:
    """Runs the block with every element, the last one first."""
    _each(sequence(values)[::-1], block)


@function("step(Iterable iterable, Integer[1] step)")
def step(values: Any, size: int) -> Any:
    """Iterates over the first element and every `step`-th after it; without a block it gives an Iterator.

    > [1, 2, 3, 4, 5].step(2).map |$x| { $x }
    [1, 3, 5]

    > Integer[0, 20].step(5).reverse_each.map |$x| { $x }
    [20, 15, 10, 5, 0]

    > step([1, 2, 3], 2) |$x| { notice($x) }
    notice: 1
    notice: 3
    undef
    """
    return iterator(sequence(values)[::size], values, steps=size > 1 or getattr(values, "steps", False))


@step.overload("step(Iterable iterable, Integer[1] step, Callable[1, 1] block)")
def step_do(values: Any, size: int, block: Any) -> None:
    """Runs the block with every `step`-th element."""
    _each(sequence(values)[::size], block)


def _parts(elements: Sequence[Any], size: int) -> Iterator[list[Any]]:
    """Arrays of so many elements; the last may be shorter."""
    start = 0
    while part := [*elements[start : start + size]]:
        yield part
        start += size


@function(
    "slice(Hash hash, Integer[1] slice_size, Callable block?)",
    "slice(Iterable enumerable, Integer[1] slice_size, Callable block?)",
    context=True,
)
def slice_(scope: Scope, values: Any, size: int, block: Any = None) -> Any:
    """Cuts into arrays of the given size; a block gets each of them, as one parameter or spread over several.

    The last may be shorter; then the parameters that get nothing are undef.

    > [1, 2, 3, 4, 5].slice(2)
    [[1, 2], [3, 4], [5]]

    > [1, 2, 3].slice(2) |$a, $b| { notice("${a}, ${b}") }
    notice: 1, 2
    notice: 3,
    [1, 2, 3]
    """
    elements = sequence(values)
    whole = steps(values) and len(elements[: size + 1]) <= size
    if whole and not scope.runtime.dialect.slice_end:
        # the released Puppet ends a slice that takes in all of what counts or steps one too early
        parts = _parts(elements, max(len(elements) - 1, 1))
    elif block is None and type(elements) is list:
        return [elements[start : start + size] for start in range(0, len(elements), size)]
    else:
        parts = _parts(elements, size)
    if block is None:
        return list(bounded(parts))
    if block.max == 0:
        raise Failure("SLICE_LAMBDA", expected="at least one parameter", number=0)
    fixed = block.min == block.max
    one = size == 1 if not fixed else block.max == 1
    if fixed and block.max not in (1, size):
        raise Failure("SLICE_LAMBDA", expected=f"1 or {size} parameters", number=block.max)
    if one:
        try:
            for part in parts:
                block.fn(part)
        except BreakIteration:
            pass
        return values
    call = block.fn
    blank: Any = [] if type(values) is dict else None
    try:
        for part in parts:
            call(*[*part, *[blank] * (size - len(part))][: block.max])
    except BreakIteration:
        pass
    return values
