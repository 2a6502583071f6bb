"""The last steps of a fixed point: pending overrides, and checks of all attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from evaluator import resource_types
from evaluator.catalog import parameters
from evaluator.catalog.errors import add_leading_space, format_place, make_catalog_error
from evaluator.catalog.model import Catalog, CatalogResource, format_key
from evaluator.catalog.overrides import PendingOverride, apply_change
from lexer_parser.errors import Note, PuppetError

# The key by which arrows and overrides are sorted into the order in which a single evaluation adds them.
get_stage = attrgetter("stage")


def apply_pending_overrides(catalog: Catalog) -> list[PendingOverride]:
    """Apply the overrides that preceded their resource, which they name by its title.

    Returns:
        The overrides whose resource was never declared.
    """
    missing = []
    for item in sorted(catalog.overrides, key=get_stage):
        resource = catalog.resources.get(item.key)
        if resource is None:
            missing.append(item)
        else:
            apply_change(catalog, resource, item)
    return missing


def make_missing_overrides_error(missing: list[PendingOverride]) -> PuppetError:
    """Return the error for overrides whose resource was never declared."""
    found = Counter(format_key(item.key) for item in missing)
    references = ", ".join(found.elements())  # each reference as often as it was overridden
    notes = tuple(Note("overridden here", item.span) for item in missing[1:])
    return make_catalog_error(
        "OVERRIDE_MISSING", missing[0].span, placeless=True, references=references, notes=notes
    )


def check_resources(resources: Iterable[CatalogResource]) -> list[CatalogResource]:
    """Check the attributes of resources, and return those with relationship attributes."""
    relationships = resource_types.RELATIONSHIP_NAMES
    valid: dict[str, frozenset[str] | None] = {}
    common: dict[str, frozenset[str]] = {}  # attributes of native types that contain no references
    related: list[CatalogResource] = []
    for resource in resources:
        attributes = resource.parameters
        if resource.definition is None:
            if resource.type in common and common[resource.type].issuperset(attributes):
                continue
        elif resource.virtual:
            _check_unrealized(resource)
        if not attributes:
            continue
        if not relationships.isdisjoint(attributes):
            related.append(resource)
        if resource.definition is None:
            if resource.type not in valid:
                facts = resource.get_type_facts()
                valid[resource.type] = None if facts is None else facts.valid
                common[resource.type] = (valid[resource.type] or frozenset()) - relationships
            names = valid[resource.type]
            if names is not None and not names.issuperset(attributes):
                raise _make_unknown_attribute_error(resource, names)
        elif "title" in attributes:
            raise parameters.make_parameter_error(resource, parameters.find_unknown_names(["title"], ()))
    return related


def _check_unrealized(resource: CatalogResource) -> None:
    """Check the arguments of a virtual resource of a defined type that nothing realized.

    Its body never runs, but Puppet checks the arguments.
    """
    assert resource.definition is not None
    problems = parameters.check_arguments(resource.definition, resource)
    if problems:
        raise parameters.make_parameter_error(resource, problems)


def _make_unknown_attribute_error(resource: CatalogResource, valid: frozenset[str]) -> PuppetError:
    name = next(name for name in resource.parameters if name not in valid)
    where = add_leading_space(format_place(resource.span))
    # the place of a resource of another node is not in this program
    span = None if resource.span is None else resource.find_place(name)
    return make_catalog_error(
        "UNKNOWN_ATTRIBUTE",
        span,
        released_span=resource.span,
        name=name,
        place=where,
        resource=resource.reference,
    )
