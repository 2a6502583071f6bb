"""Simpler forms of Variant, Optional and NotUndef: what aliases and mismatches show."""

from __future__ import annotations

from itertools import pairwise

from evaluator.types.base import UNDEF, Type
from evaluator.types.numbers import FloatType, IntegerType, RangeType
from evaluator.types.strings import EnumType, PatternType, StringType
from evaluator.types.variants import NOT_UNDEF, NotUndefType, OptionalType, VariantType, flatten, variant


def normalize_optional(kind: OptionalType) -> Type:
    """Optional of Optional or of a type that takes undef is that type; Optional[NotUndef[T]] is Optional[T]."""
    if kind.type is None:
        return kind
    inner = kind.type.normalize()
    if isinstance(inner, OptionalType):
        return inner
    if isinstance(inner, NotUndefType):
        return OptionalType(inner.type).normalize()
    return inner if inner.assignable(UNDEF) else OptionalType(inner)


def normalize_not_undef(kind: NotUndefType) -> Type:
    """NotUndef of a type that does not take undef is that type; NotUndef[Optional[T]] is NotUndef[T]."""
    if kind.type is None:
        return kind
    inner = kind.type.normalize()
    if isinstance(inner, OptionalType):
        return NotUndefType(inner.type).normalize() if inner.type is not None else NOT_UNDEF
    return NotUndefType(inner) if inner.assignable(UNDEF) else inner


def normalize_variant(kind: VariantType) -> Type:
    """Members normalized and merged; a member that takes undef makes the whole Optional."""
    members = list(flatten(member.normalize() for member in kind.types))
    if not members:
        return kind
    takes_undef = False
    plain: list[Type] = []
    for member in members:
        if isinstance(member, OptionalType) and member.type is not None:
            takes_undef = True
            plain.append(member.type)
        elif member == UNDEF:
            takes_undef = True
        else:
            plain.append(member)
    if not plain:
        return UNDEF
    plain = list(flatten(plain))
    merged = _merge(plain)
    # what is left as it was keeps its order
    found = variant(plain if set(merged) == set(plain if takes_undef else kind.types) else merged)
    return OptionalType(found).normalize() if takes_undef else found


def _merge(members: list[Type]) -> list[Type]:
    """Enums and literal strings become one, Patterns become one, number ranges that overlap become one.

    What was merged goes to the end, ranges to the front, the last one first.
    """
    members = _merge_patterns(_merge_enums(members))
    for kind in (IntegerType, FloatType):
        members = _merge_ranges(members, kind)
    return members


def _merge_enums(members: list[Type]) -> list[Type]:
    for fold in (False, True):
        enums = [member for member in members if _is_enum(member, fold)]
        if len(enums) > 1:
            rest = [member for member in members if not _is_enum(member, fold)]
            members = [*rest, EnumType([value for enum in enums for value in _words(enum)], fold)]
    return members


def _is_enum(member: Type, fold: bool) -> bool:
    if isinstance(member, EnumType):
        return member.fold is fold
    return not fold and isinstance(member, StringType) and member.value is not None


def _words(member: Type) -> list[str]:
    if isinstance(member, StringType):
        return [member.value] if member.value is not None else []
    assert isinstance(member, EnumType)
    return list(member.values)


def _merge_patterns(members: list[Type]) -> list[Type]:
    found = [member for member in members if isinstance(member, PatternType)]
    if len(found) < 2:
        return members
    rest = [member for member in members if member not in found]
    return [*rest, PatternType([pattern for member in found for pattern in member.patterns])]


def _merge_ranges(members: list[Type], kind: type[RangeType]) -> list[Type]:
    ranges = [member for member in members if isinstance(member, kind)]
    if len(ranges) < 2:
        return members
    rest = [member for member in members if not isinstance(member, kind)]
    merged: list[RangeType] = []
    left = list(ranges)
    if _are_apart(ranges):
        return [*ranges[::-1], *rest]
    while left:  # from the last one on, each with all that it comes to touch
        union = left.pop()
        apart = []
        for other in left:
            if other.touches(union) or _adjacent(other, union) or _adjacent(union, other):
                found = union.union(other)
                assert isinstance(found, RangeType)
                union = found
            else:
                apart.append(other)
        merged.append(union)
        left = apart
    return [*merged, *rest]


def _are_apart(ranges: list[RangeType]) -> bool:
    """Whether no two ranges touch: then there is nothing to merge, of however many."""
    ordered = sorted(ranges, key=lambda one: float("-inf") if one.low is None else one.low)
    return not any(one.touches(other) or _adjacent(one, other) for one, other in pairwise(ordered))


def _adjacent(first: RangeType, second: RangeType) -> bool:
    """Whether integers go on in the second range where the first ends."""
    return isinstance(first, IntegerType) and first.high is not None and first.high + 1 == second.low
