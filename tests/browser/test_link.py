"""A link to a notebook is parsed completely, or refused before it uses the memory of the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from puppet_kernel import browser

NODE = shutil.which("node")
LINK = Path(browser.__file__).parent / "static" / "link.js"
BYTES = "more than 2,000,000 bytes"
MOST_MEMORY = 100_000  # KB; the bomb contains 200 MB


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_links_that_are_too_long_or_damaged_are_refused() -> None:
    command = [NODE or "node", Path(__file__).with_name("link.mjs"), LINK]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    results = dict(map(json.loads, output.splitlines()))
    assert results["packed"] == results["plain"] == ["Words", "$x = 'é'"]
    assert results["bomb"] == results["long"] == results["copied"] == BYTES
    assert results["many"] == "more than 2,000 cells"
    assert all(type(results[name]) is str for name in ("torn", "letters", "percent"))
    assert results["memory"] < MOST_MEMORY
