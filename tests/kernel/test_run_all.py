"""*Run All* on a running kernel has the same outputs as on a new one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import OUTPUT_TYPES, ROOT, Outputs, execute, open_kernel
from nbformat.v4 import output_from_msg

NOTEBOOKS = ROOT / "notebooks"


def read_code_cells(path: Path) -> dict[str, str]:
    """Return the code cells of a notebook by their identities."""
    cells = json.loads(path.read_text())["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


class Page:
    """A notebook whose cells run one after the other."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.outputs = Outputs()

    def run(self, name: str, code: str) -> None:
        """Run a cell."""
        self.outputs.by_cell[name] = []
        for message in execute(self.client, code, {"cellId": name}).messages:
            self.outputs.apply(name, message)

    def run_all(self, cells: dict[str, str]) -> dict[str, str]:
        """Run all cells in order and return the final output of each."""
        for name, code in cells.items():
            self.run(name, code)
        return {name: self.outputs.render(name) for name in cells}


@pytest.fixture(scope="module")
def client_in_notebooks() -> Iterator[BlockingKernelClient]:
    """Yield the client of a kernel whose working directory has the notebooks."""
    with open_kernel(folder=NOTEBOOKS) as (_, client):
        yield client


# tests/test_notebooks.py and a test below compare the outputs with the saved ones.
# The cells of the reference, and of lessons on expressions, are independent, so that they add nothing here.
LESSONS_WITH_INDEPENDENT_CELLS = ("02", "03", "04")


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
        if not path.name.startswith(LESSONS_WITH_INDEPENDENT_CELLS)
    ],
    ids=lambda path: path.stem,
)
def test_a_notebook_that_runs_twice_has_the_same_outputs(
    client_in_notebooks: BlockingKernelClient, path: Path
) -> None:
    execute(client_in_notebooks, "%reset", store_history=False)
    page, cells = Page(client_in_notebooks), read_code_cells(path)
    first, second = page.run_all(cells), page.run_all(cells)
    for name in cells:
        assert second[name] == first[name], f"{name}: {cells[name]}"


def test_commands_settings_and_failures_that_run_twice_have_the_same_outputs(page: Page) -> None:
    """No output is marked as old after the second run."""
    cells = {
        "a": "$port = 80",
        "b": "fail('no')",
        "c": "notify { 'n': message => $port }",
        "d": "%graph",
        "e": "%catalog --json",
        "f": "$trusted['certname']",
        "g": "%node web01",
        "h": "$trusted['certname']",
        "i": "Notify['n'] -> Notify['m']",
        "j": "notify { 'm': }",
        "k": "%catalog",
        "l": "%undo",
        "m": "%redo",
        "n": "%cells",
        "o": "%check",
    }
    first = page.run_all(cells)
    page.run("p", "$later = 1")
    second = page.run_all(cells)
    del first["n"], second["n"]  # Its output contains times.
    assert second == first


@pytest.fixture
def page(client: BlockingKernelClient, new_session: None) -> Page:
    """Return a notebook on a new session."""
    return Page(client)


def test_an_edit_above_marks_old_views_and_redraws_other_outputs(page: Page) -> None:
    cells = {"a": "$port = 80", "b": "notify { 'n': message => $port }", "g": "%graph", "c": "$late = 1"}
    page.run_all(cells)
    first_graph = page.outputs.render("g")
    page.run("c", "$late = 2")
    assert page.outputs.render("g") == first_graph
    page.run("a", "$port = 90")
    assert "90" in page.outputs.render("b") and "old" in page.outputs.render("g")
    page.run("u", "%undo")
    assert "80" in page.outputs.render("b") and page.outputs.render("g") == first_graph


@pytest.fixture(scope="module")
def released_client() -> Iterator[BlockingKernelClient]:
    """Yield the client of a kernel of the released Puppet beside the notebooks of the specification."""
    with open_kernel("puppet-released", folder=NOTEBOOKS / "specification") as (_, client):
        yield client


def split_outputs(outputs: Iterable[Any]) -> tuple[dict[str, str], list[Any]]:
    """Return the text of each stream of a cell, and its other outputs without execution counts."""
    streams: dict[str, str] = {}
    others = []
    for output in outputs:
        if output.output_type == "stream":
            streams[output.name] = streams.get(output.name, "") + output.text
        else:
            others.append({**output, "execution_count": None})
    return streams, others


@pytest.mark.parametrize(
    "path", sorted((NOTEBOOKS / "specification").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_a_notebook_with_a_dialect_has_the_same_outputs_in_the_kernel_of_the_other(
    released_client: BlockingKernelClient, path: Path
) -> None:
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            is_compared = "nbval-ignore-output" not in cell.metadata.get("tags", ())
            # On a busy machine the note about the other dialect is omitted: a cell that resets can run again.
            for is_last in (False, True) if cell.source.startswith("%reset") else (True,):
                messages = execute(released_client, cell.source).messages
                outputs = [
                    output_from_msg(message) for message in messages if message["msg_type"] in OUTPUT_TYPES
                ]
                if not is_compared or split_outputs(outputs) == split_outputs(cell.outputs):
                    break
                assert not is_last, (cell.source, split_outputs(outputs), split_outputs(cell.outputs))
