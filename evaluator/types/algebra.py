"""The union of types, the narrowest type that accepts them all; and `infer`, the type of a value.

`infer` needs unions, because the type of an array contains the union of the types of its elements. `unite` follows the
rules of the released Puppet. In the dialect of the specification its table of unions comes first; the released rules
decide where the table has no entry, and for the elements of data. The end of the file sets `infer` for each kind.

The parameters `bare`, `exact` and `full` of types are described in `collections` and `scalars`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from evaluator.issues import Failure
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

# --- the union by the rules of a dialect


def unite(left: Type, right: Type, dialect: Dialect) -> Type:
    """Return the union of two types by the rules of the dialect."""
    if left == UNIT or right == UNIT:
        return right if left == UNIT else left
    if dialect.type_union:
        union = find_specified_union(left, right)
        if union is not None:
            return union
    if (wider := _find_wider(left, right)) is not None:
        return wider
    for classes, rule in _RELEASED_RULES:
        if isinstance(left, classes) and isinstance(right, classes):
            return rule(left, right)
    if isinstance(left, UndefType):
        return right
    if isinstance(right, UndefType):
        return left
    return _find_abstract_type(left, right)


def unite_all(types: Iterable[Type], dialect: Dialect) -> Type:
    """Return the union of all the types; Unit for no types.

    Types that follow one another and belong to one series are united at once, with the same result. One type at a time
    would build longer and longer types of strings and of collections with strings, which takes quadratic time.
    """
    union: Type = UNIT
    for series, group in groupby(types, lambda each: None if dialect.type_union else _get_series(each)):
        members: list[Type] = []  # not `list(group)`, see the comment before `_infer_tuple`
        members.extend(group)
        for index, each in enumerate(members):
            # The first of them may have to be united alone, until the union belongs to the series and has no size.
            if series is not None and _get_series(union) is series and getattr(union, "size", None) is None:
                union = _SERIES_RULES[series](union, members[index:])
                break
            union = unite(union, each, dialect)
    return union


# --- the union by the table of the specification


def find_specified_union(left: Type, right: Type) -> Type | None:
    """Return the union of two types by the table; None if the released rules decide.

    The first rule that has a union decides.
    """
    if isinstance(left, TypeType) and isinstance(right, TypeType) and left.type and right.type:
        return TypeType(unite(left.type, right.type, SPEC))
    return (
        _unite_optional(left, right)
        or _find_wider(left, right)
        or _unite_same_kind(left, right)
        or _unite_domains(left, right)
    )


def _unite_parts(left: Type, right: Type) -> Type:
    """Return the union of two types that are parameters of the types to unite.

    Here `Optional[T] ∪ T` is `Optional[T]`. The rule of the table that it is T (`_unite_optional`) is about types that
    are not parameters.
    """
    return _find_optional(left, right) or unite(left, right, SPEC)


def _unite_optional(left: Type, right: Type) -> Type | None:
    """Return T for `Optional[T] ∪ T`, Optional[Q ∪ R] for `Optional[Q] ∪ Optional[R]`.

    None for other types.
    """
    if isinstance(left, OptionalType) and isinstance(right, OptionalType):
        if left.type is None or right.type is None:
            return None
        return _find_wider(left, right) or OptionalType(unite(left.type, right.type, SPEC))
    optional = _find_optional(left, right)
    return None if optional is None else optional.type


def _find_optional(left: Type, right: Type) -> OptionalType | None:
    """Return the one of two types that is Optional of the other; None if neither is."""
    for optional, other in ((left, right), (right, left)):
        if isinstance(optional, OptionalType) and optional.type == other:
            return optional
    return None


def _find_wider(left: Type, right: Type) -> Type | None:
    """Return the one of two types that accepts the other; None if neither does."""
    if left.assignable(right):
        return left
    return right if right.assignable(left) else None


def _unite_same_kind(left: Type, right: Type) -> Type | None:
    """Return the union of types of one kind, with a Variant, or of Struct and Hash."""
    for classes, rule in _SPECIFIED_RULES:
        if isinstance(left, classes) and isinstance(right, classes):
            return rule(left, right)
    for first, second in ((left, right), (right, left)):
        if isinstance(first, VariantType):
            return make_variant((first, second))
        if isinstance(first, StructType) and not first.any and isinstance(second, HashType):
            return _unite_struct_and_hash(first, second)
    return None


def _unite_sizes(left: CollectionType, right: CollectionType) -> Size | None:
    """Return the range of sizes that contains those of both types; None if one has no limits."""
    return None if left.size is None or right.size is None else span_sizes(left.size, right.size)


def _unite_hashes(left: HashType, right: HashType) -> Type:
    keys = _unite_parts(left.key_type, right.key_type)
    entries = _unite_parts(left.value_type, right.value_type)
    return HashType(keys, entries, _unite_sizes(left, right), bare=False)


def _unite_sequences(left: ArrayType | TupleType, right: ArrayType | TupleType) -> Type:
    """Return the union of an Array and a Tuple: `Array[T]` is `Tuple[T, 0, default]`."""
    return _unite_tuples(
        *(
            each if isinstance(each, TupleType) else TupleType([each.element], each.extent)
            for each in (left, right)
        )
    )


def _unite_tuples(left: TupleType, right: TupleType) -> Type:
    """Return the Tuple of the union at each index; past the end of one, the other's type."""
    types = [
        _unite_parts(
            left.at(index) if _reaches(left, index) else right.at(index),
            right.at(index) if _reaches(right, index) else left.at(index),
        )
        for index in range(max(len(left.element_types()), len(right.element_types())))
    ]
    is_sized_by_types = left.extent == right.extent == (len(types), len(types))
    size = None if is_sized_by_types else span_sizes(left.extent, right.extent)
    return TupleType(types, size, exact=True)


