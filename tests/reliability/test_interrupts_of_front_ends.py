"""Interrupts of the work that front ends request; `python -m tests.reliability.interrupts` sends many more."""

from __future__ import annotations

import gc
import os
import random
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from evaluator import Session
from evaluator.session import dialect_notes, memory, stack_threads
from evaluator.session import supervisor as supervisor_module
from evaluator.session.cell import Cell
from evaluator.session.evaluation import evaluate
from evaluator.session.program_state import ProgramState, Savepoint
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from puppet_kernel.shell import Shell
from tests.reliability import interrupts
from tests.reliability.interrupts import KINDS, MOST_SECONDS
from tests.sessions.notebooks import describe_state

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

COUNT = int(os.environ.get("PUPPET_KERNEL_INTERRUPTS", "30"))


@pytest.fixture(params=["in a thread", "in the main thread"], autouse=True)
def make_supervisor(request: pytest.FixtureRequest) -> type[supervisor_module.Supervisor]:
    """Return the class of the supervisor: that of a terminal, or that of a kernel."""
    if request.param == "in a thread":
        return supervisor_module.Supervisor
    request.getfixturevalue("main_stack")
    return supervisor_module.MainThreadSupervisor


def test_no_interrupt_is_lost_and_none_changes_the_session() -> None:
    """The times are of CPU, so that a busy machine does not fail the test."""
    found = interrupts.send_interrupts(max(COUNT, len(KINDS)), random.randrange(1000), 0.1)
    assert [str(one) for one in found if one.violation] == []
    assert [str(one) for one in found if one.cpu > MOST_SECONDS] == []
    assert len({one.kind for one in found}) == len(KINDS)


def test_an_interrupted_replay_is_rolled_back() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.evaluate("$x = 1")
    shell.evaluate("notify { 'a': }")
    before = shell.session
    with interrupts.interrupted_run(1):  # a replay of all cells is one run
        reply = shell.submit("%dialect spec")
    assert reply.error is not None and reply.error.code == "INTERRUPTED"
    assert shell.session is before and before.dialect == "puppet"
    assert before.catalog().summary() == ["Notify[a]"]


def test_an_interrupted_withdrawal_is_reported() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.evaluate("$x = 1", "first")
    shell.evaluate("$y = $x", "second")
    with interrupts.interrupted_run(1):
        reply = shell.submit("", "first")
    assert reply.error is not None and reply.error.code == "INTERRUPTED"
    assert shell.session.look("$x").value == 1


@pytest.mark.parametrize("seconds", [0.0, 0.0005])
def test_an_early_interrupt_stops_a_command_at_once(seconds: float) -> None:
    found = interrupts.send_interrupt((True, "%time"), seconds)
    assert found is not None and not found.violation


@pytest.mark.parametrize("ends", [TimeoutError, MemoryError, ValueError])
def test_an_interrupt_during_another_end_stops_the_next_program(
    ends: type[Exception], make_supervisor: type[supervisor_module.Supervisor]
) -> None:
    with make_supervisor() as supervisor:

        def work() -> None:
            supervisor._interruption = supervisor_module.Interrupted
            raise {TimeoutError: supervisor_module.TooLong, MemoryError: supervisor_module.OutOfMemory}.get(
                ends, ends
            )

        with pytest.raises(ends):
            supervisor.run(work)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(lambda: time.sleep(1))
        assert supervisor.run(lambda: 1) == 1


class _StoppedAgain(list[object]):
    """A list that is not cleared, because the program is stopped once more."""

    def clear(self) -> None:
        raise supervisor_module.TooLong


def test_a_second_stop_while_the_first_is_stored_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with supervisor_module.Supervisor() as supervisor:

        def work() -> None:
            supervisor._exceeded = supervisor_module.TooLong
            raise supervisor_module.TooLong

        with monkeypatch.context() as patch:
            patch.setattr(stack_threads, "reserve", _StoppedAgain())
            patch.setattr("sys.unraisablehook", lambda report: None)  # the thread ends with the exception
            with pytest.raises(TimeoutError):
                supervisor.run(work)
        assert supervisor.run(lambda: 1) == 1


