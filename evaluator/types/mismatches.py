"""Mismatches between an expected and an actual type, as the released Puppet finds them.

The released Puppet explains a mismatch by types, not by values: the detailed type of the value (every array a Tuple,
every hash a Struct) is compared with the expected type, part by part. `find_mismatches` follows its order and its
omissions, so that the messages are the same; for each class of expected types, `_COMPARISONS` has the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from evaluator.types.algebra import infer_detailed, infer_generalized
from evaluator.types.aliases import AliasType, TypeReference
from evaluator.types.base import ANY, UNDEF, Type
from evaluator.types.collections import (
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    CollectionType,
    HashType,
    Member,
    StructType,
    TupleType,
)
from evaluator.types.references import CallableType
from evaluator.types.scalars import EnumType, PatternType, Size, StringType, is_size_within, span_sizes
from evaluator.types.variants import OptionalType, VariantType
from evaluator.values.kind import Value
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.record import Record

Path = tuple[str, ...]

# Nobody reads more mismatches than this, and a value whose parts occur many times can have any number of them.
MOST_MISMATCHES = 100


class PathStep(str):
    """A step of a path into a value, in words such as `index 2`.

    Attributes:
        into: The index or key of the part that the step leads to; None for the key of a hash entry itself.
    """

    into: int | str | None

    def __new__(cls, words: str, into: int | str | None = None) -> PathStep:
        self = super().__new__(cls, words)
        self.into = into
        return self


# --- the kinds of mismatches


class Mismatch(Record):
    """Something that is wrong with the value at a path.

    Attributes:
        path: The path from the subject to the part with the mismatch. A step is a `PathStep`, or a string such as
            `variant 0`.
    """

    path: Path

    def __str__(self) -> str:
        return " ".join(self.path)

    @property
    def place(self) -> Path:
        """The path without the choices of alternatives of a Variant, the same for all of them."""
        return tuple(step for step in self.path if not step.startswith("variant "))

    @property
    def steps(self) -> tuple[PathStep, ...]:
        """The steps of the path that lead into the value: to an element, a key or an entry."""
        return tuple(step for step in self.path if isinstance(step, PathStep))

    def merge(self, other: Any) -> Mismatch:
        """Return one mismatch for two alternatives that fail in the same way at the same place.

        Args:
            other: The mismatch of the other alternative, of the same class.
        """
        return self


class UnexpectedBlock(Mismatch):
    """A call has a block and takes none."""


class MissingBlock(Mismatch):
    """A call has no block and needs one."""


class NameMismatch(Mismatch):
    """A mismatch of a name: of a key, a parameter or a type."""

    name: str


class MissingKey(NameMismatch):
    """A key that a Struct requires is missing."""


class ExtraKey(NameMismatch):
    """A key that a Struct does not declare is present."""


class MissingParameter(NameMismatch):
    """A parameter of a class or define has no value."""


class InvalidParameter(NameMismatch):
    """A value is set for a parameter that a class or define does not declare."""


class UnresolvedReference(NameMismatch):
    """An expected type refers to a type that does not exist."""


class SizeMismatch(Mismatch):
    """A collection has the wrong size.

    Attributes:
        low: The least number of elements.
        high: The greatest number of elements, None for no limit.
        actual: The least and greatest number of elements that the value has.
    """

    low: int
    high: int | None
    actual: Size

    def merge(self, other: Any) -> Mismatch:
        return type(self)(self.path, *span_sizes((self.low, self.high), (other.low, other.high)), self.actual)


class CountMismatch(SizeMismatch):
    """A call, or a block, has the wrong number of arguments."""


class TypeMismatch(Mismatch):
    """A value is no instance of the expected type.

    Attributes:
        expected: The expected types, one for each alternative.
        actual: The type of the value.
    """

    expected: tuple[Type, ...]
    actual: Type

    def merge(self, other: Any) -> Mismatch:
        expected = dict.fromkeys((*self.expected, *other.expected))
        # As released, each merge normalizes the actual type once more, which matters: a normalization may leave ranges
        # of integers apart that the next one joins. But if undef is one of the two, it only makes the other optional.
        adds_undef = (UNDEF,) in (self.expected, other.expected)
        return type(self)(self.path, tuple(expected), self.actual if adds_undef else self.actual.normalize())

    def alternatives(self) -> tuple[list[Type], bool]:
        """Return the expected types without Optional, and True if undef is expected, too."""
        alternatives: list[Type] = []
        without_undef = [each for each in self.expected if each is not UNDEF] or self.expected
        accepts_undef = len(without_undef) < len(self.expected)
        for each in without_undef:
            if isinstance(each, OptionalType) and each.type is not None:
                accepts_undef, each = True, each.type
            if isinstance(each, AliasType):
                each = each.to_entity()
            alternatives += each.types if isinstance(each, VariantType) and each.types else [each]
        return alternatives, accepts_undef


class PatternMismatch(TypeMismatch):
    """A value is none of the values of an Enum, or does not match a Pattern."""


def merge_equivalent(
    mismatches: Sequence[Mismatch], size_class: type[Mismatch], count: int
) -> Mismatch | None:
    """Return one mismatch for alternatives that all fail in the same way at the same place.

    Args:
        mismatches: The mismatches of all alternatives.
        size_class: The class of mismatches of a size or number.
        count: The number of alternatives. As many mismatches of one class must be at one place, else there is no
            such mismatch.
    """
    for mismatch_class in (size_class, MissingBlock, UnexpectedBlock, TypeMismatch):
        of_class = [mismatch for mismatch in mismatches if isinstance(mismatch, mismatch_class)]
        if len(of_class) == count and len({mismatch.place for mismatch in of_class}) == 1:
            merged: Mismatch = of_class[0]
            for mismatch in of_class[1:]:
                merged = merged.merge(mismatch)
            return merged
    return None


def remove_size(type: Type) -> Type:
    """Return an Array or Hash without its size, and any other type as it is."""
    if isinstance(type, ArrayType):
        return ArrayType(type.element)
    return HashType(type.key_type, type.value_type) if isinstance(type, HashType) else type


# --- the comparison


def find_value_mismatches(
    subject: str, expected: Type, value: Value, dialect: Dialect = PUPPET
) -> list[Mismatch]:
    """Return the mismatches of a value, at paths that begin with the subject.

    The released Puppet finds none in the size of a Collection, nor for a bare Variant, and accepts the value.
    """
    mismatches = find_mismatches(expected.normalize(), infer_detailed(value, PUPPET), (subject,))
    return mismatches or (
        [TypeMismatch((subject,), (expected,), infer_generalized(value, PUPPET))]
        if dialect.parameter_values
        else []
    )


def find_call_mismatches(subject: str, expected: Type, value: Value) -> list[Mismatch]:
    """Return all mismatches of an argument of a call; none if its type is assignable."""
    actual = infer_detailed(value, PUPPET)
    return [] if expected.assignable(actual) else find_mismatches(expected.normalize(), actual, (subject,))


def find_argument_mismatches(subject: str, expected: Type, value: Value) -> list[Mismatch]:
    """Return the mismatches of an argument of a call, at paths that begin with the subject.

    If exactly one is about types, the others are omitted.
    """
    mismatches = find_call_mismatches(subject, expected, value)
    of_types: list[Mismatch] = [mismatch for mismatch in mismatches if isinstance(mismatch, TypeMismatch)]
    return of_types if len(of_types) == 1 else mismatches


def find_mismatches(expected: Type, actual: Type, path: Path, shown: Type | None = None) -> list[Mismatch]:
    """Return the mismatches between two normalized types.

    Args:
        expected: The type that is expected at the path.
        actual: The type of the value at the path.
        path: The path from the subject to the part that is compared.
        shown: The type that mismatches show as the expected one: an alias or Optional whose inner type `expected` is;
            by default `expected` itself.
    """
    shown = shown or expected
    unresolved = _find_unresolved_name(expected)
    if unresolved is not None:
        return [UnresolvedReference(path, unresolved)]
    if not _is_compared_by_parts(expected, actual) and expected.assignable(actual):
        return []
    for classes, compare in _COMPARISONS:
        if isinstance(expected, classes):
            return compare(expected, shown, actual, path)
    return [TypeMismatch(path, (shown,), actual)]


def _find_unresolved_name(type: Type) -> str | None:
    """Return the first name in a type that refers to no type."""
    pending: list[Any] = [type]
    seen: set[Any] = set()
    for part in pending:  # the loop appends to this list
        if isinstance(part, TypeReference):
            return part.text
        if isinstance(part, tuple | frozenset):
            pending += part
        elif isinstance(part, AliasType):
            if not part.builtin and part.name not in seen:
                seen.add(part.name)
                pending.append(part.resolved)
        elif isinstance(part, Member):
            pending.append(part.type)
        elif isinstance(part, Type) and id(part) not in seen:
            seen.add(id(part))
            pending += part.parts()
    return None


def _is_compared_by_parts(expected: Type, actual: Type) -> bool:
    """Return True if the parts are compared although the type of the value may be assignable.

    A Hash may match a Struct by its types and yet not by its keys; a bare Enum accepts String but has no instance.
    The alternatives of a Variant, Optional or alias are compared one by one, so that this is decided for each of them.
    An empty Array or Hash in a Tuple is reported with what else is wrong.
    """
    if isinstance(expected, EnumType):
        return isinstance(actual, StringType) and actual.value is not None and not expected.values
    if isinstance(expected, TupleType):
        return isinstance(actual, TupleType)
    return (
        isinstance(expected, _CHOICES)
        or (isinstance(actual, HashType) and isinstance(expected, StructType))
        or (isinstance(expected, ArrayType | HashType) and actual in (EMPTY_ARRAY, EMPTY_HASH))
    )


def _compare_unless_assignable(expected: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Return the mismatches of a part of an Array, Hash or Struct; none if it is assignable."""
    return [] if expected.assignable(actual) else find_mismatches(expected, actual, path)


