"""JupyterLab in a browser: a server in a temporary folder, and a notebook that is open."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, expect

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
WAIT = 20_000  # milliseconds; an idle machine takes much less
# Without dialogs that a user must close, and with all cells in the page, also those outside of the window.
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}
READY = """async () => {
    const { context, sessionContext } = jupyterapp.shell.currentWidget;
    await context.ready;
    await sessionContext.ready;
    await sessionContext.session.kernel.info;
}"""
CLOSE = """async () => {
    for (const widget of Array.from(jupyterapp.shell.widgets('main'))) {
        await widget.sessionContext?.shutdown();
        widget.dispose();
    }
}"""
KERNEL = {"name": "puppet", "display_name": "Puppet", "language": "puppet"}


def open_tab(context: BrowserContext, width: int = 1280, height: int = 900) -> Page:
    """Return a new page with a view of this size; a new window takes a second of CPU time."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    return page


def open_tab_with_errors(context: BrowserContext, errors: list[str]) -> Page:
    """Return a new page that adds errors in its console to a list, each with its URL."""

    def record_error(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} {message.location.get('url', '')}")

    page = open_tab(context)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", record_error)
    return page


class Lab:
    """A JupyterLab server that serves a folder.

    Args:
        home: The folder with its settings, its kernels and its trusted notebooks.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "notebooks"
        self.folder.mkdir()
        self.token = secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which Jupyter uses this folder."""
        folders = {"CONFIG": "config", "DATA": "data", "RUNTIME": "runtime", "PATH": "share/jupyter"}
        variables = {
            f"JUPYTER_{name}{'' if name == 'PATH' else '_DIR'}": folder for name, folder in folders.items()
        }
        variables |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
        variables |= {"XDG_STATE_HOME": "state", "IPYTHONDIR": "ipython"}
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return {
            **os.environ,
            **{name: str(self.home / folder) for name, folder in variables.items()},
            "PYTHONPATH": path,
        }

    def __enter__(self) -> Lab:
        self.install()
        for plugin, settings in SETTINGS.items():
            file = self.home / "settings" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings))
        port = self.url.rpartition(":")[2]
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
        ]
        command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={self.token}"]
        command += [f"--ServerApp.root_dir={self.folder}", "--LabApp.expose_app_in_browser=True"]
        with (self.home / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--ServerApp.port_retries=0"],
                env=self.environment,
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        try:
            self._wait_until_ready(time.monotonic() + 60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def install(self) -> None:
        """Install the kernels of this checkout in this folder."""
        self.run_module("puppet_kernel", "install", "--prefix", str(self.home))

    def __exit__(self, *problem: object) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _wait_until_ready(self, until: float) -> None:
        """Wait for the server. Raise RuntimeError if it ends, or does not reply in time."""
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.url}/api/status?token={self.token}", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((self.home / "server.log").read_text(errors="replace"))

    def run_module(self, *module: str) -> None:
        """Run a module of Python with the variables of the server, in the folder that it serves."""
        subprocess.run(
            [sys.executable, "-m", *module],
            env=self.environment,
            cwd=self.folder,
            check=True,
            capture_output=True,
            timeout=120,
        )

    def write_notebook(self, name: str, *cells: str) -> None:
        """Write a notebook with these cells of code."""
        (self.folder / name).write_text(json.dumps(make_notebook(*cells)))


def make_notebook(*cells: str) -> dict[str, Any]:
    """Return a notebook with cells of code that have not run."""
    code_cells = [
        {
            "id": f"cell-{number}",
            "cell_type": "code",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(cells, 1)
    ]
    return {"cells": code_cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}


@contextmanager
def launch_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Launch the Chromium of this machine, and close it afterwards."""
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*root, "--disable-dev-shm-usage"])
    try:
        yield browser
    finally:
        browser.close()


class LabPage:
    """JupyterLab in a page, in which notebooks are opened one after the other."""

    def __init__(self, page: Page, lab: Lab) -> None:
        self.page = page
        self.lab = lab
        self.theme = "light"
        page.set_default_timeout(WAIT)
        expect.set_options(timeout=WAIT)
        page.goto(f"{lab.url}/lab?token={lab.token}&reset")
        page.wait_for_function("window.jupyterapp !== undefined")
        page.evaluate("jupyterapp.restored.then(() => null)")

    def run_command(self, name: str, **arguments: Any) -> None:
        """Run the command of an entry in a menu."""
        run = "([name, values]) => jupyterapp.commands.execute(name, values).then(() => null)"
        self.page.evaluate(run, [name, arguments])

    def set_theme(self, theme: str) -> None:
        """Change to the light or the dark theme."""
        if theme != self.theme:
            self.run_command("apputils:change-theme", theme=THEMES[theme])
            expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", THEMES[theme])
            self.theme = theme

    def open_notebook(self, name: str, *cells: str) -> Notebook:
        """Open a notebook, and close all others with their kernels.

        Args:
            cells: The cells of a new notebook; none for one that exists.
        """
        if cells:
            self.lab.write_notebook(name, *cells)
        self.page.evaluate(CLOSE)
        self.run_command("docmanager:open", path=name, kernel=KERNEL)
        self.page.wait_for_function(
            "name => jupyterapp.shell.currentWidget?.context?.path === name", arg=name
        )
        self.wait_for_kernel()
        return Notebook(self.page)

    def wait_for_kernel(self) -> None:
        """Wait until the kernel of the notebook replies."""
        self.page.evaluate(READY)


class Notebook:
    """A notebook that is open in JupyterLab, with a kernel that is ready."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:visible")

    def get_cell(self, number: int) -> Locator:
        """Return a cell by its number, from 1."""
        return self.panel.locator(".jp-Cell").nth(number - 1)

    def get_output(self, number: int) -> Locator:
        """Return the output below a cell."""
        return self.get_cell(number).locator(".jp-OutputArea-output")

    def edit(self, number: int, source: str) -> None:
        """Replace the text of a cell."""
        self.focus(number)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)

    def focus(self, number: int) -> None:
        """Put the cursor at the end of a cell."""
        self.get_cell(number).locator(".cm-content").click()
        expect(self.get_cell(number)).to_have_class(re.compile("jp-mod-active"))
        expect(self.get_cell(number).locator(".cm-editor")).to_have_class(re.compile("cm-focused"))
        self.page.keyboard.press("Control+End")

    def run(self, number: int, count: int | None) -> None:
        """Run a cell.

        Args:
            count: The execution count to wait for; None to not wait.
        """
        self.focus(number)
        self.page.keyboard.press("Control+Enter")
        if count is not None:
            self.wait_for_count(number, count)

    def wait_for_count(self, number: int, count: int) -> None:
        """Wait until the prompt of a cell shows an execution count."""
        prompt = self.get_cell(number).locator(".jp-InputPrompt")
        expect(prompt).to_have_text(f"[{count}]:")
