"""stdlib: functions that remove parts of arrays, hashes and Strings; after them, `range`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from operator import contains
from string import ascii_lowercase, ascii_uppercase, digits

from evaluator.calling.registry import function
from evaluator.issues import Failure, require, require_found
from evaluator.limits import COLLECTION
from evaluator.operators.arithmetic import to_pairs
from evaluator.types import Type
from evaluator.values import (
    DEFAULT,
    RegexpValue,
    Sensitive,
    Value,
    encode_utf8,
    format_value,
    unkey,
)
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    is_same,
    make_no_method_failure,
    parse_leading_integer,
    require_method,
    require_string,
    to_ruby_s,
)

# --- delete


def _remove_where(is_removed: Callable[[Value], bool], collection: Value) -> Value:
    """Return an array without some elements, or a hash without some keys."""
    if type(collection) is dict:
        return {k: v for k, v in collection.items() if not is_removed(unkey(k))}
    return [value for value in collection if not is_removed(value)]


@function(
    "delete(Any p0, Any p1)",
    count="ARGUMENT_COUNT_FOR",
    takes="2",
    usage=(
        "delete(Array array, Any items)",
        "delete(Hash hash, Variant[Any, Array] keys)",
        "delete(String text, Variant[String, Array[String]] parts)",
    ),
)
def delete(collection: Value, unwanted: Value) -> Value:
    """Remove an item, or each of several, from an array, from the keys of a hash, or a String.

    > delete(['a', 'b', 'a'], 'a')
    ['b']

    > delete('abcab', 'ab')
    'c'

    > delete({ 'a' => 1, 'b' => 2 }, ['a'])
    {'b' => 2}
    """
    if type(unwanted) is dict:
        unwanted = to_pairs(unwanted)
    items = unwanted if type(unwanted) is list else [unwanted]
    if type(collection) in (list, dict):
        return _remove_where(lambda value: any(is_same(value, item) for item in items), collection)
    _require_class(type(collection) is str, "delete", "an Array, String, or Hash", collection)
    for item in items:
        if (
            type(item) in (int, float, bool, list, dict, Sensitive)
            or item is DEFAULT
            or isinstance(item, Type)
        ):
            raise Failure("WRONG_ARGUMENT_TYPE", actual=get_ruby_class_name(item), expected="Regexp")
        collection = collection.replace(format_value(item), "") if item != "" else collection
    return collection


@function("delete_at(Any p0, Any p1, Any p2*)", takes="2", usage=("delete_at(Array array, Integer index)",))
def delete_at(array: Value, place: Value, *_ignored: Value) -> list[Value]:
    """Remove the element at an index.

    > delete_at(['a', 'b', 'c'], 1)
    ['a', 'c']
    """
    require(type(array) is list, "ARGUMENT_REQUIRED", function="delete_at", expected="array to work with")
    if type(place) is str and re.search(r"^\d+$", place, re.MULTILINE):
        place = parse_leading_integer(place)
    require(type(place) in (int, float), "DELETE_AT_INDEX")
    index = int(place)
    require(index <= len(array) - 1, "DELETE_AT_SIZE")
    index = index if index >= 0 else len(array) + index
    return [*array[:index], *array[index + 1 :]] if index >= 0 else [*array]


@function(
    "delete_undef_values(Any p0, Any p1*)",
    count="ARGUMENT_COUNT_ALONE",
    usage=("delete_undef_values(Variant[Array, Hash] collection)",),
)
def delete_undef_values(collection: Value, *_ignored: Value) -> Value:
    """Remove undef from an array or hash; '' and false are kept.

    > delete_undef_values({ 'a' => undef, 'b' => '' })
    {'b' => ''}
    """
    if type(collection) is list:
        return [value for value in collection if value is not None]
    if type(collection) is dict:
        return {k: v for k, v in collection.items() if v is not None}
    raise Failure("NO_COLLECTION", value=format_value(collection), actual=get_ruby_class(collection))


@function(
    "delete_values(Any p0, Any p1)",
    count="ARGUMENT_COUNT_OUT_OF",
    takes="2",
    usage=("delete_values(Hash hash, Any value)",),
)
def delete_values(hash_value: Value, unwanted: Value) -> Value:
    """Remove the entries of a hash that have a value.

    > delete_values({ 'a' => 1, 'b' => 2 }, 1)
    {'b' => 2}
    """
    _require_class(type(hash_value) is dict, "delete_values", "a Hash", hash_value)
    return {k: v for k, v in hash_value.items() if not is_same(v, unwanted)}


@function(
    "delete_regex(Any p0, Any p1)",
    count="ARGUMENT_COUNT_FOR",
    takes="2",
    usage=("delete_regex(Variant[Array, Hash] collection, Variant[String, Array[String]] patterns)",),
)
def delete_regex(collection: Value, patterns: Value) -> Value:
    """Remove the elements, or keys, in which a pattern matches between word boundaries.

    > delete_regex(['ab', 'a', 'b'], 'a.*')
    ['b']

    > delete_regex(['one two', 'twofold'], 'two')
    ['twofold']
    """
    pattern_list = patterns if type(patterns) is list else [patterns]
    words = [RegexpValue(f"\\b{to_ruby_s(pattern)}\\b") for pattern in pattern_list]

    def is_unwanted(value: Value) -> bool:
        return type(value) is str and any(pattern.search(value) is not None for pattern in words)

    # as released, a String is refused although the next message lists it
    require_method(type(collection) is not str, "reject!", collection)
    is_collection = type(collection) in (list, dict)
    _require_class(is_collection, "delete_regex", "an Array, Hash, or String", collection)
    return _remove_where(is_unwanted, collection)


# --- grep, reject


def _make_predicate(name: str, collection: Value, pattern: Value) -> Callable[[Value], bool]:
    """Return the predicate of Strings that match the pattern."""
    regexp = RegexpValue(format_value(pattern)) if type(pattern) is str else pattern
    require_string(type(regexp) is RegexpValue, get_ruby_class_name(pattern))
    regexp.compile()  # a bad expression is reported before a value that is no collection
    require_method(type(collection) in (list, dict), name, collection)

    def matches(value: Value) -> bool:
        # in Ruby, the value `default` is a symbol, which patterns can match
        text = "default" if value is DEFAULT else value
        return type(text) is str and regexp.search(text) is not None

    return matches


@function(
    "grep(Any p0, Any p1)",
    count="ARGUMENT_COUNT_FOR",
    takes="2",
    usage=("grep(Array[String] array, String pattern)",),
)
def grep(array: Value, pattern: Value) -> list[Value]:
    """Return the Strings of an array that match a pattern.

    > grep(['ab', 'cd'], '^a')
    ['ab']
    """
    matches = _make_predicate("grep", array, pattern)
    return [value for value in (to_pairs(array) if type(array) is dict else array) if matches(value)]


@function(
    "reject(Any p0, Any p1)",
    count="ARGUMENT_COUNT_FOR",
    takes="2",
    usage=("reject(Array[String] array, String pattern)", "reject(Hash hash, String pattern)"),
)
def reject(collection: Value, pattern: Value) -> Value:
    """Return the elements of an array, or the entries of a hash, that do not match a pattern.

    > reject(['ab', 'cd'], '^a')
    ['cd']
    """
    return _remove_where(_make_predicate("reject", collection, pattern), collection)


# --- range


def find_successor(string: str) -> str:
    """Return the next String in counting order: 'a9' is followed by 'b0', 'zz' by 'aaa'."""
    chars = list(string)
    places = [index for index, char in enumerate(chars) if char.isascii() and char.isalnum()]
    if not places:
        return string[:-1] + chr(ord(string[-1]) + 1) if string else ""
    for place in reversed(places):
        first, last = next(pair for pair in ("09", "az", "AZ") if pair[0] <= chars[place] <= pair[1])
        if chars[place] != last:
            chars[place] = chr(ord(chars[place]) + 1)
            return "".join(chars)
        chars[place] = first  # the last digit or letter: carry to the place before
    chars.insert(places[0], "1" if chars[places[0]] == "0" else chars[places[0]])
    return "".join(chars)


def _iterate_strings(first: str, last: str, inclusive: bool) -> Iterable[str]:
    """Return the Strings from one to another.

    They end before one that is longer in bytes than `last`.
    Between two single characters these are the characters by their codes.
    """
    if len(first) == len(last) == 1 and first.isascii() and last.isascii():
        return map(chr, range(ord(first), ord(last) + inclusive))
    if first > last or not last or (first == last and not inclusive):
        return ()
    if first.isascii() and first.isalnum():
        return CountedStrings(first, last, inclusive)
    return _iterate_successors(first, last, inclusive)


class CountedStrings:
    """The Strings of letters and digits from one to another.

    Their number is known before they are made. The positions of a String count as those of a number do, each in its own
    alphabet: 'az' is followed by 'ba', and '9' by '10'. The Strings of one length are a block.

    Attributes:
        count: The number of the Strings.
    """

    def __init__(self, first: str, last: str, inclusive: bool) -> None:
        # The blocks: the alphabets of the positions, and the numbers within the block of the first String and of the
        # one after the last.
        self._blocks: list[tuple[list[str], int, int]] = []
        alphabets = [next(alphabet for alphabet in _ALPHABETS if char in alphabet) for char in first]
        start = _count_below(first, alphabets)
        is_last = len(first) > len(encode_utf8(last))
        if is_last:  # only the first String itself
            self._blocks.append((alphabets, start, start + 1))
        while not is_last and len(alphabets) <= len(encode_utf8(last)):
            stop = math.prod(map(len, alphabets))
            if len(last) == len(alphabets) and all(map(contains, alphabets, last)):
                end = _count_below(last, alphabets)
                if end >= start:  # else the last String is never reached: all of its length follow
                    stop, is_last = end + inclusive, True
            self._blocks.append((alphabets, start, stop))
            start = stop if alphabets[0] is digits else 0  # '9' is followed by '10', and 'z' by 'aa'
            alphabets = [alphabets[0], *alphabets]
        self.count = sum(stop - start for _, start, stop in self._blocks)

    def __iter__(self) -> Iterator[str]:
        for alphabets, start, stop in self._blocks:
            endings = list(map("".join, product(*alphabets[-_ENDING:])))
            size = len(endings)
            for head in range(start // size, (stop + size - 1) // size):
                beginning = _format_number(head, alphabets[:-_ENDING])
                part = endings[max(start - head * size, 0) : stop - head * size]
                yield from [beginning + ending for ending in part]


_ALPHABETS = digits, ascii_lowercase, ascii_uppercase
_ENDING = 3  # the number of last positions whose combinations are computed once


def _count_below(text: str, alphabets: Sequence[str]) -> int:
    """Return how many Strings of the same length precede one."""
    number = 0
    for char, alphabet in zip(text, alphabets, strict=True):
        number = number * len(alphabet) + alphabet.index(char)
    return number


def _format_number(number: int, alphabets: Sequence[str]) -> str:
    """Return the String that so many of the same length precede."""
    chars: list[str] = []
    for alphabet in reversed(alphabets):
        number, place = divmod(number, len(alphabet))
        chars.append(alphabet[place])
    return "".join(reversed(chars))


def _iterate_successors(first: str, last: str, inclusive: bool) -> Iterator[str]:
    """Yield the Strings from one to another, each the successor of the one before."""
    size = len(encode_utf8(last))
    current = first
    while True:
        yield current
        if current == last:
            return
        current = find_successor(current)
        if not current or len(encode_utf8(current)) > size or (current == last and not inclusive):
            return


def _parse_range(text: Value) -> tuple[str, str, bool]:
    """Return the first and last of a range such as `a..c`, and whether it includes the last."""
    require_method(type(text) is str, "match", text)
    match = require_found(
        re.search(r"^(\w+)(\.\.\.?|-)(\w+)$", text, re.MULTILINE | re.ASCII),
        "NO_RANGE" if text.strip("\n") else "EMPTY_RANGE",
        value=text,
    )
    return match[1], match[3], match[2] != "..."


def _require_class(condition: object, function: str, expected: str, value: Value) -> None:
    actual = get_ruby_class(value)
    require(condition, "WRONG_ARGUMENT_CLASS", function=function, expected=expected, actual=actual)


def _to_integer(value: Value) -> int:
    """Return a number without its fraction, or the Integer at the start of a String."""
    if type(value) in (int, float):
        return int(value)
    if type(value) is str:
        return parse_leading_integer(value)
    raise make_no_method_failure("to_i", value)


@function(
    "range(Any p0, Any p1?, Any p2?, Any p3*)",
    takes="1",
    usage=(
        "range(Variant[Integer, String] first, Variant[Integer, String] last, Integer step?)",
        "range(String first_and_last)",
    ),
)
def range_(*args: Value) -> list[Value]:
    """Return every `step`-th number, or String in counting order, from one to another.

    > range(1, 9, 3)
    [1, 4, 7]

    > range('host01', 'host03')
    ['host01', 'host02', 'host03']
    """
    first, last, inclusive = (*args[:2], True) if len(args) > 1 else _parse_range(args[0])
    every = abs(_to_integer(args[2])) if len(args) > 2 else 1
    require(every != 0, "RANGE_STEP")
    if re.search(r"^\d+$", to_ruby_s(first), re.MULTILINE):
        numbers = range(_to_integer(first), _to_integer(last) + inclusive, every)
        COLLECTION.check_range(numbers)
        return list(numbers)
    result: list[Value] = []
    strings = _iterate_strings(to_ruby_s(first), to_ruby_s(last), inclusive)
    if isinstance(strings, CountedStrings):
        COLLECTION.check(strings.count)
    for index, value in enumerate(strings):
        COLLECTION.check(index)
        if index % every == 0:
            result.append(value)
    return result
