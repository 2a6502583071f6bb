"""Pyodide in node; PYODIDE names the folder of a distribution, which `npm pack pyodide` contains."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
NODE = shutil.which("node")
SECONDS = 600
STACK = 3900  # kB; `test_hostile` runs deep programs with a small stack.


def find_missing_requirement() -> str:
    """Return what this machine lacks, with the remedy; "" if nothing is missing."""
    if NODE is None:
        return "there is no node: apt-get install nodejs"
    return find_missing_pyodide()


def find_missing_pyodide() -> str:
    """Return what the folder PYODIDE lacks, with the remedy; "" if nothing is missing."""
    folder = os.environ.get("PYODIDE", "")
    if not folder or not (Path(folder) / "pyodide.mjs").is_file():
        return "PYODIDE names no folder with Pyodide: npm pack pyodide"
    return ""


def run_script(script: str, data: Any, *arguments: Path) -> Any:
    """Run a script of this folder with data, and return its output, both as JSON.

    Args:
        arguments: Other arguments of the script.
    """
    with tempfile.TemporaryDirectory() as temporary_folder:
        file = Path(temporary_folder) / "data.json"
        file.write_text(json.dumps(data), encoding="utf-8")
        command = [
            NODE or "node",
            f"--stack-size={STACK}",
            FOLDER / script,
            os.environ["PYODIDE"],
            file,
            *arguments,
        ]
        process = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert process.returncode == 0 and process.stdout, process.stderr[-2000:] + process.stdout[-2000:]
    return json.loads(process.stdout)
