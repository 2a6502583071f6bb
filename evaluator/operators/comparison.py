"""The operators `==`, `!=`, `<`, `<=`, `>`, `>=`, and the numbers in strings.

Specification: Expressions, "Equality and Comparison Operators"; Types, Values, and Variables, "String to/from Numeric
Conversion".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import repeat
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure, make_error, require
from evaluator.limits import INTEGER
from evaluator.types import OptionalType
from evaluator.values import Value, describe_kind, is_type
from evaluator.values.dag import CONTAINERS, FEW, MANY, is_worth_memoizing
from evaluator.values.kind import KindOrder, get_kind
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

MINIMUM = -(2**63)
MAXIMUM = 2**63 - 1
# Digits converted at once: Python rejects longer strings, because the conversion takes quadratic time.
_CHUNK_DIGITS = 4000
_MOST_CHARACTERS = 80_000  # of a number: longer strings denote none
_BLANK = r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*"
_NUMBER = LazyPattern(
    rf"{_BLANK}([-+]?){_BLANK}"
    r"(?:0[xX]([0-9a-fA-F]+)|(0[0-7]+|0|[1-9][0-9]*)(\.[0-9]+)?([eE]-?[0-9]+)?)"
    rf"{_BLANK}\Z"
)
_FIRST_CHARACTERS = frozenset(
    "0123456789+- \t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)


def parse_number(text: str, as_source: bool = False) -> int | float | None:
    """Return the number that a String denotes; None if it denotes none.

    Spaces around it and after a sign are allowed; decimal, octal (`017`) and hexadecimal (`0x1F`) integers,
    and floats with digits on both sides of the point. A zero with an exponent is no number, as in Puppet.

    Args:
        text: The String.
        as_source: True if the String is parsed like source code: `0.0e1` is a number and `01.5` is not.
    """
    if text[:1] not in _FIRST_CHARACTERS or len(text) > _MOST_CHARACTERS:
        return None
    match = _NUMBER.match(text)
    if match is None:
        return None
    sign, hexadecimal, whole, fraction, exponent = match.groups()
    value: int | float
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif fraction or exponent:
        value = float(whole + (fraction or "") + (exponent or ""))
        is_zero = exponent and not f"{whole}{fraction or ''}".strip("0.")
        is_octal = whole[0] == "0" and not (whole == "0" and fraction)
        if math.isinf(value) or (is_octal if as_source else is_zero):
            return None
    elif whole[0] == "0":
        value = int(whole, 8)
    else:
        value = _parse_decimal(whole)
    return -value if sign == "-" else value


def _parse_decimal(digits: str) -> int:
    if len(digits) <= _CHUNK_DIGITS:
        return int(digits)
    half = len(digits) // 2
    return int(_parse_decimal(digits[:-half]) * 10**half + _parse_decimal(digits[-half:]))


def check_64_bits(operator: str, result: int) -> int:
    """Return an integer result where integers have 64 bits. Raises INTEGER_OVERFLOW."""
    if MINIMUM <= result <= MAXIMUM:
        return result
    raise make_error(
        "INTEGER_OVERFLOW",
        what=f"A '{operator}' expression",
        bound="max" if result > 0 else "min",
        value=f"{result:+#x}",
    )


def check_limit(operator: str, result: int) -> int:
    """Return an integer result where integers have any size up to the published limit."""
    INTEGER.check(result.bit_length())
    return result


Equal = Callable[[Any, Any], bool]


class _Progress(Record):
    """The progress of a comparison of arrays and hashes.

    Attributes:
        count: The number of pairs of collections that have been visited.
        pairs: The pairs, by identity, that were visited after many others: no pair is compared twice then.
    """

    count: int = 0
    pairs: set[tuple[int, int]] = fresh(factory=set)


_MISSING: Any = object()
_FOLD = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold_case(text: str) -> str:
    """Return a String with A–Z in lower case, as the released Puppet compares Strings."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def is_same_text(left: str, right: str) -> bool:
    """Return True for Strings that are equal apart from the case of ASCII letters."""
    return left == right or (len(left) == len(right) and fold_case(left) == fold_case(right))


def is_same_text_or_number(left: str, right: str) -> bool:
    """Return True for Strings that are equal by the specification.

    Numeric ones are equal if they denote the same number, others if they differ only in case.
    """
    if left == right:
        return True
    left_number = parse_number(left, as_source=True)
    if left_number is not None:
        right_number = parse_number(right, as_source=True)
        if right_number is not None:
            return left_number == right_number
    return left.lower() == right.lower()


