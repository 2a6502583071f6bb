"""Why a value does not fit a type, in the words of the released Puppet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from evaluator.issues import Failure
from evaluator.types.aliases import TypeAlias, TypeReference
from evaluator.types.base import ANY, RULES, UNDEF, Type
from evaluator.types.callables import CallableType
from evaluator.types.collections import (
    EMPTY_HASH,
    ArrayType,
    CollectionType,
    HashType,
    Member,
    StructType,
    TupleType,
)
from evaluator.types.inference import infer_detailed
from evaluator.types.numbers import size_within
from evaluator.types.problems import (
    CountMismatch,
    ExtraKey,
    MissingBlock,
    MissingKey,
    Path,
    PatternMismatch,
    Problem,
    Reason,
    SizeMismatch,
    Step,
    TypeMismatch,
    UnexpectedBlock,
    UnresolvedReference,
    sizeless,
)
from evaluator.types.strings import EnumType, PatternType, StringType
from evaluator.types.variants import OptionalType, VariantType
from lexer_parser.dialect import PUPPET

# --- what callers ask


def describe_mismatch(subject: str, expected: Type, actual: Any) -> Reason:
    """Why `actual`, a value, does not fit: `assert_type(): expects an Integer value, got String`.

    Several reasons stand on a line each, every one after the subject; "" when nothing is wrong.
    """
    return _joined(describe(expected.normalize(), infer_detailed(actual, PUPPET).normalize(), (subject,)))


def mismatch(subject: str, expected: Type, value: Any) -> dict[str, Any]:
    """The arguments of an error whose template is `{reason}`: what `describe_mismatch` says, and what it tells."""
    reason = describe_mismatch(subject, expected, value)
    return {"subject": subject, "reason": reason, **reason.told}


def argument_problems(subject: str, expected: Type, value: Any) -> list[Problem]:
    """Why an argument does not fit, one problem for each reason; the only one that is about types tells enough."""
    expected, actual = expected.normalize(), infer_detailed(value, PUPPET).normalize()
    problems = _element(expected, actual, (subject,))
    of_types: list[Problem] = [problem for problem in problems if isinstance(problem, TypeMismatch)]
    return of_types if len(of_types) == 1 else problems


def check(subject: str, expected: Type, value: Any) -> None:
    """Raises Failure, `<subject> has wrong type, expects …`, when the value is no instance."""
    if not expected.instance(value):
        reason = describe_mismatch(f"{subject} has wrong type,", expected, value)
        raise Failure("WRONG_TYPE", reason=reason, **reason.told)


def check_converted(expected: Type, value: Any) -> Any:
    """The value that `new` made, when it is an instance of the type. Raises Failure."""
    check(f"Converted value from {expected}.new()", expected, value)
    return value


def _joined(problems: list[Problem]) -> Reason:
    texts = [problem.text() for problem in problems]
    return texts[0] if len(texts) == 1 else Reason("\n ".join(f" {text}" for text in texts), problems)


# --- description by type


def describe(expected: Type, actual: Type, path: Path, original: Type | None = None) -> list[Problem]:
    """The problems between two types; `original` is the alias or Optional that `expected` was reached through."""
    shown = original or expected
    unknown = _unresolved(expected)
    if unknown is not None:
        return [UnresolvedReference(path, unknown)]
    if not _is_looked_into(expected, actual) and expected.assignable(actual):
        return []
    for kind, describer in _DESCRIBERS:
        if isinstance(expected, kind):
            return describer(expected, shown, actual, path)
    return [TypeMismatch(path, shown, actual)]


# nobody reads more; a value whose parts occur many times in it may have any number
_ENOUGH = 100


def _unresolved(kind: Type) -> str | None:
    """The first name in a type that stands for nothing."""
    pending: list[Any] = [kind]
    seen: set[Any] = set()
    for part in pending:
        if isinstance(part, TypeReference):
            return part.text
        if isinstance(part, tuple | frozenset):
            pending += part
        elif isinstance(part, TypeAlias):
            if not part.builtin and part.name not in seen:
                seen.add(part.name)
                pending.append(part.resolved)
        elif isinstance(part, Member):
            pending.append(part.type)
        elif isinstance(part, Type) and id(part) not in seen:
            seen.add(id(part))
            pending += part.parts()
    return None


def _is_looked_into(expected: Type, actual: Type) -> bool:
    """Whether a value may be no instance though its type is accepted.

    A Hash may fit a Struct by its types and yet not by its keys; a bare Enum accepts String but has no instance.
    """
    if isinstance(expected, EnumType):
        return isinstance(actual, StringType) and actual.value is not None and not expected.values
    if isinstance(expected, TupleType):
        return isinstance(actual, TupleType)
    return isinstance(expected, _CHOICES) or (
        isinstance(actual, HashType) and isinstance(expected, StructType)
    )


def _element(expected: Type, actual: Type, path: Path) -> list[Problem]:
    """The problems of an argument or of what is in an Array, Hash or Struct; none of a type that is accepted."""
    return [] if expected.assignable(actual) else describe(expected, actual, path)


Describer = Callable[[Any, Type, Type, Path], list[Problem]]


def _alias(expected: TypeAlias, shown: Type, actual: Type, path: Path) -> list[Problem]:
    return describe(expected.resolved.normalize(), actual, path, expected)


def _optional(expected: OptionalType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    if expected.type is None:
        return [] if not expected.empty else [TypeMismatch(path, shown, actual)]
    return describe(expected.type, actual, path, shown if isinstance(shown, TypeAlias) else expected)


def _match(expected: Type, shown: Type, actual: Type, path: Path) -> list[Problem]:
    return [PatternMismatch(path, shown, actual)]


def _variant(expected: VariantType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    problems: list[Problem] = []
    members = (UNDEF, *expected.types) if isinstance(shown, OptionalType) else expected.types
    for index, member in enumerate(members):
        found = describe(member, actual, (*path, f"variant {index}"))
        if not found:
            return []
        problems += found
    merged = merge(problems, len(path), SizeMismatch)
    return (
        [TypeMismatch(path, shown, actual)] if isinstance(shown, TypeAlias) and len(merged) == 1 else merged
    )


def merge(problems: list[Problem], position: int, size_class: type[Problem]) -> list[Problem]:
    """Alternatives that all fail in the same way at the same place become one.

    `position` is where in the path the step stands that chooses the alternative.
    """
    for kind in (size_class, MissingBlock, UnexpectedBlock, TypeMismatch):
        alike = [problem for problem in problems if isinstance(problem, kind)]
        if len(alike) == len(problems) and len({problem.place for problem in alike}) == 1:
            merged = alike[0]
            for problem in alike[1:]:
                merged = merged.merge(problem)
            problems = [merged]
            break
    if len(problems) == 1:
        path = problems[0].path
        problems[0].path = path[:position] + path[position + 1 :]
    return problems


def _array(expected: ArrayType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    if isinstance(actual, TupleType | ArrayType):
        fits = size_within(actual.extent, expected.size)
        if not fits and not (expected.element is ANY and isinstance(actual, ArrayType)):
            return [SizeMismatch(path, *expected.extent, actual.extent)]
    if isinstance(actual, TupleType):
        found = (
            problem
            for index, kind in enumerate(actual.types or ())
            for problem in _element(expected.element, kind, (*path, Step(f"index {index}", index)))
        )
        return list(islice(found, _ENOUGH))
    if isinstance(actual, ArrayType):
        return [TypeMismatch(path, _sizeless(expected, shown), sizeless(actual))]
    return [TypeMismatch(path, shown, actual)]


def _sizeless(expected: Type, shown: Type) -> Type:
    """The expected Array or Hash without its size, within the Optional that it was reached through; or the alias."""
    if isinstance(shown, TypeAlias):
        return shown
    plain = sizeless(expected)
    return OptionalType(plain) if isinstance(shown, OptionalType) else plain


def _elements(expected: list[Type], actual: Iterable[Type], path: Path) -> list[Problem]:
    """Problems of a Tuple's elements. The last expected type repeats, and so does its index."""
    problems: list[Problem] = []
    last = len(expected) - 1
    for index, kind in enumerate(actual):
        at = min(index, last)
        problems += describe(expected[at], kind, (*path, Step(f"index {at}", index)))
        if len(problems) > _ENOUGH:
            break
    return problems


