"""stdlib: functions of arrays and hashes."""

from __future__ import annotations

import re

from evaluator.calling.registry import function
from evaluator.functions.grouping import list_distinct
from evaluator.functions.iteration import list_arguments
from evaluator.functions.navigation import flatten_arrays
from evaluator.functions.stdlib.coercion import to_bool
from evaluator.functions.stdlib.strings import make_character_test
from evaluator.issues import Failure, require, require_found
from evaluator.operators.arithmetic import to_pairs
from evaluator.program import effects
from evaluator.program.definitions import LambdaBlock
from evaluator.types import list_ruby_parts
from evaluator.values import Value, format_value, has, iterate_items, make_hash, make_key
from evaluator.values.chunked import merge_dicts
from evaluator.values.dag import memoize_recursion
from evaluator.values.ruby_values import (
    get_ruby_class,
    inspect_for_message,
    is_same,
    require_method,
    to_ruby_s,
)

# --- combination


@function("concat(Any p0, Any p1, Any p2*)", takes="< 2", usage=("concat(Array array, Any values+)",))
def concat(*values: Value) -> list[Value]:
    """Append to an array: the elements of arrays, and other values as elements.

    > concat(['a'], 'b', ['c', 'd'])
    ['a', 'b', 'c', 'd']
    """
    first, *others = values
    require(type(first) is list, "ARGUMENT_REQUIRED", function="concat", expected="array to work with")
    return [*first, *(part for other in others for part in (other if type(other) is list else [other]))]


@function(
    "merge(Variant[Hash[Scalar, Any], Undef, String[0, 0]] args*)",
    usage=(
        "merge(Variant[Hash, Undef] hashes*)",
        "merge(Iterable elements, Callable[2, 2] block)",
        "merge(Iterable elements, Callable[3, 3] block)",
    ),
)
def merge(*hashes: Value) -> dict[Value, Value]:
    """Merge hashes; the last value of a key is used. undef and '' add nothing.

    With a block it merges the hashes that the block returns for each element.

    > merge({ 'a' => 1 }, { 'b' => 2 }, { 'a' => 3 })
    {'a' => 3, 'b' => 2}

    > merge(['x', 'y']) |$hash, $name| { { $name => $name.length } }
    {'x' => 1, 'y' => 1}
    """
    return merge_dicts(filter(None, hashes))


@merge.overload("merge(Iterable args*, Callable[3, 3] block)", "merge(Iterable args*, Callable[2, 2] block)")
def merge_results(*parts: Value, block: LambdaBlock) -> dict[Value, Value]:
    """Merge the hashes of a block: it gets the hash so far, the index or key, the element.

    A block with two parameters gets no index.
    """
    require(len(parts) == 1, "ARGUMENT_COUNT_OF_METHOD", function="merge", number=len(parts), expected="1")
    takes_index = block.accepts(3)
    result: dict[Value, Value] = {}
    for element in list_arguments(parts[0], takes_index):
        more = block.fn(result, *element) if takes_index else block.fn(result, element)
        if type(more) is dict:  # other values add nothing
            result = {**result, **more}
    return result


@function(
    "deep_merge(Any p0, Any p1, Any p2*)",
    count="ARGUMENT_COUNT_OF",
    takes="at least 2",
    usage=("deep_merge(Hash hash, Hash hashes+)",),
)
def deep_merge(*hashes: Value) -> dict[Value, Value]:
    """Merge hashes and the hashes nested in them.

    Other values, including arrays, are replaced.

    > deep_merge({ 'a' => { 'b' => 1 } }, { 'a' => { 'c' => 2 }, 'd' => 3 })
    {'a' => {'b' => 1, 'c' => 2}, 'd' => 3}
    """
    result: dict[Value, Value] = {}
    for part in hashes:
        if part == "":
            continue
        require(type(part) is dict, "DEEP_MERGE_ARGUMENT", actual=get_ruby_class(part))
        result = _merge_deep(result, part)
    return result


@memoize_recursion
def _merge_deep(recurse: Value, left: dict[Value, Value], right: dict[Value, Value]) -> dict[Value, Value]:
    """Return two hashes as one; hashes under the same key are merged too."""
    result = dict(left)
    for name, value in right.items():
        old = result.get(name)
        result[name] = recurse(old, value) if type(old) is dict and type(value) is dict else value
    return result


@function("union(Any p0, Any p1, Any p2*)", takes="< 2", usage=("union(Array array, Array arrays+)",))
def union(*arrays: Value) -> list[Value]:
    """Return the elements of all arrays, each once.

    > union(['a', 'b'], ['b', 'c'])
    ['a', 'b', 'c']
    """
    require(all(type(array) is list for array in arrays), "UNION_ARRAYS")
    return list_distinct(element for array in arrays for element in array)


