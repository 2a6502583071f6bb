"""The notebooks teach each section of the specification, and each notebook is complete."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.commands.command import COMMANDS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("[01][0-9]-*.ipynb"))
ROW = re.compile(r"^\| (00\d) \| (\d+) \| (.+) \| ([\w/-]+) \| ([\w-]+) \|$", re.MULTILINE)
SECTIONS = {"000": 64, "001": 45, "002": 42, "003": 77, "004": 19}  # the number of sections of each document


def read_cells(name: str) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    cells: list[dict[str, Any]] = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    return cells


def test_every_section_is_explained_in_a_cell() -> None:
    rows = ROW.findall((NOTEBOOKS / "README.md").read_text(encoding="utf-8"))
    assert Counter(document for document, *_ in rows) == SECTIONS
    assert len({(document, line) for document, line, *_ in rows}) == len(rows)
    names = [path.stem for path in LESSONS]
    names += [f"specification/{path.stem}" for path in NOTEBOOKS.glob("specification/*.ipynb")]
    ids = {name: {cell["id"] for cell in read_cells(name)} for name in names}
    missing = [(name, cell) for *_, name, cell in rows if cell not in ids.get(name, ())]
    assert not missing


def test_every_lesson_is_listed() -> None:
    text = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(([\w-]+)\.ipynb\)", text) == [path.stem for path in LESSONS]


def test_every_command_is_used_in_a_lesson() -> None:
    """A cell runs it or requests its help, or the prose has it if a page cannot show it."""
    texts = "\n".join("".join(cell["source"]) for path in LESSONS for cell in read_cells(path.stem))
    missing = [
        command.name
        for command in COMMANDS
        if not re.search(rf"(^|`|\?)%{command.name}\b", texts, re.MULTILINE)
    ]
    assert not missing


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_has_its_parts(path: Path) -> None:
    ids = [cell["id"] for cell in read_cells(path.stem)]
    assert [ids[0], ids[-1]] == ["title", "end"]
    assert sum(name.startswith("check-") for name in ids) >= 4
    number = path.stem[:2]
    recalled = [name for name in ids if name.startswith(f"exercise-{number}-r")]
    assert len(recalled) == (0 if number == "01" else 3)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_cells_of_a_lesson_are_short(path: Path) -> None:
    """A cell has one idea: a few lines of code or prose."""
    long_cells = [
        cell["id"]
        for cell in read_cells(path.stem)
        if not cell["id"].startswith(("check-", "answer-", "exercise-", "title", "end"))
        and len("".join(cell["source"]).splitlines()) > (14 if cell["cell_type"] == "markdown" else 16)
    ]
    assert not long_cells
