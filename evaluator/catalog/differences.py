"""What changed from one catalog to the next."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from evaluator import values
from evaluator.catalog.links import links_of
from evaluator.catalog.model import Catalog, Difference, Ends, Key, Link, Resource
from evaluator.resource_types import RELATIONSHIP_NAMES

Links = dict[Key, list[Link]]


def difference(before: Catalog, after: Catalog, links: Links | None = None) -> Difference:
    """Compares two settled catalogs; `links` are the relationships of resources after, where they are known."""
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
    links_before = _links(before, [*found.removed, *(one for one, _ in found.changed)], {})
    links_after = _links(after, [*found.added, *(other for _, other in found.changed)], links or {})
    return _with_edges(found, links_before, links_after)


def growth(catalog: Catalog, resources: int, replaced: dict[Key, Resource], links: Links) -> Difference:
    """What has been done to a settled catalog since it had so many resources.

    replaced  what was there and has another form since;  links  the relationships of all these resources
    """
    found = Difference()
    count = len(catalog.resources) - resources
    found.added = list(islice(reversed(catalog.resources.values()), count))[::-1]
    keys = [key for key in catalog.in_order().resources if key in replaced] if len(replaced) > 1 else replaced
    changed = ((replaced[key], catalog.resources[key]) for key in keys)
    found.changed = [(before, after) for before, after in changed if not same(before, after)]
    after = [found for key, found in links.items() if key not in replaced]
    after += [links[key] for _, resource in found.changed if (key := resource.key) in links]
    return _with_edges(found, _links(catalog, [one for one, _ in found.changed], {}), after)


def _with_edges(found: Difference, before: Iterable[list[Link]], after: Iterable[list[Link]]) -> Difference:
    ends_before, ends_after = _by_ends(before), _by_ends(after)
    if ends_before:
        found.linked = [link for ends, link in ends_after.items() if ends not in ends_before]
    else:
        found.linked = list(ends_after.values())
    found.unlinked = [link for ends, link in ends_before.items() if ends not in ends_after]
    return found


def _by_ends(links: Iterable[list[Link]]) -> dict[Ends, Link]:
    """Each relationship once, as it was met first."""
    found: dict[Ends, Link] = {}
    for each in links:
        for link in each:
            found.setdefault(link[0], link)
    return found


def _links(catalog: Catalog, resources: Iterable[Resource], known: Links) -> Iterable[list[Link]]:
    """The relationships that each of the resources makes."""
    for resource in resources:
        if not RELATIONSHIP_NAMES.isdisjoint(resource.parameters) and not resource.virtual:
            found = known.get(resource.key)
            yield links_of(catalog, resource) if found is None else found


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
