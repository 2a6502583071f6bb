"""TypeSet: a named and versioned collection of types."""

from __future__ import annotations

from typing import Any

from evaluator.types.aliases import TypeAlias
from evaluator.types.base import RULES, Memo, Type
from evaluator.types.objects import ObjectType, definition_inside
from evaluator.types.predicates import Code
from evaluator.values.printing import part
from lexer_parser.dialect import Dialect

_DEFAULTS = {
    "pcore_uri": "http://puppet.com/2016.1/pcore",
    "pcore_version": "1.0.0",
    "name_authority": "http://puppet.com/2016.1/runtime",
    "name": "DefaultTypeSet",
    "version": "0.0.0",
}


class TypeSetType(Type):
    """TypeSet[{pcore_version, name, version, types => {Name => Type}, references}]. Type sets are its instances.

    fields  what the definition says besides the types, in the order in which it is shown
    """

    __slots__ = ("fields", "types")
    keyword = "TypeSet"
    composite = True

    def __init__(self, fields: dict[str, Any], types: dict[str, Type] | None = None) -> None:
        self.fields = fields
        self.types = types or {}

    def member(self, name: str) -> Type | None:
        """The type that it declares under a name, in any case of its letters, by its whole name; None without one."""
        for declared, type in self.types.items():
            if declared.lower() == name.lower():
                return TypeAlias(f"{self.name}::{declared}", type.resolve()).entity()
        return None

    def parts(self) -> tuple[Any, ...]:
        return (str(self),)

    @property
    def name(self) -> str:
        """The name of the set, by which a program knows it when a `type` statement defines it."""
        return str(self.fields["name"])

    @property
    def simple_name(self) -> str:
        return self.name

    def inner(self) -> str:
        return self._source({name: type.inner() for name, type in self.types.items()})

    def __str__(self) -> str:
        return self._source({name: _definition(type) for name, type in self.types.items()})

    def _source(self, types: dict[str, str]) -> str:
        entries = [f"{name} => {_field(value)}" for name, value in self.fields.items()]
        if types:
            declared = ", ".join(f"{name} => {text}" for name, text in types.items())
            before = len(entries) - ("references" in self.fields)
            entries.insert(before, f"types => {{{declared}}}")
        return "TypeSet[{" + ", ".join(entries) + "}]"

    def test_source(self, variable: str, code: Code) -> str:
        return f"isinstance({variable}, {code.bind(TypeSetType)})" if self == TYPE_SET else "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return self == actual or (isinstance(actual, TypeSetType) and self == TYPE_SET)

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        return RULES.type_set(arguments)


def _definition(type: Type) -> str:
    type = type.resolve() if isinstance(type, TypeAlias) else type
    return definition_inside(type) if isinstance(type, ObjectType) else type.inner()


def _field(value: Any) -> str:
    """The text of a field; references are named as types are."""
    if type(value) is dict:
        return "{" + ", ".join(f"{name} => {part(entry)}" for name, entry in value.items()) + "}"
    return part(value)


TYPE_SET = TypeSetType(_DEFAULTS)
