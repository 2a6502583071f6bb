"""Values as Ruby shows, reads and compares them, and the failures that Ruby reports."""

from __future__ import annotations

import re

from evaluator.issues import Failure, require
from evaluator.limits import INTEGER
from evaluator.values import kind as kinds
from evaluator.values.core import DEFAULT, make_key
from evaluator.values.dag import CONTAINERS, map_leaves, memoize_recursion
from evaluator.values.floats import to_whole
from evaluator.values.kind import Value, get_kind
from evaluator.values.printing import RUBY_ESCAPES, format_value, to_ruby_text
from lexer_parser.lazy import LazyPattern
from lexer_parser.regexps.writing import format_code


def get_ruby_class(value: Value) -> str:
    """Return the class of a value: `Integer`, `NilClass`, `Puppet::Pops::Types::PStringType`."""
    name = get_kind(value).ruby_class
    return name if isinstance(name, str) else name(value)


def get_ruby_class_name(value: Value) -> str:
    """Return the name of a value in a message about a missing conversion.

    It is the class, or `nil`, `true` or `false`.
    """
    if value is None or type(value) is bool:
        return {None: "nil", True: "true", False: "false"}[value]
    return get_ruby_class(value)


# The kinds of values that legacy functions see as they are.
_UNCONVERTED = frozenset(
    (
        *(kinds.STRING, kinds.INTEGER, kinds.FLOAT, kinds.BOOLEAN),
        *(kinds.UNDEF, kinds.DEFAULT, kinds.SENSITIVE, kinds.URI, kinds.OBJECT),
        *(kinds.TYPE, kinds.RESOURCE),
    )
)
# The kinds whose values `%p` prints in their source form.
_WITH_SOURCE = (kinds.SEMVER, kinds.SEMVER_RANGE, kinds.TIMESPAN, kinds.TIMESTAMP)


def to_ruby_value(value: Value) -> Value:
    """Return a value as a legacy function sees it: plain data; undef and rich values as text.

    Inside of others undef stays. References must be those of attributes.
    """
    return "" if value is None else map_leaves(value, _to_ruby_leaf)


def _to_ruby_leaf(value: Value) -> Value:
    return value if get_kind(value) in _UNCONVERTED else format_value(value)


def to_ruby_s(value: Value) -> str:
    """Return a value as `%s` prints it."""
    if type(value) is str:
        return value
    return to_ruby_text(value) if type(value) in (list, dict) else format_value(value)


def inspect(value: Value) -> str:
    """Return a value as `%p` prints it."""
    if type(value) is str:
        return inspect_string(value)
    if kinds.get_kind(value) in _WITH_SOURCE:
        return str(value.literal())
    return inspect_for_message(value)


_INSPECT_ESCAPES = {**RUBY_ESCAPES, "\f": "\\f", "\v": "\\v", "\a": "\\a", "\b": "\\b"}


def inspect_string(value: str) -> str:
    """Return a String as Ruby's inspect shows it: in double quotes, with escapes."""
    value = re.sub(
        r'["\\\x00-\x1f]', lambda match: _INSPECT_ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}", value
    )
    for opening in ("#{", "#$", "#@"):
        value = value.replace(opening, f"\\{opening}")
    if not value.isprintable():
        value = "".join(
            char if char.isprintable() or char in _VISIBLE_BLANKS else format_code(char) for char in value
        )
    return f'"{value}"'


_VISIBLE_BLANKS = "\u200b\u3000\u00a0"  # Ruby shows them as they are


def _make_conversion_failure(value: Value, to: str) -> Failure:
    return Failure("NO_CONVERSION", actual=get_ruby_class_name(value), type=to)


def to_integer(value: Value) -> int:
    """Return a value as `%d` takes it.

    Raises:
        Failure: The value is not a number.
    """
    if type(value) is int:
        return value
    if type(value) is float:
        return to_whole(value)
    if hasattr(value, "whole_seconds"):
        return int(value.whole_seconds())
    if type(value) is not str:
        raise _make_conversion_failure(value, "Integer")
    number = parse_integer(value)
    if number is None:
        raise Failure("INVALID_INTEGER", value=inspect_string(value))
    return number


def to_float(value: Value) -> float:
    """Return a value as `%f` takes it.

    Raises:
        Failure: The value is not a number.
    """
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    if hasattr(value, "seconds"):
        return float(value.seconds())
    if type(value) is not str:
        raise _make_conversion_failure(value, "Float")
    number = parse_float(value)
    if number is None:
        text = inspect_string(value).encode().decode("ascii", "backslashreplace")
        text = re.sub(r"\\x..", lambda match: "\\x" + match[0][2:].upper(), text)
        raise Failure("INVALID_FLOAT", value=text)
    return number


# --- parsing numbers like Ruby


