"""The type that two types have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from evaluator.types.base import ANY, RULES, UNDEF, UNIT, Type
from evaluator.types.callables import CALLABLE, CallableType
from evaluator.types.collections import COLLECTION, ArrayType, CollectionType, HashType, StructType, TupleType
from evaluator.types.data import DATA, RICH_DATA
from evaluator.types.numbers import FloatType, IntegerType, Size
from evaluator.types.references import (
    CATALOG_ENTRY,
    CLASS,
    RESOURCE,
    CatalogEntryType,
    ClassType,
    ResourceType,
)
from evaluator.types.scalars import NUMERIC, SCALAR, SCALAR_DATA, ScalarType
from evaluator.types.strings import ENUM, REGEXP, STRING, EnumType, PatternType, RegexpType, StringType
from evaluator.types.variants import OptionalType, TypeType, VariantType, variant
from lexer_parser.dialect import PUPPET, SPEC, Dialect


def specified_common(left: Type, right: Type) -> Type | None:
    """The union of two types, or None where the table is silent."""
    if isinstance(left, TypeType) and isinstance(right, TypeType) and left.type and right.type:
        return TypeType(_unite(left.type, right.type))
    return (
        _optional(left, right) or _accepting(left, right) or _by_kind(left, right) or _by_domain(left, right)
    )


def _unite(left: Type, right: Type) -> Type:
    return RULES.common(left, right, SPEC)


def _optional(left: Type, right: Type) -> Type | None:
    """Optional[T] ∪ T is T; Optional[Q] ∪ Optional[R] is Optional[Q ∪ R]."""
    if isinstance(left, OptionalType) and isinstance(right, OptionalType):
        if left.type is None or right.type is None:
            return None
        return OptionalType(_unite(left.type, right.type))
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


def _unite_arrays(left: ArrayType, right: ArrayType) -> Type:
    return ArrayType(_unite(left.element, right.element), _sizes(left, right), bare=False)


def _unite_hashes(left: HashType, right: HashType) -> Type:
    keys, entries = _unite(left.key_type, right.key_type), _unite(left.value_type, right.value_type)
    return HashType(keys, entries, _sizes(left, right), bare=False)


def _tuples(left: TupleType, right: TupleType) -> Type:
    count = max(len(left.types or ()), len(right.types or ()))
    types = [_unite(left.at(index), right.at(index)) for index in range(count)]
    if left.extent == right.extent and left.size is None and right.size is None:
        return TupleType(types)
    (low, high), (other_low, other_high) = left.extent, right.extent
    return TupleType(
        types, (min(low, other_low), None if high is None or other_high is None else max(high, other_high))
    )


def _struct_and_hash(left: StructType, right: HashType) -> Type:
    keys, entries = right.key_type, right.value_type
    for key, value in left.entry_types():
        keys, entries = _unite(keys, key.generalize()), _unite(entries, value)
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
        block = _unite(left.block, right.block)
    elif left.block is not None or right.block is not None:
        return CALLABLE
    return CallableType(TupleType(types, mine.size), block)


def _structs(left: StructType, right: StructType) -> Type:
    return StructType(any=True)


_KINDS: tuple[tuple[Any, Any], ...] = (
    (VariantType, lambda left, right: variant((*left.types, *right.types))),
    (ArrayType, _unite_arrays),
    (HashType, _unite_hashes),
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


# --- union

Rule = Callable[[Any, Any], Type]


def common(left: Type, right: Type, dialect: Dialect) -> Type:
    """The narrowest type, of those the rules know, that accepts both."""
    if left == UNIT or right == UNIT:
        return right if left == UNIT else left
    if dialect.type_union:
        found = specified_common(left, right)
        if found is not None:
            return found
    if left.assignable(right):
        return left
    if right.assignable(left):
        return right
    for kind, rule in _RULES:
        if isinstance(left, kind) and isinstance(right, kind):
            return rule(left, right)
    if isinstance(left, UNDEF_TYPE):
        return right
    if isinstance(right, UNDEF_TYPE):
        return left
    return _widest(left, right)


def common_of(types: Iterable[Type], dialect: Dialect) -> Type:
    """What all the types have in common; Unit for none."""
    found: Type = UNIT
    for series, group in groupby(types, lambda given: None if dialect.type_union else _series(given)):
        # it has a name from the start: what a stop leaves of it is freed after the answer
        run: list[Type] = []
        run.extend(group)
        for place, given in enumerate(run):
            if series is not None and _series(found) is series and getattr(found, "size", None) is None:
                found = _TOGETHER[series](found, run[place:])
                break
            found = common(found, given, dialect)
    return found


# One by one, texts and arrays or hashes that hold them would make longer and longer types, in a time that grows with
# the square of their number. Types of a series have the same in common when they are taken together.
def _series(given: Type) -> type[Type] | None:
    """The series that a type belongs to."""
    kind = type(given)
    if isinstance(given, StringType):
        return EnumType if given.value is not None else None
    if isinstance(given, EnumType):
        return EnumType if given.values and not given.fold else None
    return kind if kind in _TOGETHER else None


def _all_words(found: Any, run: list[Any]) -> Type:
    words = {word for each in (found, *run) for word in _words_of(each)}
    return found if words.issubset(_words_of(found)) else EnumType(words)


def _words_of(given: Any) -> tuple[str, ...]:
    return given.values if isinstance(given, EnumType) else (given.value,)


def _all_arrays(found: Any, run: list[Any]) -> Type:
    return ArrayType(common_of([found.element, *(each.element for each in run)], PUPPET))


def _all_hashes(found: Any, run: list[Any]) -> Type:
    return HashType(
        common_of([found.key_type, *(each.key_type for each in run)], PUPPET),
        common_of([found.value_type, *(each.value_type for each in run)], PUPPET),
    )


_TOGETHER: dict[type[Type], Callable[[Any, list[Any]], Type]] = {
    EnumType: _all_words,
    ArrayType: _all_arrays,
    HashType: _all_hashes,
}
UNDEF_TYPE = type(UNDEF)


def _widest(left: Type, right: Type) -> Type:
    for wide in (NUMERIC, SCALAR_DATA, SCALAR, DATA, RICH_DATA):
        if wide.assignable(left) and wide.assignable(right):
            return wide
    return ANY


def _arrays(left: ArrayType, right: ArrayType) -> Type:
    return ArrayType(common(left.element, right.element, PUPPET))


def _hashes(left: HashType, right: HashType) -> Type:
    return HashType(
        common(left.key_type, right.key_type, PUPPET), common(left.value_type, right.value_type, PUPPET)
    )


def _resources(left: ResourceType, right: ResourceType) -> Type:
    return ResourceType(left.type_name) if left.type_name == right.type_name else RESOURCE


def _strings(left: StringType, right: StringType) -> Type:
    """Two that are known make an Enum, two sizes one that holds both, and one of each kind any String."""
    if left.value is not None and right.value is not None:
        return EnumType((left.value, right.value))
    if left.value is not None or right.value is not None:
        return STRING
    (low, high), (other_low, other_high) = left.extent, right.extent
    top = None if high is None or other_high is None else max(high, other_high)
    return StringType((min(low, other_low), top))


def _enums(left: EnumType, right: EnumType) -> Type:
    return EnumType((*left.values, *right.values))


def _words(left: EnumType | StringType, right: EnumType | StringType) -> Type:
    """A String that is known and an Enum make a longer Enum; what else they have in common is a bare Enum."""
    if isinstance(left, EnumType) and isinstance(right, StringType) and right.value is not None:
        return EnumType((*left.values, right.value), left.fold)
    if isinstance(right, EnumType) and isinstance(left, StringType) and left.value is not None:
        return EnumType((left.value, *right.values), right.fold)
    return ENUM


def _patterns(left: PatternType, right: PatternType) -> Type:
    return PatternType((*left.patterns, *right.patterns))


def _variants(left: VariantType, right: VariantType) -> Type:
    return variant((*left.types, *right.types))


def _metatypes(left: TypeType, right: TypeType) -> Type:
    return TypeType(common(left.type or ANY, right.type or ANY, PUPPET))


_RULES: tuple[tuple[Any, Rule], ...] = (
    (ArrayType, _arrays),
    (HashType, _hashes),
    (ClassType, lambda left, right: CLASS),
    (ResourceType, _resources),
    (IntegerType, lambda left, right: left.union(right)),
    (FloatType, lambda left, right: left.union(right)),
    (StringType, _strings),
    (PatternType, _patterns),
    (EnumType, _enums),
    ((StringType, EnumType), _words),
    (VariantType, _variants),
    (RegexpType, lambda left, right: REGEXP),
    (CallableType, lambda left, right: CALLABLE),
    (TypeType, _metatypes),
)
RULES.common = common
RULES.common_of = common_of
