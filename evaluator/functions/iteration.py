"""Iteration: functions that run a block for every element.

A block with one parameter gets the element (`[key, value]` of a hash); with two it gets index and element, or key
and value. `break()` in the block ends the iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaluator.errors import BreakIteration, Failure
from evaluator.functions.registry import function
from evaluator.limits import COLLECTION
from evaluator.values import PuppetIterator, items, iterate


def pairs(hash_value: dict[Any, Any]) -> list[list[Any]]:
    """The entries of a hash as `[key, value]` arrays."""
    return [[key, value] for key, value in items(hash_value)]


def true(value: Any) -> bool:
    """Puppet's truth: everything but undef and false."""
    return value is not None and value is not False


def sequence(value: Any) -> Sequence[Any]:
    """What iterating a value yields, as something that has a length and can be sliced: a list, str or range."""
    values = iterate(value)
    if isinstance(values, list | str | range):
        return values
    if type(values) is PuppetIterator:
        inner = values.iterable
        return inner if isinstance(inner, list | str | range) else list(bounded(inner))
    return list(bounded(values or ()))


def bounded(values: Iterable[Any]) -> Iterable[Any]:
    """The same elements; raises as soon as they are more than an array may hold."""
    if isinstance(values, list | str | range) and len(values) <= COLLECTION.value:
        return values
    return _counted(values)


def _counted(values: Iterable[Any]) -> Iterator[Any]:
    for count, value in enumerate(values):
        COLLECTION.check(count)
        yield value


def iterator(values: Iterable[Any], source: Any) -> PuppetIterator:
    """An Iterator over `values`, whose elements have the type of the elements of `source`."""
    if type(source) is PuppetIterator:
        return PuppetIterator(values, source.element_type)
    return PuppetIterator(values, element_type(source))


MANY = 50  # of more elements the iterator's type tells only what they have in common


def element_type(value: Any) -> Any:
    """The inferred type of what iterating a value yields."""
    from evaluator.types import STRING, IntegerType, TupleType, infer

    if type(value) is list:
        return _type_of(value) if len(value) <= MANY else infer(value).element_type()
    if type(value) is dict:
        return TupleType((_type_of([*value][:MANY]), _type_of([*value.values()][:MANY])), (2, 2))
    if type(value) is str:
        return STRING
    return IntegerType(0, value - 1) if type(value) is int else value


def _type_of(values: list[Any]) -> Any:
    """The type of an element: a Variant of the elements' own types."""
    from evaluator.types import UNIT, infer_detailed, variant
    from evaluator.values import unkey

    if not values:
        return UNIT
    return variant(list(dict.fromkeys(infer_detailed(unkey(value)) for value in values)))


# --- each, map, filter, reduce


@function("each(Hash hash, Callable[2, 2] block)")
def each(hash_value: dict[Any, Any], block: Any) -> Any:
    """Runs the block for every element and gives back what it iterated.

    > ['a', 'b'].each |$index, $value| { notice("${index}: ${value}") }
    notice: 0: a
    notice: 1: b
    ['a', 'b']

    > { 'a' => 1 }.each |$key, $value| { notice("${key} is ${value}") }
    notice: a is 1
    {'a' => 1}
    """
    call = block.fn
    try:
        for key, value in items(hash_value):
            call(key, value)
    except BreakIteration:
        pass
    return hash_value


@each.overload("each(Hash hash, Callable[1, 1] block)")
def each_pair(hash_value: dict[Any, Any], block: Any) -> Any:
    """Runs the block with every `[key, value]`."""
    _each(pairs(hash_value), block.fn)
    return hash_value


@each.overload("each(Iterable enumerable, Callable[2, 2] block)")
def each_indexed(values: Any, block: Any) -> Any:
    """Runs the block with every index and element."""
    call = block.fn
    try:
        for index, value in enumerate(iterate(values) or ()):
            call(index, value)
    except BreakIteration:
        pass
    return values


@each.overload("each(Iterable enumerable, Callable[1, 1] block)")
def each_value(values: Any, block: Any) -> Any:
    """Runs the block with every element."""
    _each(iterate(values) or (), block.fn)
    return values


def _each(values: Iterable[Any], call: Any) -> None:
    try:
        for value in values:
            call(value)
    except BreakIteration:
        pass