_INTEGER = LazyPattern(
    r"\s*+([-+]?)(?:0[xX]([0-9a-fA-F](?:_?[0-9a-fA-F])*)|0[bB]([01](?:_?[01])*)|0[dD]([0-9](?:_?[0-9])*)"
    r"|0[oO]?_?([0-7](?:_?[0-7])*)|([1-9](?:_?[0-9])*|0))\s*",
    re.ASCII,
)
_FLOAT = LazyPattern(
    r"\s*+[-+]?[0-9](?:_?[0-9])*(?:\.[0-9](?:_?[0-9])*)?(?:[eE][-+]?[0-9](?:_?[0-9])*)?\s*", re.ASCII
)
_LEADING_POINT = LazyPattern(r"\s*+[-+]?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?\s*", re.ASCII)
_HEXADECIMAL = LazyPattern(
    r"\s*+[-+]?0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*(?:\.[0-9a-fA-F]+)?(?:[pP][-+]?[0-9]+)?\s*", re.ASCII
)


_LONG = 10_000  # characters of a text whose blanks are removed before it is matched
# A lower bound for each digit, so that a number within the limit is never refused.
_BITS_PER_DIGIT = {2: 1, 8: 3, 10: 3.3, 16: 4}


def _strip_spaces(text: str) -> str:
    """Return a long text without the blanks around it, which patterns would scan many times."""
    return text.strip(" \t\n\v\f\r") if len(text) > _LONG else text


def parse_integer(text: str) -> int | None:
    """Return the result of Ruby's `Integer(text)`; None when the text is not an integer."""
    match = _INTEGER.fullmatch(_strip_spaces(text))
    if match is None:
        return None
    sign, *forms = match.groups()
    base, digits = next(
        (base, digits) for base, digits in zip((16, 2, 10, 8, 10), forms, strict=True) if digits is not None
    )
    digits = digits.replace("_", "")
    INTEGER.check(int((len(digits) - 1) * _BITS_PER_DIGIT[base]))
    value = int(digits, base)
    return -value if sign == "-" else value


def parse_leading_integer(text: str) -> int:
    """Return the integer at the start of a text, or 0, as Ruby's `text.to_i` does."""
    match = re.match(r"\s*+[-+]?\d+", text)
    return int(match[0]) if match else 0


def parse_float(text: str) -> float | None:
    """Return the result of Ruby's `Float(text)`; None when the text is not a float."""
    text = _strip_spaces(text)
    if _FLOAT.fullmatch(text) or _LEADING_POINT.fullmatch(text):
        return float(text.replace("_", ""))
    return float.fromhex(text.strip().replace("_", "")) if _HEXADECIMAL.fullmatch(text) else None


# --- equality of Ruby


@memoize_recursion
def is_same(recurse: Value, left: Value, right: Value) -> bool:
    """Return whether Ruby takes two values for equal: case matters, 1 equals 1.0."""
    kind = type(left)
    if kind in (int, float) and type(right) in (int, float):
        return bool(left == right)
    if kind is not type(right) and not CONTAINERS.isdisjoint((kind, type(right))):
        return False  # cheap test, before the whole value is converted to a hash key
    if kind is list:
        return len(left) == len(right) and all(map(recurse, left, right))
    if kind is dict:
        return left.keys() == right.keys() and all(recurse(item, right[key]) for key, item in left.items())
    return bool(make_key(left) == make_key(right))


# --- messages of Ruby's own errors


def inspect_for_message(value: Value) -> str:
    """Return a value as messages show it: `"a"`, `nil`, `[1, nil]`, `{"a"=>1}`."""
    return to_ruby_text([value])[1:-1]


# Messages show the values of these classes; of other values, and of long integers, they show only the class.
SHOWN_CLASSES = (int, float, bool, type(DEFAULT))


def make_comparison_failure(left: Value, right: Value) -> Failure:
    """Return the failure for two values that have no order."""
    is_short = type(right) is not int or -(2**62) <= right < 2**62
    shown = (
        inspect_for_message(right)
        if right is None or (type(right) in SHOWN_CLASSES and is_short)
        else get_ruby_class(right)
    )
    return Failure("COMPARISON_FAILED", left=get_ruby_class(left), right=shown)


def make_no_method_failure(method: str, value: Value) -> Failure:
    """Return the failure of a function that calls a method which the value does not have."""
    shown = inspect_for_message(value)
    named = shown if shown.startswith("#<") else f"{shown}:{get_ruby_class(value)}"
    return Failure("UNDEFINED_METHOD", method=method, value=named)


def require_method(condition: object, method: str, value: Value) -> None:
    """Raise the Failure of a method that a value does not have unless a condition is true."""
    if not condition:
        raise make_no_method_failure(method, value)


def make_no_string_failure(name: str, type: str = "String") -> Failure:
    """Return the failure of a function that needs a String, or `type`, and got a class `name`."""
    return Failure("NO_IMPLICIT_CONVERSION", actual=name, type=type)


def require_string(condition: object, name: str) -> None:
    """Raise the Failure of a class `name` that is no String unless a condition is true."""
    if not condition:
        raise make_no_string_failure(name)


def require_argument(condition: object, function: str, which: str, expected: str) -> None:
    """Raise the Failure of a wrong argument of a function unless a condition is true."""
    require(condition, "ARGUMENT_MUST_BE", function=function, which=which, expected=expected)
