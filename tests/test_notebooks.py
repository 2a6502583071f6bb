"""The notebooks as tests: each cell runs, and its output equals the saved one."""

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
# These run in the kernel of the other dialect, with the same saved outputs (tests/kernel/test_run_all.py).
TESTED_ELSEWHERE = set((FOLDER / "specification").glob("*.ipynb"))
_DISABLED = ("no:cacheprovider", "no:xdist", "no:hypothesispytest")  # plugins
OPTIONS = ("-q", "-W", "ignore", "-c", os.devnull, *(f"-p{name}" for name in _DISABLED), "--nbval")


@pytest.fixture(scope="module", autouse=True)
def event_loop() -> Iterator[None]:
    """Provide the loop of nbval's clients and close it."""
    loop = ensure_event_loop()
    yield
    loop.close()


def test_each_notebook_is_tested() -> None:
    listed = {path for paths in RUNS.values() for path in paths}
    assert listed | TESTED_ELSEWHERE == {
        path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts
    }


@pytest.fixture
def null(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide one file for the standard error of all kernels; nbval would not close its own."""
    with open(os.devnull, "w", encoding="utf-8") as file:
        monkeypatch.setattr("nbval.kernel.open", lambda *arguments: file, raising=False)
        yield


@pytest.mark.usefixtures("null")
@pytest.mark.parametrize("notebooks", RUNS.values(), ids=RUNS)
def test_a_notebook_has_the_saved_outputs(notebooks: list[Path], pytester: pytest.Pytester) -> None:
    # A separate process would import nbval again, which takes two seconds.
    run = pytester.inline_run(*OPTIONS, "--nbval-kernel-name", "puppet", *map(str, notebooks))
    passed, skipped, failed = run.listoutcomes()
    assert (bool(passed), skipped, failed) == (True, [], [])
