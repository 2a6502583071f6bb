"""A cell that means something else in the other dialect says so, with the switch."""

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
    # two switches change it: no note tells what only one of them would give
    ("spec", "[1 == '1', -8 >> 1]", "released Puppet: [false, -4]"),
]
pytestmark = pytest.mark.usefixtures("unhurried_notes")


def interactive(dialect: str) -> Session:
    session = Session(dialect, interactive=True)
    session.run("1 + 1")  # what is slow the first time is not compared
    return session


@pytest.mark.parametrize(("dialect", "source", "note"), NOTES)
def test_a_difference_is_noted(dialect: str, source: str, note: str) -> None:
    [told] = interactive(dialect).run(source).notes
    assert isinstance(told, DialectNote)
    assert told.text == note
    assert told.dialect == ("puppet" if dialect == "spec" else "spec")


@pytest.mark.parametrize("source", ["1 + 1", "notice('x')", "notify { 'a': }", "class c { } include c"])
def test_what_is_the_same_has_no_note(source: str) -> None:
    outcome = interactive("spec").run(source)
    assert outcome.notes == []
    assert len(outcome.logs) <= 1


def test_an_error_of_the_cells_above_is_noted_where_it_arises_only() -> None:
    session = interactive("spec")
    define = 'define d { notify { "in ${title} ${x}": } }'
    cells = [session.run(source) for source in (define, "d { 'p': }", "Notify['a'] { message => 'b' }")]
    found = [[note.text for note in cell.notes if isinstance(note, DialectNote)] for cell in cells]
    assert [len(notes) for notes in found] == [0, 1, 0] and "Unknown variable: 'x'" in found[1][0]
    session = interactive("spec")
    session.run("function f { $x }")
    assert "Unknown variable: 'x'" in str(session.run("f()").notes[0])


def test_an_error_tells_that_the_other_dialect_has_a_value() -> None:
    session = interactive("puppet")
    error = session.run("9223372036854775807 + 1").error
    assert error is not None
    assert [note.text for note in error.notes] == ["specification: 9223372036854775808"]


def test_a_rule_in_which_releases_differ_names_them() -> None:
    found = interactive("spec").run("{ 'a' => 1, 'a' => 2 }").notes
    assert [str(note) for note in found if isinstance(note, DialectNote)] == [
        "Puppet 8, OpenVox 9: an error: The key 'a' is declared more than once (strict)"
    ]
    found = interactive("spec").run("$nope").notes
    assert [str(note) for note in found if isinstance(note, DialectNote)] == [
        "Puppet 8, OpenVox 9: an error: Unknown variable: 'nope'. (strict or strict_variables)"
    ]
    error = interactive("puppet").run("notice($nope)").error
    assert error is not None
    assert [str(note) for note in error.notes] == [
        "specification, Puppet 7: warning: Unknown variable: 'nope'.; notice: "
    ]
    assert interactive("puppet7").run("notice($nope)").notes == []


def test_of_a_value_the_beginning_is_told_and_a_line_as_a_whole() -> None:
    session, text = interactive("spec"), "a; b" * 30
    [told] = session.run(f"[1 == '1', '{text}']").notes
    assert isinstance(told, DialectNote) and told.result == f"[false, '{text}"[:59] + "…"
    [told] = session.run(f"notice(1 == '1', '{text}')").notes
    assert isinstance(told, DialectNote) and told.result == f"notice: false {text}"


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


# --- what a note costs


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are evaluated, each as often as it is."""
    found: list[str] = []
    original = evaluation._evaluate

    def counting(state: Any, savepoint: Any, units: Any, *others: Any) -> Any:
        found.append(units[0][1].source.text)
        return original(state, savepoint, units, *others)

    monkeypatch.setattr(evaluation, "_evaluate", counting)
    return found


ALIKE = [
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
@pytest.mark.parametrize("source", ALIKE)
def test_what_means_the_same_is_evaluated_once(dialect: str, source: str, evaluated: list[str]) -> None:
    session = interactive(dialect)
    evaluated.clear()
    session.run(source)
    assert evaluated == [source]


@pytest.mark.parametrize(
    "source",
    [
        'Integer[1, 1000].each |$i| { notify { "n${i}": } }',
        'Integer[1, 1000].each |$i| { notify { "n${i}": } } fail("late")',
        "\n".join(f"notify {{ 'n{number}': }}" for number in range(1000)),
    ],
)
def test_a_thousand_resources_are_evaluated_once(source: str, evaluated: list[str]) -> None:
    session = interactive("spec")
    evaluated.clear()
    session.run(source)
    assert evaluated == [source]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_what_seems_alike_is_alike(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluated all the same, its result is the same."""
    chance = random.Random(5)
    # an override that waits in an earlier cell is not what this one says
    texts = [text for text in (*notebooks.TEXTS, *ALIKE) if "'overridden'" not in text]
    judged: list[tuple[str, list[str]]] = []
    judge = dialect_notes._is_independent

    def watched(state: ProgramState, entry: Entry) -> bool:
        if not judge(state, entry):
            return True
        assert entry.savepoint is not None
        with state.rolled_back(entry.savepoint):
            found = dialect_notes.find_notes(state, entry)
        judged.append((entry.source, [note for note in found if isinstance(note, DialectNote)]))
        return True

    monkeypatch.setattr(dialect_notes, "_is_independent", watched)
    for _ in range(20):
        # what an earlier cell has deferred may read an unknown variable, which this one does not
        session = Session(dialect, interactive=True, strict="warning", strict_variables=False)
        for source in chance.choices(texts, k=25):
            session.run(source)
    assert len(judged) > 100
    assert [(source, [*map(str, notes)]) for source, notes in judged if notes] == []


def test_what_only_the_other_dialect_would_ask_of_the_outside_is_not_asked(tmp_path: Path) -> None:
    session = Session("spec", interactive=True, permissions=("generate",))
    session.run("1 + 1")
    touched = tmp_path / "touched"
    outcome = session.run(f"if 1 == '1' {{ 'kept' }} else {{ generate('/usr/bin/touch', '{touched}') }}")
    assert (outcome.text, outcome.notes, touched.exists()) == ("'kept'", [], False)
    assert session.run(f"generate('/usr/bin/touch', '{touched}')").error is None
    assert touched.exists()


def test_what_the_other_dialect_declares_does_not_stay_in_the_catalog() -> None:
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


def test_notes_where_code_above_fails_in_the_other_dialect_are_about_the_cell_alone() -> None:
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
