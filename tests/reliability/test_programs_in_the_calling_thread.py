"""Programs that run in the calling thread: inline with periodic signals, or in the main thread."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session, limits
from evaluator.program import companions
from evaluator.session import supervisor
from evaluator.session.supervisor import (
    InlineSupervisor,
    MainThreadSupervisor,
    Supervisor,
    _choose_supervisor,
)

SIGNAL_SECONDS = 0.01
ENDLESS = "Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"


@pytest.fixture(params=[InlineSupervisor, MainThreadSupervisor], autouse=True)
def supervisor_kind(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[Supervisor]]:
    """Return the class of the supervisor; the inline one gets periodic signals, as on a system without threads."""
    kind: type[Supervisor] = request.param
    monkeypatch.setattr(supervisor, "_choose_supervisor", lambda amounts: kind)
    former = signal.signal(signal.SIGALRM, lambda *_: None)
    if kind is InlineSupervisor:
        signal.setitimer(signal.ITIMER_REAL, SIGNAL_SECONDS, SIGNAL_SECONDS)
    else:
        request.getfixturevalue("main_stack")
    yield kind
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)


def start_timer(seconds: float, function: Callable[[], Any]) -> threading.Timer:
    """Call a function later, in another thread."""
    timer = threading.Timer(seconds, function)
    timer.start()
    return timer


def run_and_get_code(session: Session, source: str) -> Any:
    """Run a program in a session that must still work afterwards, and return the code of its error."""
    cells = len(session.cells)
    error = session.run(source).error
    assert len(session.cells) == cells
    assert session.run("1 + 1").value == 2
    return error and error.code


def test_a_program_runs_in_the_calling_thread(supervisor_kind: type[Supervisor]) -> None:
    with supervisor_kind() as supervisor:
        assert supervisor.run(threading.get_ident) == threading.get_ident()
        assert not supervisor.runs_here
        assert supervisor.run(lambda: supervisor.runs_here)


def test_an_exception_of_a_program_is_raised_in_the_caller(supervisor_kind: type[Supervisor]) -> None:
    with supervisor_kind() as supervisor, pytest.raises(ZeroDivisionError):
        supervisor.run(lambda: 1 // 0)


def test_time_is_limited() -> None:
    assert run_and_get_code(Session(limits={"max_seconds": 0.1}), ENDLESS) == "TIME_EXCEEDED"


def test_memory_is_limited() -> None:
    growing = "Integer[1, 40].reduce([1]) |$m, $x| { $m + $m }"
    session = Session(limits={"max_memory": 60 * 1024 * 1024, "max_collection_size": 10**9})
    assert run_and_get_code(session, growing) == "MEMORY_EXCEEDED"


def test_calls_are_limited() -> None:
    assert run_and_get_code(Session(), "function f($n) { f($n + 1) + 1 } f(1)") == "CALLS_TOO_DEEP"
    assert sys.getrecursionlimit() < 100_000


def test_an_interrupt_stops_the_program() -> None:
    timer = start_timer(0.1, lambda: signal.raise_signal(signal.SIGINT))
    assert run_and_get_code(Session(), ENDLESS) == "INTERRUPTED"
    timer.join()


def test_an_interrupt_waits_for_a_shielded_call(supervisor_kind: type[Supervisor]) -> None:
    done = []

    def write(number: int) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append(number)

    def program() -> None:
        shielded(1)
        while True:
            pass

    with supervisor_kind() as supervisor:
        shielded = supervisor.shield(write)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(program)
        assert done == [1]
        assert supervisor.run(lambda: 2) == 2


def test_an_interrupt_between_programs_stops_the_next_one(supervisor_kind: type[Supervisor]) -> None:
    started: list[int] = []
    with supervisor_kind() as supervisor:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(lambda: started.append(1))
        supervisor.run(lambda: started.append(2))
    assert started == [2]


def test_an_interrupt_that_a_destructor_swallows_is_raised_again(supervisor_kind: type[Supervisor]) -> None:
    class Destroyed:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def program() -> None:
        thing = Destroyed()
        del thing
        while True:
            pass

    with supervisor_kind() as supervisor, pytest.raises(KeyboardInterrupt):
        supervisor.run(program)


def test_a_run_may_have_a_smaller_time_limit(supervisor_kind: type[Supervisor]) -> None:
    def endless() -> None:
        while True:
            pass

    with supervisor_kind() as supervisor:
        with pytest.raises(TimeoutError):
            supervisor.run(endless, 0.05)
        assert supervisor.run(lambda: 3) == 3


def measure_stack() -> int:
    """Return the resident kilobytes of the main thread's stack."""
    lines = iter(Path("/proc/self/smaps").read_text().splitlines())
    next(line for line in lines if line.endswith("[stack]"))
    return int(next(line for line in lines if line.startswith("Rss:")).split()[1])


def test_the_stack_shrinks_after_a_deep_program(main_stack: None) -> None:
    sizes = []

    def recurse(depth: int) -> int:  # through a call into C, which needs stack
        if depth % 500 == 0:
            sizes.append(measure_stack())
        return max([depth], key=lambda _: recurse(depth - 1)) if depth else 0

    def work() -> None:
        with contextlib.suppress(RecursionError):  # Python 3.12 limits that
            recurse(30_000)
        time.sleep(0.1)

    with MainThreadSupervisor() as guard:
        guard.run(work)
        assert max(sizes) > 16_000 or sys.version_info >= (3, 12)
        assert measure_stack() < (2_000 if max(sizes) > 16_000 else 16_000)


def test_the_main_thread_runs_programs_that_fit_on_its_stack(main_stack: None) -> None:
    assert _choose_supervisor({}) is MainThreadSupervisor
    assert _choose_supervisor({"max_call_frames": 100_001}) is Supervisor
    kinds = []
    thread = threading.Thread(target=lambda: kinds.append(_choose_supervisor({})))
    thread.start()
    thread.join()
    assert kinds == [Supervisor]


def test_child_processes_keep_the_stack_limit(main_stack: None) -> None:
    with companions.CompanionProcess(["/bin/sh", "-c", "ulimit -s"]) as shell:
        output = b"".join(shell.chunks()).decode().strip()
    assert output == "unlimited" or int(output) * 1024 == int(limits.stack_of_programs)
