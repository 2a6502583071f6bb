"""Values that Python does not have, and how Python's containers hold Puppet's.

Puppet's undef, booleans, numbers, strings, arrays and hashes are Python's None, bool, int, float, str, list
and dict. No value changes once it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.values import kind as kinds
from evaluator.values.chunked import SOME, collect_distinct, iterate_chunks


class DefaultValue:
    """The type of `default`, of which there is one value."""

    __slots__ = ()

    kind = kinds.DEFAULT

    def __repr__(self) -> str:
        return "default"


DEFAULT = DefaultValue()


class Sensitive:
    """A value that must not be shown. Two are equal when what they hold is, strictly, as hash keys are."""

    __slots__ = ("_key", "value")

    kind = kinds.SENSITIVE

    def __init__(self, value: Any) -> None:
        self.value: Any = value.value if type(value) is Sensitive else value

    @property
    def key(self) -> Any:
        """What it is compared by: made once, as the value may occur many times in another."""
        try:
            return self._key
        except AttributeError:
            self._key: Any = key(self.value)
            return self._key

    def __eq__(self, other: object) -> bool:
        return type(other) is Sensitive and (self is other or bool(self.key == other.key))

    def __hash__(self) -> int:
        return hash((Sensitive, self.key))

    def __repr__(self) -> str:
        return "Sensitive [value redacted]"


class PuppetIterator:
    """An Iterator: `iterable` can be iterated any number of times, `element_type` is its elements' Type.

    The type may be given as a function, which is called when the type is asked for: few programs ask.
    `steps` tells that it leaves out elements: the released implementation iterates over such in a way of its own.
    """

    __slots__ = ("_element_type", "iterable", "steps")

    kind = kinds.ITERATOR

    def __init__(self, iterable: Iterable[Any], element_type: Any = None, *, steps: bool = False) -> None:
        self.iterable = iterable
        self._element_type = element_type
        self.steps = steps

    @property
    def element_type(self) -> Any:
        if callable(self._element_type):
            self._element_type = self._element_type()
        return self._element_type

    def __iter__(self) -> Any:
        return iter(self.iterable)


def utf8(text: str) -> bytes:
    """The bytes of a text; half a surrogate pair, which a text may hold, has bytes too."""
    return text.encode("utf-8", "surrogatepass")


# --- Hash keys


class Key:
    """A hash key that Python would confuse with another (`1.0`, `true`), or cannot hash (arrays, hashes), or not well.

    Integers of more than 60 bits can be chosen so that Python's hash of all is the same, and a dict slow.

    Keys are compared strictly: `1`, `1.0`, `'1'` and `true` differ, also inside arrays and hashes.
    """

    __slots__ = ("frozen", "hash", "value")

    def __init__(self, value: Any, known: dict[int, Key] | None = None) -> None:
        """`known` has the keys of the arrays and hashes so far, each of which may occur many times."""
        self.value = value
        kind = type(value)
        self.frozen: Any = value
        if kind is list and _CONTAINERS.isdisjoint(map(type, value)):
            self.frozen = tuple(map(key, value))
        elif kind is list or kind is dict:
            known = {} if known is None else known
            try:
                self.frozen = _freeze(value, known)
            except RecursionError:
                _add_inner(value, known)
                self.frozen = _freeze(value, known)
        self.hash = hash((kind, _bytes(value) if kind is int else self.frozen))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Key or self.hash != other.hash or type(self.value) is not type(other.value):
            return False
        if self.frozen is not other.frozen:
            try:
                same = _same(self.frozen, other.frozen)
            except RecursionError:
                same = all(one.frozen == two.frozen for one, two in _is_decided(self, other))
            if not same:
                return False
            other.frozen = self.frozen  # so that parts which occur many times are compared once
        return True

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        return f"Key({self.value!r})"


def _same(one: Any, other: Any) -> bool:
    """Whether what two keys are compared by is equal; of many parts, some are compared in one step."""
    if type(one) not in (tuple, frozenset) or len(one) <= SOME:
        return bool(one == other)
    if len(one) != len(other):
        return False
    if type(one) is frozenset:
        return all(map(other.issuperset, iterate_chunks(one)))
    return all(
        part == facing for part, facing in zip(iterate_chunks(one), iterate_chunks(other), strict=True)
    )


def _is_decided(left: Key, right: Key) -> Iterator[tuple[Key, Key]]:
    """The keys of arrays and hashes inside two keys that face each other, and the two, the innermost first.

    Each pair counts as equal once the next is asked for: so none is compared deeper than a level.
    """
    pairs = {(id(left), id(right)): (left, right)}
    pending = [(left, right)]
    while pending:
        one, two = pending.pop()
        theirs = dict(two.frozen if type(two.value) is dict else enumerate(two.frozen))
        for place, part in one.frozen if type(one.value) is dict else enumerate(one.frozen):
            facing = theirs.get(place)
            if type(part) is Key and type(facing) is Key and type(part.value) is type(facing.value):
                pair = id(part), id(facing)
                if type(part.value) in _CONTAINERS and part is not facing and pair not in pairs:
                    pairs[pair] = part, facing
                    pending.append((part, facing))
    for one, two in reversed(pairs.values()):
        yield one, two
        two.frozen = one.frozen


_CONTAINERS = {list, dict}
_WRAPPED = {float, bool, *_CONTAINERS}
_FAR = sys.hash_info.modulus  # from here on Python's hashes of integers repeat themselves


def is_far(value: int) -> bool:
    """True for an integer that does not stand for itself as a hash key."""
    return not -_FAR < value < _FAR


def _bytes(value: int) -> bytes:
    """What is hashed of an integer: nobody can tell before what the hash of bytes is."""
    return value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)


def key(value: Any) -> Any:
    """The dict key that stands for a Puppet value: the value itself where that is safe, else a `Key`."""
    return Key(value) if type(value) in _WRAPPED or (type(value) is int and is_far(value)) else value


def _freeze(value: Any, known: dict[int, Key]) -> Any:
    """What an array or hash is compared by: its parts, for which their keys stand."""
    if type(value) is dict:
        pairs = [(k, _inner_key(v, known)) for k, v in value.items()]
        return frozenset(pairs if len(pairs) <= SOME else collect_distinct(pairs))
    return tuple([_inner_key(element, known) for element in value])


def _inner_key(value: Any, known: dict[int, Key]) -> Any:
    kind = type(value)
    if kind is not list and kind is not dict:
        return key(value)
    found = known.get(id(value))
    if found is None:
        found = known[id(value)] = Key(value, known)
    return found


def _add_inner(root: Any, known: dict[int, Key]) -> None:
    """Makes the keys of the arrays and hashes inside a value, the innermost first: so no call is inside another."""
    pending = [root]
    while pending:
        value = pending[-1]
        inside = value if type(value) is list else value.values()
        missing = [each for each in inside if type(each) in _CONTAINERS and id(each) not in known]
        pending += missing
        if not missing:
            pending.pop()
            if value is not root:
                _inner_key(value, known)


def unkey(dict_key: Any) -> Any:
    """The Puppet value that a dict key stands for."""
    return dict_key.value if type(dict_key) is Key else dict_key


def hash_of(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A hash of pairs of plain values. Of equal keys the first decides the position, the last the value."""
    return {(k if type(k) is str else key(k)): v for k, v in pairs}


