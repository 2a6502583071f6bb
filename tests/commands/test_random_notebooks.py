"""Random notebooks with commands: *Run All* after any actions equals a fresh session.

A cell is edited back only to code that does not fail: otherwise its previous version would stay in force. Each notebook
begins with a cell that does not fail: if the first input had failed and ran again after others, it would be ambiguous
whether all cells run again, or whether this cell, fixed by a later one, runs at the end.

A cell above a `%reset` or `%undo` of the notebook that runs alone sees the cells below, which have run since, and is
not redrawn when it is undone: such a notebook is sent in one request.

The working folder has environments, modules and data for the settings. `%undo` and `%redo` are cells of the notebook,
and are also run beside it.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluator.session.cell import Entry
from evaluator.session.comparison import get_visible_parts
from tests.sessions import notebooks
from tests.sessions.displayed import Notebook

pytestmark = pytest.mark.usefixtures("unhurried_notes")
EXAMPLES = int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "30"))

COMMANDS = [
    "%node web01",
    "%node db01",
    "%node",
    "%facts debian-12",
    "%facts os.family",
    "%dialect puppet",
    "%dialect spec",
    "%hiera",
    "%reset",
    "%vars",
    "%catalog",
    "%types 1",
    "%why Notify['a'] message",
    "%graph",
    "%limits max_resources",
    "%node web02\n$trusted['certname']",
    "%vars\n$w = 1",
    "%nothing",
    "%undo",
    "%undo",
    "%redo",
    "%undo\n$w = 2",
    "%undo\n%undo",
    "%environment one",
    "%environment two",
    "%environment none",
    "%modulepath two/modules",
    "%modulepath one/modules:two/modules",
    "%modulepath none",
    "%hiera one/hiera.yaml",
    "%hiera two/hiera.yaml",
    "%environment",
    "%modulepath",
    "%lookup m::from",
    "$facts['os']['name']",
    "notify { \"on ${trusted['certname']}\": }",
    "$environment",
    "include m",
    "lookup('m::from', { default_value => 'nowhere' })",
    "m::f()",
    "$site",
]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"strict": "off"},
    {"strict": "error", "strict_variables": True},
    {"dialect": "puppet", "strict": "error"},
    {"environment": "one"},
    {"modulepath": ["two/modules"], "hiera_config": "two/hiera.yaml"},
]
SCRATCH_INPUTS = ["%undo", "%redo", "%node other", "$x = 'of the person'", "fail('the person')", "%catalog"]

text = st.one_of(st.sampled_from(COMMANDS), st.sampled_from(notebooks.TEXTS))
notebook_texts = st.lists(text, min_size=1, max_size=6)
# A cell is edited for a while, an input is run beside the notebook, the notebook is run up to a cell, or starts over.
notebook_action = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 5), text),
    st.tuples(st.just("type"), st.sampled_from(SCRATCH_INPUTS)),
    st.tuples(st.just("run up to"), st.integers(1, 6)),
    st.tuples(st.just("start over")),
)


def write_environment(folder: Path) -> None:
    """Write an environment with a module and data, whose texts contain the name of the folder."""
    files = {
        "manifests/site.pp": f"$site = '{folder.name}' notify {{ 'of {folder.name}': }} node default {{ }}",
        "modules/m/manifests/init.pp": "class m($from = 'code') { notify { 'm': message => $from } }",
        "modules/m/functions/f.pp": f"function m::f() {{ '{folder.name}' }}",
        "hiera.yaml": "version: 5\nhierarchy: [{ name: all, path: all.yaml }]",
        "data/all.yaml": f"m::from: data of {folder.name}",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def apply_action(notebook: Notebook, cells: dict[str, str], sound: list[str], action: Any) -> None:
    """Apply an action of a user to a notebook of some cells.

    Args:
        sound: The names of the cells that do not fail.
    """
    match action:
        case ("edit", number, other):
            notebook.run(sound[number % len(sound)], other)
        case ("type", code):
            notebook.run("scratch", code)
            notebook.shell.forget(["scratch"])
        case ("start over",):
            notebook.run("scratch", "%reset")
            run_all(notebook, cells)
        case ("run up to", count):
            notebook.run_cells(dict(list(cells.items())[:count]))


def run_all(notebook: Notebook, cells: dict[str, str]) -> list[str]:
    """Run all cells and return what each of them displays at last."""
    has_undo = any(step in code for code in cells.values() for step in ("%reset", "%undo"))
    notebook.run_cells(cells, together=has_undo)
    return [notebook.get_display(name) for name in cells]


def get_arguments(notebook: Notebook) -> dict[str, Any]:
    """Return the arguments of the session of a notebook, except a function."""
    return {name: value for name, value in notebook.shell.session.arguments.items() if name != "allowed"}


@pytest.fixture(autouse=True)
def environments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make a folder with two environments the working folder."""
    for name in ("one", "two"):
        write_environment(tmp_path / name)
    monkeypatch.chdir(tmp_path)


