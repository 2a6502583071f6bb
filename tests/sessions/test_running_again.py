"""A cell keeps its position: running it again replaces its text there and evaluates the cells after it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session, catalog
from evaluator.session import dialect_notes
from evaluator.session.cell import Outcome
from tests.sessions.notebooks import describe_state, get_visible_outcome


def make_notebook(*texts: str, dialect: str = "puppet") -> Session:
    """Return a session in which cells with the identities "a", "b", … have run."""
    session = Session(dialect, interactive=True)
    for name, text in zip("abcdefgh", texts, strict=False):
        outcome = session.run(text, name)
        assert outcome.error is None, outcome.error
    return session


def list_updated(outcome: Outcome) -> list[tuple[int, str]]:
    """Return the numbers and values of the cells that a cell has updated."""
    return [(cell.number, cell.outcome.text) for cell in outcome.updated]


def list_cell_ids(session: Session) -> list[str | None]:
    return [cell.cell_id for cell in session.cells]


def test_a_cell_keeps_its_position_and_later_cells_run_again() -> None:
    session = make_notebook("$x = 1", "$y = $x + 1", "$z = 5")
    outcome = session.run("$x = 10", "a")
    assert outcome.error is None
    assert list_updated(outcome) == [(2, "11")]
    assert outcome.notes == ["2 cells evaluated again, 1 differs: [2]"]
    assert list_cell_ids(session) == ["a", "b", "c"]
    assert session.run("[$x, $y, $z]").text == "[10, 11, 5]"


@pytest.mark.parametrize(
    ("first", "second", "later", "before", "after"),
    [
        ("$x = 1", "$x = 2", "inline_epp('<%= $x %>')", "'1'", "'2'"),
        ("$x = 1", "$x = 2", "getvar('x')", "1", "2"),
        ("$n = 1", "$n = 2", 'getvar("v${n}")', "undef", "'second'"),
        ("'ab' =~ /(a)/", "'ab' =~ /(b)/", "$1", "'a'", "'b'"),
        ("$x = 1", "$w = 1", "defined('$x')", "true", "false"),
        (
            "Notify { message => 'one' }",
            "Notify { message => 'two' }",
            "notify { 'n': } Notify['n']['message']",
            "'one'",
            "'two'",
        ),
    ],
)
def test_later_cells_that_read_names_indirectly_run_again(
    first: str, second: str, later: str, before: str, after: str
) -> None:
    session = make_notebook("$v2 = 'second'", first)
    assert session.run(later, "c").text == before
    outcome = session.run(second, "b")
    assert list_updated(outcome) == [(3, after)]


def test_a_computed_class_name() -> None:
    session = make_notebook(
        "class c1 { notify { 'one': } } class c2 { notify { 'two': } }", "$n = 1", 'include "c${n}"'
    )
    session.run("$n = 2", "b")
    assert session.catalog().summary() == ["Class[C2]", "Notify[two]"]


def test_data_that_names_a_variable() -> None:
    session = Session("puppet", interactive=True, data={"key": "%{site}"})
    session.run("$site = 'north'", "a")
    session.run("lookup('key')", "b")
    assert list_updated(session.run("$site = 'south'", "a")) == [(2, "'south'")]


def test_a_template_in_a_file_may_read_any_variable(tmp_path: Path) -> None:
    (tmp_path / "m" / "templates").mkdir(parents=True)
    (tmp_path / "m" / "templates" / "a.epp").write_text("<%= $x %>")
    session = Session(interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("epp('m/a.epp')", "b")
    assert list_updated(session.run("$x = 2", "a")) == [(2, "'2'")]


def test_cells_that_use_an_edited_function_or_type_run_again() -> None:
    session = make_notebook(
        "function f(T $p) { g($p) }", "type T = Integer", "function g($p) { $p * 2 }", "f(4)"
    )
    assert list_updated(session.run("function g($p) { $p * 3 }", "c")) == [(4, "12")]
    outcome = session.run("type T = String", "b")
    assert [cell.number for cell in outcome.updated] == [4]
    assert "expects a T = String value, got Integer" in str(outcome.updated[0].outcome.error)
    assert list_updated(session.run("type T = Integer", "b")) == [(4, "12")]


def test_updates_include_log_lines_and_changes() -> None:
    session = make_notebook("$x = 1", "notice($x)", "notify { 'n': message => $x }", "$y = 3")
    outcome = session.run("$x = 2", "a")
    assert [cell.number for cell in outcome.updated] == [2, 3]
    logged, declared = (cell.outcome for cell in outcome.updated)
    assert [line.message for line in logged.logs] == ["2"]
    assert [resource.parameters["message"] for resource in declared.change.added] == [2]
    assert outcome.notes == ["3 cells evaluated again, 2 differ: [2], [3]"]


def test_log_lines_of_later_cells_are_not_written_again() -> None:
    session = make_notebook("$x = 1", "notice($x)")
    written: list[str] = []
    session.on_log = lambda line: written.append(line.message)
    session.run("$x = 2 notice('mine')", "a")
    assert written == ["mine"]


def test_an_unchanged_cell_shows_its_former_outcome() -> None:
    session = make_notebook("$x = 1", "notify { 'n': } notice('logged') $x")
    first = session.cells[1].outcome
    written: list[str] = []
    session.on_log = lambda line: written.append(line.message)
    outcome = session.run("notify { 'n': } notice('logged') $x", "b")
    assert (outcome.text, outcome.notes, outcome.updated) == (first.text, [], [])
    assert [resource.reference for resource in outcome.change.added] == ["Notify[n]"]
    assert written == ["logged"]
    assert session.undo() and list_cell_ids(session) == ["a"]


def test_run_all_has_the_outputs_of_a_new_session() -> None:
    texts = ["$x = 1", "notify { 'n': message => $x }", "$x", "Notify['n'] { noop => true }"]
    session = make_notebook(*texts)
    session.run("$x = 2", "a")
    texts[0] = "$x = 2"
    fresh = make_notebook(*texts)
    for cell, text in zip(fresh.cells, texts, strict=True):
        again = session.run(text, cell.cell_id)
        assert (again.text, again.updated) == (cell.outcome.text, [])
        assert bool(again.change) == bool(cell.outcome.change)


def test_a_change_is_relative_to_the_cells_above() -> None:
    session = make_notebook("notify { 'a': }", "notify { 'b': }")
    change = session.run("notify { 'a': message => 'x' }", "a").change
    assert [resource.reference for resource in change.added] == ["Notify[a]"]
    assert not change.changed and not change.removed


def test_a_new_text_that_fails_leaves_the_former_one_in_force() -> None:
    session = make_notebook("$x = 1", "$y = $x + 1")
    error = session.run("$x = 1 / 0", "a").error
    assert error is not None
    assert [note.text for note in error.notes][-1] == "the former version of this cell stays in force"
    assert [cell.source for cell in session.cells] == ["$x = 1", "$y = $x + 1"]
    assert session.run("$y").text == "2"


def test_a_new_cell_that_fails_keeps_its_position() -> None:
    session = make_notebook("$x = 1", dialect="puppet7")  # in which an unknown variable is no error
    assert session.run("$y = 1 / 0", "b").error is not None
    assert session.run("$y", "c").text == "undef"
    outcome = session.run("$y = 2", "b")
    assert list_cell_ids(session) == ["a", "b", "c"]
    assert list_updated(outcome) == [(3, "2")]


def test_a_later_cell_that_fails_keeps_its_position_and_is_retried() -> None:
    session = make_notebook("$x = 1", "$y = $x + 1", "$z = $y")
    outcome = session.run("$x = 'no number'", "a")
    assert outcome.error is None
    assert [cell.number for cell in outcome.updated] == [2, 3]
    assert "cannot be converted to Numeric" in str(outcome.updated[0].outcome.error)
    assert list_cell_ids(session) == ["a", "b", "c"]
    assert session.run("$y").text == "undef"
    outcome = session.run("$x = 5", "a")
    assert list_updated(outcome)[:2] == [(2, "6"), (3, "6")]


def test_a_failed_cell_can_be_run_again() -> None:
    session = make_notebook("$x = 1", "$y = $x + 1")
    session.run("$x = 'no number'", "a")
    assert session.run("$y = 7", "b").error is None
    assert session.run("$y").text == "7"


@pytest.mark.parametrize("text", ["", "  \n", "# nothing"])
def test_an_emptied_cell_withdraws_its_resources(text: str) -> None:
    session = make_notebook("$x = 1", "notify { 'a': }", "notify { 'b': }")
    session.run(text, "b")
    assert session.catalog().summary() == ["Notify[b]"]
    session.run("notify { 'c': }", "b")
    assert session.catalog().summary() == ["Notify[c]", "Notify[b]"]


def test_deleted_cells_are_removed() -> None:
    session = make_notebook("$x = 1", "$y = $x", "$z = 3")
    outcome = session.forget(["a", "nobody"])
    assert list_updated(outcome) == [(2, "undef")]
    assert outcome.notes == ["2 cells evaluated again, 1 differs: [2]"]
    assert list_cell_ids(session) == ["b", "c"]
    assert session.undo()
    assert list_cell_ids(session) == ["a", "b", "c"]
    assert session.run("$y").text == "1"


def test_undo_and_redo_restore_the_outcomes_of_later_cells() -> None:
    session = make_notebook("$x = 1", "$x + 1")
    session.run("$x = 10", "a")
    assert [cell.outcome.text for cell in session.cells] == ["10", "11"]
    session.undo()
    assert [cell.outcome.text for cell in session.cells] == ["1", "2"]
    session.redo()
    assert [cell.outcome.text for cell in session.cells] == ["10", "11"]
    assert session.run("$x").text == "10"


def test_undo_restores_an_order_with_a_deleted_cell() -> None:
    session = Session(interactive=True)
    session.run("1", "gone")
    session.forget(["gone"])
    session.run("$y = $x", "user")
    session.run("$x = 2", "definer")
    session.run("$y = $x", "user")  # which moves behind the other
    assert [cell.cell_id for cell in session.cells] == ["definer", "user"]
    session.forget(["gone"])
    session.undo()
    assert [cell.cell_id for cell in session.cells] == ["user", "definer"]
    session.redo()
    assert [cell.cell_id for cell in session.cells] == ["definer", "user"]
    assert session.run("[$x, $y]").text == "[2, 2]"


def test_a_resource_keeps_its_position_in_the_catalog() -> None:
    session = make_notebook("notify { 'a': }", "notify { 'b': }")
    session.run("notify { 'a': message => 'x' }", "a")
    assert session.catalog().summary() == ["Notify[a] { message => 'x' }", "Notify[b]"]


def test_a_reference_to_a_removed_resource_is_pending() -> None:
    session = make_notebook("notify { 'a': require => Notify['b'] }", "notify { 'b': }")
    outcome = session.run("$nothing = 1", "b")
    assert outcome.error is None
    assert ["pending" in note for note in outcome.notes] == [True]
    assert session.run("notify { 'b': }", "b").notes == []


def test_a_node_block_for_another_node_is_pending() -> None:
    session = Session("puppet", interactive=True)
    outcome = session.run("node other { notify { 'n': } }")
    assert outcome.error is None
    assert outcome.notes == [
        "pending: Could not find node statement with name 'default' or 'localhost' ([1], line: 1)"
    ]
    assert session.run("node default { notify { 'd': } }").notes == []
    assert session.catalog().summary() == ["Node[default]", "Notify[d]"]
    assert Session("puppet").run("node other { }").error is not None


def test_without_identities_every_input_is_a_new_cell() -> None:
    session = Session("puppet", interactive=True)
    assert session.run("$x = 1").error is None
    assert session.run("$x = 1").error is not None


def test_a_cell_that_reads_a_file_is_evaluated_again(tmp_path: Path) -> None:
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    manifest = tmp_path / "m" / "manifests" / "init.pp"
    manifest.write_text("class m { notify { 'old': } }")
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    session.run("include m", "a")
    manifest.write_text("class m { notify { 'new one': } }")
    assert [resource.reference for resource in session.run("include m", "a").change.added] == [
        "Class[M]",
        "Notify[new one]",
    ]
    assert session.catalog().summary() == ["Class[M]", "Notify[new one]"]


def write_module(folder: Path, text: str) -> Path:
    """Write a module `m` and return the path of its manifest."""
    manifest = folder / "m" / "manifests" / "init.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(text)
    return manifest


def summarize_catalog(session: Session) -> list[str]:
    found: list[str] = session.catalog().summary()
    return found


@pytest.mark.parametrize("is_deferred", [False, True])
def test_a_cell_that_failed_for_a_file_is_retried_when_the_file_is_corrected(
    tmp_path: Path, is_deferred: bool
) -> None:
    text = "class m { notify { 'from m': } }"
    manifest = write_module(tmp_path, text)
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    include = "define d() { include m } d { 'x': }" if is_deferred else "include m"
    for name, source in {"a": "$x = 1", "b": include, "c": "$y = defined(Class['m'])"}.items():
        assert session.run(source, name).error is None
    manifest.write_text("class m {")
    outcome = session.run("$x = 2", "a")
    assert outcome.error is None
    assert next(cell.cell_id for cell in outcome.updated) == "b"
    assert "Notify[from m]" not in summarize_catalog(session)
    outcome = session.run("$z = 1", "d")  # nothing has changed
    assert outcome.updated == []
    manifest.write_text(text)
    outcome = session.run("$z + 1")
    assert outcome.value == 2
    assert next(cell.cell_id for cell in outcome.updated) == "b"
    assert all(cell.outcome.error is None for cell in outcome.updated)
    assert any("evaluated again" in str(note) for note in outcome.notes)
    assert list_cell_ids(session)[:4] == ["a", "b", "c", "d"]
    fresh = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    for cell in session.cells:
        fresh.run(cell.source)
    assert describe_state(session) == describe_state(fresh)
    assert session.run("$z + 1").updated == []


def test_a_cell_is_retried_before_a_cell_that_fails(tmp_path: Path) -> None:
    manifest = write_module(tmp_path, "class m { notify { 'from m': } }")
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("include m", "b")
    manifest.write_text("class m {")
    session.run("$x = 2", "a")
    manifest.write_text("class m { notify { 'new': } }")
    outcome = session.run("1 / 0", "c")
    assert outcome.error is not None
    assert [cell.cell_id for cell in outcome.updated] == ["b"]
    assert "Notify[new]" in summarize_catalog(session)
    assert session.undo()
    assert "Notify[new]" not in summarize_catalog(session)
    assert session.redo()
    assert "Notify[new]" in summarize_catalog(session)


@pytest.mark.parametrize("name", ["lstat", "open"])
def test_a_transient_fault_fails_no_later_cell(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = write_module(tmp_path, "class m { notify { 'from m': } }")
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("include m", "b")
    attempts, real = [0], getattr(os, name)

    def faulty(path: str, *rest: Any, **named: Any) -> Any:
        if path == str(manifest):
            attempts[0] += 1
            if attempts[0] == 1:
                raise OSError(errno.EIO, "Input/output error")
        return real(path, *rest, **named)

    monkeypatch.setattr(os, name, faulty)
    outcome = session.run("$x = 2", "a")
    assert attempts[0] > 1
    assert outcome.error is None
    assert outcome.updated == []
    assert "Notify[from m]" in summarize_catalog(session)


def test_a_cell_that_runs_again_reads_the_clock_again() -> None:
    session = make_notebook("$x = 1")
    first = session.run("Timestamp()", "b").text
    assert session.run("Timestamp()", "b").text != first


# --- a replay repeats no side effects


def write_counting_program(path: Path) -> str:
    """Write a program that counts its runs in a file and prints the number; return its path."""
    program = path / "count"
    program.write_text(f"#!/bin/sh\necho $1 >> {path}/runs\nwc -l < {path}/runs | tr -d '\\n '\n")
    program.chmod(0o755)
    return str(program)


def test_a_replay_does_not_run_programs_again(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    assert (
        session.run(f"$n = generate('{write_counting_program(tmp_path)}', 'q') [$n, $x]", "b").text
        == "['1', 1]"
    )
    assert list_updated(session.run("$x = 2", "a")) == [(2, "['1', 2]")]
    assert (
        session.run(f"$n = generate('{write_counting_program(tmp_path)}', 'q') [$n, $x]", "b").text
        == "['2', 2]"
    )


def test_a_replay_with_other_arguments_runs_the_program(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    session.run(f"generate('{write_counting_program(tmp_path)}', \"${{x}}\")", "b")
    assert list_updated(session.run("$x = 2", "a")) == [(2, "'2'")]


def test_deferred_code_runs_a_program_once(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run(
        f"define d() {{ notify {{ generate('{write_counting_program(tmp_path)}', 'q'): }} }} d {{ 'd': }}",
        "a",
    )
    session.run("notify { 'other': }", "b")
    assert session.catalog().summary() == ["D[d]", "Notify[other]", "Notify[1]"]


@pytest.mark.released
@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
def test_a_replay_renders_a_template_again_only_if_its_variables_changed() -> None:
    session = Session("puppet", interactive=True, permissions=["templates"])
    session.run("$x = 1 $y = 1", "a")
    text = "inline_template('<%= @x %> <%= rand(10**12) %>')"
    first = session.run(text, "b").text
    assert session.run("$x = 1 $y = 2", "a").updated == []
    assert session.run(text.replace("@x", 'scope["x"]'), "c").text.startswith("'1 ")
    outcome = session.run("$x = 2 $y = 2", "a")
    assert [cell.outcome.text[:3] for cell in outcome.updated] == ["'2 ", "'2 "]
    assert first not in [cell.outcome.text for cell in outcome.updated]
    assert session.run("$x = 2 $y = 3", "a").updated == []


# --- an interrupt changes nothing


ENDLESS = "Integer[1, $n].each |$i| { $i }"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "$n = 1 Integer[1, 1000000000].each |$i| { }"),  # the cell itself is stopped
        ("a", "$n = 1000000000"),  # one after it is stopped
        ("d", "define d() { Integer[1, 1000000000].each |$i| { } } d { 'd': }"),  # deferred code is stopped
    ],
)
def test_an_interrupt_while_a_cell_runs_again(name: str, text: str) -> None:
    session = make_notebook(
        "$n = 1", "notify { 'n': message => $n }", ENDLESS, "Notify['n'] { noop => true }"
    )
    before = describe_state(session), [get_visible_outcome(cell.outcome) for cell in session.cells]
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    error = session.run(text, name).error
    timer.join()
    assert error is not None and error.code == "INTERRUPTED"
    assert (describe_state(session), [get_visible_outcome(cell.outcome) for cell in session.cells]) == before
    assert session.run("$n = 2", "a").error is None
    assert session.catalog().summary() == ["Notify[n] { message => 2, noop => true }"]
    assert session.undo()
    assert (describe_state(session), [get_visible_outcome(cell.outcome) for cell in session.cells]) == before


def test_a_failed_new_cell_is_listed_until_it_runs_or_is_deleted() -> None:
    session = Session(interactive=True)

    def list_states() -> list[tuple[str, str]]:
        return [(one.cell.key, state) for one, state in session.list_cells("")]

    session.run("fail(1)", "first")
    assert list_states() == [("first", "failed")]
    session.run("$b = 1", "second")
    session.run("fail(2)", "third")
    assert list_states() == [("first", "failed"), ("second", ""), ("third", "failed")]
    session.run("$c = 1", "third")
    session.run("fail(2)", "third")  # the former text stays in force
    assert list_states() == [("first", "failed"), ("second", ""), ("third", "")]
    session.forget(["first"])
    assert list_states() == [("second", ""), ("third", "")]


def test_defaults_of_deferred_code_stay_when_cells_follow() -> None:
    cells = [
        "define o() { Notify { loglevel => err } Notify <| title == a |> { tag => t } } o { 'o': }",
        "notify { 'a': }",
    ]
    session = Session(interactive=True)
    for source in (*cells, "$x = 1"):
        session.run(source)
    session.undo()
    assert session.catalog().summary() == make_notebook("\n".join(cells)).catalog().summary()
    assert "Notify[a] { loglevel => 'err', tag => 't' }" in session.catalog().summary()


def test_a_default_that_follows_decides_what_a_collector_sets() -> None:
    cells = ["Notify <| |> { message => 'x' }", "notify { 'a': message => 'y' }", "Notify { message => 'x' }"]
    session = make_notebook(*cells[:2])
    assert session.catalog().summary() == ["Notify[a] { message => 'x' }"]
    session.run(cells[2])
    assert session.catalog().summary() == make_notebook("\n".join(cells)).catalog().summary()
    assert session.catalog().summary() == ["Notify[a] { message => 'y' }"]


@pytest.mark.parametrize(
    ("collector", "is_computed"),
    [
        ("File <| title == '/c' |> { owner => 'root' }", False),
        ("File { mode => '0644' } File <| title == '/c' |> { owner => 'root' }", True),
    ],
)
def test_a_collector_that_sets_no_default_extends_the_fixed_point(
    monkeypatch: pytest.MonkeyPatch, collector: str, is_computed: bool
) -> None:
    cells = ["class c { File { mode => '0600' } file { '/c': } } include c", "define d() { } d { 'd': }"]
    monkeypatch.setattr(dialect_notes, "may_differ", lambda *_: False)
    session = make_notebook(*cells)
    computed: list[object] = []
    compute = catalog.compute_fixed_point

    def count(*arguments: Any, **options: Any) -> Any:
        computed.append(arguments)
        return compute(*arguments, **options)

    monkeypatch.setattr(catalog, "compute_fixed_point", count)
    assert session.run(collector).error is None
    assert bool(computed) is is_computed
    assert session.catalog().summary() == make_notebook("\n".join([*cells, collector])).catalog().summary()


@pytest.mark.parametrize(
    "define",
    [
        "define o() { Notify <| title == a |> { message => 'x' } } o { 'o': }",
        "define o() { Notify { message => 'x' } Notify <| title == a |> { tag => 't' } } o { 'o': }",
    ],
)
def test_deferred_code_reads_the_same_as_in_one_program(define: str) -> None:
    cells = [
        "notify { 'a': }",
        "class c { notify { 'c': } } class { 'c': schedule => 'daily' } schedule { 'daily': }",
        define,
        "define g() { notify { \"g ${title}\": message => Notify['a']['message'] } } g { 'g': }",
    ]
    found = make_notebook(*cells).catalog().summary()
    assert sorted(found) == sorted(make_notebook("\n".join(cells)).catalog().summary())


def test_undo_of_old_edits_does_not_run_programs_again(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    session.run(f"$n = generate('{write_counting_program(tmp_path)}', \"${{x}}\") [$n, $x]", "b")
    steps = 60  # more than the number of edits whose entries are stored
    for number in range(2, steps + 2):
        session.run(f"$x = {number}", "a")
    assert (tmp_path / "runs").read_text().split() == [str(number) for number in range(1, steps + 2)]
    for number in range(steps, 0, -1):
        session.undo()
        assert session.cells[1].outcome.text == f"['{number}', {number}]"
    assert len((tmp_path / "runs").read_text().split()) == steps + 1
