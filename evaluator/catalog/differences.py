"""What changed from one catalog to the next."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from evaluator import values
from evaluator.catalog.graph import edges_of
from evaluator.catalog.model import Catalog, Difference, Edge, Key, Resource
from evaluator.resource_types import RELATIONSHIP_NAMES


def difference(before: Catalog, after: Catalog) -> Difference:
    """Compares two settled catalogs."""
    found = Difference()
    if before is after:
        return found
    for key, resource in after.resources.items():
        known = before.resources.get(key)
        if known is None:
            found.added.append(resource)
        elif known is not resource and not same(known, resource):
            found.changed.append((known, resource))
    gone = before.resources.keys() - after.resources.keys()
    found.removed = (
        [resource for key, resource in before.in_order().resources.items() if key in gone] if gone else []
    )
    return _with_edges(found, before, after)


def growth(catalog: Catalog, resources: int, changes: int) -> Difference:
    """What has been done to a settled catalog since it had so many resources and changes of them."""
    found = Difference()
    added = dict(islice(reversed(catalog.resources.items()), len(catalog.resources) - resources))
    found.added = list(added.values())[::-1]
    known: dict[Key, Resource] = {}
    for key, before, _ in catalog.changes[changes:]:
        if key not in added:
            known.setdefault(key, before)
    keys = [key for key in catalog.in_order().resources if key in known] if len(known) > 1 else known
    changed = ((known[key], catalog.resources[key]) for key in keys)
    found.changed = [(before, after) for before, after in changed if not same(before, after)]
    return _with_edges(found, catalog, catalog)


def _with_edges(found: Difference, before: Catalog, after: Catalog) -> Difference:
    edges_before = dict.fromkeys(_edges(before, [*found.removed, *(one for one, _ in found.changed)]))
    edges_after = dict.fromkeys(_edges(after, [*found.added, *(other for _, other in found.changed)]))
    found.edges_added = [edge for edge in edges_after if edge not in edges_before]
    found.edges_removed = [edge for edge in edges_before if edge not in edges_after]
    return found


def _edges(catalog: Catalog, resources: Iterable[Resource]) -> Iterable[Edge]:
    for resource in resources:
        if not resource.virtual and not RELATIONSHIP_NAMES.isdisjoint(resource.parameters):
            yield from edges_of(catalog, resource)


def same(one: Resource, other: Resource) -> bool:
    """True when two resources look the same in the catalog."""
    return (
        one.virtual == other.virtual
        and one.exported == other.exported
        and (
            _shares(one.parameters, other.parameters)
            or values.key(one.parameters) == values.key(other.parameters)
        )
    )


def _shares(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """True when the attributes are the very same values, as they are in copies of one resource."""
    return len(one) == len(other) and all(
        name in other and other[name] is value for name, value in one.items()
    )
