"""Instances of Object types: Error, Deferred, and what programs define."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.values.core import key


class PuppetObject:
    """An object: its Object type and its attributes by name, defaults included."""

    __slots__ = ("attributes", "type")

    def __init__(self, type: Any, attributes: dict[str, Any]) -> None:
        self.type = type
        self.attributes = attributes

    def written(self) -> dict[str, Any]:
        """The attributes that differ from their defaults: from these the type makes an equal object."""
        declared = self.type.all_attributes()
        return {
            name: value
            for name, value in self.attributes.items()
            if not declared[name].optional or key(declared[name].value) != key(value)
        }

    def _fields(self) -> tuple[Any, ...]:
        return tuple(key(self.attributes.get(name)) for name in self.type.equality_attributes())

    def __eq__(self, other: object) -> bool:
        if type(other) is not PuppetObject:
            return False
        if self.type != other.type and (
            self.type.equality_include_type or not self.type.equality_attributes()
        ):
            return False
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((PuppetObject, self._fields()))

    def __repr__(self) -> str:
        return self.text()

    def member(self, name: str) -> Callable[[Any, list[Any], Any], Any] | None:
        """The method `name` of the object: an attribute, constant or function of its type; None for no such.

        Raises Failure for a function that is declared but not implemented.
        """
        if name in self.attributes:
            value = self.attributes[name]
            return lambda runtime, arguments, block: value
        declared = self.type.member(name)
        if declared is None:
            return None
        if declared.optional:
            return lambda runtime, arguments, block: declared.value
        method = self.type.method(name)
        if method is None:
            raise Failure(f"no method is implemented for {declared.label.replace('attribute', 'function')}")
        return lambda runtime, arguments, block: method(self)

    def text(self) -> str:
        """`Error({'msg' => 'oops'})`, in texts and as source alike."""
        from evaluator.values.printing import literal

        return f"{self.type.inner()}({literal(self.written())})"

    literal = text
