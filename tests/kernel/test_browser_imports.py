"""The kernel of the browser imports no module that a browser lacks; `tests/pyodide` tests the kernel itself."""

from __future__ import annotations

import subprocess
import sys

from tests.structure import ROOT

# Modules that Pyodide lacks: some of the standard library, and packages that the site does not install.
MISSING = (
    "grp",
    "pwd",
    "resource",
    "termios",
    "ipykernel",
    "jupyter_client",
    "prompt_toolkit",
    "tornado",
    "zmq",
)


def test_the_kernel_of_the_browser_can_be_imported() -> None:
    code = (
        "import sys\nsys.platform = 'emscripten'\n"
        f"sys.modules.update(dict.fromkeys({MISSING!r}))\n"
        "import puppet_kernel.browser.worker"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
