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
from tests.sessions.notebooks import seen, whole


def notebook(*texts: str, dialect: str = "puppet") -> Session:
    """A session in which cells called "a", "b", … have run."""
    session = Session(dialect, interactive=True)
    for name, text in zip("abcdefgh", texts, strict=False):
        outcome = session.run(text, name)
        assert outcome.error is None, outcome.error
    return session


def updated(outcome: Outcome) -> list[tuple[int, str]]:
    return [(cell.number, cell.outcome.text) for cell in outcome.updated]


def places(session: Session) -> list[str | None]:
    return [cell.cell_id for cell in session.cells]


def test_it_keeps_its_place_and_what_stands_after_it_is_evaluated_again() -> None:
    session = notebook("$x = 1", "$y = $x + 1", "$z = 5")
    outcome = session.run("$x = 10", "a")
    assert outcome.error is None
    assert updated(outcome) == [(2, "11")]
    assert outcome.notes == ["2 cells evaluated again, 1 differs: [2]"]
    assert places(session) == ["a", "b", "c"]
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
def test_names_decide_nothing(first: str, second: str, later: str, before: str, after: str) -> None:
    session = notebook("$v2 = 'second'", first)
    assert session.run(later, "c").text == before
    outcome = session.run(second, "b")
    assert updated(outcome) == [(3, after)]


def test_a_computed_class_name() -> None:
    session = notebook(
        "class c1 { notify { 'one': } } class c2 { notify { 'two': } }", "$n = 1", 'include "c${n}"'
    )
    session.run("$n = 2", "b")
    assert session.catalog().summary() == ["Class[C2]", "Notify[two]"]


def test_data_that_names_a_variable() -> None:
    session = Session("puppet", interactive=True, data={"key": "%{site}"})
    session.run("$site = 'north'", "a")
    session.run("lookup('key')", "b")
    assert updated(session.run("$site = 'south'", "a")) == [(2, "'south'")]


