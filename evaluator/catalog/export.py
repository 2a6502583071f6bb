"""Views of a catalog: Puppet's catalog JSON, rows for a store, and one line per resource."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from evaluator import values
from evaluator.catalog import tags
from evaluator.catalog.model import (
    BUILT_IN,
    Catalog,
    CatalogResource,
    capitalize_name,
    format_key,
    format_title,
)
from evaluator.catalog.references import (
    UNTYPED,
    AttributeReference,
    JsonValue,
    format_reference,
    make_json_writer,
    to_written_value,
)
from evaluator.types import ClassType, ResourceType
from evaluator.values import Value
from evaluator.values.dag import PLAIN, memoize_recursion
from evaluator.values.ruby_values import get_ruby_class, inspect
from evaluator.values.yaml_format import RubyObject
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

# JSON data have no static shape.
Json = dict[str, Any]

# --- JSON ------------------------------------------------------------------------------------------------------


def to_json(catalog: Catalog, rich_data: bool | None = None, redact: bool = True) -> Json:
    """Return the catalog in the JSON form of the released Puppet.

    Virtual resources are left out, and so is what differs in each compilation: version, `code_id` and
    `catalog_uuid`.

    Args:
        rich_data: Write values that JSON lacks as `{"__ptype": …}` objects instead of strings; None if the dialect
            decides.
        redact: Hide Sensitive values; False writes them as Puppet sends them to agents.
    """
    memo: tags.Memo = {}
    is_rich = catalog.rich_data if rich_data is None else rich_data
    convert: Callable[[Value, bool], JsonValue] = _to_plain_json
    if is_rich:
        from evaluator.catalog.rich_data import to_rich_json  # most cells of notebooks write no catalog

        convert = to_rich_json
    name = cache(format_key)  # a container has many edges
    return {
        "tags": tags.collect_catalog_tags(catalog),
        "name": catalog.node,
        "catalog_format": 2,
        "environment": catalog.environment,
        "resources": [
            _convert_resource(catalog, resource, memo, convert, redact)
            for resource in catalog.resources.values()
            if not resource.virtual
        ],
        "edges": [{"source": name(edge.source), "target": name(edge.target)} for edge in catalog.edges],
        "classes": list(catalog.classes),
    }


def _convert_resource(
    catalog: Catalog,
    resource: CatalogResource,
    memo: tags.Memo,
    convert: Callable[[Value, bool], JsonValue],
    redact: bool,
) -> Json:
    """Return a resource in the JSON form of the released Puppet, in its order.

    Args:
        catalog: Its catalog.
        resource: The resource.
        memo: Caches the tags of containers.
        convert: Converts the value of an attribute; its arguments are the value and `redact`.
        redact: True to hide Sensitive values.
    """
    row: Json = {
        "type": capitalize_name(resource.type),
        "title": format_title(resource.key),
        "tags": tags.collect_tags(catalog, resource, memo),
    }
    span = resource.span
    if span is not None:
        if span.source.name:
            row["file"] = span.source.name
        row["line"] = span.line
    row["exported"] = resource.exported
    row["kind"] = _get_kind(resource)
    sensitive = [name for name, value in resource.parameters.items() if type(value) is values.Sensitive]
    ordered = _order_parameters(resource)
    shown = ordered if redact else {name: _unwrap_sensitive(value) for name, value in ordered.items()}
    parameters = {  # most values need no conversion
        name: value if type(value) in PLAIN else convert(to_written_value(value), redact)
        for name, value in shown.items()
        if value is not None
    }
    if parameters:
        row["parameters"] = parameters
    if sensitive:
        row["sensitive_parameters"] = sensitive
    return row


def _order_parameters(resource: CatalogResource) -> dict[str, Value]:
    """Return the attributes in the order of JSON.

    First comes the namevar, if its value differs from the title. The namevar is the attribute that the title sets;
    programs may also call it `name`. The title of some types sets several attributes, `title_attributes`.
    """
    parameters = resource.parameters
    namevar = _get_namevar(resource)
    if resource.title_value:  # a title that is not a String does not set the name
        return {namevar: resource.title, **parameters}
    if resource.title_attributes is not None:
        combined = resource.title_attributes | {
            key: value for key, value in parameters.items() if value is not None
        }
        return {key: value for key, value in combined.items() if key != namevar or value != resource.title}
    name = next((parameters[key] for key in ("name", namevar) if parameters.get(key) is not None), None)
    if name is None or resource.key in BUILT_IN:
        return parameters
    rest = {key: value for key, value in parameters.items() if key not in (namevar, "name")}
    return rest if name == format_title(resource.key) else {namevar: name, **rest}


def _get_namevar(resource: CatalogResource) -> str:
    """Return the attribute that the title of a resource sets."""
    facts = resource.get_type_facts()
    return facts.namevar if facts is not None else "name"


def _unwrap_sensitive(value: Value) -> Value:
    return value.value if isinstance(value, values.Sensitive) else value


def _get_kind(resource: CatalogResource) -> str:
    """Return the entry `kind` of a resource in JSON."""
    if resource.definition is None:
        return "unknown" if resource.type in ("class", "node") else "compilable_type"
    if resource.definition.kind == "define":
        return "defined_type"
    return "class" if resource.site is not None else "unknown"


def to_store_rows(catalog: Catalog, redact: bool = True) -> list[Json]:
    """Return the exported resources as rows of the store from which other nodes collect them."""
    memo: tags.Memo = {}
    rows = [
        _convert_resource(catalog, resource, memo, _to_plain_json, redact)
        for resource in catalog.resources.values()
        if resource.exported
    ]
    for row in rows:
        del row["kind"]
    return [{"certname": catalog.node, "parameters": {}, **row} for row in rows]


def _format_hash_key(key: Value) -> str:
    if type(key) is str:
        return key
    if isinstance(key, list | dict):
        return inspect(key)
    return format_reference(key) if isinstance(key, AttributeReference) else values.format_value(key)


# Writes values that JSON lacks as strings.
_to_plain_json = make_json_writer(
    lambda recurse, value, redact: {
        _format_hash_key(key): recurse(item, redact) for key, item in values.iterate_items(value)
    },
    lambda recurse, value, redact: values.format_value(value),
)


# --- warnings of values that become strings ----------------------------------------------------------------------


class _ConversionWarnings:
    """The warnings about values of one resource that become strings in its JSON.

    The place in a message is the resource and the path of the value in it. Where the catalog contains only what JSON
    has, as in Puppet 7 (`is_plain`), each path is appended to the place in the message before, so that the places grow.
    Elsewhere only objects of Ruby become strings.
    """

    def __init__(self, resource: CatalogResource, is_plain: bool) -> None:
        self.messages: list[str] = []
        self._place, self._is_plain = resource.reference, is_plain
        for name, value in _order_parameters(resource).items():
            is_secret = isinstance(value, values.Sensitive)
            if is_secret or type(value) not in PLAIN:
                self._visit(_unwrap_sensitive(to_written_value(value)), f"['{name}']", is_secret)

    def _visit(self, value: Value, path: str, is_secret: bool) -> None:
        if isinstance(value, list):
            for index, item in enumerate(value):
                self._visit(item, f"{path}[{index}]", is_secret)
        elif isinstance(value, dict):
            for key, item in values.iterate_items(value):
                name = _format_hash_key(key) if self._is_plain else key
                if not self._is_plain:
                    self._visit(key, path, is_secret)
                elif not isinstance(key, str | AttributeReference) and get_ruby_class(key) != "Symbol":
                    self._report(path, f"a hash with {_describe_class(key)} key", name, is_secret)
                self._visit(item, f"{path}[{values.format_literal(name)}]", is_secret)
        elif isinstance(value, values.Sensitive):
            self._visit(value.value, path, True)
        elif value is values.DEFAULT and self._is_plain:
            self._report(path, "the special value default", "default", is_secret)
        elif (
            type(value) not in PLAIN and not isinstance(value, AttributeReference)
            if self._is_plain
            else isinstance(value, RubyObject)
        ) and get_ruby_class(value) not in ("Symbol", "BigDecimal", "Gem::Version"):
            self._report(path, f"{_describe_class(value)} value", values.format_value(value), is_secret)

    def _report(self, path: str, kind: str, text: str, is_secret: bool) -> None:
        place = f"{self._place}{path}"
        if self._is_plain:
            self._place = place
        shown = "[value redacted]" if is_secret else text
        self.messages.append(f"{place} contains {kind}. It will be converted to the String '{shown}'")


_TYPE_CLASS = LazyPattern(r"Puppet::Pops::Types::P(\w+)(Type|sion)")


def _describe_class(value: Value) -> str:
    """Return the name of a value's class with an article: `a Regexp`, `an Integer-Type`."""
    ruby_class = get_ruby_class(value) or "Anonymous Class"
    name = value.type.name if ruby_class == "#<Class>" else ruby_class
    match = _TYPE_CLASS.fullmatch(name)
    shown = f"{match[1]}-Type" if match is not None else name
    return f"{'an' if shown[0].lower() in 'aeiouy' else 'a'} {shown}"


