"""Traversals that visit each array and hash once, however often it occurs in a value.

Values never change, so they share their parts: forty times `[$m, $m]` makes forty arrays, and yet a tree of 2**40
elements. So a traversal caches its results for arrays and hashes by their identity. A result that grows with the tree
is checked against a limit while it is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any

from evaluator.limits import COLLECTION
from evaluator.values.core import Key, Sensitive, iterate_items, list_keys, make_hash
from evaluator.values.kind import Value
from lexer_parser.record import Record, fresh

CONTAINERS = frozenset((list, dict))
PLAIN = frozenset((str, int, float, bool, type(None)))  # the classes of the scalar values of JSON
# The number of plain values up to which an array or hash is visited repeatedly: caching its result takes longer.
FEW = 8
# The number of arrays and hashes that a loop visits before it begins to cache.
MANY = 300_000


def is_worth_memoizing(container: list[Value] | dict[Value, Value]) -> bool:
    """Return True when caching the result for an array or hash costs less than a second visit."""
    inside = container.values() if isinstance(container, dict) else container
    return len(container) > FEW or not PLAIN.issuperset(map(type, inside))


def has_shared_parts(value: Value) -> bool:
    """Return True when an array or hash that is worth memoizing occurs twice in a value."""
    seen = set()
    pending = [value]
    for item in pending:  # the loop appends to this list
        if type(item) is dict:
            inner = [part for part in item.values() if type(part) not in PLAIN]
            if Key in map(type, item):
                inner += list_keys(item)
        elif type(item) is list:
            inner = [part for part in item if type(part) not in PLAIN]
        else:
            if type(item) is Sensitive:
                pending.append(item.value)
            continue
        if inner or len(item) > FEW:
            if id(item) in seen:
                return True
            seen.add(id(item))
            pending += inner
    return False


def memoize_recursion(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a recursive function that computes its result once for each shared part.

    `function(recurse, value, *rest)` calls `recurse(part, *rest)` for the parts of the value; its callers pass only
    `value, *rest`. Where arrays or hashes repeat in the value, the results for them are cached while the outermost call
    lasts.
    """
    plain = partial(function)
    # `plain` calls the function with `plain` itself as its first argument, without the Python frame that a nested
    # function would add for each level of a value
    plain.__setstate__((function, (plain,), {}, None))  # type: ignore[attr-defined]

    @wraps(function)
    def outermost(value: Value, *rest: Any) -> Any:
        if type(value) not in CONTAINERS or not is_worth_memoizing(value) or not has_shared_parts(value):
            return plain(value, *rest)
        return _Recursion(function).recurse(value, *rest)

    return outermost


class _Recursion(Record):
    """One outermost call of a memoized recursion, for a value with repeated parts."""

    function: Callable[..., Any]
    # By the identities of the value and the other arguments: the result, the value, the other arguments. Storing the
    # values keeps their identities from being reused.
    cached: dict[tuple[Any, ...], tuple[Any, ...]] = fresh(factory=dict)

    def recurse(self, value: Value, *rest: Any) -> Any:
        if type(value) not in CONTAINERS or not is_worth_memoizing(value):
            return self.function(self.recurse, value, *rest)
        key = (id(value), *map(_get_identity, rest))
        entry = self.cached.get(key)
        if entry is None:
            entry = self.cached[key] = (self.function(self.recurse, value, *rest), value, rest)
        return entry[0]  # the result


def _get_identity(argument: Any) -> Any:
    """Return a key for an argument that never equals the key of another class."""
    return (argument,) if type(argument) is int or type(argument) is str else id(argument)


@memoize_recursion
def map_leaves(recurse: Callable[..., Value], value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a value with its leaves changed: all but arrays and hashes, keys included."""
    if type(value) is list:
        return [recurse(element, change) for element in value]
    if type(value) is dict:
        return make_hash(
            (recurse(key, change), recurse(element, change)) for key, element in iterate_items(value)
        )
    return change(value)


def collect_leaves(value: Value) -> Iterator[Value]:
    """Yield the values and keys inside a value that are no arrays or hashes themselves."""
    seen = set()
    visited = 0
    pending = [value]
    while pending:
        item = pending.pop()
        if type(item) not in CONTAINERS:
            yield item
            continue
        visited += 1
        if visited > MANY and is_worth_memoizing(item):
            if id(item) in seen:
                continue
            seen.add(id(item))
        pending += item if type(item) is list else [*list_keys(item), *item.values()]


def flatten_lists(values: list[Value]) -> list[Value]:
    """Return the elements of nested arrays in one list.

    Raises:
        PuppetError: There are too many elements.
    """
    result: list[Value] = []
    spans: dict[int, slice] = {}  # the part of the result of each finished array, by identity
    finished = 0
    pending = [(values, iter(values), 0)]  # arrays, their remaining elements, where they begin in the result
    while pending:
        array, elements, start = pending[-1]
        for element in elements:
            if type(element) is not list:
                result.append(element)
                continue
            span = spans.get(id(element)) if spans else None
            if span is None:
                pending.append((element, iter(element), len(result)))
                break
            COLLECTION.check(len(result) + span.stop - span.start)
            result += result[span]
        else:
            pending.pop()
            finished += 1
            if finished > MANY and is_worth_memoizing(array):
                spans[id(array)] = slice(start, len(result))
        COLLECTION.check(len(result))
    return result


@memoize_recursion
def count_values(recurse: Callable[..., Value], value: Value) -> int:
    """Return the number of values in a value and in everything inside it, written out."""
    if type(value) is list:
        return int(1 + sum(map(recurse, value)))
    if type(value) is dict:
        return int(1 + sum(map(recurse, list_keys(value))) + sum(map(recurse, value.values())))
    if type(value) is Sensitive:
        return int(recurse(value.value))
    return 1
