"""The parameters of a type in a text: the right side of an alias, or `Type('…')`.

There other rules hold than in a program: an array is no list of parameters, and the types of a Tuple may be given by
examples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from evaluator.issues import Failure
from evaluator.types import base
from evaluator.types.arguments import is_bound
from evaluator.types.arrays import TupleType
from evaluator.types.base import Type
from evaluator.types.hashes import Member, StructType
from evaluator.types.mismatch import check
from evaluator.types.numbers import IntegerType
from evaluator.types.platform import literal_type
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType, RegexpType, StringType
from evaluator.types.uris import URI_PARTS
from evaluator.types.variants import NOT_UNDEF, OptionalType, VariantType
from evaluator.types.wrappers import TypeType
from evaluator.values.core import DEFAULT
from evaluator.values.host_classes import host_class
from evaluator.values.host_values import to_float
from evaluator.values.regexps.regexps import Regexp

Invalid = Callable[[], Failure]
Prepare = Callable[[list[Any], Invalid], "list[Any] | None"]
Refuse = Callable[[str, Any, Invalid], Failure]


def _as_given(arguments: list[Any], invalid: Invalid) -> list[Any]:
    return arguments


def _no_such_form(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return invalid()


class Row(NamedTuple):
    """How a kind of type takes its parameters in a text.

    counts   how many there may be, and the words for it; None when any number may
    lists    whether one may be an array
    prepare  makes of them what a program would give; None for those that say nothing
    refuse   what is said of one that the type does not take; it gets the type's keyword
    """

    counts: tuple[range, str] | None = None
    lists: bool = True
    prepare: Prepare = _as_given
    refuse: Refuse = _no_such_form


def prepared(kind: Any, arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    """The parameters as a program would give them; None for those that say nothing. Raises Failure."""
    row = _row(kind)
    if row.counts is not None and len(arguments) not in row.counts[0]:
        raise _wrong_count(kind.simple_name, row.counts[1], len(arguments))
    if not row.lists and list in map(type, arguments):
        raise row.refuse(kind.keyword, next(one for one in arguments if type(one) is list), invalid)
    return row.prepare(arguments, invalid)


def refused(kind: Any, argument: Any, invalid: Invalid) -> Failure:
    """What is said of a parameter that a type does not take."""
    return _row(kind).refuse(kind.keyword, argument, invalid)


def _row(kind: Any) -> Row:
    """The row of a kind; an object type of a program has a name that is in none."""
    if kind.keyword == "Resource" and kind.type_name:
        return _RESOURCE_OF_A_TYPE
    return _ROWS.get(kind.simple_name if kind.keyword == "Object" else kind.keyword, _ANYTHING)


def _wrong_count(name: str, wanted: str, given: int) -> Failure:
    return Failure("TYPE_PARAMETER_COUNT", type=name, expected=wanted, actual=given)


def _no_name(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("ENUM_PARAMETER")


def _no_boolean(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("BOOLEAN_PARAMETER")


def _no_pattern(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("PATTERN_PARAMETER", actual=host_class(argument))


def _no_time(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    return Failure("NO_TIME", type=keyword, actual="Array") if type(argument) is list else invalid()


def _float(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if len(arguments) == 1 and type(arguments[0]) is list:
        raise invalid()
    if len(arguments) == 1:
        return arguments
    return [end if end is DEFAULT else to_float(end) for end in _ends(arguments, invalid)]


def _ends(arguments: list[Any], invalid: Invalid) -> list[Any]:
    """The two ends of a range: undef is none here."""
    return [DEFAULT if end is None else end for end in arguments] if len(arguments) > 1 else arguments


def _array(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if type(arguments[0]) is list:
        raise invalid()
    return [base.DEFAULT, *arguments] if len(arguments) == 2 and is_bound(arguments[0]) else arguments


def _hash(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if len(arguments) == 2 and all(map(is_bound, arguments)):
        return [base.DEFAULT, base.DEFAULT, *arguments]
    sizes = arguments[2:]
    if not all(isinstance(argument, Type) for argument in arguments[:2]) or not (
        all(map(is_bound, sizes)) or (len(sizes) == 1 and isinstance(sizes[0], Type))
    ):
        raise invalid()
    return arguments


def _tuple(arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    count = 2 if len(arguments) > 1 and is_bound(arguments[-2]) else int(is_bound(arguments[-1]))
    types, size = arguments[: len(arguments) - count], arguments[len(arguments) - count :]
    if not all(map(is_bound, size)):
        raise invalid()
    return [*map(literal_type, types), *size] if types else None


def _callable(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if type(arguments[0]) is not list:
        return arguments
    if len(arguments) > 2:
        raise _wrong_count("callable", "2 when first parameter is an array", len(arguments))
    if len(arguments) == 2:
        return [arguments[0], literal_type(arguments[1])]
    return [literal_type(arguments[0])]


def _enum(arguments: list[Any], invalid: Invalid) -> list[Any]:
    names = arguments[:-1] if type(arguments[-1]) is bool else arguments
    if not names:
        raise _wrong_count("Enum", "1 or more", 0)
    for name in names:
        if type(name) is not str:
            raise _no_name("Enum", name, invalid)
    return arguments


def _pattern(arguments: list[Any], invalid: Invalid) -> list[Any]:
    for argument in arguments:
        if not isinstance(argument, str | Regexp | PatternType | RegexpType):
            raise _no_pattern("Pattern", argument, invalid)
    return arguments


def _uri(arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    if type(arguments[0]) is dict:
        check("URI-Type parameter", URI_PARAMETER, arguments[0])
    return arguments if type(arguments[0]) in (dict, str) else None


def _runtime(arguments: list[Any], invalid: Invalid) -> list[Any]:
    check("Runtime 'runtime'", STRING, arguments[0])
    check("Runtime 'name_or_pattern'", _RUNTIME_NAME, arguments[1])
    return arguments


_NAME = StringType((1, None))
_RUNTIME_NAME = VariantType((_NAME, TupleType((REGEXP, _NAME))))
_KINDS = tuple(TypeType(kind) for kind in (PATTERN, ENUM, NOT_UNDEF, base.UNDEF))
_PART = OptionalType(VariantType((_NAME, REGEXP, *_KINDS)))
_PORT = OptionalType(VariantType((IntegerType(0), *_KINDS[2:])))
URI_PARAMETER = VariantType(
    (_NAME, StructType([Member(part, _PORT if part == "port" else _PART, False) for part in URI_PARTS]))
)

_ANYTHING = Row()
_ONE = range(1, 2), "1"
_ONE_OR_TWO = range(1, 3), "1 or 2"
_UP_TO_ONE = range(2), "0 to 1"
_TIME = Row((range(3), "0 to 2"), lists=False, refuse=_no_time)
_RESOURCE_OF_A_TYPE = Row(_ONE)
_ROWS = {
    **dict.fromkeys(("Init", "Variant"), Row(lists=False)),
    **dict.fromkeys(("Iterable", "Iterator", "Optional", "Regexp", "Struct", "Type"), Row(_ONE, lists=False)),
    **dict.fromkeys(("Class", "Object"), Row(_ONE)),
    **dict.fromkeys(("NotUndef", "Sensitive"), Row(_UP_TO_ONE, lists=False)),
    **dict.fromkeys(("Collection", "String"), Row((range(1, 3), "1 to 2"), lists=False)),
    **dict.fromkeys(("Timespan", "Timestamp"), _TIME),
    "Array": Row((range(1, 4), "1 to 3"), prepare=_array),
    "Boolean": Row(_ONE, lists=False, refuse=_no_boolean),
    "Callable": Row(prepare=_callable),
    "Enum": Row(prepare=_enum, refuse=_no_name),
    "Float": Row(_ONE_OR_TWO, prepare=_float),
    "Hash": Row((range(2, 5), "2 to 4"), prepare=_hash),
    "Integer": Row(_ONE_OR_TWO, lists=False, prepare=_ends),
    "Pattern": Row(prepare=_pattern, refuse=_no_pattern),
    "Resource": Row(_ONE_OR_TWO),
    "Runtime": Row((range(2, 3), "2"), prepare=_runtime),
    "Tuple": Row(prepare=_tuple),
    "URI": Row(_ONE, prepare=_uri),
}
