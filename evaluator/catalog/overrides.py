"""Resource defaults, `Type { … }`, and overrides, `Type['title'] { … }`.

Specification: Catalog Expressions, "Resource Default Expression" and "Resource Override Expression".
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from evaluator import issues, values
from evaluator.catalog import tags
from evaluator.catalog.attributes import Operations, collect_operations, make_illegal_type_error
from evaluator.catalog.errors import format_at, format_place, make_catalog_error
from evaluator.catalog.model import COMPONENT, Catalog, CatalogResource, Key, format_key
from evaluator.catalog.provenance import record_defaults, record_override
from evaluator.catalog.scopes import (
    AttributeDefault,
    find_declaring_scope,
    find_default,
    identify_source,
    is_subclass_scope,
    iterate_defaults,
)
from evaluator.issues import Failure, require
from evaluator.program import modules
from evaluator.program.definitions import Scope, Site
from evaluator.types import ResourceType
from evaluator.values import Value
from evaluator.values.dag import flatten_lists
from evaluator.values.ruby_values import is_same
from lexer_parser.errors import Note
from lexer_parser.record import Record
from lexer_parser.source import Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from lexer_parser.dialect import Dialect

# --- resource defaults ---------------------------------------------------------------------------------------


def set_defaults(scope: Scope, site: Site, target: Value, attribute_values: list[Value]) -> Value:
    """Evaluate `Type { attribute => value }`: store the defaults and return the type.

    They apply to resources that the scope declares later.

    Args:
        target: The value of the type expression.
        attribute_values: The values of the attributes.

    Raises:
        PuppetError: ILLEGAL_RESOURCE_TYPE, ILLEGAL_OVERRIDDEN_TYPE, UNKNOWN_RESOURCE_TYPE or
            DEFAULT_REDEFINED.
    """
    node: Any = site.node
    scope = find_declaring_scope(scope)
    if isinstance(target, ResourceType) and target.title is not None:
        raise issues.make_error("ILLEGAL_OVERRIDDEN_TYPE", site.span(), actual=values.describe_kind(target))
    if not isinstance(target, ResourceType) or target.type_name is None or target.type_name == "class":
        raise make_illegal_type_error(site, node.type_ref, target)
    if not scope.runtime.names.is_resource_type(target.type_name):
        raise issues.make_error("UNKNOWN_RESOURCE_TYPE", site.span(), name=target.simple_name)
    defaults = dict(scope.defaults.get(target.type_name, {}))
    for name, operator, value, span in collect_operations(site, attribute_values):
        inherited = find_default(scope, target.type_name, name) if operator == "+>" else None
        if inherited is not None:
            value = append_value(inherited.value, value)
        if name in defaults and inherited is None:
            raise make_catalog_error(
                "DEFAULT_REDEFINED",
                span,
                type=target.simple_name,
                name=name,
                notes=(Note("first set here", defaults[name].span),),
            )
        defaults[name] = AttributeDefault(value, span)
    scope.defaults = {**scope.defaults, target.type_name: defaults}
    scope.runtime.state.catalog.has_defaults = True
    return target


def apply_defaults(resource: CatalogResource) -> None:
    """Set the defaults that its scope sees on a new resource that lacks the attributes."""
    assert resource.scope is not None
    levels = [scope_defaults for _, scope_defaults in iterate_defaults(resource.scope, resource.type)]
    defaults = {
        name: default for scope_defaults in reversed(levels) for name, default in scope_defaults.items()
    }
    if resource.scope.runtime.settings.recorded:
        record_defaults(resource, levels)
    missing = {name: default for name, default in defaults.items() if name not in resource.parameters}
    if missing:
        places = {name: default.span for name, default in missing.items()}
        resource.parameters.update((name, default.value) for name, default in missing.items())
        resource.set_optional(
            places={**(resource.places or {}), **places}, defaulted=resource.defaulted.union(missing)
        )


def add_collector_defaults(resource: CatalogResource, change: AttributeChange) -> AttributeChange:
    """Return a collector's change of a resource, with the defaults of the collector's scope.

    They replace attributes of the resource.

    Raises:
        PuppetError: PARAMETER_ALREADY_SET if the scope of a default may not replace the attribute.
    """
    owners_and_defaults = {  # in which those of inner scopes replace those of outer ones
        name: (owner, default)
        for owner, scope_defaults in reversed([*iterate_defaults(change.scope, resource.type)])
        for name, default in scope_defaults.items()
        if name not in change.names
    }
    operations = [*change.operations]
    for name, (owner, default) in owners_and_defaults.items():
        if not _has_default(resource, name, default.value):
            _check_replaceable(owner, resource, name, default.span)
        operations.append((name, "=>", default.value, default.span))
    return AttributeChange(operations, change.scope, change.span, collected=True)


def _remove_defaults(resource: CatalogResource, change: AttributeChange) -> AttributeChange:
    """Return a change without attributes that keep their value.

    These have one already, and the new one would be a default that the scope of the resource sees.
    """
    return AttributeChange(
        [
            (name, operator, value, span)
            for name, operator, value, span in change.operations
            if name not in resource.parameters or not _has_default(resource, name, value)
        ],
        change.scope,
        change.span,
        change.collected,
    )


def _has_default(resource: CatalogResource, name: str, value: Value) -> bool:
    """Return True if the scope of a resource sees a default with this value."""
    return resource.scope is not None and any(
        name in scope_defaults and is_same(scope_defaults[name].value, value)
        for _, scope_defaults in iterate_defaults(resource.scope, resource.type)
    )


def append_value(before: Value, value: Value) -> list[Value]:
    """Return the flat array that `+>` makes of two values."""
    return flatten_lists([before, value])


# --- overrides -----------------------------------------------------------------------------------------------


class AttributeChange:
    """New values of attributes from one scope: (name, operator, value, span) each.

    Attributes:
        collected: True if a collector makes the change; then the rules about scopes and existing values do not apply.
    """

    __slots__ = ("collected", "names", "operations", "scope", "span")

    def __init__(self, operations: Operations, scope: Scope, span: Span, collected: bool = False) -> None:
        self.operations = operations
        self.names = [name for name, *_ in operations]
        self.scope = scope
        self.span = span
        self.collected = collected


class PendingOverride(Record):
    """The change of a resource that may be declared later.

    Attributes:
        key: The key of the resource.
        phase: The phase of the fixed point that added it; 0 for an override of the program itself.
    """

    key: Key
    change: AttributeChange
    phase: int = 0


def override_resources(scope: Scope, site: Site, references: Value, attribute_values: list[Value]) -> Value:
    """Evaluate an override and return the references.

    A resource that is not declared yet is overridden when the fixed point is computed.

    Args:
        references: A reference, or an array of them.
        attribute_values: The values of the attributes.

    Raises:
        PuppetError: ILLEGAL_OVERRIDDEN_TYPE, and the errors of `apply_change`.
    """
    node: Any = site.node
    operations = collect_operations(site, attribute_values)
    targets = references if isinstance(references, list) else [references]
    for target in targets:
        if not isinstance(target, ResourceType) or target.type_name in (None, "class"):
            raise issues.make_error(
                "ILLEGAL_OVERRIDDEN_TYPE", site.span(), actual=values.describe_kind(target)
            )
        if target.title is None:
            if scope.runtime.dialect.titled_defaults and isinstance(node.resources, nodes.Access):
                return set_defaults(scope, site, target, attribute_values)
            raise Failure("NO_REFERENCE", text=_to_ruby_form(scope, target.type_name))
        require(target.title, "NO_REFERENCE", text=f'"{format_key(target.key)}"')
    scope = find_declaring_scope(scope)
    catalog: Catalog = scope.runtime.state.catalog
    change = AttributeChange(operations, scope, site.span())
    for target in targets:
        # the releases look for a component where a node is overridden
        key = (COMPONENT, target.key[1]) if target.type_name == "node" else target.key
        check_unique_attributes(operations, key, change.span)
        for name, _, value, span in operations:
            if name == "tag":
                tags.check_tags(value, span, change.span)
        resource = catalog.find(key)
        if resource is None:
            catalog.overrides.append(PendingOverride(key, change))
        else:
            apply_change(catalog, resource, change)
    return references


def _to_ruby_form(scope: Scope, name: str) -> str:
    """Return the name of a resource type as Ruby shows it.

    A native type is a symbol, a defined type a string, an unknown one nil.
    """
    if modules.is_resource_type(name, scope.runtime.settings.modulepath):
        return f":{name}"
    return "nil" if scope.runtime.names.find_define(name) is None else f'"{name}"'


def check_unique_attributes(operations: Operations, key: Key, statement: Span | None) -> None:
    """Raise ATTRIBUTE_SET_TWICE when an attribute occurs twice.

    Args:
        statement: The override or collector, whose line Puppet prints.
    """
    seen = set()
    for name, _, _, span in operations:
        if name in seen:
            raise make_catalog_error(
                "ATTRIBUTE_SET_TWICE", span, released_span=statement, name=name, resource=format_key(key)
            )
        seen.add(name)


def apply_change(catalog: Catalog, resource: CatalogResource, change: AttributeChange) -> None:
    """Change the attributes of a resource.

    An attribute that has a value keeps it if the new one is a default that the scope of the resource sees. The scope of
    the resource may only set attributes without value. A class that inherits from the resource's class may set all, and
    so may a scope whose collector has changed resources before: it is free.

    Raises:
        PuppetError: ONLY_SUBCLASSES_OVERRIDE or PARAMETER_ALREADY_SET.
    """
    runtime = change.scope.runtime
    inside = resource.scope is not None and identify_source(change.scope) == identify_source(resource.scope)
    is_free = change.collected or identify_source(change.scope) in catalog.collecting_scopes
    # In the specification any scope may set attributes without value; the scope of the resource may do nothing else.
    is_specified = runtime.dialect.override_append
    sets_unset = is_specified and _find_set_attributes(resource, runtime.dialect).isdisjoint(change.names)
    if not (
        is_free or inside or sets_unset or is_subclass_scope(runtime.state, change.scope, resource.scope)
    ):
        raise make_catalog_error(
            "ONLY_SUBCLASSES_OVERRIDE", change.span, notes=_make_declaration_notes(resource)
        )
    if catalog.evaluated and resource.key in catalog.evaluated:
        _warn_already_evaluated(change, resource)
    change = _remove_defaults(resource, change) if catalog.has_defaults else change
    if not is_free:
        _check_attributes(resource, change, only_sets=is_specified and inside)
    resource = catalog.make_writable(resource)
    catalog.sets_aliases = catalog.sets_aliases or "alias" in change.names
    parameters, recorded = resource.parameters, runtime.settings.recorded
    places = dict(resource.places or ())
    for name, operator, value, span in change.operations:
        if name == "tag":
            former_tags = tags.flatten_tags(resource.parameters.get("tag"))
            tags.add_tags(catalog, resource, [*former_tags, *tags.check_tags(value, change.span)])
        adds = operator == "+>" and name in _find_set_attributes(resource, runtime.dialect)
        if recorded:
            record_override(resource, change, name, value, span, adds=adds)
        parameters[name] = append_value(parameters[name], value) if adds else value
        places[name] = span
    resource.set_optional(places=places)
    if resource.defaulted:
        resource.set_optional(defaulted=resource.defaulted.difference(change.names))
    if not change.collected:
        resource.set_optional(setters=(resource.setters or {}) | dict.fromkeys(change.names, change.scope))


def _check_attributes(resource: CatalogResource, change: AttributeChange, *, only_sets: bool) -> None:
    """Raise PuppetError when a scope may not set one of the attributes.

    Args:
        only_sets: True if the scope may not use `+>`.
    """
    for name, operator, _, span in change.operations:
        _check_replaceable(change.scope, resource, name, span)
        if operator == "+>" and only_sets:
            raise make_catalog_error(
                "ONLY_SUBCLASSES_OVERRIDE",
                span,
                help="`+>` needs a class that inherits the resource's class.",
            )


def _check_replaceable(scope: Scope, resource: CatalogResource, name: str, span: Span) -> None:
    """Raise PuppetError when an attribute has a value and the scope may not change it.

    It may change its own default, what a class sets from which it inherits, and all if its collector has changed
    resources.
    """
    state = scope.runtime.state
    setter = (
        _find_default_owner(resource, name)
        if name in resource.defaulted
        else (resource.setters or {}).get(name, resource.scope)
    )
    if (
        name not in _find_set_attributes(resource, scope.runtime.dialect)
        or (
            name in resource.defaulted
            and setter is not None
            and identify_source(scope) == identify_source(setter)
        )
        or is_subclass_scope(state, scope, setter)
        or identify_source(scope) in state.catalog.collecting_scopes
    ):
        return
    place = resource.find_place(name)
    raise make_catalog_error(
        "PARAMETER_ALREADY_SET",
        span,
        name=name,
        resource=resource.reference,
        place="" if resource.body is None and name not in (resource.places or ()) else format_at(place, span),
        notes=(Note("first set here", place),) if place is not None else (),
    )


def _find_default_owner(resource: CatalogResource, name: str) -> Scope | None:
    """Return the scope whose default a resource has as an attribute."""
    assert resource.scope is not None
    return next(
        (
            owner
            for owner, scope_defaults in iterate_defaults(resource.scope, resource.type)
            if name in scope_defaults
        ),
        None,
    )


def _find_set_attributes(resource: CatalogResource, dialect: Dialect) -> AbstractSet[str]:
    """Return the names of the attributes that count as set; as specified, undef is no value."""
    if not dialect.override_append:
        return resource.parameters.keys()
    return {name for name, value in resource.parameters.items() if value is not None}


def _make_declaration_notes(resource: CatalogResource) -> tuple[Note, ...]:
    return (Note("declared here", resource.span),) if resource.span is not None else ()


def _warn_already_evaluated(change: AttributeChange, resource: CatalogResource) -> None:
    """Log that the body of a define has run with the old values.

    Under `strict => error` that is raised as an error.
    """
    runtime = change.scope.runtime
    if runtime.settings.strict == "off":
        return
    error = make_catalog_error(
        "OVERRIDE_AFTER_EVALUATION",
        change.span,
        place=format_place(resource.span, change.span),
        notes=_make_declaration_notes(resource),
    )
    if runtime.settings.strict == "error":
        raise error
    runtime.log("warning", str(error))
