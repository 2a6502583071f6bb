"""Comparison of two catalogs, and of one catalog before and after it was extended."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice

from evaluator import values
from evaluator.catalog.fixpoint_result import CatalogDifference, LinkChanges
from evaluator.catalog.model import Catalog, CatalogResource, Ends, Key, Link
from evaluator.catalog.relationships import collect_links
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.values import Value


def compare_catalogs(before: Catalog, after: Catalog) -> CatalogDifference:
    """Return the difference between two complete catalogs."""
    found = CatalogDifference()
    if before is after:
        return found
    former, now = before.resources, after.resources
    for key in after.sort_keys([key for key, resource in now.items() if former.get(key) is not resource]):
        known, resource = former.get(key), now[key]
        if known is None:
            found.added.append(resource)
        elif not is_same_resource(known, resource):
            found.changed.append((known, resource))
    gone = former.keys() - now.keys()
    found.removed = (
        [former[key] for key in before.sort_keys([key for key in former if key in gone])] if gone else []
    )
    found.defer_comparison(partial(_compare_links, before, after))
    return found


def compare_growth(
    catalog: Catalog, resources: int, replaced: dict[Key, CatalogResource]
) -> CatalogDifference:
    """Return what was added to a catalog and changed in it.

    Args:
        resources: The number of resources that it had before.
        replaced: The former versions of resources that were replaced afterwards.
    """
    found = CatalogDifference()
    count = len(catalog.resources) - resources
    found.added = list(islice(reversed(catalog.resources.values()), count))[::-1]
    keys: Iterable[Key] = replaced
    if len(replaced) > 1:
        keys = catalog.sort_keys([key for key in catalog.resources if key in replaced])
    changed = ((replaced[key], catalog.resources[key]) for key in keys)
    found.changed = [(before, after) for before, after in changed if not is_same_resource(before, after)]
    found.defer_comparison(partial(_compare_links, catalog, catalog))
    return found


def _compare_links(before: Catalog, after: Catalog, found: CatalogDifference) -> LinkChanges:
    """Return the relationships of changed resources: new ones, and those that are gone."""
    ends_before = _collect_ends(before, [*found.removed, *(one for one, _ in found.changed)])
    ends_after = _collect_ends(after, [*found.added, *(other for _, other in found.changed)])
    added = [link for ends, link in ends_after.items() if ends not in ends_before]
    return added, [link for ends, link in ends_before.items() if ends not in ends_after]


def _collect_ends(catalog: Catalog, resources: Iterable[CatalogResource]) -> dict[Ends, Link]:
    """Return the relationships that resources make, each once, with its first origin."""
    found: dict[Ends, Link] = {}
    for resource in resources:
        if not RELATIONSHIP_NAMES.isdisjoint(resource.parameters) and not resource.virtual:
            for link in collect_links(catalog, resource):
                found.setdefault(link[0], link)
    return found


def is_same_resource(one: CatalogResource, other: CatalogResource) -> bool:
    """Return True when two versions of a resource look the same in the catalog."""
    return (
        one.virtual == other.virtual
        and one.exported == other.exported
        and (
            _shares_values(one.parameters, other.parameters)
            or values.make_key(one.parameters) == values.make_key(other.parameters)
        )
    )


def _shares_values(one: dict[str, Value], other: dict[str, Value]) -> bool:
    """Return True when the attributes are identical objects or equal lists of strings."""
    return len(one) == len(other) and all(
        name in other and (other[name] is value or _are_same_strings(other[name], value))
        for name, value in one.items()
    )


def _are_same_strings(one: Value, other: Value) -> bool:
    """Return True for equal arrays of strings, such as the references that arrows add."""
    return type(one) is list and type(other) is list and one == other and {*map(type, one)} <= {str}
