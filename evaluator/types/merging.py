"""Alternatives that are of one kind become one: what is left of the members of a Variant."""

from __future__ import annotations

from itertools import pairwise

from evaluator.types.base import Type
from evaluator.types.numbers import FloatType, IntegerType, RangeType
from evaluator.types.strings import EnumType, PatternType, StringType


def merged(members: list[Type]) -> list[Type]:
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
