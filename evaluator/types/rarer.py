"""The types that few programs name: half of all types, imported when the first of them is named."""

from __future__ import annotations

from evaluator.types import (
    aliases,
    binaries,
    builtin_objects,
    data,
    initializers,
    lookup_context,
    objects,
    platform,
    times,
    typesets,
    uris,
    versions,
)
from evaluator.types.base import Type
from evaluator.types.metatypes import metatype
from evaluator.types.parsing import Named

_rare: dict[str, Type] = {}


def types() -> dict[str, Type]:
    """The types by name, in lower case."""
    if not _rare:
        _rare.update(_all())
    return _rare


def rare(lowered: str, named: Named) -> Type | None:
    """The type of a name, in lower case; None when there is none. `named` knows the built-in types by name."""
    if lowered.startswith("pcore::"):
        return metatype(lowered.removeprefix("pcore::"), named)
    return types().get(lowered)


def _all() -> dict[str, Type]:
    """The types that few programs name."""
    found: dict[str, Type] = {
        type.keyword.lower(): type
        for type in (
            initializers.INIT,
            platform.RUNTIME,
            binaries.BINARY,
            versions.SEMVER,
            versions.SEMVER_RANGE,
            times.TIMESPAN,
            times.TIMESTAMP,
            uris.URI,
            objects.OBJECT,
            typesets.TYPE_SET,
        )
    }
    found["typealias"] = aliases.TypeAlias("UnresolvedAlias", aliases.TypeReference())
    for alias in (data.DATA, data.RICH_DATA, data.RICH_DATA_KEY, *lookup_context.ALIASES):
        found[alias.name.lower()] = alias
    for object_type in (*builtin_objects.OBJECTS, lookup_context.lookup_context()):
        found[object_type.name.lower()] = object_type
    return found
