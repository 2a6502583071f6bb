"""Access by index and slice has the results of Python, and names the wrong operand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.operators import Operators
from evaluator.values import DEFAULT
from evaluator.values.dag import flatten_lists
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.errors import PuppetError

sequences = st.lists(st.integers(), max_size=6) | st.text(max_size=6)
indices = st.integers(-9, 9) | st.sampled_from([2**63 - 1, -(2**63)])


@given(sequences, indices)
def test_an_index_selects_an_element(sequence, index):
    inside = -len(sequence) <= index < len(sequence)
    for dialect, nothing in ((PUPPET, ""), (SPEC, None)):
        missing = nothing if type(sequence) is str else None
        assert Operators(dialect, None).access(sequence, [index]) == (sequence[index] if inside else missing)


@given(sequences, indices, indices)
def test_a_count_or_a_last_index_selects_a_slice(sequence, first, second):
    size = len(sequence)
    start = first + size if first < 0 else first
    last = second + size if second < 0 else second
    to_last = [index for index in range(size) if start <= index <= last]
    by_count = to_last if second < 0 else [index for index in range(size) if start <= index < start + second]
    for dialect, indices in ((PUPPET, by_count), (SPEC, to_last)):
        part = Operators(dialect, None).access(sequence, [first, second])
        assert list(part) == [sequence[index] for index in indices]
        assert type(part) is type(sequence)


@pytest.mark.parametrize("nested", [[1], [[1]], [[[0], 2]], [[0], [2]]])
def test_nested_indices_are_flattened(operators, nested):
    assert operators.access([1, 2, 3], nested) == operators.access([1, 2, 3], flatten_lists(nested))


def test_nested_indices_may_have_any_depth(operators):
    index = 1
    for _ in range(10_000):
        index = [index]
    assert operators.access([1, 2], [index]) == 2


@pytest.mark.parametrize(
    "left, keys, code, operand",
    [
        ("abc", [1.0], "BAD_STRING_SLICE_KEY_TYPE", 1),
        ("abc", [1, None], "BAD_STRING_SLICE_KEY_TYPE", 2),
        ("abc", ["a"], "BAD_STRING_SLICE_KEY_TYPE", 1),
        ("abc", [1, 2, 3], "BAD_STRING_SLICE_ARITY", 0),
        ("abc", [[]], "BAD_STRING_SLICE_ARITY", 0),
        ([1], [1.0], "BAD_SLICE_KEY_TYPE", 1),
        ([1], [0, 1.0], "BAD_SLICE_KEY_TYPE", 2),
        ([1], [None], "NOT_NUMERIC", 1),
        ([1], [0, True], "NOT_NUMERIC", 2),
        ([1], [1, 2, 3], "BAD_ARRAY_SLICE_ARITY", 0),
        (None, [0], "OPERATOR_NOT_APPLICABLE", 0),
        (1, ["a"], "OPERATOR_NOT_APPLICABLE", 0),
        (True, [0, 1], "OPERATOR_NOT_APPLICABLE", 0),
        (DEFAULT, [0], "OPERATOR_NOT_APPLICABLE", 0),
    ],
)
def test_an_error_has_the_operand_with_the_mistake(operators, left, keys, code, operand):
    with pytest.raises(PuppetError) as caught:
        operators.access(left, keys)
    assert (caught.value.code, caught.value.operand) == (code, operand)


def test_a_string_as_index_is_converted_only_in_the_released_language(puppet, spec, context):
    assert puppet.access([1, 2], ["0x1"]) == 2
    assert context.warnings == ["The string '0x1' was automatically coerced to the numerical value 1"]
    assert puppet.access("ab", ["1"]) == "b"
    assert len(context.warnings) == 1
    for sequence in ([1, 2], "ab"):
        with pytest.raises(PuppetError):
            spec.access(sequence, ["1"])


def test_keys_select_values_of_a_hash(operators):
    value = {"a": 1, "b": None, "c": 3}
    assert operators.access(value, ["a"]) == 1
    assert operators.access(value, ["x"]) is None
    assert operators.access(value, ["c", "x", "a", "b"]) == [3, 1]
    assert operators.access(value, [["a"]]) is None
    assert operators.access(value, []) is None
