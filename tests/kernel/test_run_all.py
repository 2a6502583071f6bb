"""*Run All* on a running kernel has the same outputs as on a fresh one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import ROOT, start
from nbformat.v4 import output_from_msg
from test_protocol import execute

NOTEBOOKS = ROOT / "notebooks"
SHOWN = ("display_data", "execute_result", "stream", "error")


def codes(path: Path) -> dict[str, str]:
    """The code cells of a notebook by their identities."""
    cells = json.loads(path.read_text())["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


class Page:
    """The outputs of each cell as a front end shows them, updates by other cells included."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.outputs: dict[str, list[Any]] = {}

    def run(self, name: str, code: str) -> str:
        """Run a cell and return the output below it."""
        found: list[Any] = []
        self.outputs[name] = found
        for message in execute(self.client, code, {"cellId": name}).messages:
            kind, content = message["msg_type"], message["content"]
            if kind == "clear_output":
                found.clear()
            elif kind == "update_display_data":
                for outputs in self.outputs.values():
                    for number, output in enumerate(outputs):
                        if output.get("transient") == content["transient"]:
                            outputs[number] = content
            elif kind == "stream" and found and found[-1].get("name") == content["name"]:
                found[-1] = {**content, "text": found[-1]["text"] + content["text"]}
            elif kind in SHOWN:
                found.append(content)
        return self.seen(name)

    def seen(self, name: str) -> str:
        """Return the output below a cell, without cell numbers, which increase, and times that `%cells` measured."""
        text = json.dumps(self.outputs[name], ensure_ascii=False)
        text = re.sub(r"\[\d+\]|before \[\d+\]|\[<[^>]*>\d+<[^>]*>\]", "[n]", text)
        return re.sub(r" *[\d,]+(\\*\.\d+)? (s|ms|µs)\b *", " ", text)

    def run_all(self, cells: dict[str, str]) -> dict[str, str]:
        """Run all cells in order and return the final output below each."""
        for name, code in cells.items():
            self.run(name, code)
        return {name: self.seen(name) for name in cells}


@pytest.fixture(scope="module")
def beside_notebooks() -> Iterator[BlockingKernelClient]:
    """A kernel that works where the notebooks are."""
    kernel, client = start(folder=NOTEBOOKS)
    yield client
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


# That the outputs are the saved ones is held by tests/test_notebooks.py and below.
# The cells of the reference, and of lessons on expressions, are independent: they show no more than the others.
INDEPENDENT = ("02", "03", "04")


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")) if not path.name.startswith(INDEPENDENT)],
    ids=lambda path: path.stem,
)
def test_a_notebook_run_twice_shows_the_same(beside_notebooks: BlockingKernelClient, path: Path) -> None:
    execute(beside_notebooks, "%reset", store_history=False)
    page, cells = Page(beside_notebooks), codes(path)
    first, second = page.run_all(cells), page.run_all(cells)
    for name in cells:
        assert second[name] == first[name], f"{name}: {cells[name]}"


def test_commands_settings_and_failures_run_again(notebook_of_its_own: Page) -> None:
    """Also what was shown earlier is as it was: nothing is left that says it were old."""
    page = notebook_of_its_own
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
    del first["n"], second["n"]  # it tells times
    assert second == first


@pytest.fixture
def notebook_of_its_own(client: BlockingKernelClient) -> Page:
    execute(client, "%reset", store_history=False)
    return Page(client)


def test_an_edit_above_marks_what_is_old_and_redraws_the_rest(notebook_of_its_own: Page) -> None:
    page = notebook_of_its_own
    cells = {"a": "$port = 80", "b": "notify { 'n': message => $port }", "g": "%graph", "c": "$late = 1"}
    page.run_all(cells)
    fresh = page.seen("g")
    page.run("c", "$late = 2")
    assert page.seen("g") == fresh
    page.run("a", "$port = 90")
    assert "90" in page.seen("b") and "old" in page.seen("g")
    page.run("u", "%undo")
    assert "80" in page.seen("b") and page.seen("g") == fresh


@pytest.fixture(scope="module")
def released() -> Iterator[BlockingKernelClient]:
    """The kernel of the released Puppet, which works where the notebooks of the specification are."""
    kernel, client = start("puppet-released", folder=NOTEBOOKS / "specification")
    yield client
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


def arrange(outputs: Iterable[Any]) -> tuple[dict[str, str], list[Any]]:
    """Return what is in the streams of a cell, and its other outputs without its number."""
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
def test_a_notebook_that_names_its_dialect_shows_the_same_in_the_kernel_of_the_other(
    released: BlockingKernelClient, path: Path
) -> None:
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            is_compared = "nbval-ignore-output" not in cell.metadata.get("tags", ())
            # On a busy machine a note about the other dialect is left out: a cell that resets can run again.
            for is_last in (False, True) if cell.source.startswith("%reset") else (True,):
                messages = execute(released, cell.source).messages
                outputs = [output_from_msg(one) for one in messages if one["msg_type"] in SHOWN]
                if not is_compared or arrange(outputs) == arrange(cell.outputs):
                    break
                assert not is_last, (cell.source, arrange(outputs), arrange(cell.outputs))
