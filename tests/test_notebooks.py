"""The notebooks are tests: nbval runs every cell and compares what it shows with what is saved."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


# The reference has as many cells as the others together; pytest takes longer to start than most notebooks take.
@pytest.mark.parametrize("alone", [True, False], ids=["reference", "the others"])
def test_a_notebook_gives_what_it_shows(alone: bool) -> None:
    notebooks = [str(path) for path in NOTEBOOKS if (path.stem == "reference") == alone]
    assert notebooks
    # A process of its own: nbval's and ipykernel's warnings are not this project's errors.
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-W",
        "ignore",
        "--nbval",
        *notebooks,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
