"""`python -m puppet_kernel.exercises [FOLDER]` writes `exercises/NN.yaml` into the notebooks `NN-….ipynb`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from puppet_kernel.exercises.exercise import Exercise
from puppet_kernel.exercises.writing import insert_exercises
from puppet_kernel.rendering.notebook import to_text


def read_exercises(path: Path) -> list[Exercise]:
    """Return the exercises in a YAML file, each with its successor; raise ValueError."""
    import yaml

    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    names = [str(one.get("name")) for one in data]
    return [Exercise({"next": after, **one}) for one, after in zip(data, [*names[1:], ""], strict=True)]


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
