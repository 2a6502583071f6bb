"""A link to a notebook is read as a whole, or refused before it takes the memory of the page."""

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
MOST_MEMORY = 100_000  # KB; the bomb holds 200 MB


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_a_link_that_holds_too_much_or_is_damaged_is_refused() -> None:
    command = [NODE or "node", Path(__file__).with_name("link.mjs"), LINK]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    told = dict(map(json.loads, output.splitlines()))
    assert told["packed"] == told["plain"] == ["Words", "$x = 'é'"]
    assert told["bomb"] == told["long"] == told["copied"] == BYTES
    assert told["many"] == "more than 2,000 cells"
    assert all(type(told[name]) is str for name in ("torn", "letters", "percent"))
    assert told["memory"] < MOST_MEMORY
