"""Relationships that stand in attributes: the metaparameters `before`, `notify`, `require` and `subscribe`.

What arrows have said stands there too, once the catalog is settled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.catalog.collectors import reference_key, shown_reference
from evaluator.catalog.failures import problem
from evaluator.catalog.model import MAIN_CLASS, Catalog, Link, Resource
from evaluator.catalog.references import AttributeReference
from evaluator.catalog.relationships import Arrows, shown_key
from evaluator.resource_types import RELATIONSHIP_NAMES


def references_of(value: Any) -> list[Any]:
    """The references of a relationship attribute, flat and without undef."""
    if type(value) is not list:
        return [] if value is None else [value]
    if is_flat(value):
        return value
    found: list[Any] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif item is not None:
            found.append(item)
    return found


def is_flat(value: list[Any]) -> bool:
    """True when the references of a relationship attribute stand in no arrays, and none of them is undef."""
    return _NOT_FLAT.isdisjoint(map(type, value))


_NOT_FLAT = frozenset({list, type(None)})


# attribute -> (kind of edge, true when the resource itself is the source)
_MEANING = {
    "before": ("before", True),
    "notify": ("notify", True),
    "require": ("before", False),
    "subscribe": ("notify", False),
}


def links_of(catalog: Catalog, resource: Resource) -> list[Link]:
    """The relationships that a resource's own attributes make; what is not there is left out."""
    found: list[Link] = []
    parameters, own = resource.parameters, (resource.type, resource.title)
    origins, resources = catalog.origins, catalog.resources
    for name, (kind, forward) in _MEANING.items():
        value = parameters.get(name)
        if value is None:
            continue
        for item in references_of(value):
            is_text = type(item) is str
            key = reference_key(item)
            other = None if key is None else resources.get(key)
            if key is not None and (other is None or key == MAIN_CLASS):
                other = catalog.find(key)
            if other is None or key is None or other.virtual:
                continue
            arrow = origins.get((own, key, kind)) if is_text and origins else None
            if other.title != key[1] or other.type != key[0]:  # it goes by another name
                key = (other.type, other.title)
            ends = (own, key, kind) if forward else (key, own, kind)
            found.append((ends, name, resource) if arrow is None else (ends, arrow.arrow, arrow))
    return found


def check_references(
    catalog: Catalog, related: Iterable[Resource], pending: list[Any] | None, arrows: Arrows
) -> None:
    """Makes the relationship attributes of resources flat, and checks that what they refer to exists.

    arrows  what these have added to attributes: that is flat and exists
    Raises NO_REFERENCE and PARAMETER_TARGET_MISSING, the latter only when `pending` does not take it.
    """
    resources, whole = catalog.resources, arrows.whole
    flat: dict[int, list[Any]] = {}  # an array that several resources hold stays one
    for resource in related:
        complete = True
        for name, value in resource.parameters.items():
            if name not in RELATIONSHIP_NAMES or value is None or id(value) in whole:
                continue
            if type(value) is list and not is_flat(value):
                resource = catalog.own(resource)
                value = resource.parameters[name] = flat.setdefault(id(value), references_of(value))
            for item in value if type(value) is list else (value,):
                if type(item) is AttributeReference and item.title and item.type_name != "class":
                    key: Any = (item.type_name, item.title)  # as its `key` says
                else:
                    key = reference_key(item)
                if key not in resources or key == MAIN_CLASS:
                    complete = complete and key is not None and catalog.find(key) is not None
        if not complete and not resource.virtual:
            _check_targets(catalog, resource, pending)


def _check_targets(catalog: Catalog, resource: Resource, pending: list[Any] | None) -> None:
    for name in resource.parameters:
        if name not in RELATIONSHIP_NAMES:
            continue
        for item in references_of(resource.parameters[name]):
            key = reference_key(item)
            if key is not None and catalog.find(key) is not None:
                continue
            span = resource.place_of(name) or resource.span
            if key is None or not key[1]:
                raise problem("NO_REFERENCE", span, text=shown_reference(item))
            target = item if type(item) is str else shown_key(key)
            missing = problem("PARAMETER_TARGET_MISSING", span, target=target, name=name)
            if pending is None:
                raise missing
            pending.append(missing)
