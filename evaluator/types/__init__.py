"""Puppet's types, the heart of the language: what a value may be.

The specification describes them in "Types, Values, and Variables". A type is an immutable value; it tests values,
compares itself with other types, and writes itself as source. This module finds built-in types by their names; the
types that few programs name are imported on first use.

A value that is no instance of a type is explained in three steps:

* `mismatches` compares an expected with an actual type, as the released Puppet does, and returns findings. A finding
  carries the types it is about and the path to the part that is wrong; it has no wording.
* `puppet_wording` prints findings in the words of the released Puppet, for error messages.
* `learner_wording` prints what makes a value fit ("Put it in quotes"), and explains part by part why a value is an
  instance of a type or is none.

Nothing reads a type back out of a message: an error carries its findings under the argument `mismatches`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from evaluator.types.algebra import (
    format_general_type,
    infer,
    infer_detailed,
    infer_generalized,
    infer_specified,
    list_ruby_parts,
    unite,
)
from evaluator.types.aliases import SPECIFIED_DATA, AliasType, TypeReference, parameterize
from evaluator.types.base import ANY, DEFAULT, HOOKS, UNDEF, UNIT, Type, get_predicate
from evaluator.types.collections import (
    ARRAY,
    COLLECTION,
    HASH,
    STRUCT,
    TUPLE,
    ArrayType,
    CollectionType,
    HashType,
    Member,
    StructType,
    TupleType,
)
from evaluator.types.references import (
    CALLABLE,
    CATALOG_ENTRY,
    CLASS,
    RESOURCE,
    CallableType,
    CatalogEntryType,
    ClassType,
    ResourceType,
    RuntimeType,
    UnknownReference,
    infer_block_type,
    make_entry_type,
)
from evaluator.types.scalars import (
    BOOLEAN,
    ENUM,
    FLOAT,
    INTEGER,
    NUMERIC,
    PATTERN,
    REGEXP,
    SCALAR,
    SCALAR_DATA,
    STRING,
    UNBOUNDED,
    EnumType,
    FloatType,
    FormerLiteralType,
    IntegerType,
    PatternType,
    RegexpType,
    StringType,
)
from evaluator.types.variants import (
    ITERABLE,
    ITERATOR,
    NOT_UNDEF,
    OPTIONAL,
    SENSITIVE,
    TYPE,
    VARIANT,
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
    make_variant,
)
from evaluator.values.chunked import collect_classes
from evaluator.values.core import Sensitive, list_keys
from evaluator.values.kind import Value, get_kind
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lazy import lazy_attributes
from lexer_parser.memo import MemoTable, memoize

if TYPE_CHECKING:
    from evaluator.types.mismatches import (
        CountMismatch,
        InvalidParameter,
        Mismatch,
        MissingParameter,
        TypeMismatch,
        find_argument_mismatches,
        find_mismatches,
        find_value_mismatches,
    )
    from evaluator.types.objects import TypeSetType
    from evaluator.types.puppet_wording import (
        describe_as_arguments,
        to_arguments,
        to_message_arguments,
        to_sentence,
    )

# Few programs use these types, and most have no mismatch: the modules are imported for the first of them.
_LAZY_MODULES = {
    "mismatches": (
        *("CountMismatch", "InvalidParameter", "Mismatch", "MissingParameter", "TypeMismatch"),
        *("find_argument_mismatches", "find_mismatches", "find_value_mismatches"),
    ),
    "objects": ("TypeSetType",),
    "puppet_wording": (
        *(
            "describe_as_arguments",
            "to_arguments",
            "to_message_arguments",
            "to_sentence",
        ),
    ),
}

__all__ = [
    "ANY",
    "ARRAY",
    "BOOLEAN",
    "CALLABLE",
    "CATALOG_ENTRY",
    "CLASS",
    "COLLECTION",
    "CORE",
    "DEFAULT",
    "ENUM",
    "FLOAT",
    "HASH",
    "INTEGER",
    "ITERABLE",
    "ITERATOR",
    "NOT_UNDEF",
    "NUMERIC",
    "OPTIONAL",
    "PATTERN",
    "REGEXP",
    "RESOURCE",
    "SCALAR",
    "SCALAR_DATA",
    "SENSITIVE",
    "STRING",
    "STRUCT",
    "TUPLE",
    "TYPE",
    "UNDEF",
    "UNIT",
    "VARIANT",
    "AliasType",
    "ArrayType",
    "CallableType",
    "CatalogEntryType",
    "ClassType",
    "CollectionType",
    "CountMismatch",
    "EnumType",
    "FloatType",
    "HashType",
    "IntegerType",
    "InvalidParameter",
    "IterableType",
    "IteratorType",
    "Member",
    "Mismatch",
    "MissingParameter",
    "NotUndefType",
    "OptionalType",
    "PatternType",
    "RegexpType",
    "ResourceType",
    "SensitiveType",
    "StringType",
    "StructType",
    "TupleType",
    "Type",
    "TypeMismatch",
    "TypeReference",
    "TypeSetType",
    "TypeType",
    "UnknownReference",
    "VariantType",
    "describe_as_arguments",
    "describe_mismatch",
    "describe_outline",
    "find_argument_mismatches",
    "find_builtin_type",
    "find_mismatches",
    "find_value_mismatches",
    "format_general_type",
    "get_predicate",
    "infer",
    "infer_block_type",
    "infer_detailed",
    "infer_generalized",
    "infer_outline",
    "infer_specified",
    "list_builtin_names",
    "list_ruby_parts",
    "make_entry_type",
    "make_variant",
    "parameterize",
    "parse_type",
    "to_arguments",
    "to_message_arguments",
    "to_sentence",
    "unite",
]


# --- types as views show them

MOST_LOOKS = 3_000  # arrays, hashes and elements that `infer_outline` examines


def infer_outline(value: Value, dialect: Dialect, looks: int = MOST_LOOKS) -> Type:
    """Return the reduced type without value and size parameters, at a bounded cost.

    Of an array or hash that is large, or would be if written out, only the classes of its elements are examined, so
    the result is true and less precise: `Array[Array]`, `Hash[String, Hash]`, `Array`.
    """
    if _is_small(value, looks):
        return infer(value, dialect).generalize()
    if type(value) is Sensitive:
        return SensitiveType(infer_outline(value.value, dialect, looks))
    if type(value) is list:
        return ArrayType(_infer_at_first_sight(value))
    return HashType(_infer_at_first_sight(value), _infer_at_first_sight(value.values()))


def describe_outline(value: Value, dialect: Dialect) -> str:
    """Return the outline as source; the bare name if the source is too long or too deep."""
    try:
        return str(infer_outline(value, dialect))
    except (PuppetError, RecursionError):
        return get_kind(value).name


def _infer_at_first_sight(values: Iterable[Value]) -> Type:
    """Return the common type of elements by their classes alone."""
    found = collect_classes(values)
    if len(found) != 1:
        return ANY
    return _GLIMPSES.get(found.pop(), ANY)


_GLIMPSES: dict[type, Type] = {
    str: STRING,
    int: IntegerType(),
    float: FloatType(),
    bool: BOOLEAN,
    list: ArrayType(),
    dict: HashType(),
}


def _is_small(value: Value, looks: int) -> bool:
    """Return True if a value, written out, has few parts."""
    pending = [value]
    while pending:
        item = pending.pop()
        if type(item) is Sensitive:
            pending.append(item.value)
        looks -= 1 + (len(item) if type(item) is list or type(item) is dict else 0)
        if looks < 0:
            return False
        if type(item) is list:
            pending += item
        elif type(item) is dict:
            pending += [*list_keys(item), *item.values()]
    return True


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
        "enum": EnumType(empty=True),
        "pattern": PatternType(empty=True),
        "tuple": TupleType((specified,), UNBOUNDED, bare=True, exact=True),
        "variant": VariantType(empty=True),
        "optional": OptionalType(empty=True),
        "struct": StructType(any=True),
        "literal": FormerLiteralType(),
        "ruby": RuntimeType("ruby", short=True),
    }


_SWITCHES: dict[str, Callable[[Dialect], bool]] = {
    **dict.fromkeys(("data", "array", "hash"), lambda dialect: dialect.data_model),
    **dict.fromkeys(
        ("enum", "pattern", "optional", "struct", "tuple", "variant"), lambda dialect: dialect.bare_types
    ),
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
    from evaluator.types import lazy_types

    return lazy_types.FORMER_OBJECT if former else lazy_types.find_lazy_type(lowered)


HOOKS.find_builtin_type = find_builtin_type


def list_builtin_names(dialect: Dialect) -> list[str]:
    """Return the names of all built-in types of the dialect, as they are written."""
    from evaluator.types import lazy_types

    known = [type.simple_name for type in (*CORE.values(), *lazy_types.get_lazy_types().values())]
    extra = ["Literal", "Ruby"] if dialect.former_types else []
    # The names by which TypeAlias and TypeSet without parameters are known internally.
    unnamed = {"UnresolvedAlias", "DefaultTypeSet"}
    return sorted({*known, "TypeAlias", "TypeSet", *extra} - unnamed)


# --- types from source text

_parsed: MemoTable[tuple[str, str], Type] = MemoTable("types by source text", 5000)


def parse_type(text: str, dialect: Dialect, resolve: Callable[[str], Any] | None = None) -> Type:
    """Return the Type of a source text such as `Array[Integer, 1]`.

    Args:
        text: The source.
        dialect: The dialect, which determines the meaning of built-in names.
        resolve: Returns the Type of a name that is not built in.

    Raises:
        PuppetError: The text is not Puppet code, or names an unknown type.
        Failure: The text is not a type expression.
    """
    from evaluator.types.parsing import parse, raise_unknown_type

    def find_known(name: str) -> Type | None:
        return find_builtin_type(name, dialect)

    if resolve is not None:
        return parse(text, find_known, dialect, resolve)
    found = _parsed.get((text, dialect.name))
    if found is None:
        found = _parsed[text, dialect.name] = parse(text, find_known, dialect, raise_unknown_type)
    return found


__getattr__ = lazy_attributes(
    __name__, {name: module for module, names in _LAZY_MODULES.items() for name in names}
)
