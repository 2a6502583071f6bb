"""The thread that programs run in: one for many of them, and another one after whatever could reach into the next."""

from __future__ import annotations

import contextlib
import gc
import threading
import time
import weakref

import pytest

from evaluator.session import memory, stack_threads
from evaluator.session.supervisor import Supervisor


class Value:
    """Return the results of a program."""


def test_small_programs_share_a_thread() -> None:
    with Supervisor() as supervisor:
        found = {supervisor.run(threading.get_ident) for _ in range(10)}
    with Supervisor() as supervisor:
        found.add(supervisor.run(threading.get_ident))
    assert len(found) == 1 and threading.get_ident() not in found


def test_a_program_that_was_stopped_leaves_its_thread_to_nobody() -> None:
    # A number of a thread is given again once the thread has ended; what is local to a thread is not.
    here = threading.local()

    def endless() -> None:
        here.was_stopped = True
        while True:
            pass

    with Supervisor() as supervisor:
        with pytest.raises(TimeoutError):
            supervisor.run(endless, 0.02)
        assert not supervisor.run(lambda: hasattr(here, "was_stopped"))


def test_a_program_that_was_stopped_is_answered_before_garbage_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    # as if each program had much garbage
    monkeypatch.setattr(memory, "_MIN_COLLECTIONS", -1)
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))

    def endless() -> None:
        while True:
            pass

    for program, looked_for in ((int, 1), (endless, 0)):
        monkeypatch.setattr(memory, "_next_full_collection", 0.0)
        looks.clear()
        while stack_threads.is_freeing():  # what another test has stopped
            time.sleep(0.01)
        with Supervisor() as supervisor, contextlib.suppress(TimeoutError):
            supervisor.run(program, 0.05)
        assert len(looks) == looked_for


def test_a_program_that_does_little_but_write_is_stopped_when_a_line_is_written() -> None:
    lines: list[str] = []
    with Supervisor() as supervisor:

        def write(line: str) -> None:
            if not lines:
                supervisor.interrupt()  # in the middle of a line, where nothing is raised
            lines.append(line)

        shielded = supervisor.shield(write)

        def program() -> None:
            for line in "abc":
                shielded(line)

        with pytest.raises(KeyboardInterrupt):
            supervisor.run(program)
    assert lines == ["a"]


def test_the_thread_holds_nothing_of_a_program_that_has_ended() -> None:
    with Supervisor() as supervisor:
        found = weakref.ref(supervisor.run(Value))
        supervisor.run(int)
    assert found() is None


def test_a_program_does_not_begin_after_an_interrupt() -> None:
    begun: list[int] = []
    with Supervisor() as supervisor:
        supervisor.interrupt()
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(lambda: begun.append(1))
        supervisor.run(lambda: begun.append(2))
    assert begun == [2]


def test_programs_of_another_depth_have_a_thread_of_their_own() -> None:
    with Supervisor() as supervisor:
        first = supervisor.run(threading.get_ident)
    with Supervisor({"max_call_frames": 5000}) as supervisor:
        assert supervisor.run(threading.get_ident) != first
