"""Propagation of metaparameters and tags from containers to what they contain.

Puppet walks from the class of the program itself, `main`, which contains no stages. So classes, which only a stage
contains, are not reached unless a reached resource contains them by `contain`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from evaluator.catalog import tags
from evaluator.catalog.model import (
    COMPONENT,
    MAIN_CLASS,
    PROPAGATED,
    PROPAGATED_NAMES,
    Catalog,
    CatalogResource,
    Key,
    format_key,
)
from evaluator.catalog.provenance import record_container
from evaluator.values import Value


def propagate_metaparameters(catalog: Catalog) -> None:
    """Copy the metaparameters of defines and classes to the resources that they contain.

    A resource keeps the metaparameters that it sets itself. Classes also receive the tags of the containers
    that `contain` them; the tags of other resources are computed from their containers on demand.
    """
    resources = catalog.resources
    if not catalog.has_propagated(catalog.pending, catalog.classes):
        return
    contents = _collect_contents(catalog)
    inherited: dict[Key, dict[str, Any]] = {}
    for key, inner, _ in _iterate_containers(contents):
        passed = inherited.get(key) or _get_metaparameters(resources[key])
        if passed:
            for target in inner:
                resource = _inherit_metaparameters(catalog, resources[target], passed, key)
                inherited[target] = {**passed, **_get_metaparameters(resource)}
    _propagate_tags(catalog, contents)


def _propagate_tags(catalog: Catalog, contents: dict[Key, list[Key]]) -> None:
    """Add the tags of reached containers to the classes that they `contain`.

    Tags that a class already has when it is reached are passed on to its contents; later ones are its own
    alone.
    """
    contained = {*catalog.contained}
    for key, inner, reached in _iterate_containers(contents):
        for target in inner:
            if (key, target) in contained:
                present = {*tags.collect_tags(catalog, catalog.resources[target])}
                new = [
                    tag for tag in tags.collect_tags(catalog, catalog.resources[key]) if tag not in present
                ]
                tags.add_tags(catalog, catalog.resources[target], new, alone=target in reached)


def _iterate_containers(
    contents: dict[Key, list[Key]],
) -> Iterator[tuple[Key, Sequence[Key], set[Key]]]:
    """Yield each container from the outermost on, with its contents and all containers so far."""
    reached: set[Key] = set()
    waiting = deque([MAIN_CLASS])
    while waiting:
        key = waiting.popleft()
        if key not in reached:
            reached.add(key)
            inner = contents.get(key, ())
            yield key, inner, reached
            waiting.extend(inner)


def _collect_contents(catalog: Catalog) -> dict[Key, list[Key]]:
    """Return the contents of each container in the order of declaration."""
    contents: dict[Key, list[Key]] = {}
    for key, resource in catalog.resources.items():
        if resource.type not in ("stage", COMPONENT):
            contents.setdefault(resource.container, []).append(key)
    for container, key in catalog.contained:
        contents.setdefault(container, []).append(key)
    return contents


def _get_metaparameters(resource: CatalogResource) -> dict[str, Value]:
    parameters = resource.parameters
    if PROPAGATED_NAMES.isdisjoint(parameters):
        return {}
    return {name: parameters[name] for name in PROPAGATED if parameters.get(name) is not None}


def _inherit_metaparameters(
    catalog: Catalog, resource: CatalogResource, inherited: dict[str, Value], owner: Key
) -> CatalogResource:
    """Return the resource with those metaparameters of its container that it does not set."""
    new = {name: value for name, value in inherited.items() if resource.parameters.get(name) is None}
    if not new:
        return resource
    resource = catalog.make_writable(resource)
    resource.parameters.update(new)
    catalog.sets_aliases = catalog.sets_aliases or "alias" in new
    if resource.scope is not None and resource.scope.runtime.settings.recorded:
        record_container(resource, format_key(owner), new)
    resource.set_optional(places={**(resource.places or {}), **dict.fromkeys(new)})
    return resource
