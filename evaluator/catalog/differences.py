"""Comparison of values, of two catalogs, and of a catalog with its former state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from evaluator import values
from evaluator.catalog.fixpoint_result import CatalogDifference, LinkChanges
from evaluator.catalog.model import Catalog, CatalogResource, Ends, Key, Link
from evaluator.catalog.references import AttributeReference, UntitledReference
from evaluator.catalog.relationships import collect_links
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.types import ClassType, ResourceType
from evaluator.values import Key as HashKey
from evaluator.values import Sensitive, Value
from evaluator.values.dag import CONTAINERS, MANY, is_worth_memoizing

_PLAIN = frozenset({str, int, bool, type(None)})
_REFERENCES = frozenset({ResourceType, ClassType, AttributeReference, UntitledReference})
_DATA = frozenset({*_PLAIN, *CONTAINERS, *_REFERENCES, float, HashKey})


def compare_catalogs(before: Catalog, after: Catalog) -> CatalogDifference:
    """Return the difference between two complete catalogs.

    Their relationships are compared when they are requested.
    """
    difference = CatalogDifference()
    if before is after:
        return difference
    former, now = before.resources, after.resources
    difference.added = [resource for key, resource in now.items() if key not in former]
    changed = {key for key in former.keys() & now.keys() if not is_same_resource(former[key], now[key])}
    if changed:
        difference.changed = [(former[key], now[key]) for key in now if key in changed]
    gone = former.keys() - now.keys()
    if gone:
        difference.removed = [former[key] for key in before.sort_keys([key for key in former if key in gone])]
    difference.compare = partial(_compare_links, before, after)
    return difference


def compare_growth(
    catalog: Catalog, resources: int, replaced: dict[Key, CatalogResource]
) -> CatalogDifference:
    """Return what was added to a catalog and changed in it.

    Its relationships are compared when they are requested.

    Args:
        catalog: The catalog as it is now.
        resources: The number of resources that it had before.
        replaced: The former versions of resources that were replaced afterwards.
    """
    difference = CatalogDifference()
    difference.added = catalog.list_added(resources)
    keys: Iterable[Key] = replaced
    if len(replaced) > 1:  # sorting lists all keys of the catalog
        keys = catalog.sort_keys([key for key in catalog.resources if key in replaced])
    changed = ((replaced[key], catalog.resources[key]) for key in keys)
    difference.changed = [(before, after) for before, after in changed if not is_same_resource(before, after)]
    difference.compare = partial(_compare_links, catalog, catalog)
    return difference


def _compare_links(before: Catalog, after: Catalog, difference: CatalogDifference) -> LinkChanges:
    """Return the relationships of changed resources: new ones, and those that are gone.

    A resource had none while it was virtual, or before it was added to the catalog.

    Args:
        before, after: The catalogs; the same one twice if it has grown.
        difference: The resources that were added, removed and changed.
    """
    ends_before = _collect_ends(
        before, [*difference.removed, *(resource for resource, _ in difference.changed)]
    )
    if ends_before and before is after:
        hidden = {resource.key for resource in difference.added} | {
            resource.key for resource, _ in difference.changed if resource.virtual
        }
        ends_before = {
            (source, target, kind): link
            for (source, target, kind), link in ends_before.items()
            if source not in hidden and target not in hidden
        }
    ends_after = _collect_ends(after, [*difference.added, *(resource for _, resource in difference.changed)])
    added = [link for ends, link in ends_after.items() if ends not in ends_before]
    return added, [link for ends, link in ends_before.items() if ends not in ends_after]


def _collect_ends(catalog: Catalog, resources: Iterable[CatalogResource]) -> dict[Ends, Link]:
    """Return the relationships that resources make, each once, with its first origin."""
    links: dict[Ends, Link] = {}
    for resource in resources:
        if not RELATIONSHIP_NAMES.isdisjoint(resource.parameters) and not resource.virtual:
            for ends, reason, origin in collect_links(catalog, resource):
                links.setdefault(ends, (ends, reason, origin))
    return links


def is_same_resource(former: CatalogResource, current: CatalogResource) -> bool:
    """Return True when two versions of a resource look the same in the catalog."""
    return former is current or (
        former.virtual == current.virtual
        and former.exported == current.exported
        and (
            _shares_values(former.parameters, current.parameters)
            or values.make_key(former.parameters) == values.make_key(current.parameters)
        )
    )


def _shares_values(former: dict[str, Value], current: dict[str, Value]) -> bool:
    """Return True when the attributes are identical objects or equal lists of strings."""
    return len(former) == len(current) and all(
        name in current and (current[name] is value or _are_same_strings(current[name], value))
        for name, value in former.items()
    )


def _are_same_strings(former: Value, current: Value) -> bool:
    """Return True for equal arrays of strings, such as the references that arrows add."""
    return (
        type(former) is list and type(current) is list and former == current and {*map(type, former)} <= {str}
    )


# --- values


def is_same_data(first: Value, second: Value) -> bool | None:
    """Return whether two values are structurally equal data.

    None if they contain something else than data and references. Equal data has the same text and type: `1` and `1.0`
    differ, and so do hashes in another order. Shared parts are compared once, and no text of a large value is built.
    Whether different secrets differ depends on who looks.
    """
    levels: list[Iterator[tuple[Value, Value]]] = [iter([(first, second)])]
    seen: set[tuple[int, int]] = set()
    compared = 0
    while levels:
        for left, right in levels[-1]:
            kind = type(left)
            if kind is not type(right):
                return False if kind in _DATA and type(right) in _DATA else None
            if left is right:
                continue
            if kind in _PLAIN:
                if left != right:
                    return False
            elif kind is float:
                if repr(left) != repr(right):  # there are two zeros
                    return False
            elif kind in _REFERENCES:
                if left.parts() != right.parts():
                    return False
            elif kind is Sensitive and left == right:
                continue
            elif kind not in _DATA:
                return None
            else:
                if kind in CONTAINERS and len(left) != len(right):
                    return False
                compared += 1
                if compared > MANY and kind in CONTAINERS and is_worth_memoizing(left):
                    if (id(left), id(right)) in seen:
                        continue
                    seen.add((id(left), id(right)))
                levels.append(_pair_parts(left, right))
                break
        else:
            levels.pop()
    return True


def _pair_parts(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """Return the pairs of parts of two containers of one kind."""
    if type(left) is HashKey:
        return iter([(left.value, right.value)])
    if type(left) is list:
        return zip(left, right, strict=True)
    return zip(chain.from_iterable(left.items()), chain.from_iterable(right.items()), strict=True)
