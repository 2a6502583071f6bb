"""The types that few programs name; `find_builtin_type` imports this module on first use.

They are the types of Pcore (Puppet's description of its own types), the context of data providers, and rarer built-in
types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure
from evaluator.types.aliases import DATA, INIT, RICH_DATA, RICH_DATA_KEY, AliasType, TypeReference
from evaluator.types.base import ANY, HOOKS, UNDEF, AnyType, Type
from evaluator.types.object_definitions import INITIALIZER, NAME, OBJECTS
from evaluator.types.objects import OBJECT, TYPE_SET, UNSET, Method, ObjectAttribute, ObjectType
from evaluator.types.parsing import URI_PARAMETER, parse
from evaluator.types.references import RUNTIME
from evaluator.types.rich_data import BINARY, SEMVER, SEMVER_RANGE, TIMESPAN, TIMESTAMP, URI
from evaluator.types.variants import VariantType
from evaluator.values.dag import flatten_lists
from evaluator.values.kind import Value
from evaluator.values.yaml_format import RubyObject
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.memo import MemoTable, memoize  # the module describes `unbounded_because` and `interned`

# --- the types of Pcore, whose names begin with `Pcore::`

_NAME = r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"

# The aliases, by name.
_ALIASES = {
    "MemberName": r"Pattern[/\A[a-z_]\w*\z/]",
    "QRef": _NAME,
    "SimpleTypeName": r"Pattern[/\A[A-Z]\w*\z/]",
    "TypeName": _NAME,
}
# Types without a name in Puppet, by the names that the texts below have for them.
_INTERNAL_TYPES: dict[str, Type] = {"ObjectInitializer": INITIALIZER, "URIParameter": URI_PARAMETER}
_OPTIONAL_TYPE = "Optional[Type] = undef"
_OPTIONAL_STRING = "Optional[String[1]] = undef"

# The Object types by name: the name of the parent ("" for none), and the attributes, each `Type` or `Type = default`.
_METATYPES: dict[str, tuple[str, dict[str, str]]] = {
    "AnyType": ("Any", {}),
    "ArrayType": ("CollectionType", {"element_type": "Optional[Type] = Any"}),
    "BinaryType": ("AnyType", {}),
    "BooleanType": ("ScalarDataType", {}),
    "CallableType": (
        "AnyType",
        {
            "param_types": "Optional[Type[Tuple]] = undef",
            "block_type": "Optional[Type[Callable]] = undef",
            "return_type": "Optional[Type] = Any",
        },
    ),
    "CatalogEntryType": ("AnyType", {}),
    "ClassType": ("CatalogEntryType", {"class_name": _OPTIONAL_STRING}),
    "CollectionType": ("AnyType", {"size_type": "Optional[Type[Integer]] = undef"}),
    "DefaultType": ("AnyType", {}),
    "EnumType": ("ScalarDataType", {"values": "Array[String[1]]", "case_insensitive": "Boolean = false"}),
    "FloatType": ("NumericType", {}),
    "HashType": (
        "CollectionType",
        {"key_type": "Optional[Type] = Any", "value_type": "Optional[Type] = Any"},
    ),
    "InitType": ("AnyType", {"type": _OPTIONAL_TYPE, "init_args": "Array = []"}),
    "IntegerType": ("NumericType", {}),
    "IterableType": ("AnyType", {"type": _OPTIONAL_TYPE}),
    "IteratorType": ("AnyType", {"type": _OPTIONAL_TYPE}),
    "NotUndefType": ("AnyType", {"type": _OPTIONAL_TYPE}),
    "NumericType": (
        "ScalarDataType",
        {"from": "Optional[Numeric] = undef", "to": "Optional[Numeric] = undef"},
    ),
    "ObjectType": ("AnyType", {"_pcore_init_hash": "ObjectInitializer"}),
    "OptionalType": ("AnyType", {"type": _OPTIONAL_TYPE}),
    "PatternType": ("ScalarDataType", {"patterns": "Array[Regexp]"}),
    "RegexpType": ("ScalarType", {"pattern": "Variant[Undef, String, Regexp] = undef"}),
    "ResourceType": ("CatalogEntryType", {"type_name": _OPTIONAL_STRING, "title": _OPTIONAL_STRING}),
    "RuntimeType": (
        "AnyType",
        {
            "runtime": _OPTIONAL_STRING,
            "name_or_pattern": "Optional[Variant[String[1], Tuple[Regexp, String[1]]]] = undef",
        },
    ),
    "ScalarDataType": ("ScalarType", {}),
    "ScalarType": ("AnyType", {}),
    "SemVerRangeType": ("AnyType", {}),
    "SemVerType": ("ScalarType", {"ranges": "Array[Variant[SemVerRange, String[1]]] = []"}),
    "SensitiveType": ("AnyType", {}),
    "StringType": (
        "ScalarDataType",
        {"size_type_or_value": "Optional[Variant[String, Type[Integer]]] = undef"},
    ),
    "StructElement": ("", {"key_type": "Type", "value_type": "Type"}),
    "StructType": ("AnyType", {"elements": "Array[Pcore::StructElement]"}),
    "TimespanType": (
        "ScalarType",
        {"from": "Optional[Timespan] = undef", "to": "Optional[Timespan] = undef"},
    ),
    "TimestampType": (
        "ScalarType",
        {"from": "Optional[Timestamp] = undef", "to": "Optional[Timestamp] = undef"},
    ),
    "TupleType": ("AnyType", {"types": "Array[Type]", "size_type": "Optional[Type[Integer]] = undef"}),
    "TypeAliasType": ("AnyType", {"name": "String[1]", "type_expr": "Any", "resolved_type": _OPTIONAL_TYPE}),
    "TypeReferenceType": ("AnyType", {"type_string": "String[1]"}),
    "TypeType": ("AnyType", {"type": _OPTIONAL_TYPE}),
    "UndefType": ("AnyType", {}),
    "UnitType": ("AnyType", {}),
    "URIType": ("AnyType", {"parameters": "Optional[URIParameter] = undef"}),
    "VariantType": ("AnyType", {"types": "Array[Type]"}),
}
_DEFAULTS: dict[str, Any] = {"undef": None, "false": False, "[]": [], "Any": ANY}
_names_by_lowered = {name.lower(): name for name in (*_METATYPES, *_ALIASES)}
_pcore_types: MemoTable[str, Type] = MemoTable(
    "types of Pcore", unbounded_because="one for each row", interned=True
)


def _parse(text: str) -> Type:
    """Return the type that a text of this module means."""
    return parse(
        text, lambda name: _INTERNAL_TYPES.get(name) or HOOKS.find_builtin_type(name, PUPPET), PUPPET
    )


class MetaType(ObjectType):
    """The Object type whose instances are the types of one kind, such as `Pcore::IntegerType`."""

    def _test_value(self, value: Value) -> bool:
        if not isinstance(value, Type):
            return super()._test_value(value)
        name = _names_by_lowered.get(f"{value.keyword}Type".lower(), "")
        while name in _METATYPES:
            if self.name == f"Pcore::{name}":
                return True
            name, _ = _METATYPES[name]  # its parent
        return False


def find_metatype(lowered: str) -> Type | None:
    """Return the type of Pcore of a name in lower case, without `pcore::`; None if missing."""
    name = _names_by_lowered.get(lowered)
    if name is None:
        return None
    if name in _ALIASES and name not in _pcore_types:
        _pcore_types[name] = AliasType(f"Pcore::{name}", _parse(_ALIASES[name]))
    if name not in _pcore_types:
        parent, attributes = _METATYPES[name]
        parent_type = ANY if parent == "Any" else find_metatype(parent.lower())
        owner = f"Pcore::{name}"
        _pcore_types[name] = MetaType(
            owner, parent_type, [_make_attribute(owner, *entry) for entry in attributes.items()]
        )
    return _pcore_types[name]


def _make_attribute(owner: str, name: str, text: str) -> ObjectAttribute:
    type_text, _, default = text.partition(" = ")
    return ObjectAttribute(owner, name, _parse(type_text), _DEFAULTS[default] if default else UNSET)


# --- Puppet::LookupContext, the argument of functions that provide data

_CONTEXT = "Puppet::LookupContext"


def _make_refusal(name: str) -> Callable[..., Any]:
    """Return an implementation that fails; a data provider's context has its own `methods`."""

    def refuse(context: Any, *arguments: Value) -> Any:
        raise Failure("NOT_A_DATA_PROVIDER", function=name)

    return refuse