def _reaches(tuple_type: TupleType, index: int) -> bool:
    """Return True if an instance may have an element at an index."""
    _, high = tuple_type.extent
    return high is None or index < high


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
    """Return the Callable of the calls that both accept; any Callable if there is none.

    Each parameter has the narrower type of the two.
    """
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


# The union of two types that are both instances of the classes of a row; the first such row decides. None is for types
# that `_unite_domains` leaves to the released rules.
_SPECIFIED_RULES: tuple[tuple[Any, Callable[[Any, Any], Type | None]], ...] = (
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
    (IntegerType, lambda left, right: None),
    (FloatType, lambda left, right: None),
    ((StringType, EnumType, PatternType), lambda left, right: None if type(left) is type(right) else STRING),
    (ResourceType, lambda left, right: None),
    (ClassType, lambda left, right: None),
)


def _unite_domains(left: Type, right: Type) -> Type | None:
    """Return the abstract type of the domain of both types, Any for different domains.

    None if they are in no domain, or have a union by the released rules.
    """
    # Undef is an instance of Data but not of Scalar.
    if isinstance(left, OptionalType) or isinstance(right, OptionalType):
        return next(wide for wide in (DATA, ANY) if wide.assignable(left) and wide.assignable(right))
    for domain, abstract in _DOMAINS:
        is_left_inside, is_right_inside = isinstance(left, domain), isinstance(right, domain)
        if is_left_inside != is_right_inside:
            return ANY
        if is_left_inside:
            # The released rules come first, but they have none for two Collections of different sizes.
            return None if domain is not CollectionType and _has_released_union(left, right) else abstract
    return ANY if UNDEF in (left, right) else None


def _has_released_union(left: Type, right: Type) -> bool:
    """Return True for two types that the released rules unite as the specification does."""
    return type(left) is type(right) or any(
        isinstance(left, classes) and isinstance(right, classes) for classes in _RELEASED_UNIONS
    )


# Two types whose classes are in one row have a union by the released rules.
_RELEASED_UNIONS: tuple[Any, ...] = (
    (IntegerType, FloatType),
    (StringType, EnumType, PatternType),
    ResourceType,
    ClassType,
)