@function("map(Hash hash, Callable[2, 2] block)")
def map_(hash_value: dict[Any, Any], block: Any) -> list[Any]:
    """Makes an array of what the block gives for every element.

    > [1, 2, 3].map |$x| { $x * 2 }
    [2, 4, 6]

    > { 'a' => 1, 'b' => 2 }.map |$key, $value| { "${key}${value}" }
    ['a1', 'b2']

    > Integer[1, 3].map |$index, $value| { $index * $value }
    [0, 2, 6]
    """
    call = block.fn
    result: list[Any] = []
    try:
        for key, value in items(hash_value):
            result.append(call(key, value))
    except BreakIteration:
        pass
    return result


@map_.overload("map(Hash hash, Callable[1, 1] block)")
def map_pairs(hash_value: dict[Any, Any], block: Any) -> list[Any]:
    """Maps every `[key, value]`."""
    return _map(pairs(hash_value), block.fn)


@map_.overload("map(Iterable enumerable, Callable[2, 2] block)")
def map_indexed(values: Any, block: Any) -> list[Any]:
    """Maps every index and element."""
    call = block.fn
    result: list[Any] = []
    try:
        for index, value in enumerate(bounded(iterate(values) or ())):
            result.append(call(index, value))
    except BreakIteration:
        pass
    return result


@map_.overload("map(Iterable enumerable, Callable[1, 1] block)")
def map_values(values: Any, block: Any) -> list[Any]:
    """Maps every element."""
    return _map(bounded(values if type(values) is list else iterate(values) or ()), block.fn)


def _map(values: Iterable[Any], call: Any) -> list[Any]:
    result: list[Any] = []
    try:
        for value in values:
            result.append(call(value))
    except BreakIteration:
        pass
    return result


@function("filter(Hash hash, Callable[2, 2] block)")
def filter_(hash_value: dict[Any, Any], block: Any) -> Any:
    """Keeps the elements for which the block gives something true. A hash gives a hash, anything else an array.

    > [1, 2, 3].filter |$x| { $x > 1 }
    [2, 3]

    > { 'a' => 1, 'b' => 2 }.filter |$key, $value| { $value > 1 }
    {'b' => 2}
    """
    call = block.fn
    entries = zip(hash_value.items(), items(hash_value), strict=True)
    return {key: value for (key, value), plain in entries if true(call(*plain))}


@filter_.overload("filter(Hash hash, Callable[1, 1] block)")
def filter_pairs(hash_value: dict[Any, Any], block: Any) -> Any:
    """Keeps the entries for whose `[key, value]` the block gives something true."""
    call = block.fn
    entries = zip(hash_value.items(), pairs(hash_value), strict=True)
    return {key: value for (key, value), pair in entries if true(call(pair))}


@filter_.overload("filter(Iterable enumerable, Callable[2, 2] block)")
def filter_indexed(values: Any, block: Any) -> Any:
    """Keeps the elements for which the block, given index and element, gives something true."""
    call = block.fn
    result: list[Any] = []
    try:
        for index, value in enumerate(iterate(values) or ()):
            kept = call(index, value)
            if kept is not False and kept is not None:
                result.append(value)
    except BreakIteration:
        pass
    return result


@filter_.overload("filter(Iterable enumerable, Callable[1, 1] block)")
def filter_values(values: Any, block: Any) -> Any:
    """Keeps the elements for which the block gives something true."""
    call = block.fn
    result: list[Any] = []
    try:
        for value in bounded(values if type(values) is list else iterate(values) or ()):
            kept = call(value)
            if kept is not False and kept is not None:
                result.append(value)
    except BreakIteration:
        pass
    return result


@function("reduce(Iterable enumerable, Callable[2, 2] block)")
def reduce(values: Any, block: Any) -> Any:
    """Folds the elements into one value: the block gets what came out so far and the next element.

    Without a start value the first element is the start.

    > [1, 2, 3].reduce |$sum, $x| { $sum + $x }
    6

    > [1, 2, 3].reduce(10) |$sum, $x| { $sum + $x }
    16

    > [].reduce |$sum, $x| { $sum + $x }
    undef
    """
    elements = iter(iterate(values) or ())
    for first in elements:
        return _reduce(elements, first, block.fn)
    return None


@reduce.overload("reduce(Iterable enumerable, Any memo, Callable[2, 2] block)")
def reduce_from(values: Any, memo: Any, block: Any) -> Any:
    """Folds the elements, starting with the given value."""
    return _reduce(iterate(values) or (), memo, block.fn)


