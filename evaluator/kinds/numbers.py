"""Numbers and Booleans: construction from other values, order and formats.

Each constructor is a Python function, which is fast, and a `Constructor` with the signatures, which makes the errors.
"""

from __future__ import annotations

import re
from math import log2

from evaluator.calling.constructors import Constructor
from evaluator.issues import Failure, require, require_found
from evaluator.kinds.sprintf import format_float, format_integer
from evaluator.kinds.string_formats import (
    FLOAT_LETTERS,
    NUMBER_LETTERS,
    Format,
    make_printing,
    make_text_writers,
)
from evaluator.limits import INTEGER as INTEGER_LIMIT
from evaluator.types import Type, format_general_type
from evaluator.types.puppet_wording import check
from evaluator.values.core import DEFAULT
from evaluator.values.floats import to_whole
from evaluator.values.kind import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NUMERIC,
    SEMVER,
    TIMESPAN,
    TIMESTAMP,
    KindOrder,
    Value,
)
from evaluator.values.printing import format_value
from evaluator.values.ruby_values import parse_float, parse_integer, to_float, to_integer

RADIXES = (2, 8, 10, 16)
# The texts of types, as messages list them. `Radix = …` in a text names a type (see `evaluator.calling.constructors`).
_RADIX = "Radix = Variant[Default, Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16]]"
_WHOLE = r"Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/]"
_DECIMAL = (
    r"Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)"
    r"|(?:0[0-7]+)|(?:0[bB][01]+))\z/]"
)
_INTEGER_FROM = f"Convertible = Variant[Numeric, Boolean, {_WHOLE}, Timespan, Timestamp]"
_FLOAT_FROM = f"Convertible = Variant[Numeric, Boolean, {_DECIMAL}, Timespan, Timestamp]"
_INTEGER_HASH = (
    f"NamedArgs = Struct[{{'from' => {_INTEGER_FROM}, Optional['radix'] => {_RADIX},"
    " Optional['abs'] => Boolean}]"
)
_FLOAT_HASH = f"NamedArgs = Struct[{{'from' => {_FLOAT_FROM}, Optional['abs'] => Boolean}}]"

_INTEGER_TEXT = re.compile(r"([+-]?)\s*+([0-9]+|0[xX][0-9A-Fa-f]+|0[bB][01]+)", re.ASCII)
_FLOAT_TEXT = re.compile(
    r"([+-]?)\s*+((?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?|0[xX][0-9A-Fa-f]+|0[0-7]+|0[bB][01]+)",
    re.ASCII,
)
# the released Float and Numeric refuse a binary number after a sign or a blank
_PRECEDED_BINARY = re.compile(r"[+\-\s]+0[bB]", re.ASCII)


def convert_to_integer(args: list[Value]) -> int:
    """Return `Integer(from, radix?, abs?)`. Raise Failure for a value that is no number in that radix."""
    if len(args) == 1 and type(args[0]) is dict:
        return _convert_hash_to_integer(args[0])
    if not 1 <= len(args) <= 3 or (len(args) == 3 and type(args[2]) is not bool):
        INTEGER_CONSTRUCTOR.refuse(args)
    radix = _check_radix(args[1]) if len(args) > 1 and type(args[1]) is int else None
    if len(args) > 1 and radix is None and args[1] is not DEFAULT:
        INTEGER_CONSTRUCTOR.refuse(args)
    try:
        value = _to_integer(args[0], radix)
    except Failure as failure:
        # As released, a value that does not convert with the radix `default` is an argument of the wrong type.
        if len(args) > 1 and radix is None and failure.code in ("CONVERSION", "VALUE_NOT_CONVERTIBLE"):
            INTEGER_CONSTRUCTOR.refuse(args)
        raise
    return abs(value) if len(args) > 2 and args[2] else value


def _check_radix(value: Value) -> int | None:
    """Return a radix; None for `default`. Raise Failure for one that is not permitted."""
    if value is DEFAULT:
        return None
    require(value in RADIXES, "ILLEGAL_RADIX", value=format_value(value))
    return int(value)


def _convert_hash_to_integer(fields: dict[str, Value]) -> int:
    """Return `Integer({from, radix, abs})`. A wrong value is reported before other entries."""
    radix = _check_radix(fields.get("radix", DEFAULT))
    hash_type = _get_hash_type(INTEGER_CONSTRUCTOR)
    if "from" in fields and not hash_type.instance(fields):
        _to_integer(fields["from"], radix)
    check("Integer.new", hash_type, fields)
    value = _to_integer(fields["from"], radix)
    return abs(value) if fields.get("abs") else value


