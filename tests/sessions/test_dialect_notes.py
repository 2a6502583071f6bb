"""A cell with another result in the other dialect has a note with that result and the switch."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.session import dialect_notes, evaluation
from evaluator.session.cell import Entry
from evaluator.session.dialect_notes import DialectNote
from evaluator.session.program_state import ProgramState
from tests.sessions import notebooks

NOTES = [
    ("spec", "1 == '1'", "released Puppet: false (string_numbers)"),
    ("spec", "[1, 2, 3, 4, 5][2, 3]", "released Puppet: [3, 4, 5] (range_to)"),
    ("spec", "6 =~ Integer[5]", "released Puppet: true (int_range)"),
    ("spec", "-8 >> 1", "released Puppet: -4 (shift)"),
    ("puppet", "1 == '1'", "specification: true (string_numbers)"),
    ("puppet7", "1 == '1'", "specification: true (string_numbers)"),
    ("openvox9", "-8 >> 1", "specification: 0 (shift)"),
    ("puppet", "1 ? { default => d, 1 => one }", "specification: 'd' (selector_order)"),
    # two switches change it: the note names none of them
    ("spec", "[1 == '1', -8 >> 1]", "released Puppet: [false, -4]"),
]
pytestmark = pytest.mark.usefixtures("unhurried_notes")


def start_session(dialect: str) -> Session:
    """Return an interactive session in which a first cell has run."""
    session = Session(dialect, interactive=True)
    session.run("1 + 1")  # a slow cell is not compared, and the first one is slow
    return session


@pytest.mark.parametrize(("dialect", "source", "note"), NOTES)
def test_a_difference_is_noted(dialect: str, source: str, note: str) -> None:
    [noted] = start_session(dialect).run(source).notes
    assert isinstance(noted, DialectNote)
    assert noted.text == note
    assert noted.dialect == ("puppet" if dialect == "spec" else "spec")


@pytest.mark.parametrize("source", ["1 + 1", "notice('x')", "notify { 'a': }", "class c { } include c"])
def test_a_cell_with_the_same_result_has_no_note(source: str) -> None:
    outcome = start_session("spec").run(source)
    assert outcome.notes == []
    assert len(outcome.logs) <= 1


def test_an_error_of_cells_above_is_noted_only_at_its_cell() -> None:
    session = start_session("spec")
    define = 'define d { notify { "in ${title} ${x}": } }'
    cells = [session.run(source) for source in (define, "d { 'p': }", "Notify['a'] { message => 'b' }")]
    found = [[note.text for note in cell.notes if isinstance(note, DialectNote)] for cell in cells]
    assert [len(notes) for notes in found] == [0, 1, 0] and "Unknown variable: 'x'" in found[1][0]
    session = start_session("spec")
    session.run("function f { $x }")
    assert "Unknown variable: 'x'" in str(session.run("f()").notes[0])


def test_an_error_notes_the_value_in_the_other_dialect() -> None:
    session = start_session("puppet")
    error = session.run("9223372036854775807 + 1").error
    assert error is not None
    assert [note.text for note in error.notes] == ["specification: 9223372036854775808"]


def test_a_rule_in_which_releases_differ_names_them() -> None:
    found = start_session("spec").run("{ 'a' => 1, 'a' => 2 }").notes
    assert [str(note) for note in found if isinstance(note, DialectNote)] == [
        "Puppet 8, OpenVox 9: an error: The key 'a' is declared more than once (strict)"
    ]
    found = start_session("spec").run("$nope").notes
    assert [str(note) for note in found if isinstance(note, DialectNote)] == [
        "Puppet 8, OpenVox 9: an error: Unknown variable: 'nope'. (strict or strict_variables)"
    ]
    error = start_session("puppet").run("notice($nope)").error
    assert error is not None
    assert [str(note) for note in error.notes] == [
        "specification, Puppet 7: warning: Unknown variable: 'nope'.; notice: "
    ]
    assert start_session("puppet7").run("notice($nope)").notes == []


def test_a_note_shortens_values_but_not_log_lines() -> None:
    session, text = start_session("spec"), "a; b" * 30
    [note] = session.run(f"[1 == '1', '{text}']").notes
    assert isinstance(note, DialectNote) and note.result == f"[false, '{text}"[:59] + "…"
    [note] = session.run(f"notice(1 == '1', '{text}')").notes
    assert isinstance(note, DialectNote) and note.result == f"notice: false {text}"


def test_the_comparison_does_not_change_the_session() -> None:
    session = start_session("spec")
    session.run("$x = 1 == '1' notify { 'a': message => \"${x}\" }")
    assert session.dialect == "spec"
    assert session.run("$x").text == "true"
    assert session.catalog().summary() == ["Notify[a] { message => 'true' }"]


def test_a_file_is_not_compared() -> None:
    session = Session("spec")
    session.run("1")
    assert session.run("1 == '1'").notes == []


# --- the cost of notes


@pytest.fixture
def evaluated_sources(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of all evaluations."""
    found: list[str] = []
    original = evaluation._evaluate

    def count_and_evaluate(state: Any, savepoint: Any, units: Any, *others: Any) -> Any:
        found.append(units[0].source.text)
        return original(state, savepoint, units, *others)

    monkeypatch.setattr(evaluation, "_evaluate", count_and_evaluate)
    return found


