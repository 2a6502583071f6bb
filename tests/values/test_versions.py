"""SemVer and SemVerRange, against the released Puppet's answers (`ranges.json`)."""

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
def test_range(row):
    if "error" in row:
        with pytest.raises(Failure) as raised:
            SemVerRange.parse(row["range"])
        assert str(raised.value) == row["error"]
        return
    found = SemVerRange.parse(row["range"])
    assert found.literal() == row["normal"]
    assert found.text() == row["range"]
    assert [text for text in TABLE["versions"] if found.includes(SemVer.parse(text))] == row["holds"]


IDENTIFIER = st.one_of(st.integers(0, 99).map(str), st.sampled_from(["a", "rc1", "beta-2", "x"]))
PRERELEASE = st.one_of(st.none(), st.lists(IDENTIFIER, min_size=1, max_size=3).map(".".join))
VERSIONS = st.builds(SemVer, st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), PRERELEASE)


@given(VERSIONS)
def test_version_from_its_text(version):
    assert SemVer.parse(version.text()) == version


@given(VERSIONS, VERSIONS, VERSIONS)
def test_order_is_total(first, second, third):
    assert (first < second) + (first == second) + (second < first) == 1
    if first < second < third:
        assert first < third


def test_order_of_the_specification():
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
def test_between(low, high):
    covered = SemVerRange.between(low, high)
    assert covered.includes(low) == (not high < low)
    if low < high:
        assert covered.covers(SemVerRange.between(low, low))
        assert not SemVerRange.between(low, high, open_high=True).includes(high)


@given(st.sampled_from([row["range"] for row in TABLE["ranges"] if "normal" in row]))
def test_normal_form_means_the_same(text):
    found = SemVerRange.parse(text)
    again = SemVerRange.parse(found.literal())
    assert again == found
    assert again.literal() == found.literal()


def test_build_distinguishes_but_does_not_order():
    plain, built = SemVer.parse("1.2.3"), SemVer.parse("1.2.3+b")
    assert plain != built
    assert not plain < built
    assert plain <= built


def test_builds_say_nothing_about_the_bounds_of_a_range():
    built, plain = SemVer.parse("1.2.3+b5"), SemVer.parse("1.2.3")
    assert not built > plain and not built < plain
    assert SemVerRange.between(built, plain).literal() == "1.2.3+b5"
    assert SemVerRange.parse("2.0.0 - 1.0.0").literal() == "<0.0.0"
