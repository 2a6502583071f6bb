"""Rich data: JSON from which an agent can make values that JSON lacks (`__ptype`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evaluator import types, values
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import CatalogResource, capitalize_name
from evaluator.catalog.references import (
    AttributeReference,
    Convert,
    JsonValue,
    format_reference,
    make_json_writer,
)
from evaluator.types import objects, variants
from evaluator.types.aliases import AliasType, InitType
from evaluator.types.collections import Member
from evaluator.types.references import RuntimeType
from evaluator.types.rich_data import SemVerType, TimespanType, TimestampType, UriType
from evaluator.values import Value

Fields = dict[str, Value]


def _write_other(recurse: Convert, value: Value, redact: bool) -> JsonValue:
    """Return a value that JSON lacks as an object with its type."""
    if value is values.DEFAULT:
        return {"__ptype": "Default"}
    if isinstance(value, values.RegexpValue):
        return {"__ptype": "Regexp", "__pvalue": value.source}
    if isinstance(value, values.PuppetObject):
        return _write_object(recurse, value.type.name, value.get_written(), redact)
    if isinstance(value, types.Type):
        return _write_type(recurse, value, redact, frozenset(), {})
    return {"__ptype": values.kind.get_kind(value).name, "__pvalue": values.format_value(value)}


def _write_hash(recurse: Convert, value: dict[Value, Value], redact: bool) -> JsonValue:
    pairs = [
        (format_reference(name) if isinstance(name, AttributeReference) else name, item)
        for name, item in values.iterate_items(value)
    ]
    if all(type(name) is str and name != "__ptype" for name, _ in pairs):
        return {name: recurse(item, redact) for name, item in pairs}
    return {"__ptype": "Hash", "__pvalue": [recurse(part, redact) for pair in pairs for part in pair]}


# Writes values as JSON data that can be read back without loss.
to_rich_json = make_json_writer(_write_hash, _write_other)


def _write_object(recurse: Convert, name: str, fields: Fields, redact: bool) -> JsonValue:
    return {"__ptype": name, **{field: recurse(item, redact) for field, item in fields.items()}}


def check_written(resource: CatalogResource, name: str, value: Value) -> None:
    """Raise PuppetError for an attribute with a type that Puppet cannot write.

    These are an alias or Object type that is a part of itself, and a TypeSet, also as a part of RichData. They are
    found in the JSON that the catalog would have.
    """
    unwritable: list[str | None] = []  # the names by which such types would be written; None for a TypeSet
    objects_written = set()
    for part in _iterate_objects(to_rich_json(value, False)):
        if part.get("__ptype") in _UNWRITABLE:
            unwritable.append(part.get("type_string"))
        definition = part.get("_pcore_init_hash")
        if type(definition) is dict:
            objects_written.add(definition.get("name"))
    if unwritable:
        # Puppet fails at RichData as at a TypeSet, which is a part of it.
        is_set = unwritable[0] in (None, "RichData")
        raise make_catalog_error(
            "TYPE_SET_AS_VALUE" if is_set else "ENDLESS_TYPE",
            resource.find_place(name),
            released_span=resource.span,
            placeless=is_set or resource.span is None,
            actual="PObjectType" if unwritable[0] in objects_written else "PTypeAliasType",
        )


_UNWRITABLE = {"Pcore::TypeReference", "Pcore::TypeSetType"}


def _iterate_objects(written: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Yield the objects of JSON data in order, each once.

    A type may occur many times in another.
    """
    pending, seen = [written], set()
    while pending:
        part = pending.pop()
        if type(part) not in (dict, list) or id(part) in seen:
            continue
        seen.add(id(part))
        if type(part) is dict:
            yield part
        pending += [*(part.values() if type(part) is dict else part)][::-1]


# --- types


# The JSON of types, by their identity and the aliases around them. The types are stored, too, because some are made
# meanwhile, and another one must not get the identity of one that was freed.
_WrittenTypes = dict[tuple[int, frozenset[str]], tuple[types.Type, JsonValue]]


_RECURSIVE = frozenset({"Data", "RichData"})  # built-in aliases that are parts of themselves


# what Pcore calls types otherwise than the language
_METATYPES: dict[type, str] = {UriType: "URI", objects.ParameterizedObject: "ObjectTypeExten"}


def _write_type(
    recurse: Convert, type_: types.Type, redact: bool, aliases: frozenset[str], written: _WrittenTypes
) -> JsonValue:
    """Return a type as an object of Pcore. A reference inside a type is a type, too.

    An alias that is a part of itself has no end as an object: inside of itself it is written by its name.

    Args:
        recurse: Writes values that are not types.
        type_: The type.
        redact: True to hide Sensitive values.
        aliases: The aliases that contain the type.
        written: The types that have been written already: a type may occur many times in another.
    """
    key = id(type_), aliases
    if key in written:
        return written[key][1]
    if isinstance(type_, AliasType):
        if type_.name in _RECURSIVE or type_.name in aliases:
            return {"__ptype": "Pcore::TypeReference", "type_string": type_.name}
        aliases |= {type_.name}

    def write(value: Value, redact: bool) -> JsonValue:
        """Return a part of the type, or of its description, as JSON data."""
        if isinstance(value, Member):
            return _write_object(write, "Pcore::StructElement", _describe_member(value), redact)
        if isinstance(value, types.Type):
            return _write_type(recurse, value, redact, aliases, written)
        if isinstance(value, list | tuple):
            return [write(item, redact) for item in value]
        if type(value) is dict:
            return {name: write(item, redact) for name, item in value.items()}
        return recurse(value, redact)

    metatype = f"Pcore::{_METATYPES.get(type(type_), type_.keyword)}Type"
    written[key] = type_, _write_object(write, metatype, _describe(type_), redact)
    return written[key][1]


