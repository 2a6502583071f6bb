"""What the released Puppet answers to the programs of `programs.txt`: asked here, and recorded in `recorded.json`.

`python -m tests.ruby.released` records it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.released import asking

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
PROGRAMS = (HERE / "programs.txt").read_text(encoding="utf-8").splitlines()


def answers(programs: list[str], modules: Path = HERE / "modules") -> list[dict[str, Any]]:
    """{"value", "logs", "resources"} or {"error", "logs"} for each program."""
    lines = "".join(json.dumps(program) + "\n" for program in programs)
    return [json.loads(line) for line in asking.run_script(HERE / "released.rb", lines, modules).splitlines()]


def recorded() -> dict[str, dict[str, Any]]:
    """The answers by program, as they were recorded."""
    known: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return known


if __name__ == "__main__":
    found = dict(zip(PROGRAMS, answers(PROGRAMS), strict=True))
    RECORDED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
