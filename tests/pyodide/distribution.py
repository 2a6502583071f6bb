"""Pyodide in node, as tests find it: PYODIDE names the folder of a distribution (what `npm pack pyodide` has in it)."""

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
STACK = 3900  # kB: what deep programs do with little is told by `test_hostile`


def missing() -> str:
    """Return what this machine lacks, with the remedy; "" if nothing is missing."""
    if NODE is None:
        return "there is no node: apt-get install nodejs"
    place = os.environ.get("PYODIDE", "")
    if not place or not (Path(place) / "pyodide.mjs").is_file():
        return "PYODIDE names no folder with Pyodide: npm pack pyodide"
    return ""


def answers(script: str, given: Any, *arguments: Path) -> Any:
    """Return the output of a script of this folder for an input, both as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "given.json"
        asked.write_text(json.dumps(given), encoding="utf-8")
        command = [
            NODE or "node",
            f"--stack-size={STACK}",
            FOLDER / script,
            os.environ["PYODIDE"],
            asked,
            *arguments,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0 and done.stdout, done.stderr[-2000:] + done.stdout[-2000:]
    return json.loads(done.stdout)
