"""Programs give on Pyodide, in node, what they give here: in both dialects, errors and catalogs included.

PYODIDE names the folder of a Pyodide distribution: what `npm pack pyodide` has in it is enough.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pyodide.cases import cases, outcome

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
NODE = shutil.which("node")
NEEDS_REGEX = "REGEXP_ENGINE_MISSING"


def missing() -> str:
    """What this machine lacks, with the way to it; "" when all is there."""
    if NODE is None:
        return "there is no node: apt-get install nodejs"
    place = os.environ.get("PYODIDE", "")
    if not (Path(place) / "pyodide.mjs").is_file() or not place:
        return "PYODIDE names no folder with Pyodide: npm pack pyodide"
    return ""


def on_pyodide(given: list[dict[str, Any]]) -> list[Any]:
    """What cases give in node."""
    packages = Path(yaml.__file__).parents[1]
    command = [NODE or "node", FOLDER / "run.mjs", os.environ["PYODIDE"], ROOT, packages]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout, done.stderr[-2000:] + done.stdout[-2000:]
    found: list[Any] = json.loads(done.stdout)
    return found


def needs_regex(told: list[Any]) -> bool:
    """True for what says that it needs a package which Pyodide has not by itself."""
    return NEEDS_REGEX in json.dumps(told)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_programs_give_the_same() -> None:
    given = list(cases(ROOT / "tests" / "language"))
    found = dict(zip((case["name"] for case in given), on_pyodide(given), strict=True))
    differ = []
    for case in given:
        due, got = json.loads(json.dumps(outcome(case))), found[case["name"]]
        if due != got and not needs_regex(got):
            differ.append((case["name"], due, got))
    assert not differ
    assert sum(map(needs_regex, found.values())) < len(found) / 50
