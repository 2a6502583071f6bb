"""`python -m tests.browser FOLDER` draws everything that is looked at, as PNG, in every medium and theme."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import scenes
from tests.browser.lab import Desk, Lab, chromium, open_tab
from tests.browser.media import IN_LAB, MEDIA, OUTPUTS, THEMES, run_scenes, show_in_lab, shown_as_page

HIGH = 1300  # pixels of a picture that are looked at in one piece


def draw(page: Page, medium: str, theme: str, folder: Path) -> None:
    """Pictures of the notebook: each graph, and the cells after them in pieces."""
    outputs = page.locator(OUTPUTS[medium])
    graphs = page.locator(f"{OUTPUTS[medium]}:has(img)")
    for name, number in zip(scenes.GRAPHS, range(graphs.count()), strict=True):
        graphs.nth(number).screenshot(path=folder / f"graph-{name}-{medium}-{theme}.png")
    page.evaluate("scrollTo(0, 0)")
    first, last = graphs.last.bounding_box(), outputs.last.bounding_box()
    assert first is not None and last is not None
    top, bottom = int(first["y"] + first["height"]), int(last["y"] + last["height"]) + 20
    left = first["x"] - 80 if medium in IN_LAB else 0
    for number, y in enumerate(range(top, bottom, HIGH)):
        area = {"x": left, "y": y, "width": 1100, "height": min(HIGH, bottom - y)}
        page.screenshot(path=folder / f"words-{number}-{medium}-{theme}.png", clip=area, full_page=True)


def main(folder: Path, media: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        Lab(Path(home)) as lab,
        sync_playwright() as playwright,
        chromium(playwright) as browser,
    ):
        run_scenes(lab)
        context = browser.new_context()
        desk = Desk(open_tab(context, height=30_000), lab)
        for medium in media:
            if medium in IN_LAB:
                show_in_lab(desk, medium)
            for theme in THEMES:
                if medium in IN_LAB:
                    desk.wear(theme)
                    draw(desk.page, medium, theme, folder)
                else:
                    with shown_as_page(context, lab, medium, theme) as page:
                        draw(page, medium, theme, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(MEDIA))
