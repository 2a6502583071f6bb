"""Programs over a folder of modules, each in a new session, beside the released Puppet that keeps its environment.

A line of the file of programs is a JSON object: {"source": …, "facts": {…}, "node": …}. The sessions share what they
have loaded of the modules. Programs with an error are compiled as far as they go, by both.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from evaluator import Session
from tests.benchmarks.catalogs import used
from tests.benchmarks.measure import ROUNDS, Ratios, best, released

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


def programs(file: Path | None, modules: Path | None) -> Ratios:
    """All programs together, and the one whose ratio is the median, without Ruby's time and with it."""
    if file is None or modules is None:
        return {}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    theirs = released("programs", str(file), str(modules)) or {}
    for row in rows:
        _compile(row, modules)
    before = used()[1]
    own = [best(lambda row=row: _compile(row, modules)) for row in rows]  # type: ignore[misc]
    ruby = (used()[1] - before) / ROUNDS
    total = sum(theirs.values()) or None
    found: Ratios = {
        f"{len(rows)} programs, without Ruby": (sum(own), total),
        f"{len(rows)} programs": (sum(own) + ruby, total),
    }
    if theirs:
        ratio = statistics.median(theirs[str(number)] / seconds for number, seconds in enumerate(own))
        found["median of them, without Ruby"] = statistics.median(own), ratio * statistics.median(own)
    return found
