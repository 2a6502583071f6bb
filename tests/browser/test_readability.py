"""Outputs are readable in every medium: contrast, no cut texts, no wide pages, tooltips in graphs."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")

from tests.browser import scenes
from tests.browser.lab import open_tab
from tests.browser.media import IN_LAB, OUTPUTS, PAGES, THEMES, open_as_page, open_in_lab, run_scenes
from tests.browser.readability import (
    LEAST_CONTRAST,
    find_cut_texts,
    find_faint_texts,
    find_small_letters,
    measure_overflow,
    measure_picture_texts,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.browser.lab import Lab, LabPage


@pytest.fixture(scope="module")
def lab_with_scenes(lab: Lab) -> Lab:
    """Return the server with the notebook of all scenes in its folder."""
    run_scenes(lab)
    return lab


def check_readability(page: Page, medium: str, theme: str) -> None:
    """Check the conditions that all media and themes share."""
    outputs = OUTPUTS[medium]
    assert find_faint_texts(page, outputs) == []
    assert find_cut_texts(page, outputs) == []
    assert measure_overflow(page) <= 0
    graphs = page.locator(f"{outputs} img")
    assert graphs.count() == len(scenes.GRAPHS)
    assert graphs.evaluate_all(
        "all => all.every((one) => one.naturalWidth > 100 && one.alt.includes('boxes'))"
    )
    assert find_small_letters(page, f"{outputs} img") == []
    scheme = graphs.first.evaluate("image => getComputedStyle(image).colorScheme")
    assert scheme == theme, "a picture has the colour scheme of its page"
    titles = page.locator(f"{outputs} .puppet-graph").first.locator("[title]")
    texts = [title.get_attribute("title") for title in titles.all()]
    assert "Package[nginx], line 1, applied as number 1" in texts
    assert "Package[nginx] → File[/etc/nginx/nginx.conf]: ->, line 2" in texts


@pytest.mark.parametrize("medium", IN_LAB)
def test_outputs_are_readable_in_jupyterlab(lab_with_scenes: Lab, lab_page: LabPage, medium: str) -> None:
    open_in_lab(lab_page, medium)
    trusted = lab_page.page.evaluate(
        "jupyterapp.shell.currentWidget.content.widgets.every((one) => one.model.trusted)"
    )
    assert trusted == (medium == "trusted")
    for theme in THEMES:
        lab_page.set_theme(theme)
        check_readability(lab_page.page, medium, theme)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("medium", PAGES)
def test_outputs_are_readable_in_pages(
    lab_with_scenes: Lab, context: BrowserContext, medium: str, theme: str
) -> None:
    with open_as_page(context, lab_with_scenes, medium, theme) as page:
        check_readability(page, medium, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_in_pictures_are_readable(lab_with_scenes: Lab, context: BrowserContext, theme: str) -> None:
    notebook = json.loads((lab_with_scenes.folder / IN_LAB["untrusted"]).read_text())
    pictures = [
        "".join(output["data"]["image/svg+xml"])
        for cell in notebook["cells"]
        for output in cell["outputs"]
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) == len(scenes.GRAPHS)
    page = open_tab(context, 2000, 2000)
    for picture in pictures:
        texts = measure_picture_texts(page, picture, theme)
        assert [text for text in texts if text["contrast"] < LEAST_CONTRAST or not text["inside"]] == []
        encoded = base64.b64encode(picture.encode()).decode()
        assert encoded in json.dumps(notebook), "the page shows the same picture"
    page.close()
