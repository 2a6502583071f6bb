"""One notebook in every medium, light and dark: JupyterLab, trusted and not, nbconvert's page, outputs in VS Code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import nbformat
from nbconvert.exporters import HTMLExporter
from nbformat.sign import NotebookNotary
from playwright.sync_api import BrowserContext, Page

from tests.browser import scenes, vscode
from tests.browser.lab import WAIT, Desk, Lab, open_tab

THEMES = ("light", "dark")
IN_LAB = {"trusted": "trusted.ipynb", "untrusted": "untrusted.ipynb"}
PAGES = ("nbconvert", "vscode")
OUTPUTS = {"trusted": ".jp-OutputArea-output", "untrusted": ".jp-OutputArea-output"}
OUTPUTS |= {"nbconvert": ".jp-OutputArea-output", "vscode": ".output"}
MEDIA = tuple(OUTPUTS)

DRAWN = """(count) => {
    const all = [...document.querySelectorAll('.jp-OutputArea-output img')];
    return all.length === count && all.every((image) => image.complete);
}"""


def run_scenes(lab: Lab) -> None:
    """Makes the notebook of all scenes with its outputs, and one that is trusted.

    What the programs of graphs add to the catalog is long and not looked at; other cells show the like.
    """
    for name, text in scenes.FILES.items():
        (lab.folder / name).parent.mkdir(exist_ok=True)
        (lab.folder / name).write_text(text)
    plain, trusted = lab.folder / IN_LAB["untrusted"], lab.folder / IN_LAB["trusted"]
    lab.write(plain.name, *scenes.cells())
    lab.run("jupyter", "execute", "--allow-errors", "--inplace", plain.name)
    made = json.loads(plain.read_text())
    for cell in made["cells"]:
        assert cell["execution_count"], cell["source"]
        if "".join(cell["source"]) in scenes.PROGRAMS:
            assert [output["output_type"] for output in cell["outputs"]] == ["execute_result"]
            cell["outputs"] = []
    drawn = [cell["source"] for cell in made["cells"] if "<img" in json.dumps(cell["outputs"])]
    assert len(drawn) == len(scenes.GRAPHS), drawn
    plain.write_text(json.dumps(made))
    made["metadata"]["title"] = "trusted"  # what is trusted is the content, whatever the file is called
    trusted.write_text(json.dumps(made))
    notary = NotebookNotary(data_dir=str(lab.home / "data"))
    notary.sign(nbformat.from_dict(made))
    notary.store.close()


def show_in_lab(desk: Desk, medium: str) -> None:
    """Opens the notebook that was run, trusted or not."""
    desk.open(IN_LAB[medium])
    desk.page.wait_for_function(DRAWN, arg=len(scenes.GRAPHS), timeout=3 * WAIT)


@contextmanager
def shown_as_page(context: BrowserContext, lab: Lab, medium: str, theme: str) -> Iterator[Page]:
    """A page with the notebook as nbconvert or VS Code shows it."""
    name = IN_LAB["untrusted"]
    file = lab.folder / f"{medium}-{theme}.html"
    if medium == "nbconvert":
        html, _ = HTMLExporter(theme=theme).from_filename(str(lab.folder / name))
        file.write_text(html, encoding="utf-8")
    else:
        file.write_text(vscode.page(json.loads((lab.folder / name).read_text()), theme), encoding="utf-8")
    page = open_tab(context, 1100)
    page.route(
        "http*://**", lambda route: route.abort()
    )  # what the page of nbconvert would take from elsewhere
    page.goto(file.as_uri())
    yield page
    page.close()
