"""The site on which the kernel runs in the browser: built, served from this machine, and opened in Chromium.

`python -m tests.browser.site [NOTEBOOK …]` runs notebooks there, by default the first eight, compares their outputs
with the saved ones, and prints the time until the first output. PYODIDE names a folder with Pyodide
(`npm pack pyodide`); the network is not used.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from puppet_kernel.site import NOTEBOOKS, build
from tests.browser.lab import launch_chromium, open_tab
from tests.pyodide.distribution import find_missing_pyodide

ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
WAIT = 240_000  # milliseconds; a busy machine takes long to load Python
KERNEL = "jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel"
RUN = f"""async code => {{
    const future = {KERNEL}.requestExecute({{ code, stop_on_error: false }});
    const messages = [];
    future.onIOPub = ({{ header, content }}) => messages.push({{ type: header.msg_type, ...content }});
    await future.done;
    return messages;
}}"""
OUTPUT_TYPES = ("stream", "execute_result", "display_data", "error")
IGNORED = "nbval-ignore-output"  # The tag of cells that display times.


def find_missing_requirement() -> str:
    """Return what this machine lacks for a site, with the remedy; "" if nothing is missing."""
    for module in ("jupyterlite_core", "jupyter_server"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed: pip install -e '.[site]'"
    return find_missing_pyodide()


def build_site(folder: Path) -> Path:
    """Build a site whose pages let tests access the application of JupyterLab."""
    build(folder, pyodide=Path(os.environ["PYODIDE"]))
    settings = folder / "jupyter-lite.json"
    configuration = json.loads(settings.read_text(encoding="utf-8"))
    configuration["jupyter-config-data"]["exposeAppInBrowser"] = True
    settings.write_text(json.dumps(configuration), encoding="utf-8")
    return folder


class FileHandler(SimpleHTTPRequestHandler):
    """A handler that serves files without a log."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }
    more_headers: dict[str, str] = {}  # noqa: RUF012

    def log_message(self, *arguments: object) -> None:
        pass

    def end_headers(self) -> None:
        for name, value in self.more_headers.items():
            self.send_header(name, value)
        super().end_headers()


@contextmanager
def serve_folder(folder: Path, isolated: bool) -> Iterator[str]:
    """Serve a folder, and yield its URL.

    Args:
        isolated: True if pages may share memory with their workers.
    """
    handler = type("Isolated", (FileHandler,), {"more_headers": ISOLATED}) if isolated else FileHandler
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Site:
    """A page of the site.

    Attributes:
        errors: The errors in its console, and its requests to other servers.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.errors: list[str] = []
        self.opened = 0.0
        self.page: Page = open_tab(context)
        self.page.set_default_timeout(WAIT)
        self.page.on("pageerror", lambda problem: self.errors.append(str(problem)))
        self.page.on("console", self._record_error)
        self.page.route(lambda address: not address.startswith(url), self._refuse)

    def _record_error(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def _refuse(self, route: Any) -> None:
        self.errors.append(f"another server: {route.request.url}")
        route.abort()

    def open_notebook(self, path: str) -> None:
        """Open a page of JupyterLab in a new browser context, with a notebook whose kernel answers."""
        self.open_page(path)
        self.page.wait_for_function(f"!!{KERNEL}")

    def open_page(self, path: str) -> None:
        """Open a page of JupyterLab in a new browser context, without waiting for a kernel."""
        self.opened = time.monotonic()
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/lab/index.html{path}")
        self.page.wait_for_function("window.jupyterapp !== undefined")

    def _evaluate(self, function: str, argument: Any = None) -> Any:
        """Return the result of a function in the page; it fails if a kernel never answers."""
        timeout = f"new Promise((_, reject) => setTimeout(() => reject(Error('no answer')), {WAIT}))"
        return self.page.evaluate(f"argument => Promise.race([({function})(argument), {timeout}])", argument)

    def get_reply(self, kind: str, **content: Any) -> Any:
        """Return the reply of the kernel to a request of a kind: `Complete`, `Inspect`, `IsComplete`."""
        request = f"([kind, content]) => {KERNEL}[`request${{kind}}`](content).then(reply => reply.content)"
        return self._evaluate(request, [kind, content])

    def start_code(self, code: str) -> None:
        """Run code until its first stream output; `wait_for_outputs` returns its outputs."""
        self._evaluate(
            f"""async code => {{
            const future = {KERNEL}.requestExecute({{ code }});
            globalThis.messages = [];
            globalThis.done = future.done;
            await new Promise(resolve => {{
                future.onIOPub = ({{ header, content }}) => {{
                    globalThis.messages.push({{ type: header.msg_type, ...content }});
                    if (header.msg_type === 'stream') resolve();
                }};
            }});
        }}""",
            code,
        )

    def interrupt(self) -> None:
        """Interrupt the kernel as the button does."""
        self.page.evaluate(f"() => {KERNEL}.interrupt()")

    def wait_for_outputs(self) -> list[Any]:
        """Return the outputs of the code that was started."""
        return normalize_outputs(self._evaluate("() => globalThis.done.then(() => globalThis.messages)"))

    def run(self, code: str) -> list[Any]:
        """Run code and return its outputs in the form of `normalize_outputs`."""
        return normalize_outputs(self._evaluate(RUN, code))


def normalize_outputs(messages: list[Any]) -> list[Any]:
    """Return the outputs of a cell, with each stream in one piece, and without fields that vary."""
    result: list[Any] = []
    for message in messages:
        kind = message.get("type") or message["output_type"]
        if kind not in OUTPUT_TYPES:
            continue
        if kind == "stream":
            text = "".join(message["text"])
            if result and result[-1][0] == message["name"]:
                text = result.pop()[1] + text
            result.append((message["name"], text))
        elif kind == "error":
            result.append((kind, message["ename"], message["evalue"], message["traceback"]))
        else:
            data = {
                name: "".join(value) if isinstance(value, list) else value
                for name, value in message["data"].items()
            }
            result.append((kind, data))
    return result


def compare_notebook(site: Site, notebook: Path) -> tuple[int, float, list[tuple[str, Any, Any]]]:
    """Open a notebook, run it, and compare its outputs with the saved ones.

    Returns:
        The number of cells, the seconds from opening to the first output, and the cells that differ: source, expected
        outputs, and outputs.
    """
    site.open_notebook(f"?path={notebook.name}")
    seconds = 0.0
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    count, differences = 0, []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        expected, outputs = normalize_outputs(cell["outputs"]), site.run(source)
        seconds = seconds or time.monotonic() - site.opened
        count += 1
        if expected != outputs and IGNORED not in cell["metadata"].get("tags", ()):
            differences.append((source, expected, outputs))
    return count, seconds, differences


def main(names: list[str]) -> int:
    """Run notebooks in the browser and report differences; the exit code is 1 if there are any."""
    notebooks = [NOTEBOOKS / name for name in names] or sorted(NOTEBOOKS.glob("0[1-8]*.ipynb"))
    failures = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_folder(build_site(Path(folder)), isolated=True) as url,
        sync_playwright() as playwright,
        launch_chromium(playwright) as browser,
    ):
        for notebook in notebooks:
            site = Site(browser.new_context(), url)
            count, seconds, differences = compare_notebook(site, notebook)
            print(
                f"{notebook.name}: {count - len(differences)} of {count} cells, first after {seconds:.1f} s",
                flush=True,
            )
            for source, expected, outputs in differences:
                print(f"--- {source}\n  expected {expected}\n  output   {outputs}")
            print(*site.errors, sep="\n", end="\n" if site.errors else "")
            failures += len(differences) + len(site.errors)
            site.page.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