def _get_hash_type(constructor: Constructor) -> Type:
    """Return the type of the parameter of the second signature, a hash."""
    return constructor.signatures[1].parameters[0].type


def _to_integer(value: Value, radix: int | None) -> int:
    """Return a value as an Integer; a radix of None is that of the prefix. Raise Failure."""
    if type(value) is str:
        match = require_found(
            _INTEGER_TEXT.fullmatch(value), "CONVERSION", function="new", value=value, type="Integer"
        )
        return _parse_digits(value, match[1], match[2], radix)
    if type(value) in (int, float, bool) or hasattr(value, "whole_seconds"):  # only times have it
        return to_integer(int(value) if type(value) is bool else value)
    raise _make_conversion_failure("new", value, "Integer")


def _parse_digits(source: str, sign: str, digits: str, radix: int | None) -> int:
    """Return the number that digits mean, which may have the prefix of their radix.

    Args:
        source: The whole text, for the message.
        sign: "+", "-" or "".
        digits: The digits.
        radix: The radix; None if the prefix decides.
    """
    if radix is None:
        number = parse_integer(digits)
    else:
        prefix = {2: "0b", 16: "0x"}.get(radix)
        bare = digits[2:] if prefix is not None and digits[:2].lower() == prefix else digits
        INTEGER_LIMIT.check(int((len(bare) - 1) * log2(radix)))
        try:
            number = int(bare, radix)
        except ValueError:
            number = None
    number = require_found(number, "INVALID_INTEGER", value=f'"{source}"')
    return -number if sign == "-" else number


def _make_conversion_failure(function: str, value: Value, target: str) -> Failure:
    return Failure(
        "VALUE_NOT_CONVERTIBLE", subject=f"'{function}' ", actual=format_general_type(value), type=target
    )


def convert_to_float(args: list[Value]) -> float:
    """Return `Float(from, abs?)`. Raise Failure for a value that is no number."""
    value = _to_float(_get_source(args, FLOAT_CONSTRUCTOR), FLOAT_CONSTRUCTOR)
    return abs(value) if _is_absolute(args) else value


def convert_to_numeric(args: list[Value]) -> int | float | None:
    """Return `Numeric(from, abs?)`: an Integer if the value is one. Raise Failure if it is no number."""
    value = _get_source(args, NUMERIC_CONSTRUCTOR)
    if type(value) is bool:
        number: int | float = int(value)
    elif type(value) is int or type(value) is float:
        number = value
    else:
        number = _to_float(value, NUMERIC_CONSTRUCTOR)
        if type(value) is str:
            whole = parse_integer(value.replace(" ", ""))
            # For a number that is too large, or a binary one with a sign, the released Puppet returns undef.
            if _PRECEDED_BINARY.match(value) or (whole is None and abs(number) == float("inf")):
                return None
            number = number if whole is None else whole
    return abs(number) if _is_absolute(args) else number


def _get_source(args: list[Value], constructor: Constructor) -> Value:
    """Return the value to convert: the first argument, or the entry `from` of a hash.

    Raises Failure for arguments that the constructor does not take.
    """
    if len(args) == 1 and type(args[0]) is dict:
        return args[0]["from"] if _get_hash_type(constructor).instance(args[0]) else args[0]
    if not 1 <= len(args) <= 2 or (len(args) == 2 and type(args[1]) is not bool):
        constructor.refuse(args)
    return args[0]


def _is_absolute(args: list[Value]) -> bool:
    """Return True if the argument `abs`, or the entry of a hash, is true."""
    return bool(args[1]) if len(args) > 1 else type(args[0]) is dict and bool(args[0].get("abs"))


def _to_float(value: Value, constructor: Constructor) -> float:
    """Return a value as a Float, for `Float` or `Numeric`. Raise Failure."""
    target = "Float" if constructor is FLOAT_CONSTRUCTOR else "Numeric"
    if type(value) is str:
        match = require_found(
            _FLOAT_TEXT.fullmatch(value), "CONVERSION", function=constructor.name, value=value, type=target
        )
        sign, digits = match.groups()
        if target == "Float" and _PRECEDED_BINARY.match(value):
            return to_float(value)  # which refuses it
        number = parse_float(digits)
        if number is None:
            number = float(parse_integer(digits) or 0)
        return -number if sign == "-" else number
    if type(value) in (int, float, bool) or hasattr(value, "whole_seconds"):  # only times have it
        return to_float(int(value) if type(value) is bool else value)
    raise _make_conversion_failure(constructor.name, value, target)


