"""Large catalogs of real modules, beside the released Puppet that keeps its environment from run to run.

The programs in `catalogs/` include 20 to 35 classes each. They need the modules that Debian packages, and Ruby, which
renders their ERB templates: its time counts as the project's.
"""

from __future__ import annotations

import gc
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from evaluator import Session
from evaluator.facts import facts_for
from tests.benchmarks.measure import MODULES, ROUNDS, Ratios, released

PROGRAMS = Path(__file__).parent / "catalogs"
FACTS = "debian-11"


def used() -> tuple[float, float]:
    """CPU seconds of this process, and of the programs that it has run."""
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), child.ru_utime + child.ru_stime


def _seconds(work: Callable[[], None]) -> tuple[float, float]:
    """The least time of some rounds: of this process alone, and with the programs that it ran."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        own, others = used()
        work()
        now, then = used()
        found.append((now - own, now - own + then - others))
    return min(own for own, _ in found), min(whole for _, whole in found)


def _session() -> Session:
    return Session(
        "puppet", facts=FACTS, modulepath=[MODULES], permissions=["files", "generate", "templates"]
    )


def _compile(session: Session, text: str) -> None:
    outcome = session.run(text)
    if outcome.error is not None:
        raise outcome.error
    session.catalog()


def catalogs() -> Ratios:
    """All programs together: in one session after `reset()`, and with a new Session for each."""
    needed = {line.split()[1].split("::")[0] for path in PROGRAMS.glob("*.pp") for line in path.open()}
    if not all((MODULES / name).exists() for name in needed):
        return {}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as facts:
        json.dump(facts_for(FACTS, "localhost"), facts)
        facts.flush()
        theirs = released("catalogs", str(PROGRAMS), str(MODULES), facts.name) or {}
    session = _session()
    sums = dict.fromkeys(("after reset()", "in a new Session"), (0.0, 0.0))
    for path in sorted(PROGRAMS.glob("*.pp")):
        text = path.read_text()

        def again(text: str = text) -> None:
            session.reset()
            _compile(session, text)

        for name, work in zip(sums, (again, lambda text=text: _compile(_session(), text)), strict=True):
            own, whole = _seconds(work)
            sums[name] = sums[name][0] + own, sums[name][1] + whole
    total = sum(theirs.values()) or None
    return {
        f"20 catalogs {name}{further}": (seconds, total)
        for name, both in sums.items()
        for further, seconds in zip((", without Ruby", ""), both, strict=True)
    }
