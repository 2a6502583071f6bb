"""stdlib: functions that choose a value, or convert it to a Boolean, number or array."""

from __future__ import annotations

import re

from evaluator.calling.registry import function
from evaluator.functions.navigation import flatten_arrays
from evaluator.issues import Failure, require, require_found
from evaluator.types import infer_specified
from evaluator.values import Value, format_value, iterate_items, to_ruby_text
from evaluator.values.ruby_values import (
    get_ruby_class,
    make_no_method_failure,
    parse_float,
    parse_leading_integer,
)

# --- pick


@function("pick(Any p0*)", usage=("pick(Any values+)",))
def pick(*values: Value) -> Value:
    """Return the first argument that is neither undef nor ''; fail if there is none.

    > pick(undef, '', 'a', 'b')
    'a'

    > pick(undef, '')
    ! Error while evaluating a Function Call, pick(): must receive at least one non empty value
    """
    return require_found(
        next((value for value in values if value not in ("", None)), None), "NOTHING_TO_PICK"
    )


@function(
    "pick_default(Any p0, Any p1*)", count="ARGUMENT_NEEDED_AT_ALL", usage=("pick_default(Any values+)",)
)
def pick_default(*values: Value) -> Value:
    """Return the first argument that is neither undef nor '', or else the last one.

    > pick_default('', 'b')
    'b'

    > pick_default(undef, '')
    ''
    """
    return next((value for value in values if value not in ("", None)), values[-1])


# --- arrays, numbers and booleans


@function("any2array(Any p0*)", usage=("any2array(Any values*)",))
def any2array(*values: Value) -> list[Value]:
    """Convert any value to an array.

    undef and '' become an empty array, a hash its keys and values, several arguments its elements.

    > any2array('a')
    ['a']

    > any2array({ 'a' => 1 })
    ['a', 1]

    > any2array('')
    []
    """
    if len(values) != 1:
        return list(values)
    value = values[0]
    if type(value) is list:
        return value
    if type(value) is dict:
        return [part for pair in iterate_items(value) for part in pair]
    return [] if value in ("", None) else [value]


# In Ruby, `^` and `$` match at the ends of every line.
TRUE = re.compile(r"^(1|t|y|true|yes)$", re.IGNORECASE | re.MULTILINE)
FALSE = re.compile(r"^(|0|f|n|false|no|(?-i:undef|undefined))$", re.IGNORECASE | re.MULTILINE)


def to_bool(value: Value) -> bool:
    """Return the Boolean that `str2bool` reads in a String."""
    if type(value) is bool:
        return value
    if value is None:
        return False
    require(type(value) is str, "ARGUMENT_REQUIRED", function="str2bool", expected="string to work with")
    if TRUE.search(value):
        return True
    if FALSE.search(value):
        return False
    raise Failure("NO_BOOLEAN_TEXT", function="str2bool")


@function("str2bool(Any p0, Any p1*)", takes="1", usage=("str2bool(Variant[String, Boolean] text)",))
def str2bool(value: Value, *_ignored: Value) -> bool:
    """Convert a String to a Boolean.

    'yes', 'true', 'y', 't' and '1' are true; 'no', 'false', 'n', 'f', '0', 'undef' and '' are false.

    > str2bool('yes')
    true

    > str2bool('0')
    false

    > str2bool('maybe')
    ! Error while evaluating a Function Call, str2bool(): Unknown type of boolean given
    """
    return to_bool(value)


@function("any2bool(Any p0, Any p1*)", takes="1", usage=("any2bool(Any value)",))
def any2bool(value: Value, *_ignored: Value) -> bool:
    """Convert any value to a Boolean.

    A number, also one in a String, is true from 1 on. Other Strings are read as by `str2bool`. undef is false, and all
    other values are true.

    > any2bool('no')
    false

    > any2bool('2')
    true

    > any2bool([])
    true
    """
    if type(value) is bool:
        return value
    number = _to_number(value)
    if number is not None:
        return number >= 1
    return to_bool(value) if type(value) is str else value is not None


def _to_number(value: Value) -> float | None:
    """Return a number, or the number in a String; None for any other value."""
    if type(value) in (int, float):
        return float(value)
    return parse_float(value) if type(value) is str else None