_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "y"), True),
    **dict.fromkeys(("false", "no", "n"), False),
}


def convert_to_boolean(args: list[Value]) -> bool:
    """Return `Boolean(from)`. Raise Failure for a value that is neither true nor false."""
    if len(args) != 1:
        BOOLEAN_CONSTRUCTOR.refuse(args)
    value = args[0]
    if type(value) is int or type(value) is float:
        return value != 0
    if type(value) is str:
        return require_found(
            _BOOLEANS.get(value.lower()), "CONVERSION", function="new_boolean", value=value, type="Boolean"
        )
    if type(value) is bool:
        return value
    raise _make_conversion_failure("new_boolean", value, "Boolean")


# The parameters of a signature are rows: the text of the type, the name, and "?" for an optional one. The function of a
# signature is never called: `make_rules` below gets the same one, which takes all arguments as a list.
INTEGER_CONSTRUCTOR = Constructor(
    "new",
    ([(_INTEGER_FROM, "from", ""), (_RADIX, "radix", "?"), ("Boolean", "abs", "?")], convert_to_integer),
    ([(_INTEGER_HASH, "hash_args", "")], convert_to_integer),
)


def _make_signatures(convert: Value, source_type: str, hash_type: str) -> tuple[Value, ...]:
    """Return the signatures of a constructor, which take values of these types."""
    return (
        ([(source_type, "from", ""), ("Boolean", "abs", "?")], convert),
        ([(hash_type, "hash_args", "")], convert),
    )


FLOAT_CONSTRUCTOR = Constructor("new_float", *_make_signatures(convert_to_float, _FLOAT_FROM, _FLOAT_HASH))
# the same types, written otherwise
NUMERIC_CONSTRUCTOR = Constructor(
    "new_numeric",
    *_make_signatures(
        convert_to_numeric,
        *(text.replace("Variant[Numeric,", "Variant[Integer, Float,") for text in (_FLOAT_FROM, _FLOAT_HASH)),
    ),
)
_BOOLEAN_FROM = "Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]]"
BOOLEAN_CONSTRUCTOR = Constructor("new_boolean", ([(_BOOLEAN_FROM, "from", "")], convert_to_boolean))

_ORDER = KindOrder(
    (INTEGER, FLOAT, TIMESPAN, TIMESTAMP, SEMVER), "A Numeric is not comparable to non Numeric"
)

# --- formats


def _format_number(value: int | float, format: Format) -> str:
    """Return a number, or a Boolean as one, by a directive for numbers."""
    directive = format.letter, format.flags, format.width, format.precision
    if format.letter in FLOAT_LETTERS:
        return format_float(float(value), *directive)
    return format_integer(to_whole(value) if type(value) is float else int(value), *directive)


def _format_character(value: int, format: Format) -> str:
    require(0 <= value <= 0x7FFFFFFF, "CHARACTER_OUT_OF_RANGE")
    require(value <= 0x10FFFF and not 0xD800 <= value < 0xE000, "INVALID_CHARACTER")
    return format.pad(chr(value), alternate=True)


# The words for a Boolean, by the letter of the directive.
_WORDS = {
    True: {"t": "true", "T": "True", "y": "yes", "Y": "Yes"},
    False: {"t": "false", "T": "False", "y": "no", "Y": "No"},
}


def _format_boolean(value: bool, format: Format) -> str:
    word = _WORDS[value][format.letter]
    return format.pad(word[0] if format.alternate else word)


INTEGER.set_rules(
    **INTEGER_CONSTRUCTOR.make_rules(convert_to_integer),
    printing=make_printing(
        "Integer",
        {
            NUMBER_LETTERS: _format_number,
            **make_text_writers(str),
            "c": _format_character,
        },
    ),
    order=_ORDER,
)
FLOAT.set_rules(
    **FLOAT_CONSTRUCTOR.make_rules(convert_to_float),
    printing=make_printing(
        "Float",
        {NUMBER_LETTERS: _format_number, **make_text_writers(format_value)},
    ),
    order=_ORDER,
)
NUMERIC.set_rules(**NUMERIC_CONSTRUCTOR.make_rules(convert_to_numeric))
BOOLEAN.set_rules(
    **BOOLEAN_CONSTRUCTOR.make_rules(convert_to_boolean),
    printing=make_printing(
        "Boolean",
        {
            "tTyY": _format_boolean,
            NUMBER_LETTERS: _format_number,
            "sp": lambda value, format: format.pad("true" if value else "false"),
        },
        undelimited="sptTyY",
    ),
)
