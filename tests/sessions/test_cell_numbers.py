"""Messages name cells by their numbers in the front end, `[4]`, with the line in the cell."""

from __future__ import annotations

from evaluator import Session
from lexer_parser.errors import PuppetError


def make_session(*cells: tuple[int, str]) -> Session:
    """Return a session in which cells with numbers have run."""
    session = Session("puppet", interactive=True)
    for number, text in cells:
        outcome = session.run(text, f"cell {number}", number=number)
        assert outcome.error is None, outcome.error
    return session


def run_and_get_error(session: Session, text: str, number: int = 9) -> PuppetError:
    error = session.run(text, number=number).error
    assert error is not None
    return error


def test_a_reassigned_variable_names_its_cell() -> None:
    error = run_and_get_error(make_session((4, "$y = 1\n$x = 1")), "$x = 2")
    assert [note.text for note in error.notes] == ["'x' comes from cell [4], line 2"]


def test_a_variable_of_a_destructuring_assignment_names_its_cell() -> None:
    error = run_and_get_error(make_session((4, "[$x, $y] = [1, 2]"), (5, "$z = 1")), "$y = 2")
    assert [note.text for note in error.notes] == ["'y' comes from cell [4], line 1"]


def test_a_variable_of_the_same_cell_has_a_note_with_its_position() -> None:
    assert [note.text for note in run_and_get_error(make_session((4, "$x = 1")), "$y = 1 $y = 2").notes] == [
        "first assigned here"
    ]


def test_a_second_declaration_names_both_cells() -> None:
    error = run_and_get_error(make_session((3, "notify { 'a': }")), "\nnotify { 'a': }")
    assert error.message.endswith(
        "Duplicate declaration: Notify[a] is already declared at ([3], line: 1); cannot redeclare ([9], line: 2)"
    )


def test_within_one_cell_only_lines_are_named() -> None:
    error = run_and_get_error(make_session(), "notify { 'a': }\nnotify { 'a': }")
    assert error.message.endswith("already declared at (line: 1); cannot redeclare (line: 2)")


def test_files_are_named() -> None:
    session = Session("puppet", interactive=True)
    session.run("notify { 'a': }", name="/site.pp")
    assert "declared at (file: /site.pp, line: 1)" in run_and_get_error(session, "notify { 'a': }").message


def test_a_second_definition_names_the_cell() -> None:
    error = run_and_get_error(make_session((3, "class c { }")), "class c { }")
    assert error.message == "Class 'c' is already defined ([3], line: 1); cannot redefine"


def test_an_attribute_that_another_cell_has_set_names_the_cell() -> None:
    error = run_and_get_error(
        make_session((3, "notify { 'a': message => 'x' }")), "Notify['a'] { message => 'y' }"
    )
    assert error.message.endswith(" at ([3], line: 1); cannot redefine")


def test_an_error_in_a_function_of_another_cell_names_the_cell() -> None:
    error = run_and_get_error(make_session((3, "\nfunction f($p) { $p + 'a' }")), "f(1)")
    assert str(error).endswith("([3], line: 2, column: 23)")


def test_pending_references_name_their_cell() -> None:
    session = make_session((3, "notify { 'a': require => Notify['b'] }"))
    assert session.run("1", number=4).notes == [
        "pending: Could not find resource 'Notify[b]' in parameter 'require' ([3], line: 1)"
    ]


def test_a_cell_that_ran_again_has_another_number() -> None:
    session = make_session((3, "$x = 1"), (4, "$x + 1"))
    assert session.run("$x = 1", "cell 3", number=7).notes == []
    assert "cell [7]" in run_and_get_error(session, "$x = 2").notes[0].text
    outcome = session.run("$x = 2", "cell 3", number=8)
    assert outcome.notes == ["1 cell evaluated again, 1 differs: [4]"]
    session.run("$x = 1 / 0", "cell 3", number=10)
    assert "cell [10]" in run_and_get_error(session, "$x = 2").notes[0].text


def test_without_numbers_cells_are_counted() -> None:
    session = Session("puppet", interactive=True)
    session.run("1")
    session.run("$x = 1")
    assert run_and_get_error(session, "$x = 2").notes[0].text == "'x' comes from cell [2], line 1"


def test_a_program_outside_a_notebook_names_no_cells() -> None:
    session = Session("puppet")
    session.run("notify { 'a': }")
    assert run_and_get_error(session, "notify { 'a': }").message.endswith(
        "declared at (line: 1); cannot redeclare (line: 1)"
    )


def test_an_unchanged_cell_shows_its_notes_with_its_new_number() -> None:
    session = make_session((3, "notify { 'a': require => Notify['b'] }"))
    assert session.run("notify { 'a': require => Notify['b'] }", "cell 3", number=5).notes == [
        "pending: Could not find resource 'Notify[b]' in parameter 'require' ([5], line: 1)"
    ]
