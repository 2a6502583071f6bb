"""What two types have in common by the specification's table ("Type Algebra on …").

The table is about types; None stands for a pair that it does not mention, where the released Puppet's rules hold.
"""

from __future__ import annotations

from typing import Any

from evaluator.types.arrays import COLLECTION, ArrayType, CollectionType, TupleType
from evaluator.types.base import ANY, RULES, SCALAR, UNDEF, ScalarType, Type
from evaluator.types.callables import CALLABLE, CallableType
from evaluator.types.hashes import HashType, StructType
from evaluator.types.numbers import FloatType, IntegerType
from evaluator.types.references import CATALOG_ENTRY, CatalogEntryType, ClassType, ResourceType
from evaluator.types.sizes import Size
from evaluator.types.strings import STRING, EnumType, PatternType, StringType
from evaluator.types.variants import OptionalType, VariantType, variant
from evaluator.types.wrappers import TypeType
from lexer_parser.dialect import SPEC


def specified_common(left: Type, right: Type) -> Type | None:
    """The union of two types, or None where the table is silent."""
    if isinstance(left, TypeType) and isinstance(right, TypeType) and left.type and right.type:
        return TypeType(_union(left.type, right.type))
    return (
        _optional(left, right) or _accepting(left, right) or _by_kind(left, right) or _by_domain(left, right)
    )


def _union(left: Type, right: Type) -> Type:
    return RULES.common(left, right, SPEC)


def _optional(left: Type, right: Type) -> Type | None:
    """Optional[T] ∪ T is T; Optional[Q] ∪ Optional[R] is Optional[Q ∪ R]."""
    if isinstance(left, OptionalType) and isinstance(right, OptionalType):
        if left.type is None or right.type is None:
            return None
        return OptionalType(_union(left.type, right.type))
    for optional, other in ((left, right), (right, left)):
        if isinstance(optional, OptionalType) and optional.type == other:
            return other
    return None


def _accepting(left: Type, right: Type) -> Type | None:
    if left.assignable(right):
        return left
    return right if right.assignable(left) else None


def _by_kind(left: Type, right: Type) -> Type | None:
    """Two of a kind."""
    for kind, rule in _KINDS:
        if isinstance(left, kind) and isinstance(right, kind):
            found: Type | None = rule(left, right)
            return found
    for first, second in ((left, right), (right, left)):
        if isinstance(first, VariantType):
            return variant((*first.types, second))
        if isinstance(first, StructType) and first.members and isinstance(second, HashType):
            return _struct_and_hash(first, second)
    return None


def _sizes(left: CollectionType, right: CollectionType) -> Size | None:
    """The size that spans both; none where one has none."""
    if left.size is None or right.size is None:
        return None
    (low, high), (other_low, other_high) = left.size, right.size
    return (min(low, other_low), None if high is None or other_high is None else max(high, other_high))


def _arrays(left: ArrayType, right: ArrayType) -> Type:
    return ArrayType(_union(left.element, right.element), _sizes(left, right), bare=False)


def _hashes(left: HashType, right: HashType) -> Type:
    keys, entries = _union(left.key_type, right.key_type), _union(left.value_type, right.value_type)
    return HashType(keys, entries, _sizes(left, right), bare=False)


def _tuples(left: TupleType, right: TupleType) -> Type:
    count = max(len(left.types or ()), len(right.types or ()))
    types = [_union(left.at(index), right.at(index)) for index in range(count)]
    if left.extent == right.extent and left.size is None and right.size is None:
        return TupleType(types)
    (low, high), (other_low, other_high) = left.extent, right.extent
    return TupleType(
        types, (min(low, other_low), None if high is None or other_high is None else max(high, other_high))
    )


def _struct_and_hash(left: StructType, right: HashType) -> Type:
    keys, entries = right.key_type, right.value_type
    for key, value in left.entry_types():
        keys, entries = _union(keys, key.generalize()), _union(entries, value)
    return HashType(keys, entries, bare=False)


def _callables(left: CallableType, right: CallableType) -> Type:
    """What both can be called with: of each parameter the narrower type, where one is narrower."""
    mine, theirs = left.parameters, right.parameters
    if mine is None or theirs is None or mine.extent != theirs.extent:
        return CALLABLE
    types = []
    for index in range(max(len(mine.types or ()), len(theirs.types or ()))):
        wide = _accepting(mine.at(index), theirs.at(index))
        if wide is None:
            return CALLABLE
        types.append(theirs.at(index) if wide is mine.at(index) else mine.at(index))
    block: Any = None
    if left.block is not None and right.block is not None:
        block = _union(left.block, right.block)
    elif left.block is not None or right.block is not None:
        return CALLABLE
    return CallableType(TupleType(types, mine.size), block)


def _structs(left: StructType, right: StructType) -> Type:
    return StructType(any=True)


_KINDS: tuple[tuple[Any, Any], ...] = (
    (VariantType, lambda left, right: variant((*left.types, *right.types))),
    (ArrayType, _arrays),
    (HashType, _hashes),
    (TupleType, _tuples),
    (StructType, _structs),
    (CallableType, _callables),
    # ranges, lengths, words of one kind and references to one kind are as in the released Puppet
    ((IntegerType,), lambda left, right: None),
    ((FloatType,), lambda left, right: None),
    ((StringType, EnumType, PatternType), lambda left, right: None if type(left) is type(right) else STRING),
    ((ResourceType,), lambda left, right: None),
    ((ClassType,), lambda left, right: None),
)


def _by_domain(left: Type, right: Type) -> Type | None:
    """Two of different kinds: the nearest abstract type of the hierarchy that holds both, or Any."""
    if any(isinstance(kind, OptionalType | VariantType) for kind in (left, right)):
        return None
    for domain, abstract in _DOMAINS:
        inside = isinstance(left, domain), isinstance(right, domain)
        if all(inside):
            return None if _same_kind(left, right) else abstract
        if any(inside):
            return ANY
    return ANY if UNDEF in (left, right) else None


def _same_kind(left: Type, right: Type) -> bool:
    """True for two numbers, two strings, or two of one type: the released rules are the table's."""
    kinds: tuple[Any, ...] = (
        (IntegerType, FloatType),
        (StringType, EnumType, PatternType),
        ResourceType,
        ClassType,
    )
    return type(left) is type(right) or any(
        isinstance(left, kind) and isinstance(right, kind) for kind in kinds
    )


_DOMAINS: tuple[tuple[type[Type], Type], ...] = (
    (ScalarType, SCALAR),
    (CollectionType, COLLECTION),
    (CatalogEntryType, CATALOG_ENTRY),
    (TypeType, ANY),
    (CallableType, ANY),
)
