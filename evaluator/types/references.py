"""CatalogEntry, Resource and Class: types that refer to what is in a catalog."""

from __future__ import annotations

from typing import Any

from evaluator.types.base import Memo, Type
from evaluator.types.predicates import Code
from evaluator.values.printing import quoted


def capitalize(name: str) -> str:
    """A resource type name as a reference spells it: `foo::bar` is `Foo::Bar`."""
    return "::".join(segment[:1].upper() + segment[1:] for segment in name.split("::"))


class CatalogEntryType(Type):
    """CatalogEntry. Its instances are types (references), so no value is an instance."""

    __slots__ = ()
    keyword = "CatalogEntry"

    def test_source(self, variable: str, code: Code) -> str:
        return "False"


class ResourceType(CatalogEntryType):
    """Resource, File or File['/a'].

    `type_name` is in lower case and None for the bare Resource; `title` is None for all resources of a type.
    Among the types made by resource expressions are classes (`Class['A']`), whose type name is "class".
    """

    __slots__ = ("title", "type_name")
    keyword = "Resource"

    def __init__(self, type_name: str | None = None, title: str | None = None) -> None:
        self.type_name = type_name.lower() if type_name is not None else None
        self.title = title

    def parts(self) -> tuple[Any, ...]:
        return (self.type_name, self.title)

    @property
    def simple_name(self) -> str:
        return "Resource" if self.type_name is None else capitalize(self.type_name)

    @property
    def key(self) -> tuple[str, str]:
        """What finds the resource in a catalog: type name and title; class titles in lower case."""
        title = self.title or ""
        return (
            self.type_name or "",
            title.lower().removeprefix("::") if self.type_name == "class" else title,
        )

    @property
    def name(self) -> str | None:
        """The title; of a class the class's name."""
        return self.title if self.title is None else self.key[1]

    def inner(self) -> str:
        return self.simple_name if self.title is None else f"{self.simple_name}[{quoted(self.title)}]"

    def words(self) -> str:
        return super().words() if self.title is None else f"{self} Resource-Reference"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, ResourceType)
            and self.type_name in (None, actual.type_name)
            and self.title in (None, actual.title)
        )


class ClassType(CatalogEntryType):
    """Class, or Class[name]; the name is in lower case and has no leading `::`."""

    __slots__ = ("name",)
    keyword = "Class"
    type_name = "class"

    def __init__(self, name: str | None = None) -> None:
        self.name = name.lower().removeprefix("::") if name is not None else None

    def parts(self) -> tuple[Any, ...]:
        return (self.name,)

    @property
    def title(self) -> str | None:
        """The class's name, as resources call it."""
        return self.name

    @property
    def key(self) -> tuple[str, str]:
        """What finds the class in a catalog."""
        return ("class", self.name or "")

    def arguments(self) -> list[str]:
        return [] if self.name is None else [self.name]

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ClassType) and self.name in (None, actual.name)


CATALOG_ENTRY = CatalogEntryType()
RESOURCE = ResourceType()
CLASS = ClassType()