def collect_conversion_warnings(resource: CatalogResource, is_plain: bool) -> list[str]:
    """Return the warnings about values that become strings in the JSON of a resource."""
    if resource.virtual or UNTYPED.issuperset(map(type, resource.parameters.values())):
        return []
    return _ConversionWarnings(resource, is_plain).messages


# --- lines -----------------------------------------------------------------------------------------------------


def summarize(catalog: Catalog, redact: bool = True) -> list[str]:
    """Return one line per resource: `Notify[a] { message => 'm' }`.

    Virtual resources are marked with `@`, exported ones with `@@`. Attributes are sorted; the built-in stage
    and classes are left out.
    """
    return [
        format_resource(resource, redact)
        for key, resource in catalog.resources.items()
        if key not in BUILT_IN
    ]


def format_resource(resource: CatalogResource, redact: bool = True) -> str:
    """Return a resource as one line."""
    shown = sorted(
        f"{name} => {_format_sensitive(value, redact) if isinstance(value, values.Sensitive) else format_value(value)}"
        for name, value in get_visible_parameters(resource).items()
    )
    return f"{resource!r} {{ {', '.join(shown)} }}" if shown else repr(resource)


def _format_sensitive(value: values.Sensitive, redact: bool) -> str:
    return values.format_literal(value) if redact else values.format_literal(value.value)


