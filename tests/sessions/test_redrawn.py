"""Cells that are redrawn: nothing on the screen is outdated."""

from __future__ import annotations

from displayed import Notebook

PENDING = "pending: Could not find resource 'File[/x]'"


def test_a_pending_note_is_removed_when_its_cause_is_fixed() -> None:
    notebook = Notebook("notify { 'a': require => File['/x'] }", "$q = 1")
    assert PENDING in notebook.outputs["a"]
    notebook.run("c", "file { '/x': }")
    assert PENDING not in notebook.outputs["a"]
    assert PENDING not in notebook.run("a", "notify { 'a': message => 'm', require => File['/x'] }")
    notebook.run("c", "")
    assert PENDING in notebook.outputs["a"]


def test_a_cell_that_is_replaced_by_a_reset_redraws_what_its_code_changed() -> None:
    override = "Notify['a'] { message => 'overridden' }"
    notebook = Notebook(override, override)
    notebook.run("b", "%reset", ("a", "b"))
    assert notebook.updated == ["a"]
    assert "pending: Could not find resource(s) Notify[a] for overriding" in notebook.outputs["a"]


def test_each_cell_displays_only_its_own_pending_notes() -> None:
    sources = [f"notify {{ '{name}': require => File['/{name}'] }}" for name in "xyz"]
    notebook = Notebook(*sources)
    notebook.run("d", "file { '/y': }")
    assert ["pending" in notebook.outputs[name] for name in "abc"] == [True, False, True]
    assert all(notebook.outputs[name].count("pending") <= 1 for name in "abc")


def test_no_note_is_repeated_after_a_failed_cell() -> None:
    notebook = Notebook("notify { 'a': require => File['/x'] }", "1 +", "$q = 1")
    assert "pending" not in notebook.outputs["c"]


def test_a_redrawn_error_names_the_cell_of_its_second_excerpt() -> None:
    notebook = Notebook("class k { }", "$x = 1", "if $x == 2 { include k }\nnotify { 'n': }")
    notebook.run("b", "$x = 2\nnotify { 'n': }")
    output = notebook.outputs["c"]
    assert "DUPLICATE_DECLARATION" in output
    assert "cell [4]:2:1" in output


def test_a_message_names_the_number_that_a_cell_has_now() -> None:
    notebook = Notebook("notify { 'a': require => File['/x'] }", "notify { 'b': }")
    notebook.run("a", "notify { 'a': require => File['/x'] }")
    assert "([3], line: 1)" in notebook.outputs["a"]


def test_a_deleted_cell_that_undo_restored_replaces_itself() -> None:
    notebook = Notebook("class k { }", "$q = 1")
    notebook.shell.forget(["a"])
    notebook.run("c", "%undo")
    assert "REDEFINITION" not in notebook.run("a", "class k { $x = 1 }")


def test_a_cell_that_runs_again_unchanged_is_no_step_of_undo() -> None:
    notebook = Notebook("$a = 1", "$b = 2")
    notebook.run("b", "$b = 2")
    assert "$b = 2" in notebook.run("c", "%undo")
    assert "$a = 1" in notebook.run("d", "%undo")


def test_cells_above_a_setting_are_redrawn_without_it() -> None:
    notebook = Notebook("1 == '1'")
    notebook.run("dialect", "%dialect puppet")
    both = ("a", "dialect")
    notebook.run("a", "1 == '1'", both)
    notebook.run("dialect", "%dialect puppet", both)
    cells = {"new": "$x = 1", "a": "1 == '1'", "dialect": "%dialect puppet"}
    for name, source in cells.items():
        notebook.run(name, source, tuple(cells))
    assert notebook.outputs["a"].startswith("true")


def test_a_note_about_the_other_dialect_adds_no_log_line() -> None:
    cells = {
        "node": "node default { notice('default') }",
        "a": "inline_epp('<%= $x %>')",
        "facts": "%facts rocky-9",
    }
    notebook = Notebook()
    for sent in (["facts"], ["node"], ["a", "facts"], ["a"], ["node", "a", "facts"]):
        for name in sent:
            notebook.run(name, cells[name], tuple(sent) if len(sent) > 1 else ())
    assert notebook.logs["a"] == ["Unknown variable: 'x'."]


def run_steps(*steps: dict[str, str]) -> Notebook:
    """Return a notebook in which cells ran, those of a step together."""
    notebook = Notebook()
    for cells in steps:
        for name, source in cells.items():
            notebook.run(name, source, tuple(cells) if len(cells) > 1 else ())
    return notebook


def test_settings_take_the_order_of_the_document() -> None:
    facts = "%facts rocky-9"
    notebook = run_steps(
        {"last": "$x = 1"},
        {"first": facts},
        {"last": facts},
        {"v": "@notify { 'v': }"},
        {"first": facts, "v": "@notify { 'v': }", "last": facts},
    )
    assert notebook.outputs["first"] == "nothing to run again"


def test_cells_above_a_limit_are_evaluated_without_it() -> None:
    cells = {"facts": "%facts debian-12", "limit": "%limits max_resources 3", "a": "'xyz' =~ /z/"}
    node = {"node": "node localhost { notify { 'here': } }"}
    expected = run_steps({**node, **cells}).outputs["a"]
    assert "LIMIT_EXCEEDED" in expected and "cell [1]" in expected
    notebook = run_steps(
        {"facts": cells["facts"]}, {"limit": cells["limit"]}, {"a": cells["a"]}, {**node, **cells}
    )
    assert notebook.outputs["a"] == expected.replace("cell [1]", "cell [4]")


def test_the_report_of_a_setting_uses_current_cell_numbers() -> None:
    cells = {"c": "class c($inner = $x) { }", "i": "include c", "d": "%dialect puppet"}
    notebook = run_steps(cells, cells)
    assert "cell [5] is left out: Unknown variable: 'x'. ([4], line: 1" in notebook.outputs["d"]
