"""Notebooks are converted to manifests, Markdown, HTML, and the text files of jupytext."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

pytest.importorskip("nbconvert")
pytest.importorskip("jupytext")

from nbconvert.exporters import get_exporter

from evaluator import Session
from lexer_parser import PUPPET, parse
from puppet_kernel.jupyter import percent
from puppet_kernel.jupyter.converting import to_manifest

# Only the lessons: the reference also shows what only the specification has.
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))
METADATA = {
    "kernelspec": {"name": "puppet", "language": "puppet", "display_name": "Puppet"},
    "language_info": {"name": "puppet", "file_extension": ".pp", "pygments_lexer": "puppet"},
}
ERROR = new_output("error", ename="FAILED", evalue="no", traceback=["\x1b[1;31merror: \x1b[0mno", "here"])


def export_cell(source: str, **fields: Any) -> str:
    """Return the manifest of a notebook with one cell."""
    return to_manifest([new_code_cell(source, **fields)])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("notice(1)", "notice(1)\n"),
        ("%both notice(1)", "# %both notice(1)\n"),
        ("%step notice(1)", "# %step notice(1)\n"),
        ("%catalog", "# %catalog\n"),
        (
            "# first\n%facts debian-12\n?join\nnotice(1)",
            "# first\n# %facts debian-12\n# ?join\nnotice(1)\n",
        ),
        ("%time notice(1)", "# %time\nnotice(1)\n"),
        ("%both $q = 1 $q", "# %both $q = 1 $q\n"),
        ("%both\n$q = 1\n$q", "# %both\n# $q = 1\n# $q\n"),
        ("%step 1 + 1", "# %step 1 + 1\n"),
        ("%format file{'/a':}\n", "# %format file{'/a':}\n"),
        ("1 + 1", "# 1 + 1\n"),
        ("$a = 1\n$a\n# about\n[\n  $a,\n]", "$a = 1\n# $a\n# about\n# [\n#   $a,\n# ]\n"),
        ("$a = 1 $a notice($a)", "$a = 1 \n# $a \nnotice($a)\n"),
        ("if true { 1 }", "# if true { 1 }\n"),
        ("[1].map |$x| { $x }", "[1].map |$x| { $x }\n"),
        ("$a = = 1\n\n$b", "# $a = = 1\n\n# $b\n"),
        ("@notify { 'a': }\nnotice(1)", "@notify { 'a': }\nnotice(1)\n"),
        ("", "\n"),
    ],
)
def test_a_cell_is_converted_to_a_manifest(source: str, expected: str) -> None:
    assert export_cell(source) == expected
    parse(expected, dialect=PUPPET)


def test_a_failed_cell_is_a_comment() -> None:
    assert export_cell("$a = 1\nfail('no')", outputs=[ERROR]) == "# $a = 1\n# fail('no')\n"


def test_injected_parameters_replace_the_defaults() -> None:
    cells = [
        new_markdown_cell("# Title\nwords"),
        new_code_cell("$port = 80 # where"),
        new_code_cell("# Parameters\n$port = 8080\n$more = 1"),
        new_code_cell("notice($port)"),
    ]
    expected = "# Title\n# words\n\n$port = 8080 # where\n$more = 1\n\nnotice($port)\n"
    assert to_manifest(cells) == expected


def find_settings(cells: list[Any]) -> dict[str, Any]:
    """Return the settings that the commands of a notebook make: modules, data, and the node."""
    fields = {"%modulepath": "modulepath", "%hiera": "hiera_config", "%node": "node"}
    commands = [cell.source.split() for cell in cells if cell.source.startswith(tuple(fields))]
    values: dict[str, Any] = {fields[command]: argument for command, argument in commands}
    return values | ({"modulepath": values["modulepath"].split(":")} if "modulepath" in values else {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_manifest_of_a_notebook_has_the_same_catalog(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    cells = nbformat.read(path, 4).cells
    settings = find_settings(cells)
    # some cells use unknown variables, which only in later versions are errors
    cell_by_cell, at_once = Session("puppet7", interactive=True, **settings), Session("puppet7", **settings)
    for cell in cells:
        if cell.cell_type == "code" and not cell.source.startswith("%"):
            cell_by_cell.run(cell.source)
    assert at_once.run(to_manifest(cells)).error is None
    assert at_once.catalog().summary() == cell_by_cell.catalog().summary()


def convert(to: str, folder: Path) -> tuple[str, str]:
    """Return the converted notebook of a folder, and the extension of its file.

    Args:
        to: The name of the exporter of nbconvert.
    """
    body, resources = get_exporter(to)().from_filename(str(folder / "a.ipynb"))
    return body, resources["output_extension"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the notebook `a.ipynb`."""
    output = {"text/plain": "1", "text/html": "<b>1</b>", "text/markdown": "```puppet\n1\n```"}
    cells = [
        new_markdown_cell("# Title"),
        new_code_cell("$a = 1", outputs=[new_output("execute_result", output, execution_count=1)]),
        new_code_cell("%catalog"),
        new_code_cell("fail('no')", outputs=[ERROR]),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), tmp_path / "a.ipynb")
    return tmp_path


