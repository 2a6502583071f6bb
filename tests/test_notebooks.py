"""The notebooks are tests: each cell runs, and what it shows is compared with what is saved."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_core.utils import ensure_event_loop

pytest_plugins = ["pytester"]

FOLDER = Path(__file__).parent.parent / "notebooks"
RUNS = {
    "reference": [FOLDER / "reference.ipynb"],
    "lessons": sorted(FOLDER.glob("[01][0-9]-*.ipynb")),
    "specification": sorted((FOLDER / "specification").glob("00[12]-*.ipynb")),
}
# All of these have the saved outputs even in the kernel of the other dialect (tests/kernel/test_run_all.py).
ELSEWHERE = set((FOLDER / "specification").glob("*.ipynb"))
_LEFT_OUT = ("no:cacheprovider", "no:xdist", "no:hypothesispytest")  # plugins
OPTIONS = ("-q", "-W", "ignore", "-c", os.devnull, *(f"-p{name}" for name in _LEFT_OUT), "--nbval")


@pytest.fixture(scope="module", autouse=True)
def event_loop() -> Iterator[None]:
    """The loop of nbval's clients, which nobody else closes."""
    loop = ensure_event_loop()
    yield
    loop.close()


def test_there_are_notebooks() -> None:
    listed = {path for paths in RUNS.values() for path in paths}
    assert listed | ELSEWHERE == {
        path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts
    }


@pytest.fixture
def null(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file for what kernels write to standard error, since nbval opens one for each kernel and closes none."""
    with open(os.devnull, "w", encoding="utf-8") as file:
        monkeypatch.setattr("nbval.kernel.open", lambda *arguments: file, raising=False)
        yield


@pytest.mark.usefixtures("null")
@pytest.mark.parametrize("notebooks", RUNS.values(), ids=RUNS)
def test_a_notebook_shows_what_is_saved(notebooks: list[Path], pytester: pytest.Pytester) -> None:
    # A process of its own would import nbval again, which takes two seconds.
    found = pytester.inline_run(*OPTIONS, "--nbval-kernel-name", "puppet", *map(str, notebooks))
    passed, skipped, failed = found.listoutcomes()
    assert (bool(passed), skipped, failed) == (True, [], [])