def _get_environment_name(context: Any) -> Value:
    """Return the environment of the context, or the default one, as a symbol of Ruby."""
    get_name = context.methods.get("environment_name")
    return RubyObject("production" if get_name is None else get_name())


# The types of the functions of a context, by name.
_CONTEXT_FUNCTIONS = {
    "not_found": "Callable[[0, 0], Undef]",
    "explain": "Callable[[0, 0, Callable[0, 0]], Undef]",
    "interpolate": "Callable[1, 1]",
    "cache": "Callable[Optional[Scalar], Any]",
    "cache_all": "Callable[[Hash[Optional[Scalar], Any]], Undef]",
    "cache_has_key": "Callable[[Optional[Scalar]], Boolean]",
    "cached_value": "Callable[Optional[Scalar]]",
    "cached_entries": "Variant[Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef],"
    " Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]]",
    "cached_file_data": "Callable[String, Optional[Callable[Array[Integer]]]]",
}


@memoize(unbounded_because="one type", interned=True)
def get_lookup_context_type() -> ObjectType:
    """Return the type `Puppet::LookupContext`."""
    return ObjectType(
        _CONTEXT,
        ANY,
        attributes=(
            ObjectAttribute(
                _CONTEXT,
                "environment_name",
                NAME,
                kind="derived",
                implementation=_get_environment_name,
            ),
            ObjectAttribute(_CONTEXT, "module_name", VariantType((NAME, UNDEF))),
        ),
        functions={
            name: Method(_CONTEXT, name, _parse(text), implementation=_make_refusal(name))
            for name, text in _CONTEXT_FUNCTIONS.items()
        },
    )


