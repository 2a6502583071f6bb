"""The operators `+ - * / % << >>` and unary minus, on numbers, arrays and hashes.

Sizes of collections are checked before anything is built.

Specification: Expressions, "Operators".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure, make_error, require
from evaluator.kinds import make_operand_error
from evaluator.limits import COLLECTION, INTEGER
from evaluator.operators.comparison import (
    MAXIMUM,
    MINIMUM,
    check_64_bits,
    check_limit,
    parse_number,
)
from evaluator.values import (
    Value,
    format_value,
    get,
    has,
    iterate_items,
    list_keys,
    make_hash,
    make_key,
    to_ruby_text,
)
from evaluator.values.chunked import merge_dicts
from evaluator.values.dag import PLAIN
from evaluator.values.floats import check_finite, divide, to_whole
from evaluator.values.kind import TIMESPAN, TIMESTAMP, get_kind
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

# --- arrays and hashes ---------------------------------------------------------------------------------------


Equality = Callable[[Any, Any], bool]

_FEW_UNWANTED = 8  # up to so many values are compared with each element: building an index takes longer


def to_pairs(hash_value: dict[Value, Value]) -> list[Value]:
    """Return a hash as an array of `[key, value]` arrays."""
    return [[k, v] for k, v in iterate_items(hash_value)]


def _to_keys_and_values(hash_value: dict[Value, Value]) -> list[Value]:
    """Return the keys and values of a hash in one array."""
    return [value for pair in iterate_items(hash_value) for value in pair]


def append(left: list[Value], right: Value) -> list[Value]:
    """Return `array << value`."""
    COLLECTION.check(len(left) + 1)
    return [*left, right]


def concatenate(left: list[Value], right: Value) -> list[Value]:
    """Return `array + value`: arrays are joined, a hash adds its pairs, others an element."""
    if type(right) is list:
        COLLECTION.check(len(left) + len(right))
        return left + right
    if type(right) is dict:
        COLLECTION.check(len(left) + len(right))
        return left + to_pairs(right)
    return append(left, right)


def to_hash(array: list[Value], *, whole_pairs: bool, exact: bool = False) -> dict[Value, Value]:
    """Return the hash of an array of pairs, of `[key, value, …]`, or of one hash.

    Args:
        array: The array.
        whole_pairs: False if the value of a pair may be missing.
        exact: True if an array that contains only one hash is not accepted.

    Raises:
        Failure: If the array has another form.
    """
    kinds = set(map(type, array))
    if list in kinds and kinds <= {list, type(None)}:
        for index, element in enumerate(array):
            if element is None:
                raise Failure("HASH_PAIR_TYPE", index=index, actual="NilClass" if whole_pairs else "nil")
            # `require` for each element would take four times as long as these tests
            if whole_pairs and len(element) != 2:
                raise Failure("HASH_PAIR_LENGTH", index=index, number=len(element))
            if not 1 <= len(element) <= 2:
                raise Failure("HASH_PAIR_SIZE", number=len(element))
        return make_hash((pair[0], pair[1] if len(pair) == 2 else None) for pair in array)
    if not exact and len(array) == 1 and type(array[0]) is dict:
        return array[0]
    require(not len(array) % 2, "HASH_ODD")
    return make_hash(zip(array[::2], array[1::2], strict=True))


def merge(
    left: dict[Value, Value], right: Value, *, whole_pairs: bool, exact: bool = False
) -> dict[Value, Value]:
    """Return `hash + value`: entries of the right side win, the order of the left side stays.

    Raises:
        Failure: When the right side cannot be converted to a hash; see `to_hash`.
    """
    if type(right) is list:
        right = to_hash(right, whole_pairs=whole_pairs, exact=exact)
    elif type(right) is not dict:
        raise Failure("HASH_APPEND")
    COLLECTION.check(len(left) + len(right))
    return merge_dicts((left, right))


def delete_elements(
    left: list[Value],
    right: Value,
    is_same: Equality,
    list_entries: Callable[[dict[Value, Value]], list[Value]],
) -> list[Value]:
    """Return `array - value`: without the value, or without the elements of an array or hash.

    Args:
        left: The array.
        right: The value.
        is_same: Returns True for an element and a value that removes it.
        list_entries: Lists the values that a hash removes.
    """
    if type(right) is dict:
        right = list_entries(right)
    unwanted: list[Value] = right if type(right) is list else [right]
    if len(unwanted) <= _FEW_UNWANTED:
        return [element for element in left if not any(is_same(element, other) for other in unwanted)]
    plain_values: dict[Any, list[Any]] = {}  # by lookup key
    rich_values: list[Any] = []  # which can equal values of any type
    for value in unwanted:
        if type(value) in PLAIN:
            plain_values.setdefault(_to_lookup_key(value), []).append(value)
        else:
            rich_values.append(value)

    def list_candidates(element: Value) -> Iterable[Value]:
        """Return the unwanted values that can be the same as an element."""
        return (
            chain(plain_values.get(_to_lookup_key(element), ()), rich_values)
            if type(element) in PLAIN
            else unwanted
        )

    return [
        element for element in left if not any(is_same(element, other) for other in list_candidates(element))
    ]


def _to_lookup_key(value: Value) -> Value:
    """Return a key that is the same for plain values that are equal in some dialect."""
    if type(value) is not str:
        return value
    text = value.lower()
    numeric = parse_number(text, as_source=True)
    return text if numeric is None else numeric


def delete_keys(left: dict[Value, Value], right: Value) -> dict[Value, Value]:
    """Return `hash - value`: without a key, the keys in an array, or the keys of a hash.

    Keys compare strictly.
    """
    unwanted = right if type(right) is list else list_keys(right) if type(right) is dict else [right]
    unwanted_keys = set(map(make_key, unwanted))
    return {k: v for k, v in left.items() if k not in unwanted_keys}


def select_values(hash_value: dict[Value, Value], keys: list[Value]) -> Value:
    """Return `hash[key, …]`: the value of one key, or an array of the values of several keys.

    A missing key has the value undef; of several keys, those without a value are left out.
    """
    if len(keys) == 1:
        return get(hash_value, keys[0])
    values = [get(hash_value, k) for k in keys if has(hash_value, k)]
    return [value for value in values if value is not None] if keys else None


# --- numbers -------------------------------------------------------------------------------------------------


class ArithmeticOperators:
    """The arithmetic operators of one dialect.

    Integers stay integers; one Float makes the result a Float; a numeric String is converted with a warning.
    Division rounds down and the remainder has the sign of the divisor. Errors name the operand to blame.

    Attributes:
        equals, same: The operator `==`, and the strict equality of keys; both are set by `ComparisonOperators`.
        _check_integer: Returns an integer result; raises if the dialect has no such integers.
        _deletes: Returns True for an element of an array and a value that `-` deletes by it.
        _list_entries: Lists the values that `array - hash` deletes.
        _integer_shifts: True if only Integers are shifted, and no result is negative.
        _exact: True if operands must have the form that the operator needs.
        _whole_pairs: See `to_hash`.
    """

    equals: Equality
    same: Equality

    def __init__(self, dialect: Dialect, runtime: Runtime) -> None:
        self.runtime = runtime
        self._check_integer = check_limit if dialect.unbounded_integers else check_64_bits
        self._deletes = self.equals if dialect.delete_equal else self.same
        self._list_entries = _to_keys_and_values if dialect.delete_equal else to_pairs
        self._integer_shifts = dialect.shift
        self._exact, self._whole_pairs = dialect.exact_operands, dialect.whole_pairs

    def number(self, value: Value, operand: int | None) -> Value:
        """Return an operand as a number, time or version; Strings are converted.

        Raises NOT_NUMERIC.
        """
        value_class = type(value)
        if value_class is int or value_class is float:
            return value
        if value_class is str:
            converted = parse_number(value, self._exact)
            if converted is not None:
                self.runtime.warn(
                    "NUMERIC_COERCION", before=value, after=format_value(converted), operand=operand
                )
                return converted
        elif get_kind(value).arithmetic is not None:
            return value
        raise make_error("NOT_NUMERIC", value=to_ruby_text(value), operand=operand)

    def _numbers(self, left: Value, right: Value) -> tuple[Value, Value]:
        return self.number(left, 0), self.number(right, 1)

    def add(self, left: Value, right: Value) -> Value:
        """Return `left + right`: a sum, or the join of collections, times, URIs and Binaries."""
        left_class = type(left)
        if left_class is int and type(right) is int:
            result = left + right
            return result if MINIMUM <= result <= MAXIMUM else self._check_integer("+", result)
        if left_class is list:
            return concatenate(left, right)
        if left_class is dict:
            return merge(left, right, whole_pairs=self._whole_pairs, exact=self._exact)
        if left_class not in _NUMERIC_OPERANDS:
            join = get_kind(left).join
            if join is not None:
                return join(left, right)
        left, right = self._numbers(left, right)
        if type(left) is int and type(right) is int:
            return self._check_integer("+", left + right)
        return _apply_rule("+", left, right)

    def subtract(self, left: Value, right: Value) -> Value:
        """Return `left - right`: a difference, or a deletion from an array or hash."""
        left_class = type(left)
        if left_class is int and type(right) is int:
            result = left - right
            return result if MINIMUM <= result <= MAXIMUM else self._check_integer("-", result)
        if left_class is list:
            return delete_elements(left, right, self._deletes, self._list_entries)
        if left_class is dict:
            return delete_keys(left, right)
        left, right = self._numbers(left, right)
        if type(left) is int and type(right) is int:
            return self._check_integer("-", left - right)
        return _apply_rule("-", left, right)

    def multiply(self, left: Value, right: Value) -> Value:
        """Return `left * right`."""
        left, right = self._numbers(left, right)
        if type(left) is int and type(right) is int:
            result = left * right
            return result if MINIMUM <= result <= MAXIMUM else self._check_integer("*", result)
        return _apply_rule("*", left, right)

    def divide(self, left: Value, right: Value) -> Value:
        """Return `left / right`; integers round down. Raises DIV_BY_ZERO, RESULT_IS_INFINITY."""
        left, right = self._numbers(left, right)
        are_integers = type(left) is int and type(right) is int
        if right == 0 and (are_integers or (self._exact and left == 0)):
            raise make_error("DIV_BY_ZERO", operand=1)
        if are_integers:
            return self._check_integer("/", left // right)
        return _apply_rule("/", left, right)

    def modulo(self, left: Value, right: Value) -> Value:
        """Return `left % right` of integers."""
        left, right = self._numbers(left, right)
        if type(left) is int and type(right) is int:
            if right == 0:
                raise make_error("DIV_BY_ZERO", operand=1)
            return left % right
        if type(left) is float:
            raise make_operand_error("%", left)
        return _apply_kind_rule("%", left, right)

    def shift_left(self, left: Value, right: Value) -> Value:
        """Return `left << right`: an array with one more element, or shifted bits."""
        if type(left) is list:
            return append(left, right)
        if type(left) is dict:
            raise make_operand_error("<<", left)
        return self._shift("<<", *self._shift_operands("<<", left, right))

    def shift_right(self, left: Value, right: Value) -> Value:
        """Return `left >> right`; as specified never below 0."""
        left, count = self._shift_operands(">>", left, right)
        return self._shift(">>", left, -count)

    def _shift_operands(self, operator: str, left: Value, right: Value) -> tuple[int, int]:
        """Return the operands of a shift as integers; a Float on the right is truncated.

        Raises:
            PuppetError: They cannot be shifted. The error names the left operand, in some cases both.
        """
        left, right = self._numbers(left, right)
        if type(left) is int and type(right) is int:
            return left, right
        is_by_float = type(left) is int and type(right) is float
        if is_by_float and not self._integer_shifts:
            return left, to_whole(right)
        if get_kind(left) not in _TIMES and (get_kind(right) in _TIMES or is_by_float):
            raise make_operand_error(operator, left, right)
        raise make_operand_error(operator, left)

    def _shift(self, operator: str, value: int, count: int) -> int:
        """Return a value shifted to the left by some bits; by a negative number to the right."""
        bits = value.bit_length()
        if count == 0 and operator == "<<":
            return value
        if count <= 0:
            shifted = value >> min(-count, bits)  # by more bits than it has, the result is the same
            return 0 if shifted < 0 and self._integer_shifts else shifted
        if value == 0:
            return 0
        INTEGER.check(bits + count)
        return self._check_integer(operator, value << count)

    def negate(self, value: Value) -> Value:
        """Return `-value`."""
        value = self.number(value, None)
        if type(value) is int or type(value) is float:
            return -value
        negate = get_kind(value).negate
        if negate is None:
            raise make_operand_error("-", value)
        return negate(value)


def _apply_rule(operator: str, left: Value, right: Value) -> Value:
    """Apply an operator to two values that are not both integers."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return _apply_float(operator, left, right)
    return _apply_kind_rule(operator, left, right)


_NUMBERS = frozenset((int, float))
_FLOAT_OPERATIONS = {"+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": divide}


def _apply_float(operator: str, left: Value, right: Value) -> float:
    """Apply an operator to two numbers, at least one of them a Float."""
    try:
        return check_finite(operator, _FLOAT_OPERATIONS[operator](float(left), float(right)))
    except OverflowError:  # the integer exceeds every float
        return check_finite(operator, math.inf)


# Types that `+` converts to numbers.
_NUMERIC_OPERANDS = frozenset((int, float, str))
# When the right operand is one of these, the error of a shift names both operands.
_TIMES = (TIMESPAN, TIMESTAMP)


def _apply_kind_rule(operator: str, left: Value, right: Value) -> Value:
    """Apply the operator's rule for the kinds of two values, at most one a number."""
    kinds = get_kind(left), get_kind(right)
    for kind in kinds:
        rule = (kind.arithmetic or {}).get((operator, *kinds))
        if rule is not None:
            return rule(left, right)
    raise make_operand_error(operator, left, right)