def _tuple(expected: TupleType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    return describe_tuple(expected, shown, actual, path, SizeMismatch)


def describe_tuple(
    expected: TupleType, shown: Type, actual: Type, path: Path, size_class: type[SizeMismatch]
) -> list[Problem]:
    """The problems of a Tuple, or of a list of arguments."""
    if isinstance(actual, TupleType | ArrayType):
        if not size_within(actual.extent, expected.extent):
            return [size_class(path, *expected.extent, actual.extent)]
        if not expected.types:
            return []
        kinds = (
            actual.types or () if isinstance(actual, TupleType) else [actual.element] * len(expected.types)
        )
        return _elements(list(expected.types), kinds, path)
    return [TypeMismatch(path, shown, actual)]


def _hash(expected: HashType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    if isinstance(actual, StructType | HashType) and not size_within(actual.extent, expected.size):
        return [SizeMismatch(path, *expected.extent, actual.extent)]
    if isinstance(actual, StructType):
        problems: list[Problem] = []
        for member in actual.members:
            key, entry = Step(f"key of entry '{member.name}'"), Step(f"entry '{member.name}'", member.name)
            problems += _element(expected.key_type, StringType(value=member.name), (*path, key))
            problems += _element(expected.value_type, member.type, (*path, entry))
            if len(problems) > _ENOUGH:
                break
        return problems
    return [TypeMismatch(path, shown, sizeless(actual))]


def _struct(expected: StructType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    if isinstance(actual, HashType):
        if not size_within(actual.extent, expected.accepted_sizes):
            return [SizeMismatch(path, *expected.accepted_sizes, actual.extent)]
        return [] if actual == EMPTY_HASH else [TypeMismatch(path, shown, sizeless(actual))]
    if not isinstance(actual, StructType):
        return [TypeMismatch(path, shown, actual)]
    problems: list[Problem] = []
    given = {member.name: member for member in actual.members}
    for member in expected.members:
        other = given.pop(member.name, None)
        if other is not None:
            step = Step(f"entry '{member.name}'", member.name)
            problems += _element(member.type, other.type, (*path, step))
        elif member.required:
            problems.append(MissingKey(path, member.name))
    return problems + [ExtraKey(path, name) for name in given]


def _collection(expected: CollectionType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    # the released Puppet has nothing to say of sizes here
    return [] if isinstance(actual, CollectionType) else [TypeMismatch(path, shown, actual)]


def _callable(expected: CallableType, shown: Type, actual: Type, path: Path) -> list[Problem]:
    if not isinstance(actual, CallableType):
        return [TypeMismatch(path, shown, actual)]
    if expected.parameters is not None and actual.parameters is not None:
        problems = describe_tuple(actual.parameters, shown, expected.parameters, path, CountMismatch)
        if problems:
            return problems
    if not (actual.block or UNDEF).assignable(expected.block or UNDEF):
        return [UnexpectedBlock(path) if actual.block is None else MissingBlock(path)]
    if expected.returns is not None:
        return describe(expected.returns, actual.returns or ANY, (*path, "return"))
    return [TypeMismatch(path, shown, actual)]


_CHOICES = (VariantType, OptionalType, TypeAlias)
_DESCRIBERS: tuple[tuple[Any, Describer], ...] = (
    (TypeAlias, _alias),
    (OptionalType, _optional),
    (VariantType, _variant),
    (StructType, _struct),
    (TupleType, _tuple),
    (ArrayType, _array),
    (HashType, _hash),
    (CollectionType, _collection),
    (CallableType, _callable),
    ((EnumType, PatternType), _match),
)

RULES.describe_mismatch = describe_mismatch
RULES.check = check
