"""The built-in types by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

from evaluator.types import arrays, base, data, hashes, platform, strings, variants
from evaluator.types.base import Type
from evaluator.types.core_names import CORE
from lexer_parser.dialect import PUPPET, Dialect


def _specified() -> dict[str, Type]:
    """What the specification means by a name where the released Puppet means something else, by switch."""
    specified = data.SPECIFIED_DATA
    return {
        "data": specified,
        "array": arrays.ArrayType(specified, bare=True),
        "hash": hashes.HashType(base.SCALAR, specified, bare=True),
        "pattern": strings.PatternType(empty=True),
        "optional": variants.OptionalType(empty=True),
        "struct": hashes.StructType(any=True),
        "literal": base.FormerLiteralType(),
        "ruby": platform.RuntimeType("ruby", short=True),
    }


_SWITCHES: dict[str, Callable[[Dialect], bool]] = {
    **dict.fromkeys(("data", "array", "hash"), lambda dialect: dialect.data_model),
    **dict.fromkeys(("pattern", "optional", "struct"), lambda dialect: dialect.bare_types),
    **dict.fromkeys(("literal", "object", "ruby"), lambda dialect: dialect.former_types),
}
_special: dict[str, Type] = {}


def named(name: str, dialect: Dialect) -> Type | None:
    """The built-in type of a name in any case, as the dialect means it; None when there is no such type."""
    lowered = name.lower().removeprefix("::")
    switch = _SWITCHES.get(lowered)
    if switch is not None and switch(dialect):
        if not _special:
            _special.update(_specified())
        if lowered == "object":
            former: Type = _rarer().objects.FORMER_OBJECT
            return former
        return _special[lowered]
    return CORE.get(lowered) or _rare(lowered)


@lru_cache(maxsize=1000)
def _rare(lowered: str) -> Type | None:
    """A type that few programs name, or None: so it is for the names of resource types, which many do."""
    found: Type | None = _rarer().rare(lowered, lambda name: named(name, PUPPET))
    return found


def _rarer() -> ModuleType:
    from evaluator.types import rarer  # half of all types, which would make the start longer

    return rarer


def names(dialect: Dialect) -> list[str]:
    """The names of all built-in types of the dialect, as they are written."""
    known = [type.simple_name for type in (*CORE.values(), *_rarer().types().values())]
    extra = ["Literal", "Ruby"] if dialect.former_types else []
    unnamed = {"UnresolvedAlias", "DefaultTypeSet"}  # what a bare TypeAlias and TypeSet call themselves
    return sorted({*known, "TypeAlias", "TypeSet", *extra} - unnamed)
