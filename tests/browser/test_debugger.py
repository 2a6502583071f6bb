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

    from tests.browser.lab import Lab, LabPage, Notebook

CELL = "$a = [1, 2]\n$b = $a + [3]\ninclude web\n$c = $web::url"
CLASS = 'class web($port = 80) {\n  $url = "http://x:${port}"\n  notify { $url: }\n}\n'


@pytest.fixture
def lab_page(context: BrowserContext, lab: Lab) -> Iterator[LabPage]:
    """Yield JupyterLab in a page of its own.

    After the debugger was used in a page, JupyterLab queries the debugger of each kernel, and reports an error if the
    notebook is closed before the reply.
    """
    from tests.browser.lab import LabPage, open_tab_with_errors

    errors: list[str] = []
    page = open_tab_with_errors(context, errors)
    yield LabPage(page, lab)
    page.close()
    assert not errors


class DebuggerPanel:
    """The debugger at the side of a notebook."""

    def __init__(self, lab_page: LabPage, notebook: Notebook) -> None:
        self.lab_page = lab_page
        self.notebook = notebook
        self.side = lab_page.page.locator(".jp-DebuggerSidebar")
        self.button = lab_page.page.locator(".jp-DebuggerBugButton")
        self.stack = self.side.locator(".jp-DebuggerCallstack")
        self.variables = self.side.locator(".jp-DebuggerVariables")

    def start(self) -> None:
        """Press the button above the notebook."""
        expect(self.button).to_have_attribute("aria-disabled", "false")  # Before, a click has no effect.
        self.button.click()
        expect(self.button).to_have_attribute("aria-pressed", "true")

    def restart(self) -> None:
        """Switch the debugger off and on.

        If the button is pressed while the kernel starts, JupyterLab confuses the state of the button, so that one more
        click may be needed. The margins of the lines show the true state.
        """
        margins = self.lab_page.page.locator(".jp-NotebookPanel:visible .cm-breakpoint-gutter")
        for is_on in (False, True):
            for _ in range(3):
                self.button.click()
                with suppress(AssertionError):
                    if is_on:
                        expect(margins).not_to_have_count(0, timeout=5000)
                    else:
                        expect(margins).to_have_count(0, timeout=5000)
                    break

    def set_breakpoint(self, cell: int, line: int) -> None:
        """Set a breakpoint with a click beside a line, and wait until the debugger lists it.

        A click before the page has made the margin of the lines ready is lost. A click before JupyterLab has attached
        to the debugger of the kernel shows in the margin only, until the debugger is started again. JupyterLab sends
        the breakpoint to the kernel in three requests, one after the other, and lists it when all have replies; a cell
        that runs before may have ended by then.
        """
        self.notebook.focus(cell)
        # The first element is CodeMirror's hidden spacer, so that the index is the number of the line.
        margin = self.notebook.get_cell(cell).locator(".cm-breakpoint-gutter .cm-gutterElement").nth(line)
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
        """Press a button above the stack."""
        self.side.locator(f'[title^="{title}"]').first.click()

    def wait_for_stack(self, *frames: str) -> None:
        """Wait until the stack has these frames."""
        rows = self.stack.locator("li")
        expect(rows).to_have_count(len(frames))
        for index, text in enumerate(frames):
            expect(rows.nth(index)).to_contain_text(text)


def test_a_cell_and_a_module_are_debugged(lab_page: LabPage) -> None:
    file = lab_page.lab.folder / "modules" / "web" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text(CLASS)
    notebook = lab_page.open_notebook("debugged.ipynb", "%modulepath modules", CELL, "$b")
    notebook.run(1, 1)
    panel = DebuggerPanel(lab_page, notebook)
    panel.start()
    panel.set_breakpoint(2, 3)
    notebook.run(2, None)
    panel.wait_for_stack("cell [2]")
    expect(panel.stack).to_contain_text(".pp:3")
    expect(panel.variables).to_contain_text("[1, 2, 3]  # Array[Integer]")
    panel.press("Step In")
    panel.wait_for_stack("class web", "cell [2]")
    expect(panel.stack).to_contain_text("init.pp:2")
    expect(panel.variables).to_contain_text("$port")
    expect(lab_page.page.locator(".jp-MainAreaWidget:visible .cm-content")).to_contain_text("class web")
    panel.press("Next")
    expect(panel.stack).to_contain_text("init.pp:3")
    expect(panel.variables).to_contain_text("'http://x:80'")
    panel.press("Evaluate")
    prompt = lab_page.page.locator(".jp-CodeConsole-promptCell .cm-content")
    prompt.click()
    lab_page.page.keyboard.insert_text('"${port} and ${url}"')
    lab_page.page.keyboard.press("Shift+Enter")
    expect(lab_page.page.locator(".jp-CodeConsole-content")).to_contain_text("'80 and http://x:80'")
    panel.press("Continue")
    expect(panel.stack.locator("li")).to_have_count(0)
    lab_page.run_command("docmanager:open", path="debugged.ipynb")
    notebook.wait_for_count(2, 2)
    expect(notebook.get_output(2)).to_contain_text("'http://x:80'")
    notebook.run(3, 3)
    expect(notebook.get_output(3)).to_contain_text("[1, 2, 3]")
    expect(panel.variables).to_contain_text("$c")
