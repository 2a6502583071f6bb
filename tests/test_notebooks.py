"""The notebooks are tests: nbval runs every cell and compares what it shows with what is saved."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
LESSONS = FOLDER.glob("[01][0-9]-*.ipynb")
SPECIFICATION = sorted((FOLDER / "specification").glob("*.ipynb"))
# pytest takes longer to start than most notebooks take, so that each process runs several.
RUNS = {
    "reference": ("puppet", [FOLDER / "reference.ipynb"]),
    "lessons": ("puppet", sorted(LESSONS)),
    "specification": ("puppet", SPECIFICATION),
    "specification in the kernel of the released Puppet": ("puppet-released", SPECIFICATION),
}


def test_there_are_notebooks() -> None:
    listed = {path for _, paths in RUNS.values() for path in paths}
    assert listed == {path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts}


@pytest.mark.parametrize(("kernel", "notebooks"), RUNS.values(), ids=RUNS)
def test_a_notebook_gives_what_it_shows(kernel: str, notebooks: list[Path]) -> None:
    # A process of its own: nbval's and ipykernel's warnings are not this project's errors.
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"),
        *("--nbval", "--nbval-kernel-name", kernel),
        *map(str, notebooks),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
