"""Large catalogs of real modules, beside the released Puppet that keeps its environment from run to run.

The programs in `catalogs/` include 20 to 35 classes each. They need the modules that Debian packages, and Ruby, which
renders their ERB templates, and with the permission runs functions of modules: its time counts as the project's.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from evaluator import Session
from evaluator.facts import read_facts
from tests.benchmarks.measure import HERE, MODULES, ROUNDS, Ratios, best, children_seconds, released

PROGRAMS = Path(__file__).parent / "catalogs"
FACTS = "debian-11"
PERMISSIONS = ("files", "generate", "templates")


def used() -> tuple[float, float]:
    """CPU seconds of this process, and of the programs that it has run, those that still run included."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    others = ended.ru_utime + ended.ru_stime
    for child in psutil.Process().children():
        others += sum(child.cpu_times()[:4])  # its own, and those of what it has run
    return time.process_time(), others


def _session(*further: str) -> Session:
    permissions = [*PERMISSIONS, *further]
    return Session("puppet7", facts=FACTS, modulepath=[MODULES], permissions=permissions)


def _compile(session: Session, text: str) -> None:
    outcome = session.run(text)
    if outcome.error is not None:
        raise outcome.error
    session.catalog()


def _again(session: Session, text: str) -> None:
    session.reset()
    _compile(session, text)


def _programs() -> list[Path]:
    """The programs; none when modules are missing that they need."""
    programs = sorted(PROGRAMS.glob("*.pp"))
    needed = {line.split()[1].split("::")[0] for path in programs for line in path.open()}
    return programs if all((MODULES / name).exists() for name in needed) else []


@contextmanager
def _facts() -> Iterator[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as facts:
        json.dump(read_facts(FACTS, "localhost"), facts)
        facts.flush()
        yield facts.name


def catalogs() -> Ratios:
    """All programs together, once their modules are read; without Ruby's time, and with its mean of the rounds."""
    programs = _programs()
    if not programs:
        return {}
    with _facts() as facts:
        theirs = released("catalogs", str(PROGRAMS), str(MODULES), facts) or {}
    total = sum(theirs.values()) or None
    session, with_ruby = _session(), _session("ruby")
    ways: dict[str, Callable[[str], None]] = {
        "after reset()": lambda text: _again(session, text),
        "in a new Session": lambda text: _compile(_session(), text),
        "after reset(), functions in Ruby": lambda text: _again(with_ruby, text),
    }
    found: Ratios = {}
    for name, work in ways.items():
        texts = [path.read_text() for path in programs]
        for text in texts:
            work(text)
        before = used()[1]
        own = sum(best(lambda text=text, work=work: work(text)) for text in texts)  # type: ignore[misc]
        others = (used()[1] - before) / ROUNDS
        found[f"20 catalogs {name}, without Ruby"] = own, total
        found[f"20 catalogs {name}"] = own + others, total
    return found


def cached() -> Ratios:
    """Whole processes, one for each program: with nothing in the cache, and with what it holds then."""
    programs = _programs()
    if not programs:
        return {}
    command = [str(Path(sys.executable).with_name("puppet-repl")), "--dialect", "puppet7", "--facts", FACTS]
    command += ["--modulepath", str(MODULES), "--allow", ",".join(PERMISSIONS)]
    sums = [0.0, 0.0, 0.0]
    with _facts() as facts, tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for path in programs:
            environment["XDG_CACHE_HOME"] = str(Path(folder, path.stem))
            ours = [*command, str(path)]
            theirs = ["ruby", str(HERE / "released.rb"), "once", str(path), str(MODULES), facts]
            for place, words in enumerate((ours, ours, theirs)):
                sums[place] += _process(words, environment)
    return {f"20 processes, {name} cache": (sums[i], sums[2]) for i, name in enumerate(("empty", "filled"))}


def _process(words: list[str], environment: dict[str, str]) -> float:
    """The CPU time of a whole process."""
    before = children_seconds()
    subprocess.run(words, check=True, capture_output=True, env=environment)
    return children_seconds() - before
