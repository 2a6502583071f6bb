"""Each hint of the linter has a program that gets it, and the same program corrected."""

import pytest

from evaluator import Session
from evaluator.issues import load_hints
from lexer_parser import PUPPET
from lexer_parser.check import find_problems
from lexer_parser.errors import Hint


def hinted(source: str, **settings: object) -> list[Hint]:
    """The hints for a cell."""
    outcome = Session("puppet", interactive=True, **settings).run(source)
    assert outcome.error is None
    return [note for note in outcome.notes if isinstance(note, Hint)]


@pytest.mark.parametrize("code", sorted(load_hints()))
def test_each_hint_is_given_for_its_example_only(code: str) -> None:
    row = load_hints()[code]
    found = [hint for hint in hinted(row.wrong) if hint.problem.code == code]
    assert found
    assert found[0].span is not None
    assert found[0].problem.help
    assert [hint for hint in hinted(row.right) if hint.problem.code == code] == []


# What real programs do, and mean.
MEANT = [
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


@pytest.mark.parametrize("source", MEANT)
def test_no_hint_for_what_is_meant(source: str) -> None:
    assert [found.error.code for found in find_problems(source, PUPPET)] == []
    assert hinted(source) == []


def test_a_hint_knows_the_variables_of_cells_before() -> None:
    session = Session("puppet", interactive=True)
    session.run("$host = 'web01'")
    [note] = session.run("notice('on ${host}')").notes
    assert isinstance(note, Hint)
    assert (note.problem.code, note.span.column) == ("INTERPOLATION_IN_SINGLE_QUOTES", 12)


def test_a_cell_that_closes_a_cycle_says_so_and_the_next_one_does_not() -> None:
    session = Session("puppet", interactive=True)
    assert session.run("notify { 'a': }\nnotify { 'b': require => Notify['a'] }").notes == []
    [note] = session.run("Notify['b'] -> Notify['a']").notes
    assert isinstance(note, Hint)
    assert note.problem.message.startswith("Found 1 dependency cycle:\n(Notify[a] => Notify[b] => Notify[a])")
    assert session.run("notify { 'c': } -> notify { 'd': }").notes == []


def test_hints_of_a_cell_are_found_again_when_it_is_evaluated_again() -> None:
    session = Session("puppet", interactive=True)
    session.run("$host = 'a'", "one")
    session.run("notice('on ${host}')", "two")
    session.run("$host = 'b'", "one")
    assert any(isinstance(note, Hint) for note in session.cells[1].outcome.notes)


def test_check_tells_hints_as_warnings() -> None:
    [found] = find_problems("if 'false' { notice(1) }", PUPPET)
    assert (found.severity, found.error.code) == ("warning", "CONSTANT_CONDITION")
