"""Frozen cells, which edits above do not run again, and stale cells, which run again on demand."""

from __future__ import annotations

import os

import pytest
from displayed import Notebook
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.session.cell import Entry
from puppet_kernel.rendering.text import render_plain

CHAIN = ("$a = 1", "$b = $a + 1", "$c = $b + 1", "[$a, $b, $c]")


def test_an_edit_above_a_frozen_cell_waits() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    output = notebook.run("a", "$a = 10")
    assert output.startswith("10")
    assert "keeps the former text of this cell, because [2] below is frozen" in output
    assert notebook.outputs["d"].startswith("[1, 2, 3]")
    assert notebook.run("e", "[$a, $b]").startswith("[1, 2]")
    assert notebook.states == "waiting frozen ok ok ok"


@pytest.mark.parametrize("edit", [("b", "$b = $a + 1"), ("g", "%freeze off"), ("g", "%freeze off 2")])
def test_the_edit_takes_effect_when_the_frozen_cell_runs(edit: tuple[str, str]) -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    notebook.run("a", "$a = 10")
    notebook.run(*edit)
    assert notebook.outputs["d"].startswith("[10, 11, 12]")
    assert notebook.run("e", "$b").startswith("11")
    assert "waiting" not in notebook.states


def test_a_frozen_cell_that_ran_again_is_still_frozen() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    notebook.run("b", "$b = $a + 100")
    assert notebook.outputs["d"].startswith("[1, 101, 102]")
    notebook.run("a", "$a = 10")
    assert notebook.outputs["d"].startswith("[1, 101, 102]")


def test_an_edit_below_a_frozen_cell_runs_what_is_below() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    notebook.run("c", "$c = $b + 7")
    assert notebook.outputs["d"].startswith("[1, 2, 9]")


def test_a_cell_that_contains_freeze_is_frozen() -> None:
    notebook = Notebook("$a = 1", "%freeze\n$b = $a + 1", "$b")
    notebook.run("a", "$a = 2")
    assert notebook.outputs["c"].startswith("2")
    notebook.run("b", "$b = $a + 1")
    assert notebook.outputs["c"].startswith("3")
    notebook.run("a", "$a = 5")
    assert notebook.outputs["c"].startswith("6")


def test_freeze_without_numbers_freezes_all_cells_above() -> None:
    notebook = Notebook("$a = 1", "$b = $a + 1", "%freeze", "$b + 1")
    notebook.run("a", "$a = 2")
    assert notebook.outputs["d"].startswith("3")
    assert notebook.states == "waiting frozen ok"
    notebook.run("c", "%freeze off")
    assert notebook.outputs["d"].startswith("4")


def test_cells_that_are_inserted_or_removed_above_wait_too() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    notebook.run("a", "")
    assert notebook.run("e", "$a").startswith("1")
    notebook.run("g", "%freeze off")
    assert notebook.outputs["d"].startswith("[undef, ")


def test_a_frozen_cell_with_a_new_text_runs_after_the_edits_above() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    notebook.run("a", "")
    assert notebook.run("b", "$b = 5").startswith("5")
    assert notebook.outputs["d"].startswith("[undef, 5, 6]")
    assert [entry.source for entry in notebook.shell.session.cells] == ["$b = 5", *CHAIN[2:]]


def test_a_deleted_cell_above_waits() -> None:
    notebook = Notebook("notice('x')", *CHAIN)
    notebook.run("f", "%freeze 3")
    notebook.shell.forget(["a"])
    assert notebook.states == "deleted ok frozen ok ok"
    assert "runs [2], [3], [4], [5] again" in notebook.run("h", "%freeze")
    notebook.run("g", "%freeze off")
    assert len(notebook.shell.session.cells) == 4


def test_an_error_above_a_frozen_cell_is_shown_and_changes_nothing() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    assert "UNKNOWN" in notebook.run("a", "$a = $nothing +").upper() or notebook.outputs["a"]
    notebook.run("g", "%freeze off")
    assert notebook.run("e", "$a").startswith("1")


def test_two_frozen_cells_wait_for_the_lower_one() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2 3")
    notebook.run("a", "$a = 10")
    assert "[3] below is frozen" in notebook.run("b", "$b = $a + 5")
    notebook.run("c", "$c = $b + 1")
    assert notebook.outputs["d"].startswith("[10, 15, 16]")


