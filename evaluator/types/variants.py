"""Types made of others: Variant, Optional, NotUndef, Type, Sensitive, Iterable, Iterator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from evaluator.issues import Failure, make_error
from evaluator.types.base import (
    ANY,
    HOOKS,
    UNDEF,
    Memo,
    TestCode,
    Type,
    accepts,
    check_type,
    join_and,
    join_or,
)
from evaluator.types.scalars import EnumType, FloatType, IntegerType, PatternType, RangeType, StringType
from evaluator.values import PuppetIterator, Sensitive, Value, quote_string
from evaluator.values import kind as kinds
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.dialect import PUPPET, Dialect

# --- members of a Variant that one type can replace, in the order of the released Puppet


def merge_members(members: list[Type]) -> list[Type]:
    """Return members in which Enums, Patterns, and overlapping ranges are merged.

    A merged Enum or Pattern is at the end of the result. If there are several ranges of one class, all of them are at
    the front, the last one first.
    """
    members = _merge_patterns(_merge_enums(members))
    return _merge_ranges(_merge_ranges(members, IntegerType), FloatType)


def _merge_enums(members: list[Type]) -> list[Type]:
    """Return members in which all Enums, and all known strings, are one Enum."""
    for fold in (False, True):
        enums = [member for member in members if _is_enum(member, fold)]
        if len(enums) > 1:
            rest = [member for member in members if not _is_enum(member, fold)]
            members = [*rest, EnumType([value for enum in enums for value in get_known_strings(enum)], fold)]
    return members


def _is_enum(member: Type, fold: bool) -> bool:
    """Return True for an Enum with this `fold`, or a known string, which is as `fold=False`."""
    if isinstance(member, EnumType):
        return member.fold is fold
    return not fold and isinstance(member, StringType) and member.value is not None


def get_known_strings(member: Value) -> tuple[str, ...]:
    """Return the strings of an Enum, or the one of a String with a known value."""
    return member.values if isinstance(member, EnumType) else (member.value,)


def _merge_patterns(members: list[Type]) -> list[Type]:
    """Return members in which all Patterns are one Pattern."""
    patterns = [member for member in members if isinstance(member, PatternType)]
    if len(patterns) < 2:
        return members
    rest = [member for member in members if member not in patterns]
    return [
        *rest,
        PatternType((pattern for member in patterns for pattern in member.patterns), any=patterns[0].any),
    ]


def _merge_ranges(members: list[Type], range_class: type[RangeType]) -> list[Type]:
    """Return members in which the ranges of one class that overlap or touch are joined."""
    ranges = [member for member in members if isinstance(member, range_class)]
    if len(ranges) < 2:
        return members
    rest = [member for member in members if not isinstance(member, range_class)]
    if _are_apart(ranges):
        return [*ranges[::-1], *rest]
    merged: list[RangeType] = []
    while ranges:  # join each range, beginning with the last, with all ranges that it touches
        union = ranges.pop()
        apart = []
        for other in ranges:
            if other.overlaps(union) or _is_adjacent(other, union) or _is_adjacent(union, other):
                # The released Puppet fails to unite a Float range with one that has no bound on a side.
                if range_class is FloatType and None in (other.low, other.high):
                    raise Failure("COMPARISON_FAILED", left="Float", right="nil")
                union = union.unite(other)
            else:
                apart.append(other)
        merged.append(union)
        ranges = apart
    return [*merged, *rest]


def _are_apart(ranges: list[RangeType]) -> bool:
    """Return True if no two ranges touch, so that none of them can be merged."""
    ordered = sorted(ranges, key=lambda each: float("-inf") if each.low is None else each.low)
    return not any(
        first.overlaps(second) or _is_adjacent(first, second) for first, second in pairwise(ordered)
    )


def _is_adjacent(first: RangeType, second: RangeType) -> bool:
    """Return True if the second range of integers begins after the end of the first."""
    return isinstance(first, IntegerType) and first.high is not None and first.high + 1 == second.low


# --- Variant, Optional and NotUndef


class ElementType(Type):
    """A type with one parameter, the type of something inside its instances.

    Attributes:
        type: The parameter; None if it is missing.
    """

    composite = True
    type: Type | None = None

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner()]

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, type(self)) and (
            self.type is None or (actual.type is not None and accepts(self.type, actual.type, memo))
        )

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        return self if self.type is None else type(self)(change(self.type))

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        label = f"{self.keyword}-Type"
        return type(self)(check_type(label, self.take_parameters(arguments, label=label)[0]))


class VariantType(Type):
    """Variant[T1, T2]: instances of one of the types.

    Without parameters no value is an instance. In the released Puppet every Variant is assignable to it, in the
    specification only itself.

    Attributes:
        types: The alternatives.
        empty: True without parameters in the specification.
    """

    __slots__ = ("empty", "types")
    keyword = "Variant"
    composite = True

    def __init__(self, types: Iterable[Type] = (), empty: bool = False) -> None:
        self.types = tuple(types)
        self.empty = empty

    def parts(self) -> tuple[object, ...]:
        return (frozenset(self.types), self.empty)

    def arguments(self) -> list[str]:
        return [type.inner() for type in self.types]

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_or(*(type.write_test(variable, code) for type in self.types))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return any(accepts(type, actual, memo) for type in self.types)

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        if isinstance(expected, VariantType) and not expected.types and not (expected.empty and self.types):
            return True  # see the class: a Variant without parameters accepts every Variant, or only itself
        if not self.types:
            # Variant does not accept undef, so only the T of NotUndef[T] matters.
            while isinstance(expected, NotUndefType):
                expected = expected.type or ANY
            return expected is ANY or (isinstance(expected, VariantType) and not expected.types)
        return all(accepts(expected, type, memo) for type in self.types)

    def element_type(self) -> Type | None:
        elements = [type.element_type() for type in self.types]
        iterable = [element for element in elements if element is not None]
        return make_variant(iterable) if iterable and len(iterable) == len(elements) else None

    def generalize(self) -> Type:
        return make_variant(type.generalize() for type in self.types)

    def normalize(self) -> Type:
        """Return the Variant of the merged members, in an Optional if one of them accepts undef."""
        members = list(flatten(member.normalize() for member in self.types))
        if not members:
            return self
        without_undef = [
            member.type if isinstance(member, OptionalType) and member.type is not None else member
            for member in members
            if member != UNDEF
        ]
        accepts_undef = without_undef != members
        if not without_undef:
            return UNDEF
        without_undef = list(flatten(without_undef))
        merged = merge_members(without_undef)
        # Merging changes the order; if nothing else has changed, the Variant has its former order.
        is_unchanged = set(merged) == set(without_undef if accepts_undef else self.types)
        variant = make_variant(without_undef if is_unchanged else merged)
        return OptionalType(variant).normalize() if accepts_undef else variant

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, most=None)
        self.check_parameters_are(Type, arguments, "Any-Type")
        return make_variant(arguments)


class OptionalType(ElementType):
    """Optional[T]: undef or an instance of T.

    Without parameters, in the released Puppet, every type is assignable although undef is the only instance.

    Attributes:
        empty: True without parameters in the specification, where only itself is assignable and no value is an
            instance.
    """

    keyword = "Optional"
    instance_kind = kinds.OPTIONAL
    empty: bool = False

    def arguments(self) -> list[str]:
        return format_parameter(self.type)

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.empty:
            return "False"
        inner = "False" if self.type is None else self.type.write_test(variable, code)
        return join_or(f"{variable} is None", inner)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.empty:
            return isinstance(actual, OptionalType) and actual.empty
        return self.type is None or accepts(UNDEF, actual, memo) or accepts(self.type, actual, memo)

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        if self.empty and isinstance(expected, OptionalType | VariantType):
            return isinstance(expected, OptionalType) or expected.accepts_type(self, memo)
        return accepts(expected, UNDEF, memo) and (self.type is None or accepts(expected, self.type, memo))

    def normalize(self) -> Type:
        """Return T alone if it accepts undef; `Optional[T]` for `Optional[NotUndef[T]]`."""
        if self.type is None:
            return self
        inner = self.type.normalize()
        if isinstance(inner, OptionalType):
            return inner
        if isinstance(inner, NotUndefType):
            return OptionalType(inner.type).normalize()
        return inner if inner.assignable(UNDEF) else OptionalType(inner)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        argument = self.take_parameters(arguments, label="Optional-Type")[0]
        if type(argument) is str:
            return OptionalType(StringType(value=argument))
        return OptionalType(check_type("Optional-Type", argument))


class NotUndefType(ElementType):
    """NotUndef[T]: an instance of T that is not undef."""

    __slots__ = ()
    keyword = "NotUndef"
    instance_kind = kinds.NOT_UNDEF

    def __init__(self, type: Type | None = None) -> None:
        self.type = None if type is ANY else type

    def arguments(self) -> list[str]:
        return format_parameter(self.type)

    def write_test(self, variable: str, code: TestCode) -> str:
        inner = "True" if self.type is None else self.type.write_test(variable, code)
        return join_and(f"{variable} is not None", inner)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if accepts(actual, UNDEF, memo):
            return False
        return self.type is None or accepts(self.type, actual, memo)

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        if isinstance(expected, NotUndefType) and expected.type is None:
            return True
        if self.type is not None and not accepts(self.type, UNDEF, memo):
            return accepts(expected, self.type, memo)
        return expected.accepts_type(self, memo)

    def hides_details_of(self, actual: Type) -> bool:
        return self.type is not None and actual != UNDEF and self.type.hides_details_of(actual)

    def element_type(self) -> Type | None:
        return None if self.type is None else self.type.element_type()

    def normalize(self) -> Type:
        """Return T alone if it refuses undef; `NotUndef[T]` for `NotUndef[Optional[T]]`."""
        if self.type is None:
            return self
        inner = self.type.normalize()
        if isinstance(inner, OptionalType):
            return NotUndefType(inner.type).normalize() if inner.type is not None else NOT_UNDEF
        return NotUndefType(inner) if inner.assignable(UNDEF) else inner

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, 0, label="NotUndef-Type")
        if not arguments:
            return NOT_UNDEF
        argument = arguments[0]
        if type(argument) is str:
            return NotUndefType(StringType(value=argument))
        if not isinstance(argument, Type):
            raise make_error(
                "BAD_NOT_UNDEF_SLICE_TYPE", operand=1, type="NotUndef-Type", actual=get_ruby_class(argument)
            )
        return NotUndefType(argument)


def format_parameter(type: Type | None) -> list[str]:
    """Return the parameter of Optional or NotUndef as source: a type, or a known string."""
    if type is None:
        return []
    if isinstance(type, StringType) and type.value is not None:
        return [quote_string(type.value)]
    return [type.inner()]


def flatten(types: Iterable[Type]) -> Iterator[Type]:
    """Return the types with Variants replaced by their members, without repetition."""
    seen = set()
    for type in types:
        for member in flatten(type.types) if isinstance(type, VariantType) else (type,):
            if member not in seen:
                seen.add(member)
                yield member


def make_variant(types: Iterable[Type]) -> Type:
    """Return the Variant of the types, each once; a single type as it is."""
    members = tuple(flatten(types))
    return members[0] if len(members) == 1 else VariantType(members)


VARIANT = VariantType()
OPTIONAL = OptionalType()
NOT_UNDEF = NotUndefType()


# --- Type, Sensitive, Iterable and Iterator


class TypeType(ElementType):
    """Type[T]: the types that T accepts."""

    keyword = "Type"
    instance_kind = kinds.TYPE

    def _test_value(self, value: Value) -> bool:
        return isinstance(value, Type) and (self.type is None or self.type.assignable(value))

    def element_type(self) -> Type | None:
        inner = None if self.type is None else self.type.resolve()
        if not isinstance(inner, IntegerType | EnumType) or inner.iteration() is None:
            return None
        return inner if inner is self.type else ANY  # an alias does not name the type of its elements


class SensitiveType(ElementType):
    """Sensitive[T]: sensitive values that contain an instance of T, which is generalized."""

    __slots__ = ()
    keyword = "Sensitive"
    instance_kind = kinds.SENSITIVE
    type: Type

    def __init__(self, type: Type = ANY) -> None:
        self.type = type.generalize()

    def arguments(self) -> list[str]:
        return [] if self.type is ANY else [self.type.inner()]

    def _test_value(self, value: Value) -> bool:
        return type(value) is Sensitive and self.type.instance(value.value)

    def normalize(self) -> Type:
        normalized = SensitiveType()
        # The initializer would generalize the type, which removes the size that is left of an Enum.
        normalized.type = self.type.normalize()
        return normalized


class IterableType(ElementType):
    """Iterable[T]: what can be iterated and yields instances of T."""

    keyword = "Iterable"

    def _test_value(self, value: Value) -> bool:
        """Return True if a value can be iterated and its elements are instances.

        As released, the inferred type of the value decides, in which the types of the elements are united.
        """
        if self.type is None or self.type.assignable(ANY):
            if type(value) is list or type(value) is dict:
                return True
            if type(value) is int and value < 0:
                return False
        return self.assignable(HOOKS.infer(value, PUPPET))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        element = actual.element_type()
        return element is not None and (self.type is None or accepts(self.type, element, memo))

    def hides_details_of(self, actual: Type) -> bool:
        return type(self) is IterableType and ITERABLE.assignable(actual)

    def element_type(self) -> Type | None:
        return self.type or ANY


class IteratorType(IterableType):
    """Iterator[T]: iterators that yield instances of T."""

    keyword = "Iterator"
    accepts_type = ElementType.accepts_type

    def _test_value(self, value: Value) -> bool:
        if type(value) is not PuppetIterator:
            return False
        return self.type is None or self.type.assignable(value.element_type or ANY)


TYPE = TypeType()
SENSITIVE = SensitiveType()
ITERABLE = IterableType()
ITERATOR = IteratorType()
