"""stdlib: first useful values, and values turned into booleans, numbers and arrays."""

from __future__ import annotations

import re
from typing import Any

from evaluator.errors import Failure
from evaluator.functions.host import host_class
from evaluator.functions.numbers import host_float
from evaluator.functions.registry import function
from evaluator.values import items, text

# --- pick


@function("pick(Any p0*)")
def pick(*values: Any) -> Any:
    """Gives the first argument that is neither undef nor ''; fails when there is none.

    > pick(undef, '', 'a', 'b')
    'a'

    > pick(undef, '')
    ! Error while evaluating a Function Call, pick(): must receive at least one non empty value
    """
    for value in values:
        if value not in ("", None):
            return value
    raise Failure("pick(): must receive at least one non empty value")


@function("pick_default(Any p0*)")
def pick_default(*values: Any) -> Any:
    """Gives the first argument that is neither undef nor '', or else the last one, whatever it is.

    > pick_default('', 'b')
    'b'

    > pick_default(undef, '')
    ''
    """
    if not values:
        raise Failure("Must receive at least one argument.")
    return next((value for value in values if value not in ("", None)), values[-1])


# --- arrays, numbers and booleans


@function("any2array(Any p0*)")
def any2array(*values: Any) -> list[Any]:
    """Makes an array of anything: nothing gives none, a hash its keys and values, several arguments all of them.

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
        return [part for pair in items(value) for part in pair]
    return [] if value in ("", None) else [value]


TRUE = re.compile(r"(1|t|y|true|yes)", re.IGNORECASE)
FALSE = re.compile(r"(|0|f|n|false|no|undef|undefined)", re.IGNORECASE)


def to_bool(value: Any) -> bool:
    """What `str2bool` makes of a String or Boolean."""
    if type(value) is bool:
        return value
    if value is None:
        return False
    if type(value) is not str:
        raise Failure("str2bool(): Requires string to work with")
    if TRUE.fullmatch(value):
        return True
    if FALSE.fullmatch(value):
        return False
    raise Failure("str2bool(): Unknown type of boolean given")


@function("str2bool(Any p0)")
def str2bool(value: Any) -> bool:
    """Reads text as a Boolean: 'yes', 'true', 'y', 't' and '1' are true; 'no', 'false', '' and the like false.

    > str2bool('yes')
    true

    > str2bool('0')
    false

    > str2bool('maybe')
    ! Error while evaluating a Function Call, str2bool(): Unknown type of boolean given
    """
    return to_bool(value)


@function("any2bool(Any p0)")
def any2bool(value: Any) -> bool:
    """Makes a Boolean of anything: text as `str2bool` reads it, numbers above 0 and collections are true.

    > any2bool('no')
    false

    > any2bool(1)
    true

    > any2bool([])
    true
    """
    if type(value) is bool:
        return value
    number = _number(value)
    if number is not None:
        return number > 0
    return to_bool(value) if type(value) is str else value is not None


def _number(value: Any) -> float | None:
    if type(value) in (int, float):
        return float(value)
    return host_float(value) if type(value) is str else None


@function("bool2str(Any p0, Any p1*)")
def bool2str(value: Any, *texts: Any) -> str:
    """Gives 'true' or 'false', or one of two given texts.

    > bool2str(false, 'yes', 'no')
    'no'

    > bool2str(true)
    'true'
    """
    if len(texts) not in (0, 2):
        raise Failure(f"bool2str(): Wrong number of arguments given ({len(texts) + 1} for 3)")
    if type(value) is not bool:
        raise Failure("bool2str(): Requires a boolean to work with")
    names = texts or ("true", "false")
    if not all(type(name) is str for name in names):
        raise Failure("bool2str(): Requires strings to convert to")
    return str(names[0] if value else names[1])


@function("bool2num(Any p0)")
def bool2num(value: Any) -> int:
    """Gives 1 for true and 0 for false; text is read as `str2bool` does.

    > bool2num(true)
    1

    > bool2num('no')
    0
    """
    return int(to_bool(value))


@function("num2bool(Any p0)")
def num2bool(value: Any) -> bool:
    """Gives true for numbers, or text of numbers, that are at least 1.

    > num2bool(0)
    false

    > num2bool('2')
    true
    """
    if type(value) is str:
        number = host_float(value)
        if number is None:
            raise Failure(
                f"num2bool(): '{value}' does not look like a number: invalid value for Float(): \"{value}\""
            )
        return int(number) > 0
    if type(value) in (int, float):
        return int(value) > 0
    return value is True


@function("clamp(Any p0, Any p1*)")
def clamp(*values: Any) -> Any:
    """Gives the middle one of three numbers: a value kept between two bounds.

    > clamp(5, 1, 3)
    3

    > clamp('24', [575, 187])
    187
    """
    flat = [element for value in values for element in (value if type(value) is list else [value])]
    if len(flat) != 3:
        raise Failure("clamp(): Wrong number of arguments, need three to clamp")
    numbers = []
    for value in flat:
        if type(value) is str and re.fullmatch(r"\d+", value):
            value = int(value)
        if type(value) not in (int, float):
            raise Failure(f"clamp(): Required explicit numeric ({text(value)}:{host_class(value)})")
        numbers.append(int(value))
    return sorted(numbers)[1]


# --- names of types


@function("type3x(Any p0)")
def type3x(value: Any) -> str:
    """Names the kind of a value as Puppet 3 did; text of a number is a number.

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
    if type(value) not in names:
        raise Failure("type3x(): Unknown type")
    return names[type(value)]


@function("type_of(Any value)", switch="extensions")
def type_of(value: Any) -> Any:
    """Gives the type of a value.

    > type_of(1)
    Integer[1, 1]
    """
    from evaluator.types import infer_detailed

    return infer_detailed(value)


@function("is_a(Any value, Type type)", switch="extensions")
def is_a(value: Any, type_: Any) -> bool:
    """Tells whether a value is of a type: `value =~ Type`, to be read in a chain.

    > 1.is_a(Integer)
    true

    > is_a('a', Integer)
    false
    """
    return bool(type_.instance(value))
