"""Construction of Object types and TypeSets from their definitions, which are hashes.

The first part has the Object types that Puppet defines itself. `types.parsing` calls the functions for definitions when
it evaluates `Object[{…}]` or `TypeSet[{…}]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure, require, require_found
from evaluator.types.algebra import infer_generalized
from evaluator.types.aliases import (
    DATA,
    AliasType,
    TypeReference,
    get_name_being_defined,
)
from evaluator.types.base import ANY, HOOKS, UNDEF, Type, make_arity_error, make_usage_error
from evaluator.types.collections import ARRAY, ArrayType, HashType, Member, StructType
from evaluator.types.objects import (
    OBJECT,
    TYPE_SET,
    UNSET,
    Feature,
    Method,
    ObjectAttribute,
    ObjectType,
    TypeParameter,
    TypeSetType,
)
from evaluator.types.puppet_wording import check
from evaluator.types.references import CALLABLE, NO_ARGUMENTS, CallableType
from evaluator.types.rich_data import SEMVER, SEMVER_RANGE
from evaluator.types.scalars import BOOLEAN, ENUM, PATTERN, REGEXP, STRING, EnumType, PatternType, StringType
from evaluator.types.variants import NOT_UNDEF, TYPE, OptionalType, TypeType, VariantType
from evaluator.values import DEFAULT, RegexpValue, SemVer, SemVerRange, Value, format_value, iterate_items
from lexer_parser.dialect import PUPPET

NAME = StringType((1, None))
# The values that `Error[…]` takes: strings and the types that match some.
_PARAMETER_VALUE = VariantType(
    (STRING, REGEXP, *(TypeType(each) for each in (ENUM, PATTERN, NOT_UNDEF, UNDEF)))
)


def _make_optional_attribute(owner: str, name: str, type: Type) -> ObjectAttribute:
    return ObjectAttribute(owner, name, OptionalType(type), None)


ERROR = ObjectType(
    "Error",
    attributes=(
        ObjectAttribute("Error", "msg", NAME),
        _make_optional_attribute("Error", "kind", NAME),
        _make_optional_attribute("Error", "details", HashType(NAME, DATA)),
        _make_optional_attribute("Error", "issue_code", NAME),
    ),
    functions={
        "message": Method(
            "Error",
            "message",
            CallableType(NO_ARGUMENTS, None, NAME),
            implementation=lambda error: error.attributes["msg"],
        )
    },
    type_parameters={name: TypeParameter("Error", name, _PARAMETER_VALUE) for name in ("kind", "issue_code")},
)
DEFERRED = ObjectType(
    "Deferred",
    attributes=(
        ObjectAttribute(
            "Deferred", "name", PatternType([RegexpValue(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z")])
        ),
        _make_optional_attribute("Deferred", "arguments", ARRAY),
    ),
)
ANNOTATION = ObjectType("Annotation")
RUBY_METHOD = ObjectType(
    "RubyMethod",
    ANNOTATION,
    attributes=(
        ObjectAttribute("RubyMethod", "body", STRING),
        _make_optional_attribute("RubyMethod", "parameters", NAME),
    ),
)
OBJECTS = (ERROR, DEFERRED, ANNOTATION, RUBY_METHOD, ObjectType("Pcore"))


# --- definitions of Object types

# The types of the parts of a definition. A definition is checked against `INITIALIZER`, that of an attribute against
# `_ATTRIBUTE`, that of a function against `_FUNCTION`.
_MEMBER_NAME = PatternType([RegexpValue(r"\A[a-z_]\w*\z")])
TYPE_NAME = PatternType([RegexpValue(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")])
_MEMBERS = HashType(_MEMBER_NAME, NOT_UNDEF)
ANNOTATIONS = OptionalType(HashType(TypeType(ANNOTATION), HashType(_MEMBER_NAME, ANY)))
_ATTRIBUTE_KINDS = EnumType(("constant", "derived", "given_or_derived", "reference"))


def make_struct(required: dict[str, Type], optional: dict[str, Type]) -> StructType:
    """Return the Struct with these members."""
    members = [Member(name, type, required=True) for name, type in required.items()]
    return StructType([*members, *(Member(name, type, required=False) for name, type in optional.items())])


INITIALIZER = make_struct(
    {},
    {
        "name": TYPE_NAME,
        "parent": TYPE,
        "type_parameters": _MEMBERS,
        "attributes": _MEMBERS,
        "constants": HashType(_MEMBER_NAME, ANY),
        "functions": HashType(VariantType((_MEMBER_NAME, StringType(value="[]"))), NOT_UNDEF),
        "equality": VariantType((_MEMBER_NAME, ArrayType(_MEMBER_NAME))),
        "equality_include_type": BOOLEAN,
        "checks": ANY,
        "annotations": ANNOTATIONS,
    },
)
_ATTRIBUTE = make_struct(
    {"type": TYPE},
    {
        "final": BOOLEAN,
        "override": BOOLEAN,
        "kind": _ATTRIBUTE_KINDS,
        "value": ANY,
        "annotations": ANNOTATIONS,
    },
)
_FUNCTION = make_struct(
    {"type": TypeType(CALLABLE)}, {"final": BOOLEAN, "override": BOOLEAN, "annotations": ANNOTATIONS}
)


def define_object_type(arguments: list[Value], name: str = "") -> ObjectType:
    """Return the type of `Object[{…}]` or `type Name = Object[{…}]`. Raise Failure."""
    name = name or get_name_being_defined()
    if len(arguments) != 1:
        raise make_arity_error("Object-Type", "1 argument", len(arguments))
    definition = {} if arguments[0] is None else arguments[0]
    if type(definition) is str:
        check("object name", TYPE_NAME, definition)
        definition = {"name": definition}
    if type(definition) is not dict:
        raise make_usage_error("Object-Type", definition, "Hash", 1)
    if not definition and not name:
        return OBJECT
    check("object initializer", INITIALIZER, definition)
    return _ObjectTypeBuilder(name or definition.get("name", ""), definition).build()


class _ObjectTypeBuilder:
    """Builds one Object type from a checked definition."""

    def __init__(self, name: str, definition: dict[str, Value]) -> None:
        self.name = name
        self.label = name or "Object"  # the name of the type in messages
        self.definition = definition
        self.parent: Type | None = definition.get("parent")
        resolved_parent = self.parent.resolve() if self.parent is not None else None
        if isinstance(resolved_parent, TypeReference):
            raise Failure("UNRESOLVED_REFERENCE", name=resolved_parent.text)
        self.parent_object = resolved_parent if isinstance(resolved_parent, ObjectType) else None

    def build(self) -> ObjectType:
        """Return the type."""
        definition = self.definition
        attributes = [
            self._build_attribute(name, member) for name, member in definition.get("attributes", {}).items()
        ]
        for name, value in definition.get("constants", {}).items():
            require(
                name not in definition.get("attributes", {}),
                "OBJECT_CONSTANT_TAKEN",
                type=self.label,
                name=name,
            )
            attributes.append(self._build_constant(name, value))
        functions = {
            name: self._build_function(name, member)
            for name, member in definition.get("functions", {}).items()
        }
        for name in functions:
            require(
                not any(attribute.name == name for attribute in attributes),
                "OBJECT_FUNCTION_TAKEN",
                type=self.label,
                name=name,
            )
        parameters = {
            name: self._build_type_parameter(name, member)
            for name, member in definition.get("type_parameters", {}).items()
        }
        return ObjectType(
            self.name,
            self.parent,
            attributes,
            functions,
            parameters,
            equality=self._build_equality(attributes),
            equality_include_type=definition.get("equality_include_type", True),
            extra={
                name: definition[name]
                for name in ("checks", "annotations")
                if definition.get(name) is not None
            },
        )

    def _find_inherited(self, name: str) -> ObjectAttribute | Method | None:
        """Return the attribute or function that the type inherits; None if there is none."""
        return None if self.parent_object is None else self.parent_object.feature(name)

    def _build_attribute(self, name: str, definition: Any) -> ObjectAttribute:
        """Return an attribute from its definition. Raise Failure if that is wrong."""
        label = f"attribute {self.label}[{name}]"
        is_optional = isinstance(definition, OptionalType)  # `x => Optional[T]` is short for a value of undef
        definition = _check_entries(label, f"initializer for {label}", _ATTRIBUTE, definition)
        value = definition.get("value", UNSET)
        kind = definition.get("kind", "")
        if kind == "constant":
            require(definition.get("final") is not False, "CONSTANT_NOT_FINAL", feature=label)
            require(value is not UNSET, "CONSTANT_WITHOUT_VALUE", feature=label)
        if kind in ("derived", "given_or_derived"):
            require(value is UNSET, "DERIVED_WITH_VALUE", feature=label, kind=kind)
        if is_optional:
            value = None
        elif value is not UNSET and value is not DEFAULT:
            check(f"{label} value", definition["type"], value)
        attribute = ObjectAttribute(
            self.label,
            name,
            definition["type"],
            value,
            kind=kind,
            override=definition.get("override", False),
            final=kind == "constant" or definition.get("final", False),
            annotations=definition.get("annotations"),
        )
        self._check_override(attribute, self._find_inherited(name))
        return attribute

    def _build_constant(self, name: str, value: Value) -> ObjectAttribute:
        """Return a constant attribute, whose type is inferred from its value."""
        inherited = self._find_inherited(name)
        constant = ObjectAttribute(
            self.label,
            name,
            infer_generalized(value, PUPPET),
            value,
            kind="constant",
            override=inherited is not None,
            final=True,
        )
        self._check_override(constant, inherited)
        return constant

    def _check_override(self, feature: Feature, inherited: Feature | None) -> None:
        """Raise Failure if a member may not replace the inherited one, or replaces none."""
        label, word = feature.label, feature.word
        if inherited is None:
            require(not feature.override, "NOTHING_TO_OVERRIDE", feature=label, kind=word)
            return
        arguments = {"feature": label, "inherited": inherited.label}
        require(inherited.word == word, "OVERRIDES_OTHER_KIND", **arguments)
        may_replace = not inherited.final or (_is_constant(feature) and _is_constant(inherited))
        require(may_replace, "OVERRIDES_FINAL", **arguments)
        require(feature.override, "OVERRIDE_NOT_DECLARED", **arguments)
        require(inherited.type.assignable(feature.type), "OVERRIDE_TYPE_MISMATCH", **arguments)

    def _build_function(self, name: str, definition: Any) -> Method:
        label = f"function {self.label}[{name}]"
        definition = _check_entries(label, f"initializer for function '{name}'", _FUNCTION, definition)
        method = Method(self.label, name, **definition)
        self._check_override(method, self._find_inherited(name))
        return method

    def _build_type_parameter(self, name: str, definition: Any) -> TypeParameter:
        """Return a type parameter from its definition. Raise Failure if that is wrong."""
        definition = definition if type(definition) is dict else {"type": definition}
        declared = definition.get("type")
        value = definition.get("value", UNSET)
        parameter = TypeParameter(self.label, name, declared, value)
        check(parameter.label, TYPE, declared)
        if isinstance(declared, OptionalType) and declared.type is not None:
            parameter.type = declared.type
        if value is not UNSET and value is not DEFAULT:
            check(f"{parameter.label} value", OptionalType(parameter.type), value)
        inherited = {} if self.parent_object is None else self.parent_object.all_type_parameters()
        self._check_override(parameter, inherited.get(name))
        return parameter

    def _build_equality(self, attributes: list[ObjectAttribute]) -> list[str] | None:
        """Return the names of the attributes that `==` compares; None for all. Raise Failure."""
        names = self.definition.get("equality")
        if names is None:
            return None
        names = [names] if type(names) is str else names
        require(
            not names or self.definition.get("equality_include_type") is not False, "EQUALITY_WITHOUT_TYPE"
        )
        own_attributes = {attribute.name: attribute for attribute in attributes}
        inherited = [] if self.parent_object is None else self.parent_object.equality_attributes()
        for name in names:
            declared: Feature | None = own_attributes.get(name) or self._find_inherited(name)
            feature = require_found(declared, "EQUALITY_UNKNOWN", type=self.label, name=name)
            if name not in own_attributes and name in inherited:
                raise Failure(
                    "EQUALITY_INHERITED", type=self.label, feature=feature.label, owner=feature.owner
                )
            require(not _is_constant(feature), "EQUALITY_CONSTANT", type=self.label, feature=feature.label)
        return names


def _check_entries(label: str, initializer: str, expected: StructType, definition: Any) -> dict[str, Any]:
    """Return the definition of a member as a hash. Raise Failure if it is wrong.

    Args:
        label: The name of the member in messages, for a definition that is the type alone.
        initializer: The name of the definition in messages, for one that is a hash.
        expected: The type of the hash.
        definition: The definition.
    """
    if type(definition) is dict:
        check(initializer, expected, definition)
        return definition
    check(label, next(member.type for member in expected.members if member.name == "type"), definition)
    return {"type": definition}


def _is_constant(feature: Feature) -> bool:
    return isinstance(feature, ObjectAttribute) and feature.kind == "constant"


HOOKS.define_object_type = define_object_type


# --- definitions of TypeSets

_RUNTIME = "http://puppet.com/2016.1/runtime"
_SIMPLE_NAME = PatternType([RegexpValue(r"\A[A-Z]\w*\z")])
_VERSION = VariantType((NAME, SEMVER))
_REFERENCE = make_struct(
    {"name": TYPE_NAME, "version_range": VariantType((NAME, SEMVER_RANGE))},
    {"name_authority": STRING, "annotations": ANNOTATIONS},
)
_TYPE_SET = make_struct(
    {"pcore_version": _VERSION},
    {
        "pcore_uri": STRING,
        "name_authority": STRING,
        "name": TYPE_NAME,
        "version": _VERSION,
        "types": HashType(_SIMPLE_NAME, VariantType((TYPE, INITIALIZER)), (1, None)),
        "references": HashType(_SIMPLE_NAME, _REFERENCE, (1, None)),
        "annotations": ANNOTATIONS,
    },
)
_SHOWN_FIELDS = (
    "annotations",
    "pcore_uri",
    "pcore_version",
    "name_authority",
    "name",
    "version",
    "references",
)
_PCORE_VERSIONS = "1.x"


def define_type_set(arguments: list[Value]) -> TypeSetType:
    """Return the set of `TypeSet[{…}]` or `type Name = TypeSet[{…}]`. Raise Failure."""
    if len(arguments) != 1:
        raise make_arity_error("TypeSet-Type", "1 argument", len(arguments))
    definition, name = arguments[0], get_name_being_defined()
    if definition is None or (definition == {} and not name):
        return TYPE_SET
    if type(definition) is not dict:
        check("TypeSet name", TYPE_NAME, definition)
        return TypeSetType({"pcore_version": "", "name": definition})
    check("TypeSet initializer", _TYPE_SET, definition)
    fields: dict[str, Any] = {"name": None} | definition
    if name:
        fields |= {"name": name, "name_authority": _RUNTIME}
    _check_versions(fields)
    types = {
        key: define_object_type([value], key) if type(value) is dict else value
        for key, value in iterate_items(definition.get("types", {}))
    }
    for alias, reference in fields.get("references", {}).items():
        SemVerRange.parse(format_value(reference["version_range"]))
        require(alias not in types, "TYPESET_ALIAS_TAKEN", type=fields["name"] or "", name=alias)
    shown = {
        field: fields[field].text() if isinstance(fields[field], SemVer) else fields[field]
        for field in _SHOWN_FIELDS
        if field in fields
    }
    return TypeSetType(shown, types)


def _check_versions(fields: dict[str, Any]) -> None:
    """Replace the versions among the fields of a TypeSet by SemVers. Raise Failure."""
    fields |= {field: _to_version(fields[field]) for field in ("pcore_version", "version") if field in fields}
    require(
        SemVerRange.parse(_PCORE_VERSIONS).includes(fields["pcore_version"]),
        "PCORE_NOT_UNDERSTOOD",
        name=fields["name"] or "",
        expected=_PCORE_VERSIONS,
        actual=fields["pcore_version"].text(),
    )


def _to_version(value: Value) -> SemVer:
    """Return a version from a SemVer or a string. Raise Failure for another string."""
    if isinstance(value, SemVer):
        return value
    try:
        return SemVer.parse(value)
    except Failure:
        raise Failure("TYPESET_VERSION_NOT_READ", value=value) from None


def define_members(
    nodes: dict[str, Any],
    evaluate: Callable[[Any, Callable[[str], Any]], Any],
    resolve: Callable[[str], Any],
) -> dict[str, Any]:
    """Return the types of a set in source by name. They may name each other.

    Each is an alias, which is resolved when it is first used.

    Args:
        nodes: The nodes of the types by name.
        evaluate: Returns the type of a node, or the hash of an Object type; it receives a function that resolves names.
        resolve: Returns the type of a name that the set does not declare.
    """
    aliases: dict[str, Any] = {}
    set_name = get_name_being_defined()

    def resolve_name(name: str) -> Any:
        if name not in nodes:
            return resolve(name)
        if name not in aliases:
            full_name = f"{set_name}::{name}" if set_name else name

            def define() -> Any:
                value = evaluate(nodes[name], resolve_name)
                return define_object_type([value], full_name) if type(value) is dict else value

            aliases[name] = AliasType(full_name, define)
        return aliases[name].to_entity()

    return {name: resolve_name(name) for name in nodes}


def make_reference_resolver(references: Any, resolve: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a function that resolves names in a set; some begin with a reference.

    Args:
        references: The definition of the references: aliases of other sets, each with the name of its set.
        resolve: Returns the type of any other name.
    """
    sets = references if type(references) is dict else {}

    def resolve_name(name: str) -> Any:
        alias, _, rest = name.partition("::")
        reference = sets.get(alias)
        if type(reference) is not dict or type(reference.get("name")) is not str:
            return resolve(name)
        return resolve(f"{reference['name']}::{rest}" if rest else reference["name"])

    return resolve_name


def check_references(type_set: TypeSetType, resolve: Callable[[str], Any]) -> None:
    """Raise Failure for a reference to a TypeSet that does not exist or has the wrong version."""
    for reference in type_set.fields.get("references", {}).values():
        name, version_range = reference["name"], format_value(reference["version_range"])
        other = resolve(name).resolve()
        require(
            isinstance(other, TypeSetType) and reference.get("name_authority", _RUNTIME) == _RUNTIME,
            "TYPESET_UNRESOLVED",
            type=type_set.name,
            name=name,
        )
        version = other.fields.get("version", "0.0.0")
        require(
            SemVerRange.parse(version_range).includes(SemVer.parse(version)),
            "TYPESET_INCOMPATIBLE",
            type=type_set.name,
            name=name,
            expected=version_range,
            actual=version,
        )


HOOKS.define_type_set = define_type_set
