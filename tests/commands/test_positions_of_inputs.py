"""Commands see the cells before their position, and settings apply from theirs on."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import Session
from puppet_kernel.commands.inputs import ParsedInput
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.sessions.displayed import Notebook


def make_notebook(**settings: Any) -> Notebook:
    """Return a notebook in which a cell that runs again keeps its number."""
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


def test_cells_that_run_again_have_the_same_output() -> None:
    notebook = make_notebook()
    first = notebook.run_cells(CELLS)
    assert "Notify[m]" not in first[3] and "notify { 'm'" in notebook.run("new", "%catalog")
    for _ in range(2):
        again = notebook.run_cells(CELLS)
        # The output of `%cells` has durations, which differ.
        assert [text for name, text in zip(CELLS, again, strict=True) if name != "e"] == [
            text for name, text in zip(CELLS, first, strict=True) if name != "e"
        ]


def test_a_command_sees_the_current_state_of_the_cells_above_it() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "v": "%vars", "b": "$y = 2"})
    notebook.run("a", "$x = 7")
    output = notebook.run("v", "%vars")
    assert "7" in output and "$y" not in output
    assert "$y" in notebook.run("new", "%vars")


def test_an_input_without_an_id_sees_all_cells() -> None:
    shell = Shell({})
    for code in ("$x = 1", "%vars", "$y = 2"):
        shell.submit(code)
    element = shell.submit("%vars").element
    assert element is not None and "$y" in render_plain(element)


def test_a_command_that_never_succeeded_has_no_position() -> None:
    notebook = make_notebook()
    notebook.run_cells({"g": "%graph File['/a']", "a": "file { '/a': }"})
    assert "There is no resource" not in notebook.run("g", "%graph File['/a']")


def test_a_failed_cell_is_moved_to_the_end_when_it_succeeds() -> None:
    notebook = make_notebook()
    notebook.run_cells({"r": "include k", "k": "class k { notify { 'of k': } }"})
    assert "of k" in notebook.run("r", "include k")
    assert [cell.cell_id for cell in notebook.shell.session.cells] == ["k", "r"]


@pytest.mark.parametrize(
    "cells",
    [
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars", "c": "$z = 3"},
        {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars", "r": "%redo", "w": "%vars", "c": "$z = 3"},
        {"a": "1", "b": "$y = 2", "u": "%undo", "t": "%undo", "v": "%vars", "c": "$z = 3", "w": "%vars"},
        {"a": "1", "n": "notify { 'n': }", "g": "%graph", "u": "%undo", "b": "$z = 3", "c": "%catalog"},
    ],
)
def test_undo_and_redo_have_the_same_effects_again(cells: dict[str, str]) -> None:
    notebook = make_notebook()
    first = notebook.run_cells(cells)
    sources = [cell.source for cell in notebook.shell.session.cells]
    for _ in range(2):
        assert notebook.run_cells(cells) == first
        assert [cell.source for cell in notebook.shell.session.cells] == sources


def test_undo_in_one_cell_undoes_one_more_cell_each_time() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "b": "$y = 2"})
    assert [notebook.run("u", "%undo") for _ in range(2)] == ["undone: $y = 2", "undone: $x = 1"]
    assert "nothing to undo" in notebook.run("u", "%undo")
    notebook.run("a", "$x = 1")
    assert notebook.run("u", "%undo") == "undone: $x = 1"


def test_a_redo_above_an_undone_cell_runs_as_in_a_fresh_session() -> None:
    notebook, cells = make_notebook(), {"a": "1", "r": "%redo", "b": "$y = 2"}
    first = notebook.run_cells(cells)
    notebook.run("scratch", "%undo")
    notebook.run_cells(cells)
    assert notebook.run_cells(cells) == first and "nothing to redo" in first[1]


def test_an_undo_does_not_restore_the_former_code_of_its_cell() -> None:
    notebook, cells = make_notebook(), {"a": "$x = 1", "u": "%undo"}
    first = notebook.run_cells(cells)
    notebook.run("u", "$gone = 1")
    notebook.run_cells(cells)
    assert notebook.run_cells(cells) == first
    assert notebook.shell.session.cells == []


def test_the_last_run_is_undone_at_any_position() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "b": "$y = $x"})
    notebook.run("a", "$x = 5")
    assert notebook.run("u", "%undo") == "undone: $x = 5"
    assert notebook.run("new", "[$x, $y]") == "[1, 1]"


def test_undo_redraws_the_outputs_that_it_changes() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "b": "$y = $x + 1", "c": "'apart'"})
    notebook.run("a", "$x = 5")
    notebook.run("u", "%undo")
    assert notebook.updated == ["a", "b"]
    notebook.run("r", "%redo")
    assert notebook.updated == ["a", "b"]


def test_a_view_at_a_cell_sees_the_cells_before_it() -> None:
    session = Session("puppet", interactive=True)
    for name, text in (("a", "$x = 1"), ("b", "notify { 'n': }"), ("c", "$z = 3")):
        session.run(text, name)
    with session.view("c"):
        assert [cell.cell_id for cell in session.cells] == ["a", "b"]
        assert session.look("$z").value is None
        assert session.catalog().summary() == ["Notify[n]"]
    with session.view("a"):
        assert session.cells == [] and session.catalog().summary() == []
    assert session.look("$z").value == 3
    assert session.undo() and [cell.cell_id for cell in session.cells] == ["a", "b"]


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


def test_a_setting_applies_from_its_position_on() -> None:
    notebook = make_notebook()
    first = notebook.run_cells(NODES)
    assert first[4] == "'web01'" and first[7] == "'db01'" and "any" in first[2] and "web" in first[5]
    for _ in range(2):
        assert notebook.run_cells(NODES) == first
    assert notebook.shell.session.node == "db01"


def test_an_edit_affects_every_later_epoch() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "n": "%node web01", "d": "\"${x} ${trusted['certname']}\""})
    assert notebook.run("a", "$x = 2") == "2\n1 cell evaluated again, 1 differs: [3]"
    assert notebook.updated == ["d"]
    assert notebook.run("new", "[$x, $trusted['certname']]") == "[2, 'web01']"


def test_an_edited_setting_affects_the_cells_after_it() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$trusted['certname']", "n": "%node web01", "d": "$trusted['certname']"})
    notebook.run("n", "%node web02")
    assert notebook.updated == ["d"] and notebook.shell.session.node == "web02"
    assert notebook.run("a", "$trusted['certname']") == "'localhost'"
    assert notebook.run("d", "$trusted['certname']") == "'web02'"
    notebook.run("n", "notice('no more')")
    assert notebook.updated == ["d"] and notebook.shell.session.node == "localhost"


def test_a_deleted_setting_does_not_apply() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "1", "n": "%node web01", "d": "$trusted['certname']"})
    assert [cell.cell_id for cell in notebook.shell.forget(["n", "unknown"])] == ["d"]
    assert notebook.shell.session.node == "localhost"


def test_a_cell_that_fails_with_a_setting_is_restored_by_another() -> None:
    notebook = make_notebook()
    notebook.run_cells(
        {"a": "if $trusted['certname'] == 'db01' { fail('not there') } $x = 1", "b": "$x", "n": "%node db01"}
    )
    assert "[1] is left out" in notebook.run("o", "%node db01")
    assert notebook.run("new", "%node web01").startswith("2 cells run again")
    assert notebook.run("last", "$x") == "1"
    notebook = make_notebook()
    notebook.run_cells(
        {"a": "if $trusted['certname'] == 'db01' { fail('not there') } $x = 1", "n": "%node db01", "b": "$x"}
    )
    notebook.run("a", "$x = 3")
    assert notebook.updated == ["b"] and notebook.run("last", "$x") == "3"


def test_a_setting_that_fails_changes_nothing() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "1", "n": "%node web01", "d": "$trusted['certname']"})
    assert "error" in notebook.run("n", "%dialect nothing")
    assert notebook.shell.session.node == "web01"


def test_inputs_that_run_after_a_reset_have_new_positions() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "n": "%node web01", "r": "%reset"})
    assert notebook.run("b", "$x = 2") == "2"
    assert notebook.run("a", "$z = 1") == "1"
    assert [cell.cell_id for cell in notebook.shell.session.cells] == ["a", "b"]
    assert notebook.shell.session.node == "web01"


def test_after_a_reset_the_order_is_that_of_new_runs() -> None:
    notebook = make_notebook()
    notebook.run_cells({"b": "$y = 1", "c": "$x", "a": "$x = 1", "z": "%reset"})
    assert notebook.run_cells({"a": "$x = 1", "b": "$y = 1", "c": "$x", "v": "%vars"})[2] == "1"
    assert [cell.cell_id for cell in notebook.shell.session.cells] == ["a", "b", "c"]
    notebook.run_cells({"z": "%reset", "new": "3", "c": "1"})
    assert [cell.cell_id for cell in notebook.shell.session.cells] == ["c", "new"]


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
def test_cells_around_a_reset_that_run_again_have_the_same_output(cells: dict[str, str]) -> None:
    notebook = make_notebook()
    first = notebook.run_cells(cells)
    for _ in range(3):
        assert notebook.run_cells(cells) == first


def test_an_undone_cell_keeps_its_position() -> None:
    notebook = make_notebook()
    cells = {"a": "$x = 1", "u": "%undo", "c": "$x = 2", "v": "%vars"}
    first = notebook.run_cells(cells)
    for _ in range(2):
        assert notebook.run_cells(cells) == first
        assert [cell.cell_id for cell in notebook.shell.session.cells] == ["c"]


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
def test_undo_and_redo_among_settings_have_the_same_effects_again(cells: dict[str, str]) -> None:
    notebook, fresh = make_notebook(), make_notebook()
    first = fresh.run_cells(cells)
    sources = [cell.source for cell in fresh.shell.session.cells]
    assert notebook.run_cells(cells) == first
    for name in ("a", *cells):
        notebook.run(name, "'another'")  # this also replaces cells with `%undo` or `%redo`
        notebook.run(name, cells[name])
        notebook.run_cells(cells)
        assert notebook.run_cells(cells) == first
        assert [cell.source for cell in notebook.shell.session.cells] == sources


def test_a_replaced_undo_hides_no_cell_from_a_command() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "b": "$y = 2", "u": "%undo", "v": "%vars"})
    cells = {"a": "$x = 1", "b": "$y = 2", "u": "3", "v": "%vars"}
    assert notebook.run_cells(cells) == make_notebook().run_cells(cells)


def test_an_undo_with_an_interrupted_display_has_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = make_notebook()
    cells = {"a": "$x = 1", "b": "$y = 2", "u": "%undo", "c": "$z = 3"}
    notebook.run_cells(cells)
    notebook.run("b", "$y = 2")
    before = notebook.shell.session.cells

    def interrupt(reply: Reply) -> None:
        if reply.error is None:
            raise KeyboardInterrupt

    assert [notebook.run("b", cells["b"]), notebook.shell.session.cells] == ["2", before]
    notebook.shell.submit_and_render("%undo", interrupt, "u")
    assert notebook.shell.session.cells == before
    assert notebook.run("u", "%undo") == "undone: $y = 2"
    notebook.shell.submit_and_render("%undo", interrupt)
    assert [cell.source for cell in notebook.shell.session.cells] == ["$x = 1", "$z = 3"]


def test_a_command_sees_a_fixed_cell_above_it() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "$x = 1", "f": "fail('no')", "v": "%vars"})
    assert "$y" in notebook.run_cells({"a": "$x = 1", "f": "$y = 2", "v": "%vars"})[2]


def test_a_limit_applies_to_all_later_inputs() -> None:
    notebook = make_notebook()
    notebook.run_cells({"a": "1", "l": "%limits max_resources 7", "n": "%node web01"})
    assert "7" in notebook.run("m", "%limits max_resources")


@pytest.mark.parametrize("first", ["", "%vars\n", "# a remark\n%vars\n", "\r\n  %vars\r\n"])
@pytest.mark.parametrize(
    "line", ["#" + "c" * 30_000, "notice('" + "x" * 30_000 + "')", "\f1", "1\n" * 20_000]
)
def test_commands_are_recognized_in_long_inputs(first: str, line: str) -> None:
    parsed = ParsedInput(f"{first}{line}\n%help\n", lambda name: False)
    after = [] if line.startswith(("notice", "\f1", "1")) else ["%help"]
    assert [directive.text for directive in parsed.directives] == [
        *(["%vars"] if "%vars" in first else []),
        *after,
    ]
    assert len(parsed.code) == len(f"{first}{line}\n%help\n")
