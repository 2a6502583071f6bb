"""What containers hand down: metaparameters that hold for all that they contain, and tags to classes.

The released Puppet walks from the class of the program itself, `main`: what only a stage contains, as it does the
classes that are included, is not reached, unless something reached contains it by `contain`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import chain
from operator import attrgetter
from typing import Any

from evaluator.catalog import tags
from evaluator.catalog.model import MAIN_CLASS, Catalog, CatalogResource, Key, format_key
from evaluator.catalog.provenance import record_container

PROPAGATED = ("noop", "schedule", "audit", "loglevel", "alias", "tag")
_NAMES = frozenset(PROPAGATED)
_PARAMETERS = attrgetter("parameters")


def propagate_metaparameters(catalog: Catalog) -> None:
    """Gives the metaparameters of defines and classes to what they contain and that has none of its own.

    Classes get the tags as well of what contains them by `contain`; everything else has them of its container.
    """
    resources = catalog.resources
    if not has_propagated_metaparameters(
        catalog, [*catalog.pending, *(("class", name) for name in catalog.classes)]
    ):
        return
    contents = _collect_contents(catalog)
    handed: dict[Key, dict[str, Any]] = {}
    seen: set[Key] = set()
    waiting = deque([MAIN_CLASS])
    while waiting:
        key = waiting.popleft()
        if key in seen:
            continue
        seen.add(key)
        inner = contents.get(key, ())
        given = handed.get(key) or _get_metaparameters(resources[key])
        if given:
            for target in inner:
                resource = _inherit_metaparameters(catalog, resources[target], given, key)
                handed[target] = {**given, **_get_metaparameters(resource)}
        waiting.extend(inner)
    _propagate_tags(catalog, contents)


def _propagate_tags(catalog: Catalog, contents: dict[Key, list[Key]]) -> None:
    """Gives classes the tags of what is reached and contains them; what they have by then goes to their contents."""
    pairs = {*catalog.contained}
    seen: set[Key] = set()
    waiting = deque([MAIN_CLASS])
    while waiting:
        key = waiting.popleft()
        if key in seen:
            continue
        seen.add(key)
        inner = contents.get(key, ())
        for target in inner:
            if (key, target) in pairs:
                known = {*tags.collect_tags(catalog, catalog.resources[target])}
                new = [tag for tag in tags.collect_tags(catalog, catalog.resources[key]) if tag not in known]
                tags.add_tags(catalog, catalog.resources[target], new, alone=target in seen)
        waiting.extend(inner)


def has_propagated_metaparameters(catalog: Catalog, containers: Iterable[Key]) -> bool:
    """True when one of these defines and classes has something to hand down."""
    keys = {*containers}
    found = filter(None, map(catalog.resources.get, keys))
    if not _NAMES.isdisjoint(chain.from_iterable(map(_PARAMETERS, found))):
        return True
    return any(container in keys and container[0] != "class" for container, _ in catalog.contained)


def _collect_contents(catalog: Catalog) -> dict[Key, list[Key]]:
    """Container -> what it contains, in the order in which that came."""
    found: dict[Key, list[Key]] = {}
    for key, resource in catalog.resources.items():
        found.setdefault(resource.container, []).append(key)
    for container, key in catalog.contained:
        found.setdefault(container, []).append(key)
    return found


def _get_metaparameters(resource: CatalogResource) -> dict[str, Any]:
    given = resource.parameters
    if _NAMES.isdisjoint(given):
        return {}
    return {name: given[name] for name in PROPAGATED if given.get(name) is not None}


def _inherit_metaparameters(
    catalog: Catalog, resource: CatalogResource, given: dict[str, Any], owner: Key
) -> CatalogResource:
    """The resource with what it has not of what is given by what contains it."""
    new = {name: value for name, value in given.items() if resource.parameters.get(name) is None}
    if not new:
        return resource
    resource = catalog.make_writable(resource)
    resource.parameters.update(new)
    if resource.scope is not None and resource.scope.runtime.settings.recorded:
        record_container(resource, format_key(owner), new)
    resource.set_optional(places={**(resource.places or {}), **dict.fromkeys(new)})
    return resource
