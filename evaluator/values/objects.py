"""Instances of Object types: Error, Deferred, and what programs define."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.values.core import key


class PuppetObject:
    """An object: its Object type and its attributes by name, defaults included.

    The type says what matters to it: `type.equality` (names of the attributes that make two objects equal, None
    for all), `type.defaults` (values that need not be written), `type.constants`.
    """

    __slots__ = ("attributes", "type")

    def __init__(self, type: Any, attributes: dict[str, Any]) -> None:
        self.type = type
        self.attributes = attributes

    def written(self) -> dict[str, Any]:
        """The attributes that differ from their defaults: with these the type makes an equal object."""
        defaults = getattr(self.type, "defaults", None) or {}
        return {
            name: value
            for name, value in self.attributes.items()
            if name not in defaults or key(defaults[name]) != key(value)
        }

    def _fields(self) -> tuple[Any, ...]:
        names = getattr(self.type, "equality", None)
        return tuple(key(self.attributes.get(name)) for name in (self.attributes if names is None else names))

    def __eq__(self, other: object) -> bool:
        return type(other) is PuppetObject and self.type == other.type and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((PuppetObject, self.type, self._fields()))

    def __repr__(self) -> str:
        return self.text()

    def member(self, name: str) -> Callable[[Any, list[Any], Any], Any] | None:
        """The method `name` of the value, which gives an attribute or constant; None when there is none."""
        for values in (self.attributes, getattr(self.type, "constants", None) or {}):
            if name in values:
                value = values[name]
                return lambda runtime, arguments, block: value
        return None

    def text(self) -> str:
        """`Error({'msg' => 'oops'})`, in texts and as source alike."""
        from evaluator.values.printing import literal

        return f"{getattr(self.type, 'title', None) or self.type}({literal(self.written())})"

    literal = text
