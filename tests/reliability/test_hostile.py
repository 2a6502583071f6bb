"""Hostile and oversized programs end in a value or a Puppet error, soon and within bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reliability.programs import FAMILIES, programs

ROOT = Path(__file__).parent.parent.parent
SECONDS = 2  # of CPU, on the machine that `measure_slowness` compares with
MEGABYTES = 600
# Most programs of these families grow up to the limits: they are given a tenth of them, and half of the time.
_TENTH = {"max_string_length": 6_000_000, "max_collection_size": 1_000_000}
LESS = {"_shared": (_TENTH, SECONDS / 2), "_growth": (_TENTH, SECONDS / 2)}
# The family asks the same of values of six kinds: a share asks each thing of one of them, and each kind in turn.
# PUPPET_KERNEL_ALL_PROGRAMS=1 runs every program.
STEP = {} if os.environ.get("PUPPET_KERNEL_ALL_PROGRAMS") else {"_shared": 6}

# A family has a process of its own: what an earlier one left in memory does not count as its own.
RUNNER = """
import gc, json, sys, time
sys.path.insert(0, sys.argv[1])
from evaluator import Session
from tests.effort import measure_slowness
from tests.reliability.programs import FAMILIES
def memory():
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith('VmHWM'))
def forget_peak():
    with open('/proc/self/clear_refs', 'w') as file:
        file.write('5')
gc.freeze()  # what is loaded is not looked through for garbage before each program
BARE = memory()
SLOWNESS = measure_slowness()
sources = dict(FAMILIES[int(sys.argv[2])]())
for name in json.load(sys.stdin):
    session = Session('puppet', interactive=True, limits=json.loads(sys.argv[3]))
    session.run('$kept = 1')
    gc.collect()
    forget_peak()
    before = max(memory() - BARE, 0)  # what earlier programs left in pieces is not this one's
    begun = time.process_time()
    outcome = session.run(sources[name])
    shown = [str(outcome.error)] if outcome.error else [outcome.text, outcome.type]
    seconds = (time.process_time() - begun) / SLOWNESS  # of CPU: a busy or slow machine is no defect
    code = outcome.error.code if outcome.error else None
    # the session is as before, and goes on
    whole = not outcome.error or (len(session.cells) == 1 and session.run('$kept + 1').value == 2)
    print(json.dumps([name, seconds, memory() - before, code, max(map(len, shown)), whole]), flush=True)
"""

Row = tuple[str, float, int, str | None, int, bool]
LONGEST_OUTPUT = 10_100_000


def results(number: int, limits: dict[str, int], names: list[str]) -> list[Row]:
    """Return the results of a family of programs from a process of its own, which must live to the end."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, str(ROOT), str(number), json.dumps(limits)],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(names), f"died at {names[len(found)]}: {done.stderr[-2000:]}"
    return found


def test_there_are_enough() -> None:
    assert len(programs()) >= 200


@pytest.mark.parametrize("number", range(len(FAMILIES)), ids=[family.__name__ for family in FAMILIES])
def test_a_family(number: int) -> None:
    family = FAMILIES[number].__name__
    limits, most = LESS.get(family, ({}, SECONDS))
    rows = results(number, limits, [name for name, _ in FAMILIES[number]()][:: STEP.get(family, 1)])
    assert not [(name, seconds) for name, seconds, *_ in rows if seconds > most], "it takes long"
    # garbage of programs before it may be counted to it: by itself it must keep to the limit
    large = [name for name, _, memory, *_ in rows if memory > MEGABYTES]
    again = [row for name in large for row in results(number, limits, [name])]
    assert not [(name, memory) for name, _, memory, *_ in again if memory > MEGABYTES], "it takes much memory"
    assert not [row[0] for row in rows if row[3] == "INTERNAL_ERROR"], "it finds a defect"
    if family == "_depths":  # each is within the limits
        assert not [row[0] for row in rows if row[3] in ("LIMIT_EXCEEDED", "CALLS_TOO_DEEP")], "it is refused"
    assert not [(row[0], row[4]) for row in rows if row[4] > LONGEST_OUTPUT], "it floods the person"
    assert not [row[0] for row in rows if not row[5]], "it leaves the session broken"
