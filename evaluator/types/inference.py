"""The type of a value: detailed, reduced and generalized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.types.base import ANY, DEFAULT, FALSE, TRUE, UNDEF, Type
from evaluator.types.containers import EMPTY_ARRAY, EMPTY_HASH, ArrayType, HashType
from evaluator.types.numbers import FloatType, IntegerType
from evaluator.types.strings import STRING, EnumType, RegexpType, StringType
from evaluator.types.structures import Member, StructType, TupleType
from evaluator.types.union import common_of
from evaluator.types.variants import variant
from evaluator.types.wrappers import IteratorType, SensitiveType, TypeType
from lexer_parser.dialect import PUPPET, SPEC, Dialect

Infer = Callable[[Any, Dialect], Type]


def infer(value: Any, dialect: Dialect) -> Type:
    """The reduced type: elements of arrays and hashes are unified (`Array[Integer[1, 3], 3, 3]`)."""
    kind = type(value)
    if kind is list:
        return _once(_array, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _once(_hash, value, dialect) if value else EMPTY_HASH
    return _leaf(value, dialect)


def infer_detailed(value: Any, dialect: Dialect) -> Type:
    """The detailed type: arrays are Tuples, hashes with String keys are Structs."""
    kind = type(value)
    if kind is list:
        return _once(_tuple, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _once(_struct, value, dialect) if value else EMPTY_HASH
    if kind.__name__ == "SemVer":
        from evaluator.types.rich import SemVerType
        from evaluator.values import SemVerRange

        return SemVerType([SemVerRange.parse(f"{value.text()} - {value.text()}")])
    return _leaf(value, dialect)


def infer_generalized(value: Any, dialect: Dialect) -> Type:
    """The reduced type without value and size parameters."""
    return infer(value, dialect).generalize()


def infer_specified(value: Any) -> Type:
    """The specification's inference: the reduced type without sizes, and String for the strings in it."""
    return _unsized(infer(value, SPEC))


def _unsized(type: Type) -> Type:
    if isinstance(type, StringType | EnumType):
        return STRING
    if isinstance(type, ArrayType) and type != EMPTY_ARRAY:
        return ArrayType(_unsized(type.element), bare=False)
    if isinstance(type, HashType) and type != EMPTY_HASH:
        return HashType(_unsized(type.key_type), _unsized(type.value_type), bare=False)
    return type


# The types of the arrays and hashes inside the value that is being looked at; the same one may occur in it many
# times, and takes its time only once.
_known: dict[tuple[Any, int, int], tuple[Type, Any]] | None = None


def _once(make: Infer, value: Any, dialect: Dialect) -> Type:
    global _known
    if _known is None:
        _known = {}
        try:
            return make(value, dialect)
        finally:
            _known = None
    key = (make, id(value), id(dialect))
    found = _known.get(key)
    if found is None:
        found = _known[key] = make(value, dialect), value
    return found[0]


def _tuple(value: list[Any], dialect: Dialect) -> Type:
    return TupleType([infer_detailed(item, dialect) for item in value])


def _array(value: list[Any], dialect: Dialect) -> Type:
    return ArrayType(_unified(value, dialect), (len(value), len(value)))


def _hash(value: dict[Any, Any], dialect: Dialect) -> Type:
    from evaluator.values import keys

    size = (len(value), len(value))
    return HashType(_unified(keys(value), dialect), _unified(value.values(), dialect), size)


def _unified(values: Iterable[Any], dialect: Dialect) -> Type:
    """The reduced type of elements; plain lists of numbers or strings need no pairwise union."""
    values = list(values)
    kinds = set(map(type, values))
    if kinds == {int}:
        return IntegerType(min(values), max(values), full=dialect.int_range)
    if kinds == {str}:
        found = set(values)
        return StringType(value=values[0]) if len(found) == 1 else EnumType(found)
    if dialect.type_union and not all(isinstance(value, Type) for value in values):
        dialect = PUPPET  # the specification's table is about types; data keeps the released precision
    return common_of((infer(value, dialect) for value in values), dialect)


def _struct(value: dict[Any, Any], dialect: Dialect) -> Type:
    from evaluator.values import items

    if all(type(key) is str and key for key in value):
        return StructType([Member(key, infer_detailed(item, dialect), True) for key, item in value.items()])
    pairs = items(value)
    keys = variant(infer_detailed(key, dialect) for key, _ in pairs)
    return HashType(
        keys, variant(infer_detailed(item, dialect) for _, item in pairs), (len(pairs), len(pairs))
    )


def _leaf(value: Any, dialect: Dialect) -> Type:
    found = _LEAVES.get(type(value).__name__)
    if found is not None:
        return found(value, dialect)
    if isinstance(value, Type):
        return TypeType(value)
    from evaluator.types.callables import callable_type_of
    from evaluator.types.platform import RuntimeType

    name = type(value).__name__
    return callable_type_of(value) or RuntimeType("ruby", getattr(value, "runtime_name", name))


def _rich(name: str, *, range: bool = False) -> Infer:
    def inferred(value: Any, dialect: Dialect) -> Type:
        from evaluator.types import rich

        if range:
            ranged: Type = getattr(rich, f"{name}Type")(value, value)
            return ranged
        found: Type = getattr(rich, name)
        return found

    return inferred


def _uri(value: Any, dialect: Dialect) -> Type:
    from evaluator.types.rich import UriType

    return UriType(dict(value.components))


_LEAVES: dict[str, Infer] = {
    "NoneType": lambda value, dialect: UNDEF,
    "bool": lambda value, dialect: TRUE if value else FALSE,
    "int": lambda value, dialect: IntegerType(value, value, full=dialect.int_range),
    "float": lambda value, dialect: FloatType(value, value, full=dialect.int_range),
    "str": lambda value, dialect: StringType(value=value),
    "Default": lambda value, dialect: DEFAULT,
    "Regexp": lambda value, dialect: RegexpType(value),
    "Sensitive": lambda value, dialect: SensitiveType(infer(value.value, dialect)),
    "PuppetIterator": lambda value, dialect: IteratorType(value.element_type or ANY),
    "SemVer": _rich("SEMVER"),
    "SemVerRange": _rich("SEMVER_RANGE"),
    "Timestamp": _rich("Timestamp", range=True),
    "Timespan": _rich("Timespan", range=True),
    "Binary": _rich("BINARY"),
    "URI": _uri,
    "PuppetObject": lambda value, dialect: value.type.of(value),
}
