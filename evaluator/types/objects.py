"""Object types: attributes, functions, inheritance, equality, type parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.errors import Failure
from evaluator.types import base
from evaluator.types.aliases import abbreviated
from evaluator.types.base import Memo, Type
from evaluator.types.predicates import Code
from evaluator.values.core import DEFAULT, items
from evaluator.values.printing import literal, quoted

UNSET: Any = object()


class Attribute:
    """An attribute of an Object type.

    kind   "", "constant", "derived", "given_or_derived" or "reference"
    value  the default or constant value; UNSET when there is none
    """

    __slots__ = ("final", "kind", "name", "override", "owner", "type", "value")

    def __init__(
        self,
        owner: str,
        name: str,
        type: Type,
        value: Any = UNSET,
        kind: str = "",
        override: bool = False,
        final: bool = False,
    ) -> None:
        self.owner = owner
        self.name = name
        self.type = type
        self.value = value
        self.kind = kind
        self.override = override
        self.final = final

    @property
    def label(self) -> str:
        """How messages call it: `attribute P[x]`."""
        return f"attribute {self.owner}[{self.name}]"

    @property
    def optional(self) -> bool:
        """True when a new object need not be given it."""
        return self.value is not UNSET

    @property
    def given(self) -> bool:
        """True when a new object can be given it."""
        return self.kind not in ("constant", "derived")

    def __str__(self) -> str:
        extra = [f"{flag} => true" for flag in ("final", "override") if getattr(self, flag)]
        if self.kind:
            extra.append(f"kind => {self.kind}")
        if self.value is not UNSET:
            extra.append(f"value => {literal(self.value)}")
        if not extra:
            return self.type.inner()
        return f"{{type => {self.type.inner()}, {', '.join(extra)}}}"


class ObjectType(Type):
    """Object[{…}]: the type of objects that are made by its `new`.

    An object type is known by its name: two of the same name are the same type. One without a name is known by
    its definition.
    """

    __slots__ = (
        "_definition",
        "attributes",
        "equality",
        "equality_include_type",
        "extra",
        "functions",
        "implementation",
        "name",
        "parent",
        "type_parameters",
    )
    keyword = "Object"
    composite = True

    def __init__(
        self,
        name: str = "",
        parent: Type | None = None,
        attributes: Iterable[Attribute] = (),
        functions: dict[str, Attribute] | None = None,
        type_parameters: dict[str, Attribute] | None = None,
        equality: list[str] | None = None,
        equality_include_type: bool = True,
        extra: dict[str, Any] | None = None,
        implementation: dict[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.attributes = {attribute.name: attribute for attribute in attributes}
        self.functions = functions or {}
        self.type_parameters = type_parameters or {}
        self.equality = equality
        self.equality_include_type = equality_include_type
        self.extra = extra or {}
        self.implementation = implementation or {}

    # --- text

    def parts(self) -> tuple[Any, ...]:
        return (self.name,) if self.name else (str(self),)

    @property
    def simple_name(self) -> str:
        return self.name or "Object"

    def inner(self) -> str:
        if base.spelling_out is not None and self.name:
            return abbreviated(self)
        return self.name or "Object"

    def __str__(self) -> str:
        constants = {a.name: a.value for a in self.attributes.values() if a.kind == "constant"}
        plain = {a.name: a for a in self.attributes.values() if a.kind != "constant"}
        entries = [
            ("annotations", _hash_text(self.extra["annotations"]) if "annotations" in self.extra else ""),
            ("name", quoted(self.name) if self.name else ""),
            ("parent", _parent_text(self.parent)),
            ("type_parameters", _members_text(self.type_parameters)),
            ("attributes", _members_text(plain)),
            ("constants", _hash_text(constants) if constants else ""),
            ("functions", _members_text(self.functions)),
            ("equality", literal(self.equality) if self.equality is not None else ""),
            ("checks", literal(self.extra["checks"]) if "checks" in self.extra else ""),
        ]
        return "Object[{" + ", ".join(f"{key} => {text}" for key, text in entries if text) + "}]"

    # --- relations

    @property
    def bare(self) -> bool:
        """True for Object itself."""
        return not self.name and not self.attributes and not self.functions and self.parent is None

    def ancestry(self) -> Iterable[ObjectType]:
        """The type, its parent, and so on, as far as they are Object types."""
        current: Type | None = self
        while isinstance(current, ObjectType):
            yield current
            current = current.parent.resolve() if current.parent is not None else None

    def _holds(self, value: Any) -> bool:
        from evaluator.values import PuppetObject

        if isinstance(value, Type):
            return self.bare
        return type(value) is PuppetObject and self.assignable(value.type)

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if isinstance(actual, ParameterizedObject):
            actual = actual.base
        if not isinstance(actual, ObjectType):
            return False
        return self.bare or any(self == ancestor for ancestor in actual.ancestry())

    # --- members

    def all_attributes(self) -> dict[str, Attribute]:
        """The attributes by name, inherited ones first."""
        found: dict[str, Attribute] = {}
        for ancestor in reversed(list(self.ancestry())):
            found.update(ancestor.attributes)
        return found

    def parameters(self) -> list[Attribute]:
        """The attributes that `new` takes by position: required ones first."""
        given = [attribute for attribute in self.all_attributes().values() if attribute.given]
        return sorted(given, key=lambda attribute: attribute.optional)

    def all_type_parameters(self) -> dict[str, Attribute]:
        """The type parameters by name, inherited ones first."""
        found: dict[str, Attribute] = {}
        for ancestor in reversed(list(self.ancestry())):
            found.update(ancestor.type_parameters)
        return found

    def member(self, name: str) -> Attribute | None:
        """The attribute or function of that name, also inherited; None when there is none."""
        for ancestor in self.ancestry():
            found = ancestor.attributes.get(name) or ancestor.functions.get(name)
            if found is not None:
                return found
        return None

    def method(self, name: str) -> Callable[[Any], Any] | None:
        """What implements a function of the type; None where nothing does."""
        for ancestor in self.ancestry():
            if name in ancestor.implementation:
                return ancestor.implementation[name]
        return None

    def equality_attributes(self) -> list[str]:
        """The names of the attributes that make two objects equal."""
        names: list[str] = []
        for ancestor in reversed(list(self.ancestry())):
            own = ancestor.equality
            if own is None:
                own = [
                    attribute.name
                    for attribute in ancestor.attributes.values()
                    if attribute.kind != "constant"
                ]
            names += own
        return names

    def parameterize(self, arguments: list[Any]) -> Type:
        """`P['a']`: the objects of which attributes have given values. Raises Failure."""
        known = self.all_type_parameters()
        if not known:
            raise Failure(f"The {self.inner()}-Type cannot be parameterized using []")
        if not arguments:
            raise Failure(f"The {self.inner()}-Type cannot be parameterized using an empty parameter list")
        given: dict[str, Any] = {}
        if len(arguments) == 1 and type(arguments[0]) is dict:
            given = dict(items(arguments[0]))
            for name in given:
                if name not in known:
                    raise Failure(f"'{name}' is not a known type parameter for {self.inner()}-Type")
        else:
            given = dict(zip(known, arguments, strict=False))
        for name, value in given.items():
            if value is not DEFAULT:
                self._check_parameter(known[name], value)
        if not any(value is not DEFAULT for value in given.values()):
            raise Failure(f"The {self.inner()}-Type cannot be parameterized using an empty parameter list")
        return ParameterizedObject(
            self, {name: value for name, value in given.items() if value is not DEFAULT}
        )

    def of(self, value: Any) -> Type:
        """The type of an object of this type: with the values of its type parameters, where it has any."""
        known = self.all_type_parameters()
        return (
            ParameterizedObject(self, {name: value.attributes.get(name) for name in known}) if known else self
        )

    def _check_parameter(self, parameter: Attribute, value: Any) -> None:
        from evaluator.types.mismatch import check
        from evaluator.types.variants import OptionalType

        subject = f"type_parameter {parameter.owner}[{parameter.name}]"
        check(subject, OptionalType(parameter.type), value)


class ParameterizedObject(Type):
    """An Object type with values for its type parameters: `Error['kind']`."""

    __slots__ = ("base", "values")
    keyword = "Object"
    composite = True

    def __init__(self, base: ObjectType, values: dict[str, Any]) -> None:
        self.base = base
        self.values = values

    def parts(self) -> tuple[Any, ...]:
        from evaluator.values import key

        return (self.base, tuple((name, key(value)) for name, value in self.values.items()))

    @property
    def name(self) -> str:
        """The name of the type without parameters."""
        return self.base.name

    @property
    def simple_name(self) -> str:
        return self.base.simple_name

    def inner(self) -> str:
        names = list(self.base.all_type_parameters())
        last = max(names.index(name) for name in self.values)
        shown = (self.values.get(name, DEFAULT) for name in names[: last + 1])
        return f"{self.base.simple_name}[{', '.join(map(_parameter_text, shown))}]"

    def generalize(self) -> Type:
        return self.base

    def parameterize(self, arguments: list[Any]) -> Type:
        """Other values for the type parameters."""
        return self.base.parameterize(arguments)

    def _holds(self, value: Any) -> bool:
        if not self.base.instance(value):
            return False
        return all(_matches(wanted, value.attributes.get(name)) for name, wanted in self.values.items())

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ParameterizedObject) or not self.base.assignable(actual.base):
            return False
        return all(
            name in actual.values and _covers(wanted, actual.values[name])
            for name, wanted in self.values.items()
        )


def _parameter_text(value: Any) -> str:
    return value.inner() if isinstance(value, Type) else literal(value)


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


def _parent_text(parent: Type | None) -> str:
    return "" if parent is None else parent.simple_name if isinstance(parent, ObjectType) else parent.inner()


def _hash_text(values: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{literal(key)} => {literal(value)}" for key, value in values.items()) + "}"


def _members_text(members: dict[str, Attribute]) -> str:
    return "{" + ", ".join(f"{quoted(name)} => {a}" for name, a in members.items()) + "}" if members else ""


def object_type(arguments: list[Any], name: str = "") -> ObjectType:
    """`Object[{…}]`, or the definition `type Name = Object[{…}]`. Raises Failure for a wrong definition."""
    from evaluator.types.aliases import name_being_defined
    from evaluator.types.object_definitions import define

    return define(arguments, name or name_being_defined())


OBJECT = ObjectType()
