"""Notebooks as tests with nbval: plain, lax, and without regard to styles."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from kernels import ROOT, command, environment
from nbformat.v4 import new_code_cell, new_notebook

pytest.importorskip("nbconvert")
pytest_plugins = ["pytester"]

SOURCES = (
    "notice('told')\n[1, 'a']",
    "notify { 'a': } -> notify { 'b': }",
    "%graph",
    "fail('no')",
    "# NBVAL_CHECK_OUTPUT\n1 + 1",
)
METADATA = {"kernelspec": {"name": "puppet", "language": "puppet", "display_name": "Puppet"}}
PLAIN, LAX = ("--nbval",), ("--nbval-lax",)
WITHOUT_STYLES = (*PLAIN, "--nbval-sanitize-with", str(ROOT / "notebooks" / "nbval.cfg"))


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    """A notebook with the outputs of its cells."""
    notebook = new_notebook(cells=list(map(new_code_cell, SOURCES)), metadata=METADATA)
    notebook.cells[3].metadata["tags"] = ["raises-exception"]
    folder = tmp_path_factory.mktemp("executed")
    nbformat.write(notebook, folder / "a.ipynb")
    done = command(folder, "nbconvert", "--to", "notebook", "--execute", "--stdout", "a.ipynb")
    return nbformat.reads(done.stdout, 4)


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kernels of this checkout; nbval opens a file for what each writes to standard error, and closes none."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    with open(os.devnull, "w", encoding="utf-8") as file:
        monkeypatch.setattr("nbval.kernel.open", lambda *arguments: file, raising=False)
        yield


# how outputs are compared; by the place of a cell what is changed in what is saved of it, and whether it fails then:
# one notebook for each way, as kernels take longer to start than it takes
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("options", "changes"),
    [
        (PLAIN, {0: ("Notice: told", "Notice: other", True), 1: ("line-height:1.4", "line-height:2", True)}),
        (LAX, {0: ("Notice: told", "Notice: other", False), 4: ('"2"', '"3"', True)}),
        (
            WITHOUT_STYLES,
            {1: ("line-height:1.4", "line-height:2", False), 2: ("Notify[a]", "Notify[c]", True)},
        ),
    ],
    ids=["plain", "lax", "without styles"],
)
def test_saved_outputs_are_compared(
    executed: nbformat.NotebookNode,
    tmp_path: Path,
    options: tuple[str, ...],
    changes: dict[int, tuple[str, str, bool]],
    pytester: pytest.Pytester,
) -> None:
    notebook = deepcopy(executed)
    for place, (old, new, _) in changes.items():
        saved = json.dumps(notebook.cells[place].outputs, ensure_ascii=False)
        assert old in saved
        notebook.cells[place].outputs = nbformat.from_dict(json.loads(saved.replace(old, new)))
    nbformat.write(notebook, tmp_path / "a.ipynb")
    quiet = ("-W", "ignore", "-c", os.devnull, "-p", "no:xdist", "-p", "no:hypothesispytest")
    found = pytester.inline_run(*quiet, *options, str(tmp_path / "a.ipynb"))
    calls = [one for one in found.getreports("pytest_runtest_logreport") if one.when == "call"]
    failing = [place for place, (_, _, fails) in changes.items() if fails]
    assert [one.failed for one in calls] == [place in failing for place in range(len(SOURCES))]
