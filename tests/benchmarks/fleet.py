"""A thousand nodes, each with a module that Debian packages and twenty files, beside the released Puppet.

What counts is CPU time: of this process and of those that it starts, their start included. The released Puppet keeps
its environment, and its start does not count.
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
from tests.benchmarks.catalogs import used
from tests.benchmarks.measure import MODULES, ROUNDS, Ratios

SITE = Path(__file__).parent.parent / "fleet"
SYSTEMS = ("debian-12", "rocky-9")
NODES, THEIRS = 1000, 100


def nodes(count: int) -> dict[str, dict[str, Any]]:
    """Facts of so many nodes."""
    names = [f"web{number}.example.com" for number in range(count)]
    return {name: read_facts(SYSTEMS[place % len(SYSTEMS)], name) for place, name in enumerate(names)}


def released() -> float | None:
    """The least CPU seconds that the released Puppet takes for so many nodes; None where it is not installed."""
    if which("puppet") is None or which("ruby") is None:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".json") as facts:
        json.dump(nodes(THEIRS), facts)
        facts.flush()
        command = ["ruby", SITE / "released.rb", SITE / "site.pp", MODULES, facts.name, str(ROUNDS), "no"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    seconds: float = min(json.loads(done.stdout)["seconds"])
    return seconds * NODES / THEIRS


def fleet() -> Ratios:
    """CPU time of all nodes; and how long it took, with one process and with two."""
    if not (MODULES / "ntp").exists():
        return {}
    theirs = released()
    session = Session("puppet7", modulepath=[MODULES])
    known, source = nodes(NODES), (SITE / "site.pp").read_text()
    found: Ratios = {}
    for workers in (1, 2):
        best = waited = float("inf")
        for _ in range(ROUNDS):
            before, begun = sum(used()), time.perf_counter()
            with ProcessExecutor(workers) as executor:
                made = session.fleet(known, executor, sources=[source])
            assert len(made.catalogs) == NODES
            best = min(best, sum(used()) - before)
            waited = min(waited, time.perf_counter() - begun)
        name = f"{NODES:,} nodes, {workers} {'process' if workers == 1 else 'processes'}"
        found[name] = best, theirs
        found[f"{name}, elapsed"] = waited, None
    return found
