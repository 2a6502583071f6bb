"""The built-in types that most programs name."""

from __future__ import annotations

from evaluator.types import arrays, base, callables, hashes, numbers, references, strings, variants, wrappers
from evaluator.types.base import Type

CORE: dict[str, Type] = {
    type.keyword.lower(): type
    for type in (
        base.ANY,
        base.UNDEF,
        base.DEFAULT,
        base.SCALAR,
        base.SCALAR_DATA,
        base.NUMERIC,
        numbers.BOOLEAN,
        numbers.INTEGER,
        numbers.FLOAT,
        strings.STRING,
        strings.ENUM,
        strings.PATTERN,
        strings.REGEXP,
        arrays.COLLECTION,
        arrays.ARRAY,
        hashes.HASH,
        arrays.TUPLE,
        hashes.STRUCT,
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
CORE["catalogentry"] = references.CATALOG_ENTRY
CORE["resource"] = references.RESOURCE


def core(name: str) -> Type | None:
    """The type of a name in any case; None when it is none of these."""
    return CORE.get(name.lower())
