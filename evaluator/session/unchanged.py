"""Whether what a cell gives is what it gave before: of data, without a text of all that there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from evaluator.values.core import Key
from evaluator.values.dag import CONTAINERS, MANY, is_worth_memoizing

_PLAIN = frozenset({str, int, bool, type(None)})
_DATA = frozenset({*_PLAIN, *CONTAINERS, float, Key})


def same_data(one: Any, other: Any) -> bool | None:
    """Whether two values are the same data, and so have the same text and type; None where they are not only data.

    Strictly: `1` and `1.0` differ, and so do hashes in another order.
    """
    levels: list[Iterator[tuple[Any, Any]]] = [iter([(one, other)])]
    seen: set[tuple[int, int]] = set()
    looked = 0
    while levels:
        for left, right in levels[-1]:
            kind = type(left)
            if kind is not type(right):
                return False if kind in _DATA and type(right) in _DATA else None
            if left is right:
                continue
            if kind in _PLAIN:
                if left != right:
                    return False
            elif kind is float:
                if repr(left) != repr(right):  # there are two zeros
                    return False
            elif kind not in _DATA:
                return None
            else:
                if kind in CONTAINERS and len(left) != len(right):
                    return False
                looked += 1
                if looked > MANY and kind is not Key and is_worth_memoizing(left):
                    if (id(left), id(right)) in seen:
                        continue
                    seen.add((id(left), id(right)))
                levels.append(_parts(left, right))
                break
        else:
            levels.pop()
    return True


def _parts(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """What is inside of two values of one kind, pair by pair."""
    if type(left) is Key:
        return iter([(left.value, right.value)])
    if type(left) is list:
        return zip(left, right, strict=True)
    return zip(chain.from_iterable(left.items()), chain.from_iterable(right.items()), strict=True)
