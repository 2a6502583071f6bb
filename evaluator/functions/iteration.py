"""Iteration: functions that run a block for every element.

A block with one parameter gets the element (`[key, value]` of a hash); with two it gets index and element, or key
and value. `break()` in the block ends the iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.elements import bounded, pairs, steps, true
from evaluator.program.unwinding import BreakIteration
from evaluator.values import items, iterate

# --- each, map, filter, reduce


@function("each(Hash hash, Callable[2, 2] block)")
def each(hash_value: dict[Any, Any], block: Any) -> Any:
    """Runs the block for every element and gives back what it iterated.

    A block with one parameter gets the element, of a hash `[key, value]`; with two it gets index and element, or
    key and value. There are elements in arrays and hashes, in a String its characters, in an Integer `n` the
    numbers from 0 to `n - 1`, in a range such as `Integer[1, 3]` its numbers. `next()` ends one run of the block,
    `break()` all of them.

    > ['a', 'b'].each |$index, $value| { notice("${index}: ${value}") }
    notice: 0: a
    notice: 1: b
    ['a', 'b']

    > { 'a' => 1 }.each |$key, $value| { notice("${key} is ${value}") }
    notice: a is 1
    {'a' => 1}

    > Integer[8, 10].each |$port| { if $port == 9 { next() } notice($port) }
    notice: 8
    notice: 10
    Integer[8, 10]
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

    The block gets the element, or with two parameters index and element, or key and value.

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
    return _map(values if type(values) is list else bounded(iterate(values) or ()), block.fn)


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

    The block gets the element, or with two parameters index and element, or key and value.

    > [1, 2, 3].filter |$x| { $x > 1 }
    [2, 3]

    > { 'a' => 1, 'b' => 2 }.filter |$key, $value| { $value > 1 }
    {'b' => 2}

    > ['a', undef, 'b'].filter |$x| { $x =~ NotUndef }
    ['a', 'b']
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
        for value in values if type(values) is list else bounded(iterate(values) or ()):
            kept = call(value)
            if kept is not False and kept is not None:
                result.append(value)
    except BreakIteration:
        pass
    return result


@function("reduce(Iterable enumerable, Callable[2, 2] block)")
def reduce(values: Any, block: Any) -> Any:
    """Folds the elements into one value: the block gets what came out so far and the next element.

    Without a start value the first element is the start. It builds whatever grows from element to element.

    > [1, 2, 3].reduce |$sum, $x| { $sum + $x }
    6

    > [1, 2, 3].reduce(10) |$sum, $x| { $sum + $x }
    16

    > [].reduce |$sum, $x| { $sum + $x }
    undef

    > ['a', 'bc'].reduce({}) |$sizes, $text| { $sizes + { $text => $text.length } }
    {'a' => 1, 'bc' => 2}
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

    The block gets the element, or with two parameters index and element, or key and value. It is not asked
    about what comes after the first element that fails.

    > [1, 2].all |$x| { $x > 0 }
    true

    > { 'a' => 1 }.all |$key, $value| { $value > 1 }
    false
    """
    try:
        return all(_verdicts(value, block))
    except BreakIteration:
        if steps(value):
            return True
        raise


@function(
    "any(Hash hash, Callable[2, 2] block)",
    "any(Hash hash, Callable[1, 1] block)",
    "any(Iterable enumerable, Callable[2, 2] block)",
    "any(Iterable enumerable, Callable[1, 1] block)",
)
def any_(value: Any, block: Any) -> bool:
    """Tells whether the block gives something true for at least one element; of nothing this is false.

    The block gets the element, or with two parameters index and element, or key and value. It is not asked
    about what comes after the first element that passes.

    > ['web1', 'db1'].any |$host| { $host =~ /^db/ }
    true

    > [].any |$x| { true }
    false
    """
    try:
        return any(_verdicts(value, block))
    except BreakIteration:
        if steps(value):
            return False
        raise
