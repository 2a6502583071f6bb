"""From the hash of a definition to an Object type."""

from __future__ import annotations

from typing import Any

from evaluator.errors import Failure
from evaluator.types.aliases import TypeReference
from evaluator.types.base import ANY, BOOLEAN, Type
from evaluator.types.callables import CALLABLE
from evaluator.types.containers import HASH, ArrayType, HashType
from evaluator.types.inference import infer
from evaluator.types.mismatch import check
from evaluator.types.objects import OBJECT, UNSET, Attribute, ObjectType
from evaluator.types.strings import STRING, EnumType, PatternType
from evaluator.types.structures import Member, StructType
from evaluator.types.variants import NOT_UNDEF, OptionalType, VariantType
from evaluator.types.wrappers import TYPE, TypeType
from evaluator.values import Regexp

_MEMBER_NAME = PatternType([Regexp(r"\A[a-z_]\w*\z")])
_TYPE_NAME = PatternType([Regexp(r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z")])
_MEMBERS = HashType(_MEMBER_NAME, NOT_UNDEF)
_KINDS = EnumType(("constant", "derived", "given_or_derived", "reference"))


def _struct(required: dict[str, Type], optional: dict[str, Type]) -> StructType:
    members = [Member(name, type, True) for name, type in required.items()]
    return StructType([*members, *(Member(name, type, False) for name, type in optional.items())])


_OBJECT = _struct(
    {},
    {
        "name": _TYPE_NAME,
        "parent": TYPE,
        "type_parameters": HashType(_MEMBER_NAME, NOT_UNDEF),
        "attributes": _MEMBERS,
        "constants": HashType(_MEMBER_NAME, ANY),
        "functions": _MEMBERS,
        "equality": VariantType((STRING, ArrayType(STRING))),
        "equality_include_type": BOOLEAN,
        "checks": ANY,
        "annotations": HASH,
    },
)
_ATTRIBUTE = _struct(
    {"type": TYPE},
    {"annotations": HASH, "final": BOOLEAN, "override": BOOLEAN, "kind": _KINDS, "value": ANY},
)
_PARAMETER = _struct({"type": TYPE}, {"annotations": HASH, "value": ANY})
_FUNCTION = _struct(
    {"type": TypeType(CALLABLE)}, {"annotations": HASH, "final": BOOLEAN, "override": BOOLEAN}
)


def define(arguments: list[Any], name: str = "") -> ObjectType:
    """The Object type of a definition; `name` is the name of the `type` statement. Raises Failure."""
    from evaluator.types.issues import cannot_use, error

    if len(arguments) != 1:
        raise error(
            "BAD_TYPE_SLICE_ARITY",
            operand=0,
            type="Object-Type",
            expected="1 argument",
            actual=len(arguments),
        )
    given = arguments[0]
    if type(given) is str:
        check("object name", _TYPE_NAME, given)
        given = {}
    if type(given) is not dict:
        raise cannot_use("Object-Type", given, "Hash", 1)
    if not given and not name:
        return OBJECT
    check("object initializer", _OBJECT, given)
    return _Builder(name or given.get("name", ""), given).build()


class _Builder:
    """Builds one Object type from a checked definition."""

    def __init__(self, title: str, given: dict[str, Any]) -> None:
        self.title = title
        self.given = given
        self.parent: Type | None = given.get("parent")
        if isinstance(self.parent, TypeReference):
            raise Failure(f"reference to unresolved type '{self.parent.text}'")

    def build(self) -> ObjectType:
        """The type."""
        given = self.given
        attributes = [self._attribute(name, spec) for name, spec in given.get("attributes", {}).items()]
        for name, value in given.get("constants", {}).items():
            if name in given.get("attributes", {}):
                raise Failure(
                    f"attribute {self.title}[{name}] is defined as both a constant and an attribute"
                )
            attributes.append(Attribute(self.title, name, infer(value).generalize(), value, "constant"))
        functions = {name: self._function(name, spec) for name, spec in given.get("functions", {}).items()}
        for name in functions:
            if any(attribute.name == name for attribute in attributes):
                raise Failure(f"function {self.title}[{name}] conflicts with attribute with the same name")
        parameters = {
            name: self._type_parameter(name, spec) for name, spec in given.get("type_parameters", {}).items()
        }
        found = ObjectType(
            self.title,
            self.parent,
            attributes,
            functions,
            parameters,
            self._equality(attributes),
            given.get("equality_include_type", True),
            {name: given[name] for name in ("checks", "annotations") if name in given},
        )
        return found

    def _inherited(self, name: str) -> Attribute | None:
        parent = self.parent.resolve() if self.parent is not None else None
        return parent.member(name) if isinstance(parent, ObjectType) else None

    def _inherited_equality(self, name: str) -> bool:
        parent = self.parent.resolve() if self.parent is not None else None
        return isinstance(parent, ObjectType) and name in parent.equality_attributes()

    def _attribute(self, name: str, spec: Any) -> Attribute:
        label = f"attribute {self.title}[{name}]"
        if type(spec) is dict:
            check(f"initializer for {label}", _ATTRIBUTE, spec)
        else:
            check(label, TYPE, spec)
            spec = {"type": spec}
        value = spec.get("value", UNSET)
        kind = spec.get("kind", "")
        if kind == "constant" and value is UNSET:
            raise Failure(f"{label} of kind 'constant' requires a value")
        if kind in ("derived", "given_or_derived") and value is not UNSET:
            raise Failure(f"{label} of kind '{kind}' cannot be combined with an attribute value")
        if value is UNSET and isinstance(spec["type"], OptionalType) and not kind:
            value = None
        elif value is not UNSET:
            check(f"{label} value", spec["type"], value)
        found = Attribute(
            self.title, name, spec["type"], value, kind, spec.get("override", False), spec.get("final", False)
        )
        self._check_override(found, label)
        return found

    def _check_override(self, found: Attribute, label: str) -> None:
        inherited = self._inherited(found.name)
        if inherited is None:
            if found.override:
                raise Failure(
                    f"expected {label} to override an inherited attribute, but no such attribute was found"
                )
            return
        if inherited.final and not (found.kind == "constant" and inherited.kind == "constant"):
            raise Failure(f"{label} attempts to override final {inherited.label}")
        if not found.override:
            raise Failure(f"{label} attempts to override {inherited.label} without having override => true")
        if not inherited.type.assignable(found.type):
            raise Failure(f"{label} attempts to override {inherited.label} with a type that does not match")

    def _function(self, name: str, spec: Any) -> Attribute:
        label = f"function {self.title}[{name}]"
        if type(spec) is dict:
            check(f"initializer for {label}", _FUNCTION, spec)
        else:
            check(label, TypeType(CALLABLE), spec)
            spec = {"type": spec}
        return Attribute(
            self.title,
            name,
            spec["type"],
            override=spec.get("override", False),
            final=spec.get("final", False),
        )

    def _type_parameter(self, name: str, spec: Any) -> Attribute:
        label = f"type_parameter {self.title}[{name}]"
        if type(spec) is dict:
            check(f"initializer for {label}", _PARAMETER, spec)
        else:
            check(label, TYPE, spec)
            spec = {"type": spec}
        declared = spec["type"]
        if isinstance(declared, OptionalType) and declared.type is not None:
            declared = declared.type
        return Attribute(self.title, name, declared, spec.get("value", UNSET))

    def _equality(self, attributes: list[Attribute]) -> list[str] | None:
        names = self.given.get("equality")
        if names is None:
            return None
        names = [names] if type(names) is str else names
        if names and self.given.get("equality_include_type") is False:
            raise Failure(
                "equality_include_type = false cannot be combined with non empty equality specification"
            )
        own = {attribute.name: attribute for attribute in attributes}
        for name in names:
            found = own.get(name) or self._inherited(name)
            if name not in own and self._inherited_equality(name):
                assert found is not None
                raise Failure(
                    f"{self.title} equality is referencing {found.label}"
                    f" which is included in equality of {found.owner}"
                )
            if found is None:
                raise Failure(f"{self.title} equality is referencing non existent attribute '{name}'")
            if found.kind == "constant":
                raise Failure(
                    f"{self.title} equality is referencing constant {found.label}."
                    " Reference to constant is not allowed in equality"
                )
        return names
