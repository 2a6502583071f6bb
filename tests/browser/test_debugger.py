"""JupyterLab's debugger on Puppet: the user sets a breakpoint, inspects, steps into a module, and continues."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from tests.browser.lab import Desk, Lab, Notebook

CELL = "$a = [1, 2]\n$b = $a + [3]\ninclude web\n$c = $web::url"
CLASS = 'class web($port = 80) {\n  $url = "http://x:${port}"\n  notify { $url: }\n}\n'


@pytest.fixture
def desk(context: BrowserContext, lab: Lab) -> Iterator[Desk]:
    """JupyterLab in a page of its own.

    Once the debugger was used there, JupyterLab asks each kernel about it, and complains when a notebook that is
    closed takes the answer with it.
    """
    from tests.browser.lab import Desk, window

    complaints: list[str] = []
    page = window(context, complaints)
    yield Desk(page, lab)
    page.close()
    assert not complaints


class Panel:
    """The debugger at the side of a notebook."""

    def __init__(self, desk: Desk, notebook: Notebook) -> None:
        self.desk = desk
        self.notebook = notebook
        self.side = desk.page.locator(".jp-DebuggerSidebar")
        self.button = desk.page.locator(".jp-DebuggerBugButton")
        self.stack = self.side.locator(".jp-DebuggerCallstack")
        self.variables = self.side.locator(".jp-DebuggerVariables")

    def start(self) -> None:
        """Presses the button above the notebook."""
        expect(self.button).to_have_attribute("aria-disabled", "false")  # else the click is lost
        self.button.click()
        expect(self.button).to_have_attribute("aria-pressed", "true")

    def restart(self) -> None:
        """Switch the debugger off and on.

        JupyterLab loses count of the button's state when it is pressed while the kernel still starts, so that one more
        click may be needed. The margins of the lines show the true state.
        """
        margins = self.desk.page.locator(".jp-NotebookPanel:visible .cm-breakpoint-gutter")
        for is_on in (False, True):
            for _ in range(3):
                self.button.click()
                with suppress(AssertionError):
                    if is_on:
                        expect(margins).not_to_have_count(0, timeout=5000)
                    else:
                        expect(margins).to_have_count(0, timeout=5000)
                    break

    def stop_at(self, cell: int, line: int) -> None:
        """Set a breakpoint with a click beside a line, and wait until the debugger lists it.

        A click that comes before the page has made the margin of the lines ready is lost; one that comes before
        JupyterLab has taken over the kernel's debugger shows in the margin only, until the debugger is started again.
        JupyterLab sends the breakpoint to the kernel in three requests, one after the other, and lists it when all are
        answered; a cell that is run before may have ended by then.
        """
        self.notebook.enter(cell)
        # the first element is CodeMirror's hidden spacer, so that the index is the line's number
        margin = self.notebook.cell(cell).locator(".cm-breakpoint-gutter .cm-gutterElement").nth(line)
        listed = self.side.locator(".jp-DebuggerBreakpoint-line")
        icon = margin.locator('[class*="breakpoint-icon"]')
        for _ in range(5):
            if icon.count() == 0:
                margin.click()
            with suppress(AssertionError):
                expect(icon).to_have_count(1, timeout=3000)
                expect(listed).to_have_text([str(line)], timeout=10_000)
                return
            self.restart()
        expect(listed).to_have_text([str(line)])

    def press(self, title: str) -> None:
        """Presses a button above the stack."""
        self.side.locator(f'[title^="{title}"]').first.click()

    def stopped(self, *frames: str) -> None:
        """Waits until the stack is this."""
        rows = self.stack.locator("li")
        expect(rows).to_have_count(len(frames))
        for place, words in enumerate(frames):
            expect(rows.nth(place)).to_contain_text(words)


def test_a_cell_and_a_module_are_debugged(desk: Desk) -> None:
    file = desk.lab.folder / "modules" / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text(CLASS)
    notebook = desk.open("debugged.ipynb", "%modulepath modules", CELL, "$b")
    notebook.run(1, 1)
    panel = Panel(desk, notebook)
    panel.start()
    panel.stop_at(2, 3)
    notebook.run(2, None)
    panel.stopped("cell [2]")
    expect(panel.stack).to_contain_text(".pp:3")
    expect(panel.variables).to_contain_text("[1, 2, 3]  # Array[Integer]")
    panel.press("Step In")
    panel.stopped("class web", "cell [2]")
    expect(panel.stack).to_contain_text("init.pp:2")
    expect(panel.variables).to_contain_text("$port")
    expect(desk.page.locator(".jp-MainAreaWidget:visible .cm-content")).to_contain_text("class web")
    panel.press("Next")
    expect(panel.stack).to_contain_text("init.pp:3")
    expect(panel.variables).to_contain_text("'http://x:80'")
    panel.press("Evaluate")
    prompt = desk.page.locator(".jp-CodeConsole-promptCell .cm-content")
    prompt.click()
    desk.page.keyboard.insert_text('"${port} and ${url}"')
    desk.page.keyboard.press("Shift+Enter")
    expect(desk.page.locator(".jp-CodeConsole-content")).to_contain_text("'80 and http://x:80'")
    panel.press("Continue")
    expect(panel.stack.locator("li")).to_have_count(0)
    desk.command("docmanager:open", path="debugged.ipynb")
    notebook.counted(2, 2)
    expect(notebook.output(2)).to_contain_text("'http://x:80'")
    notebook.run(3, 3)
    expect(notebook.output(3)).to_contain_text("[1, 2, 3]")
    expect(panel.variables).to_contain_text("$c")