def items(hash_value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """The pairs of a hash, keys as plain values."""
    return [(k.value if type(k) is Key else k, v) for k, v in hash_value.items()]


def keys(hash_value: dict[Any, Any]) -> list[Any]:
    """The keys of a hash as plain values."""
    return [k.value if type(k) is Key else k for k in hash_value]


def get(hash_value: dict[Any, Any], key_value: Any, default: Any = None) -> Any:
    """The value at a plain key, or `default`."""
    return hash_value.get(key_value if type(key_value) is str else key(key_value), default)


def has(hash_value: dict[Any, Any], key_value: Any) -> bool:
    """True when the hash has the plain key."""
    return (key_value if type(key_value) is str else key(key_value)) in hash_value


# --- Iteration


def is_type(value: Any) -> bool:
    """True when the value is a Puppet type."""
    return getattr(type(value), "kind", None) is kinds.TYPE


def is_deferred(value: Any) -> bool:
    """True for a Deferred."""
    return kinds.kind_of(value) is kinds.OBJECT and value.type.name == "Deferred"


def iterate(value: Any) -> Iterable[Any] | None:
    """What iteration over a value yields, or None when the value cannot be iterated.

    Arrays yield elements, hashes `[key, value]` pairs, strings characters, an Integer n >= 0 the numbers
    below it, types what they say themselves (a finite Integer range, the strings of an Enum).
    """
    found: Iterable[Any] | None = None
    kind = type(value)
    if kind is list or kind is str or kind is PuppetIterator:
        found = value
    elif kind is dict:
        found = ([k, v] for k, v in items(value))
    elif kind is int:
        found = range(value) if value >= 0 else None
    elif is_type(value):
        found = value.iteration()
    return found
