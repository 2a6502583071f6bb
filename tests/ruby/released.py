"""The answers of the released Puppet to the programs of `programs.txt`.

`python -m tests.ruby.released` writes them to `recorded.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.released import ruby_scripts

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
PROGRAMS = (HERE / "programs.txt").read_text(encoding="utf-8").splitlines()


def query_release(programs: list[str], modules: Path = HERE / "modules") -> list[dict[str, Any]]:
    """Return {"value", "logs", "resources"} or {"error", "logs"} for each program."""
    lines = "".join(json.dumps(program) + "\n" for program in programs)
    return [
        json.loads(line)
        for line in ruby_scripts.run_script(HERE / "released.rb", lines, modules).splitlines()
    ]


def read_recorded() -> dict[str, dict[str, Any]]:
    """Return the recorded answers by program."""
    by_program: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return by_program


if __name__ == "__main__":
    current = dict(zip(PROGRAMS, query_release(PROGRAMS), strict=True))
    RECORDED.write_text(json.dumps(current, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