def _describe(type_: types.Type) -> Fields:
    """Return the attributes of a type without their defaults, by name in Pcore."""
    describe = next((_DESCRIPTIONS[base] for base in type(type_).__mro__ if base in _DESCRIPTIONS), None)
    return {} if describe is None else describe(type_)


def _remove_undef(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}


def _describe_range(type_: Any) -> Fields:
    if type_.high is not None:
        return {"from": type_.low, "to": type_.high}
    return _remove_undef({"from": type_.low})


def _describe_size(type_: Any) -> Fields:
    return {} if type_.size is None else {"size_type": types.IntegerType(*type_.size)}


def _describe_string(type_: types.StringType) -> Fields:
    if type_.value is not None:
        return {"size_type_or_value": type_.value}
    return {} if type_.size is None else {"size_type_or_value": types.IntegerType(*type_.size)}


def _describe_hash(type_: types.HashType) -> Fields:
    parts = {} if type_.bare else {"key_type": type_.key_type, "value_type": type_.value_type}
    if type_.value_type == types.ANY and type_.size is None:
        parts.pop("value_type", None)
    return {**parts, **_describe_size(type_)}


def _describe_member(member: Member) -> Fields:
    key = types.StringType(None, member.name)
    return {"key_type": key if member.required else types.OptionalType(key), "value_type": member.type}


def _describe_wrapper(type_: Any) -> Fields:
    return _remove_undef({"type": type_.type})


def _describe_callable(type_: types.CallableType) -> Fields:
    returns = None if type_.returns == types.ANY else type_.returns
    taken = type_.parameters
    # A Callable with only a number of parameters has parameters of the type Unit in the released Puppet.
    if isinstance(taken, types.TupleType) and not taken.types and taken.size not in (None, (0, 0)):
        taken = types.TupleType((types.UNIT,), taken.size)
    return {"param_types": taken, "block_type": type_.block, "return_type": returns}


def _describe_object(type_: objects.ObjectType) -> Fields:
    constants = {name: member.value for name, member in type_.attributes.items() if member.kind == "constant"}
    features = {name: member for name, member in type_.attributes.items() if name not in constants}
    entries = {
        "name": type_.name,
        "parent": type_.parent,
        "type_parameters": {
            name: member.type
            if member.value in (objects.UNSET, None)
            else {"type": member.type, "value": member.value}
            for name, member in type_.type_parameters.items()
        },
        "attributes": {name: _describe_attribute(member) for name, member in features.items()},
        "constants": constants,
        "functions": {name: member.type for name, member in type_.functions.items()},
        "equality": type_.equality,
    }
    return {"_pcore_init_hash": {name: value for name, value in entries.items() if value}}


def _describe_attribute(attribute: objects.ObjectAttribute) -> Value:
    kind = {"kind": attribute.kind} if attribute.kind else {}
    value = {"value": attribute.value} if attribute.optional else {}
    return {"type": attribute.type, **kind, **value} if kind or value else attribute.type


_DESCRIPTIONS: dict[type, Callable[[Any], Fields]] = {
    AliasType: lambda type_: {"name": type_.name, "type_expr": None, "resolved_type": type_.resolved},
    types.ArrayType: lambda type_: {
        **({} if type_.bare and type_.size is None else {"element_type": type_.element}),
        **_describe_size(type_),
    },
    types.CallableType: _describe_callable,
    types.ClassType: lambda type_: _remove_undef({"class_name": type_.name}),
    types.CollectionType: _describe_size,
    types.EnumType: lambda type_: {
        "values": list(type_.values),
        **({"case_insensitive": True} if type_.fold else {}),
    },
    types.FloatType: _describe_range,
    types.HashType: _describe_hash,
    InitType: lambda type_: {
        **_describe_wrapper(type_),
        **({"init_args": list(type_.extra)} if type_.extra else {}),
    },
    types.IntegerType: _describe_range,
    types.IterableType: _describe_wrapper,
    types.IteratorType: _describe_wrapper,
    types.NotUndefType: _describe_wrapper,
    objects.ObjectType: _describe_object,
    types.OptionalType: _describe_wrapper,
    objects.ParameterizedObject: lambda type_: {
        "base_type": type_.base,
        "init_parameters": type_.get_init_parameters(),
    },
    types.PatternType: lambda type_: {"patterns": [types.RegexpType(one) for one in type_.patterns]},
    types.RegexpType: lambda type_: {} if type_.pattern is None else {"pattern": type_.pattern.source},
    types.ResourceType: lambda type_: _remove_undef(
        {"type_name": type_.type_name and capitalize_name(type_.type_name), "title": type_.title}
    ),
    RuntimeType: lambda type_: _remove_undef({"runtime": type_.runtime, "name_or_pattern": type_.type_name}),
    SemVerType: lambda type_: {"ranges": list(type_.ranges)} if type_.ranges else {},
    types.StringType: _describe_string,
    types.StructType: lambda type_: {"elements": list(type_.members)},
    TimespanType: _describe_range,
    TimestampType: _describe_range,
    types.TupleType: lambda type_: {"types": type_.types or (), **_describe_size(type_)},
    types.TypeType: _describe_wrapper,
    UriType: lambda type_: {"parameters": type_.components} if type_.components else {},
    variants.VariantType: lambda type_: {"types": list(type_.types)},
}
