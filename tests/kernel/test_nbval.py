"""Notebooks as tests with nbval: plain, lax, and without regard to styles."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from kernels import ROOT, environment
from nbformat.v4 import new_code_cell, new_notebook

pytest.importorskip("nbconvert")

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
def executed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A notebook with the outputs of its cells."""
    notebook = new_notebook(cells=list(map(new_code_cell, SOURCES)), metadata=METADATA)
    notebook.cells[3].metadata["tags"] = ["raises-exception"]
    folder = tmp_path_factory.mktemp("executed")
    nbformat.write(notebook, folder / "a.ipynb")
    done = run(folder, "nbconvert", "--to", "notebook", "--execute", "--stdout", "a.ipynb")
    return done.stdout


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a module does as a command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# what is changed in the saved outputs, how they are compared, whether they are the same then
@pytest.mark.parametrize(
    ("old", "new", "options", "fine"),
    [
        ("", "", PLAIN, True),
        ("", "", LAX, True),
        ("", "", WITHOUT_STYLES, True),
        ("Notice: told", "Notice: other", PLAIN, False),
        ("Notice: told", "Notice: other", LAX, True),
        ('"text/plain": "2"', '"text/plain": "3"', LAX, False),
        ("line-height:1.4", "line-height:2", PLAIN, False),
        ("line-height:1.4", "line-height:2", WITHOUT_STYLES, True),
        ("Notify[a]", "Notify[c]", WITHOUT_STYLES, False),
    ],
)
def test_saved_outputs_are_compared(
    executed: str, tmp_path: Path, old: str, new: str, options: tuple[str, ...], fine: bool
) -> None:
    saved = nbformat.writes(nbformat.reads(executed, 4), split_lines=False)
    assert old in saved
    (tmp_path / "a.ipynb").write_text(saved.replace(old, new) if old else saved)
    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", *options, "a.ipynb")
    assert done.returncode == (0 if fine else 1), done.stdout + done.stderr