def test_all_cells_that_run_again_are_as_in_a_fresh_session() -> None:
    @given(st.sampled_from(SETTINGS), notebook_texts, st.lists(notebook_action, max_size=4))
    @example({}, ["$x = 1", "%reset", "$x = 2"], [])
    @example({}, ["%vars", "%facts debian-12"], [("edit", 1, "notify { 'a': }")])
    @example({}, ["%types 1"], [("edit", 1, "notify { 'a': }")])
    @example({}, ["$w = 1", "%node web01", "%reset", "$w = 1"], [])
    @example({}, ["%undo"], [("edit", 0, "%reset")])
    @example({}, ["%undo\n$w = 2", "%undo\n$w = 2"], [])
    @example({}, ["realize(Notify['v'])", "@notify { 'v': }"], [])
    @example({}, ["%node web01"], [("edit", 0, "%why Notify['a'] message"), ("edit", 0, "%node web01")])
    @example({}, ["%node web01", "%undo"], [("edit", 1, "%reset")])
    @example({}, ["%reset\n$w = 1", "%undo", "%vars"], [])
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(arguments: dict[str, Any], texts: list[str], actions: list[Any]) -> None:
        cells = {f"cell {number}": code for number, code in enumerate(["'begin'", *texts])}
        notebook, fresh = (Notebook(keeps_numbers=True, **arguments) for _ in range(2))
        first = run_all(fresh, cells)
        run_all(notebook, cells)
        sound = [name for name, output in zip(cells, first, strict=True) if "error" not in output]
        for action in actions:
            apply_action(notebook, cells, sound, action)
        run_all(notebook, cells)  # the note that a value has changed back is displayed once
        assert run_all(notebook, cells) == first
        assert get_arguments(notebook) == get_arguments(fresh)
        assert notebook.shell.session.catalog().summary() == fresh.shell.session.catalog().summary()

    check()


def find_differences(notebook: Notebook) -> list[Any]:
    """Return the cells of all epochs whose evaluation differs from a new one."""
    session = notebook.shell.session
    history: Any = session._history  # no front end requests the cells of earlier epochs
    epochs, document = history.epochs, history.document
    differences: list[Any] = []
    for epoch, following in zip(epochs.all, [*epochs.all[1:], None], strict=True):
        if epoch.timeline is None or not epoch.is_up_to_date:
            continue
        cells = document.list_cells(0, None if following is None else document.get_position(following.start))
        fresh = epochs._open_timeline(epoch.arguments)
        with fresh.running() as supervisor:
            recomputed = supervisor.run(partial(fresh.replay, [(cell, None) for cell in cells]))
        pairs = zip_longest(map(describe_entry, epoch.timeline.entries), map(describe_entry, recomputed))
        differences += [pair for pair in pairs if pair[0] != pair[1]]
    return differences


def describe_entry(entry: Entry) -> tuple[str, Any]:
    """Return the key of a cell and the visible parts of its evaluation."""
    return entry.cell.key, get_visible_parts(entry.evaluation)


CELLS = st.sampled_from("abcdefg")
ACTIONS = st.one_of(
    st.tuples(st.just("run"), CELLS, text),
    st.tuples(st.just("again"), CELLS),
    st.tuples(st.just("type"), st.sampled_from(SCRATCH_INPUTS), st.booleans()),
    st.tuples(st.just("forget"), CELLS),
    st.tuples(st.just("run all")),
)


def test_each_epoch_consists_of_the_code_in_force() -> None:
    @given(st.lists(ACTIONS, min_size=3, max_size=14))
    @settings(max_examples=2 * EXAMPLES, deadline=None)
    def check(actions: list[Any]) -> None:
        notebook, cells = Notebook(keeps_numbers=True), dict[str, str]()
        for action in actions:
            match action:
                case ("run", name, code):
                    cells[name] = code
                    notebook.run(name, code)
                case ("again", name) if name in cells:
                    notebook.run(name, cells[name])
                case ("type", code, is_deleted):
                    notebook.run("scratch", code)
                    if is_deleted:
                        notebook.forget("scratch")
                case ("forget", name) if name in cells:
                    del cells[name]
                    notebook.forget(name)
                case ("run all",):
                    notebook.run_cells(cells, together=True)
            assert not find_differences(notebook)

    check()


@pytest.mark.parametrize(
    "texts",
    [
        ["%undo", "%environment one", "%redo"],
        ["%undo\n$w = 2", "%undo\n$w = 2"],
        ["%node web01", "$trusted['certname']", "%undo", "%node db01", "%redo"],
        ["%reset\n$w = 1", "%undo", "%vars"],
    ],
)
def test_undo_and_redo_that_run_again_one_by_one_have_the_same_effects(texts: list[str]) -> None:
    cells = {f"cell {number}": code for number, code in enumerate(["'begin'", *texts])}
    notebook = Notebook(keeps_numbers=True)
    notebook.run_cells(cells)
    outputs = [notebook.get_display(name) for name in cells]
    resources = notebook.shell.session.catalog().summary()
    for _ in range(2):
        notebook.run_cells(cells)
        assert [notebook.get_display(name) for name in cells] == outputs
        assert notebook.shell.session.catalog().summary() == resources


def test_a_redone_cell_is_evaluated_under_the_current_arguments() -> None:
    notebook = Notebook()
    notebook.run_cells({"node": "%node web01", "cell": "notify { $trusted['certname']: }"})
    notebook.run("undo", "%undo")
    notebook.run("node", "%node db01")
    notebook.run("redo", "%redo")
    assert notebook.shell.session.catalog().summary() == ["Notify[db01]"]


def test_cells_above_a_reset_stay_above_it_after_another_reset() -> None:
    cells = {"one": "$x = 1", "two": "%reset", "three": "$x = 1"}
    notebook = Notebook(keeps_numbers=True)
    notebook.run_cells(cells)
    notebook.run("scratch", "%reset")
    for _ in range(3):
        notebook.run_cells(cells)
        assert [notebook.get_display(name) for name in cells] == ["1", "The session starts again.", "1"]
