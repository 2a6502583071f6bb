"""References as values of attributes: their conversion, reading, and form in JSON data.

A reference is a type. In an attribute Puppet converts it to the resource, which prints differently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from evaluator import issues, resource_types, values
from evaluator.catalog.model import COMPONENT, Catalog, CatalogResource, Key, capitalize_name, format_key
from evaluator.catalog.scopes import find_default
from evaluator.types import ClassType, ResourceType, UnknownReference, make_entry_type
from evaluator.values import Value
from evaluator.values.dag import PLAIN, collect_leaves, flatten_lists, map_leaves, memoize_recursion
from evaluator.values.kind import RESOURCE
from evaluator.values.ruby_values import inspect_string, to_ruby_s
from lexer_parser.memo import LONGEST, memoize

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from lexer_parser.dialect import Dialect


class AttributeReference(ResourceType):
    """A reference as the value of an attribute: a resource and no type.

    It prints `Notify[a]`, without quotes. A class is a resource whose title is capitalized.
    """

    __slots__ = ()
    kind = RESOURCE

    def text(self) -> str:
        """Return the value as a string."""
        return format_reference(self)

    literal = __str__ = text

    def ruby_text(self) -> str:
        """Return the resource as Ruby's inspect shows it: `File[/a]{:path=>"/a"}`."""
        name = self.type_name or ""
        namevar = resource_types.get_facts(name).namevar if resource_types.is_known(name) else "name"
        return f"{self}{{:{namevar}=>{inspect_string(self.title or '')}}}"


class UntitledReference(AttributeReference):
    """A reference without a title as the value of an attribute; not every type can have one."""

    __slots__ = ()


def to_attribute_reference(value: ResourceType | ClassType) -> AttributeReference:
    """Return a reference in the form of attributes."""
    form = UntitledReference if value.title is None else AttributeReference
    reference = form.__new__(form)
    reference.type_name, reference.title = value.type_name, value.title
    # where a resource is needed, the title of an unknown type is the name of a class
    if value.type_name == "class" or type(value) is UnknownReference:
        reference.type_name, reference.title = "class", capitalize_name(value.name or "")
    return reference


def format_reference(value: ResourceType | ClassType) -> str:
    """Return a reference as the catalog spells it: `Notify[a]`, `Class[X]`.

    A type without title is `Notify[]`.
    """
    return format_key(value.key) if value.type_name else "Resource"


def to_attribute_value(value: Value) -> Value:
    """Return a value with all references in it in the form of attributes."""
    return map_leaves(value, _to_attribute_leaf)


def _to_attribute_leaf(leaf: Value) -> Value:
    return to_attribute_reference(leaf) if isinstance(leaf, ResourceType | ClassType) else leaf


def _restore_type(leaf: Value) -> Value:
    """Return the type of a reference in the form of attributes; other values as they are."""
    return make_entry_type(leaf.type_name or "", leaf.title) if isinstance(leaf, AttributeReference) else leaf


def read_attribute_value(dialect: Dialect, value: Value) -> Value:
    """Return the value of an attribute as a program reads it.

    In dialects with the switch `class_value`, such as the specification, its references are types.
    """
    may_be_restored = dialect.class_value and type(value) not in PLAIN
    if may_be_restored and any(isinstance(leaf, AttributeReference) for leaf in collect_leaves(value)):
        return map_leaves(value, _restore_type)
    return value


@memoize(20_000, longest=LONGEST)
def parse_reference(text: str) -> Key | None:
    """Return the key of a resource from a string `Type[title]`; None for other strings."""
    type_name, bracket, rest = text.removesuffix("\n").partition("[")
    if not bracket or not rest.endswith("]") or not type_name or rest == "]":
        return None
    type_name, title = _to_key_name(type_name), rest[:-1]
    return (type_name, _to_key_name(title) if type_name == "class" else title)


def flatten_references(value: Value) -> list[Value]:
    """Return the references of a relationship attribute, flat and without undef."""
    if type(value) is not list:
        return [] if value is None else [value]
    if is_flat_list(value):
        return value
    return [item for item in flatten_lists(value) if item is not None]


def is_flat_list(value: list[Value]) -> bool:
    """Return True when a list of references contains neither lists nor undef."""
    return _NOT_FLAT.isdisjoint(map(type, value))


_NOT_FLAT = frozenset({list, type(None)})