# The domains of the type hierarchy, and the abstract type that accepts all types of each.
_DOMAINS: tuple[tuple[type[Type], Type], ...] = (
    (ScalarType, SCALAR),
    (CollectionType, COLLECTION),
    (CatalogEntryType, CATALOG_ENTRY),
    (TypeType, ANY),
    (CallableType, ANY),
)


# --- the union by the released rules


def _get_series(type_: Type) -> type[Type] | None:
    """Return the key of a type in `_SERIES_RULES`; a String with a known value is an Enum."""
    if isinstance(type_, StringType):
        return EnumType if type_.value is not None else None
    if isinstance(type_, EnumType):
        return EnumType if type_.values and not type_.fold else None
    return type(type_) if type(type_) in _SERIES_RULES else None


def _unite_enum_series(union: Value, members: list[Any]) -> Type:
    strings = {string for each in (union, *members) for string in get_known_strings(each)}
    return union if strings.issubset(get_known_strings(union)) else EnumType(strings)


def _unite_hash_series(union: Value, members: list[Any]) -> Type:
    return HashType(
        unite_all([union.key_type, *(each.key_type for each in members)], PUPPET),
        unite_all([union.value_type, *(each.value_type for each in members)], PUPPET),
    )


# For each series, by the class of its union: returns the union of a union so far and further types of the series.
_SERIES_RULES: dict[type[Type], Callable[[Any, list[Any]], Type]] = {
    EnumType: _unite_enum_series,
    ArrayType: lambda union, members: ArrayType(
        unite_all([each.element for each in (union, *members)], PUPPET)
    ),
    HashType: _unite_hash_series,
}


def _find_abstract_type(left: Type, right: Type) -> Type:
    """Return the narrowest abstract type that accepts both."""
    abstract_types = (NUMERIC, SCALAR_DATA, SCALAR, DATA, RICH_DATA, ANY)
    return next(wide for wide in abstract_types if wide.assignable(left) and wide.assignable(right))


def _unite_strings(left: StringType, right: StringType) -> Type:
    """Return an Enum of two known strings, a String with both sizes, or else any String."""
    if left.value is not None and right.value is not None:
        return EnumType((left.value, right.value))
    if left.value is not None or right.value is not None:
        return STRING
    return StringType(span_sizes(left.extent, right.extent))


def _unite_string_and_enum(left: EnumType | StringType, right: EnumType | StringType) -> Type:
    """Return the Enum with the known string added, or a bare Enum if the String is not known."""
    if isinstance(left, EnumType) and isinstance(right, StringType) and right.value is not None:
        return EnumType((*left.values, right.value), left.fold)
    if isinstance(right, EnumType) and isinstance(left, StringType) and left.value is not None:
        return EnumType((left.value, *right.values), right.fold)
    return ENUM


# The union of two types that are both instances of the classes of a row; the first such row decides.
_RELEASED_RULES: tuple[tuple[Any, Callable[[Any, Any], Type]], ...] = (
    (ArrayType, lambda left, right: ArrayType(unite(left.element, right.element, PUPPET))),
    (HashType, lambda left, right: _unite_hash_series(left, [right])),
    (ClassType, lambda left, right: CLASS),
    (
        ResourceType,
        lambda left, right: ResourceType(left.type_name) if left.type_name == right.type_name else RESOURCE,
    ),
    (IntegerType, lambda left, right: left.unite(right)),
    (FloatType, lambda left, right: left.unite(right)),
    (StringType, _unite_strings),
    (
        PatternType,
        lambda left, right: PatternType((*left.patterns, *right.patterns), any=left.any or right.any),
    ),
    (EnumType, lambda left, right: EnumType((*left.values, *right.values))),
    ((StringType, EnumType), _unite_string_and_enum),
    (VariantType, lambda left, right: make_variant((*left.types, *right.types))),
    (RegexpType, lambda left, right: REGEXP),
    (CallableType, lambda left, right: CALLABLE),
    (TypeType, lambda left, right: TypeType(unite(left.type or ANY, right.type or ANY, PUPPET))),
)
HOOKS.unite_all = unite_all


# --- the type of a value


