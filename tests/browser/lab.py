"""JupyterLab in a browser: a server of its own in a temporary folder, and a notebook open in it."""

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
WAIT = 20_000  # milliseconds for what takes a moment on an idle machine
# what a person would have to click away, and what makes cells vanish that are not on the screen
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
    """Return a new page with a view of this size: a window of its own would take a second of CPU time."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    return page


def window(context: BrowserContext, complaints: list[str]) -> Page:
    """A page of a wide window; errors in its console are added to `complaints`, each with the URL it is about."""

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"{message.text} {message.location.get('url', '')}")

    page = open_tab(context)
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.on("console", hear)
    return page


class Lab:
    """A JupyterLab server that serves a folder; `home` holds its settings, its kernels and what it trusts."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "notebooks"
        self.folder.mkdir()
        self.token = secrets.token_hex(16)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which Jupyter keeps to this folder."""
        places = {"CONFIG": "config", "DATA": "data", "RUNTIME": "runtime", "PATH": "share/jupyter"}
        own = {f"JUPYTER_{name}{'' if name == 'PATH' else '_DIR'}": place for name, place in places.items()}
        own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
        own |= {"XDG_STATE_HOME": "state", "IPYTHONDIR": "ipython"}
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return {
            **os.environ,
            **{name: str(self.home / place) for name, place in own.items()},
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
            self._answering(time.monotonic() + 60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def install(self) -> None:
        """Makes the kernels of this checkout known here."""
        self.run("puppet_kernel", "install", "--prefix", str(self.home))

    def __exit__(self, *problem: object) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _answering(self, until: float) -> None:
        """Waits for the server. Raises RuntimeError when it ends, or does not answer in time."""
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.url}/api/status?token={self.token}", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((self.home / "server.log").read_text(errors="replace"))

    def run(self, *module: str) -> None:
        """Runs a module of Python with the server's variables, in the folder it serves."""
        subprocess.run(
            [sys.executable, "-m", *module],
            env=self.environment,
            cwd=self.folder,
            check=True,
            capture_output=True,
            timeout=120,
        )

    def write(self, name: str, *cells: str) -> None:
        """Makes a notebook with these cells of code."""
        (self.folder / name).write_text(json.dumps(notebook(*cells)))


def notebook(*cells: str) -> dict[str, Any]:
    """A notebook of code that has not been run."""
    made = [
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
    return {"cells": made, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}


@contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The machine's own browser."""
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*root, "--disable-dev-shm-usage"])
    try:
        yield browser
    finally:
        browser.close()


class Desk:
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

    def command(self, name: str, **arguments: Any) -> None:
        """Does what an entry of a menu does."""
        run = "([name, given]) => jupyterapp.commands.execute(name, given).then(() => null)"
        self.page.evaluate(run, [name, arguments])

    def wear(self, theme: str) -> None:
        """Changes between light and dark."""
        if theme != self.theme:
            self.command("apputils:change-theme", theme=THEMES[theme])
            expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", THEMES[theme])
            self.theme = theme

    def open(self, name: str, *cells: str) -> Notebook:
        """Opens a notebook, a new one when there are cells; any other is closed, and its kernel with it."""
        if cells:
            self.lab.write(name, *cells)
        self.page.evaluate(CLOSE)
        self.command("docmanager:open", path=name, kernel=KERNEL)
        self.page.wait_for_function(
            "name => jupyterapp.shell.currentWidget?.context?.path === name", arg=name
        )
        self.ready()
        return Notebook(self.page)

    def ready(self) -> None:
        """Waits until the notebook's kernel answers."""
        self.page.evaluate(READY)


class Notebook:
    """A notebook that is open in JupyterLab, with a kernel that is ready."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:visible")

    def cell(self, number: int) -> Locator:
        """A cell by its place, from 1."""
        return self.panel.locator(".jp-Cell").nth(number - 1)

    def output(self, number: int) -> Locator:
        """Return the output below a cell."""
        return self.cell(number).locator(".jp-OutputArea-output")

    def edit(self, number: int, source: str) -> None:
        """Writes a new text into a cell."""
        self.enter(number)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)

    def enter(self, number: int) -> None:
        """Puts the cursor at the end of a cell."""
        self.cell(number).locator(".cm-content").click()
        expect(self.cell(number)).to_have_class(re.compile("jp-mod-active"))
        expect(self.cell(number).locator(".cm-editor")).to_have_class(re.compile("cm-focused"))
        self.page.keyboard.press("Control+End")

    def run(self, number: int, count: int | None) -> None:
        """Runs a cell; `count` is the number that its prompt has afterwards, None when that is not to be awaited."""
        self.enter(number)
        self.page.keyboard.press("Control+Enter")
        if count is not None:
            self.counted(number, count)

    def counted(self, number: int, count: int) -> None:
        """Waits until a cell was the one of that count."""
        prompt = self.cell(number).locator(".jp-InputPrompt")
        expect(prompt).to_have_text(f"[{count}]:")
