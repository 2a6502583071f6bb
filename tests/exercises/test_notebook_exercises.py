"""The exercises of the notebooks: each with its solution, and with each answer that is known to be wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from evaluator.session import dialect_notes
from puppet_kernel.exercises import NOT_TRIED, RIGHT, Progress
from puppet_kernel.exercises.__main__ import read_exercises, update_notebook
from puppet_kernel.exercises.exercise import Exercise, pack
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
FILES = sorted((NOTEBOOKS / "exercises").glob("*.yaml"))
BY_NAME = {one.name: one for path in FILES for one in read_exercises(path)}


def notebook_of(name: str) -> Path:
    """Return the notebook that contains an exercise."""
    (found,) = NOTEBOOKS.glob(f"{name.partition('-')[0]}-*.ipynb")
    return found


@cache
def cells_before(name: str) -> tuple[tuple[str, str], ...]:
    """The code cells of the notebook above an exercise, but those of other exercises: id and text."""
    cells = json.loads(notebook_of(name).read_text(encoding="utf-8"))["cells"]
    above = cells[: [cell["id"] for cell in cells].index(f"exercise-{name}")]
    return tuple(
        (cell["id"], "".join(cell["source"]))
        for cell in above
        if cell["cell_type"] == "code" and not cell["id"].startswith(("answer-", "check-"))
    )


DESKS: dict[Path, tuple[Shell, int]] = {}  # of each notebook, and how many of its cells have run there


def desk_of(name: str) -> Shell:
    """A desk at which the cells above an exercise have run: that of the exercise before it, where it goes on."""
    notebook, above = notebook_of(name), cells_before(name)
    desk, count = DESKS.get(notebook, (Shell({}), 0))
    if count > len(above):
        desk, count = Shell({}), 0
    for number, (cell, source) in enumerate(above[count:], count + 1):
        desk.submit(source, cell, number)
    DESKS[notebook] = desk, len(above)
    return desk


@pytest.fixture(autouse=True)
def among_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOKS)
    # No verdict shows notes about the other dialect; to find them took most of the time.
    monkeypatch.setattr(dialect_notes, "may_differ", lambda state, entry: False)


def answered(exercise: Exercise, answer: str) -> str:
    """What the check of an exercise shows when an answer stands in its cell; "" for no answer: as it is published.

    The cells above it run once for all answers; each is then taken away, and nothing is known of it any more.
    """
    name, desk = exercise.name, desk_of(exercise.name)
    cells, above = [f"answer-{name}", f"check-{name}"], list(desk.session.cells)
    desk.progress = Progress()
    if answer:
        desk.submit(f"# {name}\n{answer}", cells[0], 900)
    reply = desk.submit(f"%check {name}\n{pack(exercise)}", cells[1], 901)
    desk.session.forget(cells)
    assert desk.session.cells == above
    assert reply.element is not None
    return render_plain(reply.element)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_notebooks_hold_the_exercises_as_they_are_written(path: Path) -> None:
    notebook = notebook_of(f"{path.stem}-a")
    assert notebook.read_text(encoding="utf-8") == update_notebook(notebook, path)


@pytest.mark.parametrize("name", BY_NAME)
def test_an_exercise_is_whole(name: str) -> None:
    exercise = BY_NAME[name]
    assert all([exercise.ask, exercise.checks, exercise.hints, exercise.why, exercise.solution])
    assert len(exercise.wrong) >= 3


# One test for all answers to an exercise: the cells above it run once, wherever it runs.
@pytest.mark.parametrize("name", BY_NAME)
def test_each_answer_is_told_what_it_is(name: str) -> None:
    exercise = BY_NAME[name]
    assert answered(exercise, "") == f"{name}: {NOT_TRIED}"
    shown = answered(exercise, exercise.solution)
    assert shown.startswith(f"{name}: {RIGHT}"), shown
    for wrong in exercise.wrong:
        shown = answered(exercise, wrong.code)
        assert not shown.startswith(f"{name}: {RIGHT}"), f"{wrong.code}\n{shown}"
        assert in_short(wrong.says)[:40] in in_short(shown), f"{wrong.code}\n{shown}"
        assert f"%hint {name}" in shown, f"{wrong.code}\n{shown}"


def in_short(words: str) -> str:
    """Words without marks of code, in one line."""
    return " ".join(words.replace("`", "").split())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_who_answers_all_of_a_notebook_is_right_in_all(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """One session, from the first cell to the last: no answer is in the way of another.

    Its dialect is that of the released Puppet; each answer is given in the other one above.
    """
    monkeypatch.chdir(NOTEBOOKS)
    desk = Shell({"dialect": "puppet"})
    notebook = json.loads(notebook_of(f"{path.stem}-a").read_text(encoding="utf-8"))
    wrong = {}
    for number, cell in enumerate((one for one in notebook["cells"] if one["cell_type"] == "code"), 1):
        kind, _, name = cell["id"].partition("-")
        answer = f"# {name}\n{BY_NAME[name].solution}" if kind == "answer" else "".join(cell["source"])
        reply = desk.submit(answer, cell["id"], number)
        shown = render_plain(reply.element) if reply.element is not None else ""
        if kind == "check" and not shown.startswith(f"{name}: {RIGHT}"):
            wrong[name] = shown
    assert wrong == {}