@function("intersection(Any p0, Any p1)", usage=("intersection(Array first, Array second)",))
def intersection(left: Value, right: Value) -> list[Value]:
    """Return the elements that both arrays have, each once.

    > intersection(['a', 'b', 'c'], ['b', 'c', 'd'])
    ['b', 'c']
    """
    if type(left) is not list or type(right) is not list:
        expected = f"2 arrays, got {get_ruby_class(left)} and {get_ruby_class(right)}"
        raise Failure("ARGUMENT_REQUIRED", function="intersection", expected=expected)
    right_keys = {make_key(value) for value in right}
    return list_distinct(value for value in left if make_key(value) in right_keys)


@function("difference(Any p0, Any p1)", usage=("difference(Array array, Array without)",))
def difference(left: Value, right: Value) -> list[Value]:
    """Return the elements of the first array that the second does not have.

    > difference(['a', 'b', 'c'], ['b', 'd'])
    ['a', 'c']
    """
    require(
        type(left) is list and type(right) is list,
        "ARGUMENT_REQUIRED",
        function="difference",
        expected="2 arrays",
    )
    unwanted = {make_key(value) for value in right}
    return [value for value in left if make_key(value) not in unwanted]


@function(
    "zip(Any p0, Any p1, Any p2?, Any p3*)",
    takes="2",
    usage=("zip(Array first, Array second, Boolean flat?)",),
)
def zip_(left: Value, right: Value, flatten: Value = "", *_ignored: Value) -> list[Value]:
    """Return pairs of the elements of two arrays.

    With a true third argument in one flat array.

    > zip([1, 2], ['a', 'b'])
    [[1, 'a'], [2, 'b']]

    > zip([1, 2], ['a', 'b'], true)
    [1, 'a', 2, 'b']
    """
    require(
        type(left) is list and type(right) is list,
        "ARGUMENT_REQUIRED",
        function="zip",
        expected="array to work with",
    )
    rows = [[value, right[index] if index < len(right) else None] for index, value in enumerate(left)]
    return flatten_arrays(rows) if flatten != "" and to_bool(flatten) else rows


@function("hash(Any p0, Any p1*)", takes="1", usage=("hash(Array keys_and_values)",))
def hash_(array: Value, *_ignored: Value) -> dict[Value, Value]:
    """Convert an array of keys and values, or of pairs, to a hash; the array is flattened.

    > hash(['a', 1, 'b', 2])
    {'a' => 1, 'b' => 2}
    """
    require(type(array) is list, "ARGUMENT_REQUIRED", function="hash", expected="array to work with")
    parts = flatten_arrays(array)
    require(not len(parts) % 2, "HASH_FROM_ARRAY")
    return make_hash(zip(parts[::2], parts[1::2], strict=True))


@function(
    "join_keys_to_values(Any p0, Any p1)",
    count="TAKES_TWO_ARGUMENTS",
    usage=("join_keys_to_values(Hash hash, String separator)",),
)
def join_keys_to_values(hash_value: Value, separator: Value) -> list[str]:
    """Return a String of key, separator and value for each entry of a hash.

    A value that is an array has a String for each element.

    > join_keys_to_values({ 'a' => 1, 'b' => [2, 3] }, '=')
    ['a=1', 'b=2', 'b=3']
    """
    require(
        type(hash_value) is dict,
        "JOIN_KEYS_ARGUMENT",
        which="first",
        expected="a hash",
        actual=get_ruby_class(hash_value),
    )
    actual = get_ruby_class(separator)
    require(type(separator) is str, "JOIN_KEYS_ARGUMENT", which="second", expected="a string", actual=actual)
    return [
        f"{to_ruby_s(name)}{separator}{to_ruby_s(value)}"
        for name, values in iterate_items(hash_value)
        for value in (values if type(values) is list else [values])
    ]


# --- queries


@function(
    "has_key(Any p0, Any p1)", count="ARGUMENT_COUNT_OF", takes="2", usage=("has_key(Hash hash, Any key)",)
)
def has_key(hash_value: Value, name: Value) -> bool:
    """Return whether a hash has a key.

    > has_key({ 'a' => undef }, 'a')
    true
    """
    if type(hash_value) is not dict:
        raise Failure(
            "HAS_KEY_ARGUMENT", value=inspect_for_message(hash_value), actual=get_ruby_class(hash_value)
        )
    return has(hash_value, name)


@function(
    "member(Any p0, Any p1, Any p2*)", takes="2", usage=("member(Array array, Variant[Any, Array] values)",)
)
def member(array: Value, members: Value, *_ignored: Value) -> bool:
    """Return whether an array has an element, or all elements of another array.

    > member(['a', 'b'], 'b')
    true

    > member(['a', 'b'], ['b', 'c'])
    false
    """
    require(type(array) is list, "ARGUMENT_REQUIRED", function="member", expected="array to work with")
    require(members != [], "MEMBER_NOTHING")
    require(type(members) in (list, str, int), "MEMBER_KIND")
    keys = set(map(make_key, array))
    return all(make_key(value) in keys for value in (members if type(members) is list else [members]))


