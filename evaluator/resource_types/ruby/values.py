"""What Ruby's own values answer: arrays, hashes, strings, regular expressions and paths, as far as types use them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Any, Final

LARGEST = 10_000  # elements of an array, characters of a text


class Unknown(Exception):
    """Only a running Ruby could tell."""


class Pattern:
    """A regular expression; `text` has its options in it: `(?m-ix:…)`."""

    __slots__ = ("source", "text")

    def __init__(self, source: str, flags: str = "") -> None:
        on = "".join(flag for flag in "mix" if flag in flags)
        off = "".join(flag for flag in "mix" if flag not in flags)
        self.source: Final = source
        self.text: Final = f"(?{on}{'-' + off if off else ''}:{source})"


Function = Callable[..., Any]


def _text(value: Any) -> str:
    if isinstance(value, Pattern):
        return value.text
    if value is None or type(value) in (str, int, float):
        return "" if value is None else str(value)
    raise Unknown


def _flat(value: list[Any]) -> list[Any]:
    return [part for item in value for part in (_flat(item) if isinstance(item, list) else [item])]


def _same(value: Any) -> Any:
    return value


def _plus(left: Any, right: Any) -> Any:
    if type(left) is not type(right) or type(left) not in (list, str, int, float):
        raise Unknown
    return left + right


def _extended(value: list[Any], items: Any) -> list[Any]:
    """The array itself, which changes."""
    value.extend(items)
    return value


_ARRAYS: dict[str, Function] = {
    "+": _plus,
    "-": lambda value, other: [item for item in value if item not in other],
    "<<": lambda value, item: _extended(value, [item]),
    "==": lambda value, other: value == other,
    "[]": lambda value, index: value[index] if -len(value) <= index < len(value) else None,
    "concat": lambda value, other: _extended(value, other),
    "push": lambda value, *items: _extended(value, items),
    "compact": lambda value: [item for item in value if item is not None],
    "count": len,
    "empty?": lambda value: not value,
    "first": lambda value: value[0] if value else None,
    "flatten": _flat,
    "include?": lambda value, item: item in value,
    "join": lambda value, between="": between.join(map(_text, value)),
    "last": lambda value: value[-1] if value else None,
    "length": len,
    "size": len,
    "sort": sorted,
    "to_a": _same,
    "uniq": lambda value: list(dict.fromkeys(value)),
}
_HASHES: dict[str, Function] = {
    "==": lambda value, other: value == other,
    "[]": lambda value, key: value.get(key),
    "empty?": lambda value: not value,
    "include?": lambda value, key: key in value,
    "key?": lambda value, key: key in value,
    "keys": list,
    "merge": lambda value, other: {**value, **other},
    "to_a": lambda value: [[key, item] for key, item in value.items()],
    "values": lambda value: list(value.values()),
}
_TEXTS: dict[str, Function] = {
    "+": _plus,
    "==": lambda value, other: value == other,
    "capitalize": str.capitalize,
    "chomp": lambda value: value.rstrip("\r\n"),
    "downcase": str.lower,
    "empty?": lambda value: not value,
    "end_with?": lambda value, *ends: value.endswith(ends),
    "intern": _same,
    "length": len,
    "start_with?": lambda value, *starts: value.startswith(starts),
    "strip": str.strip,
    "swapcase": str.swapcase,
    "to_s": _same,
    "to_str": _same,
    "to_sym": _same,
    "upcase": str.upper,
}
_NUMBERS: dict[str, Function] = {
    "+": _plus,
    "-": lambda value, other: value - other,
    "==": lambda value, other: value == other,
    "<": lambda value, other: value < other,
    ">": lambda value, other: value > other,
    "to_s": str,
}
_PATTERNS: dict[str, Function] = {"source": lambda value: value.source, "to_s": _text}
_NOTHING: dict[str, Function] = {
    "==": lambda value, other: value is other,
    "nil?": lambda value: value is None,
    "to_s": _text,
    "to_a": lambda value: [],
}
_METHODS: dict[type, dict[str, Function]] = {
    list: _ARRAYS,
    dict: _HASHES,
    str: _TEXTS,
    int: _NUMBERS,
    float: _NUMBERS,
    bool: _NOTHING,
    type(None): _NOTHING,
    Pattern: _PATTERNS,
}
_EVERYTHING: dict[str, Function] = {"freeze": _same, "dup": _same, "nil?": lambda value: value is None}


def answer(value: Any, name: str, arguments: list[Any]) -> Any:
    """What a method of a value gives. Raises Unknown."""
    method = _METHODS.get(type(value), {}).get(name) or _EVERYTHING.get(name)
    if method is None:
        raise Unknown
    try:
        return bounded(method(value, *arguments))
    except (TypeError, ValueError, AttributeError, KeyError):
        raise Unknown from None


def bounded(value: Any) -> Any:
    """A value that is not too large. Raises Unknown."""
    if type(value) in (list, str, dict) and len(value) > LARGEST:
        raise Unknown
    return value


def joined(parts: list[Any]) -> str:
    """The text of the parts of a string. Raises Unknown."""
    return str(bounded("".join(map(_text, parts))))


# --- classes that have functions


def _pattern(value: Any, options: Any = None) -> Pattern:
    if options not in (None, False, 0):
        raise Unknown
    return value if isinstance(value, Pattern) else Pattern(_text(value))


def _union(*values: Any) -> Pattern:
    found = _flat(list(values))
    return Pattern("|".join(item.text if isinstance(item, Pattern) else re.escape(item) for item in found))


def _expanded(path: str, base: str = "") -> str:
    return posixpath.normpath(posixpath.join(base, path))


FUNCTIONS: dict[tuple[str, str], Function] = {
    ("Regexp", "new"): _pattern,
    ("Regexp", "escape"): re.escape,
    ("Regexp", "union"): _union,
    ("File", "join"): lambda *parts: posixpath.normpath("/".join(_flat(list(parts)))),
    ("File", "dirname"): posixpath.dirname,
    ("File", "expand_path"): _expanded,
}


def call(owner: str, name: str, arguments: list[Any]) -> Any:
    """What a function of one of Ruby's classes gives. Raises Unknown."""
    function = FUNCTIONS.get((owner, name))
    if function is None:
        raise Unknown
    try:
        return bounded(function(*arguments))
    except (TypeError, ValueError, AttributeError):
        raise Unknown from None