def get_visible_parameters(resource: CatalogResource) -> dict[str, Value]:
    """Return the attributes that have a value, with the one that the title sets.

    The attribute `name` is left out when it equals the title.
    """
    visible = {
        name: value for name, value in resource.parameters.items() if _unwrap_sensitive(value) is not None
    }
    namevar = _get_namevar(resource)
    if resource.title_attributes is not None:
        visible = {**resource.title_attributes, **visible}
    elif namevar != "name":
        visible.setdefault(namevar, resource.title)
    if resource.title_value:
        visible = {namevar: resource.title, **visible}
    elif visible.get("name") == format_title(resource.key):
        del visible["name"]
    return visible


# `recurse` is the function itself with the cache of its results.
@memoize_recursion
def format_value(recurse: Callable[[Value], str], value: Value) -> str:
    """Return the value of an attribute as source: `[1, 'a', Notify[b]]`.

    References are written as in the catalog.
    """
    if isinstance(value, list):
        return f"[{', '.join(map(recurse, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{recurse(key)} => {recurse(item)}" for key, item in values.iterate_items(value))
        return f"{{{inner}}}"
    if isinstance(value, ResourceType | ClassType):
        return format_reference(value)
    return values.format_literal(value)


class WrittenCatalog(Record):
    """A catalog that was pickled: its views at that time, without Sensitive values.

    Attributes:
        _json: Its JSON, in which values that JSON lacks are strings.
        _rich: Its JSON with `{"__ptype": …}` objects for such values.
        rich_data: True if its dialect has the rich form.
        _exports: The rows that other nodes can collect.
        _summary: One line per resource.
    """

    _json: Json
    _rich: Json
    rich_data: bool
    _exports: list[Json]
    _summary: list[str]

    def to_json(self, rich_data: bool | None = None) -> Json:
        """Return Puppet's catalog JSON as a dict."""
        is_rich = self.rich_data if rich_data is None else rich_data
        return self._rich if is_rich else self._json

    def exports(self) -> list[Json]:
        """Return the rows that other nodes can collect."""
        return self._exports

    def summary(self) -> list[str]:
        """Return one line per resource."""
        return self._summary
