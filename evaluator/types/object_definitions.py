"""Object types and TypeSets from the hashes of their definitions."""

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
_MATCHER = VariantType((STRING, REGEXP, *(TypeType(kind) for kind in (ENUM, PATTERN, NOT_UNDEF, UNDEF))))


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
    type_parameters={name: TypeParameter("Error", name, _MATCHER) for name in ("kind", "issue_code")},
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

_MEMBER_NAME = PatternType([RegexpValue(r"\A[a-z_]\w*\z")])
TYPE_NAME = PatternType([RegexpValue(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")])
_MEMBERS = HashType(_MEMBER_NAME, NOT_UNDEF)
ANNOTATIONS = OptionalType(HashType(TypeType(ANNOTATION), HashType(_MEMBER_NAME, ANY)))
_KINDS = EnumType(("constant", "derived", "given_or_derived", "reference"))


def make_struct(required: dict[str, Type], optional: dict[str, Type]) -> StructType:
    """Return the Struct with these members."""
    members = [Member(name, type, True) for name, type in required.items()]
    return StructType([*members, *(Member(name, type, False) for name, type in optional.items())])


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
    {"final": BOOLEAN, "override": BOOLEAN, "kind": _KINDS, "value": ANY, "annotations": ANNOTATIONS},
)
_FUNCTION = make_struct(
    {"type": TypeType(CALLABLE)}, {"final": BOOLEAN, "override": BOOLEAN, "annotations": ANNOTATIONS}
)


def define_object_type(arguments: list[Value], name: str = "") -> ObjectType:
    """Return the type of `Object[{…}]` or `type Name = Object[{…}]`. Raise Failure if it is wrong."""
    name = name or get_name_being_defined()
    if len(arguments) != 1:
        raise make_arity_error("Object-Type", "1 argument", len(arguments))
    given = {} if arguments[0] is None else arguments[0]
    if type(given) is str:
        check("object name", TYPE_NAME, given)
        given = {"name": given}
    if type(given) is not dict:
        raise make_usage_error("Object-Type", given, "Hash", 1)
    if not given and not name:
        return OBJECT
    check("object initializer", INITIALIZER, given)
    return _Builder(name or given.get("name", ""), given).build()


class _Builder:
    """Builds one Object type from a checked definition."""

    def __init__(self, title: str, given: dict[str, Value]) -> None:
        self.title = title
        self.label = title or "Object"  # the name of the type in messages
        self.given = given
        self.parent: Type | None = given.get("parent")
        inherited = self.parent.resolve() if self.parent is not None else None
        if isinstance(inherited, TypeReference):
            raise Failure("UNRESOLVED_REFERENCE", name=inherited.text)
        self.inherited = inherited if isinstance(inherited, ObjectType) else None

    def build(self) -> ObjectType:
        """Return the type."""
        given = self.given
        attributes = [self._build_attribute(name, spec) for name, spec in given.get("attributes", {}).items()]
        for name, value in given.get("constants", {}).items():
            require(
                name not in given.get("attributes", {}), "OBJECT_CONSTANT_TAKEN", type=self.label, name=name
            )
            attributes.append(self._build_constant(name, value))
        functions = {
            name: self._build_function(name, spec) for name, spec in given.get("functions", {}).items()
        }
        for name in functions:
            require(
                not any(attribute.name == name for attribute in attributes),
                "OBJECT_FUNCTION_TAKEN",
                type=self.label,
                name=name,
            )
        parameters = {
            name: self._build_type_parameter(name, spec)
            for name, spec in given.get("type_parameters", {}).items()
        }
        return ObjectType(
            self.title,
            self.parent,
            attributes,
            functions,
            parameters,
            self._build_equality(attributes),
            given.get("equality_include_type", True),
            {name: given[name] for name in ("checks", "annotations") if given.get(name) is not None},
        )

    def _find_inherited(self, name: str) -> ObjectAttribute | Method | None:
        return None if self.inherited is None else self.inherited.feature(name)

    def _build_attribute(self, name: str, spec: Any) -> ObjectAttribute:
        """Return an attribute from its definition. Raise Failure if that is wrong."""
        label = f"attribute {self.label}[{name}]"
        is_optional = isinstance(spec, OptionalType)  # `x => Optional[T]` is short for a value of undef
        spec = _check_entries(label, f"initializer for {label}", _ATTRIBUTE, spec)
        value = spec.get("value", UNSET)
        kind = spec.get("kind", "")
        if kind == "constant":
            require(spec.get("final") is not False, "CONSTANT_NOT_FINAL", feature=label)
            require(value is not UNSET, "CONSTANT_WITHOUT_VALUE", feature=label)
        if kind in ("derived", "given_or_derived"):
            require(value is UNSET, "DERIVED_WITH_VALUE", feature=label, kind=kind)
        if is_optional:
            value = None
        elif value is not UNSET and value is not DEFAULT:
            check(f"{label} value", spec["type"], value)
        found = ObjectAttribute(
            self.label,
            name,
            spec["type"],
            value,
            kind=kind,
            override=spec.get("override", False),
            final=kind == "constant" or spec.get("final", False),
            annotations=spec.get("annotations"),
        )
        self._check_override(found, self._find_inherited(name))
        return found

    def _build_constant(self, name: str, value: Value) -> ObjectAttribute:
        inherited = self._find_inherited(name)
        found = ObjectAttribute(
            self.label,
            name,
            infer_generalized(value, PUPPET),
            value,
            kind="constant",
            override=inherited is not None,
            final=True,
        )
        self._check_override(found, inherited)
        return found

    def _check_override(self, found: Feature, inherited: Feature | None) -> None:
        """Raise Failure if a member may not replace the inherited one, or replaces none."""
        label, word = found.label, found.word
        if inherited is None:
            require(not found.override, "NOTHING_TO_OVERRIDE", feature=label, kind=word)
            return
        arguments = {"feature": label, "inherited": inherited.label}
        require(inherited.word == word, "OVERRIDES_OTHER_KIND", **arguments)
        may_replace = not inherited.final or (_is_constant(found) and _is_constant(inherited))
        require(may_replace, "OVERRIDES_FINAL", **arguments)
        require(found.override, "OVERRIDE_NOT_DECLARED", **arguments)
        require(inherited.type.assignable(found.type), "OVERRIDE_TYPE_MISMATCH", **arguments)

    def _build_function(self, name: str, spec: Any) -> Method:
        label = f"function {self.label}[{name}]"
        spec = _check_entries(label, f"initializer for function '{name}'", _FUNCTION, spec)
        found = Method(self.label, name, **spec)
        self._check_override(found, self._find_inherited(name))
        return found

    def _build_type_parameter(self, name: str, spec: Any) -> TypeParameter:
        """Return a type parameter from its definition. Raise Failure if that is wrong."""
        spec = spec if type(spec) is dict else {"type": spec}
        declared = spec.get("type")
        value = spec.get("value", UNSET)
        found = TypeParameter(self.label, name, declared, value)
        check(found.label, TYPE, declared)
        if isinstance(declared, OptionalType) and declared.type is not None:
            found.type = declared.type
        if value is not UNSET and value is not DEFAULT:
            check(f"{found.label} value", OptionalType(found.type), value)
        above = {} if self.inherited is None else self.inherited.all_type_parameters()
        self._check_override(found, above.get(name))
        return found

    def _build_equality(self, attributes: list[ObjectAttribute]) -> list[str] | None:
        """Return the names of the compared attributes; None if none are named. Raise Failure."""
        names = self.given.get("equality")
        if names is None:
            return None
        names = [names] if type(names) is str else names
        require(not names or self.given.get("equality_include_type") is not False, "EQUALITY_WITHOUT_TYPE")
        own = {attribute.name: attribute for attribute in attributes}
        inherited = [] if self.inherited is None else self.inherited.equality_attributes()
        for name in names:
            declared: Feature | None = own.get(name) or self._find_inherited(name)
            found = require_found(declared, "EQUALITY_UNKNOWN", type=self.label, name=name)
            if name not in own and name in inherited:
                raise Failure("EQUALITY_INHERITED", type=self.label, feature=found.label, owner=found.owner)
            require(not _is_constant(found), "EQUALITY_CONSTANT", type=self.label, feature=found.label)
        return names


def _check_entries(label: str, initializer: str, expected: StructType, spec: Any) -> dict[str, Any]:
    """Return the entries of a member's definition, which may be its type alone. Raise Failure if it is wrong."""
    if type(spec) is dict:
        check(initializer, expected, spec)
        return spec
    check(label, next(member.type for member in expected.members if member.name == "type"), spec)
    return {"type": spec}


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
_SHOWN = ("annotations", "pcore_uri", "pcore_version", "name_authority", "name", "version", "references")
_UNDERSTOOD = "1.x"


def define_type_set(arguments: list[Value]) -> TypeSetType:
    """Return the set of `TypeSet[{…}]` or `type Name = TypeSet[{…}]`. Raise Failure if it is wrong."""
    if len(arguments) != 1:
        raise make_arity_error("TypeSet-Type", "1 argument", len(arguments))
    given, name = arguments[0], get_name_being_defined()
    if given is None or (given == {} and not name):
        return TYPE_SET
    if type(given) is not dict:
        check("TypeSet name", TYPE_NAME, given)
        return TypeSetType({"pcore_version": "", "name": given})
    check("TypeSet initializer", _TYPE_SET, given)
    fields = {"name": None, **given, **({"name": name, "name_authority": _RUNTIME} if name else {})}
    _check_versions(fields)
    types = {
        key: define_object_type([value], key) if type(value) is dict else value
        for key, value in iterate_items(given.get("types", {}))
    }
    for alias, reference in fields.get("references", {}).items():
        SemVerRange.parse(format_value(reference["version_range"]))
        require(alias not in types, "TYPESET_ALIAS_TAKEN", type=fields["name"], name=alias)
    shown = {
        field: fields[field].text() if isinstance(fields[field], SemVer) else fields[field]
        for field in _SHOWN
        if field in fields
    }
    return TypeSetType(shown, types)


def _check_versions(fields: dict[str, Any]) -> None:
    """Convert the versions among the fields of a TypeSet. Raise Failure for a wrong one."""
    for field in ("pcore_version", "version"):
        if field in fields:
            fields[field] = _to_version(fields[field])
    require(
        SemVerRange.parse(_UNDERSTOOD).includes(fields["pcore_version"]),
        "PCORE_NOT_UNDERSTOOD",
        name=fields["name"],
        expected=_UNDERSTOOD,
        actual=fields["pcore_version"].text(),
    )


def _to_version(value: Value) -> SemVer:
    """Return a version from a string. Raise Failure for any other string."""
    if isinstance(value, SemVer):
        return value
    try:
        return SemVer.parse(value)
    except Failure:
        raise Failure("TYPESET_VERSION_NOT_READ", value=value) from None


def define_members(
    written: dict[str, Any],
    evaluate: Callable[[Any, Callable[[str], Any]], Any],
    resolve: Callable[[str], Any],
) -> dict[str, Any]:
    """Return the types that a set in source declares; they may name each other.

    Args:
        written: The nodes of the types by name.
        evaluate: Returns the type of a node, or the hash of an Object type; it receives a function that resolves names.
        resolve: Returns the type of a name that the set does not declare.
    """
    found: dict[str, Any] = {}
    outer = get_name_being_defined()

    def resolve_name(name: str) -> Any:
        if name not in written:
            return resolve(name)
        if name not in found:
            whole = f"{outer}::{name}" if outer else name

            def define() -> Any:
                made = evaluate(written[name], resolve_name)
                return define_object_type([made], whole) if type(made) is dict else made

            found[name] = AliasType(whole, define)
        return found[name].to_entity()

    return {name: resolve_name(name) for name in written}


def make_reference_resolver(references: Any, resolve: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return `resolve` for the members of a set, which name types of another set by its alias."""
    sets = references if type(references) is dict else {}

    def resolve_name(name: str) -> Any:
        alias, _, rest = name.partition("::")
        reference = sets.get(alias)
        if type(reference) is not dict or type(reference.get("name")) is not str:
            return resolve(name)
        return resolve(f"{reference['name']}::{rest}" if rest else reference["name"])

    return resolve_name


def check_references(found: TypeSetType, resolve: Callable[[str], Any]) -> None:
    """Raise Failure for a reference to a TypeSet that does not exist or has the wrong version."""
    for reference in found.fields.get("references", {}).values():
        name, wanted = reference["name"], format_value(reference["version_range"])
        other = resolve(name).resolve()
        require(
            isinstance(other, TypeSetType) and reference.get("name_authority", _RUNTIME) == _RUNTIME,
            "TYPESET_UNRESOLVED",
            type=found.name,
            name=name,
        )
        version = other.fields.get("version", "0.0.0")
        require(
            SemVerRange.parse(wanted).includes(SemVer.parse(version)),
            "TYPESET_INCOMPATIBLE",
            type=found.name,
            name=name,
            expected=wanted,
            actual=version,
        )


HOOKS.define_type_set = define_type_set
