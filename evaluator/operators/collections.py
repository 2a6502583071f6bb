"""What `+`, `-` and `<<` mean for arrays and hashes. Sizes are checked before anything is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from evaluator.issues import Failure
from evaluator.limits import COLLECTION
from evaluator.operators.comparison import folded
from evaluator.operators.numbers import number
from evaluator.values import get, has, hash_of, items, key, keys
from evaluator.values.slices import merged

Same = Callable[[Any, Any], bool]

_PLAIN = frozenset({str, int, float, bool, type(None)})
_FEW = 8  # to compare with so many is quicker than to look for what may be equal


def pairs(hash_value: dict[Any, Any]) -> list[Any]:
    """A hash as array of `[key, value]` arrays."""
    return [[k, v] for k, v in items(hash_value)]


def append(left: list[Any], right: Any) -> list[Any]:
    """`array << value`."""
    COLLECTION.check(len(left) + 1)
    return [*left, right]


def concatenate(left: list[Any], right: Any) -> list[Any]:
    """`array + value`: arrays are joined, a hash gives its pairs, anything else is one more element."""
    if type(right) is list:
        COLLECTION.check(len(left) + len(right))
        return left + right
    if type(right) is dict:
        COLLECTION.check(len(left) + len(right))
        return left + pairs(right)
    return append(left, right)


def as_hash(array: list[Any]) -> dict[Any, Any]:
    """The hash of an array of pairs, of a flat list `[key, value, …]`, or of one hash. Raises Failure."""
    if array and all(type(element) is list for element in array):
        for element in array:
            if not 1 <= len(element) <= 2:
                raise Failure("HASH_PAIR_SIZE", number=len(element))
        return hash_of((pair[0], pair[1] if len(pair) == 2 else None) for pair in array)
    if len(array) == 1 and type(array[0]) is dict:
        return array[0]
    if len(array) % 2:
        raise Failure("HASH_ODD")
    return hash_of(zip(array[::2], array[1::2], strict=True))


def merge(left: dict[Any, Any], right: Any) -> dict[Any, Any]:
    """`hash + value`: the entries of the right side win, the order of the left side stays. Raises Failure."""
    if type(right) is list:
        right = as_hash(right)
    elif type(right) is not dict:
        raise Failure("HASH_APPEND")
    COLLECTION.check(len(left) + len(right))
    return merged((left, right))


def _delete(left: list[Any], unwanted: list[Any], same: Same) -> list[Any]:
    if len(unwanted) <= _FEW:
        return [element for element in left if not any(same(element, other) for other in unwanted)]
    others: list[Any] = []  # what can be equal to anything
    known: dict[Any, list[Any]] = {}
    for other in unwanted:
        (known.setdefault(_rough(other), []) if type(other) in _PLAIN else others).append(other)

    def near(element: Any) -> Iterable[Any]:
        return chain(known.get(_rough(element), ()), others) if type(element) in _PLAIN else unwanted

    return [element for element in left if not any(same(element, other) for other in near(element))]


def _rough(value: Any) -> Any:
    """What is the same for plain values that are equal in one dialect or another."""
    if type(value) is not str:
        return value
    text = folded(value)
    numeric = number(text)
    return text if numeric is None else numeric


def delete_pairs(left: list[Any], right: Any, same: Same) -> list[Any]:
    """`array - value` as released: a hash removes `[key, value]` elements."""
    if type(right) is list:
        return _delete(left, right, same)
    return _delete(left, pairs(right) if type(right) is dict else [right], same)


def delete_entries(left: list[Any], right: Any, same: Same) -> list[Any]:
    """`array - value` as specified: a hash removes its keys and its values."""
    if type(right) is dict:
        right = [value for pair in items(right) for value in pair]
    return _delete(left, right if type(right) is list else [right], same)


def delete_keys(left: dict[Any, Any], right: Any) -> dict[Any, Any]:
    """`hash - value`: removes a key, the keys in an array, or the keys of a hash; keys compare strictly."""
    unwanted = right if type(right) is list else keys(right) if type(right) is dict else [right]
    unwanted_keys = set(map(key, unwanted))
    return {k: v for k, v in left.items() if k not in unwanted_keys}


def select(hash_value: dict[Any, Any], wanted: list[Any]) -> Any:
    """`hash[key, …]`: one key gives its value or undef, several an array of the values but undef."""
    if len(wanted) == 1:
        return get(hash_value, wanted[0])
    values = [get(hash_value, k) for k in wanted if has(hash_value, k)]
    return [value for value in values if value is not None] if wanted else None
