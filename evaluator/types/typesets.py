"""TypeSet: a named and versioned collection of types."""

from __future__ import annotations

from typing import Any

from evaluator.types.base import Memo, Type
from evaluator.types.predicates import Code
from evaluator.values.core import items
from evaluator.values.printing import literal, quoted

_DEFAULTS = {
    "pcore_uri": "http://puppet.com/2016.1/pcore",
    "pcore_version": "1.0.0",
    "name_authority": "http://puppet.com/2016.1/runtime",
    "name": "DefaultTypeSet",
    "version": "0.0.0",
}
_ORDER = ("pcore_uri", "pcore_version", "name_authority", "name", "version")


class TypeSetType(Type):
    """TypeSet[{name, version, types => {Name => Type}, references}]. It has no instances."""

    __slots__ = ("fields", "types")
    keyword = "TypeSet"
    composite = True

    def __init__(self, fields: dict[str, Any] | None = None, types: dict[str, Type] | None = None) -> None:
        self.fields = {**_DEFAULTS, **(fields or {})}
        self.types = types or {}

    def parts(self) -> tuple[Any, ...]:
        return (
            tuple((name, literal(value)) for name, value in self.fields.items()),
            tuple(self.types.items()),
        )

    @property
    def simple_name(self) -> str:
        return str(self.fields["name"])

    def inner(self) -> str:
        entries = [f"{name} => {quoted(str(self.fields[name]))}" for name in _ORDER if name in self.fields]
        if self.types:
            inner = ", ".join(f"{name} => {type.inner()}" for name, type in self.types.items())
            entries.append(f"types => {{{inner}}}")
        return "TypeSet[{" + ", ".join(entries) + "}]"

    def test_source(self, variable: str, code: Code) -> str:
        return "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return self == actual or (isinstance(actual, TypeSetType) and self == TYPE_SET)


def type_set(arguments: list[Any], name: str = "") -> TypeSetType:
    """`TypeSet[{…}]`. Raises PuppetError for what is no hash."""
    from evaluator.types.issues import cannot_use, error

    if len(arguments) != 1:
        raise error(
            "BAD_TYPE_SLICE_ARITY",
            operand=0,
            type="TypeSet-Type",
            expected="1 argument",
            actual=len(arguments),
        )
    given = arguments[0]
    if given is None:
        return TYPE_SET
    if type(given) is not dict:
        from evaluator.types.mismatch import check
        from evaluator.types.parsing import parse_type

        check("TypeSet name", parse_type(r"Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]"), given)
        raise cannot_use("TypeSet-Type", given, "Hash", 1)
    if not given and not name:
        return TYPE_SET
    fields = {key: value for key, value in items(given) if key not in ("types", "references")}
    if name:
        fields["name"] = name
    types = {key: value for key, value in items(given.get("types", {})) if isinstance(value, Type)}
    return TypeSetType(fields, types)


TYPE_SET = TypeSetType()
