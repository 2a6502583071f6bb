"""Large catalogs of real modules, compared with the released Puppet.

The released Puppet reuses its environment from run to run. The programs in `catalogs/` include 20 to 35 classes each.
They need the modules that Debian packages, and Ruby, which renders their ERB templates and with the permission runs
functions of modules: its time counts as the project's.
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
from tests.benchmarks.measure import (
    HERE,
    MODULES,
    ROUNDS,
    Ratios,
    measure_best,
    measure_children,
    run_release,
)

PROGRAMS = Path(__file__).parent / "catalogs"
FACTS = "debian-11"
PERMISSIONS = ("files", "generate", "templates")


def measure_cpu_seconds() -> tuple[float, float]:
    """Return the CPU seconds of this process, and of its ended and running child processes."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    others = ended.ru_utime + ended.ru_stime
    for child in psutil.Process().children():
        others += sum(child.cpu_times()[:4])  # of the child and of its ended children
    return time.process_time(), others


def _make_session(*further: str) -> Session:
    permissions = [*PERMISSIONS, *further]
    return Session("puppet7", facts=FACTS, modulepath=[MODULES], permissions=permissions)


def _compile(session: Session, text: str) -> None:
    outcome = session.run(text)
    if outcome.error is not None:
        raise outcome.error
    session.catalog()


def _recompile(session: Session, text: str) -> None:
    session.reset()
    _compile(session, text)


def _list_programs() -> list[Path]:
    """Return the programs, or none if modules that they need are missing."""
    programs = sorted(PROGRAMS.glob("*.pp"))
    needed = {line.split()[1].split("::")[0] for path in programs for line in path.open()}
    return programs if all((MODULES / name).exists() for name in needed) else []


@contextmanager
def _write_facts() -> Iterator[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as facts:
        json.dump(read_facts(FACTS, "localhost"), facts)
        facts.flush()
        yield facts.name


def measure_catalogs() -> Ratios:
    """Measure all programs with their modules already read, with and without Ruby's time."""
    programs = _list_programs()
    if not programs:
        return {}
    with _write_facts() as facts:
        theirs = run_release("catalogs", str(PROGRAMS), str(MODULES), facts) or {}
    total = sum(theirs.values()) or None
    session, with_ruby = _make_session(), _make_session("ruby")
    actions: dict[str, Callable[[str], None]] = {
        "after reset()": lambda text: _recompile(session, text),
        "in a new Session": lambda text: _compile(_make_session(), text),
        "after reset(), functions in Ruby": lambda text: _recompile(with_ruby, text),
    }
    ratios: Ratios = {}
    for name, work in actions.items():
        texts = [path.read_text() for path in programs]
        for text in texts:
            work(text)
        before = measure_cpu_seconds()[1]
        own = sum(measure_best(lambda text=text, work=work: work(text)) for text in texts)  # type: ignore[misc]
        others = (measure_cpu_seconds()[1] - before) / ROUNDS
        ratios[f"20 catalogs {name}, without Ruby"] = own, total
        ratios[f"20 catalogs {name}"] = own + others, total
    return ratios


def measure_cache() -> Ratios:
    """Measure a process for each program, with an empty cache and with the filled one."""
    programs = _list_programs()
    if not programs:
        return {}
    command = [str(Path(sys.executable).with_name("puppet-repl")), "--dialect", "puppet7", "--facts", FACTS]
    command += ["--modulepath", str(MODULES), "--allow", ",".join(PERMISSIONS)]
    sums = [0.0, 0.0, 0.0]
    with _write_facts() as facts, tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for path in programs:
            environment["XDG_CACHE_HOME"] = str(Path(folder, path.stem))
            ours = [*command, str(path)]
            theirs = ["ruby", str(HERE / "released.rb"), "once", str(path), str(MODULES), facts]
            for index, command_line in enumerate((ours, ours, theirs)):
                sums[index] += _run_process(command_line, environment)
    return {f"20 processes, {name} cache": (sums[i], sums[2]) for i, name in enumerate(("empty", "filled"))}


def _run_process(command_line: list[str], environment: dict[str, str]) -> float:
    """Return the CPU seconds of a process from start to end."""
    before = measure_children()
    subprocess.run(command_line, check=True, capture_output=True, env=environment)
    return measure_children() - before
