"""Random notebooks with commands: after any actions of the user, *Run All* equals a fresh session.

What is edited gets a text back that does not fail: of one that does, the former version would stay in force.
Each notebook begins with a cell that does not fail. Of the first input of all, when that has failed and runs again
after others, nobody can tell whether all is run again, or what it lacked has come: it runs at the end.

A cell above a `%reset` or `%undo` of the notebook that runs alone sees the cells below, which have run since, and is
not drawn again when it is taken back: such a notebook is sent as a whole.

The working folder has environments, modules and data to set. `%undo` and `%redo` are cells, and typed beside the
notebook too.
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
STEPS = ["%undo", "%redo", "%node other", "$x = 'of the person'", "fail('the person')", "%catalog"]

text = st.one_of(st.sampled_from(COMMANDS), st.sampled_from(notebooks.TEXTS))
page_texts = st.lists(text, min_size=1, max_size=6)
# a cell gets another text for a while, something is typed below, the notebook is run up to a cell, or all begins anew
deed = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 5), text),
    st.tuples(st.just("type"), st.sampled_from(STEPS)),
    st.tuples(st.just("run up to"), st.integers(1, 6)),
    st.tuples(st.just("begin anew")),
)


def put(folder: Path) -> None:
    """Makes an environment with manifests, a module and data, called as its folder; class and function tell which."""
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


def do(page: Notebook, cells: dict[str, str], sound: list[str], step: Any) -> None:
    """Return actions of a user on a notebook of these cells, of which some do not fail."""
    match step:
        case ("edit", place, other):
            page.run(sound[place % len(sound)], other)
        case ("type", code):
            page.run("scratch", code)
            page.shell.forget(["scratch"])
        case ("begin anew",):
            page.run("scratch", "%reset")
            run_all(page, cells)
        case ("run up to", count):
            page.run_cells(dict(list(cells.items())[:count]))


def run_all(page: Notebook, cells: dict[str, str]) -> list[str]:
    """Run all cells and return what each of them displays at the end."""
    takes_back = any(step in code for code in cells.values() for step in ("%reset", "%undo"))
    page.run_cells(cells, together=takes_back)
    return [page.get_display(name) for name in cells]


def arguments(page: Notebook) -> dict[str, Any]:
    """Return the arguments of the session of a page, except a function."""
    return {name: value for name, value in page.shell.session.arguments.items() if name != "allowed"}


@pytest.fixture(autouse=True)
def environments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The working folder has two environments."""
    for name in ("one", "two"):
        put(tmp_path / name)
    monkeypatch.chdir(tmp_path)


def test_all_run_again_is_as_in_a_fresh_session() -> None:
    @given(st.sampled_from(SETTINGS), page_texts, st.lists(deed, max_size=4))
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
    def check(given: dict[str, Any], texts: list[str], steps: list[Any]) -> None:
        cells = {f"cell {number}": code for number, code in enumerate(["'begin'", *texts])}
        page, fresh = (Notebook(keeps_numbers=True, **given) for _ in range(2))
        first = run_all(fresh, cells)
        run_all(page, cells)
        sound = [name for name, shown in zip(cells, first, strict=True) if "error" not in shown]
        for step in steps:
            do(page, cells, sound, step)
        run_all(page, cells)  # a note that a value changes back is shown once
        assert run_all(page, cells) == first
        assert arguments(page) == arguments(fresh)
        assert page.shell.session.catalog().summary() == fresh.shell.session.catalog().summary()

    check()


def find_differences(page: Notebook) -> list[Any]:
    """Return the cells whose evaluation, in some epoch, differs from a new one under the same arguments."""
    session = page.shell.session
    history: Any = session._history  # no front end asks for the cells of earlier epochs
    epochs, document = history.epochs, history.document
    found: list[Any] = []
    for epoch, following in zip(epochs.all, [*epochs.all[1:], None], strict=True):
        if epoch.timeline is None or not epoch.is_up_to_date:
            continue
        cells = document.list_cells(0, None if following is None else document.get_position(following.start))
        fresh = epochs._open_timeline(epoch.arguments)
        with fresh.running() as supervisor:
            due = supervisor.run(partial(fresh.replay, [(cell, None) for cell in cells]))
        pairs = zip_longest(map(see_entry, epoch.timeline.entries), map(see_entry, due))
        found += [pair for pair in pairs if pair[0] != pair[1]]
    return found


def see_entry(entry: Entry) -> tuple[str, Any]:
    """Return the key of a cell and what a user sees of its evaluation."""
    return entry.cell.key, get_visible_parts(entry.evaluation)


CELLS = st.sampled_from("abcdefg")
ACTIONS = st.one_of(
    st.tuples(st.just("run"), CELLS, text),
    st.tuples(st.just("again"), CELLS),
    st.tuples(st.just("type"), st.sampled_from(STEPS), st.booleans()),
    st.tuples(st.just("forget"), CELLS),
    st.tuples(st.just("run all")),
)


def test_each_epoch_consists_of_the_code_in_force() -> None:
    @given(st.lists(ACTIONS, min_size=3, max_size=14))
    @settings(max_examples=2 * EXAMPLES, deadline=None)
    def check(actions: list[Any]) -> None:
        page, cells = Notebook(keeps_numbers=True), dict[str, str]()
        for action in actions:
            match action:
                case ("run", name, code):
                    cells[name] = code
                    page.run(name, code)
                case ("again", name) if name in cells:
                    page.run(name, cells[name])
                case ("type", code, is_deleted):
                    page.run("scratch", code)
                    if is_deleted:
                        page.forget("scratch")
                case ("forget", name) if name in cells:
                    del cells[name]
                    page.forget(name)
                case ("run all",):
                    page.run_cells(cells, together=True)
            assert not find_differences(page)

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
def test_steps_that_run_again_one_by_one(texts: list[str]) -> None:
    cells = {f"cell {number}": code for number, code in enumerate(["'begin'", *texts])}
    page = Notebook(keeps_numbers=True)
    page.run_cells(cells)
    first = [page.get_display(name) for name in cells], page.shell.session.catalog().summary()
    for _ in range(2):
        page.run_cells(cells)
        assert ([page.get_display(name) for name in cells], page.shell.session.catalog().summary()) == first


def test_what_is_redone_is_evaluated_under_the_arguments_that_hold_now() -> None:
    page = Notebook()
    page.run_cells({"node": "%node web01", "cell": "notify { $trusted['certname']: }"})
    page.run("undo", "%undo")
    page.run("node", "%node db01")
    page.run("redo", "%redo")
    assert page.shell.session.catalog().summary() == ["Notify[db01]"]


def test_cells_above_a_reset_stay_above_it_after_another_reset() -> None:
    cells = {"one": "$x = 1", "two": "%reset", "three": "$x = 1"}
    page = Notebook(keeps_numbers=True)
    page.run_cells(cells)
    page.run("scratch", "%reset")
    for _ in range(3):
        page.run_cells(cells)
        assert [page.get_display(name) for name in cells] == ["1", "The session starts again.", "1"]
