"""One notebook in every medium and theme: JupyterLab (trusted and untrusted), nbconvert, and VS Code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import nbformat
from nbconvert.exporters import HTMLExporter
from nbformat.sign import NotebookNotary
from playwright.sync_api import BrowserContext, Page

from tests.browser import scenes, vscode
from tests.browser.lab import WAIT, Lab, LabPage, open_tab

THEMES = ("light", "dark")
IN_LAB = {"trusted": "trusted.ipynb", "untrusted": "untrusted.ipynb"}
PAGES = ("nbconvert", "vscode")
OUTPUTS = {"trusted": ".jp-OutputArea-output", "untrusted": ".jp-OutputArea-output"}
OUTPUTS |= {"nbconvert": ".jp-OutputArea-output", "vscode": ".output"}
MEDIA = tuple(OUTPUTS)

GRAPHS_ARE_LOADED = """(count) => {
    const all = [...document.querySelectorAll('.jp-OutputArea-output img')];
    return all.length === count && all.every((image) => image.complete);
}"""


def run_scenes(lab: Lab) -> None:
    """Write the notebook of all scenes with its outputs, and a trusted copy.

    The outputs of programs of graphs are removed: they are long, and other cells have similar ones.
    """
    for name, text in scenes.FILES.items():
        (lab.folder / name).parent.mkdir(exist_ok=True)
        (lab.folder / name).write_text(text)
    plain, trusted = lab.folder / IN_LAB["untrusted"], lab.folder / IN_LAB["trusted"]
    lab.write_notebook(plain.name, *scenes.list_cells())
    lab.run_module("jupyter", "execute", "--allow-errors", "--inplace", plain.name)
    notebook = json.loads(plain.read_text())
    for cell in notebook["cells"]:
        assert cell["execution_count"], cell["source"]
        if "".join(cell["source"]) in scenes.PROGRAMS:
            assert [output["output_type"] for output in cell["outputs"]] == ["execute_result"]
            cell["outputs"] = []
    sources_of_graphs = [
        cell["source"] for cell in notebook["cells"] if "<img" in json.dumps(cell["outputs"])
    ]
    assert len(sources_of_graphs) == len(scenes.GRAPHS), sources_of_graphs
    plain.write_text(json.dumps(notebook))
    notebook["metadata"]["title"] = "trusted"  # Jupyter trusts a content, not a file: the copies must differ.
    trusted.write_text(json.dumps(notebook))
    notary = NotebookNotary(data_dir=str(lab.home / "data"))
    notary.sign(nbformat.from_dict(notebook))
    notary.store.close()


def open_in_lab(lab_page: LabPage, medium: str) -> None:
    """Open the executed notebook in JupyterLab, trusted or not."""
    lab_page.open_notebook(IN_LAB[medium])
    lab_page.page.wait_for_function(GRAPHS_ARE_LOADED, arg=len(scenes.GRAPHS), timeout=3 * WAIT)


@contextmanager
def open_as_page(context: BrowserContext, lab: Lab, medium: str, theme: str) -> Iterator[Page]:
    """Yield a page with the notebook as nbconvert or VS Code renders it."""
    name = IN_LAB["untrusted"]
    file = lab.folder / f"{medium}-{theme}.html"
    if medium == "nbconvert":
        html, _ = HTMLExporter(theme=theme).from_filename(str(lab.folder / name))
        file.write_text(html, encoding="utf-8")
    else:
        file.write_text(
            vscode.render_page(json.loads((lab.folder / name).read_text()), theme), encoding="utf-8"
        )
    page = open_tab(context, 1100)
    # The page of nbconvert loads scripts from elsewhere.
    page.route("http*://**", lambda route: route.abort())
    page.goto(file.as_uri())
    yield page
    page.close()