def test_cells_that_are_sent_together_run_although_they_are_frozen() -> None:
    notebook = Notebook(*CHAIN)
    notebook.run("f", "%freeze 2")
    session = notebook.shell.session
    sources = ("$a = 10", *CHAIN[1:])
    for name, source in zip("abcd", sources, strict=True):
        session.enter(name, ["a", "b", "c", "d"])
        outcome = session.run(source, name)
        session.finish(name, False)
    assert outcome.text == "[10, 11, 12]"


@pytest.mark.parametrize("number", ["9", "x"])
def test_an_unknown_number_is_an_error(number: str) -> None:
    assert f"There is no cell [{number}] above" in Notebook(*CHAIN).run("f", f"%freeze {number}")


def test_an_edit_makes_the_cells_below_stale() -> None:
    notebook = Notebook("%stale", *CHAIN)
    notebook.run("b", "$a = 10")
    assert notebook.outputs["e"].startswith("[1, 2, 3]")
    assert "stale: cells above have changed" in notebook.outputs["e"]
    assert notebook.states == "ok stale stale stale"


def test_a_stale_cell_runs_with_the_stale_cells_above() -> None:
    notebook = Notebook("%stale", *CHAIN)
    notebook.run("b", "$a = 10")
    assert notebook.run("d", "$c = $b + 1").startswith("12")
    assert notebook.outputs["c"].startswith("11")
    assert "stale" not in notebook.outputs["c"]
    assert notebook.states == "ok ok ok stale"


@pytest.mark.parametrize("command", ["%stale run", "%stale off"])
def test_all_stale_cells_run(command: str) -> None:
    notebook = Notebook("%stale", *CHAIN)
    notebook.run("b", "$a = 10")
    assert "3 cells evaluated again" in notebook.run("g", command)
    assert notebook.outputs["e"].startswith("[10, 11, 12]")
    assert "stale" not in notebook.outputs["e"]
    notebook.run("b", "$a = 20")
    assert notebook.outputs["e"].startswith("[20, 21, 22]" if command == "%stale off" else "[10, 11, 12]")


def test_a_new_cell_and_a_command_see_the_cells_above_evaluated() -> None:
    notebook = Notebook("%stale", *CHAIN)
    notebook.run("b", "$a = 10")
    assert "11" in notebook.run("g", "%vars b")
    assert notebook.outputs["e"].startswith("[10, 11, 12]")
    notebook.run("b", "$a = 20")
    assert notebook.run("h", "$c").startswith("22")


def test_undo_of_an_edit_brings_the_cells_back() -> None:
    notebook = Notebook("%stale", *CHAIN)
    notebook.run("b", "$a = 10")
    notebook.run("g", "%undo")
    assert notebook.run("h", "[$a, $c]").startswith("[1, 3]")


TEXTS = st.sampled_from(
    [
        "$a = 1",
        "$b = $a + 1",
        "$a = 2",
        "notify { 'x': message => \"${a}\" }",
        "$a",
        "$nothing",
        "1 +",
        "[$a, $b]",
        "",
    ]
)
MODES = st.sampled_from(["%freeze", "%freeze off", "%stale", "%stale run", "%stale off", "%undo", "%vars a"])
EDITS = st.lists(
    st.tuples(st.sampled_from("abcd"), TEXTS) | st.tuples(st.just("z"), MODES), min_size=2, max_size=12
)


@pytest.mark.slow
@given(EDITS)
@settings(max_examples=int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "30")))
def test_after_all_updates_the_session_equals_a_new_one(edits: list[tuple[str, str]]) -> None:
    """A new session that runs the cells in force, in order, has the same outputs."""
    notebook = Notebook()
    for name, source in edits:
        notebook.run(name, source)
    notebook.run("z", "%freeze off")
    notebook.run("z", "%stale off")
    cells = notebook.shell.session.cells
    new_notebook = Notebook()
    for entry in cells:
        output = new_notebook.run(entry.cell.key, entry.source)
        if entry.evaluation.error is None:
            assert output.splitlines()[:1] == render_first_line(notebook, entry)
    assert new_notebook.shell.session.catalog().summary() == notebook.shell.session.catalog().summary()


def render_first_line(notebook: Notebook, entry: Entry) -> list[str]:
    element = notebook.shell.show_outcome(entry.outcome, entry.cell_id)
    return ("" if element is None else render_plain(element)).splitlines()[:1]
