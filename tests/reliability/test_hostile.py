"""Hostile programs end in a value or a Puppet error, soon and within bounds; endless ones can be stopped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from evaluator import Session
from tests.reliability.programs import ENDLESS, programs

ROOT = Path(__file__).parent.parent.parent
SECONDS = 2
MEGABYTES = 600
INTERRUPTS = int(os.environ.get("PUPPET_KERNEL_INTERRUPTS", "60"))

RUNNER = """
import json, resource, sys, time
sys.path.insert(0, {root!r})
from evaluator import Session
from tests.reliability.programs import programs
def memory():
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith('VmHWM'))
def forget_peak():
    with open('/proc/self/clear_refs', 'w') as file:
        file.write('5')
for number, (name, source) in enumerate(programs()):
    session = Session('puppet', interactive=True)
    session.run('1')
    forget_peak()
    begun = time.perf_counter()
    outcome = session.run(source)
    seconds = time.perf_counter() - begun
    told = str(outcome.error) if outcome.error else outcome.text
    print(json.dumps([name, seconds, memory(), outcome.error.code if outcome.error else None, len(told)]), flush=True)
"""


@pytest.fixture(scope="module")
def results() -> list[list[object]]:
    """What each program did, told by a process of its own: it must live to the end."""
    import json

    done = subprocess.run(
        [sys.executable, "-c", RUNNER.format(root=str(ROOT))],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    names = [name for name, _ in programs()]
    assert len(rows) == len(names), f"died at {names[len(rows)]}: {done.stderr[-2000:]}"
    return rows


def test_there_are_enough() -> None:
    assert len(programs()) >= 200


def test_none_takes_long(results: list[list[object]]) -> None:
    slow = [(row[0], row[1]) for row in results if row[1] > SECONDS]  # type: ignore[operator]
    assert not slow


def test_none_takes_much_memory(results: list[list[object]]) -> None:
    big = [(row[0], row[2]) for row in results if row[2] > MEGABYTES]  # type: ignore[operator]
    assert not big


def test_none_finds_a_defect(results: list[list[object]]) -> None:
    assert not [row[0] for row in results if row[3] == "INTERNAL_ERROR"]


def test_none_floods_the_person(results: list[list[object]]) -> None:
    assert not [(row[0], row[4]) for row in results if row[4] > 10_100_000]  # type: ignore[operator]


def seen(session: Session) -> str:
    return repr(
        [session.catalog().summary(), sorted(session.runtime.state.top.variables), len(session.cells)]
    )


def test_interrupts_at_random_moments_leave_the_state_as_it_was() -> None:
    session = Session("puppet", interactive=True)
    session.run("$kept = 1 class c { notify { 'n': } } include c")
    before = seen(session)
    chance = random.Random(7)
    slowest = 0.0
    for number in range(INTERRUPTS):
        sent: list[float] = []

        def interrupt(sent: list[float] = sent) -> None:
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(chance.uniform(0.001, 0.03), interrupt)
        timer.start()
        try:
            outcome = session.run("notify { 'lost': } " + ENDLESS[number % len(ENDLESS)])
        except KeyboardInterrupt:
            pytest.fail("an interrupt came out of the session")
        timer.join()
        assert outcome.error is not None and outcome.error.code == "INTERRUPTED"
        slowest = max(slowest, time.perf_counter() - sent[0])
        assert seen(session) == before
    print(f"slowest of {INTERRUPTS} interrupts: {slowest * 1000:.0f} ms")
