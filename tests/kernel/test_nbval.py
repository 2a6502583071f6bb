"""Notebooks as tests with nbval: plain, lax, and without regard to styles."""

from __future__ import annotations

import re
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


# how outputs are compared, what is changed in the saved ones of each notebook, and whether they are the same then;
# the notebooks of one way are one run, as pytest takes longer to start than they take
@pytest.mark.parametrize(
    ("options", "notebooks"),
    [
        (
            PLAIN,
            {
                "same": ("", "", True),
                "log": ("Notice: told", "Notice: other", False),
                "style": ("line-height:1.4", "line-height:2", False),
            },
        ),
        (
            LAX,
            {
                "same": ("", "", True),
                "log": ("Notice: told", "Notice: other", True),
                "checked": ('"text/plain": "2"', '"text/plain": "3"', False),
            },
        ),
        (
            WITHOUT_STYLES,
            {
                "same": ("", "", True),
                "style": ("line-height:1.4", "line-height:2", True),
                "title": ("Notify[a]", "Notify[c]", False),
            },
        ),
    ],
    ids=["plain", "lax", "without styles"],
)
def test_saved_outputs_are_compared(
    executed: str, tmp_path: Path, options: tuple[str, ...], notebooks: dict[str, tuple[str, str, bool]]
) -> None:
    saved = nbformat.writes(nbformat.reads(executed, 4), split_lines=False)
    for name, (old, new, _) in notebooks.items():
        assert old in saved
        (tmp_path / f"{name}.ipynb").write_text(saved.replace(old, new) if old else saved)
    names = [f"{name}.ipynb" for name in notebooks]
    done = run(
        tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "-rpf", *options, *names
    )
    assert done.returncode == 1, done.stdout + done.stderr
    # each has five cells, of which one shows what was changed
    for name, (_, _, fine) in notebooks.items():
        results = re.findall(rf"^(PASSED|FAILED) (?:\S*/)?{name}\.ipynb::", done.stdout, re.MULTILINE)
        assert len(results) == len(SOURCES), done.stdout + done.stderr
        assert ("FAILED" not in results) == fine, done.stdout + done.stderr
