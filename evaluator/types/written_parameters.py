"""The parameters of a type in a text: the right side of an alias, or `Type('…')`.

There other rules hold than in a program: an array is no list of parameters, and the types of a Tuple may be given by
examples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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

# how many parameters a type takes: in words, and the digits of the numbers
_COUNTS = {
    **dict.fromkeys(("Integer", "Float", "Resource"), ("1 or 2", "12")),
    **dict.fromkeys(("Collection", "String"), ("1 to 2", "12")),
    **dict.fromkeys(("Boolean", "Class", "Iterable", "Iterator", "Object", "Optional", "Regexp"), ("1", "1")),
    **dict.fromkeys(("Struct", "Type", "URI"), ("1", "1")),
    **dict.fromkeys(("NotUndef", "Sensitive"), ("0 to 1", "01")),
    **dict.fromkeys(("Timespan", "Timestamp"), ("0 to 2", "012")),
    "Array": ("1 to 3", "123"),
    "Hash": ("2 to 4", "234"),
    "Runtime": ("2", "2"),
}


def prepared(kind: Any, arguments: list[Any], invalid: Invalid) -> list[Any] | None:
    """The parameters as a program would give them; None for those that say nothing. Raises Failure."""
    keyword = kind.keyword
    wanted = _COUNTS.get(kind.simple_name if keyword == "Object" else keyword)
    if keyword == "Resource" and kind.type_name:
        wanted = ("1", "1")
    if wanted is not None and str(len(arguments)) not in wanted[1]:
        raise _wrong_count(kind.simple_name, wanted[0], len(arguments))
    if keyword in _PREPARE:
        return _PREPARE[keyword](arguments, invalid)
    for argument in arguments:
        if type(argument) is list and keyword in _REFUSE_LISTS:
            raise refused(keyword, argument, invalid)
    return arguments


def refused(keyword: str, argument: Any, invalid: Invalid) -> Failure:
    """What is said of a parameter that a type does not take."""
    if keyword == "Enum":
        return Failure("ENUM_PARAMETER")
    if keyword == "Boolean":
        return Failure("BOOLEAN_PARAMETER")
    if keyword == "Pattern":
        return Failure("PATTERN_PARAMETER", actual=host_class(argument))
    if keyword in ("Timespan", "Timestamp") and type(argument) is list:
        return Failure("NO_TIME", type=keyword, actual="Array")
    return invalid()


def _wrong_count(name: str, wanted: str, given: int) -> Failure:
    return Failure("TYPE_PARAMETER_COUNT", type=name, expected=wanted, actual=given)


def _integer(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if any(type(argument) is list for argument in arguments):
        raise invalid()
    return _ends(arguments)


def _float(arguments: list[Any], invalid: Invalid) -> list[Any]:
    if len(arguments) == 1 and type(arguments[0]) is list:
        raise invalid()
    if len(arguments) == 1:
        return arguments
    return [end if end is DEFAULT else to_float(end) for end in _ends(arguments)]


def _ends(arguments: list[Any]) -> list[Any]:
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
            raise refused("Enum", name, invalid)
    return arguments


def _pattern(arguments: list[Any], invalid: Invalid) -> list[Any]:
    for argument in arguments:
        if not isinstance(argument, str | Regexp | PatternType | RegexpType):
            raise refused("Pattern", argument, invalid)
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
_REFUSE_LISTS = (
    *("Boolean", "Collection", "Init", "Iterable", "Iterator", "NotUndef", "Optional", "Regexp"),
    *("Sensitive", "String", "Struct", "Timespan", "Timestamp", "Type", "Variant"),
)
_PREPARE: dict[str, Prepare] = {
    "Integer": _integer,
    "Float": _float,
    "Array": _array,
    "Hash": _hash,
    "Tuple": _tuple,
    "Callable": _callable,
    "Enum": _enum,
    "Pattern": _pattern,
    "URI": _uri,
    "Runtime": _runtime,
}