# arguments and results of data providers
LOOKUP_VALUE = AliasType("Puppet::LookupValue", RICH_DATA, builtin=True)
ALIASES = (AliasType("Puppet::LookupKey", RICH_DATA_KEY, builtin=True), LOOKUP_VALUE)


# --- all lazily loaded types by name


class FormerObjectType(AnyType):
    """The specification's old name `Object` for Any; `Object[{…}]` is an Object type."""

    keyword = "Object"

    def __str__(self) -> str:
        return "Object"

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        return HOOKS.define_object_type(flatten_lists(arguments))


FORMER_OBJECT = FormerObjectType()


@memoize(unbounded_because="one result", interned=True)
def get_lazy_types() -> dict[str, Type]:
    """Return the types that few programs name, by their names in lower case."""
    lazy_types: dict[str, Type] = {
        type.keyword.lower(): type
        for type in (
            INIT,
            RUNTIME,
            BINARY,
            SEMVER,
            SEMVER_RANGE,
            TIMESPAN,
            TIMESTAMP,
            URI,
            OBJECT,
            TYPE_SET,
        )
    }
    # as released, TypeAlias without parameters is printed in this form
    lazy_types["typealias"] = AliasType("UnresolvedAlias", TypeReference())
    named_types = (DATA, RICH_DATA, RICH_DATA_KEY, *ALIASES, *OBJECTS, get_lookup_context_type())
    return lazy_types | {named.name.lower(): named for named in named_types}


def find_lazy_type(lowered: str) -> Type | None:
    """Return the type of a name, in lower case; None if there is none."""
    if lowered.startswith("pcore::"):
        return find_metatype(lowered.removeprefix("pcore::"))
    return get_lazy_types().get(lowered)
