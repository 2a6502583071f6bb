"""A cell that means something else in the other dialect says so, with the switch."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.session import dialect_notes
from evaluator.session.dialect_notes import DialectNote

NOTES = [
    ("spec", "1 == '1'", "released Puppet: false (string_numbers)"),
    ("spec", "[1, 2, 3, 4, 5][2, 3]", "released Puppet: [3, 4, 5] (range_to)"),
    ("spec", "6 =~ Integer[5]", "released Puppet: true (int_range)"),
    ("spec", "-8 >> 1", "released Puppet: -4 (shift)"),
    ("puppet", "1 == '1'", "specification: true (string_numbers)"),
    ("puppet", "1 ? { default => d, 1 => one }", "specification: 'd' (selector_order)"),
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes are found however slow the machine is."""
    monkeypatch.setattr(dialect_notes, "QUICK_SECONDS", 60.0)
    monkeypatch.setattr(dialect_notes, "LONGEST_SECONDS", 60.0)


def interactive(dialect: str) -> Session:
    session = Session(dialect, interactive=True)
    session.run("1 + 1")  # what is slow the first time is not compared
    return session


@pytest.mark.parametrize(("dialect", "source", "note"), NOTES)
def test_a_difference_is_noted(dialect: str, source: str, note: str) -> None:
    [told] = interactive(dialect).run(source).notes
    assert isinstance(told, DialectNote)
    assert told.text == note
    assert {told.dialect, dialect} == {"spec", "puppet"}


@pytest.mark.parametrize("source", ["1 + 1", "notice('x')", "notify { 'a': }", "class c { } include c"])
def test_what_is_the_same_has_no_note(source: str) -> None:
    outcome = interactive("spec").run(source)
    assert outcome.notes == []
    assert len(outcome.logs) <= 1


def test_an_error_tells_that_the_other_dialect_has_a_value() -> None:
    session = interactive("puppet")
    error = session.run("9223372036854775807 + 1").error
    assert error is not None
    assert [note.text for note in error.notes] == ["specification: 9223372036854775808"]


def test_comparing_leaves_the_session_alone() -> None:
    session = interactive("spec")
    session.run("$x = 1 == '1' notify { 'a': message => \"${x}\" }")
    assert session.dialect == "spec"
    assert session.run("$x").text == "true"
    assert session.catalog().summary() == ["Notify[a] { message => 'true' }"]


def test_a_file_is_not_compared() -> None:
    session = Session("spec")
    session.run("1")
    assert session.run("1 == '1'").notes == []
