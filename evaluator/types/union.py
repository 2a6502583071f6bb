"""What two types have in common: the released Puppet's rules, first fit wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from evaluator.types.arrays import ArrayType
from evaluator.types.base import ANY, NUMERIC, RULES, SCALAR, SCALAR_DATA, UNDEF, UNIT, Type
from evaluator.types.callables import CALLABLE, CallableType
from evaluator.types.data import DATA, RICH_DATA
from evaluator.types.hashes import HashType
from evaluator.types.numbers import FloatType, IntegerType
from evaluator.types.references import CLASS, RESOURCE, ClassType, ResourceType
from evaluator.types.specified_union import specified_common
from evaluator.types.strings import ENUM, REGEXP, STRING, EnumType, PatternType, RegexpType, StringType
from evaluator.types.variants import VariantType, variant
from evaluator.types.wrappers import TypeType
from lexer_parser.dialect import PUPPET, Dialect

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
