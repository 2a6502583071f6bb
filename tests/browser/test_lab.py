"""JupyterLab, used with the keyboard as a user does."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.lab import LabPage

# Every cell of code has run, also those whose text is hidden, except cells that `%load` has inserted.
ALL_CELLS_RAN = """(most) => {
    const cells = jupyterapp.shell.currentWidget.content.widgets.map((widget) => widget.model);
    const counts = cells.map((cell) => cell.executionCount).filter((count) => count);
    return counts.length === most && counts.every((count, place) => count === place + 1);
}"""
FAILED_CELLS = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter((widget) => widget.model.type !== 'code' || widget.model.executionCount)
    .flatMap((widget, place) => (widget.model.outputs?.toJSON() ?? [])
        .some((one) => one.output_type === 'error') ? [place + 1] : [])"""
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# The first notebook has all kinds of outputs; the reference is the longest. Only the first cells of the reference run,
# as each takes the longer the more there are. PUPPET_KERNEL_ALL_CELLS=1 runs all cells of all notebooks;
# tests without a page compare all outputs with the saved ones.
FIRST, REFERENCE = NOTEBOOKS / "01-first-steps.ipynb", NOTEBOOKS / "reference.ipynb"
ALL_CELLS = bool(os.environ.get("PUPPET_KERNEL_ALL_CELLS"))
MOST_CELLS = 10_000 if ALL_CELLS else 150