# Compares an expected type of one class; the parameters are those of `find_mismatches`: expected, shown, actual, path.
Comparison = Callable[[Any, Type, Type, Path], list[Mismatch]]


def _compare_alias(expected: AliasType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare the definition of an alias; the alias is shown."""
    if expected.resolved is expected:  # the alias is being defined
        return [TypeMismatch(path, (shown,), actual)]
    entity = expected.to_entity()
    if entity is not expected:  # an Object type of that name
        return find_mismatches(entity, actual, path, shown)
    return find_mismatches(expected.resolved.normalize(), actual, path, expected)


def _compare_optional(expected: OptionalType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    if expected.type is None:
        return [TypeMismatch(path, (shown,), actual)] if expected.empty else []
    return find_mismatches(expected.type, actual, path, shown if isinstance(shown, AliasType) else expected)


def _compare_variant(expected: VariantType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare all alternatives; mismatches that are the same become one."""
    mismatches: list[Mismatch] = []
    members = (UNDEF, *expected.types) if isinstance(shown, OptionalType) else expected.types
    for index, member in enumerate(members):
        of_member = find_mismatches(member, actual, (*path, f"variant {index}"))
        if not of_member:
            return []
        mismatches += of_member
    merged = _merge_alternatives(mismatches, len(path))
    if isinstance(shown, AliasType) and len(merged) == 1:
        return [TypeMismatch(path, (shown,), actual)]
    return merged


def _merge_alternatives(mismatches: list[Mismatch], position: int) -> list[Mismatch]:
    """Merge the mismatches of alternatives that all fail in the same way.

    Args:
        mismatches: The mismatches of all alternatives.
        position: The index in their paths of the step that chooses the alternative; the step is removed if only one is
            left.
    """
    merged = merge_equivalent(mismatches, SizeMismatch, len(mismatches))
    if merged is not None:
        mismatches = [merged]
    if len(mismatches) == 1:
        path = mismatches[0].path
        mismatches[0].path = path[:position] + path[position + 1 :]
    return mismatches


def _compare_array(expected: ArrayType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare the size first, then the elements."""
    if isinstance(actual, TupleType | ArrayType):
        # As released, the size of another Array is no mismatch of its own if all elements are accepted.
        is_size_valid = is_size_within(actual.extent, expected.size)
        if not is_size_valid and not (expected.element is ANY and isinstance(actual, ArrayType)):
            return [SizeMismatch(path, *expected.extent, actual.extent)]
    if isinstance(actual, TupleType):
        mismatches = (
            mismatch
            for index, element in enumerate(actual.types or ())
            for mismatch in _compare_unless_assignable(
                expected.element, element, (*path, PathStep(f"index {index}", index))
            )
        )
        return list(islice(mismatches, MOST_MISMATCHES))
    if isinstance(actual, ArrayType):
        return [TypeMismatch(path, (_remove_shown_size(expected, shown),), remove_size(actual))]
    return [TypeMismatch(path, (shown,), actual)]


def _remove_shown_size(expected: Type, shown: Type) -> Type:
    """Return the expected Array without its size, or the alias that is shown.

    An Optional around the Array remains.
    """
    if isinstance(shown, AliasType):
        return shown
    plain = remove_size(expected)
    return OptionalType(plain) if isinstance(shown, OptionalType) else plain


def _compare_elements(expected: list[Type], actual: Iterable[Type], path: Path) -> list[Mismatch]:
    """Compare the elements of a Tuple.

    The last expected type repeats, and so does its index in the path.
    """
    mismatches: list[Mismatch] = []
    last = len(expected) - 1
    for index, element in enumerate(actual):
        shown_index = min(index, last)
        step = PathStep(f"index {shown_index}", index)
        mismatches += find_mismatches(expected[shown_index], element, (*path, step))
        if len(mismatches) > MOST_MISMATCHES:
            break
    return mismatches


def _compare_tuple(
    expected: TupleType,
    shown: Type,
    actual: Type,
    path: Path,
    size_class: type[SizeMismatch] = SizeMismatch,
) -> list[Mismatch]:
    """Compare a Tuple, or the parameters of a Callable.

    `size_class` is the class of the mismatch of a wrong number.
    """
    if isinstance(actual, TupleType | ArrayType):
        if not is_size_within(actual.extent, expected.extent):
            return [size_class(path, *expected.extent, actual.extent)]
        if not expected.types:
            return []
        elements = (
            actual.types or () if isinstance(actual, TupleType) else [actual.element] * len(expected.types)
        )
        return _compare_elements(list(expected.types), elements, path)
    return [TypeMismatch(path, (shown,), actual)]


def _compare_hash(expected: HashType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare the size first, then keys and values."""
    if isinstance(actual, StructType | HashType) and not is_size_within(actual.extent, expected.size):
        return [SizeMismatch(path, *expected.extent, actual.extent)]
    if isinstance(actual, StructType):
        mismatches: list[Mismatch] = []
        for member in actual.members:
            key = PathStep(f"key of entry '{member.name}'")
            entry = PathStep(f"entry '{member.name}'", member.name)
            mismatches += _compare_unless_assignable(
                expected.key_type, StringType(value=member.name), (*path, key)
            )
            mismatches += _compare_unless_assignable(expected.value_type, member.type, (*path, entry))
            if len(mismatches) > MOST_MISMATCHES:
                break
        return mismatches
    return [TypeMismatch(path, (shown,), remove_size(actual))]


def _compare_struct(expected: StructType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare the members; report those that are missing and those that are unknown."""
    if isinstance(actual, HashType):
        if not is_size_within(actual.extent, expected.accepted_sizes):
            return [SizeMismatch(path, *expected.accepted_sizes, actual.extent)]
        return [] if actual == EMPTY_HASH else [TypeMismatch(path, (shown,), remove_size(actual))]
    if not isinstance(actual, StructType):
        return [TypeMismatch(path, (shown,), actual)]
    mismatches: list[Mismatch] = []
    unmatched = {member.name: member for member in actual.members}
    for member in expected.members:
        other = unmatched.pop(member.name, None)
        if other is not None:
            step = PathStep(f"entry '{member.name}'", member.name)
            mismatches += _compare_unless_assignable(member.type, other.type, (*path, step))
        elif member.required:
            mismatches.append(MissingKey(path, member.name))
    return mismatches + [ExtraKey(path, name) for name in unmatched]


def _compare_callable(expected: CallableType, shown: Type, actual: Type, path: Path) -> list[Mismatch]:
    """Compare the parameters, the block and the result, up to the first mismatch.

    A Callable is assignable if it accepts every call that the expected one accepts: for parameters and the block, the
    roles of the two are exchanged. As this is called only for one that is not assignable, there is a mismatch.
    """
    if not isinstance(actual, CallableType):
        return [TypeMismatch(path, (shown,), actual)]
    if expected.parameters is not None and actual.parameters is not None:
        mismatches = _compare_tuple(actual.parameters, shown, expected.parameters, path, CountMismatch)
        if mismatches:
            return mismatches
    if not (actual.block or UNDEF).assignable(expected.block or UNDEF):
        return [UnexpectedBlock(path) if actual.block is None else MissingBlock(path)]
    if expected.returns is not None:
        return find_mismatches(expected.returns, actual.returns or ANY, (*path, "return"))
    return [TypeMismatch(path, (shown,), actual)]


_CHOICES = (VariantType, OptionalType, AliasType)
# The functions that compare an expected type of some classes; the first row that matches is taken.
_COMPARISONS: tuple[tuple[type[Type] | tuple[type[Type], ...], Comparison], ...] = (
    (AliasType, _compare_alias),
    (OptionalType, _compare_optional),
    (VariantType, _compare_variant),
    (StructType, _compare_struct),
    (TupleType, _compare_tuple),
    (ArrayType, _compare_array),
    (HashType, _compare_hash),
    (  # the released Puppet reports no mismatch of sizes here
        CollectionType,
        lambda expected, shown, actual, path: (
            [] if isinstance(actual, CollectionType) else [TypeMismatch(path, (shown,), actual)]
        ),
    ),
    (CallableType, _compare_callable),
    (
        (EnumType, PatternType),
        lambda expected, shown, actual, path: [PatternMismatch(path, (shown,), actual)],
    ),
)
