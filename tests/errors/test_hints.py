"""Each hint of the linter has an example that causes it, and a corrected one."""

import pytest

from evaluator import Session
from evaluator.issues import load_hints
from lexer_parser import PUPPET
from lexer_parser.check import find_problems
from lexer_parser.errors import Hint


def list_hints(source: str, **settings: object) -> list[Hint]:
    """Return the hints for a cell."""
    outcome = Session("puppet", interactive=True, **settings).run(source)
    assert outcome.error is None
    return [note for note in outcome.notes if isinstance(note, Hint)]


@pytest.mark.parametrize("code", sorted(load_hints()))
def test_a_hint_is_reported_for_its_example_and_not_for_the_corrected_one(code: str) -> None:
    row = load_hints()[code]
    hints = [hint for hint in list_hints(row.wrong) if hint.problem.code == code]
    assert hints
    assert hints[0].span is not None
    assert hints[0].problem.help
    assert [hint for hint in list_hints(row.right) if hint.problem.code == code] == []


# Code of real programs that resembles a mistake, but is intended.
INTENDED = [
    "class a($text) { fail('$text is missing') }",
    "$x = 'a'\nexec { '/bin/true': environment => 'A=${HOME}' }",
    "$ensure = 'a'\nFile <| ensure == absent |>",
    "class a($x = 'undef') { if $x == 'undef' { notice(1) } }",
    "$provider = 'a'\nnotice(\"not %{provider}\")",
    '$list = [1]\nnotice("$list [0]")',
    "package { 'a thing': name => 'vim' }",
    "$file = '/x'\nfile { '/x': ensure => file }",
    "$r = [1].map |$x| { $y = $x $y }",
]


@pytest.mark.parametrize("source", INTENDED)
def test_no_hint_is_reported_for_intended_code(source: str) -> None:
    assert [problem.error.code for problem in find_problems(source, PUPPET)] == []
    assert list_hints(source) == []


def test_a_hint_considers_the_variables_of_earlier_cells() -> None:
    session = Session("puppet", interactive=True)
    session.run("$host = 'web01'")
    [note] = session.run("notice('on ${host}')").notes
    assert isinstance(note, Hint)
    assert (note.problem.code, note.span.column) == ("INTERPOLATION_IN_SINGLE_QUOTES", 12)


def test_only_the_cell_that_completes_a_cycle_has_a_hint_about_it() -> None:
    session = Session("puppet", interactive=True)
    assert session.run("notify { 'a': }\nnotify { 'b': require => Notify['a'] }").notes == []
    [note] = session.run("Notify['b'] -> Notify['a']").notes
    assert isinstance(note, Hint)
    assert note.problem.message.startswith("Found 1 dependency cycle:\n(Notify[a] => Notify[b] => Notify[a])")
    assert session.run("notify { 'c': } -> notify { 'd': }").notes == []


def test_a_cell_that_is_evaluated_again_has_its_hints_again() -> None:
    session = Session("puppet", interactive=True)
    session.run("$host = 'a'", "one")
    session.run("notice('on ${host}')", "two")
    session.run("$host = 'b'", "one")
    assert any(isinstance(note, Hint) for note in session.cells[1].outcome.notes)


def test_check_reports_hints_as_warnings() -> None:
    [problem] = find_problems("if 'false' { notice(1) }", PUPPET)
    assert (problem.severity, problem.error.code) == ("warning", "CONSTANT_CONDITION")
