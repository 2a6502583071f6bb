"""The site on which the kernel runs in the browser: with nothing but files, and no network."""

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

RUN_AWAY = "notice('begun') Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"
LINKED = "%23%20%25%25%20[markdown]%0A%23%20Some%20words%0A%0A%23%20%25%25%0A%24x%20%3D%20%27%C3%A9%27"


@pytest.fixture(scope="module")
def folder(context: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site, built once."""
    from tests.browser.site import built, missing

    if reason := missing():
        pytest.skip(reason)
    return built(tmp_path_factory.mktemp("site"))


@pytest.fixture(params=[True, False], ids=["isolated", "plain"])
def site(request: pytest.FixtureRequest, context: BrowserContext, folder: Path) -> Iterator[Site]:
    """A page of the site, whose complaints fail the test."""
    from tests.browser.site import Site, served

    with served(folder, isolated=request.param) as url:
        page = Site(context, url)
        yield page
        page.page.close()
    assert page.complaints == []


@pytest.mark.parametrize("site", [True], indirect=True)
def test_a_notebook_shows_what_is_saved_in_it_and_what_runs_away_is_stopped(site: Site) -> None:
    from puppet_kernel.site import NOTEBOOKS
    from tests.browser.site import compared

    count, _, differ = compared(site, NOTEBOOKS / "01-first-steps.ipynb")
    assert count > 30 and differ == []
    assert "notice" in site.ask("Complete", code="noti", cursor_pos=4)["matches"]
    assert site.ask("Inspect", code="notice", cursor_pos=6, detail_level=0)["found"]
    assert site.ask("IsComplete", code="if true {")["status"] == "incomplete"
    site.run("$kept = 1")
    site.begun(RUN_AWAY)
    site.interrupt()
    assert [kind for kind, *_ in site.ended()] == ["stdout", "error"]
    assert site.run("$kept")[0][1]["text/plain"] == "1"


@pytest.mark.parametrize("site", [False], indirect=True)
def test_a_link_holds_a_notebook_and_what_cannot_be_stopped_begins_anew(site: Site) -> None:
    site.open(f"#code={LINKED}")
    cells = "() => jupyterapp.shell.currentWidget.context.model.toJSON().cells"
    page = site.page
    page.wait_for_function("jupyterapp.shell.currentWidget.context.model.cells.length === 2")
    shown = [(cell["cell_type"], cell["source"]) for cell in page.evaluate(cells)]
    assert shown == [("markdown", "Some words"), ("code", "$x = 'é'")]
    page.evaluate("() => jupyterapp.commands.execute('puppet:copy-link')")
    # test_link.py reads such a link; to open it here would load Python once more
    _, _, packed = page.evaluate("() => location.hash").partition("#code=~")
    text = zlib.decompress(urlsafe_b64decode(packed + "=="), wbits=-zlib.MAX_WBITS).decode()
    assert text.strip() == unquote(LINKED) and len(packed) < 200

    site.run("$kept = 1")
    site.begun(RUN_AWAY)
    site.interrupt()
    ended = site.ended()
    assert ended[-1][:2] == ("error", "RESTARTED") and "began anew" in ended[-1][2]
    assert site.run("$kept")[-1][1]["text/plain"].splitlines()[0] == "undef"