@function(
    "bool2str(Any p0)",
    "bool2str(Any p0, Any p1, Any p2)",
    takes="3",
    usage=("bool2str(Boolean value, String if_true?, String if_false?)",),
)
def bool2str(value: Value, *texts: Value) -> str:
    """Return 'true' or 'false', or one of two Strings.

    > bool2str(false, 'yes', 'no')
    'no'

    > bool2str(true)
    'true'
    """
    require(type(value) is bool, "ARGUMENT_REQUIRED", function="bool2str", expected="a boolean to work with")
    names = texts or ("true", "false")
    require(
        all(type(name) is str for name in names),
        "ARGUMENT_REQUIRED",
        function="bool2str",
        expected="strings to convert to",
    )
    return str(names[0] if value else names[1])


@function("bool2num(Any p0, Any p1*)", takes="1", usage=("bool2num(Variant[Boolean, String] value)",))
def bool2num(value: Value, *_ignored: Value) -> int:
    """Return 1 for true and 0 for false; Strings are read as by `str2bool`.

    > bool2num(true)
    1

    > bool2num('no')
    0
    """
    return int(to_bool(value))


@function("num2bool(Any p0)", usage=("num2bool(Variant[Numeric, String] number)",))
def num2bool(value: Value) -> bool:
    """Return whether a number, or the number in a String, is at least 1.

    > num2bool(0)
    false

    > num2bool('2')
    true
    """
    if type(value) is str:
        number = require_found(parse_float(value), "NO_NUMBER_TEXT", function="num2bool", value=value)
        return int(number) > 0
    return type(value) in (int, float) and int(value) > 0


@function("clamp(Any p0, Any p1*)", usage=("clamp(Variant[Numeric, String] values+)", "clamp(Array values)"))
def clamp(*values: Value) -> Value:
    """Return the middle one of three numbers, such as a value limited by two bounds.

    > clamp(5, 1, 3)
    3

    > clamp('24', [575, 187])
    187
    """
    flattened = flatten_arrays(values)
    require(len(flattened) == 3, "CLAMP_COUNT")
    return sorted(map(_to_clampable, flattened))[1]


def _to_clampable(value: Value) -> int:
    """Return the integer that `clamp` compares. Raise Failure for other values."""
    if type(value) is dict:
        raise Failure("CLAMP_HASH", value=to_ruby_text(value))
    if type(value) is str and re.search(r"^\d+$", value, re.MULTILINE):
        return parse_leading_integer(value)
    if type(value) in (int, float):
        return int(value)
    # Only a Timespan and a Timestamp have `whole_seconds`.
    if value is None or type(value) is str or hasattr(value, "whole_seconds"):
        raise Failure("CLAMP_NUMERIC", value=format_value(value), actual=get_ruby_class(value))
    raise make_no_method_failure("to_i", value)


# --- names of types


@function("type3x(Any p0)", usage=("type3x(Any value)",))
def type3x(value: Value) -> str:
    """Return the name of a value's type in Puppet 3; a numeric String is a number.

    > type3x('a')
    'string'

    > type3x({})
    'hash'
    """
    if type(value) is str:
        if re.fullmatch(r"-?\d+", value):
            return "integer"
        return "float" if re.fullmatch(r"-?\d+\.\d+", value) else "string"
    names = {int: "integer", float: "float", bool: "boolean", list: "array", dict: "hash"}
    require(type(value) in names, "UNKNOWN_KIND")
    return names[type(value)]


@function("is_a(Any value, Type type)", switch="former_functions")
def is_a(value: Value, type_: Value) -> bool:
    """Return whether a value is of a type: `value =~ Type` for chains of calls.

    > 1.is_a(Integer)
    true

    > is_a('a', Integer)
    false
    """
    return bool(type_.instance(value))


@function("type_of(Any value)", switch="former_functions")
def type_of(value: Value) -> Value:
    """Return the type of a value; as specified without the size of collections.

    > type_of(1)
    Integer[1, 1]

    > type_of([a, b, c])
    Array[String]

    > type_of([1, a])
    Array[Scalar]

    > type_of([[1], { a => 2.5 }])
    Array[Collection]
    """
    return infer_specified(value)