def test_an_interrupt_at_the_end_of_a_program_stops_it(
    make_supervisor: type[supervisor_module.Supervisor],
) -> None:
    with make_supervisor() as supervisor:

        def work() -> int:
            supervisor._interruption = supervisor_module.Interrupted
            return 1

        with pytest.raises(KeyboardInterrupt):
            supervisor.run(work)
        assert supervisor.run(lambda: 1) == 1


def test_no_interrupt_comes_between_a_with_statement_and_its_generator(
    make_supervisor: type[supervisor_module.Supervisor],
) -> None:
    entered = list[None]()

    @contextmanager
    def enter() -> Iterator[None]:
        entered.append(None)
        try:
            yield
        finally:
            entered.pop()

    def work() -> None:
        while True:
            with enter():
                pass

    for number in range(40):
        with make_supervisor() as supervisor:
            timer = threading.Timer(0.0003 * number, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                supervisor.run(work)
            timer.join()
            assert not entered


def test_a_signal_within_the_handler_of_another_stops_nothing_else(
    monkeypatch: pytest.MonkeyPatch, main_stack: None
) -> None:
    """A timer's signal must not stop the handler while it examines the frame of a program."""
    decide = stack_threads.is_unstoppable
    finished = list[None]()

    def decide_late(frame: FrameType | None) -> bool:
        signal.raise_signal(signal.SIGALRM)
        return decide(frame)

    @contextmanager
    def enter() -> Iterator[None]:
        yield
        signal.raise_signal(signal.SIGINT)
        finished.append(None)

    def work() -> None:
        with enter():
            pass
        while True:
            pass

    monkeypatch.setattr(stack_threads, "is_unstoppable", decide_late)
    with supervisor_module.MainThreadSupervisor() as supervisor, pytest.raises(KeyboardInterrupt):
        supervisor.run(work)
    assert finished


def test_garbage_is_collected_briefly_while_programs_run(
    make_supervisor: type[supervisor_module.Supervisor],
) -> None:
    former = gc.get_threshold()
    with make_supervisor() as supervisor:
        assert supervisor.run(gc.get_threshold)[2] > 1_000_000
    assert gc.get_threshold() == former


def test_old_garbage_is_collected_between_programs(
    make_supervisor: type[supervisor_module.Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    monkeypatch.setattr(memory, "_next_full_collection", 0.0)
    while stack_threads.is_freeing():  # the memory of an earlier program
        time.sleep(0.01)
    cycle = Cycle()
    reference = weakref.ref(cycle)
    gc.collect()
    del cycle
    with make_supervisor():
        for _ in range(memory._MIN_COLLECTIONS + 1):
            gc.collect(1)
        assert reference() is not None
    assert reference() is None


@pytest.mark.parametrize("step", ["forget", "run"])
def test_an_interrupt_while_an_evaluation_in_another_dialect_is_rolled_back(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session("puppet", interactive=True)
    session.run("$seed = 1", "first")
    session.run('notify { "r": message => "of ${seed}" }', "second")
    before = describe_state(session)

    is_left, roll_back = False, ProgramState.roll_back

    def leave(compared: dialect_notes._ComparedCode, dialect: Dialect) -> None:
        nonlocal is_left
        evaluate(compared.program, compared.program.savepoint(), Cell("", "notify { 'left': }", 0))
        is_left = True
        raise dialect_notes.Unknown

    def stop(state: ProgramState, savepoint: Savepoint) -> None:
        nonlocal is_left
        if is_left:
            is_left = False
            raise KeyboardInterrupt
        roll_back(state, savepoint)

    with monkeypatch.context() as patched:
        patched.setattr(dialect_notes._ComparedCode, "evaluate_in", leave)
        patched.setattr(ProgramState, "roll_back", stop)
        if step == "forget":
            with pytest.raises(PuppetError, match="Interrupted"):
                session.forget(["first"])
        else:
            error = session.run("$other = 1", "first").error
            assert error is not None and error.code == "INTERRUPTED"
    assert describe_state(session) == before
    assert session.run("$seed = 3", "first").error is None
    assert "of 3" in str(session.catalog().summary())