def _to_key_name(name: str) -> str:
    """Return a name of a type or class in the lower case of keys.

    A name that begins with a capital letter must be spelled as in the catalog, `Apache::Vhost`. Any other name is
    returned as it is, so that it matches no key. `capitalize_name` calls a component a class.
    """
    lower = name.lower()
    return lower if name[:1].islower() or name in (capitalize_name(lower), COMPONENT.title()) else name


# --- reading attributes --------------------------------------------------------------------------------------


def read_resource_parameters(runtime: Runtime, reference: ResourceType, names: list[Value]) -> Value:
    """Return the value of an attribute of a resource, or an array of several values.

    Several names, and arrays of names, mean an array. An attribute without value is the default that its scope sees.

    Specification: Catalog Expressions, "Resource Expression"; Expressions, "Resource Type [ ]".

    Raises:
        PuppetError: UNKNOWN_RESOURCE or UNKNOWN_RESOURCE_PARAMETER.
    """
    is_single = len(names) == 1 and type(names[0]) is not list
    if not is_single:
        names = [name for name in flatten_lists(names) if name is not None]
        if not names:
            return []
    catalog: Catalog = runtime.state.catalog
    catalog.read_parameters.update(map(to_ruby_s, names))
    resource = None if isinstance(reference, UnknownReference) else catalog.find(reference.key)
    if resource is None:
        raise issues.make_error("UNKNOWN_RESOURCE", reference=_format_target(reference))
    read = [_read_parameter(runtime, resource, reference, name) for name in names]
    return read[0] if is_single else read


def _read_parameter(
    runtime: Runtime, resource: CatalogResource, reference: ResourceType, name: Value
) -> Value:
    text = to_ruby_s(name)
    valid = _find_valid_names(resource)
    if valid is not None and text not in valid and text != "name":
        raise issues.make_error("UNKNOWN_RESOURCE_PARAMETER", reference=_format_target(reference), name=text)
    value = resource.parameters.get(text)
    if value is None:
        default = find_default(resource.scope or runtime.state.top, resource.type, text)
        value = None if default is None else default.value
    return read_attribute_value(runtime.dialect, value)


def _find_valid_names(resource: CatalogResource) -> frozenset[str] | None:
    """Return the attributes that a resource can have; None when they are unknown."""
    if resource.definition is None:
        facts = resource.get_type_facts()
        return facts.valid if facts is not None else resource_types.METAPARAMETERS
    return resource_types.METAPARAMETERS.union(parameter.name for parameter in resource.definition.parameters)


def _format_target(reference: ResourceType) -> str:
    return (
        f"Class['{reference.title}']" if reference.type_name == "class" else values.format_literal(reference)
    )


# --- attributes as JSON data: what its plain and its rich form have in common

# JSON data have no static shape.
JsonValue: TypeAlias = Any
Convert = Callable[[Value, bool], JsonValue]  # its arguments are the value, and True to hide Sensitive values

UNTYPED = PLAIN | {AttributeReference}  # the classes of scalar values that are no types


@memoize_recursion
def _holds_reference(recurse: Callable[[list[Value]], bool], value: list[Value]) -> bool:
    """Return True when an array, or an array in it, holds references."""
    return any(
        isinstance(item, AttributeReference) or (isinstance(item, list) and recurse(item)) for item in value
    )


def to_written_value(value: Value) -> Value:
    """Return the value of an attribute as written: an array of references is flat."""
    return flatten_lists(value) if isinstance(value, list) and _holds_reference(value) else value


def make_json_writer(
    write_hash: Callable[[Convert, dict[Value, Value], bool], JsonValue],
    write_other: Callable[[Convert, Value, bool], JsonValue],
) -> Convert:
    """Return a function that converts the value of an attribute to JSON data.

    Args:
        write_hash: Converts a hash; its first argument converts the parts of the value.
        write_other: Converts a value that JSON lacks.
    """

    @memoize_recursion
    def write(recurse: Convert, value: Value, redact: bool) -> JsonValue:
        if type(value) in PLAIN:
            return value
        if isinstance(value, list):
            return [recurse(item, redact) for item in value]
        if isinstance(value, dict):
            return write_hash(recurse, value, redact)
        if isinstance(value, AttributeReference):
            return format_reference(value)
        if not isinstance(value, values.Sensitive):
            return write_other(recurse, value, redact)
        if redact:
            return values.format_value(value)
        return {"__ptype": "Sensitive", "__pvalue": recurse(value.value, redact)}

    return write
