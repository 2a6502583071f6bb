"""SemVer and SemVerRange have the results of the released Puppet (`ranges.json`)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.issues import Failure
from evaluator.values import SemVer, SemVerRange

TABLE = json.loads((Path(__file__).parent / "ranges.json").read_text())


@pytest.mark.parametrize("row", TABLE["ranges"], ids=lambda row: row["range"])
def test_a_range_has_the_results_of_the_released_puppet(row):
    if "error" in row:
        with pytest.raises(Failure) as caught:
            SemVerRange.parse(row["range"])
        assert str(caught.value) == row["error"]
        return
    parsed = SemVerRange.parse(row["range"])
    assert parsed.literal() == row["normal"]
    assert parsed.text() == row["range"]
    assert [text for text in TABLE["versions"] if parsed.includes(SemVer.parse(text))] == row["holds"]


IDENTIFIER = st.one_of(st.integers(0, 99).map(str), st.sampled_from(["a", "rc1", "beta-2", "x"]))
PRERELEASE = st.one_of(st.none(), st.lists(IDENTIFIER, min_size=1, max_size=3).map(".".join))
VERSIONS = st.builds(SemVer, st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), PRERELEASE)


@given(VERSIONS)
def test_the_text_of_a_version_parses_to_the_same_version(version):
    assert SemVer.parse(version.text()) == version


@given(VERSIONS, VERSIONS, VERSIONS)
def test_versions_have_a_total_order(first, second, third):
    assert (first < second) + (first == second) + (second < first) == 1
    if first < second < third:
        assert first < third


def test_versions_are_ordered_as_semantic_versioning_defines():
    texts = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
    ]
    versions = [SemVer.parse(text) for text in [*texts, "1.0.0-rc.1", "1.0.0", "1.0.1"]]
    assert sorted(versions, key=lambda version: version.order) == versions
    assert all(left < right for left, right in pairwise(versions))


@given(VERSIONS, VERSIONS)
def test_a_range_between_two_versions_includes_its_bounds(low, high):
    between = SemVerRange.between(low, high)
    assert between.includes(low) == (not high < low)
    if low < high:
        assert between.covers(SemVerRange.between(low, low))
        assert not SemVerRange.between(low, high, open_high=True).includes(high)


@given(st.sampled_from([row["range"] for row in TABLE["ranges"] if "normal" in row]))
def test_the_literal_of_a_range_parses_to_the_same_range(text):
    parsed = SemVerRange.parse(text)
    reparsed = SemVerRange.parse(parsed.literal())
    assert reparsed == parsed
    assert reparsed.literal() == parsed.literal()


def test_versions_with_different_builds_are_unequal_but_not_ordered():
    plain, built = SemVer.parse("1.2.3"), SemVer.parse("1.2.3+b")
    assert plain != built
    assert not plain < built
    assert plain <= built


def test_the_bounds_of_a_range_ignore_builds():
    built, plain = SemVer.parse("1.2.3+b5"), SemVer.parse("1.2.3")
    assert not built > plain and not built < plain
    assert SemVerRange.between(built, plain).literal() == "1.2.3+b5"
    assert SemVerRange.parse("2.0.0 - 1.0.0").literal() == "<0.0.0"
