"""The type of a value: detailed, reduced and generalized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.types.algebra import unite_all
from evaluator.types.base import ANY, DEFAULT, HOOKS, UNDEF, Type
from evaluator.types.callables import infer_block_type
from evaluator.types.collections import (
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    HashType,
    Member,
    StructType,
    TupleType,
)
from evaluator.types.numbers import FloatType, IntegerType
from evaluator.types.references import RuntimeType
from evaluator.types.scalars import BOOLEAN, FALSE, TRUE
from evaluator.types.strings import STRING, EnumType, RegexpType, StringType
from evaluator.types.variants import IteratorType, SensitiveType, TypeType, make_variant
from evaluator.values import kind as kinds
from evaluator.values.chunked import collect_classes, iterate_chunks
from evaluator.values.core import Sensitive, items, keys
from evaluator.values.kind import Value, kind_of
from evaluator.values.ruby_classes import get_ruby_class
from lexer_parser.dialect import PUPPET, SPEC, Dialect
from lexer_parser.errors import PuppetError

Infer = Callable[[Any, Dialect], Type]


def infer(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type: the types of elements are united (`Array[Integer[1, 3], 3, 3]`)."""
    kind = type(value)
    if kind is list:
        return _memoize(_infer_array, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _memoize(_infer_hash, value, dialect) if value else EMPTY_HASH
    found: Type = kind_of(value).infer(value, dialect)
    return found


def infer_detailed(value: Value, dialect: Dialect) -> Type:
    """Return the detailed type: arrays are Tuples, hashes with String keys are Structs."""
    kind = type(value)
    if kind is list:
        return _memoize(_infer_tuple, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _memoize(_infer_struct, value, dialect) if value else EMPTY_HASH
    of_kind = kind_of(value)
    found: Type = (of_kind.infer_detailed or of_kind.infer)(value, dialect)
    return found


def infer_generalized(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type without value and size parameters."""
    return infer(value, dialect).generalize()


MOST_LOOKS = 3_000  # arrays, hashes and elements that `infer_outline` looks at


def infer_outline(value: Value, dialect: Dialect, looks: int = MOST_LOOKS) -> Type:
    """Return the reduced type without value and size parameters, at a bounded cost.

    Of an array or hash that is large, or would be if written out, only the classes of its elements are
    examined, so the result
    is true and less precise: `Array[Array]`, `Hash[String, Hash]`, `Array`.
    """
    if _is_small(value, looks):
        return infer(value, dialect).generalize()
    if type(value) is Sensitive:
        return SensitiveType(infer_outline(value.value, dialect, looks))
    if type(value) is list:
        return ArrayType(_infer_at_first_sight(value))
    return HashType(_infer_at_first_sight(value), _infer_at_first_sight(value.values()))


def describe_outline(value: Value, dialect: Dialect) -> str:
    """Return the outline as source; the bare name if the source is too long or too deep."""
    try:
        return str(infer_outline(value, dialect))
    except (PuppetError, RecursionError):
        return kind_of(value).name


def _infer_at_first_sight(values: Iterable[Value]) -> Type:
    """Return the common type of elements by their classes alone."""
    found = collect_classes(values)
    if len(found) != 1:
        return ANY
    return _GLIMPSES.get(found.pop(), ANY)


_GLIMPSES: dict[type, Type] = {
    str: STRING,
    int: IntegerType(),
    float: FloatType(),
    bool: BOOLEAN,
    list: ArrayType(),
    dict: HashType(),
}


def _is_small(value: Value, looks: int) -> bool:
    """Return True if a value, written out, has few parts."""
    pending = [value]
    while pending:
        item = pending.pop()
        if type(item) is Sensitive:
            pending.append(item.value)
        looks -= 1 + (len(item) if type(item) is list or type(item) is dict else 0)
        if looks < 0:
            return False
        if type(item) is list:
            pending += item
        elif type(item) is dict:
            pending += [*keys(item), *item.values()]
    return True


def infer_specified(value: Value) -> Type:
    """Return the type by the inference of the specification: its union, no sizes, String for strings."""
    kind = type(value)
    if kind is list and value:
        return _memoize(_infer_specified_array, value, SPEC)
    if kind is dict and value:
        return _memoize(_infer_specified_hash, value, SPEC)
    return _remove_sizes(infer(value, SPEC))


def _infer_specified_array(value: list[Value], dialect: Dialect) -> Type:
    return ArrayType(unite_all(map(infer_specified, value), dialect), bare=False)


def _infer_specified_hash(value: dict[Value, Value], dialect: Dialect) -> Type:
    key_type = unite_all(map(infer_specified, keys(value)), dialect)
    return HashType(key_type, unite_all(map(infer_specified, value.values()), dialect), bare=False)


def _remove_sizes(type: Type) -> Type:
    if isinstance(type, StringType | EnumType):
        return STRING
    if isinstance(type, ArrayType) and type != EMPTY_ARRAY:
        return ArrayType(_remove_sizes(type.element), bare=False)
    if isinstance(type, HashType) and type != EMPTY_HASH:
        return HashType(_remove_sizes(type.key_type), _remove_sizes(type.value_type), bare=False)
    return type


# The types of the arrays and hashes inside the value that is being looked at; the same one may occur in it many
# times, and takes its time only once.
FEW = 4  # elements that are soon looked at again, when there is nothing in them
_known: dict[tuple[Any, int, int], tuple[Type, Any]] | None = None


def _memoize(make: Infer, value: Value, dialect: Dialect) -> Type:
    global _known
    if _known is None:
        known = _known = {}  # noqa: F841  # what a stop leaves of it is kept by this name, and freed after the answer
        try:
            return make(value, dialect)
        finally:
            _known = None
    if type(value) is list and len(value) <= FEW and not any(type(item) in (list, dict) for item in value):
        return make(
            value, dialect
        )  # there may be many: to free what is known of them would take long at once
    key = (make, id(value), id(dialect))
    found = _known.get(key)
    if found is None:
        found = _known[key] = make(value, dialect), value
    return found[0]


# A list that is being made and has no name yet is freed where a program is stopped, before its answer: what names hold
# is freed after it. Calls in between would take of the stack, level by level.


def _infer_tuple(value: list[Value], dialect: Dialect) -> Type:
    types: list[Type] = []
    for item in value:
        types.append(infer_detailed(item, dialect))
    return TupleType(types)


def _infer_array(value: list[Value], dialect: Dialect) -> Type:
    return ArrayType(_infer_element_type(value, dialect), (len(value), len(value)))


def _infer_hash(value: dict[Value, Value], dialect: Dialect) -> Type:
    size = (len(value), len(value))
    return HashType(
        _infer_element_type(keys(value), dialect), _infer_element_type(value.values(), dialect), size
    )


def _infer_element_type(values: Iterable[Value], dialect: Dialect) -> Type:
    """Return the reduced type of elements; lists of numbers or strings need no pairwise union."""
    values = list(values)
    classes = collect_classes(values)
    if classes == {int}:
        least, most = min(map(min, iterate_chunks(values))), max(map(max, iterate_chunks(values)))
        return IntegerType(least, most, full=dialect.int_range)
    if classes == {str}:
        found = set[str]()
        for part in iterate_chunks(values):
            found.update(part)
        return StringType(value=values[0]) if len(found) == 1 else EnumType(found)
    if dialect.type_union and not all(isinstance(value, Type) for value in values):
        dialect = PUPPET  # the specification's table is about types; data keeps the released precision
    return unite_all((infer(value, dialect) for value in values), dialect)


def _infer_struct(value: dict[Value, Value], dialect: Dialect) -> Type:
    if all(type(key) is str and key for key in value):
        members: list[Member] = []
        for key, item in value.items():
            members.append(Member(key, infer_detailed(item, dialect), True))
        return StructType(members)
    pairs = items(value)
    keys = make_variant(infer_detailed(key, dialect) for key, _ in pairs)
    return HashType(
        keys, make_variant(infer_detailed(item, dialect) for _, item in pairs), (len(pairs), len(pairs))
    )


def _infer_runtime(value: Value, dialect: Dialect) -> Type:
    """Return the Runtime type of a value of the platform, by the name of its class."""
    return RuntimeType("ruby", getattr(value, "runtime_name", get_ruby_class(value)))


kinds.UNDEF.set_rules(infer=lambda value, dialect: UNDEF)
kinds.BOOLEAN.set_rules(infer=lambda value, dialect: TRUE if value else FALSE)
kinds.INTEGER.set_rules(infer=lambda value, dialect: IntegerType(value, value, full=dialect.int_range))
kinds.FLOAT.set_rules(infer=lambda value, dialect: FloatType(value, value, full=dialect.int_range))
kinds.STRING.set_rules(infer=lambda value, dialect: StringType(value=value))
kinds.ARRAY.set_rules(infer=infer, infer_detailed=infer_detailed)
kinds.HASH.set_rules(infer=infer, infer_detailed=infer_detailed)
kinds.DEFAULT.set_rules(infer=lambda value, dialect: DEFAULT)
kinds.REGEXP.set_rules(infer=lambda value, dialect: RegexpType(value))
kinds.SENSITIVE.set_rules(infer=lambda value, dialect: SensitiveType(infer(value.value, dialect)))
kinds.ITERATOR.set_rules(infer=lambda value, dialect: IteratorType(value.element_type or ANY))
kinds.OBJECT.set_rules(infer=lambda value, dialect: value.type.infer_type_of(value))
kinds.TYPE.set_rules(infer=lambda value, dialect: TypeType(value))
kinds.CALLABLE.set_rules(infer=lambda value, dialect: infer_block_type(value))
kinds.RUNTIME.set_rules(infer=_infer_runtime)

HOOKS.infer = infer
