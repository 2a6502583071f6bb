"""Positions of inputs: a command that runs again sees what precedes it; settings hold from their position on."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import Session
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.sessions.displayed import Notebook


def make_page(**settings: Any) -> Notebook:
    """Return a notebook in which a cell that runs again shows the same number."""
    return Notebook(keeps_numbers=True, **settings)


CELLS = {
    "a": "$port = 80",
    "b": "notify { 'n': message => $port }",
    "f": "fail('no')",
    "g": "%graph",
    "c": "%catalog",
    "u": "$later",
    "d": "notify { 'm': } $later = 1",
    "e": "%cells",
    "v": "%vars",
    "w": "%why Notify['n'] message",
    "x": "%diff [1]",
    "t": "%types",
    "z": "Notify['n'] -> Notify['m']",
}


def test_everything_run_again_shows_the_same() -> None:
    page = make_page()
    first = page.run_cells(CELLS)
    assert "Notify[m]" not in first[3] and "notify { 'm'" in page.run("new", "%catalog")
    for _ in range(2):
        again = page.run_cells(CELLS)
        # a failed cell that runs in its place fails there again; times differ
        assert [text for name, text in zip(CELLS, again, strict=True) if name != "e"] == [
            text for name, text in zip(CELLS, first, strict=True) if name != "e"
        ]


def test_a_command_sees_what_stands_before_it_as_it_is_now() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "v": "%vars", "b": "$y = 2"})
    page.run("a", "$x = 7")
    shown = page.run("v", "%vars")
    assert "7" in shown and "$y" not in shown
    assert "$y" in page.run("new", "%vars")


def test_without_an_identity_everything_is_seen() -> None:
    shell = Shell({})
    for code in ("$x = 1", "%vars", "$y = 2"):
        shell.submit(code)
    element = shell.submit("%vars").element
    assert element is not None and "$y" in render_plain(element)


def test_a_command_that_never_succeeded_has_no_position() -> None:
    page = make_page()
    page.run_cells({"g": "%graph File['/a']", "a": "file { '/a': }"})
    assert "There is no resource" not in page.run("g", "%graph File['/a']")


def test_a_cell_that_failed_runs_at_the_end_when_what_it_lacked_is_there() -> None:
    page = make_page()
    page.run_cells({"r": "include k", "k": "class k { notify { 'of k': } }"})
    assert "of k" in page.run("r", "include k")
    assert [cell.cell_id for cell in page.shell.session.cells] == ["k", "r"]


@pytest.mark.parametrize(
    "cells",
    [
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars", "c": "$z = 3"},
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars", "r": "%redo", "w": "%vars", "c": "$z = 3"},
        {"a": "1", "b": "$y = 2", "u": "%undo", "t": "%undo", "v": "%vars", "c": "$z = 3", "w": "%vars"},
        {"a": "1", "n": "notify { 'n': }", "g": "%graph", "u": "%undo", "b": "$z = 3", "c": "%catalog"},
    ],
)
def test_steps_back_and_forth_run_again_come_to_the_same(cells: dict[str, str]) -> None:
    page = make_page()
    first = page.run_cells(cells)
    kept = [cell.source for cell in page.shell.session.cells]
    for _ in range(2):
        assert page.run_cells(cells) == first
        assert [cell.source for cell in page.shell.session.cells] == kept


def test_undo_in_one_cell_goes_on_step_by_step() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "b": "$y = 2"})
    assert [page.run("u", "%undo") for _ in range(2)] == ["undone: $y = 2", "undone: $x = 1"]
    assert "nothing to undo" in page.run("u", "%undo")
    page.run("a", "$x = 1")
    assert page.run("u", "%undo") == "undone: $x = 1"


def test_a_step_above_what_was_taken_back_below_is_as_in_a_fresh_session() -> None:
    page, cells = make_page(), {"a": "1", "r": "%redo", "b": "$y = 2"}
    first = page.run_cells(cells)
    page.run("scratch", "%undo")
    page.run_cells(cells)
    assert page.run_cells(cells) == first and "nothing to redo" in first[1]


def test_a_step_does_not_bring_back_what_stood_in_its_place() -> None:
    page, cells = make_page(), {"a": "$x = 1", "u": "%undo"}
    first = page.run_cells(cells)
    page.run("u", "$gone = 1")
    page.run_cells(cells)
    assert page.run_cells(cells) == first
    assert page.shell.session.cells == []


def test_undo_takes_back_what_was_run_last_wherever_it_stands() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "b": "$y = $x"})
    page.run("a", "$x = 5")
    assert page.run("u", "%undo") == "undone: $x = 5"
    assert page.run("new", "[$x, $y]") == "[1, 1]"


def test_undo_redraws_what_it_changes() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "b": "$y = $x + 1", "c": "'apart'"})
    page.run("a", "$x = 5")
    page.run("u", "%undo")
    assert page.updated == ["a", "b"]
    page.run("r", "%redo")
    assert page.updated == ["a", "b"]


def test_exercises_in_the_middle_see_what_stands_before() -> None:
    session = Session("puppet", interactive=True)
    for name, text in (("a", "$x = 1"), ("b", "notify { 'n': }"), ("c", "$z = 3")):
        session.run(text, name)
    with session.view("c"):
        assert [known.cell_id for known in session.cells] == ["a", "b"]
        assert session.look("$z").value is None
        assert session.catalog().summary() == ["Notify[n]"]
    with session.view("a"):
        assert session.cells == [] and session.catalog().summary() == []
    assert session.look("$z").value == 3
    assert session.undo() and [known.cell_id for known in session.cells] == ["a", "b"]


# --- settings

NODES = {
    "a": "$name = $facts['networking']['hostname']",
    "b": "node 'web01' { notify { 'web': } } node default { notify { 'any': } }",
    "c": "%catalog",
    "n": "%node web01",
    "d": "$trusted['certname']",
    "e": "%catalog",
    "m": "%node db01",
    "f": "$trusted['certname']",
    "g": "%node",
}


def test_settings_hold_from_their_place_on_and_what_stands_before_is_shown_without_them() -> None:
    page = make_page()
    first = page.run_cells(NODES)
    assert first[4] == "'web01'" and first[7] == "'db01'" and "any" in first[2] and "web" in first[5]
    for _ in range(2):
        assert page.run_cells(NODES) == first
    assert page.shell.session.node == "db01"


def test_an_edit_reaches_every_stage() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "n": "%node web01", "d": "\"${x} ${trusted['certname']}\""})
    assert page.run("a", "$x = 2") == "2\n1 cell evaluated again, 1 differs: [3]"
    assert page.updated == ["d"]
    assert page.run("new", "[$x, $trusted['certname']]") == "[2, 'web01']"


def test_a_setting_that_is_edited_changes_what_stands_behind() -> None:
    page = make_page()
    page.run_cells({"a": "$trusted['certname']", "n": "%node web01", "d": "$trusted['certname']"})
    page.run("n", "%node web02")
    assert page.updated == ["d"] and page.shell.session.node == "web02"
    assert page.run("a", "$trusted['certname']") == "'localhost'"
    assert page.run("d", "$trusted['certname']") == "'web02'"
    page.run("n", "notice('no more')")
    assert page.updated == ["d"] and page.shell.session.node == "localhost"


def test_a_deleted_setting_is_no_more() -> None:
    page = make_page()
    page.run_cells({"a": "1", "n": "%node web01", "d": "$trusted['certname']"})
    assert [cell.cell_id for cell in page.shell.forget(["n", "unknown"])] == ["d"]
    assert page.shell.session.node == "localhost"


def test_what_cannot_be_evaluated_with_a_setting_comes_back_with_another() -> None:
    page = make_page()
    page.run_cells(
        {"a": "if $trusted['certname'] == 'db01' { fail('not there') } $x = 1", "b": "$x", "n": "%node db01"}
    )
    assert "[1] is left out" in page.run("o", "%node db01")
    assert page.run("new", "%node web01").startswith("2 cells run again")
    assert page.run("last", "$x") == "1"
    page = make_page()
    page.run_cells(
        {"a": "if $trusted['certname'] == 'db01' { fail('not there') } $x = 1", "n": "%node db01", "b": "$x"}
    )
    page.run("a", "$x = 3")
    assert page.updated == ["b"] and page.run("last", "$x") == "3"


def test_a_setting_that_fails_changes_nothing() -> None:
    page = make_page()
    page.run_cells({"a": "1", "n": "%node web01", "d": "$trusted['certname']"})
    assert "error" in page.run("n", "%dialect nothing")
    assert page.shell.session.node == "web01"


def test_after_reset_places_are_given_anew_above_it_and_below_it() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "n": "%node web01", "r": "%reset"})
    assert page.run("b", "$x = 2") == "2"
    assert page.run("a", "$z = 1") == "1"
    assert [cell.cell_id for cell in page.shell.session.cells] == ["a", "b"]
    assert page.shell.session.node == "web01"


def test_after_reset_the_order_is_that_in_which_inputs_run_again() -> None:
    page = make_page()
    page.run_cells({"b": "$y = 1", "c": "$x", "a": "$x = 1", "z": "%reset"})
    assert page.run_cells({"a": "$x = 1", "b": "$y = 1", "c": "$x", "v": "%vars"})[2] == "1"
    assert [cell.cell_id for cell in page.shell.session.cells] == ["a", "b", "c"]
    page.run_cells({"z": "%reset", "new": "3", "c": "1"})
    assert [cell.cell_id for cell in page.shell.session.cells] == ["c", "new"]


@pytest.mark.parametrize(
    "cells",
    [
        {"a": "$x = 1", "v": "%vars", "r": "%reset", "c": "$x = 2", "w": "%vars"},
        {
            "a": "$trusted['certname']",
            "n": "%node web01",
            "b": "$n = $trusted['certname']",
            "v": "%vars",
            "r": "%reset",
            "c": "$m = $trusted['certname']",
            "o": "%node db01",
            "d": "$trusted['certname']",
            "w": "%vars",
        },
        {
            "a": "$x = 1",
            "r": "%reset",
            "b": "$x = 2",
            "v": "%vars",
            "s": "%reset",
            "c": "$x = 3",
            "t": "%reset",
            "d": "notify { 'n': }",
            "w": "%catalog",
        },
        {"r": "%reset", "a": "$x = 1", "f": "fail('no')", "s": "%reset", "b": "$x = 2"},
    ],
)
def test_all_run_again_shows_the_same_above_and_below_reset(cells: dict[str, str]) -> None:
    page = make_page()
    first = page.run_cells(cells)
    for _ in range(3):
        assert page.run_cells(cells) == first


def test_what_was_taken_back_keeps_its_place() -> None:
    page = make_page()
    cells = {"a": "$x = 1", "u": "%undo", "c": "$x = 2", "v": "%vars"}
    first = page.run_cells(cells)
    for _ in range(2):
        assert page.run_cells(cells) == first
        assert [cell.cell_id for cell in page.shell.session.cells] == ["c"]


@pytest.mark.parametrize(
    "cells",
    [
        {"a": "$x = 1", "n": "%node web01", "u": "%undo", "v": "%vars"},
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "n": "%node web01", "r": "%redo", "v": "%vars"},
        {"a": "$x = 1", "b": "$y = $x", "n": "%dialect puppet", "u": "%undo", "t": "%undo", "c": "$x = 3"},
        {"a": "$x = 1", "n": "%facts debian-12", "u": "%undo\n$x = 2", "t": "%undo", "v": "%vars"},
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo\n%undo\n%redo", "v": "%vars", "r": "%redo", "w": "%vars"},
    ],
)
def test_steps_among_settings_run_again_come_to_the_same(cells: dict[str, str]) -> None:
    page, fresh = make_page(), make_page()
    first = fresh.run_cells(cells)
    kept = [cell.source for cell in fresh.shell.session.cells]
    assert page.run_cells(cells) == first
    for name in ("a", *cells):
        page.run(name, "'another'")  # also what a step becomes one anew from
        page.run(name, cells[name])
        page.run_cells(cells)
        assert page.run_cells(cells) == first
        assert [cell.source for cell in page.shell.session.cells] == kept


def test_a_step_that_is_no_more_hides_nothing_from_a_question() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars"})
    cells = {"a": "$x = 1", "b": "$y = 2", "u": "3", "v": "%vars"}
    assert page.run_cells(cells) == make_page().run_cells(cells)


def test_a_step_whose_showing_is_interrupted_has_not_been_made(monkeypatch: pytest.MonkeyPatch) -> None:
    page = make_page()
    cells = {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "c": "$z = 3"}
    page.run_cells(cells)
    page.run("b", "$y = 2")
    before = page.shell.session.cells

    def interrupt(reply: Reply) -> None:
        if reply.error is None:
            raise KeyboardInterrupt

    assert [page.run("b", cells["b"]), page.shell.session.cells] == ["2", before]
    page.shell.submit_and_render("%undo", interrupt, "u")
    assert page.shell.session.cells == before
    assert page.run("u", "%undo") == "undone: $y = 2"
    page.shell.submit_and_render("%undo", interrupt)
    assert [cell.source for cell in page.shell.session.cells] == ["$x = 1", "$z = 3"]


def test_a_question_sees_what_was_mended_above_it() -> None:
    page = make_page()
    page.run_cells({"a": "$x = 1", "f": "fail('no')", "v": "%vars"})
    assert "$y" in page.run_cells({"a": "$x = 1", "f": "$y = 2", "v": "%vars"})[2]


def test_limits_are_set_for_good() -> None:
    page = make_page()
    page.run_cells({"a": "1", "l": "%limits max_resources 7", "n": "%node web01"})
    assert "7" in page.run("m", "%limits max_resources")


# --- long inputs


@pytest.mark.parametrize("first", ["", "%vars\n", "# a remark\n%vars\n", "\r\n  %vars\r\n"])
@pytest.mark.parametrize(
    "line", ["#" + "c" * 30_000, "notice('" + "x" * 30_000 + "')", "\f1", "1\n" * 20_000]
)
def test_commands_stand_at_the_beginning_however_long_the_rest_is(first: str, line: str) -> None:
    given = ParsedInput(f"{first}{line}\n%help\n", lambda name: False)
    after = [] if line.startswith(("notice", "\f1", "1")) else ["%help"]
    assert [directive.text for directive in given.directives] == [
        *(["%vars"] if "%vars" in first else []),
        *after,
    ]
    assert len(given.code) == len(f"{first}{line}\n%help\n")
