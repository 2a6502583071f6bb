"""Functions that run a block for every element, and Iterators.

A block with one parameter gets the element (`[key, value]` of a hash); with two it gets index and element, or key
and value. `break()` in the block ends the iteration. As released, it is an error in `filter` of a hash, and in `all`
and `any` of a value without `has_steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, count, islice, starmap

from evaluator.calling.registry import function
from evaluator.issues import require
from evaluator.limits import COLLECTION
from evaluator.operators.arithmetic import to_pairs
from evaluator.program.definitions import BreakIteration, LambdaBlock, Scope
from evaluator.types import UNIT, IntegerType, StringType, TupleType, infer, infer_detailed, make_variant
from evaluator.values import PuppetIterator, Value, iterate, iterate_items, unkey
from lexer_parser.dialect import PUPPET


def is_true(value: Value) -> bool:
    """Return whether Puppet takes a value for true: everything but undef and false."""
    return value is not None and value is not False


def to_sequence(value: Value) -> Sequence[Value]:
    """Return the elements of a value in a form that can be sliced: a list, str or range."""
    values = iterate(value)
    if isinstance(values, list | str | range):
        return values
    if type(values) is PuppetIterator:
        inner = values.iterable
        return inner if isinstance(inner, list | str | range) else list(check_length(inner))
    return list(check_length(values or ()))


def has_steps(value: Value) -> bool:
    """Return whether an iterable counts integers or skips elements.

    `break` then ends `all` and `any` without an error.
    """
    return getattr(value, "steps", False) or type(getattr(value, "iterable", iterate(value))) is range


def check_length(values: Iterable[Value]) -> Iterable[Value]:
    """Return the same elements; iteration raises when they exceed the limit of an array."""
    # a range may be too long for len()
    if isinstance(values, list | str | range) and not values[COLLECTION.value :]:
        return values
    return _iterate_counted(values)


def _iterate_counted(values: Iterable[Value]) -> Iterator[Value]:
    rest = iter(values)
    yield from islice(rest, COLLECTION.value)
    for _ in rest:
        raise COLLECTION.make_error()


def make_iterator(values: Iterable[Value], source: Value, *, steps: bool = False) -> PuppetIterator:
    """Return an Iterator over `values` whose element type is that of `source`."""
    return PuppetIterator(values, lambda: _infer_iterated_type(values, source), steps=steps)


def _infer_iterated_type(values: Iterable[Value], source: Value) -> Value:
    """Return the type of the elements of an Iterator over `values`, which come from `source`."""
    if isinstance(values, range) and values:
        return IntegerType(min(values[0], values[-1]), max(values[0], values[-1]))
    return source.element_type if type(source) is PuppetIterator else infer_element_type(source)


# The number of elements up to which the element type of an Iterator is a Variant of their types; of more, the
# common type.
MANY = 50


def infer_element_type(value: Value) -> Value:
    """Return the inferred type of the elements of a value."""
    if type(value) is list:
        return _infer_variant(value) if len(value) <= MANY else infer(value, PUPPET).element_type()
    if type(value) is dict:
        return TupleType(map(_infer_variant, ([*value][:MANY], [*value.values()][:MANY])), (2, 2))
    if type(value) is str:
        return StringType((1, 1))
    if type(value) is int:
        return IntegerType(0, value - 1) if value else UNIT
    return value


def _infer_variant(values: list[Value]) -> Value:
    """Return a Variant of the types of the elements."""
    if not values:
        return UNIT
    return make_variant(list(dict.fromkeys(infer_detailed(unkey(value), PUPPET) for value in values)))


# --- each, map, filter, reduce
#
# A `break` is caught by `except`: `suppress` takes as long as a few short calls of a block.


def list_arguments(value: Value, takes_two: bool, *, is_limited: bool = False) -> Iterable[Value]:
    """Return what a block receives for each element of a value.

    Args:
        value: What is iterated.
        takes_two: True for pairs of index and element, or of key and value.
        is_limited: True to raise when the elements exceed the limit of an array.
    """
    if type(value) is list:
        elements: Iterable[Value] = value
    elif type(value) is dict:
        return iterate_items(value) if takes_two else to_pairs(value)
    else:
        elements = iterate(value) or ()
        if is_limited:
            elements = check_length(elements)
    return enumerate(elements) if takes_two else elements


def iterate_results(value: Value, block: LambdaBlock, takes_two: bool | None = None) -> Iterator[Value]:
    """Return the values of a block for each element of a value.

    Args:
        value: What is iterated.
        block: The block.
        takes_two: True to pass index and element, or key and value; by default if the block accepts two arguments.
    """
    if takes_two is None:
        takes_two = block.accepts(2)
    arguments = list_arguments(value, takes_two)
    return starmap(block.fn, arguments) if takes_two else map(block.fn, arguments)


@function(
    "each(Hash hash, Callable[2, 2] block)",
    "each(Hash hash, Callable[1, 1] block)",
    "each(Iterable enumerable, Callable[2, 2] block)",
    "each(Iterable enumerable, Callable[1, 1] block)",
)
def each(values: Value, block: LambdaBlock) -> Value:
    """Run the block for every element and return the iterated value.

    A block with one parameter gets the element, `[key, value]` for a hash; with two it gets index and element, or
    key and value. The elements of a String are its characters, of an Integer `n` the numbers from 0 to `n - 1`, of
    a range such as `Integer[1, 3]` its numbers. `next()` ends one run of the block,
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
    takes_two, call = block.accepts(2), block.fn
    arguments = list_arguments(values, takes_two)
    try:
        # A loop calls a block of Puppet code faster than `map` does.
        if takes_two:
            for first, second in arguments:
                call(first, second)
        else:
            for element in arguments:
                call(element)
    except BreakIteration:
        return values
    return values


