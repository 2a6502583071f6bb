"""One server and one browser for the tests of this folder; an error in the console of a page fails its test."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.browser.lab import Lab, LabPage

NEEDED = {
    "playwright": "pip install -e '.[test]'",
    "jupyterlab": "pip install -e '.[lab]'",
}


def find_missing_requirement(*modules: str) -> str:
    """Return the requirement of these modules that this machine lacks, with the remedy; "" if none."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed: {NEEDED[module]}"
    from tests.browser.lab import CHROMIUM

    return "" if CHROMIUM else "there is no Chromium: apt-get install chromium"


# JupyterLab queries the debugger of each kernel, and reports an error if the notebook is closed before the reply, or
# before the notebook has displayed the position of the cursor.
ERRORS_OF_CLOSING = re.compile(r"Canceled future for debug_request|reading 'promise'")


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Yield a server of JupyterLab."""
    if reason := find_missing_requirement(*NEEDED):
        pytest.skip(reason)
    from tests.browser.lab import Lab

    with Lab(tmp_path_factory.mktemp("lab")) as server:
        yield server


# While Playwright runs, no other event loop may run in this process: it ends after the last test of the folder.
@pytest.fixture(scope="package")
def context() -> Iterator[BrowserContext]:
    """Yield a context of the Chromium of this machine."""
    if reason := find_missing_requirement("playwright"):
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    from tests.browser.lab import launch_chromium

    with sync_playwright() as playwright, launch_chromium(playwright) as browser:
        yield browser.new_context()


@pytest.fixture(scope="package")
def errors() -> list[str]:
    """Return the errors that pages wrote to the console."""
    return []


@pytest.fixture(scope="package")
def page(context: BrowserContext, errors: list[str]) -> Page:
    """Return the page that tests share."""
    from tests.browser.lab import open_tab_with_errors

    return open_tab_with_errors(context, errors)


@pytest.fixture(scope="package")
def shared_lab_page(page: Page, lab: Lab) -> LabPage:
    """Return the page with JupyterLab that tests share, as it takes seconds to load."""
    from tests.browser.lab import LabPage

    return LabPage(page, lab)


@pytest.fixture
def lab_page(shared_lab_page: LabPage, errors: list[str]) -> Iterator[LabPage]:
    """Yield JupyterLab in its light theme; an error in the console fails the test."""
    shared_lab_page.set_theme("light")
    errors.clear()
    yield shared_lab_page
    assert not [text for text in errors if not ERRORS_OF_CLOSING.search(text)]
