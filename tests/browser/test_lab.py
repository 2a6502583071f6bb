"""JupyterLab as a user operates it: keys are pressed, and the page is read."""

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
    from tests.browser.lab import Desk

# every cell of code was run, those too whose text is hidden; what `%load` has put below its cell was not
COUNTED = """(most) => {
    const cells = jupyterapp.shell.currentWidget.content.widgets.map((widget) => widget.model);
    const counts = cells.map((cell) => cell.executionCount).filter((count) => count);
    return counts.length === most && counts.every((count, place) => count === place + 1);
}"""
FAILED = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter((widget) => widget.model.type !== 'code' || widget.model.executionCount)
    .flatMap((widget, place) => (widget.model.outputs?.toJSON() ?? [])
        .some((one) => one.output_type === 'error') ? [place + 1] : [])"""
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# That all cells of all notebooks give what is saved, a test holds that has no page. The first notebook has every
# kind of output that any has; the reference is the longest: so many of its cells are run, as each takes the longer the
# more there are. PUPPET_KERNEL_ALL_CELLS=1 runs all notebooks, and all cells.
FIRST, REFERENCE = NOTEBOOKS / "01-first-steps.ipynb", NOTEBOOKS / "reference.ipynb"
ALL_CELLS = bool(os.environ.get("PUPPET_KERNEL_ALL_CELLS"))
LONGEST = 10_000 if ALL_CELLS else 150


def test_a_cell_is_typed_and_its_value_appears(desk: Desk) -> None:
    notebook = desk.open("typed.ipynb", "")
    notebook.enter(1)
    desk.page.keyboard.type("[1, 2, 3].map |$n| { $n * 2 }")
    desk.page.keyboard.press("Shift+Enter")
    notebook.counted(1, 1)
    expect(notebook.output(1)).to_contain_text("[2, 4, 6]")
    expect(notebook.output(1)).to_contain_text("Array[Integer]")


def test_tab_completes_and_shift_tab_tells(desk: Desk) -> None:
    notebook = desk.open("helped.ipynb", "$packages = ['nginx']", "")
    notebook.run(1, 1)
    notebook.enter(2)
    menu = desk.page.locator(".jp-Completer:visible .jp-Completer-item")
    desk.page.keyboard.type("$pack")
    desk.page.keyboard.press("Tab")
    expect(menu).to_have_text([re.compile("packages.*variable")])
    desk.page.keyboard.press("Enter")
    expect(notebook.cell(2).locator(".cm-content")).to_have_text("$packages")
    desk.page.keyboard.type(".ma")
    desk.page.keyboard.press("Tab")
    expect(menu.get_by_text("map", exact=True)).to_be_visible()
    desk.page.keyboard.press("Escape")
    notebook.edit(2, "map")
    desk.page.keyboard.press("Shift+Tab")
    tooltip = desk.page.locator(".jp-Tooltip:visible")
    expect(tooltip).to_contain_text("Return an array of the values of the block for every element")
    expect(tooltip.locator("pre").first).to_contain_text("map(")


def test_an_endless_cell_is_interrupted_and_leaves_nothing(desk: Desk) -> None:
    notebook = desk.open(
        "endless.ipynb",
        "$before = 1",
        "range(1, 9999999).each |$n| { range(1, 9999999).each |$m| { $x = $m } }",
        "$before + 1",
    )
    notebook.run(1, 1)
    notebook.run(2, None)
    expect(notebook.cell(2).locator(".jp-InputPrompt")).to_have_text("[*]:")
    desk.page.keyboard.press("Escape")
    desk.page.keyboard.press("i")
    desk.page.keyboard.press("i")
    notebook.counted(2, 2)
    expect(notebook.output(2)).to_contain_text("Interrupted")
    notebook.run(3, 3)
    expect(notebook.output(3)).to_contain_text("2")


def test_later_outputs_change_in_place(desk: Desk) -> None:
    notebook = desk.open("again.ipynb", "$port = 80", "[$port, 443]", 'notice("at ${port}")\n$port + 1')
    for number in (1, 2, 3):
        notebook.run(number, number)
    expect(notebook.output(2)).to_contain_text("[80, 443]")
    notebook.edit(1, "$port = 8080")
    notebook.run(1, 4)
    expect(notebook.output(2)).to_contain_text("[8080, 443]")
    expect(notebook.cell(3)).to_contain_text("8081")
    expect(notebook.cell(3)).to_contain_text("Notice: at 8080")
    notebook.counted(2, 2)  # it was not run
    notebook.edit(1, "$other = 1")
    notebook.run(1, 5)
    expect(notebook.output(2)).to_contain_text("port")


def test_a_graph_is_drawn(desk: Desk) -> None:
    notebook = desk.open(
        "graph.ipynb", "package { 'nginx': } ~> service { 'nginx': ensure => running }", "%graph"
    )
    notebook.run(1, 1)
    notebook.run(2, 2)
    image = notebook.output(2).locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.complete && image.naturalWidth > 100")
    expect(notebook.output(2).get_by_title("Package[nginx] → Service[nginx]")).to_have_count(1)


def test_restart_forgets_and_run_all_gives_all_again(desk: Desk) -> None:
    notebook = desk.open("restart.ipynb", "$a = [1]", "$a + [2]", "notify { 'x': }", "%vars")
    desk.command("notebook:run-all-cells")
    notebook.counted(4, 4)
    first = [notebook.output(number).all_inner_texts() for number in (1, 2, 3, 4)]
    assert "[1, 2]" in first[1][0]
    desk.command("notebook:run-all-cells")
    notebook.counted(4, 8)
    assert [notebook.output(number).all_inner_texts() for number in (1, 2, 3, 4)] == first
    desk.page.keyboard.press("Escape")
    desk.page.keyboard.press("0")
    desk.page.keyboard.press("0")
    desk.page.get_by_role("button", name="Restart", exact=True).or_(
        desk.page.get_by_role("button", name="Confirm Kernel Restart")
    ).click()
    desk.ready()
    notebook.run(2, 1)
    expect(notebook.cell(2)).to_contain_text("Unknown variable")
    desk.command("notebook:run-all-cells")
    notebook.counted(4, 5)
    again = [notebook.output(number).all_inner_texts() for number in (1, 2, 3, 4)]
    # A page on a busy machine sends the cells one by one; then a note says that the names decided their order.
    note = "\n[2] runs before [3] now: it sets $a"
    assert [[text.replace(note, "") for text in texts] for texts in again] == first


def kinds(path: Path) -> set[tuple[str, ...]]:
    """What a page is given of a notebook: kinds of outputs, with their formats and elements, and tags of cells."""
    found: set[tuple[str, ...]] = set()
    for cell in json.loads(path.read_text())["cells"]:
        found |= {("tag", tag) for tag in cell["metadata"].get("tags", ())}
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            found |= {(output["output_type"], name) for name in ("", *data)}
            found |= {
                ("element", name) for name in re.findall(r"<([a-z]+)", "".join(data.get("text/html", "")))
            }
    return found


def test_the_first_notebook_has_every_kind_of_output() -> None:
    assert set().union(*map(kinds, NOTEBOOKS.glob("*.ipynb"))) == kinds(FIRST)


@pytest.mark.parametrize(
    "path", sorted(NOTEBOOKS.glob("*.ipynb")) if ALL_CELLS else [FIRST, REFERENCE], ids=lambda path: path.stem
)
def test_the_notebooks_run_from_end_to_end(desk: Desk, path: Path) -> None:
    shutil.copytree(NOTEBOOKS, desk.lab.folder, dirs_exist_ok=True)
    notebook = json.loads(path.read_text())
    cells = notebook["cells"] = notebook["cells"][:LONGEST]
    code = [number for number, cell in enumerate(cells, 1) if cell["cell_type"] == "code"]
    failing = [
        number for number in code if "error" in {one["output_type"] for one in cells[number - 1]["outputs"]}
    ]
    for number in code:  # what is seen afterwards comes from this run
        cells[number - 1].update(outputs=[], execution_count=None)
    (desk.lab.folder / path.name).write_text(json.dumps(notebook))
    desk.open(path.name)
    desk.command("notebook:run-all-cells")
    desk.page.wait_for_function(COUNTED, arg=len(code), timeout=300_000, polling=250)
    assert desk.page.evaluate(FAILED) == failing
