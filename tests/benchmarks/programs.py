"""Programs that use a folder of modules, compared with the released Puppet.

A line of the file of programs is a JSON object: {"source": …, "facts": {…}, "node": …}. Each program has a new session;
the sessions share the loaded modules, and the released Puppet reuses its environment. Programs with an error are
compiled up to the error by both.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from evaluator import Session
from tests.benchmarks.catalogs import measure_cpu_seconds
from tests.benchmarks.measure import ROUNDS, Ratios, measure_best, run_release

PERMISSIONS = ("files", "generate", "ruby", "templates")


def _compile(program: dict[str, Any], modules: Path) -> None:
    session = Session(
        "puppet7",
        node=program["node"],
        facts=program["facts"],
        modulepath=[modules],
        permissions=PERMISSIONS,
    )
    if session.run(program["source"]).error is None:
        session.catalog()


def measure_programs(file: Path | None, modules: Path | None) -> Ratios:
    """Measure all programs with and without Ruby's time, and the one of median ratio."""
    if file is None or modules is None:
        return {}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    theirs = run_release("programs", str(file), str(modules)) or {}
    for row in rows:
        _compile(row, modules)
    before = measure_cpu_seconds()[1]
    own = [measure_best(lambda row=row: _compile(row, modules)) for row in rows]  # type: ignore[misc]
    ruby = (measure_cpu_seconds()[1] - before) / ROUNDS
    total = sum(theirs.values()) or None
    ratios: Ratios = {
        f"{len(rows)} programs, without Ruby": (sum(own), total),
        f"{len(rows)} programs": (sum(own) + ruby, total),
    }
    if theirs:
        ratio = statistics.median(theirs[str(number)] / seconds for number, seconds in enumerate(own))
        ratios["median of them, without Ruby"] = statistics.median(own), ratio * statistics.median(own)
    return ratios