_INSIDE = _Progress()  # stays empty: it only says that values are inside of a collection
_PLAIN = frozenset({int, float, bool, type(None)})  # classes whose values Python compares as Puppet does
_NUMBERS = frozenset({int, float})
_SORTABLE = frozenset({int, float, str})


def make_equality(
    strings: Callable[[str, str], bool],
    types: Equal,
    *,
    inner_types: Equal | None = None,
    numeric_strings: bool = False,
    absent: Value = _MISSING,
) -> Equal:
    """Return an equality test.

    Numbers are equal by value, arrays element by element, hashes when they have the same keys, compared
    strictly, and equal values.

    Args:
        strings: Returns True for equal Strings.
        types: Returns True for equal types.
        inner_types: Returns True for equal types in arrays and hashes; by default like `types`.
        numeric_strings: True if `1` equals `'1'`.
        absent: The value for a key that the right side does not have; by default a value that equals nothing.
    """

    def equal(left: Value, right: Value, progress: _Progress | None = None) -> bool:
        """Return True for equal values; `progress` is None for those that are in no collection.

        In a collection it is that of the comparison; for parts that are no collections it is `_INSIDE`.
        """
        left_class = type(left)
        if left_class is type(right):
            if left_class is str:
                return strings(left, right)
            if left_class in _PLAIN:
                same: bool = left == right
                return same
            if left is right:
                return True
            if left_class is list:
                if len(left) != len(right):
                    return False
                if CONTAINERS.isdisjoint(map(type, left)) and len(left) <= FEW:
                    return all(map(equal, left, right, repeat(_INSIDE)))
                return equal_parts(left, right, progress or _Progress())
            if left_class is dict:
                return len(left) == len(right) and equal_parts(left, right, progress or _Progress())
        elif left_class is int or left_class is float:
            return equals_other(left, right)
        elif type(right) is int or type(right) is float:
            return equals_other(right, left)
        if is_type(left):
            return is_type(right) and (types if progress is None else inner_types or types)(left, right)
        return bool(left == right)

    def equal_parts(left: Value, right: Value, progress: _Progress) -> bool:
        """Return True for equal arrays or hashes of one size.

        It does not recurse, because CPython limits the recursion of calls through C.
        """
        if is_compared(left, right, progress):
            return True
        levels = [pairs(left, right)]  # the pairs that are left of each collection, from the outermost on
        while levels:
            for left_part, right_part in levels[-1]:
                part_class = type(left_part)
                # `equal` compares flat arrays at once
                if (
                    part_class not in CONTAINERS
                    or part_class is not type(right_part)
                    or (part_class is list and CONTAINERS.isdisjoint(map(type, left_part)))
                ):
                    if not equal(left_part, right_part, progress):
                        return False
                elif left_part is not right_part:
                    if len(left_part) != len(right_part):
                        return False
                    if not is_compared(left_part, right_part, progress):
                        levels.append(pairs(left_part, right_part))
                        break
            else:
                levels.pop()
        return True

    def pairs(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
        """Return the parts of two arrays or hashes that must be equal."""
        if type(left) is list:
            return zip(left, right, strict=True)
        return ((value, right.get(key, absent)) for key, value in left.items())

    def is_compared(left: Value, right: Value, progress: _Progress) -> bool:
        """Return True when the pair was visited before; a difference would have ended that."""
        progress.count += 1
        if progress.count > MANY:
            pair = (id(left), id(right))
            if pair in progress.pairs:
                return True
            if is_worth_memoizing(left):
                progress.pairs.add(pair)
        return False

    def equals_other(left: Value, right: Value) -> bool:
        """Return True when a number equals a value of another type."""
        right_class = type(right)
        if right_class is int or right_class is float:
            return bool(left == right)
        if right_class is str:
            return numeric_strings and parse_number(right, as_source=True) == left
        equals = get_kind(right).equals_number
        return equals is not None and equals(right, left)

    return equal


def is_same_type(left: Value, right: Value, operator: str = "==") -> bool:
    """Return True when each type accepts the other. Raises COMPARISON_NOT_POSSIBLE."""
    if left == right:
        return True
    try:
        return bool(right.assignable(left) and left.assignable(right))
    except Failure as failure:
        raise _make_not_comparable_error(operator, left, right, str(failure)) from None


# In the released Puppet, types in arrays and hashes are equal if they are printed in the same way, and
# `{a => undef}` equals `{b => 1}`, but not the other way round.
_released = make_equality(is_same_text, is_same_type, inner_types=eq, absent=None)
_specified = make_equality(is_same_text_or_number, is_same_type, numeric_strings=True)
same = make_equality(str.__eq__, eq)


def _make_order(
    operator: str, is_ordered: Equal, are_types_ordered: Equal
) -> Callable[[ComparisonOperators, Value, Value], bool]:
    """Return the method for an operator of order.

    Args:
        operator: The operator in messages.
        is_ordered: Python's operator, for two numbers, and for the result of `_compare` and 0.
        are_types_ordered: The operator for a type on the left: a type is less than another one that accepts it. It
            may raise a Failure.
    """

    def compare(self: ComparisonOperators, left: Value, right: Value) -> bool:
        if type(left) in _NUMBERS and type(right) in _NUMBERS and left == left and right == right:
            return is_ordered(left, right)
        if self._compares_types(left, right):
            try:
                return are_types_ordered(left, right)
            except Failure as failure:
                raise _make_not_comparable_error(operator, left, right, str(failure)) from None
        return is_ordered(self._compare(operator, left, right), 0)

    return compare


class ComparisonOperators:
    """The equality and the order of one dialect.

    Attributes:
        equals: The operator `==`.
        same: The strict equality by which keys are compared.
        _numeric_strings: True if Strings that denote numbers are compared as numbers.
        _exact: True if types are compared with types only.
    """

    def __init__(self, dialect: Dialect, runtime: Runtime) -> None:
        self.equals: Equal = _specified if dialect.string_numbers else _released
        self.same: Equal = same
        self._numeric_strings = dialect.string_numbers
        self._exact = dialect.exact_operands

    def not_equals(self, left: Value, right: Value) -> bool:
        """Return `left != right`."""
        if is_type(left):
            return not (is_type(right) and is_same_type(left, right, "!="))
        return not self.equals(left, right)

    less = _make_order("<", lt, lambda left, right: is_type(right) and _is_narrower(left, right))
    less_equal = _make_order("<=", le, lambda left, right: is_type(right) and bool(right.assignable(left)))
    greater = _make_order(
        ">",
        gt,
        lambda left, right: _is_narrower(right, left) if is_type(right) else _is_bare_optional(left),
    )
    greater_equal = _make_order(
        ">=",
        ge,
        lambda left, right: bool(left.assignable(right)) if is_type(right) else _is_bare_optional(left),
    )

    def _compares_types(self, left: Value, right: Value) -> bool:
        """Return True if types are compared; as released, the right side may be any value."""
        return is_type(left) and (is_type(right) or not self._exact)

    def _compare(self, operator: str, left: Value, right: Value) -> int:
        """Return a number below, equal to or above 0, as left is to right.

        Raises:
            PuppetError: The values have no order (COMPARISON_NOT_POSSIBLE).
        """
        if self._numeric_strings and type(left) in _SORTABLE and type(right) in _SORTABLE:
            left, right = _to_sortable(left, right)
        if type(left) is str and type(right) is str:
            fold = str.lower if self._numeric_strings else fold_case
            left, right = fold(left), fold(right)
            return int(right < left) - int(left < right)
        order = get_kind(left).order or _NO_ORDER
        if get_kind(right) not in order.kinds:
            raise _make_not_comparable_error(operator, left, right, order.complaint)
        other = get_kind(right).order
        compare = order.compare or (None if other is None else other.compare)
        if compare is not None:
            return compare(left, right)
        require(left == left and right == right, "NAN_ORDERED")
        return int(right < left) - int(left < right)


def _make_not_comparable_error(operator: str, left: Value, right: Value, detail: str) -> PuppetError:
    return make_error(
        "COMPARISON_NOT_POSSIBLE",
        left=describe_kind(left),
        operator=operator,
        right=describe_kind(right),
        detail=detail,
    )


def _is_narrower(narrow: Value, wide: Value) -> bool:
    """Return True when the type `wide` accepts the type `narrow`, but not the other way round."""
    return bool(wide.assignable(narrow) and not narrow.assignable(wide))


def _is_bare_optional(value: Value) -> bool:
    """Return True for a bare Optional, which is above any value, type or not."""
    return isinstance(value, OptionalType) and value.type is None and not value.empty


def _to_sortable(left: Value, right: Value) -> tuple[Value, Value]:
    """Return numbers and Strings as comparable values; numeric Strings are numbers.

    Numbers precede text.
    """
    left_number = parse_number(left, as_source=True) if type(left) is str else left
    right_number = parse_number(right, as_source=True) if type(right) is str else right
    if left_number is not None and right_number is not None:
        return left_number, right_number
    if type(left) is type(right):
        return left, right
    return int(type(left) is str), int(type(right) is str)


_NO_ORDER = KindOrder((), "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable")