def test_a_cell_is_typed_and_its_value_appears(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook("typed.ipynb", "")
    notebook.focus(1)
    lab_page.page.keyboard.type("[1, 2, 3].map |$n| { $n * 2 }")
    lab_page.page.keyboard.press("Shift+Enter")
    notebook.wait_for_count(1, 1)
    expect(notebook.get_output(1)).to_contain_text("[2, 4, 6]")
    expect(notebook.get_output(1)).to_contain_text("Array[Integer]")


def test_tab_completes_and_shift_tab_shows_help(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook("helped.ipynb", "$packages = ['nginx']", "")
    notebook.run(1, 1)
    notebook.focus(2)
    menu = lab_page.page.locator(".jp-Completer:visible .jp-Completer-item")
    lab_page.page.keyboard.type("$pack")
    lab_page.page.keyboard.press("Tab")
    expect(menu).to_have_text([re.compile("packages.*variable")])
    lab_page.page.keyboard.press("Enter")
    expect(notebook.get_cell(2).locator(".cm-content")).to_have_text("$packages")
    lab_page.page.keyboard.type(".ma")
    lab_page.page.keyboard.press("Tab")
    expect(menu.get_by_text("map", exact=True)).to_be_visible()
    lab_page.page.keyboard.press("Escape")
    notebook.edit(2, "map")
    lab_page.page.keyboard.press("Shift+Tab")
    tooltip = lab_page.page.locator(".jp-Tooltip:visible")
    expect(tooltip).to_contain_text("Return an array of the values of the block for every element")
    expect(tooltip.locator("pre").first).to_contain_text("map(")


def test_an_endless_cell_is_interrupted_and_rolled_back(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook(
        "endless.ipynb",
        "$before = 1",
        "range(1, 9999999).each |$n| { range(1, 9999999).each |$m| { $x = $m } }",
        "$before + 1",
    )
    notebook.run(1, 1)
    notebook.run(2, None)
    expect(notebook.get_cell(2).locator(".jp-InputPrompt")).to_have_text("[*]:")
    lab_page.page.keyboard.press("Escape")
    lab_page.page.keyboard.press("i")
    lab_page.page.keyboard.press("i")
    notebook.wait_for_count(2, 2)
    expect(notebook.get_output(2)).to_contain_text("Interrupted")
    notebook.run(3, 3)
    expect(notebook.get_output(3)).to_contain_text("2")


def test_outputs_below_an_edit_are_redrawn(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook(
        "again.ipynb", "$port = 80", "[$port, 443]", 'notice("at ${port}")\n$port + 1'
    )
    for number in (1, 2, 3):
        notebook.run(number, number)
    expect(notebook.get_output(2)).to_contain_text("[80, 443]")
    notebook.edit(1, "$port = 8080")
    notebook.run(1, 4)
    expect(notebook.get_output(2)).to_contain_text("[8080, 443]")
    expect(notebook.get_cell(3)).to_contain_text("8081")
    expect(notebook.get_cell(3)).to_contain_text("Notice: at 8080")
    notebook.wait_for_count(2, 2)  # It did not run.
    notebook.edit(1, "$other = 1")
    notebook.run(1, 5)
    expect(notebook.get_output(2)).to_contain_text("port")


def test_a_graph_is_drawn(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook(
        "graph.ipynb", "package { 'nginx': } ~> service { 'nginx': ensure => running }", "%graph"
    )
    notebook.run(1, 1)
    notebook.run(2, 2)
    image = notebook.get_output(2).locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.complete && image.naturalWidth > 100")
    expect(notebook.get_output(2).get_by_title("Package[nginx] → Service[nginx]")).to_have_count(1)


def test_run_all_after_a_restart_has_the_same_outputs(lab_page: LabPage) -> None:
    notebook = lab_page.open_notebook("restart.ipynb", "$a = [1]", "$a + [2]", "notify { 'x': }", "%vars")
    lab_page.run_command("notebook:run-all-cells")
    notebook.wait_for_count(4, 4)
    first = [notebook.get_output(number).all_inner_texts() for number in (1, 2, 3, 4)]
    assert "[1, 2]" in first[1][0]
    lab_page.run_command("notebook:run-all-cells")
    notebook.wait_for_count(4, 8)
    assert [notebook.get_output(number).all_inner_texts() for number in (1, 2, 3, 4)] == first
    lab_page.page.keyboard.press("Escape")
    lab_page.page.keyboard.press("0")
    lab_page.page.keyboard.press("0")
    lab_page.page.get_by_role("button", name="Restart", exact=True).or_(
        lab_page.page.get_by_role("button", name="Confirm Kernel Restart")
    ).click()
    lab_page.wait_for_kernel()
    notebook.run(2, 1)
    expect(notebook.get_cell(2)).to_contain_text("Unknown variable")
    lab_page.run_command("notebook:run-all-cells")
    notebook.wait_for_count(4, 5)
    outputs = [notebook.get_output(number).all_inner_texts() for number in (1, 2, 3, 4)]
    # A page on a busy machine sends the cells one by one; then a note reports that names determined their order.
    note = "\n[2] runs before [3] now: it sets $a"
    assert [[text.replace(note, "") for text in texts] for texts in outputs] == first


def list_output_kinds(path: Path) -> set[tuple[str, ...]]:
    """Return the kinds of outputs of a notebook, with their formats and elements, and the tags of cells."""
    kinds: set[tuple[str, ...]] = set()
    for cell in json.loads(path.read_text())["cells"]:
        kinds |= {("tag", tag) for tag in cell["metadata"].get("tags", ())}
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            kinds |= {(output["output_type"], name) for name in ("", *data)}
            kinds |= {
                ("element", name) for name in re.findall(r"<([a-z]+)", "".join(data.get("text/html", "")))
            }
    return kinds


def test_the_first_notebook_has_every_kind_of_output() -> None:
    assert set().union(*map(list_output_kinds, NOTEBOOKS.glob("*.ipynb"))) == list_output_kinds(FIRST)


@pytest.mark.parametrize(
    "path", sorted(NOTEBOOKS.glob("*.ipynb")) if ALL_CELLS else [FIRST, REFERENCE], ids=lambda path: path.stem
)
def test_all_cells_of_notebooks_run(lab_page: LabPage, path: Path) -> None:
    shutil.copytree(NOTEBOOKS, lab_page.lab.folder, dirs_exist_ok=True)
    notebook = json.loads(path.read_text())
    cells = notebook["cells"] = notebook["cells"][:MOST_CELLS]
    code = [number for number, cell in enumerate(cells, 1) if cell["cell_type"] == "code"]
    failing = [
        number
        for number in code
        if "error" in {output["output_type"] for output in cells[number - 1]["outputs"]}
    ]
    for number in code:  # All outputs in the page are those of this run.
        cells[number - 1].update(outputs=[], execution_count=None)
    (lab_page.lab.folder / path.name).write_text(json.dumps(notebook))
    lab_page.open_notebook(path.name)
    lab_page.run_command("notebook:run-all-cells")
    lab_page.page.wait_for_function(ALL_CELLS_RAN, arg=len(code), timeout=300_000, polling=250)
    assert lab_page.page.evaluate(FAILED_CELLS) == failing
