"""Deep merges of levels equal those of the library of the released Puppet."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator.hiera.merging import merge

KNOCKOUT = {"knockout_prefix": "--"}
SORTED = {"sort_merged_arrays": True}
PAIRS = {"merge_hash_arrays": True}
# The levels from highest to lowest priority, options, and the result.
CASES: list[tuple[list[Any], dict[str, Any], Any]] = [
    ([{"g": ["--d", "a"]}, {"g": ["w", "d"]}], KNOCKOUT, {"g": ["w", "a"]}),
    ([{"g": ["--d"]}, {"g": ["--d", "d", "x"]}], KNOCKOUT, {"g": ["x"]}),
    ([{"g": ["--", "a"]}, {"g": ["w", "d"]}], KNOCKOUT, {"g": ["a"]}),
    ([{"g": "--"}, {"g": {"q": 1}}], KNOCKOUT, {"g": ""}),
    # A value without a counterpart in the other level is merged with itself.
    ([{"g": ["--d", "a", "a"]}, {"t": 1}], KNOCKOUT, {"t": 1, "g": ["a"]}),
    ([{"g": "--x"}, {"t": 1}], KNOCKOUT, {"t": 1, "g": ""}),
    ([{"g": ["b", "a", "b"]}, {"t": 1}], SORTED, {"t": 1, "g": ["a", "b"]}),
    ([{"g": ["b", "b"]}, {"g": None}], {}, {"g": ["b"]}),
    # Inside of a hash, both sides are the same array object, which the library shortens while it iterates over it.
    ([{"u": {"g": ["--d", "a"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": []}}),
    ([{"u": {"g": ["c", "--c", "--a"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": ["--a"]}}),
    ([{"u": {"g": ["a", "--"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": []}}),
    # Values of different types are merged.
    ([{"g": {}}, {"g": 1}], {}, {"g": 1}),
    ([{"g": {"a": [1, 1], "b": [1, 1]}}, {"g": 1}], {}, {"g": {"a": [1, 1], "b": [1]}}),
    ([{"g": ["--a", "b", "b"]}, {"g": "text"}], KNOCKOUT, {"g": ["b", "b"]}),
    ([{"g": [{"x": 1}, {"y": 2}]}, {"g": [{"z": 3}]}], PAIRS, {"g": [{"z": 3, "x": 1}, {"y": 2}]}),
    ([{"g": None}, {"g": 1}], {}, {"g": 1}),
    ([{"g": 1}, {"g": False}, {"g": 2}], {}, {"g": 1}),
]


@pytest.mark.parametrize(("levels", "options", "expected"), CASES)
def test_a_deep_merge_equals_that_of_the_library(
    levels: list[Any], options: dict[str, Any], expected: Any
) -> None:
    assert merge(levels, {"strategy": "deep", **options}) == expected
