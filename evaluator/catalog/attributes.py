"""Checks of titles and attributes in the bodies of catalog expressions.

Specification: Catalog Expressions, "Resource Expression".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator import issues, types, values
from evaluator.catalog.errors import format_place
from evaluator.catalog.references import to_attribute_reference, to_attribute_value
from evaluator.issues import Failure
from evaluator.limits import COLLECTION
from evaluator.program.definitions import Site
from evaluator.types import CATALOG_ENTRY, HASH, ClassType, ResourceType, infer
from evaluator.values import DEFAULT, Value
from evaluator.values.dag import (
    CONTAINERS,
    PLAIN,
    collect_leaves,
    count_values,
    flatten_lists,
    has_shared_parts,
)
from evaluator.values.kind import RUNTIME, get_kind
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from lexer_parser.tree import nodes

_REFERENCES = frozenset({ResourceType, ClassType})
# The type names of references that mean nothing without a title: Resource and Class.
_TITLED = frozenset({None, "class"})

# (name, "=>" or "+>", value, span) of attributes of defaults, overrides and collectors
Operations = list[tuple[str, str, Any, Span]]


def make_illegal_type_error(site: Site, node: nodes.Node, value: Value) -> PuppetError:
    """Return the error for a type expression whose value does not name a resource type."""
    is_reference = (
        isinstance(value, ResourceType | ClassType) and value.title is not None and nodes.is_type(node)
    )
    return issues.make_error(
        "ILLEGAL_RESOURCE_TYPE", site.span(node), actual=value if is_reference else describe_type(value)
    )


def check_titles(site: Site, body: nodes.ResourceBody, value: Value) -> list[Value]:
    """Return the titles of a body as a flat list.

    Raises:
        PuppetError: MISSING_TITLE, MISSING_TITLE_AT, EMPTY_STRING_TITLE_AT or ILLEGAL_TITLE_TYPE_AT.
    """
    if value is None:
        raise issues.make_error("MISSING_TITLE", site.span(body.title))
    titles = flatten_lists([value])
    for index, title in enumerate(titles):
        if title is None:
            raise issues.make_error("MISSING_TITLE_AT", site.span(body.title), index=index)
        if title == "" and type(title) is str:
            raise issues.make_error("EMPTY_STRING_TITLE_AT", site.span(body.title), index=index)
        if type(title) is not str and title is not DEFAULT:
            raise issues.make_error(
                "ILLEGAL_TITLE_TYPE_AT", site.span(body.title), index=index, actual=describe_type(title)
            )
    return titles


def check_title(site: Site, body: nodes.ResourceBody, value: Value, earlier: tuple[Value, ...]) -> Value:
    """Return the value of a title expression after checking it.

    Compiled code calls this before it evaluates the attributes of the body.

    Args:
        earlier: Titles of the preceding bodies of the expression, which this one must not repeat.
    """
    check_unique_titles(site, [*flatten_lists(list(earlier)), *check_titles(site, body, value)])
    return value


def check_unique_titles(site: Site, titles: list[Value]) -> None:
    """Raise DUPLICATE_TITLE for a title that occurs twice in one expression."""
    seen: set[Any] = set()
    for title in titles:
        if title in seen:
            raise issues.make_error("DUPLICATE_TITLE", site.span(), title=title)
        seen.add(title)


def describe_type(value: Value) -> str:
    """Return the generalized type of a value; that of a regular expression is exact."""
    inferred = infer(value, PUPPET)
    return str(inferred if isinstance(value, values.RegexpValue) else inferred.generalize())


def collect_attributes(
    site: Site, body: nodes.ResourceBody, operation_values: list[Value]
) -> dict[str, Value]:
    """Return the attributes of a body as a new dict.

    Args:
        operation_values: The values of its operations, up to the first one that repeats an attribute.

    Raises:
        PuppetError: DUPLICATE_ATTRIBUTE or TYPE_MISMATCH.
    """
    parameters: dict[str, Any] = {}
    for operation, value in zip(body.operations, operation_values, strict=False):
        if type(operation) is nodes.Attribute:
            if operation.name in parameters:
                raise issues.make_error("DUPLICATE_ATTRIBUTE", site.span(), name=operation.name)
            if type(value) not in PLAIN:
                value = check_attribute_value(site, operation, value)
            parameters[operation.name] = value
        else:
            for name, part in _expand_splat(site, operation, value):
                if name in parameters:
                    raise issues.make_error("DUPLICATE_ATTRIBUTE", site.span(), name=name)
                parameters[name] = part
    return parameters


def check_splat(site: Site, operation: nodes.AttributesSplat, value: Value) -> dict[Value, Value]:
    """Return the value of `* => hash`. Raises TYPE_MISMATCH if it is no hash."""
    if isinstance(value, dict):
        return value
    raise issues.make_error(
        "TYPE_MISMATCH",
        site.span(operation.expr),
        expected="Hash",
        actual=describe_type(value),
        mismatches=(types.TypeMismatch((), (HASH,), infer(value, PUPPET)),),
    )


def _expand_splat(site: Site, operation: nodes.Node, value: Value) -> Iterable[tuple[str, Value]]:
    """Yield the pairs of `* => hash`. Raises TYPE_MISMATCH."""
    assert isinstance(operation, nodes.AttributesSplat)
    for name, part in values.iterate_items(value):
        if type(name) is not str:
            name = _to_attribute_name(site, operation, name)
        if type(part) not in PLAIN:
            part = check_attribute_value(site, operation, part)
        yield name, part


def _to_attribute_name(site: Site, operation: nodes.AttributesSplat, name: Value) -> str:
    """Return the attribute name of a hash key that is `default` or a symbol of Ruby."""
    if name is DEFAULT or get_kind(name) is RUNTIME:
        return values.format_value(name)
    if name is None or name is False:
        span = site.span(operation)
        raise issues.make_labelled_error(
            Failure("NAMELESS_ATTRIBUTE", place=f" {format_place(span)}"), "an Object", span
        )
    raise issues.make_error(
        "TYPE_MISMATCH", site.span(operation.expr), expected="Hash[String, Any]", actual="Hash"
    )


def check_attribute_value(site: Site, operation: nodes.Node, value: Value) -> Value:
    """Return a value in the form that attributes store.

    Raises PuppetError for a value that no attribute can have.
    """
    kind = type(value)
    if kind in _REFERENCES and (value.title is not None or _has_target(value)):  # the most frequent case
        return to_attribute_reference(value)
    if kind is list:
        elements = []
        for item in value:
            if type(item) in PLAIN:
                elements.append(item)
            elif type(item) in _REFERENCES and (item.title is not None or _has_target(item)):
                elements.append(to_attribute_reference(item))
            else:
                break  # another value, for the general conversion below
        else:
            return elements
    try:
        return to_parameter_value(value)
    except UnsupportedValue as problem:
        raise issues.make_labelled_error(problem, "a '=>' expression", site.span(operation)) from None


def _has_target(reference: ResourceType | ClassType) -> bool:
    """Return True when a reference names a class, a resource, or at least a resource type."""
    return reference.title is not None or reference.type_name not in _TITLED


class UnsupportedValue(Failure):
    """The failure for a value that no attribute can have."""


def to_parameter_value(value: Value) -> Value:
    """Return a value in the form that attributes store.

    A catalog is written as a tree, so parts that a value shares count as often as they occur.

    Raises:
        UnsupportedValue: For iterators and for the bare types Class, Resource and CatalogEntry.
    """
    if type(value) in CONTAINERS and has_shared_parts(value):
        COLLECTION.check(count_values(value))
    for item in collect_leaves(value):
        if isinstance(item, values.PuppetIterator):
            raise UnsupportedValue("ITERATOR_NOT_SUPPORTED")
        if isinstance(item, ResourceType | ClassType) and not _has_target(item):
            if item.type_name is None:
                raise UnsupportedValue("REFERENCE_WITHOUT_TYPE")
            raise UnsupportedValue("NO_REFERENCE", text='"class"')
        if item is CATALOG_ENTRY:
            raise UnsupportedValue("ENTRY_WITHOUT_KIND")
    return to_attribute_value(value)


def collect_operations(site: Site, operation_values: list[Value]) -> Operations:
    """Return the attributes of defaults, overrides and collectors, in order.

    Each is a tuple (name, "=>" or "+>", value, span).
    """
    result: Operations = []
    node: Any = site.node
    for operation, value in zip(node.operations, operation_values, strict=True):
        if type(operation) is nodes.Attribute:
            if type(value) not in PLAIN:
                value = check_attribute_value(site, operation, value)
            result.append((operation.name, operation.operator, value, site.span(operation)))
        else:
            span = site.span(operation)
            result += [(name, "=>", part, span) for name, part in _expand_splat(site, operation, value)]
    return result
