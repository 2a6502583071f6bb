"""Exercises are put into a notebook: new ones at their place, those that are there where they stand."""

from __future__ import annotations

from typing import Any

from puppet_kernel.exercises.__main__ import insert_exercises
from puppet_kernel.exercises.exercise import Exercise


def cell(name: str, source: str = "") -> dict[str, Any]:
    return {"id": name, "cell_type": "markdown", "metadata": {}, "source": [source]}


def exercise(name: str, **more: Any) -> Exercise:
    return Exercise({"name": name, "ask": "Do.", "checks": [{"value": "$x"}], **more})


def ids(notebook: dict[str, Any]) -> list[str]:
    return [one["id"] for one in notebook["cells"]]


BARE = {"cells": [cell("title"), cell("begin"), cell("exercises"), cell("end")]}


def test_each_goes_to_its_place() -> None:
    found = insert_exercises(BARE, [exercise("02-r1", place="recall"), exercise("02-a"), exercise("02-b")])
    trios = {
        name: [f"exercise-{name}", f"answer-{name}", f"check-{name}"] for name in ("02-r1", "02-a", "02-b")
    }
    assert ids(found) == [
        "title", *trios["02-r1"], "begin", "exercises", *trios["02-a"], *trios["02-b"], "end"
    ]  # fmt: skip


def test_writing_again_changes_nothing() -> None:
    exercises = [exercise("02-r1", place="recall"), exercise("02-a")]
    once = insert_exercises(BARE, exercises)
    assert insert_exercises(once, exercises) == once


def test_what_was_shown_stays_until_the_text_is_another() -> None:
    once = insert_exercises(BARE, [exercise("02-a")])
    for one in once["cells"]:
        if one["cell_type"] == "code":
            one |= {"outputs": ["shown"], "execution_count": 7}
    again = insert_exercises(once, [exercise("02-a", start="# 02-a\n# begin so")])
    shown = {one["id"]: one["outputs"] for one in again["cells"] if one["cell_type"] == "code"}
    assert shown == {"answer-02-a": [], "check-02-a": []}
    assert [
        one.get("outputs") for one in insert_exercises(once, [exercise("02-a")])["cells"] if "outputs" in one
    ] == [
        ["shown"],
        ["shown"],
    ]
