"""Type parameters: `Integer[1, 5]` from the type Integer and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure
from evaluator.types import callables, containers, numbers, strings, structures, variants, wrappers
from evaluator.types.aliases import TypeAlias
from evaluator.types.arguments import arity, is_bound, size_from, size_of
from evaluator.types.base import ANY, UNDEF, Type
from evaluator.types.issues import cannot_use, error, host_class, size_words
from evaluator.values.core import DEFAULT
from evaluator.values.printing import an, an_upper
from evaluator.values.sharing import flat
from lexer_parser.dialect import PUPPET, Dialect

Parameterizer = Callable[[Any, list[Any], Dialect], Any]


def parameterize(type: Type, arguments: list[Any], dialect: Dialect) -> Any:
    """`type[arguments…]`: a Type, or an array of them for several titles; undef for `File[undef]`.

    Raises PuppetError for wrong arguments, with `operand` 0 for the whole or 1 + the argument's index; Failure
    for what the released Puppet reports as a failure of the `[]` expression.
    """
    if isinstance(type, TypeAlias) and not type.builtin:
        type = type.entity()
    handler = _handler(type)
    if handler is None:
        raise error("OPERATOR_NOT_APPLICABLE", operand=0, operator="[]", left=_article(type))
    return handler(type, arguments, dialect)


def takes_parameters(type: Type) -> bool:
    """True when `[]` can be applied to the type."""
    return _handler(type.entity() if isinstance(type, TypeAlias) and not type.builtin else type) is not None


def _handler(type: Type) -> Parameterizer | None:
    found = _CORE.get(type.keyword)
    if found is None:
        from evaluator.types.rich_parameters import RARE

        found = RARE.get(type.keyword)
    return found


def _article(type: Type) -> str:
    return an(f"{type}-Type")


# --- families


def _range(
    make: Callable[..., Type], codes: tuple[str, str], kinds: tuple[type, ...], convert: Any
) -> Parameterizer:
    """A type with bounds; `codes` are those of a wrong number and of a wrong kind of bounds."""

    def handler(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
        arguments = flat(arguments)
        if not 1 <= len(arguments) <= 2:
            raise error(codes[0], operand=0, actual=len(arguments))
        for index, argument in enumerate(arguments):
            if type(argument) not in kinds and argument is not DEFAULT:
                raise error(codes[1], operand=1 + index, actual=host_class(argument))
        ends = [None if argument is DEFAULT else convert(argument) for argument in arguments]
        low, high = ends[0], ends[-1] if len(ends) == 2 or dialect.int_range else None
        if dialect.int_range:
            descending = low is not None and high is not None and low > high
            return make(high, low, True, True) if descending else make(low, high, True)
        text = float_words if convert is float else str
        numbers.check_order(low, high, text)
        return make(low, high)

    return handler


def float_words(value: float) -> str:
    """A float as messages show it."""
    from evaluator.values.printing import float_text

    return float_text(value)


def _string(type: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if not 1 <= len(arguments) <= 2:
        raise error("BAD_STRING_SLICE_ARITY", operand=0, actual=len(arguments))
    return strings.StringType(size_from(arguments, 1))


def _boolean(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.types.base import FALSE, TRUE

    arguments = flat(arguments)
    if len(arguments) != 1:
        raise arity(an_upper(f"{type_}-Type"), "1 argument", len(arguments))
    if type(arguments[0]) is not bool:
        raise cannot_use(f"{type_}-Type", arguments[0], "TrueClass or FalseClass", 1)
    return TRUE if arguments[0] else FALSE


def _enum(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    fold = False
    if arguments and type(arguments[-1]) is bool:
        fold = arguments.pop()
    if not arguments:
        raise arity(an_upper(f"{type_}-Type"), "1 or more arguments", 0)
    for index, argument in enumerate(arguments):
        if type(argument) is not str:
            raise cannot_use(f"{type_}-Type", argument, "String", 1 + index)
    return strings.EnumType(arguments, fold)


def _pattern(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.values import Regexp

    patterns: list[Any] = []
    for index, argument in enumerate(flat(arguments)):
        if type(argument) is str:
            patterns.append(_regexp_value(argument, dialect))
        elif type(argument) is Regexp:
            patterns.append(argument)
        elif isinstance(argument, strings.PatternType):
            patterns += argument.patterns
        elif isinstance(argument, strings.RegexpType):
            patterns.append(argument.pattern if argument.pattern is not None else Regexp(""))
        else:
            raise cannot_use(
                f"{type_}-Type", argument, "String or Regexp or Pattern-Type or Regexp-Type", 1 + index
            )
    return strings.PatternType(patterns)


def _regexp_value(source: str, dialect: Dialect) -> Any:
    """A Regexp from a string; compiled now, as a wrong one is reported here."""
    from evaluator.values import Regexp
    from lexer_parser.lexing.regexps import without_anchors

    regexp = Regexp(without_anchors(source) if dialect.regexp_form else source)
    _ = regexp.compiled
    return regexp


def _regexp(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.values import Regexp

    arguments = flat(arguments)
    if len(arguments) != 1:
        raise arity(an_upper(f"{type_}-Type"), "1 argument", len(arguments), operand=2)
    source = arguments[0]
    if type(source) is not str and type(source) is not Regexp:
        raise cannot_use(f"{type_}-Type", source, "String or Regexp", 1)
    return strings.RegexpType(_regexp_value(source, dialect) if type(source) is str else source)


def _collection(type: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if not 1 <= len(arguments) <= 2:
        raise arity("Collection-Type", "1 to 2 arguments", len(arguments))
    return containers.CollectionType(size_from(arguments, 1))


def _array(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if not 1 <= len(arguments) <= 3:
        raise arity("Array-Type", "1 to 3 arguments", len(arguments))
    element, rest, first = arguments[0], arguments[1:], 2
    if len(arguments) == 2 and not isinstance(element, Type):
        element, rest, first = ANY, arguments, 1
    if not isinstance(element, Type):
        raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="Array-Type", actual=host_class(element))
    if dialect.type_parameters and rest and rest[0] == numbers.INTEGER:  # a second type: a range is no size
        raise error("BAD_COLLECTION_SLICE_TYPE", operand=first, actual=size_words(rest[0]))
    size = size_from(rest, first) if rest else None
    if size == containers.EMPTY:
        return containers.EMPTY_ARRAY
    return containers.ArrayType(element, size, bare=False if dialect.data_model else None)


def _hash(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.types.base import SCALAR

    arguments = flat(arguments)
    bare = False if dialect.data_model else None
    if len(arguments) == 1 and dialect.data_model and isinstance(arguments[0], Type):
        return containers.HashType(SCALAR, arguments[0])
    wrong_kind = len(arguments) > 4 and not all(isinstance(argument, Type) for argument in arguments[:2])
    if (
        (len(arguments) > 4 and not wrong_kind)
        or (len(arguments) == 1 and isinstance(arguments[0], Type))
        or not arguments
    ):
        raise arity("Hash-Type", "2 to 4 arguments", len(arguments))
    sized = len(arguments) == 2 and {*map(type, arguments)} == {int}
    if sized and (not dialect.type_parameters or arguments == [0, 0]):
        size = size_of(*arguments)
        return containers.EMPTY_HASH if size == containers.EMPTY else containers.HashType(ANY, ANY, size)
    for index, argument in enumerate(arguments[:2]):
        if not isinstance(argument, Type):
            raise error(
                "BAD_TYPE_SLICE_TYPE", operand=1 + index, type="Hash-Type", actual=host_class(argument)
            )
    limits = _hash_size(arguments[2:]) if len(arguments) > 2 else None
    if limits == containers.EMPTY:
        return containers.EMPTY_HASH
    return containers.HashType(arguments[0], arguments[1], limits, bare)


def _hash_size(arguments: list[Any]) -> strings.Size:
    if len(arguments) == 1 and isinstance(arguments[0], numbers.IntegerType):
        return size_from(arguments, 3)
    for argument in arguments:
        if not is_bound(argument):
            raise Failure("SIZE_NOT_COMPARABLE", actual=host_class(argument))
    return size_of(*arguments)


def _tuple(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    types, size = _trailing_size(arguments)
    if not types:
        raise arity(an_upper(f"{type_}-Type"), "1 or more arguments", 0)
    for index, argument in enumerate(types):
        if not isinstance(argument, Type):
            raise cannot_use(f"{type_}-Type", argument, "Any-Type", 1 + index)
    return structures.TupleType(types, size)


def _trailing_size(arguments: list[Any]) -> tuple[list[Any], strings.Size | None]:
    """The arguments before a size of one or two integers at their end, and the size.

    The text `default` behind an integer is as good as `default`.
    """
    if len(arguments) > 1 and arguments[-1] == "default" and is_bound(arguments[-2]):
        arguments = [*arguments[:-1], DEFAULT]
    if len(arguments) >= 2 and is_bound(arguments[-1]) and is_bound(arguments[-2]):
        return arguments[:-2], size_of(*arguments[-2:])
    if arguments and is_bound(arguments[-1]):
        return arguments[:-1], size_of(arguments[-1])
    return arguments, None


def _struct(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.values import items

    if len(arguments) != 1:
        raise arity(an_upper(f"{type_}-Type"), "1 argument", len(arguments))
    if not isinstance(arguments[0], dict):
        raise cannot_use(f"{type_}-Type", arguments[0], "Hash", 1)
    members: dict[str, structures.Member] = {}
    for key, value in items(arguments[0]):
        if dialect.type_parameters and not isinstance(value, Type):
            raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="Struct-Type", actual=host_class(value))
        member = _member(key, literal_type(value))
        members[member.name] = member
    return structures.StructType(members.values())


def _member(key: Any, type_: Type) -> structures.Member:
    """A Struct member: a plain key may be missing when its type takes undef."""
    name, required = key, None
    if isinstance(key, variants.OptionalType | variants.NotUndefType):
        required = isinstance(key, variants.NotUndefType)
        inner = key.type
        name = inner.value if isinstance(inner, strings.StringType) else None
        if name is None:
            raise Failure("STRUCT_KEY_NOT_LITERAL", type=str(key))
    elif isinstance(key, strings.EnumType) and len(key.values) == 1:
        name = key.values[0]
    elif isinstance(key, strings.EnumType | strings.StringType):
        raise Failure("STRUCT_KEY_NOT_LITERAL", type=str(key))
    elif type(key) is not str:
        raise Failure("STRUCT_KEY_TYPE", actual=host_class(key))
    elif not key:
        raise Failure("STRUCT_KEY_EMPTY")
    return structures.Member(name, type_, not type_.assignable(UNDEF) if required is None else required)


def literal_type(value: Any) -> Type:
    """A type that may be given by an example: a type itself, a platform type's name, or any value."""
    if isinstance(value, Type):
        return value
    if type(value) is str:
        from evaluator.types.platform import runtime_type

        return runtime_type("ruby", value)
    from evaluator.types.inference import infer

    return infer(value, PUPPET).generalize()


