"""Hostile and oversized programs end with a value or a Puppet error, within bounds of time and memory."""

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
# Most programs of these families grow up to the limits: they get a tenth of the limits, and half of the time.
_TENTH = {"max_string_length": 6_000_000, "max_collection_size": 1_000_000}
SMALLER_BOUNDS = {"_walks": (_TENTH, SECONDS / 2), "_growth": (_TENTH, SECONDS / 2)}
# The family applies the same operations to values of six kinds; every sixth program applies each operation once.
# PUPPET_KERNEL_ALL_PROGRAMS=1 runs every program.
STEP = {} if os.environ.get("PUPPET_KERNEL_ALL_PROGRAMS") else {"_walks": 6}

# Each family has a process of its own, in which the memory of an earlier family does not count.
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
gc.freeze()  # the collections before each program need not scan the modules
BARE = memory()
SLOWNESS = measure_slowness()
sources = dict(FAMILIES[int(sys.argv[2])]())
for name in json.load(sys.stdin):
    session = Session('puppet', interactive=True, limits=json.loads(sys.argv[3]))
    session.run('$before = 1')
    gc.collect()
    forget_peak()
    before = max(memory() - BARE, 0)  # fragments of earlier programs do not count
    start = time.process_time()
    outcome = session.run(sources[name])
    shown = [str(outcome.error)] if outcome.error else [outcome.text, outcome.type]
    seconds = (time.process_time() - start) / SLOWNESS  # of CPU time, on any machine
    code = outcome.error.code if outcome.error else None
    # the session is unchanged, and still works
    is_intact = not outcome.error or (len(session.cells) == 1 and session.run('$before + 1').value == 2)
    print(json.dumps([name, seconds, memory() - before, code, max(map(len, shown)), is_intact]), flush=True)
"""

Row = tuple[str, float, int, str | None, int, bool]
LONGEST_OUTPUT = 10_100_000


def run_family(number: int, limits: dict[str, int], names: list[str]) -> list[Row]:
    """Run programs of a family in a new process, which must not die, and return their results."""
    result = subprocess.run(
        [sys.executable, "-c", RUNNER, str(ROOT), str(number), json.dumps(limits)],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == len(names), f"died at {names[len(rows)]}: {result.stderr[-2000:]}"
    return rows


def test_there_are_enough_programs() -> None:
    assert len(programs()) >= 200


@pytest.mark.parametrize("number", range(len(FAMILIES)), ids=[family.__name__ for family in FAMILIES])
def test_programs_of_a_family_keep_to_the_bounds(number: int) -> None:
    family = FAMILIES[number].__name__
    limits, max_seconds = SMALLER_BOUNDS.get(family, ({}, SECONDS))
    rows = run_family(number, limits, [name for name, _ in FAMILIES[number]()][:: STEP.get(family, 1)])
    assert not [(name, seconds) for name, seconds, *_ in rows if seconds > max_seconds], "too slow"
    # garbage of earlier programs may be included: alone, a program must keep to the limit
    large = [name for name, _, memory, *_ in rows if memory > MEGABYTES]
    again = [row for name in large for row in run_family(number, limits, [name])]
    assert not [(name, memory) for name, _, memory, *_ in again if memory > MEGABYTES], "too much memory"
    assert not [row[0] for row in rows if row[3] == "INTERNAL_ERROR"], "an internal error"
    if family == "_depths":  # all of them are within the limits
        assert not [row[0] for row in rows if row[3] in ("LIMIT_EXCEEDED", "CALLS_TOO_DEEP")], "refused"
    assert not [(row[0], row[4]) for row in rows if row[4] > LONGEST_OUTPUT], "too much output"
    assert not [row[0] for row in rows if not row[5]], "the session is changed"
