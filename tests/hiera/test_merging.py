"""Deep merges of levels equal those of the released Puppet's library, its oddities included."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator.hiera.merging import merge

KNOCKOUT = {"knockout_prefix": "--"}
SORTED = {"sort_merged_arrays": True}
PAIRS = {"merge_hash_arrays": True}
# the levels, most important first, options, and what comes out
CASES: list[tuple[list[Any], dict[str, Any], Any]] = [
    ([{"g": ["--d", "a"]}, {"g": ["w", "d"]}], KNOCKOUT, {"g": ["w", "a"]}),
    ([{"g": ["--d"]}, {"g": ["--d", "d", "x"]}], KNOCKOUT, {"g": ["x"]}),
    ([{"g": ["--", "a"]}, {"g": ["w", "d"]}], KNOCKOUT, {"g": ["a"]}),
    ([{"g": "--"}, {"g": {"q": 1}}], KNOCKOUT, {"g": ""}),
    # what has nothing below it is merged over itself
    ([{"g": ["--d", "a", "a"]}, {"t": 1}], KNOCKOUT, {"t": 1, "g": ["a"]}),
    ([{"g": "--x"}, {"t": 1}], KNOCKOUT, {"t": 1, "g": ""}),
    ([{"g": ["b", "a", "b"]}, {"t": 1}], SORTED, {"t": 1, "g": ["a", "b"]}),
    ([{"g": ["b", "b"]}, {"g": None}], {}, {"g": ["b"]}),
    # inside of a hash that is the very same array, which is cut while it is gone through
    ([{"u": {"g": ["--d", "a"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": []}}),
    ([{"u": {"g": ["c", "--c", "--a"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": ["--a"]}}),
    ([{"u": {"g": ["a", "--"]}}, {"t": 1}], KNOCKOUT, {"t": 1, "u": {"g": []}}),
    # over what is of another kind
    ([{"g": {}}, {"g": 1}], {}, {"g": 1}),
    ([{"g": {"a": [1, 1], "b": [1, 1]}}, {"g": 1}], {}, {"g": {"a": [1, 1], "b": [1]}}),
    ([{"g": ["--a", "b", "b"]}, {"g": "text"}], KNOCKOUT, {"g": ["b", "b"]}),
    ([{"g": [{"x": 1}, {"y": 2}]}, {"g": [{"z": 3}]}], PAIRS, {"g": [{"z": 3, "x": 1}, {"y": 2}]}),
    ([{"g": None}, {"g": 1}], {}, {"g": 1}),
    ([{"g": 1}, {"g": False}, {"g": 2}], {}, {"g": 1}),
]


@pytest.mark.parametrize(("levels", "options", "expected"), CASES)
def test_deep_merges(levels: list[Any], options: dict[str, Any], expected: Any) -> None:
    assert merge(levels, {"strategy": "deep", **options}) == expected