INDEPENDENT_SOURCES = [
    "1 + 1",
    "$x = { 'a' => [1, 2] }",
    "notify { 'a': message => \"on ${facts['os']['name']}\", require => File['/b'] }",
    "File['/a'] -> file { '/b': }",
    "define d($n) { notify { $title: } } d { 'a': n => 1 }",
    "class c { if 1 == '1' { notice('same') } }",
    "function f(Integer $n) { $n + 1 }",
    "Notify { noop => true }",
]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("source", INDEPENDENT_SOURCES)
def test_dialect_independent_code_is_evaluated_once(
    dialect: str, source: str, evaluated_sources: list[str]
) -> None:
    session = start_session(dialect)
    evaluated_sources.clear()
    session.run(source)
    assert evaluated_sources == [source]


@pytest.mark.parametrize(
    "source",
    [
        'Integer[1, 1000].each |$i| { notify { "n${i}": } }',
        'Integer[1, 1000].each |$i| { notify { "n${i}": } } fail("late")',
        "\n".join(f"notify {{ 'n{number}': }}" for number in range(1000)),
    ],
)
def test_a_thousand_resources_are_evaluated_once(source: str, evaluated_sources: list[str]) -> None:
    session = start_session("spec")
    evaluated_sources.clear()
    session.run(source)
    assert evaluated_sources == [source]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_code_that_counts_as_independent_has_the_same_result(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its evaluation in the other dialect has the same result."""
    chance = random.Random(5)
    # overrides that wait in an earlier cell would be noted here
    texts = [text for text in (*notebooks.TEXTS, *INDEPENDENT_SOURCES) if "'overridden'" not in text]
    independent_entries: list[tuple[str, list[str]]] = []
    is_independent = dialect_notes._is_independent

    def check_and_record(state: ProgramState, entry: Entry) -> bool:
        if not is_independent(state, entry):
            return True
        assert entry.savepoint is not None
        with state.rolled_back(entry.savepoint):
            found = dialect_notes.find_notes(state, entry)
        independent_entries.append((entry.source, [note for note in found if isinstance(note, DialectNote)]))
        return True

    monkeypatch.setattr(dialect_notes, "_is_independent", check_and_record)
    for _ in range(20):
        # deferred code of an earlier cell may read an unknown variable
        session = Session(dialect, interactive=True, strict="warning", strict_variables=False)
        for source in chance.choices(texts, k=25):
            session.run(source)
    assert len(independent_entries) > 100
    assert [(source, [*map(str, notes)]) for source, notes in independent_entries if notes] == []


def test_the_comparison_starts_no_programs(tmp_path: Path) -> None:
    session = Session("spec", interactive=True, permissions=("generate",))
    session.run("1 + 1")
    marker = tmp_path / "touched"
    outcome = session.run(f"if 1 == '1' {{ 'same' }} else {{ generate('/usr/bin/touch', '{marker}') }}")
    assert (outcome.text, outcome.notes, marker.exists()) == ("'same'", [], False)
    assert session.run(f"generate('/usr/bin/touch', '{marker}')").error is None
    assert marker.exists()


def test_resources_of_the_other_dialect_are_removed() -> None:
    session = Session("puppet", interactive=True)
    session.run("tag('x')")
    session.run("Notify <| |> -> D['p']", "two")
    session.undo()
    session.redo()
    for name in ("two", "three"):
        outcome = session.run("notify { 'a': message => \"x is ${x}\" }", name)
        assert outcome.error is not None
        assert outcome.error.code == "UNKNOWN_VARIABLE"
        assert "Notify[a]" not in str(session.catalog().to_json())
        assert [title for kind, title in session.catalog().resources if kind == "notify"] == []


def test_notes_ignore_errors_of_cells_above_in_the_other_dialect() -> None:
    cells = [
        'define d() { notify { "in ${title}": message => $nowhere } }',
        "d { 'q': }",
        "Notify <| title == 'a' |> { message => 'collected' }",
    ]
    session, other = Session(interactive=True), Session(interactive=True)
    for number, source in enumerate(cells):
        session.run(source, str(number))
        if number == 1:
            session.run("Notify <| |> -> D['p']", "later")  # makes a fixed point that can be extended
            session.forget(["later"])
    for source in cells:
        other.run(source)
    notes = [[*map(str, cell.outcome.notes)] for cell in session.cells]
    assert notes == [[*map(str, cell.outcome.notes)] for cell in other.cells]
    assert notes[-1] == ["released Puppet: 'Catalog-Collector[Notify]' (collector_value)"]
