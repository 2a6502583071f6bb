"""Comparison operators: equality, order, `in`, and matches."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.issues import Failure
from evaluator.operators import Operators
from evaluator.session import supervisor
from evaluator.values import DEFAULT, RegexpValue, Sensitive, iterate_items, make_hash
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.errors import PuppetError


def nest_arrays(depth: int):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["a", "A", "1", "1.0", "0x1", 1, 1.0, True, 0, 0.0, "", DEFAULT])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(inner, inner), max_size=3).map(make_hash)
        | inner.map(Sensitive)
    ),
    max_leaves=8,
)
DIALECTS = pytest.mark.parametrize("dialect", [PUPPET, SPEC], ids=["puppet", "spec"])


@DIALECTS
@given(value=values, other=values)
def test_equality_is_reflexive_and_symmetric(dialect, value, other):
    operators = Operators(dialect, None)
    assert operators.equals(value, value)
    assert operators.not_equals(value, other) != operators.equals(value, other)
    if dialect is SPEC:
        assert operators.equals(value, other) == operators.equals(other, value)


@DIALECTS
@given(value=values)
def test_a_copy_is_equal(dialect, value):
    def copy(original):
        if type(original) is list:
            return [copy(element) for element in original]
        if type(original) is dict:
            return make_hash((copy(k), copy(v)) for k, v in reversed(iterate_items(original)))
        return original

    assert Operators(dialect, None).equals(value, copy(value))


@DIALECTS
@given(st.data())
def test_order_is_total_for_strings_and_numbers(dialect, data):
    kind = data.draw(st.sampled_from([st.integers() | st.floats(allow_nan=False), st.text()]))
    left, right = data.draw(kind), data.draw(kind)
    operators = Operators(dialect, None)
    less, equal, greater = (
        operators.less(left, right),
        operators.equals(left, right),
        operators.greater(left, right),
    )
    assert less + equal + greater == 1
    assert operators.less_equal(left, right) == (less or equal)
    assert operators.greater_equal(left, right) == (greater or equal)


@pytest.mark.parametrize(
    "left, right, equal",
    [
        (1, True, False),
        (0, False, False),
        (1.0, True, False),
        (1, 1.0, True),
        (0.0, -0.0, True),
        (2**53 + 1, float(2**53), False),
        (None, False, False),
        (None, "", False),
        ([], {}, False),
        ([1], [True], False),
        ("ÀB", "Àb", True),
        (math.nan, math.nan, False),
        ([math.nan], [math.nan], False),
        (Sensitive("a"), Sensitive("A"), False),
        (Sensitive([1]), Sensitive([1.0]), False),
        (Sensitive(1), 1, False),
    ],
)
def test_values_that_python_compares_otherwise(operators, left, right, equal):
    assert operators.equals(left, right) is equal
    assert operators.equals(right, left) is equal


@pytest.mark.parametrize(("left", "right"), [("é", "É"), ("\u212a", "k"), ("Å", "å")])
def test_the_case_of_letters_beyond_ascii_matters_only_in_the_released_language(operators, left, right):
    """The specification ignores the case of all letters, the released Puppet that of A to Z."""
    specified = operators.dialect.string_numbers
    assert operators.equals(left, right) is specified
    assert (operators.less_equal(left, right) and operators.greater_equal(left, right)) or not specified


def test_keys_of_a_hash_are_compared_by_type_and_case(operators):
    value = make_hash(
        [(1, "int"), (1.0, "float"), (True, "bool"), ("1", "text"), ([1], "list"), ([1.0], "floats")]
    )
    assert len(value) == 6
    for key, expected in iterate_items(value):
        assert operators.access(value, [key]) == expected
    assert operators.subtract(value, [1, True, [1.0]]) == make_hash(
        [(1.0, "float"), ("1", "text"), ([1], "list")]
    )
    assert not operators.equals(make_hash([(1, 2)]), make_hash([(1.0, 2)]))
    assert operators.equals(make_hash([(1, 2), ("a", "X")]), make_hash([("a", "x"), (1, 2.0)]))


def test_an_absent_key_equals_undef_only_in_the_released_language(puppet, spec):
    """The released Puppet treats a key that the right side lacks as one whose value is undef."""
    undef, other = {"a": None}, {"b": 1}
    assert puppet.equals(undef, other) and not puppet.equals(other, undef)
    assert not spec.equals(undef, other) and not spec.equals(other, undef)
    assert not puppet.same(undef, other)


def test_strings_are_compared_as_numbers_only_by_the_specification(spec, puppet):
    for left, right in ((1, "1"), ("01", " 1.0"), ([16], ["0x10"]), ({"a": 1}, {"a": "1"})):
        assert spec.equals(left, right)
        assert not puppet.equals(left, right)
    assert spec.less("9", "10") and not puppet.less("9", "10")
    assert spec.less(9, "10") and spec.less(9, "") and not spec.less("", 9)
    assert spec.equals("9" * 100_000, "9" * 100_000)
    assert not spec.equals("", 0)


def test_nan_cannot_be_ordered(operators):
    with pytest.raises(Failure):
        operators.less(math.nan, 1)


def test_deep_values_are_compared(operators):
    def compare():
        left, right = nest_arrays(10_000), nest_arrays(10_000)
        assert operators.equals(left, right)
        assert operators.equals({"a": left}, {"a": right})
        assert not operators.equals(left, [right])
        assert operators.contains(left, [1, right])
        assert operators.option(left, right)
        assert operators.subtract([left], [right]) == []
        assert operators.access(make_hash([(left, "found")]), [right]) == "found"

    supervisor.call_supervised(compare)


def test_a_shared_value_is_compared_with_itself_in_linear_time(operators):
    value = ["x"]
    for _ in range(60):
        value = [value, value]
    assert operators.equals(value, value)


def test_a_match_sets_the_match_variables(puppet, spec, context):
    for operators in (puppet, spec):
        assert operators.matches("foobar", RegexpValue("(o+)(b)"))
        assert context.match.group(0, 1, 2) == ("oob", "oo", "b")
    assert not puppet.matches("x", RegexpValue("y"))
    assert context.match is not None, "a failed match keeps the variables"
    assert not spec.matches("x", RegexpValue("y"))
    assert context.match is None
    assert puppet.contains(RegexpValue("(b)"), ["x", "ab"]) and context.match[1] == "b"
    context.match = None
    assert spec.contains(RegexpValue("(b)"), ["x", "ab"]) and context.match is None


def test_an_option_of_a_case_matches_a_value(puppet, spec, context):
    for operators in (puppet, spec):
        assert operators.option("A", "a")
        assert operators.option(1, 1.0)
        assert operators.option("xay", RegexpValue("(a)")) and context.match[1] == "a"
        assert not operators.option(["a"], RegexpValue("a"))
        assert operators.option([1, 2], [1.0, 2])
        assert not operators.option([1], [1, 2])
        assert operators.option(None, None) and not operators.option("", None)
    assert puppet.option([1, "xay"], [DEFAULT, RegexpValue("a")])
    assert not spec.option([1, "xay"], [DEFAULT, RegexpValue("a")])
    assert puppet.option({"a": 1, "b": 2}, {"a": 1})
    assert not spec.option({"a": 1, "b": 2}, {"a": 1})
    assert puppet.option({"a": 1}, {"a": 1, "b": None})
    assert not spec.option({"a": 1}, {"a": 1, "b": None})


def test_an_invalid_operand_of_a_match_is_reported(operators):
    with pytest.raises(PuppetError) as caught:
        operators.matches(1, RegexpValue("a"))
    assert (caught.value.code, caught.value.operand) == ("MATCH_NOT_STRING", 0)
    with pytest.raises(PuppetError) as caught:
        operators.matches("a", "(")
    assert (caught.value.code, caught.value.operand) == ("MATCH_NOT_REGEXP", 1)
    assert caught.value.message.endswith("Caused by 'end pattern with unmatched parenthesis: /(/'.")