def _reduce(values: Iterable[Any], memo: Any, call: Any) -> Any:
    try:
        for value in values:
            memo = call(memo, value)
    except BreakIteration:
        pass
    return memo


# --- all, any


def _verdicts(value: Any, block: Any) -> Iterator[bool]:
    """Whether the block gives something true, element by element."""
    call = block.fn
    two = block.accepts(2)
    if type(value) is dict:
        for pair in pairs(value):
            yield true(call(*pair) if two else call(pair))
        return
    for index, element in enumerate(iterate(value) or ()):
        yield true(call(index, element) if two else call(element))


@function(
    "all(Hash hash, Callable[2, 2] block)",
    "all(Hash hash, Callable[1, 1] block)",
    "all(Iterable enumerable, Callable[2, 2] block)",
    "all(Iterable enumerable, Callable[1, 1] block)",
)
def all_(value: Any, block: Any) -> bool:
    """Tells whether the block gives something true for every element; of nothing this is true.

    > [1, 2].all |$x| { $x > 0 }
    true

    > { 'a' => 1 }.all |$key, $value| { $value > 1 }
    false
    """
    return all(_verdicts(value, block))


@function(
    "any(Hash hash, Callable[2, 2] block)",
    "any(Hash hash, Callable[1, 1] block)",
    "any(Iterable enumerable, Callable[2, 2] block)",
    "any(Iterable enumerable, Callable[1, 1] block)",
)
def any_(value: Any, block: Any) -> bool:
    """Tells whether the block gives something true for at least one element.

    > [1, 2].any |$x| { $x > 1 }
    true

    > [].any |$x| { true }
    false
    """
    return any(_verdicts(value, block))


# --- Iterators: reverse_each, step, slice


@function("reverse_each(Iterable iterable)")
def reverse_each(values: Any) -> Any:
    """Iterates from the last element to the first; without a block it gives an Iterator.

    > [1, 2, 3].reverse_each.map |$x| { $x * 10 }
    [30, 20, 10]

    > reverse_each(['a', 'b']) |$x| { notice($x) }
    notice: b
    notice: a
    undef
    """
    return iterator(sequence(values)[::-1], values)


@reverse_each.overload("reverse_each(Iterable iterable, Callable[1, 1] block)")
def reverse_each_do(values: Any, block: Any) -> None:
    """Runs the block with every element, the last one first."""
    _each(sequence(values)[::-1], block.fn)


@function("step(Iterable iterable, Integer[1] step)")
def step(values: Any, size: int) -> Any:
    """Iterates over the first element and every `step`-th after it; without a block it gives an Iterator.

    > [1, 2, 3, 4, 5].step(2).map |$x| { $x }
    [1, 3, 5]

    > step([1, 2, 3], 2) |$x| { notice($x) }
    notice: 1
    notice: 3
    undef
    """
    return iterator(sequence(values)[::size], values)


@step.overload("step(Iterable iterable, Integer[1] step, Callable[1, 1] block)")
def step_do(values: Any, size: int, block: Any) -> None:
    """Runs the block with every `step`-th element."""
    _each(sequence(values)[::size], block.fn)


@function(
    "slice(Hash hash, Integer[1] slice_size, Callable block?)",
    "slice(Iterable enumerable, Integer[1] slice_size, Callable block?)",
)
def slice_(values: Any, size: int, block: Any = None) -> Any:
    """Cuts into arrays of the given size; a block gets each of them, as one parameter or spread over several.

    > [1, 2, 3, 4, 5].slice(2)
    [[1, 2], [3, 4], [5]]

    > [1, 2, 3].slice(2) |$a, $b| { notice("${a}, ${b}") }
    notice: 1, 2
    notice: 3,
    [1, 2, 3]
    """
    elements = sequence(values)
    parts = ([*elements[start : start + size]] for start in range(0, len(elements), size))
    if block is None:
        return list(parts)
    if block.max == 0:
        raise Failure("slice(): block must define at least one parameter. Block has 0.")
    if block.max not in (1, size, None):
        raise Failure(f"slice(): block must define 1 or {size} parameters. Block has {block.max}.")
    if block.max == 1:
        _each(parts, block.fn)
        return values
    call = block.fn
    try:
        for part in parts:
            call(*part, *[None] * ((block.max or 0) - len(part)))
    except BreakIteration:
        pass
    return values