def run_each(results: Iterable[Value]) -> None:
    """Call a block for each of its results, up to a `break`."""
    try:
        for _ in results:
            pass
    except BreakIteration:
        return


@function(
    "map(Hash hash, Callable[2, 2] block)",
    "map(Hash hash, Callable[1, 1] block)",
    "map(Iterable enumerable, Callable[2, 2] block)",
    "map(Iterable enumerable, Callable[1, 1] block)",
)
def map_(values: Value, block: LambdaBlock) -> list[Value]:
    """Return an array of the values of the block for every element.

    The block gets the element, or with two parameters index and element, or key and value.

    > [1, 2, 3].map |$x| { $x * 2 }
    [2, 4, 6]

    > { 'a' => 1, 'b' => 2 }.map |$key, $value| { "${key}${value}" }
    ['a1', 'b2']

    > Integer[1, 3].map |$index, $value| { $index * $value }
    [0, 2, 6]
    """
    results: list[Value] = []
    takes_two, call = block.accepts(2), block.fn
    arguments = list_arguments(values, takes_two, is_limited=True)
    try:
        if takes_two:
            for first, second in arguments:
                results.append(call(first, second))
        else:
            for element in arguments:
                results.append(call(element))
    except BreakIteration:
        return results
    return results


@function("filter(Hash hash, Callable[2, 2] block)", "filter(Hash hash, Callable[1, 1] block)")
def filter_(hash_value: dict[Value, Value], block: LambdaBlock) -> Value:
    """Return the elements for which the block is true: as a hash for a hash, else as an array.

    The block gets the element, or with two parameters index and element, or key and value.

    > [1, 2, 3].filter |$x| { $x > 1 }
    [2, 3]

    > { 'a' => 1, 'b' => 2 }.filter |$key, $value| { $value > 1 }
    {'b' => 2}

    > ['a', undef, 'b'].filter |$x| { $x =~ NotUndef }
    ['a', 'b']
    """
    # as released, `break` is an error here
    return dict(compress(hash_value.items(), test_each(hash_value, block)))


