"""Relationships that stand in attributes: the metaparameters `before`, `notify`, `require` and `subscribe`.

What arrows have said stands there too, once the catalog is settled.
"""

from __future__ import annotations

from typing import Any

from evaluator.catalog.collectors import reference_key, shown_reference
from evaluator.catalog.failures import problem
from evaluator.catalog.model import MAIN_CLASS, Catalog, Link, Resource
from evaluator.catalog.references import AttributeReference
from evaluator.catalog.relationships import Arrows, shown_key
from evaluator.resource_types import RELATIONSHIPS


def references_of(value: Any) -> list[Any]:
    """The references of a relationship attribute, flat and without undef."""
    if type(value) is not list:
        return [] if value is None else [value]
    if (len(value) == 1 and type(value[0]) is str) or is_flat(value):
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
    return _links(catalog, resource, Arrows())[0]


def _links(catalog: Catalog, resource: Resource, arrows: Arrows) -> tuple[list[Link], bool]:
    """The relationships that a resource's own attributes make, and whether all that they refer to is there."""
    found: list[Link] = []
    complete = True
    parameters, own = resource.parameters, (resource.type, resource.title)
    origins, resources, known = catalog.origins, catalog.resources, arrows.meanings
    for name, (kind, forward) in _MEANING.items():
        value = parameters.get(name)
        if value is None:
            continue
        ready = arrows.links(own, value)
        if ready is not None:
            found += ready
            continue
        for item in references_of(value):
            is_text = type(item) is str
            key = known.get(item) if is_text else None
            if type(item) is AttributeReference and item.title and item.type_name != "class":
                key = (item.type_name or "", item.title)  # as its `key` says
            elif key is None:
                key = reference_key(item)
            other = None if key is None else resources.get(key)
            if key is not None and (other is None or key == MAIN_CLASS):
                other = catalog.find(key)
            if other is None or key is None:
                complete = False
            elif not other.virtual:
                arrow = origins.get((own, key, kind)) if is_text and origins else None
                if other.title != key[1] or other.type != key[0]:  # it goes by another name
                    key = (other.type, other.title)
                ends = (own, key, kind) if forward else (key, own, kind)
                found.append((ends, name, resource) if arrow is None else (ends, arrow.arrow, arrow))
    return found, complete


def checked_links(
    catalog: Catalog, resource: Resource, pending: list[Any] | None, arrows: Arrows
) -> list[Link]:
    """`links_of`, after checking that what they refer to exists.

    arrows  what these have added to attributes
    Raises NO_REFERENCE and PARAMETER_TARGET_MISSING, the latter only when `pending` does not take it.
    """
    found, complete = _links(catalog, resource, arrows)
    if not complete:
        _check_targets(catalog, resource, pending)
    return found


def _check_targets(catalog: Catalog, resource: Resource, pending: list[Any] | None) -> None:
    for name in resource.parameters:
        if name not in RELATIONSHIPS:
            continue
        for item in references_of(resource.parameters[name]):
            key = reference_key(item)
            if key is not None and catalog.find(key) is not None:
                continue
            span = resource.place_of(name) or resource.span
            if key is None:
                raise problem("NO_REFERENCE", span, text=shown_reference(item))
            target = item if type(item) is str else shown_key(key)
            missing = problem("PARAMETER_TARGET_MISSING", span, target=target, name=name)
            if pending is None:
                raise missing
            pending.append(missing)
