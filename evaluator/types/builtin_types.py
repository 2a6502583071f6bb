"""The built-in types by name, and types from source text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types.base import ANY, DEFAULT, HOOKS, UNDEF, Type
from evaluator.types.callables import CALLABLE
from evaluator.types.collections import (
    ARRAY,
    COLLECTION,
    HASH,
    STRUCT,
    TUPLE,
    ArrayType,
    HashType,
    StructType,
)
from evaluator.types.data import SPECIFIED_DATA
from evaluator.types.numbers import FLOAT, INTEGER
from evaluator.types.references import CATALOG_ENTRY, CLASS, RESOURCE, RuntimeType
from evaluator.types.scalars import BOOLEAN, NUMERIC, SCALAR, SCALAR_DATA, FormerLiteralType
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType
from evaluator.types.variants import (
    ITERABLE,
    ITERATOR,
    NOT_UNDEF,
    OPTIONAL,
    SENSITIVE,
    TYPE,
    VARIANT,
    OptionalType,
)
from evaluator.values.kind import Value
from lexer_parser.dialect import Dialect
from lexer_parser.memo import MemoTable, memoize

CORE: dict[str, Type] = {
    type.keyword.lower(): type
    for type in (
        ANY,
        UNDEF,
        DEFAULT,
        SCALAR,
        SCALAR_DATA,
        NUMERIC,
        BOOLEAN,
        INTEGER,
        FLOAT,
        STRING,
        ENUM,
        PATTERN,
        REGEXP,
        COLLECTION,
        ARRAY,
        HASH,
        TUPLE,
        STRUCT,
        VARIANT,
        OPTIONAL,
        NOT_UNDEF,
        TYPE,
        SENSITIVE,
        ITERABLE,
        ITERATOR,
        CALLABLE,
        CLASS,
    )
}
CORE["catalogentry"] = CATALOG_ENTRY
CORE["resource"] = RESOURCE


# --- types by name


@memoize(owner="one result", interned=True)
def _make_specified_types() -> dict[str, Type]:
    """Return the types to which the specification attaches another meaning than the released Puppet."""
    specified = SPECIFIED_DATA
    return {
        "data": specified,
        "array": ArrayType(specified, bare=True),
        "hash": HashType(SCALAR, specified, bare=True),
        "pattern": PatternType(empty=True),
        "optional": OptionalType(empty=True),
        "struct": StructType(any=True),
        "literal": FormerLiteralType(),
        "ruby": RuntimeType("ruby", short=True),
    }


_SWITCHES: dict[str, Callable[[Dialect], bool]] = {
    **dict.fromkeys(("data", "array", "hash"), lambda dialect: dialect.data_model),
    **dict.fromkeys(("pattern", "optional", "struct"), lambda dialect: dialect.bare_types),
    **dict.fromkeys(("literal", "object", "ruby"), lambda dialect: dialect.former_types),
}


def find_builtin_type(name: str, dialect: Dialect) -> Type | None:
    """Return the built-in type of a name in any case, as the dialect means it; None if there is none."""
    lowered = name.lower().removeprefix("::")
    switch = _SWITCHES.get(lowered)
    if switch is not None and switch(dialect):
        return (
            _find_lazy_type(lowered, former=True) if lowered == "object" else _make_specified_types()[lowered]
        )
    return CORE.get(lowered) or _find_lazy_type(lowered)


@memoize(1000)
def _find_lazy_type(lowered: str, former: bool = False) -> Type | None:
    """Return a type that few programs name; the result, often None, is stored for each name."""
    from evaluator.types import lazy_types  # half of all types, which would make the start longer

    return lazy_types.FORMER_OBJECT if former else lazy_types.find_lazy_type(lowered)


HOOKS.find_builtin_type = find_builtin_type


def list_builtin_names(dialect: Dialect) -> list[str]:
    """Return the names of all built-in types of the dialect, as they are written."""
    from evaluator.types import lazy_types

    known = [type.simple_name for type in (*CORE.values(), *lazy_types.get_lazy_types().values())]
    extra = ["Literal", "Ruby"] if dialect.former_types else []
    unnamed = {"UnresolvedAlias", "DefaultTypeSet"}  # what a bare TypeAlias and TypeSet call themselves
    return sorted({*known, "TypeAlias", "TypeSet", *extra} - unnamed)


# --- types from source text

_parsed: MemoTable[tuple[str, str], Type] = MemoTable("types by source text", 5000)


def parse_type(text: str, dialect: Dialect, resolve: Callable[[str], Any] | None = None) -> Type:
    """Return the Type of a source text such as `Array[Integer, 1]`.

    Args:
        text: The source.
        dialect: The dialect that decides what built-in names mean.
        resolve: Returns the Type of a name that is not built in.

    Raises:
        PuppetError: The text is no Puppet, or names an unknown type.
        Failure: The text is no type expression.
    """
    from evaluator.types.parsing import (  # half of all types, which would make the start longer
        parse,
        raise_unknown_type,
    )

    def known(name: str) -> Type | None:
        return find_builtin_type(name, dialect)

    if resolve is not None:
        return parse(text, known, dialect, resolve)
    found = _parsed.get((text, dialect.name))
    if found is None:
        found = _parsed[text, dialect.name] = parse(text, known, dialect, raise_unknown_type)
    return found


# --- fast conversions, for calls such as `String(5)` without a constructor

INTEGERS = 2**63


def _to_string(value: Value) -> str | None:
    if type(value) is str:
        return value
    return str(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


def _to_integer(value: Value) -> int | None:
    if type(value) is int:
        return value
    plain = (
        type(value) is str and value.isdecimal() and value.isascii() and value[0] != "0" and len(value) < 19
    )
    return int(value) if plain else None


def _to_float(value: Value) -> float | None:
    if type(value) is float:
        return value
    return float(value) if type(value) is int and -INTEGERS <= value < INTEGERS else None


def _to_numeric(value: Value) -> int | float | None:
    return value if type(value) is int or type(value) is float else None


# What types make of one value, None where it is for their constructors; by identity, as a hash of a type costs more
# than the conversion.
FAST_CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    id(STRING): _to_string,
    id(INTEGER): _to_integer,
    id(FLOAT): _to_float,
    id(NUMERIC): _to_numeric,
}


def convert_fast(type: Any, value: Value) -> Any:
    """Return the conversion of one value, or None if only the constructor of the type can make it."""
    convert = FAST_CONVERSIONS.get(id(type))
    return None if convert is None else convert(value)
