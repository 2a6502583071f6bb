"""References as values of attributes: there the released Puppet turns them into resources, which print another way."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.model import Key, capitalized, reference
from evaluator.types import ClassType, ResourceType
from evaluator.values.remembering import remembered
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


def attribute_reference(value: ResourceType) -> AttributeReference:
    """A reference as an attribute has it."""
    made = AttributeReference.__new__(AttributeReference)
    made.type_name = value.type_name
    made.title = value.title
    return made


def attribute_class(value: ClassType) -> AttributeClass:
    """A reference to a class as an attribute has it."""
    made = AttributeClass.__new__(AttributeClass)
    made.name = value.name
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
        return attribute_reference(value)
    if isinstance(value, ClassType):
        return attribute_class(value)
    if isinstance(value, list):
        return [again(item) for item in value]
    if isinstance(value, dict):
        return {key: again(item) for key, item in value.items()}
    return value


@remembered(20_000)
def parse_reference(text: str) -> Key | None:
    """The key that a string `Type[title]` means, or None."""
    type_name, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]") or not type_name or rest == "]":
        return None
    type_name = type_name.lower().removeprefix("::")
    title = rest[:-1]
    return (type_name, title.lower().removeprefix("::") if type_name == "class" else title)