def _variant(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    keys = len(arguments)
    arguments = flat(arguments)
    if not arguments:
        raise arity(an_upper(f"{type_}-Type"), "1 or more arguments", 0)
    for index, argument in enumerate(arguments):
        if not isinstance(argument, Type):
            operand = 1 + index if index < keys else None
            raise cannot_use(f"{type_}-Type", argument, "Any-Type", operand)
    return variants.variant(arguments)


def _optional(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    argument = _one("Optional-Type", arguments)
    if type(argument) is str:
        return variants.OptionalType(strings.StringType(value=argument))
    return variants.OptionalType(_a_type("Optional-Type", argument))


def _not_undef(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if not arguments:
        return variants.NOT_UNDEF
    if len(arguments) > 1:
        raise arity("NotUndef-Type", "0 to 1 arguments", len(arguments))
    argument = arguments[0]
    if type(argument) is str:
        return variants.NotUndefType(strings.StringType(value=argument))
    if not isinstance(argument, Type):
        raise error("BAD_NOT_UNDEF_SLICE_TYPE", operand=1, type="NotUndef-Type", actual=host_class(argument))
    return variants.NotUndefType(argument)


def _one(label: str, arguments: list[Any]) -> Any:
    arguments = flat(arguments)
    if len(arguments) != 1:
        raise arity(label, "1 argument", len(arguments))
    return arguments[0]


def _a_type(label: str, argument: Any) -> Type:
    if not isinstance(argument, Type):
        raise error("BAD_TYPE_SLICE_TYPE", operand=1, type=label, actual=host_class(argument))
    return argument


def _wrapper(make: Callable[[Type], Type]) -> Parameterizer:
    def handler(type: Type, arguments: list[Any], dialect: Dialect) -> Type:
        label = f"{type.keyword}-Type"
        return make(_a_type(label, _one(label, arguments)))

    return handler


def _callable(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    returns = None
    if arguments and isinstance(arguments[0], list):
        if len(arguments) != 2:
            raise arity(an_upper(f"{type_}-Type"), "2 arguments", len(arguments))
        if not isinstance(arguments[1], Type):
            raise cannot_use(f"{type_}-Type", arguments[1], "Any-Type", 2)
        arguments, returns = arguments
    arguments = list(arguments)
    block = None
    if arguments and callables.is_block_type(arguments[-1]):
        block = arguments.pop()
    types, size = _trailing_size(arguments)
    if dialect.bare_types and not types and size == strings.UNBOUNDED and block is None and returns is None:
        return callables.CALLABLE
    found = [literal_type(argument) for argument in types]
    return callables.CallableType(structures.TupleType(found, size), block, returns)


_CORE: dict[str, Parameterizer] = {
    "Integer": _range(
        numbers.IntegerType, ("BAD_INTEGER_SLICE_ARITY", "BAD_INTEGER_SLICE_TYPE"), (int,), int
    ),
    "Float": _range(
        numbers.FloatType, ("BAD_FLOAT_SLICE_ARITY", "BAD_FLOAT_SLICE_TYPE"), (int, float), float
    ),
    "String": _string,
    "Boolean": _boolean,
    "Enum": _enum,
    "Pattern": _pattern,
    "Regexp": _regexp,
    "Collection": _collection,
    "Array": _array,
    "Hash": _hash,
    "Tuple": _tuple,
    "Struct": _struct,
    "Variant": _variant,
    "Optional": _optional,
    "NotUndef": _not_undef,
    "Type": _wrapper(wrappers.TypeType),
    "Sensitive": _wrapper(wrappers.SensitiveType),
    "Iterable": _wrapper(wrappers.IterableType),
    "Iterator": _wrapper(wrappers.IteratorType),
    "Callable": _callable,
}
