"""One server and one browser for the tests of this folder, and a page for each, whose complaints fail it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.browser.lab import Desk, Lab

NEEDED = {
    "playwright": "pip install -e '.[test]'",
    "jupyterlab": "pip install -e '.[lab]'",
}


def missing(*modules: str) -> str:
    """What tests need that want these modules and this machine lacks, with the way to it; "" when all is there."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed: {NEEDED[module]}"
    from tests.browser.lab import CHROMIUM

    return "" if CHROMIUM else "there is no Chromium: apt-get install chromium"


# JupyterLab asks each kernel about its debugger, and complains when a notebook that is closed takes the answer with it;
# so it does when such a notebook was about to show where the cursor is
OF_CLOSING = re.compile(r"Canceled future for debug_request|reading 'promise'")


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A server of JupyterLab."""
    if reason := missing(*NEEDED):
        pytest.skip(reason)
    from tests.browser.lab import Lab

    with Lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


# While Playwright is awake no other event loop may run in this process: it goes with the last test of the folder.
@pytest.fixture(scope="package")
def context() -> Iterator[BrowserContext]:
    """A window of the machine's own Chromium."""
    if reason := missing("playwright"):
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    from tests.browser.lab import chromium

    with sync_playwright() as playwright, chromium(playwright) as started:
        yield started.new_context()


@pytest.fixture(scope="package")
def complaints() -> list[str]:
    """Return the errors that pages wrote to the console."""
    return []


@pytest.fixture(scope="package")
def page(context: BrowserContext, complaints: list[str]) -> Page:
    """The page that tests share."""
    from tests.browser.lab import window

    return window(context, complaints)


@pytest.fixture(scope="package")
def shared_desk(page: Page, lab: Lab) -> Desk:
    """JupyterLab, which takes seconds to load."""
    from tests.browser.lab import Desk

    return Desk(page, lab)


@pytest.fixture
def desk(shared_desk: Desk, complaints: list[str]) -> Iterator[Desk]:
    """JupyterLab in its light theme; an error in the console while a test runs fails it."""
    shared_desk.wear("light")
    complaints.clear()
    yield shared_desk
    assert not [text for text in complaints if not OF_CLOSING.search(text)]
