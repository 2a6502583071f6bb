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
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator.types.algebra import (
    format_general_type,
    infer,
    infer_detailed,
    infer_for_display,
    infer_generalized,
    infer_specified,
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

# The names of modules that are imported on first use, because few programs use TypeSets and most have no mismatch.
_LAZY_MODULES = {
    "mismatches": (
        "CountMismatch",
        "InvalidParameter",
        "Mismatch",
        "MissingParameter",
        "TypeMismatch",
        "find_argument_mismatches",
        "find_mismatches",
        "find_value_mismatches",
    ),
    "objects": ("TypeSetType",),
    "puppet_wording": ("describe_as_arguments", "to_arguments", "to_message_arguments", "to_sentence"),
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
    "infer_for_display",
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

MOST_PARTS = 3_000  # parts of a value, as it is written out, up to which `infer_outline` examines all of them


def infer_outline(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type without value and size parameters, at a bounded cost.

    Of an array or hash with more than `MOST_PARTS` parts only the classes of its elements are examined, so the result
    is true and less precise: `Array[Array]`, `Hash[String, Hash]`, `Array`.
    """
    if _is_small(value):
        return infer_for_display(value, dialect).generalize()
    if type(value) is Sensitive:
        return SensitiveType(infer_outline(value.value, dialect))
    if type(value) is list:
        return ArrayType(_infer_from_classes(value))
    return HashType(_infer_from_classes(value), _infer_from_classes(value.values()))


def describe_outline(value: Value, dialect: Dialect) -> str:
    """Return the outline as source; the bare name if the source is too long or too deep."""
    try:
        return str(infer_outline(value, dialect))
    except (PuppetError, RecursionError):
        return get_kind(value).name


def _infer_from_classes(values: Iterable[Value]) -> Type:
    """Return the common type of elements by their Python classes alone."""
    classes = collect_classes(values)
    return _TYPES_BY_CLASS.get(classes.pop(), ANY) if len(classes) == 1 else ANY


_TYPES_BY_CLASS: dict[type, Type] = {
    str: STRING,
    int: IntegerType(),
    float: FloatType(),
    bool: BOOLEAN,
    list: ArrayType(),
    dict: HashType(),
}


def _is_small(value: Value) -> bool:
    """Return True if a value has at most `MOST_PARTS` parts; each occurrence counts."""
    pending, remaining = [value], MOST_PARTS
    while pending:
        item = pending.pop()
        if type(item) is Sensitive:
            pending.append(item.value)
        remaining -= 1 + (len(item) if type(item) is list or type(item) is dict else 0)
        if remaining < 0:
            return False
        if type(item) is list:
            pending += item
        elif type(item) is dict:
            pending += [*list_keys(item), *item.values()]
    return True


# --- types by name

# The types that are always loaded, by their names in lower case.
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
        CATALOG_ENTRY,
        RESOURCE,
    )
}


@memoize(unbounded_because="one result", interned=True)
def _make_specified_types() -> dict[str, Type]:
    """Return the types of names that mean something else in the released Puppet."""
    return {
        "data": SPECIFIED_DATA,
        "array": ArrayType(SPECIFIED_DATA, bare=True),
        "hash": HashType(SCALAR, SPECIFIED_DATA, bare=True),
        "enum": EnumType(empty=True),
        "pattern": PatternType(empty=True),
        "tuple": TupleType((SPECIFIED_DATA,), UNBOUNDED, bare=True, exact=True),
        "variant": VariantType(empty=True),
        "optional": OptionalType(empty=True),
        "struct": StructType(any=True),
        "literal": FormerLiteralType(),
        "ruby": RuntimeType("ruby", short=True),
    }


# For the names of those types and `object`: returns True if the dialect uses the meaning of the specification.
_HAS_SPECIFIED_MEANING: dict[str, Callable[[Dialect], bool]] = {
    **dict.fromkeys(("data", "array", "hash"), lambda dialect: dialect.data_model),
    **dict.fromkeys(
        ("enum", "pattern", "optional", "struct", "tuple", "variant"), lambda dialect: dialect.bare_types
    ),
    **dict.fromkeys(("literal", "object", "ruby"), lambda dialect: dialect.former_types),
}


def find_builtin_type(name: str, dialect: Dialect) -> Type | None:
    """Return the built-in type of a name, in any case, in a dialect; None if missing."""
    lowered = name.lower().removeprefix("::")
    has_specified_meaning = _HAS_SPECIFIED_MEANING.get(lowered)
    if has_specified_meaning is None or not has_specified_meaning(dialect):
        return CORE.get(lowered) or _find_lazy_type(lowered)
    return _find_lazy_type(lowered, is_any=True) if lowered == "object" else _make_specified_types()[lowered]


@memoize(1000)
def _find_lazy_type(lowered: str, is_any: bool = False) -> Type | None:
    """Return a type that few programs name; None, which is cached too, for any other name.

    Args:
        lowered: The name in lower case.
        is_any: True for `object` where that is the old name of Any.
    """
    from evaluator.types import lazy_types

    return lazy_types.FORMER_OBJECT if is_any else lazy_types.find_lazy_type(lowered)


HOOKS.find_builtin_type = find_builtin_type


def list_builtin_names(dialect: Dialect) -> list[str]:
    """Return the names of all built-in types of the dialect, as they are written."""
    from evaluator.types import lazy_types

    names = {type.simple_name for type in (*CORE.values(), *lazy_types.get_lazy_types().values())}
    # TypeAlias and TypeSet without parameters are types with these two names, which programs cannot write.
    names = names - {"UnresolvedAlias", "DefaultTypeSet"} | {"TypeAlias", "TypeSet"}
    return sorted(names | {"Literal", "Ruby"} if dialect.former_types else names)


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

    find_builtin = partial(find_builtin_type, dialect=dialect)
    if resolve is not None:
        return parse(text, find_builtin, dialect, resolve)
    type = _parsed.get((text, dialect.name))
    if type is None:
        type = _parsed[text, dialect.name] = parse(text, find_builtin, dialect, raise_unknown_type)
    return type


# --- types as functions in Ruby see them


def list_ruby_parts(value: Value) -> Value:
    """Return the parts of a Variant, Tuple or Struct as Ruby iterates over it, else the value."""
    type = value.resolve() if isinstance(value, Type) else None
    if isinstance(type, VariantType | TupleType):
        return [*(type.types or ())]
    # `Pcore::StructElement({})` is how Ruby prints a member of a Struct
    return ["Pcore::StructElement({})"] * len(type.members) if isinstance(type, StructType) else value


__getattr__ = lazy_attributes(
    __name__, {name: module for module, names in _LAZY_MODULES.items() for name in names}
)