def test_nbconvert_writes_a_manifest(folder: Path) -> None:
    assert convert("script", folder) == ("# Title\n\n$a = 1\n\n# %catalog\n\n# fail('no')\n", ".pp")


def test_nbconvert_writes_markdown(folder: Path) -> None:
    output, _ = convert("puppet-markdown", folder)
    blocks = [block.strip("\n") for block in output.split("\n\n") if block.strip()]
    assert blocks == [
        "# Title",
        "```puppet\n$a = 1\n```",
        "```puppet\n1\n```",
        "```puppet\n%catalog\n```",
        "```puppet\nfail('no')\n```",
        "```\nerror: no\nhere\n```",
    ]


def test_nbconvert_writes_html_with_highlighted_code(folder: Path) -> None:
    output, _ = convert("html", folder)
    assert '<span class="nv">$a</span>' in output
    assert "<b>1</b>" in output


def test_jupytext_writes_and_reads_manifests(folder: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "puppet_kernel.jupyter.percent"]
    subprocess.run([*command, "--to", "pp:percent", "a.ipynb"], cwd=folder, check=True, timeout=120)
    text = (folder / "a.pp").read_text()
    assert "# %% [markdown]\n# # Title\n\n# %%\n$a = 1\n\n# %%\n# %catalog\n" in text
    percent.main(["--to", "ipynb", str(folder / "a.pp"), "--output", str(folder / "b.ipynb")])
    first, second = (nbformat.read(folder / f"{name}.ipynb", 4) for name in "ab")
    assert [cell.source for cell in second.cells] == [cell.source for cell in first.cells]
    assert second.metadata.kernelspec == first.metadata.kernelspec


@pytest.mark.parametrize(
    "source", ["?join", "??notice\n1 + 1", "# don't\n%vars", "# ?join\n# %vars", "'a'\n?b"]
)
def test_jupytext_writes_directives_as_comments_and_reads_them_back(source: str, tmp_path: Path) -> None:
    nbformat.write(new_notebook(cells=[new_code_cell(source)], metadata=METADATA), tmp_path / "a.ipynb")
    percent.main(["--quiet", "--to", "pp:percent", str(tmp_path / "a.ipynb")])
    text = (tmp_path / "a.pp").read_text()
    assert not any(line.startswith(("?", "%")) for line in text.splitlines())
    percent.main(["--quiet", "--to", "ipynb", str(tmp_path / "a.pp"), "--output", str(tmp_path / "b.ipynb")])
    assert [cell.source for cell in nbformat.read(tmp_path / "b.ipynb", 4).cells] == [source]


def test_jupytext_reads_a_manifest_without_its_metadata(folder: Path) -> None:
    (folder / "c.pp").write_text("# %%\nnotice(1)\n\n# %%\nnotice(2)\n")
    percent.main(["--to", "ipynb", str(folder / "c.pp")])
    assert [cell.source for cell in nbformat.read(folder / "c.ipynb", 4).cells] == ["notice(1)", "notice(2)"]


def test_cells_remain_separate_statements() -> None:
    """A cell that begins with a bracket, a slash or a minus would continue the cell that precedes it."""
    sources = ["$a = undef", "{ k => 1 }.notice", "/x/.notice", "# said\n[1].each |$n| { notice($n) }"]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    text = to_manifest(cells)
    assert (
        text == "$a = undef\n\n;{ k => 1 }.notice\n\n;/x/.notice\n\n# said\n;[1].each |$n| { notice($n) }\n"
    )
    assert [line.message for line in Session("puppet").run(text).logs] == ["{k => 1}", "/x/", "1"]
