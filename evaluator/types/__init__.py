"""Puppet's types, the heart of the language: what a value may be.

The specification describes them in "Types, Values, and Variables". A type is an immutable value; it tests
values, compares
itself with other types, and writes itself as source. The types that few programs name are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.types.algebra import unite, unite_all
from evaluator.types.aliases import AliasType, TypeReference, parameterize
from evaluator.types.base import ANY, DEFAULT, UNDEF, UNIT, Type
from evaluator.types.builtin_types import find_builtin_type, list_builtin_names, parse_type
from evaluator.types.callables import CALLABLE, CallableType, infer_block_type
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
from evaluator.types.inference import (
    describe_outline,
    infer,
    infer_detailed,
    infer_generalized,
    infer_outline,
    infer_specified,
)
from evaluator.types.numbers import FLOAT, INTEGER, FloatType, IntegerType
from evaluator.types.predicates import predicate
from evaluator.types.references import (
    CATALOG_ENTRY,
    CLASS,
    RESOURCE,
    CatalogEntryType,
    ClassType,
    ResourceType,
)
from evaluator.types.scalars import BOOLEAN, FALSE, NUMERIC, SCALAR, SCALAR_DATA, TRUE
from evaluator.types.strings import (
    ENUM,
    PATTERN,
    REGEXP,
    STRING,
    EnumType,
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
from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.types.explain.puppet_wording import describe_mismatch
    from evaluator.types.object_definitions import define_object_type
    from evaluator.types.objects import ObjectType, TypeSetType

_LAZY = {
    "ObjectType": "objects",
    "TypeSetType": "objects",
    "describe_mismatch": "explain.puppet_wording",
    "define_object_type": "object_definitions",
}

__all__ = [
    "ANY",
    "ARRAY",
    "BOOLEAN",
    "CALLABLE",
    "CATALOG_ENTRY",
    "CLASS",
    "COLLECTION",
    "DEFAULT",
    "ENUM",
    "FALSE",
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
    "TRUE",
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
    "EnumType",
    "FloatType",
    "HashType",
    "IntegerType",
    "IterableType",
    "IteratorType",
    "Member",
    "NotUndefType",
    "ObjectType",
    "OptionalType",
    "PatternType",
    "RegexpType",
    "ResourceType",
    "SensitiveType",
    "StringType",
    "StructType",
    "TupleType",
    "Type",
    "TypeReference",
    "TypeSetType",
    "TypeType",
    "VariantType",
    "define_object_type",
    "describe_mismatch",
    "describe_outline",
    "equals",
    "find_builtin_type",
    "generalize",
    "infer",
    "infer_block_type",
    "infer_detailed",
    "infer_generalized",
    "infer_outline",
    "infer_specified",
    "list_builtin_names",
    "make_variant",
    "parameterize",
    "parse_type",
    "predicate",
    "unite",
    "unite_all",
]


def equals(left: Type, right: Type) -> bool:
    """`==` on types: each accepts the other (`Optional[Integer] == Variant[Undef, Integer]`)."""
    return left == right or (left.assignable(right) and right.assignable(left))


def generalize(type: Type) -> Type:
    """Return the type without value and size parameters."""
    return type.generalize()


__getattr__ = lazy_attributes(__name__, _LAZY)
