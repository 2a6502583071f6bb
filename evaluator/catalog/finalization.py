"""The last steps of a fixed point: pending overrides, and checks of all attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain
from operator import attrgetter

from evaluator import resource_types
from evaluator.catalog import parameters
from evaluator.catalog.declarations import MUNGED, match_title
from evaluator.catalog.errors import (
    add_leading_space,
    format_place,
    make_alias_error,
    make_catalog_error,
    make_late_duplicate_error,
)
from evaluator.catalog.model import Catalog, CatalogResource, Key, format_key
from evaluator.catalog.overrides import PendingOverride, apply_change
from evaluator.catalog.references import UNTYPED, UntitledReference
from evaluator.values import Value, make_key
from evaluator.values.dag import collect_leaves, flatten_lists
from lexer_parser.errors import Note, PuppetError

# The key by which arrows and overrides are sorted into the order in which a single evaluation adds them.
get_phase = attrgetter("phase")


def apply_pending_overrides(catalog: Catalog) -> list[PendingOverride]:
    """Apply the overrides that preceded their resource, one resource after the other.

    Returns:
        The overrides whose resource was never declared.
    """
    pending: dict[Key, list[PendingOverride]] = {}
    for override in sorted(catalog.overrides, key=get_phase):
        pending.setdefault(override.key, []).append(override)
    for key in catalog.sort_keys([key for key in catalog.resources if key in pending]) if pending else ():
        for override in pending.pop(key):
            apply_change(catalog, catalog.resources[key], override.change)
    return [*chain.from_iterable(pending.values())]


def make_missing_overrides_error(missing: list[PendingOverride]) -> PuppetError:
    """Return the error for overrides whose resource was never declared."""
    counts = Counter(format_key(item.key) for item in missing)
    references = ", ".join(counts.elements())  # each reference as often as it was overridden
    notes = tuple(Note("overridden here", item.change.span) for item in missing[1:])
    return make_catalog_error(
        "OVERRIDE_MISSING", missing[0].change.span, placeless=True, references=references, notes=notes
    )


def check_resources(resources: Iterable[CatalogResource]) -> list[CatalogResource]:
    """Check the attributes of resources, and return those with relationship attributes."""
    relationships = resource_types.RELATIONSHIP_NAMES
    # By native type: the names of its attributes, None if they are not known. A resource that has only those of the
    # second table, which are no relationships, needs no further look.
    valid: dict[str, frozenset[str] | None] = {}
    unrelated: dict[str, frozenset[str]] = {}
    related: list[CatalogResource] = []
    for resource in resources:
        attributes = resource.parameters
        if resource.definition is None:
            if resource.type in unrelated and unrelated[resource.type].issuperset(attributes):
                continue
        elif resource.virtual or (resource.places and resource.type != "node"):
            _check_arguments(resource)
        if not attributes:
            continue
        if not relationships.isdisjoint(attributes):
            related.append(resource)
        if resource.definition is None:
            if resource.type not in valid:
                facts = resource.get_type_facts()
                valid[resource.type] = None if facts is None else facts.valid
                unrelated[resource.type] = (valid[resource.type] or frozenset()) - relationships
            names = valid[resource.type]
            if names is not None and not names.issuperset(attributes):
                raise _make_unknown_attribute_error(resource, names)
        elif "title" in attributes:
            raise parameters.make_parameter_error(resource, parameters.find_unknown_names(["title"], ()))
    return related


def check_aliases(catalog: Catalog) -> None:
    """Check that each alias is unique, when overrides or collectors have set some.

    Raises:
        PuppetError: ALIAS_TAKEN; DUPLICATE_DECLARATION for a title that an earlier resource has as its alias.
    """
    owners: dict[Value, CatalogResource] = {}  # by key, or by type and alias
    for key, resource in catalog.resources.items() if catalog.sets_aliases else ():
        if resource.virtual:
            continue
        if owners.setdefault(key, resource) is not resource:
            raise make_late_duplicate_error(owners[key], key, resource.span)
        for alias in flatten_lists([resource.parameters.get("alias")]):
            owner = owners.setdefault((resource.type, make_key(alias)), resource)
            if owner is not resource and alias is not None:
                raise make_alias_error(resource, alias, owner, is_late=True)


def find_typed_attributes(resources: Collection[CatalogResource]) -> list[tuple[CatalogResource, str, Value]]:
    """Return the attributes whose values contain types: resource, name and value each.

    Raises:
        PuppetError: TITLE_NOT_MATCHED for a reference that lacks the title which its type needs.
    """
    typed: list[tuple[CatalogResource, str, Value]] = []
    for resource in resources if _may_contain_types(resources) else ():
        for name, value in resource.parameters.items() if not resource.virtual else ():
            if type(value) in UNTYPED:
                continue
            kinds = {*map(type, collect_leaves(value))} - UNTYPED
            if UntitledReference in kinds and any(map(_lacks_title, flatten_lists([value]))):
                where = resource.find_place(name)
                raise make_catalog_error("TITLE_NOT_MATCHED", where, placeless=True, title="")
            if kinds - {UntitledReference}:
                typed.append((resource, name, value))
    return typed


def _may_contain_types(resources: Iterable[CatalogResource]) -> bool:
    """Return False if no attribute contains a type, by the classes of all values together.

    Testing each value would take three times as long, and most programs have no types in attributes.
    """
    attributes = [value for one in resources if one.parameters for value in one.parameters.values()]
    classes = {*map(type, attributes)}
    if list in classes:
        classes.remove(list)
        classes.update(map(type, chain.from_iterable([value for value in attributes if type(value) is list])))
    return not classes <= UNTYPED


def _lacks_title(value: Value) -> bool:
    """Return True for a reference without a title to a type whose titles are never empty."""
    if type(value) is not UntitledReference:
        return False
    name = value.type_name or ""
    facts = resource_types.get_facts(name) if resource_types.is_known(name) else None
    if facts is None or (facts.patterns is None and name not in MUNGED):
        return False
    return match_title(facts, "") is None


def _check_arguments(resource: CatalogResource) -> None:
    """Check the arguments of a resource of a defined type that its body has not checked.

    It is virtual, or was changed, perhaps after its body has run.
    """
    assert resource.definition is not None
    problems = parameters.check_arguments(resource.definition, resource)
    if problems:
        raise parameters.make_parameter_error(resource, problems)


def _make_unknown_attribute_error(resource: CatalogResource, valid: frozenset[str]) -> PuppetError:
    name = next(name for name in resource.parameters if name not in valid)
    # the place of a resource of another node is not in this program
    span = None if resource.span is None else resource.find_place(name)
    return make_catalog_error(
        "UNKNOWN_ATTRIBUTE",
        span,
        released_span=resource.span,
        name=name,
        place=add_leading_space(format_place(resource.span)),
        resource=resource.reference,
    )
