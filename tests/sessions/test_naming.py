"""Messages call cells what the front end calls them: `[4]`, with the line inside."""

from __future__ import annotations

from evaluator import Session
from lexer_parser.errors import PuppetError


def session(*cells: tuple[int, str]) -> Session:
    """A session in which cells have run beside which these numbers stand."""
    found = Session("puppet", interactive=True)
    for number, text in cells:
        outcome = found.run(text, f"cell {number}", number=number)
        assert outcome.error is None, outcome.error
    return found


def failed(found: Session, text: str, number: int = 9) -> PuppetError:
    error = found.run(text, number=number).error
    assert error is not None
    return error


def test_a_variable_of_another_cell() -> None:
    error = failed(session((4, "$y = 1\n$x = 1")), "$x = 2")
    assert [note.text for note in error.notes] == ["'x' comes from cell [4], line 2"]


def test_a_variable_that_no_statement_names() -> None:
    error = failed(session((4, "[$x, $y] = [1, 2]"), (5, "$z = 1")), "$y = 2")
    assert [note.text for note in error.notes] == ["'y' comes from cell [4], line 1"]


def test_a_variable_of_the_same_cell_belongs_to_nobody_else() -> None:
    assert [note.text for note in failed(session((4, "$x = 1")), "$y = 1 $y = 2").notes] == [
        "first assigned here"
    ]


def test_a_second_declaration_names_both_cells() -> None:
    error = failed(session((3, "notify { 'a': }")), "\nnotify { 'a': }")
    assert error.message.endswith(
        "Duplicate declaration: Notify[a] is already declared at ([3], line: 1); cannot redeclare ([9], line: 2)"
    )


def test_inside_one_cell_lines_are_enough() -> None:
    error = failed(session(), "notify { 'a': }\nnotify { 'a': }")
    assert error.message.endswith("already declared at (line: 1); cannot redeclare (line: 2)")


def test_files_have_their_names() -> None:
    found = Session("puppet", interactive=True)
    found.run("notify { 'a': }", name="/site.pp")
    assert "declared at (file: /site.pp, line: 1)" in failed(found, "notify { 'a': }").message


def test_a_second_definition_names_the_cell() -> None:
    error = failed(session((3, "class c { }")), "class c { }")
    assert error.message == "Class 'c' is already defined ([3], line: 1); cannot redefine"


def test_an_attribute_that_another_cell_has_set() -> None:
    error = failed(session((3, "notify { 'a': message => 'x' }")), "Notify['a'] { message => 'y' }")
    assert error.message.endswith(" at ([3], line: 1); cannot redefine")


def test_an_error_inside_another_cell() -> None:
    error = failed(session((3, "\nfunction f($p) { $p + 'a' }")), "f(1)")
    assert str(error).endswith("([3], line: 2, column: 23)")


def test_pending_references_say_where_they_stand() -> None:
    found = session((3, "notify { 'a': require => Notify['b'] }"))
    assert found.run("1", number=4).notes == [
        "pending: Could not find resource 'Notify[b]' in parameter 'require' ([3], line: 1)"
    ]


def test_a_cell_that_ran_again_has_another_number() -> None:
    found = session((3, "$x = 1"), (4, "$x + 1"))
    assert found.run("$x = 1", "cell 3", number=7).notes == []
    assert "cell [7]" in failed(found, "$x = 2").notes[0].text
    outcome = found.run("$x = 2", "cell 3", number=8)
    assert outcome.notes == ["1 cell evaluated again, 1 differs: [4]"]
    found.run("$x = 1 / 0", "cell 3", number=10)
    assert "cell [10]" in failed(found, "$x = 2").notes[0].text


def test_without_numbers_cells_are_counted() -> None:
    found = Session("puppet", interactive=True)
    found.run("1")
    found.run("$x = 1")
    assert failed(found, "$x = 2").notes[0].text == "'x' comes from cell [2], line 1"


def test_a_program_that_is_no_notebook_is_told_as_released() -> None:
    found = Session("puppet")
    found.run("notify { 'a': }")
    assert failed(found, "notify { 'a': }").message.endswith(
        "declared at (line: 1); cannot redeclare (line: 1)"
    )


def test_an_unchanged_cell_shows_its_notes_in_the_words_of_now() -> None:
    found = session((3, "notify { 'a': require => Notify['b'] }"))
    assert found.run("notify { 'a': require => Notify['b'] }", "cell 3", number=5).notes == [
        "pending: Could not find resource 'Notify[b]' in parameter 'require' ([5], line: 1)"
    ]
