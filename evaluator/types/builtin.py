"""The built-in types by name."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.types import (
    base,
    callables,
    containers,
    numbers,
    references,
    strings,
    structures,
    variants,
    wrappers,
)
from evaluator.types.base import Type
from lexer_parser.dialect import Dialect

_CORE: dict[str, Type] = {
    type.keyword.lower(): type
    for type in (
        base.ANY,
        base.UNDEF,
        base.DEFAULT,
        base.SCALAR,
        base.SCALAR_DATA,
        base.NUMERIC,
        base.BOOLEAN,
        numbers.INTEGER,
        numbers.FLOAT,
        strings.STRING,
        strings.ENUM,
        strings.PATTERN,
        strings.REGEXP,
        containers.COLLECTION,
        containers.ARRAY,
        containers.HASH,
        structures.TUPLE,
        structures.STRUCT,
        variants.VARIANT,
        variants.OPTIONAL,
        variants.NOT_UNDEF,
        wrappers.TYPE,
        wrappers.SENSITIVE,
        wrappers.ITERABLE,
        wrappers.ITERATOR,
        callables.CALLABLE,
        references.CLASS,
    )
}
_CORE["catalogentry"] = references.CATALOG_ENTRY
_CORE["resource"] = references.RESOURCE


def _rarer() -> dict[str, Type]:
    """The types that few programs name."""
    from evaluator.types import (
        aliases,
        builtin_objects,
        data,
        initializers,
        objects,
        platform,
        rich,
        typesets,
    )

    found: dict[str, Type] = {
        type.keyword.lower(): type
        for type in (
            initializers.INIT,
            platform.RUNTIME,
            rich.BINARY,
            rich.SEMVER,
            rich.SEMVER_RANGE,
            rich.TIMESPAN,
            rich.TIMESTAMP,
            rich.URI,
            objects.OBJECT,
            typesets.TYPE_SET,
        )
    }
    found["typealias"] = aliases.TypeAlias("UnresolvedAlias", aliases.TypeReference())
    for alias in (data.DATA, data.RICH_DATA, data.RICH_DATA_KEY, *builtin_objects.ALIASES):
        found[alias.name.lower()] = alias
    for object_type in builtin_objects.OBJECTS:
        found[object_type.name.lower()] = object_type
    return found


def _specified() -> dict[str, Type]:
    """What the specification means by a name where the released Puppet means something else, by switch."""
    from evaluator.types import data, platform

    specified = data.SPECIFIED_DATA
    return {
        "data": specified,
        "array": containers.ArrayType(specified, bare=True),
        "hash": containers.HashType(base.SCALAR, specified, bare=True),
        "pattern": strings.PatternType(empty=True),
        "optional": variants.OptionalType(empty=True),
        "struct": structures.StructType(any=True),
        "literal": base.FormerLiteralType(),
        "object": base.FormerObjectType(),
        "ruby": platform.RuntimeType("ruby", short=True),
    }


_SWITCHES: dict[str, Callable[[Dialect], bool]] = {
    **dict.fromkeys(("data", "array", "hash"), lambda dialect: dialect.data_model),
    **dict.fromkeys(("pattern", "optional", "struct"), lambda dialect: dialect.bare_types),
    **dict.fromkeys(("literal", "object", "ruby"), lambda dialect: dialect.former_types),
}
_rare: dict[str, Type] = {}
_special: dict[str, Type] = {}


def named(name: str, dialect: Dialect) -> Type | None:
    """The built-in type of a name in any case, as the dialect means it; None when there is no such type."""
    lowered = name.lower().removeprefix("::")
    switch = _SWITCHES.get(lowered)
    if switch is not None and switch(dialect):
        if not _special:
            _special.update(_specified())
        return _special[lowered]
    found = _CORE.get(lowered)
    if found is None and lowered not in _CORE:
        if not _rare:
            _rare.update(_rarer())
        found = _rare.get(lowered)
    if found is None and lowered.startswith("pcore::"):
        from evaluator.types.metatypes import metatype

        return metatype(lowered.removeprefix("pcore::"))
    return found


def names(dialect: Dialect) -> list[str]:
    """The names of all built-in types of the dialect, as they are written."""
    if not _rare:
        _rare.update(_rarer())
    known = [type.simple_name for type in (*_CORE.values(), *_rare.values())]
    extra = ["Literal", "Ruby"] if dialect.former_types else []
    unnamed = {"UnresolvedAlias", "DefaultTypeSet"}  # what a bare TypeAlias and TypeSet call themselves
    return sorted({*known, "TypeAlias", "TypeSet", *extra} - unnamed)
