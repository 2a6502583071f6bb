"""A thousand nodes, each with a module and 20 files, compared with the released Puppet.

The CPU time of this process and of those that it starts is measured, with their start. The released Puppet reuses its
environment, and its start is not measured.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from shutil import which
from typing import Any

from evaluator import Session
from evaluator.facts import read_facts
from evaluator.fleet.compilation import ProcessExecutor
from tests.benchmarks.catalogs import measure_cpu_seconds
from tests.benchmarks.measure import MODULES, ROUNDS, Ratios

SITE = Path(__file__).parent.parent / "fleet"
SYSTEMS = ("debian-12", "rocky-9")
NODES, THEIRS = 1000, 100


def make_nodes(count: int) -> dict[str, dict[str, Any]]:
    """Return the facts of a number of nodes by name."""
    names = [f"web{number}.example.com" for number in range(count)]
    return {name: read_facts(SYSTEMS[index % len(SYSTEMS)], name) for index, name in enumerate(names)}


def measure_release() -> float | None:
    """Return the least CPU seconds of the released Puppet for all nodes, if it is installed."""
    if which("puppet") is None or which("ruby") is None:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".json") as facts:
        json.dump(make_nodes(THEIRS), facts)
        facts.flush()
        command = ["ruby", SITE / "released.rb", SITE / "site.pp", MODULES, facts.name, str(ROUNDS), "no"]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    seconds: float = min(json.loads(result.stdout)["seconds"])
    return seconds * NODES / THEIRS


def measure_fleet() -> Ratios:
    """Measure CPU and elapsed seconds of all nodes, with one process and with two."""
    if not (MODULES / "ntp").exists():
        return {}
    theirs = measure_release()
    session = Session("puppet7", modulepath=[MODULES])
    facts_by_node, source = make_nodes(NODES), (SITE / "site.pp").read_text()
    ratios: Ratios = {}
    for workers in (1, 2):
        best = elapsed = float("inf")
        for _ in range(ROUNDS):
            before, start = sum(measure_cpu_seconds()), time.perf_counter()
            with ProcessExecutor(workers) as executor:
                results = session.fleet(facts_by_node, executor, sources=[source])
            assert len(results.catalogs) == NODES
            best = min(best, sum(measure_cpu_seconds()) - before)
            elapsed = min(elapsed, time.perf_counter() - start)
        name = f"{NODES:,} nodes, {workers} {'process' if workers == 1 else 'processes'}"
        ratios[name] = best, theirs
        ratios[f"{name}, elapsed"] = elapsed, None
    return ratios
