"""What the released Puppet answers to the programs of `programs.txt`: asked here, and recorded in `recorded.json`.

`python -m tests.ruby.released` records it anew.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
PROGRAMS = (HERE / "programs.txt").read_text(encoding="utf-8").splitlines()


def installed() -> bool:
    """Return whether the released Puppet is installed."""
    return shutil.which("ruby") is not None and shutil.which("puppet") is not None


def answers(programs: list[str]) -> list[dict[str, Any]]:
    """{"value", "logs", "resources"} or {"error", "logs"} for each program."""
    done = subprocess.run(
        ["ruby", "-E", "UTF-8:UTF-8", str(HERE / "released.rb"), str(HERE / "modules")],
        input="".join(json.dumps(program) + "\n" for program in programs),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def recorded() -> dict[str, dict[str, Any]]:
    """The answers by program, as they were recorded."""
    known: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return known


if __name__ == "__main__":
    found = dict(zip(PROGRAMS, answers(PROGRAMS), strict=True))
    RECORDED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