@function(
    "count(Any p0, Any p1*)",
    usage=("count(Variant[Array, Hash] collection, Any value?)", "count(String text, String characters)"),
)
def count(collection: Value, *wanted: Value) -> int:
    """Count the elements that equal a value; without one, those that are neither undef nor ''.

    In a String it counts the characters of a set.

    > count([1, 2, 1], 1)
    2

    > count([1, undef, ''])
    1

    > count('banana', 'a-m')
    4
    """
    require(len(wanted) <= 1, "COUNT_COUNT", number=len(wanted) + 1)
    if type(collection) is str:
        require(wanted, "ARGUMENT_COUNT_OF_METHOD", function="count", number=0, expected="1+")
        return sum(map(make_character_test(wanted[0]), collection)) if wanted[0] != "" else 0
    elements = to_pairs(collection) if type(collection) is dict else list_ruby_parts(collection)
    require_method(type(elements) is list, "count", collection)
    if wanted and wanted[0] is not False and wanted[0] is not None:
        return sum(is_same(value, wanted[0]) for value in elements)
    return sum(value is not None and value != "" for value in elements)


@function(
    "values_at(Any p0, Any p1, Any p2*)",
    takes="2",
    usage=("values_at(Array array, Variant[Integer, String, Array] places)",),
)
def values_at(array: Value, places: Value, *_ignored: Value) -> list[Value]:
    """Return the elements at an index, a range such as '1-3', or a list of these.

    > values_at(['a', 'b', 'c', 'd'], ['0', '2-3'])
    ['a', 'c', 'd']
    """
    require(type(array) is list, "ARGUMENT_REQUIRED", function="values_at", expected="array to work with")
    all_places = flatten_arrays([places])
    require(all_places, "VALUES_AT_NOTHING")
    result: list[Value] = []
    for place in all_places:
        match = require_found(
            re.search(r"^(\d+)(?:(\.\.\.?|-)(\d+))?$", format_value(place), re.MULTILINE), "VALUES_AT_FORMAT"
        )
        start = int(match[1])
        stop = start if match[3] is None else int(match[3])
        require(start <= stop, "VALUES_AT_BACKWARDS")
        require(stop < len(array), "VALUES_AT_RANGE_SIZE" if match[3] else "VALUES_AT_SIZE")
        result += array[start : stop if match[2] == "..." else stop + 1]
    return result


# --- changes of every element


def _add_affix(name: str, collection: Value, affix: Value, join: Value) -> Value:
    """Return a collection whose elements, or keys, are joined with a String. Raise Failure."""
    if type(collection) not in (list, dict):
        expected = {"which": "first", "expected": "an Array or a Hash"}
        raise Failure("AFFIX_ARGUMENT", function=name, **expected, actual=inspect_for_message(collection))
    if affix is False:
        affix = ""
    if type(affix) is not str:
        expected = {"which": "second", "expected": "a String"}
        raise Failure("AFFIX_ARGUMENT", function=name, **expected, actual=inspect_for_message(affix))
    if type(collection) is list:
        return [join(to_ruby_s(value), affix) for value in collection]
    return {join(to_ruby_s(k), affix): v for k, v in iterate_items(collection)}


@function(
    "prefix(Any p0, Any p1?, Any p2*)",
    takes="1",
    usage=("prefix(Variant[Array, Hash] collection, String prefix?)",),
)
def prefix(collection: Value, affix: Value = "", *_ignored: Value) -> Value:
    """Prepend a String to every element of an array or every key of a hash.

    > prefix(['a', 'b'], 'p')
    ['pa', 'pb']
    """
    return _add_affix("prefix", collection, affix, lambda value, mark: mark + value)


@function(
    "suffix(Any p0, Any p1?, Any p2*)",
    takes="1",
    usage=("suffix(Variant[Array, Hash] collection, String suffix?)",),
)
def suffix(collection: Value, affix: Value = "", *_ignored: Value) -> Value:
    """Append a String to every element of an array or every key of a hash.

    > suffix({ 'a' => 1 }, 's')
    {'as' => 1}
    """
    return _add_affix("suffix", collection, affix, lambda value, mark: value + mark)


@function("reverse(Any p0, Any p1*)", takes="1", usage=("reverse(Variant[Array, String] value)",))
def reverse(value: Value, *_ignored: Value) -> Value:
    """Reverse an array or a String.

    > reverse([1, 2])
    [2, 1]

    > reverse('abc')
    'cba'
    """
    require(
        type(value) in (list, str),
        "ARGUMENT_REQUIRED",
        function="reverse",
        expected="either array or string to work with",
    )
    return value[::-1]


@function("shuffle(Any p0, Any p1*)", takes="1", usage=("shuffle(Variant[Array, String] value)",))
def shuffle(value: Value, *_ignored: Value) -> Value:
    """Return the elements of an array, or the characters of a String, in random order.

    > shuffle([1, 2, 3]).sort
    [1, 2, 3]
    """
    from random import SystemRandom

    require(
        type(value) in (list, str),
        "ARGUMENT_REQUIRED",
        function="shuffle",
        expected="either array or string to work with",
    )
    mixed = list(value)
    effects.record_unrepeatable()
    SystemRandom().shuffle(mixed)
    return mixed if type(value) is list else "".join(mixed)
