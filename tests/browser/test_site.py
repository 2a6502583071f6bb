"""The site on which the kernel runs in the browser, from files alone and without a network."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from tests.browser.site import Site

ENDLESS = "notice('begun') Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"
NOTEBOOK_IN_LINK = (
    "%23%20%25%25%20[markdown]%0A%23%20Some%20words%0A%0A%23%20%25%25%0A%24x%20%3D%20%27%C3%A9%27"
)


@pytest.fixture(scope="module")
def folder(context: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site that is built once."""
    from tests.browser.site import build_site, find_missing_requirement

    if reason := find_missing_requirement():
        pytest.skip(reason)
    return build_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(params=[True, False], ids=["isolated", "plain"])
def site(request: pytest.FixtureRequest, context: BrowserContext, folder: Path) -> Iterator[Site]:
    """Yield a page of the site; errors in its console fail the test."""
    from tests.browser.site import Site, serve_folder

    with serve_folder(folder, isolated=request.param) as url:
        page = Site(context, url)
        yield page
        page.page.close()
    assert page.errors == []


@pytest.mark.parametrize("site", [True], indirect=True)
def test_a_notebook_has_the_saved_outputs_and_an_endless_cell_is_interrupted(site: Site) -> None:
    from puppet_kernel.site import NOTEBOOKS
    from tests.browser.site import compare_notebook

    count, _, differences = compare_notebook(site, NOTEBOOKS / "01-first-steps.ipynb")
    assert count > 30 and differences == []
    assert "notice" in site.get_reply("Complete", code="noti", cursor_pos=4)["matches"]
    assert site.get_reply("Inspect", code="notice", cursor_pos=6, detail_level=0)["found"]
    assert site.get_reply("IsComplete", code="if true {")["status"] == "incomplete"
    site.run("$kept = 1")
    site.start_code(ENDLESS)
    site.interrupt()
    assert [kind for kind, *_ in site.wait_for_outputs()] == ["stdout", "error"]
    assert site.run("$kept")[0][1]["text/plain"] == "1"


@pytest.mark.parametrize("site", [False], indirect=True)
def test_a_link_contains_a_notebook_and_an_interrupt_restarts_the_kernel(site: Site) -> None:
    site.open_notebook(f"#code={NOTEBOOK_IN_LINK}")
    cells = "() => jupyterapp.shell.currentWidget.context.model.toJSON().cells"
    page = site.page
    page.wait_for_function("jupyterapp.shell.currentWidget.context.model.cells.length === 2")
    loaded_cells = [(cell["cell_type"], cell["source"]) for cell in page.evaluate(cells)]
    assert loaded_cells == [("markdown", "Some words"), ("code", "$x = 'é'")]
    page.evaluate("() => jupyterapp.commands.execute('puppet:copy-link')")
    # test_link.py opens such a link; here it would load Python once more.
    _, _, packed = page.evaluate("() => location.hash").partition("#code=~")
    text = zlib.decompress(urlsafe_b64decode(packed + "=="), wbits=-zlib.MAX_WBITS).decode()
    assert text.strip() == unquote(NOTEBOOK_IN_LINK) and len(packed) < 200

    site.run("$kept = 1")
    site.start_code(ENDLESS)
    site.interrupt()
    outputs = site.wait_for_outputs()
    assert outputs[-1][:2] == ("error", "RESTARTED") and "began anew" in outputs[-1][2]
    assert site.run("$kept")[-1][1]["text/plain"].splitlines()[0] == "undef"
