"""Notebooks are tests with nbval: plain, lax, and with styles ignored."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from kernels import ROOT, make_environment, run_module
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
def executed_notebook(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of its cells."""
    notebook = new_notebook(cells=list(map(new_code_cell, SOURCES)), metadata=METADATA)
    notebook.cells[3].metadata["tags"] = ["raises-exception"]
    folder = tmp_path_factory.mktemp("executed")
    nbformat.write(notebook, folder / "a.ipynb")
    process = run_module(folder, "nbconvert", "--to", "notebook", "--execute", "--stdout", "a.ipynb")
    return nbformat.reads(process.stdout, 4)


@pytest.fixture
def kernel_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the environment variables with which nbval finds the kernels of this checkout."""
    for name, value in make_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    # For each kernel, nbval opens a file for its standard error, which it never closes.
    with open(os.devnull, "w", encoding="utf-8") as file:
        monkeypatch.setattr("nbval.kernel.open", lambda *arguments: file, raising=False)
        yield


# Options, and changes of saved outputs by the index of their cell: old text, new text, and whether the cell then fails.
# There is one notebook for each set of options, since kernels take longer to start than cells to run.
@pytest.mark.usefixtures("kernel_environment")
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
    executed_notebook: nbformat.NotebookNode,
    tmp_path: Path,
    options: tuple[str, ...],
    changes: dict[int, tuple[str, str, bool]],
    pytester: pytest.Pytester,
) -> None:
    notebook = deepcopy(executed_notebook)
    for index, (old, new, _) in changes.items():
        saved = json.dumps(notebook.cells[index].outputs, ensure_ascii=False)
        assert old in saved
        notebook.cells[index].outputs = nbformat.from_dict(json.loads(saved.replace(old, new)))
    nbformat.write(notebook, tmp_path / "a.ipynb")
    other_options = ("-W", "ignore", "-c", os.devnull, "-p", "no:xdist", "-p", "no:hypothesispytest")
    recorder = pytester.inline_run(*other_options, *options, str(tmp_path / "a.ipynb"))
    calls = [call for call in recorder.getreports("pytest_runtest_logreport") if call.when == "call"]
    failing = [index for index, (_, _, fails) in changes.items() if fails]
    assert [call.failed for call in calls] == [index in failing for index in range(len(SOURCES))]
