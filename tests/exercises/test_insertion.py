"""Exercises are inserted into a notebook, or replaced at their position."""

from __future__ import annotations

from typing import Any

from puppet_kernel.exercises.__main__ import insert_exercises
from puppet_kernel.exercises.exercise import Exercise


def make_cell(name: str, source: str = "") -> dict[str, Any]:
    """Return a Markdown cell."""
    return {"id": name, "cell_type": "markdown", "metadata": {}, "source": [source]}


def make_exercise(name: str, **more: Any) -> Exercise:
    """Return an exercise with one check."""
    return Exercise({"name": name, "ask": "Do.", "checks": [{"value": "$x"}], **more})


def list_ids(notebook: dict[str, Any]) -> list[str]:
    """Return the ids of the cells of a notebook."""
    return [cell["id"] for cell in notebook["cells"]]


WITHOUT_EXERCISES = {
    "cells": [make_cell("title"), make_cell("begin"), make_cell("exercises"), make_cell("end")]
}


def test_each_exercise_is_inserted_at_its_position() -> None:
    notebook = insert_exercises(
        WITHOUT_EXERCISES,
        [make_exercise("02-r1", place="recall"), make_exercise("02-a"), make_exercise("02-b")],
    )
    cells = {
        name: [f"exercise-{name}", f"answer-{name}", f"check-{name}"] for name in ("02-r1", "02-a", "02-b")
    }
    assert list_ids(notebook) == [
        "title", *cells["02-r1"], "begin", "exercises", *cells["02-a"], *cells["02-b"], "end"
    ]  # fmt: skip


def test_a_second_insertion_changes_nothing() -> None:
    exercises = [make_exercise("02-r1", place="recall"), make_exercise("02-a")]
    once = insert_exercises(WITHOUT_EXERCISES, exercises)
    assert insert_exercises(once, exercises) == once


def test_outputs_are_deleted_only_if_the_exercise_has_changed() -> None:
    once = insert_exercises(WITHOUT_EXERCISES, [make_exercise("02-a")])
    for cell in once["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": ["shown"], "execution_count": 7}
    again = insert_exercises(once, [make_exercise("02-a", start="# 02-a\n# begin so")])
    outputs = {cell["id"]: cell["outputs"] for cell in again["cells"] if cell["cell_type"] == "code"}
    assert outputs == {"answer-02-a": [], "check-02-a": []}
    assert [
        cell.get("outputs")
        for cell in insert_exercises(once, [make_exercise("02-a")])["cells"]
        if "outputs" in cell
    ] == [["shown"], ["shown"]]
