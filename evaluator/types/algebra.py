"""The types of values, and the type that two types have in common.

The type of an array contains the common type of its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from evaluator.types.aliases import DATA, RICH_DATA
from evaluator.types.base import ANY, DEFAULT, HOOKS, UNDEF, UNIT, Type, UndefType
from evaluator.types.collections import (
    COLLECTION,
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    CollectionType,
    HashType,
    Member,
    StructType,
    TupleType,
)
from evaluator.types.references import (
    CALLABLE,
    CATALOG_ENTRY,
    CLASS,
    RESOURCE,
    RUNTIME,
    CallableType,
    CatalogEntryType,
    ClassType,
    ResourceType,
    RuntimeType,
    infer_block_type,
)
from evaluator.types.scalars import (
    BOOLEAN,
    ENUM,
    FALSE,
    NUMERIC,
    REGEXP,
    SCALAR,
    SCALAR_DATA,
    STRING,
    TRUE,
    BooleanType,
    EnumType,
    FloatType,
    IntegerType,
    PatternType,
    RegexpType,
    ScalarType,
    Size,
    StringType,
    span_sizes,
)
from evaluator.types.variants import (
    IteratorType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
    get_known_strings,
    make_variant,
)
from evaluator.values import iterate_items, list_keys
from evaluator.values import kind as kinds
from evaluator.values.chunked import collect_classes, iterate_chunks
from evaluator.values.kind import Value, get_kind
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.dialect import PUPPET, SPEC, Dialect


def find_specified_union(left: Type, right: Type) -> Type | None:
    """Return the union of two types, or None where the table is silent."""
    if isinstance(left, TypeType) and isinstance(right, TypeType) and left.type and right.type:
        return TypeType(unite(left.type, right.type, SPEC))
    return (
        _unite_optional(left, right)
        or _find_wider(left, right)
        or _unite_same_kind(left, right)
        or _unite_domains(left, right)
    )


def _unite_parts(left: Type, right: Type) -> Type:
    """Return the union of types inside of others, which contains undef if one of them does.

    The rule that `Optional[T] ∪ T` is T is about two types themselves.
    """
    for optional, other in ((left, right), (right, left)):
        if isinstance(optional, OptionalType) and optional.type == other:
            return optional
    return unite(left, right, SPEC)


def _unite_optional(left: Type, right: Type) -> Type | None:
    """Optional[T] ∪ T is T; Optional[Q] ∪ Optional[R] is Optional[Q ∪ R]."""
    if isinstance(left, OptionalType) and isinstance(right, OptionalType):
        if left.type is None or right.type is None:
            return None
        return _find_wider(left, right) or OptionalType(unite(left.type, right.type, SPEC))
    for optional, other in ((left, right), (right, left)):
        if isinstance(optional, OptionalType) and optional.type == other:
            return other
    return None


def _find_wider(left: Type, right: Type) -> Type | None:
    """Return the one of two types that accepts the other; None if neither does."""
    return left if left.assignable(right) else right if right.assignable(left) else None


def _unite_same_kind(left: Type, right: Type) -> Type | None:
    """Return the union of two types of one kind, with a Variant, or of Struct and Hash.

    None where the table is silent.
    """
    for kind, rule in _KIND_RULES:
        if isinstance(left, kind) and isinstance(right, kind):
            return rule(left, right)
    for first, second in ((left, right), (right, left)):
        if isinstance(first, VariantType):
            return make_variant((first, second))
        if isinstance(first, StructType) and not first.any and isinstance(second, HashType):
            return _unite_struct_and_hash(first, second)
    return None


def _unite_sizes(left: CollectionType, right: CollectionType) -> Size | None:
    """Return the size that contains both; None where one type has none."""
    return None if left.size is None or right.size is None else span_sizes(left.size, right.size)


def _unite_hashes(left: HashType, right: HashType) -> Type:
    keys = _unite_parts(left.key_type, right.key_type)
    entries = _unite_parts(left.value_type, right.value_type)
    return HashType(keys, entries, _unite_sizes(left, right), bare=False)


def _unite_sequences(left: ArrayType | TupleType, right: ArrayType | TupleType) -> Type:
    """Unite an Array and a Tuple: `Array[T]` is `Tuple[T, 0, default]`."""
    return _unite_tuples(
        *(
            kind if isinstance(kind, TupleType) else TupleType([kind.element], kind.size or (0, None))
            for kind in (left, right)
        )
    )


def _unite_tuples(left: TupleType, right: TupleType) -> Type:
    """Unite each pair of types, as long as both have elements, else the type of one."""
    (low, high), (other_low, other_high) = left.extent, right.extent
    types = [
        _unite_parts(
            right.at(index) if high is not None and index >= high else left.at(index),
            left.at(index) if other_high is not None and index >= other_high else right.at(index),
        )
        for index in range(max(len(left.element_types()), len(right.element_types())))
    ]
    is_sized_by_types = low == high == other_low == other_high == len(types)
    size = None if is_sized_by_types else span_sizes(left.extent, right.extent)
    return TupleType(types, size, exact=True)


def _unite_struct_and_hash(left: StructType, right: HashType) -> Type:
    keys, entries = right.key_type, right.value_type
    for key, value in left.entry_types():
        keys = _unite_parts(keys, key.generalize())
        entries = _unite_parts(entries, value)
    return HashType(keys, entries, bare=False)


def _unite_platform_types(left: RuntimeType, right: RuntimeType) -> Type:
    """Return the type of all classes of the platform, or of all platforms."""
    return RuntimeType(left.runtime, short=left.short) if left.runtime == right.runtime else RUNTIME


def _unite_callables(left: CallableType, right: CallableType) -> Type:
    """Return what both can be called with: the narrower type of each parameter, if one is narrower."""
    first, second = left.parameters, right.parameters
    if first is None or second is None or first.extent != second.extent:
        return CALLABLE
    types = []
    for index in range(max(len(first.types or ()), len(second.types or ()))):
        wide = _find_wider(first.at(index), second.at(index))
        if wide is None:
            return CALLABLE
        types.append(second.at(index) if wide is first.at(index) else first.at(index))
    block: Any = None
    if left.block is not None and right.block is not None:
        block = unite(left.block, right.block, SPEC)
    elif left.block is not None or right.block is not None:
        return CALLABLE
    return CallableType(TupleType(types, first.size, exact=True), block)


# The unions of two types of one class, by the table of the specification; the first row that matches decides.
_KIND_RULES: tuple[tuple[Any, Callable[[Any, Any], Type | None]], ...] = (
    (VariantType, lambda left, right: make_variant((*left.types, *right.types))),
    (
        ArrayType,
        lambda left, right: ArrayType(
            _unite_parts(left.element, right.element), _unite_sizes(left, right), bare=False
        ),
    ),
    (HashType, _unite_hashes),
    (TupleType, _unite_tuples),
    ((ArrayType, TupleType), _unite_sequences),
    (StructType, lambda left, right: StructType(any=True)),
    (CallableType, _unite_callables),
    (BooleanType, lambda left, right: BOOLEAN),
    (RuntimeType, _unite_platform_types),
    # ranges, lengths, Enums and references of one kind are united as in the released Puppet
    (IntegerType, lambda left, right: None),
    (FloatType, lambda left, right: None),
    ((StringType, EnumType, PatternType), lambda left, right: None if type(left) is type(right) else STRING),
    (ResourceType, lambda left, right: None),
    (ClassType, lambda left, right: None),
)


def _unite_domains(left: Type, right: Type) -> Type | None:
    """Return the nearest abstract type of the hierarchy that accepts both, Any if there is none."""
    # Undef is an instance of Data but not of Scalar.
    if isinstance(left, OptionalType) or isinstance(right, OptionalType):
        return next(wide for wide in (DATA, ANY) if wide.assignable(left) and wide.assignable(right))
    for domain, abstract in _DOMAINS:
        inside = isinstance(left, domain), isinstance(right, domain)
        if all(inside):
            return None if domain is not CollectionType and _is_same_kind(left, right) else abstract
        if any(inside):
            return ANY
    return ANY if UNDEF in (left, right) else None


def _is_same_kind(left: Type, right: Type) -> bool:
    """Return True for two types that the released rules unite as the specification does."""
    return type(left) is type(right) or any(
        isinstance(left, kind) and isinstance(right, kind) for kind in _RELEASED_KINDS
    )


_RELEASED_KINDS: tuple[Any, ...] = (
    (IntegerType, FloatType),
    (StringType, EnumType, PatternType),
    ResourceType,
    ClassType,
)


_DOMAINS: tuple[tuple[type[Type], Type], ...] = (
    (ScalarType, SCALAR),
    (CollectionType, COLLECTION),
    (CatalogEntryType, CATALOG_ENTRY),
    (TypeType, ANY),
    (CallableType, ANY),
)


# --- the union by the released rules; the first rule that matches decides

Rule = Callable[[Any, Any], Type]


def list_ruby_parts(value: Value) -> Value:
    """Return the parts of a Variant, Tuple or Struct, as Ruby iterates over it; else the value."""
    kind = value.resolve() if isinstance(value, Type) else None
    if isinstance(kind, VariantType | TupleType):
        return [*(kind.types or ())]
    return ["Pcore::StructElement({})"] * len(kind.members) if isinstance(kind, StructType) else value


def unite(left: Type, right: Type, dialect: Dialect) -> Type:
    """Return the narrowest type, of those the rules know, that accepts both."""
    if left == UNIT or right == UNIT:
        return right if left == UNIT else left
    if dialect.type_union:
        union = find_specified_union(left, right)
        if union is not None:
            return union
    if (wider := _find_wider(left, right)) is not None:
        return wider
    for kind, rule in _RULES:
        if isinstance(left, kind) and isinstance(right, kind):
            return rule(left, right)
    if isinstance(left, UndefType):
        return right
    if isinstance(right, UndefType):
        return left
    return _find_abstract_type(left, right)


def unite_all(types: Iterable[Type], dialect: Dialect) -> Type:
    """Return the union of all the types; Unit for no types."""
    union: Type = UNIT
    for series, group in groupby(types, lambda each: None if dialect.type_union else _find_series(each)):
        # assigned to a variable at once: objects of an interrupted program are then freed after its answer
        run: list[Type] = []
        run.extend(group)
        for index, each in enumerate(run):
            if series is not None and _find_series(union) is series and getattr(union, "size", None) is None:
                union = _TOGETHER[series](union, run[index:])
                break
            union = unite(union, each, dialect)
    return union


# Uniting one type at a time would build longer and longer types of strings and of collections with strings, which takes
# quadratic time. Uniting the types of a series at once has the same result.
def _find_series(type_: Type) -> type[Type] | None:
    """Return the series that a type belongs to."""
    kind = type(type_)
    if isinstance(type_, StringType):
        return EnumType if type_.value is not None else None
    if isinstance(type_, EnumType):
        return EnumType if type_.values and not type_.fold else None
    return kind if kind in _TOGETHER else None


def _unite_enum_series(union: Value, run: list[Any]) -> Type:
    words = {word for each in (union, *run) for word in get_known_strings(each)}
    return union if words.issubset(get_known_strings(union)) else EnumType(words)


def _unite_hash_series(union: Value, run: list[Any]) -> Type:
    return HashType(
        unite_all([union.key_type, *(each.key_type for each in run)], PUPPET),
        unite_all([union.value_type, *(each.value_type for each in run)], PUPPET),
    )


_TOGETHER: dict[type[Type], Callable[[Any, list[Any]], Type]] = {
    EnumType: _unite_enum_series,
    ArrayType: lambda union, run: ArrayType(unite_all([each.element for each in (union, *run)], PUPPET)),
    HashType: _unite_hash_series,
}


def _find_abstract_type(left: Type, right: Type) -> Type:
    """Return the narrowest abstract type that accepts both."""
    for wide in (NUMERIC, SCALAR_DATA, SCALAR, DATA, RICH_DATA):
        if wide.assignable(left) and wide.assignable(right):
            return wide
    return ANY


def _merge_strings(left: StringType, right: StringType) -> Type:
    """Return an Enum of two known strings, a String with both sizes, or else any String."""
    if left.value is not None and right.value is not None:
        return EnumType((left.value, right.value))
    if left.value is not None or right.value is not None:
        return STRING
    return StringType(span_sizes(left.extent, right.extent))


def _merge_string_and_enum(left: EnumType | StringType, right: EnumType | StringType) -> Type:
    """Return the Enum with the known string added, or a bare Enum if the String is not known."""
    if isinstance(left, EnumType) and isinstance(right, StringType) and right.value is not None:
        return EnumType((*left.values, right.value), left.fold)
    if isinstance(right, EnumType) and isinstance(left, StringType) and left.value is not None:
        return EnumType((left.value, *right.values), right.fold)
    return ENUM


_RULES: tuple[tuple[Any, Rule], ...] = (
    (ArrayType, lambda left, right: ArrayType(unite(left.element, right.element, PUPPET))),
    (HashType, lambda left, right: _unite_hash_series(left, [right])),
    (ClassType, lambda left, right: CLASS),
    (
        ResourceType,
        lambda left, right: ResourceType(left.type_name) if left.type_name == right.type_name else RESOURCE,
    ),
    (IntegerType, lambda left, right: left.unite(right)),
    (FloatType, lambda left, right: left.unite(right)),
    (StringType, _merge_strings),
    (
        PatternType,
        lambda left, right: PatternType((*left.patterns, *right.patterns), any=left.any or right.any),
    ),
    (EnumType, lambda left, right: EnumType((*left.values, *right.values))),
    ((StringType, EnumType), _merge_string_and_enum),
    (VariantType, lambda left, right: make_variant((*left.types, *right.types))),
    (RegexpType, lambda left, right: REGEXP),
    (CallableType, lambda left, right: CALLABLE),
    (TypeType, lambda left, right: TypeType(unite(left.type or ANY, right.type or ANY, PUPPET))),
)
HOOKS.unite_all = unite_all


# --- the type of a value

Infer = Callable[[Any, Dialect], Type]


def infer(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type: the types of elements are united (`Array[Integer[1, 3], 3, 3]`)."""
    kind = type(value)
    if kind is list:
        return _memoize(_infer_array, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _memoize(_infer_hash, value, dialect) if value else EMPTY_HASH
    return get_kind(value).infer(value, dialect)


def infer_detailed(value: Value, dialect: Dialect) -> Type:
    """Return the detailed type: arrays are Tuples, hashes with String keys are Structs."""
    kind = type(value)
    if kind is list:
        return _memoize(_infer_tuple, value, dialect) if value else EMPTY_ARRAY
    if kind is dict:
        return _memoize(_infer_struct, value, dialect) if value else EMPTY_HASH
    of_kind = get_kind(value)
    return (of_kind.infer_detailed or of_kind.infer)(value, dialect)


def infer_generalized(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type without value and size parameters."""
    return infer(value, dialect).generalize()


def format_general_type(value: Value) -> str:
    """Return the reduced type without value and size parameters as messages have it."""
    return str(infer_generalized(value, PUPPET))


def infer_specified(value: Value) -> Type:
    """Return the type by the union of the specification, without sizes and strings."""
    kind = type(value)
    if kind is list and value:
        return _memoize(_infer_specified_array, value, SPEC)
    if kind is dict and value:
        return _memoize(_infer_specified_hash, value, SPEC)
    return _remove_sizes(infer(value, SPEC))


def _infer_specified_array(value: list[Value], dialect: Dialect) -> Type:
    return ArrayType(unite_all(map(infer_specified, value), dialect), bare=False)


def _infer_specified_hash(value: dict[Value, Value], dialect: Dialect) -> Type:
    key_type = unite_all(map(infer_specified, list_keys(value)), dialect)
    return HashType(key_type, unite_all(map(infer_specified, value.values()), dialect), bare=False)


def _remove_sizes(type: Type) -> Type:
    """Return a type without its sizes, strings and booleans."""
    if isinstance(type, StringType | EnumType | BooleanType):
        return BOOLEAN if isinstance(type, BooleanType) else STRING
    if isinstance(type, ArrayType) and type != EMPTY_ARRAY:
        return ArrayType(_remove_sizes(type.element), bare=False)
    if isinstance(type, HashType) and type != EMPTY_HASH:
        return HashType(_remove_sizes(type.key_type), _remove_sizes(type.value_type), bare=False)
    return type


# The types of the arrays and hashes inside the value that is being examined. A collection that occurs many times is
# examined only once.
FEW = 4  # examining this few elements again takes little time if they contain no collections
_known: dict[tuple[Any, int, int], tuple[Type, Any]] | None = None


def _memoize(make: Infer, value: Value, dialect: Dialect) -> Type:
    """Return `make(value, dialect)`.

    It is computed once for each part of the value that is being examined.
    """
    global _known
    if _known is None:
        known = _known = {}  # noqa: F841  # after a stop, this variable holds it until the answer is sent
        try:
            return make(value, dialect)
        finally:
            _known = None
    if type(value) is list and len(value) <= FEW and not any(type(item) in (list, dict) for item in value):
        return make(value, dialect)  # there may be many entries, and freeing them at once would take long
    key = (make, id(value), id(dialect))
    found = _known.get(key)
    if found is None:
        found = _known[key] = make(value, dialect), value
    return found[0]


# A list under construction that is not assigned to a variable is freed when a program is stopped, before its answer is
# sent; a list in a variable is freed afterwards. Calls in between would use up the stack level by level.


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
        _infer_element_type(list_keys(value), dialect), _infer_element_type(value.values(), dialect), size
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
        # The specification's table describes types; the types of data keep the released precision.
        dialect = PUPPET
    return unite_all((infer(value, dialect) for value in values), dialect)


def _infer_struct(value: dict[Value, Value], dialect: Dialect) -> Type:
    """Return the Struct of a hash; a Hash of Variants if a key is no String that names it."""
    if all(type(key) is str and key for key in value):
        members: list[Member] = []
        for key, item in value.items():
            members.append(Member(key, infer_detailed(item, dialect), True))
        return StructType(members)
    pairs = iterate_items(value)
    keys = make_variant(infer_detailed(key, dialect) for key, _ in pairs)
    return HashType(
        keys, make_variant(infer_detailed(item, dialect) for _, item in pairs), (len(pairs), len(pairs))
    )


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
kinds.RESOURCE.set_rules(infer=lambda value, dialect: TypeType(ResourceType(value.type_name, value.title)))
kinds.CALLABLE.set_rules(infer=lambda value, dialect: infer_block_type(value))
kinds.RUNTIME.set_rules(infer=lambda value, dialect: RuntimeType("ruby", get_ruby_class(value)))

HOOKS.infer = infer
