"""The site on which the kernel runs in the browser: built, served from this machine, and opened in Chromium.

`python -m tests.browser.site [NOTEBOOK …]` runs notebooks there, by default the first eight, compares what they show
with what is saved in them, and tells how long the first cell took. PYODIDE names a folder with Pyodide
(`npm pack pyodide`); nothing is asked of the network.
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
from tests.browser.lab import chromium, open_tab

ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
WAIT = 240_000  # milliseconds: a busy machine takes long to load Python
KERNEL = "jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel"
RUN = f"""async code => {{
    const future = {KERNEL}.requestExecute({{ code, stop_on_error: false }});
    const found = [];
    future.onIOPub = ({{ header, content }}) => found.push({{ type: header.msg_type, ...content }});
    await future.done;
    return found;
}}"""
SHOWN = ("stream", "execute_result", "display_data", "error")
TIMED = "nbval-ignore-output"  # the tag of cells that tell how long something took


def missing() -> str:
    """Return what this machine lacks for a site, with the remedy; "" if nothing is missing."""
    for module in ("jupyterlite_core", "jupyter_server"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed: pip install -e '.[site]'"
    place = os.environ.get("PYODIDE", "")
    if not place or not (Path(place) / "pyodide.mjs").is_file():
        return "PYODIDE names no folder with Pyodide: npm pack pyodide"
    return ""


def built(folder: Path) -> Path:
    """Builds a site, whose pages let a test at their application."""
    build(folder, pyodide=Path(os.environ["PYODIDE"]))
    settings = folder / "jupyter-lite.json"
    told = json.loads(settings.read_text(encoding="utf-8"))
    told["jupyter-config-data"]["exposeAppInBrowser"] = True
    settings.write_text(json.dumps(told), encoding="utf-8")
    return folder


class Files(SimpleHTTPRequestHandler):
    """Serve files without a log."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }
    more: dict[str, str] = {}  # noqa: RUF012

    def log_message(self, *words: object) -> None:
        pass

    def end_headers(self) -> None:
        for name, value in self.more.items():
            self.send_header(name, value)
        super().end_headers()


@contextmanager
def served(folder: Path, isolated: bool) -> Iterator[str]:
    """Serves a folder; pages may share memory with their workers when they are isolated."""
    handler = type("Isolated", (Files,), {"more": ISOLATED}) if isolated else Files
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
    """A page of the site; `complaints` are the errors in its console, and what it wanted from elsewhere."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.opened = 0.0
        self.page: Page = open_tab(context)
        self.page.set_default_timeout(WAIT)
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on("console", self._hear)
        self.page.route(lambda address: not address.startswith(url), self._refuse)

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _refuse(self, route: Any) -> None:
        self.complaints.append(f"not here: {route.request.url}")
        route.abort()

    def open(self, place: str) -> None:
        """Open a page of JupyterLab in a new browser context, with a notebook whose kernel answers."""
        self.look(place)
        self.page.wait_for_function(f"!!{KERNEL}")

    def look(self, place: str) -> None:
        """Open a page of JupyterLab in a new browser context, without waiting for a kernel."""
        self.opened = time.monotonic()
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/lab/index.html{place}")
        self.page.wait_for_function("window.jupyterapp !== undefined")

    def _evaluate(self, function: str, argument: Any = None) -> Any:
        """Return the result of a function in the page; it fails if a kernel never answers."""
        late = f"new Promise((_, reject) => setTimeout(() => reject(Error('no answer')), {WAIT}))"
        return self.page.evaluate(f"argument => Promise.race([({function})(argument), {late}])", argument)

    def ask(self, kind: str, **content: Any) -> Any:
        """Return the reply of the kernel to a request of a kind: `Complete`, `Inspect`, `IsComplete`."""
        ask = f"([kind, content]) => {KERNEL}[`request${{kind}}`](content).then(reply => reply.content)"
        return self._evaluate(ask, [kind, content])

    def begun(self, code: str) -> None:
        """Run code until the kernel is busy with it; `ended` returns its output."""
        self._evaluate(
            f"""async code => {{
            const future = {KERNEL}.requestExecute({{ code }});
            globalThis.found = [];
            globalThis.ended = future.done;
            await new Promise(resolve => {{
                future.onIOPub = ({{ header, content }}) => {{
                    globalThis.found.push({{ type: header.msg_type, ...content }});
                    if (header.msg_type === 'stream') resolve();
                }};
            }});
        }}""",
            code,
        )

    def interrupt(self) -> None:
        """Does what the button does."""
        self.page.evaluate(f"() => {KERNEL}.interrupt()")

    def ended(self) -> list[Any]:
        """Return the output of the code that was begun."""
        return outputs(self._evaluate("() => globalThis.ended.then(() => globalThis.found)"))

    def run(self, code: str) -> list[Any]:
        """Return the output of code, in the form of `outputs`."""
        return outputs(self._evaluate(RUN, code))


def outputs(found: list[Any]) -> list[Any]:
    """Return the output of a cell: streams in one piece each, without what differs from run to run."""
    shown: list[Any] = []
    for one in found:
        kind = one.get("type") or one["output_type"]
        if kind not in SHOWN:
            continue
        if kind == "stream":
            text = "".join(one["text"])
            if shown and shown[-1][0] == one["name"]:
                text = shown.pop()[1] + text
            shown.append((one["name"], text))
        elif kind == "error":
            shown.append((kind, one["ename"], one["evalue"], one["traceback"]))
        else:
            data = {
                name: "".join(value) if isinstance(value, list) else value
                for name, value in one["data"].items()
            }
            shown.append((kind, data))
    return shown


def compared(site: Site, notebook: Path) -> tuple[int, float, list[tuple[str, Any, Any]]]:
    """Opens a notebook and runs it.

    Gives how many cells it has, the seconds from opening to the result of the first, and of those that show something
    else the source, what is due, and what came.
    """
    site.open(f"?path={notebook.name}")
    first = 0.0
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    count, differ = 0, []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        due, got = outputs(cell["outputs"]), site.run(source)
        first = first or time.monotonic() - site.opened
        count += 1
        if due != got and TIMED not in cell["metadata"].get("tags", ()):
            differ.append((source, due, got))
    return count, first, differ


def main(names: list[str]) -> int:
    """Run notebooks in the browser and report differences; the exit code is 1 if there are any."""
    notebooks = [NOTEBOOKS / name for name in names] or sorted(NOTEBOOKS.glob("0[1-8]*.ipynb"))
    bad = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        served(built(Path(folder)), isolated=True) as url,
        sync_playwright() as playwright,
        chromium(playwright) as browser,
    ):
        for notebook in notebooks:
            site = Site(browser.new_context(), url)
            count, seconds, differ = compared(site, notebook)
            print(
                f"{notebook.name}: {count - len(differ)} of {count} cells, first after {seconds:.1f} s",
                flush=True,
            )
            for source, due, got in differ:
                print(f"--- {source}\n  due {due}\n  got {got}")
            print(*site.complaints, sep="\n", end="\n" if site.complaints else "")
            bad += len(differ) + len(site.complaints)
            site.page.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
