"""The methods of Ruby's own values that sources of resource types use."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

MAX_SIZE = 10_000  # elements of an array, characters of a text


class UnknownValue(Exception):
    """A value that only a running Ruby could compute."""


class RubyRegexp:
    """A regular expression; `text` includes its options, as Ruby prints it: `(?m-ix:…)`."""

    __slots__ = ("source", "text")

    def __init__(self, source: str, flags: str = "") -> None:
        on = "".join(flag for flag in "mix" if flag in flags)
        off = "".join(flag for flag in "mix" if flag not in flags)
        self.source: Final = source
        self.text: Final = f"(?{on}{'-' + off if off else ''}:{source})"


Method = Callable[..., Any]


def _text(value: object) -> str:
    if isinstance(value, RubyRegexp):
        return value.text
    if value is None or type(value) in (str, int, float):
        return "" if value is None else str(value)
    raise UnknownValue


def _flat(value: list[object]) -> list[object]:
    return [part for item in value for part in (_flat(item) if isinstance(item, list) else [item])]


def _same(value: object) -> object:
    return value


def _plus(left: object, right: object) -> object:
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if type(left) is type(right) and isinstance(left, int | float) and isinstance(right, int | float):
        return left + right
    raise UnknownValue


def _extend(value: list[object], items: Iterable[object]) -> list[object]:
    """Append the items to the array and return it."""
    value.extend(items)
    return value


_ARRAYS: dict[str, Method] = {
    "+": _plus,
    "-": lambda value, other: [item for item in value if item not in other],
    "<<": lambda value, item: _extend(value, [item]),
    "==": lambda value, other: value == other,
    "[]": lambda value, index: value[index] if -len(value) <= index < len(value) else None,
    "concat": lambda value, other: _extend(value, other),
    "push": lambda value, *items: _extend(value, items),
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
_HASHES: dict[str, Method] = {
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
_TEXTS: dict[str, Method] = {
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
_NUMBERS: dict[str, Method] = {
    "+": _plus,
    "-": lambda value, other: value - other,
    "==": lambda value, other: value == other,
    "<": lambda value, other: value < other,
    ">": lambda value, other: value > other,
    "to_s": str,
}
_PATTERNS: dict[str, Method] = {"source": lambda value: value.source, "to_s": _text}
_NOTHING: dict[str, Method] = {
    "==": lambda value, other: value is other,
    "nil?": lambda value: value is None,
    "to_s": _text,
    "to_a": lambda value: [],
}
_METHODS: dict[type, dict[str, Method]] = {
    list: _ARRAYS,
    dict: _HASHES,
    str: _TEXTS,
    int: _NUMBERS,
    float: _NUMBERS,
    bool: _NOTHING,
    type(None): _NOTHING,
    RubyRegexp: _PATTERNS,
}
_EVERYTHING: dict[str, Method] = {"freeze": _same, "dup": _same, "nil?": lambda value: value is None}


def call_method(value: object, name: str, arguments: list[object]) -> object:
    """Return the value of a method of a value. Raises UnknownValue."""
    method = _METHODS.get(type(value), {}).get(name) or _EVERYTHING.get(name)
    if method is None:
        raise UnknownValue
    try:
        return check_size(method(value, *arguments))
    except (TypeError, ValueError, AttributeError, KeyError):
        raise UnknownValue from None


def check_size(value: object) -> object:
    """Return the value. Raises UnknownValue if it is too large."""
    if isinstance(value, list | str | dict) and len(value) > MAX_SIZE:
        raise UnknownValue
    return value


def join_parts(parts: list[object]) -> str:
    """Return the string that its parts make. Raises UnknownValue."""
    return str(check_size("".join(map(_text, parts))))


# --- methods of classes


def _pattern(value: object, options: object = None) -> RubyRegexp:
    if options not in (None, False, 0):
        raise UnknownValue
    return value if isinstance(value, RubyRegexp) else RubyRegexp(_text(value))


def _union(*values: object) -> RubyRegexp:
    parts = _flat(list(values))
    sources = [part.text if isinstance(part, RubyRegexp) else re.escape(_string(part)) for part in parts]
    return RubyRegexp("|".join(sources))


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise UnknownValue
    return value


def _join_path(*parts: object) -> str:
    return posixpath.normpath("/".join(map(_string, _flat(list(parts)))))


def _expand_path(path: str, base: str = "") -> str:
    return posixpath.normpath(posixpath.join(base, path))


FUNCTIONS: dict[tuple[str, str], Method] = {
    ("Regexp", "new"): _pattern,
    ("Regexp", "escape"): re.escape,
    ("Regexp", "union"): _union,
    ("File", "join"): _join_path,
    ("File", "dirname"): posixpath.dirname,
    ("File", "expand_path"): _expand_path,
}


def call_class_method(owner: str, name: str, arguments: list[object]) -> object:
    """Return the value of a method of one of Ruby's classes. Raises UnknownValue."""
    function = FUNCTIONS.get((owner, name))
    if function is None:
        raise UnknownValue
    try:
        return check_size(function(*arguments))
    except (TypeError, ValueError, AttributeError):
        raise UnknownValue from None
