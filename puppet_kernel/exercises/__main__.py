"""The generator of notebooks with exercises: `python -m puppet_kernel.exercises [FOLDER]`.

It writes `exercises/NN.yaml` into the notebooks `NN-….ipynb`. Each exercise becomes three cells: the task, the answer
and the check.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from puppet_kernel.exercises import ANSWER
from puppet_kernel.exercises.exercise import Exercise, pack
from puppet_kernel.rendering.markdown import make_cell, to_text

# For each `place` of exercises, the identity of the cell before which new ones are inserted.
PLACES = {"recall": "begin", "": "end"}
_SCHEMA = {"schema_version": 3, "task": False}


def insert_exercises(notebook: dict[str, Any], exercises: list[Exercise]) -> dict[str, Any]:
    """Return a notebook with these exercises; new ones are added at the end."""
    generated = [(exercise.place, cell) for exercise in exercises for cell in make_cells(exercise)]
    current = {cell["id"]: cell for _, cell in generated}
    cells = [_update_cell(cell, current) for cell in notebook["cells"]]
    present = {cell["id"] for cell in cells}
    for place, following in PLACES.items():
        new = [cell for cell_place, cell in generated if cell_place == place and cell["id"] not in present]
        index = next((i for i, cell in enumerate(cells) if cell["id"] == following), len(cells))
        cells[index:index] = new
    return {**notebook, "cells": cells}


def _update_cell(cell: dict[str, Any], current: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the new form of a cell, with its outputs if its text is unchanged."""
    new = current.get(cell["id"], cell)
    is_same = new["source"] == cell["source"]
    preserved = {"outputs", "execution_count"} & cell.keys() if is_same else ()
    return new | {name: cell[name] for name in preserved}


def make_cells(exercise: Exercise) -> list[dict[str, Any]]:
    """Return the three cells of an exercise, with nbgrader's metadata."""
    name = exercise.name
    start = exercise.start.strip("\n") or f"# {name}\n"
    answer = {**_SCHEMA, "grade_id": name, "solution": True, "grade": False, "locked": False}
    check = {
        **_SCHEMA,
        "grade_id": f"{name}-check",
        "solution": False,
        "grade": True,
        "locked": True,
        "points": exercise.points,
    }
    return [
        make_cell(f"exercise-{name}", "markdown", f"**{name}** {exercise.ask.strip()}"),
        make_cell(f"{ANSWER}{name}", "code", start, {"nbgrader": answer}),
        make_cell(
            f"check-{name}",
            "code",
            f"%check {name}\n{pack(exercise)}",
            {"jupyter": {"source_hidden": True}, "nbgrader": check},
        ),
    ]


def read_exercises(path: Path) -> list[Exercise]:
    """Return the exercises in a YAML file, each with its successor; raise ValueError."""
    import yaml

    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    names = [str(fields.get("name")) for fields in data]
    return [Exercise({"next": name, **fields}) for fields, name in zip(data, [*names[1:], ""], strict=True)]


def update_notebook(notebook: Path, exercises: Path) -> str:
    """Return the text of a notebook with the exercises of a file."""
    data = json.loads(notebook.read_text(encoding="utf-8"))
    return to_text(insert_exercises(data, read_exercises(exercises)))


def main(folder: Path) -> None:
    """Write the exercises into the notebooks of a folder."""
    for path in sorted((folder / "exercises").glob("*.yaml")):
        for notebook in folder.glob(f"{path.stem}-*.ipynb"):
            notebook.write_text(update_notebook(notebook, path), encoding="utf-8")
            print(notebook)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "notebooks"))
