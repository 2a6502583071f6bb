"""What a type says of the parts of a value: for each a value, a Regexp or a type, as in `URI[{scheme => 'http'}]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evaluator.types.base import Type

Wanted = Mapping[str, Any]


def fits(wanted: Wanted, part: Callable[[str], Any]) -> bool:
    """True when the parts of a value, which `part` gives by name, are what is wanted."""
    return all(_matches(one, part(name)) for name, one in wanted.items())


def covers(wanted: Wanted, other: Wanted) -> bool:
    """True when whatever fits `other` fits `wanted` too."""
    return all(name in other and _covers(one, other[name]) for name, one in wanted.items())


def _matches(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, Type):
        return wanted.instance(value)
    if hasattr(wanted, "search"):
        return isinstance(value, str) and wanted.search(value) is not None
    return bool(wanted == value)


def _covers(wanted: Any, other: Any) -> bool:
    if isinstance(wanted, Type) and isinstance(other, Type):
        return wanted.assignable(other)
    return bool(wanted == other) if isinstance(other, Type) else _matches(wanted, other)
