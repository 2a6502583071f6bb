"""Arithmetic: exact results, bounds, conversion of strings, and collections as operands."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.issues import Failure
from evaluator.limits import COLLECTION, INTEGER
from evaluator.operators import Operators, arithmetic, comparison
from evaluator.operators.comparison import MAXIMUM, MINIMUM, parse_number
from evaluator.values import DEFAULT, Sensitive, format_integer
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.errors import PuppetError

words = st.integers(MINIMUM, MAXIMUM)


@pytest.mark.parametrize(
    "text, value",
    [
        ("1", 1),
        (" 1\t", 1),
        ("\u00a01\u3000", 1),
        ("- 1", -1),
        ("+  7", 7),
        ("0", 0),
        ("00", 0),
        ("017", 15),
        ("0x1F", 31),
        ("-0X1f", -31),
        ("1.5", 1.5),
        ("07.5", 7.5),
        ("00.5", 0.5),
        ("0.05e1", 0.5),
        ("1e5", 100000.0),
        ("1E-5", 1e-5),
        ("01e8", 1e8),
        ("1.5e-400", 0.0),
        ("9" * 5000, format_integer),
    ],
)
def test_a_string_is_parsed_as_a_number(text, value):
    if value is format_integer:
        assert format_integer(parse_number(text)) == text
    else:
        assert parse_number(text) == value
        assert type(parse_number(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        "1a",
        "08",
        "009",
        "08.5",
        "1.",
        ".5",
        "1e",
        "1e+5",
        "0e1",
        "0.0e1",
        "00e1",
        "0x",
        "0b1",
        "1_0",
        *[
            "1\n",
            "\n1",
            "\r1",
            "\x0b1",
            "1 2",
            "- -1",
            "+",
            "1,5",
            "Infinity",
            "NaN",
            "1e309",
            "１",
            "٣",
            "1\0",
        ],
    ],
)
def test_a_string_is_no_number(text):
    assert parse_number(text) is None


def test_the_conversion_of_an_operand_causes_one_warning(operators, context):
    assert operators.add("1", "0x10") == 17
    assert context.warnings == [
        "The string '1' was automatically coerced to the numerical value 1",
        "The string '0x10' was automatically coerced to the numerical value 16",
    ]


@pytest.mark.parametrize(
    "left, right, operand, text",
    [
        ("a", 1, 0, "a"),
        (1, "a", 1, "a"),
        (None, 1, 0, ""),
        (True, 1, 0, "true"),
        (1, [None, "x"], 1, '[nil, "x"]'),
        (1, {"a": None}, 1, '{"a"=>nil}'),
        (DEFAULT, 1, 0, "default"),
        (1, Sensitive("secret"), 1, "Sensitive [value redacted]"),
        (1, [Sensitive("secret")], 1, "[#<Sensitive [value redacted]>]"),
    ],
)
def test_an_operand_that_is_no_number_is_reported(operators, left, right, operand, text):
    with pytest.raises(PuppetError) as caught:
        operators.multiply(left, right)
    assert caught.value.code == "NOT_NUMERIC"
    assert caught.value.operand == operand
    assert caught.value.message == f"The value '{text}' cannot be converted to Numeric."


@given(words, words)
def test_released_integers_have_64_bits(left, right):
    operators = Operators(PUPPET, None)
    for name, exact in (("add", left + right), ("subtract", left - right), ("multiply", left * right)):
        if MINIMUM <= exact <= MAXIMUM:
            assert getattr(operators, name)(left, right) == exact
        else:
            with pytest.raises(PuppetError) as caught:
                getattr(operators, name)(left, right)
            assert caught.value.code == "INTEGER_OVERFLOW"
            assert caught.value.operand is None
            assert f"{exact:+#x}" in caught.value.message


@given(st.integers(-(2**200), 2**200), st.integers(-(2**200), 2**200))
def test_specified_integers_have_any_size(left, right):
    operators = Operators(SPEC, None)
    assert operators.add(left, right) == left + right
    assert operators.subtract(left, right) == left - right
    assert operators.multiply(left, right) == left * right


@given(words, words.filter(bool))
def test_integer_division_rounds_down(left, right):
    operators = Operators(SPEC, None)
    quotient, rest = operators.divide(left, right), operators.modulo(left, right)
    assert quotient * right + rest == left
    assert rest == 0 or (rest < 0) == (right < 0)


@pytest.mark.parametrize("left, right", [(1, 0), (0, 0), (-5, 0)])
def test_integer_division_by_zero_is_reported(operators, left, right):
    for divide in (operators.divide, operators.modulo):
        with pytest.raises(PuppetError) as caught:
            divide(left, right)
        assert (caught.value.code, caught.value.operand) == ("DIV_BY_ZERO", 1)


def test_division_of_zero_by_zero_is_nan_only_in_the_released_language(spec, puppet):
    assert math.isnan(puppet.divide(0.0, 0))
    for left, right in ((0.0, 0), (0, 0.0), (0.0, 0.0), ("0.0", "0")):
        with pytest.raises(PuppetError) as caught:
            spec.divide(left, right)
        assert (caught.value.code, caught.value.operand) == ("DIV_BY_ZERO", 1)


def test_arithmetic_with_floats(operators):
    assert operators.add(1, 2.0) == 3.0
    assert math.copysign(1, operators.negate(0.0)) == -1
    for left, right in ((1.0, 0), (1, 0.0), (1e308, 1e-10)):
        with pytest.raises(PuppetError, match="The result of the / expression is Infinity") as caught:
            operators.divide(left, right)
        assert caught.value.operand == 0


def test_an_integer_too_large_for_a_float_is_reported(spec):
    with pytest.raises(PuppetError) as caught:
        spec.multiply(10**400, 1.5)
    assert caught.value.code == "RESULT_IS_INFINITY"


counts = pytest.mark.parametrize("count", [0, 1, 62, 63, 64, 100, 2**63, 10**30])
numbers = pytest.mark.parametrize("value", [0, 1, -1, 5, -8, MAXIMUM, MINIMUM])


@counts
@numbers
def test_a_right_shift_has_the_exact_result(puppet, spec, value, count):
    """Huge counts do not exhaust memory: the size of the result is checked before the shift."""
    exact = value >> min(count, 1000)
    assert puppet.shift_right(value, count) == exact
    assert puppet.shift_left(value, -count) == exact
    assert spec.shift_right(value, count) == max(exact, 0)


@counts
@numbers
def test_a_left_shift_has_the_exact_result_or_exceeds_a_limit(puppet, spec, value, count):
    for operators in (puppet, spec):
        is_within_limit = value == 0 or value.bit_length() + count <= INTEGER.value
        exact = value << (count if is_within_limit and value else 0)
        if is_within_limit and (operators is spec or MINIMUM <= exact <= MAXIMUM):
            assert operators.shift_left(value, count) == exact
            assert count == 0 or operators.shift_right(value, -count) == exact
        else:
            with pytest.raises(PuppetError) as caught:
                operators.shift_left(value, count)
            assert caught.value.code == ("INTEGER_OVERFLOW" if is_within_limit else "LIMIT_EXCEEDED")


def test_shifts_by_floats_truncate_them_only_in_the_released_language(puppet, spec):
    assert puppet.shift_left(1, 1.9) == 2
    with pytest.raises(Failure, match="NaN"):
        puppet.shift_left(1, math.nan)
    with pytest.raises(PuppetError) as caught:
        spec.shift_left(1, 1.0)
    assert caught.value.message == "Operator '<<' is not applicable to an Integer when right side is a Float."


def test_integers_have_a_limit(spec):
    """The largest integer has as many bits as the limit; one more is an error."""
    largest = spec.shift_left(1, INTEGER.value - 1)
    assert largest.bit_length() == INTEGER.value
    for exceed in (lambda: spec.shift_left(1, INTEGER.value), lambda: spec.add(largest, largest)):
        with pytest.raises(PuppetError, match="'max_integer_bits'") as caught:
            exceed()
        assert caught.value.code == "LIMIT_EXCEEDED"


def test_collections_have_a_limit(operators, monkeypatch):
    monkeypatch.setattr(COLLECTION, "value", 3)
    assert operators.add([1, 2], [3]) == [1, 2, 3]
    assert operators.shift_left([1, 2], 3) == [1, 2, 3]
    assert operators.add({"a": 1}, ["b", 2, "c", 3]) == {"a": 1, "b": 2, "c": 3}
    for exceed in (
        lambda: operators.add([1, 2], [3, 4]),
        lambda: operators.add([1, 2, 3], 4),
        lambda: operators.shift_left([1, 2, 3], 4),
        lambda: operators.add({"a": 1, "b": 2}, {"c": 3, "d": 4}),
    ):
        with pytest.raises(PuppetError, match="'max_collection_size'"):
            exceed()


def test_operations_do_not_change_their_operands(operators):
    array, pairs = [1, [2]], {"a": [1]}
    operators.add(array, 3)
    operators.shift_left(array, 3)
    operators.subtract(array, 1)
    operators.add(pairs, {"b": 2})
    operators.subtract(pairs, "a")
    assert array == [1, [2]]
    assert pairs == {"a": [1]}


def test_booleans_are_no_integers(operators):
    for operation in (operators.add, operators.subtract, operators.multiply, operators.shift_left):
        with pytest.raises(PuppetError, match="The value 'true' cannot be converted to Numeric"):
            operation(True, 1)


SIMILAR_VALUES = [
    *("a", "A", "1", "0x1", "0X1", "01", "1.0", "1e0", "1E0", "", "ß", "SS", "É", "é", "true", DEFAULT),
    *(1, 1.0, 0, 0.0, -0.0, math.nan, True, False, None, [1], ["A"], ["a"], {"a": 1}, {"A": 1}),
]


@pytest.mark.parametrize(
    "same",
    [*(comparison.ComparisonOperators(dialect, None).equals for dialect in (SPEC, PUPPET)), comparison.same],
)
@given(
    st.lists(st.sampled_from(SIMILAR_VALUES), max_size=8),
    st.lists(st.sampled_from(SIMILAR_VALUES), max_size=20),
)
def test_deleting_many_elements_has_the_result_of_comparing_each_pair(
    same: arithmetic.Equality, left: list[Any], right: list[Any]
) -> None:
    expected = [element for element in left if not any(same(element, other) for other in right)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arithmetic, "_FEW_UNWANTED", 0)
        assert list(map(id, arithmetic.delete_elements(left, right, same, arithmetic.to_pairs))) == list(
            map(id, expected)
        )


def test_deleting_many_elements_takes_linear_time() -> None:
    comparisons = 0

    def same(one: Any, other: Any) -> bool:
        nonlocal comparisons
        comparisons += 1
        return bool(one == other)

    many = [f"t{number}" for number in range(2000)]
    assert arithmetic.delete_elements(many, many[1:], same, arithmetic.to_pairs) == ["t0"]
    assert comparisons < 3 * len(many)
