"""Pcore::IntegerType and its like: the Object types of the types themselves."""

from __future__ import annotations

from typing import Any

from evaluator.types.aliases import TypeAlias
from evaluator.types.base import ANY, Type
from evaluator.types.features import UNSET, Attribute
from evaluator.types.objects import ObjectType
from evaluator.types.parsing import Named, parse
from lexer_parser.dialect import PUPPET

# the aliases beside the types themselves
_ALIASES = {
    "MemberName": r"Pattern[/\A[a-z_]\w*\z/]",
    "QRef": r"Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]",
    "SimpleTypeName": r"Pattern[/\A[A-Z]\w*\z/]",
    "TypeName": r"Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]",
}
_NAME = r"Pattern[/\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z/]"
_MEMBER_NAME = r"Pattern[/\A[a-z_]\w*\z/]"
_MEMBERS = f"Hash[{_MEMBER_NAME}, NotUndef]"
_INIT = (
    f"Struct[{{Optional['name'] => {_NAME}, Optional['parent'] => Type,"
    f" Optional['type_parameters'] => {_MEMBERS}, Optional['attributes'] => {_MEMBERS},"
    f" Optional['constants'] => Hash[{_MEMBER_NAME}, Any],"
    f" Optional['functions'] => Hash[Variant[{_MEMBER_NAME}, String], NotUndef],"
    f" Optional['equality'] => Variant[{_MEMBER_NAME}, Array[{_MEMBER_NAME}]],"
    " Optional['equality_include_type'] => Boolean, 'checks' => Any,"
    f" 'annotations' => Optional[Hash[Type[Annotation], Hash[{_MEMBER_NAME}, Any]]]}}]"
)
_MATCHER = "Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]]"
_PORT = "Optional[Variant[Integer[0], Type[NotUndef], Type[Undef]]]"
_PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")
_MATCHERS = ", ".join(f"'{part}' => {_PORT if part == 'port' else _MATCHER}" for part in _PARTS)
_URI = f"Struct[{{{_MATCHERS}}}]"
_URI_PARAMETER = f"Variant[String[1], {_URI}]"
_TYPE = "Optional[Type] = undef"
_TEXT = "Optional[String[1]] = undef"

# name -> parent and attributes, each as `name: Type` or `name: Type = default`
_TABLE: dict[str, tuple[str, dict[str, str]]] = {
    "AnyType": ("", {}),
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
    "ClassType": ("CatalogEntryType", {"class_name": _TEXT}),
    "CollectionType": ("AnyType", {"size_type": "Optional[Type[Integer]] = undef"}),
    "DefaultType": ("AnyType", {}),
    "EnumType": ("ScalarDataType", {"values": "Array[String[1]]", "case_insensitive": "Boolean = false"}),
    "FloatType": ("NumericType", {}),
    "HashType": (
        "CollectionType",
        {"key_type": "Optional[Type] = Any", "value_type": "Optional[Type] = Any"},
    ),
    "InitType": ("AnyType", {"type": _TYPE, "init_args": "Array = []"}),
    "IntegerType": ("NumericType", {}),
    "IterableType": ("AnyType", {"type": _TYPE}),
    "IteratorType": ("AnyType", {"type": _TYPE}),
    "NotUndefType": ("AnyType", {"type": _TYPE}),
    "NumericType": (
        "ScalarDataType",
        {"from": "Optional[Numeric] = undef", "to": "Optional[Numeric] = undef"},
    ),
    "ObjectType": ("AnyType", {"_pcore_init_hash": _INIT}),
    "OptionalType": ("AnyType", {"type": _TYPE}),
    "PatternType": ("ScalarDataType", {"patterns": "Array[Regexp]"}),
    "RegexpType": ("ScalarType", {"pattern": "Variant[Undef, String, Regexp] = undef"}),
    "ResourceType": ("CatalogEntryType", {"type_name": _TEXT, "title": _TEXT}),
    "RuntimeType": (
        "AnyType",
        {
            "runtime": _TEXT,
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
    "StructElement": ("-", {"key_type": "Type", "value_type": "Type"}),
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
    "TypeAliasType": ("AnyType", {"name": "String[1]", "type_expr": "Any", "resolved_type": _TYPE}),
    "TypeReferenceType": ("AnyType", {"type_string": "String[1]"}),
    "TypeType": ("AnyType", {"type": _TYPE}),
    "UndefType": ("AnyType", {}),
    "UnitType": ("AnyType", {}),
    "URIType": ("AnyType", {"parameters": f"Optional[{_URI_PARAMETER}] = undef"}),
    "VariantType": ("AnyType", {"types": "Array[Type]"}),
}
_DEFAULTS: dict[str, Any] = {"undef": None, "false": False, "[]": [], "Any": ANY}
_names = {name.lower(): name for name in (*_TABLE, *_ALIASES)}
_made: dict[str, Type] = {}


class MetaType(ObjectType):
    """The Object type of a kind of types, `Pcore::IntegerType`: its instances are the types of that kind."""

    __slots__ = ()

    def _holds(self, value: Any) -> bool:
        if not isinstance(value, Type):
            return super()._holds(value)
        name = _names.get(f"{value.keyword}Type".lower(), "")
        while name in _TABLE:
            if self.name == f"Pcore::{name}":
                return True
            name = _TABLE[name][0]
        return False


def metatype(lowered: str, named: Named) -> Type | None:
    """The Object type or alias of that name, in lower case and without `pcore::`; None when there is none.

    `named` knows the built-in types by name.
    """
    name = _names.get(lowered)
    if name is None:
        return None
    if name in _ALIASES and name not in _made:
        _made[name] = TypeAlias(f"Pcore::{name}", parse(_ALIASES[name], named, PUPPET))
    if name not in _made:
        parent, attributes = _TABLE[name]
        above = None if parent == "-" else metatype(parent.lower(), named) if parent else ANY
        owner = f"Pcore::{name}"
        _made[name] = MetaType(
            owner, above, [_attribute(owner, *entry, named) for entry in attributes.items()]
        )
    return _made[name]


def _attribute(owner: str, name: str, text: str, named: Named) -> Attribute:
    kind, _, default = text.partition(" = ")
    return Attribute(owner, name, parse(kind, named, PUPPET), _DEFAULTS[default] if default else UNSET)
