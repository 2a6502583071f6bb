"""References as values of attributes: there the released Puppet turns them into resources, which print another way."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.model import Key, capitalized, reference
from evaluator.types import ClassType, ResourceType
from evaluator.values.sharing import once


class AttributeReference(ResourceType):
    """A reference to a resource that was the value of an attribute: it prints `Notify[a]`, without quotes."""

    __slots__ = ()

    @property
    def identity(self) -> tuple[Any, ...]:
        """It equals the reference that it was made from."""
        return (ResourceType, *self.parts())

    def __str__(self) -> str:
        return reference_text(self)


class AttributeClass(ClassType):
    """A reference to a class that was the value of an attribute: it prints `Class[A]`."""

    __slots__ = ()

    @property
    def identity(self) -> tuple[Any, ...]:
        """It equals the reference that it was made from."""
        return (ClassType, *self.parts())

    def __str__(self) -> str:
        return reference_text(self)


def reference_to(type_name: str, title: str) -> ResourceType:
    """`ResourceType(type_name, title)` for a type name that is in lower case, without its checks."""
    made = ResourceType.__new__(ResourceType)
    made.type_name = type_name
    made.title = title
    return made


def reference_text(value: ResourceType | ClassType) -> str:
    """A reference as the catalog spells it: `Notify[a]`, `Class[X]`, `Notify[]` for a type without title."""
    if value.title is not None:
        return reference(value.key)
    return f"{capitalized(value.type_name)}[]" if value.type_name else "Resource"


@once
def as_attribute(again: Any, value: Any) -> Any:
    """An attribute's value, the references in it turned into those that print as resources do."""
    if isinstance(value, ResourceType):
        return AttributeReference(value.type_name, value.title)
    if isinstance(value, ClassType):
        return AttributeClass(value.name)
    if isinstance(value, list):
        return [again(item) for item in value]
    if isinstance(value, dict):
        return {key: again(item) for key, item in value.items()}
    return value


def parse_reference(text: str) -> Key | None:
    """The key that a string `Type[title]` means, or None."""
    type_name, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]") or not type_name or rest == "]":
        return None
    type_name = type_name.lower().removeprefix("::")
    title = rest[:-1]
    return (type_name, title.lower().removeprefix("::") if type_name == "class" else title)
