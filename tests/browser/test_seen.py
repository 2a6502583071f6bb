"""Every medium is readable: contrast, nothing cut, nothing wider than the page, tooltips everywhere."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")

from tests.browser import scenes
from tests.browser.lab import open_tab
from tests.browser.media import IN_LAB, OUTPUTS, PAGES, THEMES, run_scenes, show_in_lab, shown_as_page
from tests.browser.seen import ENOUGH, cut, faint, picture_texts, small, too_wide

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.browser.lab import Desk, Lab


@pytest.fixture(scope="module")
def shown(lab: Lab) -> Lab:
    """The server, in whose folder is the notebook of all scenes."""
    run_scenes(lab)
    return lab


def check(page: Page, medium: str, theme: str) -> None:
    """Check everything that holds for every medium and theme."""
    outputs = OUTPUTS[medium]
    assert faint(page, outputs) == []
    assert cut(page, outputs) == []
    assert too_wide(page) <= 0
    graphs = page.locator(f"{outputs} img")
    assert graphs.count() == len(scenes.GRAPHS)
    assert graphs.evaluate_all(
        "all => all.every((one) => one.naturalWidth > 100 && one.alt.includes('boxes'))"
    )
    assert small(page, f"{outputs} img") == []
    scheme = graphs.first.evaluate("image => getComputedStyle(image).colorScheme")
    assert scheme == theme, "a picture follows the colour scheme of where it stands"
    titles = page.locator(f"{outputs} .puppet-graph").first.locator("[title]")
    told = [title.get_attribute("title") for title in titles.all()]
    assert "Package[nginx], line 1, applied as number 1" in told
    assert "Package[nginx] → File[/etc/nginx/nginx.conf]: ->, line 2" in told


@pytest.mark.parametrize("medium", IN_LAB)
def test_jupyterlab(shown: Lab, desk: Desk, medium: str) -> None:
    show_in_lab(desk, medium)
    trusted = desk.page.evaluate(
        "jupyterapp.shell.currentWidget.content.widgets.every((one) => one.model.trusted)"
    )
    assert trusted == (medium == "trusted")
    for theme in THEMES:
        desk.wear(theme)
        check(desk.page, medium, theme)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("medium", PAGES)
def test_pages(shown: Lab, context: BrowserContext, medium: str, theme: str) -> None:
    with shown_as_page(context, shown, medium, theme) as page:
        check(page, medium, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_letters_in_pictures(shown: Lab, context: BrowserContext, theme: str) -> None:
    notebook = json.loads((shown.folder / IN_LAB["untrusted"]).read_text())
    pictures = [
        "".join(output["data"]["image/svg+xml"])
        for cell in notebook["cells"]
        for output in cell["outputs"]
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) == len(scenes.GRAPHS)
    page = open_tab(context, 2000, 2000)
    for picture in pictures:
        texts = picture_texts(page, picture, theme)
        assert [text for text in texts if text["contrast"] < ENOUGH or not text["inside"]] == []
        in_page = base64.b64encode(picture.encode()).decode()
        assert in_page in json.dumps(notebook), "the page shows the same picture"
    page.close()
