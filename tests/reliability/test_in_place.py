"""Programs where there are no threads: they run where they are called, and a signal comes now and then."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaluator import Session
from evaluator.session import supervisor
from evaluator.session.supervisor import InlineSupervisor

GLANCE = 0.01
ENDLESS = "Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"


@pytest.fixture(autouse=True)
def glances(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Raise the signal again and again, as a system without threads does."""
    monkeypatch.setattr(supervisor, "make_supervisor", InlineSupervisor)
    former = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, GLANCE, GLANCE)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)


def after(seconds: float, function: Callable[[], Any]) -> threading.Timer:
    """Calls a function later, from elsewhere."""
    timer = threading.Timer(seconds, function)
    timer.start()
    return timer


def failure_of(session: Session, source: str) -> Any:
    """The code of the error of a program, after which the session still works."""
    cells = len(session.cells)
    error = session.run(source).error
    assert len(session.cells) == cells
    assert session.run("1 + 1").value == 2
    return error and error.code


def test_it_runs_here() -> None:
    with InlineSupervisor() as supervisor:
        assert supervisor.run(threading.get_ident) == threading.get_ident()
        assert not supervisor.runs_here
        assert supervisor.run(lambda: supervisor.runs_here)


def test_what_a_program_raises_is_what_the_caller_gets() -> None:
    with InlineSupervisor() as supervisor, pytest.raises(ZeroDivisionError):
        supervisor.run(lambda: 1 // 0)


def test_time_is_limited() -> None:
    assert failure_of(Session(limits={"max_seconds": 0.1}), ENDLESS) == "TIME_EXCEEDED"


def test_memory_is_limited() -> None:
    growing = "Integer[1, 40].reduce([1]) |$m, $x| { $m + $m }"
    session = Session(limits={"max_memory": 60 * 1024 * 1024, "max_collection_size": 10**9})
    assert failure_of(session, growing) == "MEMORY_EXCEEDED"


def test_calls_are_limited() -> None:
    assert failure_of(Session(), "function f($n) { f($n + 1) + 1 } f(1)") == "CALLS_TOO_DEEP"
    assert sys.getrecursionlimit() < 100_000


def test_an_interrupt_stops_the_program() -> None:
    timer = after(0.1, lambda: signal.raise_signal(signal.SIGINT))
    assert failure_of(Session(), ENDLESS) == "INTERRUPTED"
    timer.join()


def test_an_interrupt_waits_for_what_must_not_be_stopped() -> None:
    done = []

    def write(number: int) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append(number)

    def program() -> None:
        shielded(1)
        while True:
            pass

    with InlineSupervisor() as supervisor:
        shielded = supervisor.shield(write)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(program)
        assert done == [1]
        assert supervisor.run(lambda: 2) == 2


def test_an_interrupt_between_programs_stops_the_next_one() -> None:
    begun: list[int] = []
    with InlineSupervisor() as supervisor:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(lambda: begun.append(1))
        supervisor.run(lambda: begun.append(2))
    assert begun == [2]


def test_an_exception_that_is_lost_comes_again() -> None:
    class Destroyed:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def program() -> None:
        thing = Destroyed()
        del thing
        while True:
            pass

    with InlineSupervisor() as supervisor, pytest.raises(KeyboardInterrupt):
        supervisor.run(program)


def test_what_is_asked_in_between_may_take_less() -> None:
    def endless() -> None:
        while True:
            pass

    with InlineSupervisor() as supervisor:
        with pytest.raises(TimeoutError):
            supervisor.run(endless, 0.05)
        assert supervisor.run(lambda: 3) == 3
