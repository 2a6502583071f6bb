"""The exercises of the notebooks accept their solution and reject known wrong answers."""

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
from tests.sessions.displayed import render_reply

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
FILES = sorted((NOTEBOOKS / "exercises").glob("*.yaml"))
BY_NAME = {exercise.name: exercise for path in FILES for exercise in read_exercises(path)}


def find_notebook(name: str) -> Path:
    """Return the notebook that contains an exercise."""
    (path,) = NOTEBOOKS.glob(f"{name.partition('-')[0]}-*.ipynb")
    return path


@cache
def list_cells_before(name: str) -> tuple[tuple[str, str], ...]:
    """Return id and source of the code cells above an exercise, without exercises."""
    cells = json.loads(find_notebook(name).read_text(encoding="utf-8"))["cells"]
    above = cells[: [cell["id"] for cell in cells].index(f"exercise-{name}")]
    return tuple(
        (cell["id"], "".join(cell["source"]))
        for cell in above
        if cell["cell_type"] == "code" and not cell["id"].startswith(("answer-", "check-"))
    )


# The shell of each notebook, and the number of its cells that have run.
SHELLS: dict[Path, tuple[Shell, int]] = {}


def get_shell(name: str) -> Shell:
    """Return a shell in which the cells above an exercise have run.

    It continues the shell of the previous exercise if it can.
    """
    notebook, above = find_notebook(name), list_cells_before(name)
    shell, count = SHELLS.get(notebook, (Shell({}), 0))
    if count > len(above):
        shell, count = Shell({}), 0
    for number, (cell, source) in enumerate(above[count:], count + 1):
        shell.submit(source, cell, number)
    SHELLS[notebook] = shell, len(above)
    return shell


@pytest.fixture(autouse=True)
def notebooks_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the folder of the notebooks the working folder, and search for no notes."""
    monkeypatch.chdir(NOTEBOOKS)
    # No verdict contains notes about the other dialect, and the search for them took most of the time.
    monkeypatch.setattr(dialect_notes, "may_differ", lambda state, entry: False)


def check_answer(exercise: Exercise, answer: str) -> str:
    """Return the output of the check of an exercise after an answer; "" is no answer.

    The cells above the exercise run once for all answers. Each answer is deleted after its check, with its progress.
    """
    name, shell = exercise.name, get_shell(exercise.name)
    cells, above = [f"answer-{name}", f"check-{name}"], list(shell.session.cells)
    shell.progress = Progress()
    if answer:
        shell.submit(f"# {name}\n{answer}", cells[0], 900)
    reply = shell.submit(f"%check {name}\n{pack(exercise)}", cells[1], 901)
    shell.session.forget(cells)
    assert shell.session.cells == above
    assert reply.element is not None
    return render_plain(reply.element)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_notebooks_contain_the_current_exercises(path: Path) -> None:
    notebook = find_notebook(f"{path.stem}-a")
    assert notebook.read_text(encoding="utf-8") == update_notebook(notebook, path)


@pytest.mark.parametrize("name", BY_NAME)
def test_an_exercise_has_all_its_parts(name: str) -> None:
    exercise = BY_NAME[name]
    assert all([exercise.ask, exercise.checks, exercise.hints, exercise.why, exercise.solution])
    assert len(exercise.wrong) >= 3


# One test has all answers to an exercise, so that the cells above it run once, in any worker.
@pytest.mark.parametrize("name", BY_NAME)
def test_each_answer_has_its_verdict(name: str) -> None:
    exercise = BY_NAME[name]
    assert check_answer(exercise, "") == f"{name}: {NOT_TRIED}"
    output = check_answer(exercise, exercise.solution)
    assert output.startswith(f"{name}: {RIGHT}"), output
    for wrong in exercise.wrong:
        output = check_answer(exercise, wrong.code)
        assert not output.startswith(f"{name}: {RIGHT}"), f"{wrong.code}\n{output}"
        assert normalize(wrong.says)[:40] in normalize(output), f"{wrong.code}\n{output}"
        assert f"%hint {name}" in output, f"{wrong.code}\n{output}"


def normalize(text: str) -> str:
    """Return a text in one line and without backquotes."""
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_solutions_of_a_notebook_are_right_in_one_session(
    monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    """No answer of a session disturbs another.

    The dialect is that of the released Puppet; the other tests use that of the specification.
    """
    monkeypatch.chdir(NOTEBOOKS)
    shell = Shell({"dialect": "puppet"})
    notebook = json.loads(find_notebook(f"{path.stem}-a").read_text(encoding="utf-8"))
    wrong = {}
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
        kind, _, name = cell["id"].partition("-")
        answer = f"# {name}\n{BY_NAME[name].solution}" if kind == "answer" else "".join(cell["source"])
        reply = shell.submit(answer, cell["id"], number)
        output = render_reply(reply)
        if kind == "check" and not output.startswith(f"{name}: {RIGHT}"):
            wrong[name] = output
    assert wrong == {}
