"""The comparison of data has the result of comparing their texts, and is faster."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import Session
from evaluator.catalog import differences
from evaluator.catalog.differences import is_same_data
from evaluator.catalog.references import to_attribute_reference
from evaluator.session import cell
from evaluator.types import ClassType, ResourceType
from evaluator.types.algebra import infer
from evaluator.values import DEFAULT, Sensitive, format_literal, make_hash
from evaluator.values.dag import MANY
from lexer_parser.dialect import PUPPET

plain = st.sampled_from(["a", "A", "1", "", 1, 0, 1.0, 0.0, -0.0, True, False, None, DEFAULT, 2**70])
references = st.builds(
    lambda kind, name: kind(name),
    st.sampled_from([ClassType, partial(ResourceType, "file")]),
    st.sampled_from("ab"),
) | st.builds(to_attribute_reference, st.builds(ResourceType, st.just("file"), st.sampled_from("aA")))
values = st.recursive(
    plain | references,
    lambda inner: st.one_of(
        inner.map(Sensitive),
        st.lists(inner, max_size=3),
        st.lists(st.tuples(plain, inner), max_size=3).map(make_hash),
        inner.map(lambda value: [value, value]),
    ),
    max_leaves=8,
)


def describe(value: Any) -> tuple[str, str]:
    """Return the text and the type of a value."""
    return format_literal(value), format_literal(infer(value, PUPPET))


@pytest.mark.parametrize("many", [0, MANY])
def test_data_is_the_same_if_its_texts_are(many: int) -> None:
    @given(values, values)
    def check(one: Any, other: Any) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(differences, "MANY", many)
            same = is_same_data(one, other)
            assert same is None or same == (describe(one) == describe(other))
            assert is_same_data(one, one) is True

    check()


def test_two_values_that_share_their_parts_are_compared_once() -> None:
    def make_shared() -> Any:
        value: Any = [1, 2]
        for _ in range(60):
            value = [value, value]
        return value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences, "MANY", 100)
        assert is_same_data(make_shared(), make_shared()) is True


def test_a_large_value_is_compared_without_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("puppet", interactive=True)
    session.run("$x = 1", "a")
    session.run('$s = Integer[1, 100000].map |$n| { "t${n}" }', "b")
    session.run("$s.length + $x", "c")
    longest: list[int] = []

    def format_and_measure(value: Any, room: int | None = None) -> str:
        text = format_literal(value, room)
        longest.append(len(text))
        return text

    monkeypatch.setattr(cell, "format_literal", format_and_measure)
    outcome = session.run("$x = 2", "a")
    assert [cell.cell_id for cell in outcome.updated] == ["c"]
    assert max(longest, default=0) < 50_000
    outcome = session.run("$x = 3 notify { 'n': }", "a")
    assert [cell.cell_id for cell in outcome.updated] == ["c"]


def test_a_slow_cell_that_runs_again_is_not_compared_with_the_other_dialect() -> None:
    session = Session("puppet", interactive=True)
    session.run("$x = 1", "a")
    session.run("Integer[1, 200000].each |$n| { $y = $n + $x } 'a' == 'A'", "b")
    timeline = session._history.epochs.current
    entry = timeline.entries[1]
    timeline.entries[1] = entry._replace(evaluation=entry.evaluation._replace(cpu_seconds=5.0))
    started = time.process_time()
    session.run("$x = 2", "a")
    again = session.cell("b")
    assert again is not None and again is not entry and again.evaluation.cpu_seconds == 5.0
    assert again.outcome.remarks == [] and time.process_time() - started < 5
