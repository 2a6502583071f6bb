"""The values that Python does not have, and Puppet's values in Python's containers.

Puppet's undef, booleans, numbers, strings, arrays and hashes are Python's None, bool, int, float, str, list
and dict. No value changes once it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from evaluator.values import kind as kinds
from evaluator.values.chunked import MOST_ELEMENTS, collect_distinct, iterate_chunks
from evaluator.values.kind import Value
from lexer_parser.record import Record


class DefaultValue:
    """The class of `default`, which has one instance."""

    __slots__ = ()

    kind = kinds.DEFAULT

    def __repr__(self) -> str:
        return "default"


DEFAULT = DefaultValue()


class Sensitive:
    """A value that must not be shown.

    Two are equal when their contents are strictly equal, as hash keys are.
    """

    kind = kinds.SENSITIVE

    def __init__(self, value: Value) -> None:
        self.value: Value = value.value if type(value) is Sensitive else value

    @cached_property
    def key(self) -> Value:
        """The key for comparison, computed once, as the value may occur many times in another."""
        return make_key(self.value)

    def __eq__(self, other: object) -> bool:
        return type(other) is Sensitive and (self is other or bool(self.key == other.key))

    def __hash__(self) -> int:
        return hash((Sensitive, self.key))

    def __repr__(self) -> str:
        return "Sensitive [value redacted]"


class PuppetIterator(Record):
    """An Iterator of the language.

    Attributes:
        iterable: The elements; it can be iterated any number of times.
        steps: True if it omits elements: the released Puppet iterates over such an Iterator in a different way.
    """

    iterable: Iterable[Value]
    _element_type: Value = None
    steps: bool = False

    kind = kinds.ITERATOR

    @property
    def element_type(self) -> Value:
        """The Type of the elements.

        It may be passed as a function, which is called on first access, because few programs need it.
        """
        if callable(self._element_type):
            self._element_type = self._element_type()
        return self._element_type

    def __iter__(self) -> Any:
        return iter(self.iterable)


def encode_utf8(text: str) -> bytes:
    """Return the UTF-8 bytes of a string; a lone surrogate, which it may have, is encoded too."""
    return text.encode("utf-8", "surrogatepass")


# --- Hash keys


class Key:
    """A hash key that Python would confuse with another, cannot hash, or hashes badly.

    Python confuses `1.0` and `true` with others and cannot hash arrays and hashes. Integers of more than 60 bits can be
    chosen so that they all have the same hash in Python, which makes a dict slow.

    Keys are compared strictly: `1`, `1.0`, `'1'` and `true` differ, also inside arrays and hashes.

    Attributes:
        value: The value of the language.
        frozen: What is compared: the keys of the elements of an array, a frozenset of the pairs of keys of a hash, or
            the value itself.
        hash: The hash of the class and of `frozen`, computed once.
    """

    __slots__ = ("frozen", "hash", "value")

    def __init__(self, value: Value, inner_keys: dict[int, Key] | None = None) -> None:
        """Make the key of a value.

        Args:
            value: The value.
            inner_keys: The keys of arrays and hashes inside the value so far, by the identity of these, because each
                may occur many times.
        """
        self.value = value
        value_class = type(value)
        self.frozen: Any = value
        if value_class is list and _CONTAINERS.isdisjoint(map(type, value)):
            self.frozen = tuple(map(make_key, value))
        elif value_class is list or value_class is dict:
            inner_keys = {} if inner_keys is None else inner_keys
            try:
                self.frozen = _freeze(value, inner_keys)
            except RecursionError:
                _add_inner_keys(value, inner_keys)
                self.frozen = _freeze(value, inner_keys)
        self.hash = hash((value_class, _encode_integer(value) if value_class is int else self.frozen))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Key or self.hash != other.hash or type(self.value) is not type(other.value):
            return False
        if self.frozen is not other.frozen:
            try:
                is_same = _are_equal_parts(self.frozen, other.frozen)
            except RecursionError:
                is_same = all(
                    left.frozen == right.frozen for left, right in _iterate_inner_pairs(self, other)
                )
            if not is_same:
                return False
            # From now on both have the same object: if they are compared again, they are equal at once.
            other.frozen = self.frozen
        return True

    def __hash__(self) -> int:
        return self.hash

    def __repr__(self) -> str:
        return f"Key({self.value!r})"


def _are_equal_parts(left: Any, right: Value) -> bool:
    """Return True when the frozen parts of two keys are equal; many are compared in chunks."""
    if type(left) not in (tuple, frozenset) or len(left) <= MOST_ELEMENTS:
        return bool(left == right)
    if len(left) != len(right):
        return False
    if type(left) is frozenset:
        return all(map(right.issuperset, iterate_chunks(left)))
    return all(
        left_chunk == right_chunk
        for left_chunk, right_chunk in zip(iterate_chunks(left), iterate_chunks(right), strict=True)
    )


def _iterate_inner_pairs(left: Key, right: Key) -> Iterator[tuple[Key, Key]]:
    """Yield the pairs of corresponding keys inside two keys, innermost first, the two last.

    They are the keys of arrays and hashes. Once the next pair is requested, the parts of the former one are shared and
    compare equal at once, so no comparison is deeper than one level.
    """
    pairs = {(id(left), id(right)): (left, right)}
    pending = [(left, right)]
    while pending:
        left, right = pending.pop()
        right_parts = dict(right.frozen if type(right.value) is dict else enumerate(right.frozen))
        for place, part in left.frozen if type(left.value) is dict else enumerate(left.frozen):
            other = right_parts.get(place)
            if type(part) is Key and type(other) is Key and type(part.value) is type(other.value):
                pair = id(part), id(other)
                if type(part.value) in _CONTAINERS and part is not other and pair not in pairs:
                    pairs[pair] = part, other
                    pending.append((part, other))
    for left, right in reversed(pairs.values()):
        yield left, right
        right.frozen = left.frozen


_CONTAINERS = {list, dict}
_WRAPPED = {float, bool, *_CONTAINERS}  # the classes of values whose dict key is always a `Key`
_FAR = sys.hash_info.modulus  # from this value on, Python's hashes of integers repeat


def is_far(value: int) -> bool:
    """Return True for an integer so far from 0 that its dict key is a `Key`."""
    return not -_FAR < value < _FAR


def _encode_integer(value: int) -> bytes:
    """Return the bytes that are hashed for an integer, because their hash is unpredictable."""
    return value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)


def make_key(value: Value) -> Value:
    """Return the dict key for a Puppet value: the value where that is safe, else a `Key`."""
    return Key(value) if type(value) in _WRAPPED or (type(value) is int and is_far(value)) else value


def _freeze(value: Value, inner_keys: dict[int, Key]) -> Any:
    """Return the parts by which an array or hash is compared, as keys."""
    if type(value) is dict:
        pairs = [(k, _make_inner_key(v, inner_keys)) for k, v in value.items()]
        return frozenset(pairs if len(pairs) <= MOST_ELEMENTS else collect_distinct(pairs))
    return tuple([_make_inner_key(element, inner_keys) for element in value])


def _make_inner_key(value: Value, inner_keys: dict[int, Key]) -> Any:
    """Return the key of a part; arrays and hashes get one key for all places."""
    value_class = type(value)
    if value_class is not list and value_class is not dict:
        return make_key(value)
    key = inner_keys.get(id(value))
    if key is None:
        key = inner_keys[id(value)] = Key(value, inner_keys)
    return key


def _add_inner_keys(root: Value, inner_keys: dict[int, Key]) -> None:
    """Make the keys of the arrays and hashes inside a value, innermost first.

    This order needs no nested calls.
    """
    pending = [root]
    while pending:
        value = pending[-1]
        inside = value if type(value) is list else value.values()
        missing = [child for child in inside if type(child) in _CONTAINERS and id(child) not in inner_keys]
        pending += missing
        if not missing:
            pending.pop()
            if value is not root:
                _make_inner_key(value, inner_keys)


def unkey(dict_key: Value) -> Value:
    """Return the Puppet value of a dict key."""
    return dict_key.value if type(dict_key) is Key else dict_key


def make_hash(pairs: Iterable[tuple[Value, Value]]) -> dict[Value, Value]:
    """Return a hash of pairs of plain values.

    Of equal keys, the first determines the position and the last the value.
    """
    return {(k if type(k) is str else make_key(k)): v for k, v in pairs}


def iterate_items(hash_value: dict[Value, Value]) -> list[tuple[Value, Value]]:
    """Return the pairs of a hash, keys as plain values."""
    return [(k.value if type(k) is Key else k, v) for k, v in hash_value.items()]


def list_keys(hash_value: dict[Value, Value]) -> list[Value]:
    """Return the keys of a hash as plain values."""
    return [k.value if type(k) is Key else k for k in hash_value]


def get(hash_value: dict[Value, Value], key_value: Value, default: Value = None) -> Value:
    """Return the value at a plain key, or `default`."""
    return hash_value.get(key_value if type(key_value) is str else make_key(key_value), default)


def has(hash_value: dict[Value, Value], key_value: Value) -> bool:
    """Return True when the hash has the plain key."""
    return (key_value if type(key_value) is str else make_key(key_value)) in hash_value


# --- Types, and what can be iterated


def is_type(value: Value) -> bool:
    """Return True when the value is a Puppet type."""
    return getattr(type(value), "kind", None) is kinds.TYPE


def is_deferred(value: Value) -> bool:
    """Return True for a Deferred."""
    return kinds.get_kind(value) is kinds.OBJECT and value.type.name == "Deferred"


def iterate(value: Value) -> Iterable[Value] | None:
    """Return the elements of an iteration over a value, or None when it cannot be iterated.

    Arrays yield elements, hashes `[key, value]` pairs, strings characters, an Integer n >= 0 the numbers
    below it. Types define it themselves (a finite Integer range, the strings of an Enum).
    """
    value_class = type(value)
    if value_class is list or value_class is str or value_class is PuppetIterator:
        return value  # type: ignore[no-any-return]
    if value_class is dict:
        return ([k, v] for k, v in iterate_items(value))
    if value_class is int:
        return range(value) if value >= 0 else None
    return value.iteration() if is_type(value) else None