@filter_.overload("filter(Iterable enumerable, Callable[2, 2] block)")
def filter_indexed(values: Value, block: LambdaBlock) -> Value:
    """Return the elements for which the block, called with index and element, is true."""
    indexes, call = count(), block.fn
    return _select(values, lambda value: call(next(indexes), value))


@filter_.overload("filter(Iterable enumerable, Callable[1, 1] block)")
def filter_values(values: Value, block: LambdaBlock) -> Value:
    """Return the elements for which the block is true."""
    return _select(values, block.fn)


def _select(values: Value, call: Callable[[Value], Value]) -> list[Value]:
    """Return the elements that a function accepts, up to a `break`."""
    result: list[Value] = []
    try:
        for value in values if type(values) is list else check_length(iterate(values) or ()):
            verdict = call(value)
            if verdict is not False and verdict is not None:
                result.append(value)
    except BreakIteration:
        return result
    return result


@function("reduce(Iterable enumerable, Callable[2, 2] block)")
def reduce(values: Value, block: LambdaBlock) -> Value:
    """Fold the elements into one value: the block gets the result so far and the next element.

    Without a start value the first element is the start.

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
def reduce_from(values: Value, memo: Value, block: LambdaBlock) -> Value:
    """Fold the elements, beginning with a start value."""
    return _reduce(iterate(values) or (), memo, block.fn)


def _reduce(values: Iterable[Value], memo: Value, call: Value) -> Value:
    try:
        for value in values:
            memo = call(memo, value)
    except BreakIteration:
        return memo
    return memo


# --- all, any


def test_each(value: Value, block: LambdaBlock) -> Iterator[bool]:
    """Yield for each element whether the block is true."""
    return map(is_true, iterate_results(value, block))


def _test(decide: Callable[[Iterable[bool]], bool], value: Value, block: LambdaBlock) -> bool:
    """Return the result of `all` or `any` for a block; `break` ends an Iterator."""
    try:
        return decide(test_each(value, block))
    except BreakIteration:
        if has_steps(value):
            return decide(())
        raise


@function(
    "all(Hash hash, Callable[2, 2] block)",
    "all(Hash hash, Callable[1, 1] block)",
    "all(Iterable enumerable, Callable[2, 2] block)",
    "all(Iterable enumerable, Callable[1, 1] block)",
)
def all_(value: Value, block: LambdaBlock) -> bool:
    """Return whether the block is true for every element; it is for an empty collection.

    The block gets the element, or with two parameters index and element, or key and value. It is not called
    for the elements after the first that fails.

    > [1, 2].all |$x| { $x > 0 }
    true

    > { 'a' => 1 }.all |$key, $value| { $value > 1 }
    false
    """
    return _test(all, value, block)


@function(
    "any(Hash hash, Callable[2, 2] block)",
    "any(Hash hash, Callable[1, 1] block)",
    "any(Iterable enumerable, Callable[2, 2] block)",
    "any(Iterable enumerable, Callable[1, 1] block)",
)
def any_(value: Value, block: LambdaBlock) -> bool:
    """Return whether the block is true for at least one element.

    It is not for an empty collection.

    The block gets the element, or with two parameters index and element, or key and value. It is not called
    for the elements after the first that passes.

    > ['web1', 'db1'].any |$host| { $host =~ /^db/ }
    true

    > [].any |$x| { true }
    false
    """
    return _test(any, value, block)


# --- reverse_each, step, slice


def _make_element_call(block: LambdaBlock) -> Value:
    """Return a function that calls the block with one element.

    A block that accepts several numbers of arguments gets the parts of the element: none for undef.
    """
    if block.min == block.max:
        return block.fn

    def call_with_parts(value: Value) -> Value:
        if type(value) is dict:
            value = to_pairs(value)
        return block.call(value if type(value) is list else [] if value is None else [value])

    return call_with_parts


@function("reverse_each(Iterable iterable)")
def reverse_each(values: Value) -> Value:
    """Iterate from the last element to the first; return an Iterator without a block.

    Pass an Iterator to functions such as `map`, `filter` and `each`; `Array($iterator)` or `*$iterator` convert it to
    an array.

    > [1, 2, 3].reverse_each.map |$x| { $x * 10 }
    [30, 20, 10]

    > Array([1, 2, 3].reverse_each)
    [3, 2, 1]

    > reverse_each(['a', 'b']) |$x| { notice($x) }
    notice: b
    notice: a
    undef
    """
    return make_iterator(to_sequence(values)[::-1], values)


@reverse_each.overload("reverse_each(Iterable iterable, Callable[1, 1] block)")
def reverse_each_do(values: Value, block: LambdaBlock) -> None:
    """Run the block with every element, the last one first."""
    run_each(map(_make_element_call(block), to_sequence(values)[::-1]))


@function("step(Iterable iterable, Integer[1] step)")
def step(values: Value, size: int) -> Value:
    """Iterate over the first element and every `step`-th after it.

    Return an Iterator without a block.

    > [1, 2, 3, 4, 5].step(2).map |$x| { $x }
    [1, 3, 5]

    > Integer[0, 20].step(5).reverse_each.map |$x| { $x }
    [20, 15, 10, 5, 0]

    > step([1, 2, 3], 2) |$x| { notice($x) }
    notice: 1
    notice: 3
    undef
    """
    return make_iterator(
        to_sequence(values)[::size], values, steps=size > 1 or getattr(values, "steps", False)
    )


@step.overload("step(Iterable iterable, Integer[1] step, Callable[1, 1] block)")
def step_do(values: Value, size: int, block: LambdaBlock) -> None:
    """Run the block with every `step`-th element."""
    run_each(map(_make_element_call(block), to_sequence(values)[::size]))


def _split_parts(elements: Sequence[Value], size: int) -> Iterator[list[Value]]:
    """Yield arrays of `size` elements; the last may be shorter."""
    start = 0
    while part := [*elements[start : start + size]]:
        yield part
        start += size


@function(
    "slice(Hash hash, Integer[1] slice_size, Callable block?)",
    "slice(Iterable enumerable, Integer[1] slice_size, Callable block?)",
    context=True,
)
def slice_(scope: Scope, values: Value, size: int, block: LambdaBlock | None = None) -> Value:
    """Split into arrays of one size.

    A block gets each of them, as one parameter or spread over several.

    The last one may be shorter; the parameters without an element are then undef.

    > [1, 2, 3, 4, 5].slice(2)
    [[1, 2], [3, 4], [5]]

    > [1, 2, 3].slice(2) |$a, $b| { notice("${a}, ${b}") }
    notice: 1, 2
    notice: 3,
    [1, 2, 3]
    """
    elements = to_sequence(values)
    fits_in_one = len(elements[: size + 1]) <= size
    if fits_in_one and has_steps(values) and not scope.runtime.dialect.slice_end:
        # the released Puppet ends a slice that has a whole range or step one element too early
        parts = _split_parts(elements, max(len(elements) - 1, 1))
    elif block is None and type(elements) is list:
        return [elements[start : start + size] for start in range(0, len(elements), size)]
    else:
        parts = _split_parts(elements, size)
    if block is None:
        return list(check_length(parts))
    require(block.max != 0, "SLICE_LAMBDA", expected="at least one parameter", number=0)
    if block.min == block.max:
        takes_array = block.max == 1
        can_take = block.max in (1, size)
        require(can_take, "SLICE_LAMBDA", expected=f"1 or {size} parameters", number=block.max)
    else:  # some parameters are optional
        takes_array = size == 1
    # The value of parameters without an element: as released, of a hash an empty pair.
    missing: Value = [] if type(values) is dict else None
    filled = ([*part, *[missing] * (size - len(part))][: block.max] for part in parts)
    run_each(map(block.fn, parts) if takes_array else starmap(block.fn, filled))
    return values
