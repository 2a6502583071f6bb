"""stdlib: arrays, hashes and texts without some of what is in them, and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evaluator.errors import Failure
from evaluator.functions.grouping import same
from evaluator.functions.host import host_class, inspect
from evaluator.functions.registry import function
from evaluator.limits import COLLECTION
from evaluator.values import Regexp, items, text, unkey

# --- delete


@function("delete(Any p0*)")
def delete(*args: Any) -> Any:
    """Removes an item, or all items of an array: elements of an array, keys of a hash, parts of a String.

    > delete(['a', 'b', 'a'], 'a')
    ['b']

    > delete('abcab', 'ab')
    'c'

    > delete({ 'a' => 1, 'b' => 2 }, ['a'])
    {'b' => 2}
    """
    if len(args) != 2:
        raise Failure(f"delete(): Wrong number of arguments given {len(args)} for 2")
    collection, unwanted = args
    gone = unwanted if type(unwanted) is list else [unwanted]
    if type(collection) is list:
        return [value for value in collection if not any(same(value, item) for item in gone)]
    if type(collection) is dict:
        return {k: v for k, v in collection.items() if not any(same(unkey(k), item) for item in gone)}
    if type(collection) is not str:
        raise Failure(
            "delete(): First argument must be an Array, String, or Hash."
            f" Given an argument of class {host_class(collection)}."
        )
    for item in gone:
        collection = collection.replace(text(item), "") if item != "" else collection
    return collection


@function("delete_at(Any p0, Any p1)")
def delete_at(array: Any, place: Any) -> list[Any]:
    """Removes the element at an index.

    > delete_at(['a', 'b', 'c'], 1)
    ['a', 'c']
    """
    if type(array) is not list:
        raise Failure("delete_at(): Requires array to work with")
    if not re.fullmatch(r"-?\d+", text(place)):
        raise Failure("delete_at(): You must provide non-negative numeric index")
    index = int(text(place))
    if index > len(array) - 1:
        raise Failure("delete_at(): Given index exceeds size of array given")
    index = index if index >= 0 else len(array) + index
    return array[:index] + array[index + 1 :]


@function("delete_undef_values(Any p0)")
def delete_undef_values(collection: Any) -> Any:
    """Removes what is undef from an array or hash; '' and false stay.

    > delete_undef_values({ 'a' => undef, 'b' => '' })
    {'b' => ''}
    """
    if type(collection) is list:
        return [value for value in collection if value is not None]
    if type(collection) is dict:
        return {k: v for k, v in collection.items() if v is not None}
    raise Failure(
        f"delete_undef_values(): expected an array or hash, got {text(collection)} type "
        f" {host_class(collection)} "
    )


@function("delete_values(Any p0, Any p1)")
def delete_values(hash_value: Any, unwanted: Any) -> Any:
    """Removes the entries of a hash that have a value.

    > delete_values({ 'a' => 1, 'b' => 2 }, 1)
    {'b' => 2}
    """
    if type(hash_value) is not dict:
        raise Failure(
            "delete_values(): First argument must be a Hash."
            f" Given an argument of class {host_class(hash_value)}."
        )
    return {k: v for k, v in hash_value.items() if not same(v, unwanted)}


@function("delete_regex(Any p0, Any p1)")
def delete_regex(collection: Any, patterns: Any) -> Any:
    """Removes the elements, or keys, that a pattern matches as a whole.

    > delete_regex(['ab', 'a', 'b'], 'a.*')
    ['b']
    """
    whole = [Regexp(f"\\A(?:{text(p)})\\z") for p in (patterns if type(patterns) is list else [patterns])]

    def gone(value: Any) -> bool:
        return type(value) is str and any(pattern.search(value) is not None for pattern in whole)

    if type(collection) is list:
        return [value for value in collection if not gone(value)]
    if type(collection) is dict:
        return {k: v for k, v in collection.items() if not gone(unkey(k))}
    raise Failure(f"undefined method `reject!' for {inspect(collection)}:{host_class(collection)}")


# --- grep, reject


def _matching(name: str, array: Any, pattern: Any, wanted: bool) -> list[Any]:
    if type(array) is dict:
        array = [[k, v] for k, v in items(array)]
    if type(array) is not list:
        raise Failure(f"undefined method `{name}' for {inspect(array)}:{host_class(array)}")
    regexp = Regexp(text(pattern)) if type(pattern) is str else pattern
    if type(regexp) is not Regexp:
        raise Failure(f"no implicit conversion of {host_class(pattern)} into String")
    regexp.compiled  # noqa: B018  (a bad expression is reported even for an empty array)
    return [value for value in array if (type(value) is str and regexp.search(value) is not None) is wanted]


@function("grep(Any p0, Any p1)")
def grep(array: Any, pattern: Any) -> list[Any]:
    """Gives the Strings of an array that match a pattern.

    > grep(['ab', 'cd'], '^a')
    ['ab']
    """
    return _matching("grep", array, pattern, True)


@function("reject(Any p0, Any p1)")
def reject(array: Any, pattern: Any) -> list[Any]:
    """Gives the elements of an array that do not match a pattern.

    > reject(['ab', 'cd'], '^a')
    ['cd']
    """
    return _matching("reject", array, pattern, False)


# --- range


def successor(string: str) -> str:
    """The next text in counting order: 'a9' is followed by 'b0', 'zz' by 'aaa'."""
    chars = list(string)
    places = [index for index, char in enumerate(chars) if char.isascii() and char.isalnum()]
    if not places:
        return string[:-1] + chr(ord(string[-1]) + 1) if string else ""
    place = places[-1]
    for place in reversed(places):
        first, last = next(pair for pair in ("09", "az", "AZ") if pair[0] <= chars[place] <= pair[1])
        if chars[place] != last:
            chars[place] = chr(ord(chars[place]) + 1)
            return "".join(chars)
        chars[place] = first
    chars.insert(place, "1" if chars[place] == "0" else chars[place])
    return "".join(chars)


def _texts(first: str, last: str, inclusive: bool) -> Iterator[str]:
    if not first or first > last or len(first) > len(last):
        return
    current = first
    while len(current) <= len(last):
        if current == last:
            if inclusive:
                yield current
            return
        yield current
        current = successor(current)


@function("range(Any p0, Any p1?, Any p2?)")
def range_(first: Any, last: Any = "", step: Any = 1) -> list[Any]:
    """Gives the numbers, or the texts in counting order, from one to another, and every `step`-th only.

    > range(1, 9, 3)
    [1, 4, 7]

    > range('host01', 'host03')
    ['host01', 'host02', 'host03']
    """
    inclusive = True
    if last == "":
        match = re.fullmatch(r"(\w+)(\.\.\.?|-)(\w+)", text(first))
        if match is None:
            if first == "":
                return []
            raise Failure(f"range(): Unable to compute range from the value: {text(first)}")
        first, inclusive, last = match[1], match[2] != "...", match[3]
    if not re.fullmatch(r"-?\d+", text(step)) or int(text(step)) == 0:
        raise Failure("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)")
    every = abs(int(text(step)))
    if all(re.fullmatch(r"-?\d+", text(end)) for end in (first, last)):
        numbers = range(int(text(first)), int(text(last)) + inclusive, every)
        COLLECTION.check_range(numbers)
        return list(numbers)
    if type(first) is not str or type(last) is not str:
        return []
    result: list[Any] = []
    for index, value in enumerate(_texts(first, last, inclusive)):
        COLLECTION.check(index)
        if index % every == 0:
            result.append(value)
    return result