def infer(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type, in which types of elements are united: `Array[Integer, 3, 3]`.

    Raises:
        Failure: Elements are types that cannot be compared, such as `Init[Any]`.
    """
    value_class = type(value)
    if value_class is list:
        return _memoize(_infer_array, value, dialect) if value else EMPTY_ARRAY
    if value_class is dict:
        return _memoize(_infer_hash, value, dialect) if value else EMPTY_HASH
    return get_kind(value).infer(value, dialect)


def infer_detailed(value: Value, dialect: Dialect) -> Type:
    """Return the detailed type: arrays are Tuples, hashes with String keys are Structs."""
    value_class = type(value)
    if value_class is list:
        return _memoize(_infer_tuple, value, dialect) if value else EMPTY_ARRAY
    if value_class is dict:
        return _memoize(_infer_struct, value, dialect) if value else EMPTY_HASH
    kind = get_kind(value)
    return (kind.infer_detailed or kind.infer)(value, dialect)


def infer_for_display(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type; the detailed one if the types of elements cannot be united."""
    try:
        return infer(value, dialect)
    except Failure:
        return infer_detailed(value, dialect)


def infer_generalized(value: Value, dialect: Dialect) -> Type:
    """Return the reduced type without value and size parameters."""
    return infer(value, dialect).generalize()


def format_general_type(value: Value) -> str:
    """Return the source of the reduced type without value and size parameters, for messages."""
    return str(infer_generalized(value, PUPPET))


def infer_specified(value: Value) -> Type:
    """Return the type by the specification's union, without sizes and strings."""
    if type(value) is list and value:
        return _memoize(_infer_specified_array, value, SPEC)
    if type(value) is dict and value:
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


FEW = 4  # examining this few elements again takes little time if they contain no collections
# While a value is examined: the types of the arrays and hashes inside it, by the function that infers them and the ids
# of the collection and the dialect. The collection is stored too, so that its id is not reused.
_types_of_parts: dict[tuple[Any, int, int], tuple[Type, Any]] | None = None


def _memoize(infer_part: Callable[[Value, Dialect], Type], value: Value, dialect: Dialect) -> Type:
    """Return `infer_part(value, dialect)`, called once for a collection that occurs often.

    The outermost call makes the table of results and discards it.
    """
    global _types_of_parts
    if _types_of_parts is None:
        table = _types_of_parts = {}  # noqa: F841  # a variable, see the comment before `_infer_tuple`
        try:
            return infer_part(value, dialect)
        finally:
            _types_of_parts = None
    if type(value) is list and len(value) <= FEW and not any(type(item) in (list, dict) for item in value):
        # Not cached: there may be so many of these that freeing their entries at once would take long.
        return infer_part(value, dialect)
    key = (infer_part, id(value), id(dialect))
    entry = _types_of_parts.get(key)
    if entry is None:
        entry = _types_of_parts[key] = infer_part(value, dialect), value
    return entry[0]


# Freeing a large list takes long. When a program is stopped, a list that is not in a variable yet is freed before the
# user sees the error, and a list in a local variable afterwards, with the frames. A function that only fills the list
# would use more of the stack at each level of a deep value.


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
        strings = set[str]()
        for chunk in iterate_chunks(values):
            strings.update(chunk)
        return StringType(value=values[0]) if len(strings) == 1 else EnumType(strings)
    if dialect.type_union and not all(isinstance(value, Type) for value in values):
        # The specification's table describes types; the types of data keep the released precision.
        dialect = PUPPET
    return unite_all((infer(value, dialect) for value in values), dialect)


def _infer_struct(value: dict[Value, Value], dialect: Dialect) -> Type:
    """Return the Struct of a hash; a Hash of Variants if a key is no String or an empty one."""
    if all(type(key) is str and key for key in value):
        members: list[Member] = []
        for key, item in value.items():
            members.append(Member(key, infer_detailed(item, dialect), required=True))
        return StructType(members)
    pairs = iterate_items(value)
    key_type = make_variant(infer_detailed(key, dialect) for key, _ in pairs)
    value_type = make_variant(infer_detailed(item, dialect) for _, item in pairs)
    return HashType(key_type, value_type, (len(pairs), len(pairs)))


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
