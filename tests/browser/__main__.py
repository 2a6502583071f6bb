"""`python -m tests.browser FOLDER` writes pictures of all outputs, in every medium and theme, as PNG."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import scenes
from tests.browser.lab import Lab, LabPage, launch_chromium, open_tab
from tests.browser.media import IN_LAB, MEDIA, OUTPUTS, THEMES, open_as_page, open_in_lab, run_scenes

PICTURE_HEIGHT = 1300  # pixels, at most


def write_pictures(page: Page, medium: str, theme: str, folder: Path) -> None:
    """Write pictures of a notebook: one of each graph, and several of the cells after the graphs."""
    outputs = page.locator(OUTPUTS[medium])
    graphs = page.locator(f"{OUTPUTS[medium]}:has(img)")
    for name, number in zip(scenes.GRAPHS, range(graphs.count()), strict=True):
        graphs.nth(number).screenshot(path=folder / f"graph-{name}-{medium}-{theme}.png")
    page.evaluate("scrollTo(0, 0)")
    first, last = graphs.last.bounding_box(), outputs.last.bounding_box()
    assert first is not None and last is not None
    top, bottom = int(first["y"] + first["height"]), int(last["y"] + last["height"]) + 20
    left = first["x"] - 80 if medium in IN_LAB else 0
    for number, y in enumerate(range(top, bottom, PICTURE_HEIGHT)):
        area = {"x": left, "y": y, "width": 1100, "height": min(PICTURE_HEIGHT, bottom - y)}
        page.screenshot(path=folder / f"words-{number}-{medium}-{theme}.png", clip=area, full_page=True)


def main(folder: Path, media: list[str]) -> None:
    """Run the scenes, and write pictures of them.

    Args:
        media: The media of the pictures, from `MEDIA`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        Lab(Path(home)) as lab,
        sync_playwright() as playwright,
        launch_chromium(playwright) as browser,
    ):
        run_scenes(lab)
        context = browser.new_context()
        lab_page = LabPage(open_tab(context, height=30_000), lab)
        for medium in media:
            if medium in IN_LAB:
                open_in_lab(lab_page, medium)
            for theme in THEMES:
                if medium in IN_LAB:
                    lab_page.set_theme(theme)
                    write_pictures(lab_page.page, medium, theme, folder)
                else:
                    with open_as_page(context, lab, medium, theme) as page:
                        write_pictures(page, medium, theme, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(MEDIA))