def test_a_template_in_a_file_may_read_any_variable(tmp_path: Path) -> None:
    (tmp_path / "m" / "templates").mkdir(parents=True)
    (tmp_path / "m" / "templates" / "a.epp").write_text("<%= $x %>")
    session = Session(interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("epp('m/a.epp')", "b")
    assert updated(session.run("$x = 2", "a")) == [(2, "'2'")]


def test_through_functions_and_types_that_have_run() -> None:
    session = notebook("function f(T $p) { g($p) }", "type T = Integer", "function g($p) { $p * 2 }", "f(4)")
    assert updated(session.run("function g($p) { $p * 3 }", "c")) == [(4, "12")]
    outcome = session.run("type T = String", "b")
    assert [cell.number for cell in outcome.updated] == [4]
    assert "expects a T = String value, got Integer" in str(outcome.updated[0].outcome.error)
    assert updated(session.run("type T = Integer", "b")) == [(4, "12")]


def test_log_lines_and_changes_count_too() -> None:
    session = notebook("$x = 1", "notice($x)", "notify { 'n': message => $x }", "$y = 3")
    outcome = session.run("$x = 2", "a")
    assert [cell.number for cell in outcome.updated] == [2, 3]
    logged, declared = (cell.outcome for cell in outcome.updated)
    assert [line.message for line in logged.logs] == ["2"]
    assert [resource.parameters["message"] for resource in declared.change.added] == [2]
    assert outcome.notes == ["3 cells evaluated again, 2 differ: [2], [3]"]


def test_log_lines_of_later_cells_are_not_written_again() -> None:
    session = notebook("$x = 1", "notice($x)")
    written: list[str] = []
    session.on_log = lambda line: written.append(line.message)
    session.run("$x = 2 notice('mine')", "a")
    assert written == ["mine"]


def test_an_unchanged_cell_changes_and_reports_nothing_and_shows_its_outcome_again() -> None:
    session = notebook("$x = 1", "notify { 'n': } notice('said') $x")
    first = session.cells[1].outcome
    written: list[str] = []
    session.on_log = lambda line: written.append(line.message)
    outcome = session.run("notify { 'n': } notice('said') $x", "b")
    assert (outcome.text, outcome.notes, outcome.updated) == (first.text, [], [])
    assert [resource.reference for resource in outcome.change.added] == ["Notify[n]"]
    assert written == ["said"]
    assert session.undo() and places(session) == ["a"]


def test_run_all_gives_the_outputs_of_a_fresh_session() -> None:
    texts = ["$x = 1", "notify { 'n': message => $x }", "$x", "Notify['n'] { noop => true }"]
    session = notebook(*texts)
    session.run("$x = 2", "a")
    texts[0] = "$x = 2"
    fresh = notebook(*texts)
    for cell, text in zip(fresh.cells, texts, strict=True):
        again = session.run(text, cell.cell_id)
        assert (again.text, again.updated) == (cell.outcome.text, [])
        assert bool(again.change) == bool(cell.outcome.change)


def test_a_change_is_told_against_the_cells_before() -> None:
    session = notebook("notify { 'a': }", "notify { 'b': }")
    change = session.run("notify { 'a': message => 'x' }", "a").change
    assert [resource.reference for resource in change.added] == ["Notify[a]"]
    assert not change.changed and not change.removed


def test_a_new_text_that_fails_leaves_the_former_one_in_force() -> None:
    session = notebook("$x = 1", "$y = $x + 1")
    error = session.run("$x = 1 / 0", "a").error
    assert error is not None
    assert [note.text for note in error.notes][-1] == "the former version of this cell stays in force"
    assert [cell.source for cell in session.cells] == ["$x = 1", "$y = $x + 1"]
    assert session.run("$y").text == "2"


def test_a_new_cell_that_fails_keeps_its_position() -> None:
    session = notebook("$x = 1", dialect="puppet7")  # in which an unknown variable is no error
    assert session.run("$y = 1 / 0", "b").error is not None
    assert session.run("$y", "c").text == "undef"
    outcome = session.run("$y = 2", "b")
    assert places(session) == ["a", "b", "c"]
    assert updated(outcome) == [(3, "2")]


def test_a_later_cell_that_fails_keeps_its_place_and_comes_back() -> None:
    session = notebook("$x = 1", "$y = $x + 1", "$z = $y")
    outcome = session.run("$x = 'no number'", "a")
    assert outcome.error is None
    assert [cell.number for cell in outcome.updated] == [2, 3]
    assert "cannot be converted to Numeric" in str(outcome.updated[0].outcome.error)
    assert places(session) == ["a", "b", "c"]
    assert session.run("$y").text == "undef"
    outcome = session.run("$x = 5", "a")
    assert updated(outcome)[:2] == [(2, "6"), (3, "6")]


def test_a_cell_that_failed_runs_again_by_itself() -> None:
    session = notebook("$x = 1", "$y = $x + 1")
    session.run("$x = 'no number'", "a")
    assert session.run("$y = 7", "b").error is None
    assert session.run("$y").text == "7"


@pytest.mark.parametrize("text", ["", "  \n", "# nothing"])
def test_a_cell_edited_to_nothing_withdraws_what_it_gave(text: str) -> None:
    session = notebook("$x = 1", "notify { 'a': }", "notify { 'b': }")
    session.run(text, "b")
    assert session.catalog().summary() == ["Notify[b]"]
    session.run("notify { 'c': }", "b")
    assert session.catalog().summary() == ["Notify[c]", "Notify[b]"]


def test_deleted_cells_vanish() -> None:
    session = notebook("$x = 1", "$y = $x", "$z = 3")
    outcome = session.forget(["a", "nobody"])
    assert updated(outcome) == [(2, "undef")]
    assert outcome.notes == ["2 cells evaluated again, 1 differs: [2]"]
    assert places(session) == ["b", "c"]
    assert session.undo()
    assert places(session) == ["a", "b", "c"]
    assert session.run("$y").text == "1"


def test_undo_and_redo_bring_the_later_outcomes_with_them() -> None:
    session = notebook("$x = 1", "$x + 1")
    session.run("$x = 10", "a")
    assert [cell.outcome.text for cell in session.cells] == ["10", "11"]
    session.undo()
    assert [cell.outcome.text for cell in session.cells] == ["1", "2"]
    session.redo()
    assert [cell.outcome.text for cell in session.cells] == ["10", "11"]
    assert session.run("$x").text == "10"


def test_a_step_back_to_an_order_of_cells_of_which_one_is_gone() -> None:
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


def test_a_resource_keeps_its_place_in_the_catalog() -> None:
    session = notebook("notify { 'a': }", "notify { 'b': }")
    session.run("notify { 'a': message => 'x' }", "a")
    assert session.catalog().summary() == ["Notify[a] { message => 'x' }", "Notify[b]"]


def test_what_was_only_missing_so_far_is_pending() -> None:
    session = notebook("notify { 'a': require => Notify['b'] }", "notify { 'b': }")
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


def module(folder: Path, text: str) -> Path:
    """The manifest of a new module `m`."""
    manifest = folder / "m" / "manifests" / "init.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(text)
    return manifest


def references(session: Session) -> list[str]:
    found: list[str] = session.catalog().summary()
    return found


@pytest.mark.parametrize("late", [False, True])
def test_a_cell_that_failed_for_a_file_comes_back_when_the_file_is_mended(tmp_path: Path, late: bool) -> None:
    text = "class m { notify { 'from m': } }"
    manifest = module(tmp_path, text)
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    include = "define d() { include m } d { 'x': }" if late else "include m"
    for name, source in {"a": "$x = 1", "b": include, "c": "$y = defined(Class['m'])"}.items():
        assert session.run(source, name).error is None
    manifest.write_text("class m {")
    outcome = session.run("$x = 2", "a")
    assert outcome.error is None
    assert next(cell.cell_id for cell in outcome.updated) == "b"
    assert "Notify[from m]" not in references(session)
    outcome = session.run("$z = 1", "d")  # nothing has changed
    assert outcome.updated == []
    manifest.write_text(text)
    outcome = session.run("$z + 1")
    assert outcome.value == 2
    assert next(cell.cell_id for cell in outcome.updated) == "b"
    assert all(cell.outcome.error is None for cell in outcome.updated)
    assert any("evaluated again" in str(note) for note in outcome.notes)
    assert places(session)[:4] == ["a", "b", "c", "d"]
    fresh = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    for cell in session.cells:
        fresh.run(cell.source)
    assert whole(session) == whole(fresh)
    assert session.run("$z + 1").updated == []


def test_a_cell_comes_back_though_the_one_that_runs_then_fails(tmp_path: Path) -> None:
    manifest = module(tmp_path, "class m { notify { 'from m': } }")
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("include m", "b")
    manifest.write_text("class m {")
    session.run("$x = 2", "a")
    manifest.write_text("class m { notify { 'new': } }")
    outcome = session.run("1 / 0", "c")
    assert outcome.error is not None
    assert [cell.cell_id for cell in outcome.updated] == ["b"]
    assert "Notify[new]" in references(session)
    assert session.undo()
    assert "Notify[new]" not in references(session)
    assert session.redo()
    assert "Notify[new]" in references(session)


@pytest.mark.parametrize("name", ["lstat", "open"])
def test_a_fault_that_passes_costs_no_later_cell(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = module(tmp_path, "class m { notify { 'from m': } }")
    session = Session("puppet", interactive=True, modulepath=[str(tmp_path)])
    session.run("$x = 1", "a")
    session.run("include m", "b")
    asked, real = [0], getattr(os, name)

    def faulty(path: str, *rest: Any, **named: Any) -> Any:
        if path == str(manifest):
            asked[0] += 1
            if asked[0] == 1:
                raise OSError(errno.EIO, "Input/output error")
        return real(path, *rest, **named)

    monkeypatch.setattr(os, name, faulty)
    outcome = session.run("$x = 2", "a")
    assert asked[0] > 1
    assert outcome.error is None
    assert outcome.updated == []
    assert "Notify[from m]" in references(session)


def test_the_clock_is_asked_again() -> None:
    session = notebook("$x = 1")
    first = session.run("Timestamp()", "b").text
    assert session.run("Timestamp()", "b").text != first


# --- what asks the outside is not asked again by a replay


def counted(path: Path) -> str:
    """A program that counts its runs in a file, and writes the number."""
    program = path / "count"
    program.write_text(f"#!/bin/sh\necho $1 >> {path}/asked\nwc -l < {path}/asked | tr -d '\\n '\n")
    program.chmod(0o755)
    return str(program)


def test_a_replay_does_not_run_programs_again(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    assert session.run(f"$n = generate('{counted(tmp_path)}', 'q') [$n, $x]", "b").text == "['1', 1]"
    assert updated(session.run("$x = 2", "a")) == [(2, "['1', 2]")]
    assert session.run(f"$n = generate('{counted(tmp_path)}', 'q') [$n, $x]", "b").text == "['2', 2]"


def test_a_replay_with_another_question_asks(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    session.run(f"generate('{counted(tmp_path)}', \"${{x}}\")", "b")
    assert updated(session.run("$x = 2", "a")) == [(2, "'2'")]


def test_what_is_evaluated_late_asks_once(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run(f"define d() {{ notify {{ generate('{counted(tmp_path)}', 'q'): }} }} d {{ 'd': }}", "a")
    session.run("notify { 'other': }", "b")
    assert session.catalog().summary() == ["D[d]", "Notify[other]", "Notify[1]"]


@pytest.mark.released
@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
def test_a_replay_renders_a_template_again_only_when_it_would_read_something_else() -> None:
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


# --- an interrupt leaves all as it was


ENDLESS = "Integer[1, $n].each |$i| { $i }"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a", "$n = 1 Integer[1, 1000000000].each |$i| { }"),  # the cell itself is stopped
        ("a", "$n = 1000000000"),  # one after it is stopped
        ("d", "define d() { Integer[1, 1000000000].each |$i| { } } d { 'd': }"),  # what is evaluated late is
    ],
)
def test_an_interrupt_while_a_cell_runs_again(name: str, text: str) -> None:
    session = notebook("$n = 1", "notify { 'n': message => $n }", ENDLESS, "Notify['n'] { noop => true }")
    before = whole(session), [seen(cell.outcome) for cell in session.cells]
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    error = session.run(text, name).error
    timer.join()
    assert error is not None and error.code == "INTERRUPTED"
    assert (whole(session), [seen(cell.outcome) for cell in session.cells]) == before
    assert session.run("$n = 2", "a").error is None
    assert session.catalog().summary() == ["Notify[n] { message => 2, noop => true }"]
    assert session.undo()
    assert (whole(session), [seen(cell.outcome) for cell in session.cells]) == before


def test_a_new_cell_that_fails_is_listed_until_it_runs_or_is_taken_back() -> None:
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
    assert session.catalog().summary() == notebook("\n".join(cells)).catalog().summary()
    assert "Notify[a] { loglevel => 'err', tag => 't' }" in session.catalog().summary()


def test_a_default_that_follows_decides_what_a_collector_sets() -> None:
    cells = ["Notify <| |> { message => 'x' }", "notify { 'a': message => 'y' }", "Notify { message => 'x' }"]
    session = notebook(*cells[:2])
    assert session.catalog().summary() == ["Notify[a] { message => 'x' }"]
    session.run(cells[2])
    assert session.catalog().summary() == notebook("\n".join(cells)).catalog().summary()
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
    session = notebook(*cells)
    computed: list[object] = []
    compute = catalog.compute_fixed_point

    def count(*arguments: Any, **options: Any) -> Any:
        computed.append(arguments)
        return compute(*arguments, **options)

    monkeypatch.setattr(catalog, "compute_fixed_point", count)
    assert session.run(collector).error is None
    assert bool(computed) is is_computed
    assert session.catalog().summary() == notebook("\n".join([*cells, collector])).catalog().summary()


@pytest.mark.parametrize(
    "define",
    [
        "define o() { Notify <| title == a |> { message => 'x' } } o { 'o': }",
        "define o() { Notify { message => 'x' } Notify <| title == a |> { tag => 't' } } o { 'o': }",
    ],
)
def test_deferred_code_reads_what_it_would_read_in_one_program(define: str) -> None:
    cells = [
        "notify { 'a': }",
        "class c { notify { 'c': } } class { 'c': schedule => 'daily' } schedule { 'daily': }",
        define,
        "define g() { notify { \"g ${title}\": message => Notify['a']['message'] } } g { 'g': }",
    ]
    found = notebook(*cells).catalog().summary()
    assert sorted(found) == sorted(notebook("\n".join(cells)).catalog().summary())


def test_an_old_step_back_does_not_run_programs_again(tmp_path: Path) -> None:
    session = Session("puppet", interactive=True, permissions=["generate"])
    session.run("$x = 1", "a")
    session.run(f"$n = generate('{counted(tmp_path)}', \"${{x}}\") [$n, $x]", "b")
    steps = 60  # more than those whose entries are kept
    for number in range(2, steps + 2):
        session.run(f"$x = {number}", "a")
    assert (tmp_path / "asked").read_text().split() == [str(number) for number in range(1, steps + 2)]
    for number in range(steps, 0, -1):
        session.undo()
        assert session.cells[1].outcome.text == f"['{number}', {number}]"
    assert len((tmp_path / "asked").read_text().split()) == steps + 1
