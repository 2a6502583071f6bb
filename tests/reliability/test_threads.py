"""The pooled thread: many programs share it, and it is replaced after a program that was stopped."""

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
    """A result of a program, which can be referred to weakly."""


def test_programs_share_a_thread() -> None:
    with Supervisor() as supervisor:
        found = {supervisor.run(threading.get_ident) for _ in range(10)}
    with Supervisor() as supervisor:
        found.add(supervisor.run(threading.get_ident))
    assert len(found) == 1 and threading.get_ident() not in found


def test_the_thread_of_a_stopped_program_is_not_reused() -> None:
    # The number of a thread is reused after its end; its local data are not.
    here = threading.local()

    def endless() -> None:
        here.was_stopped = True
        while True:
            pass

    with Supervisor() as supervisor:
        with pytest.raises(TimeoutError):
            supervisor.run(endless, 0.02)
        assert not supervisor.run(lambda: hasattr(here, "was_stopped"))


def test_a_stopped_program_is_reported_before_garbage_is_collected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collections: list[int] = []
    # as if each program left much garbage
    monkeypatch.setattr(memory, "_MIN_COLLECTIONS", -1)
    monkeypatch.setattr(gc, "collect", lambda: collections.append(1))

    def endless() -> None:
        while True:
            pass

    for program, expected in ((int, 1), (endless, 0)):
        monkeypatch.setattr(memory, "_next_full_collection", 0.0)
        collections.clear()
        while stack_threads.is_freeing():  # the memory of a program that another test has stopped
            time.sleep(0.01)
        with Supervisor() as supervisor, contextlib.suppress(TimeoutError):
            supervisor.run(program, 0.05)
        assert len(collections) == expected


def test_an_interrupt_during_a_log_line_takes_effect_after_it() -> None:
    lines: list[str] = []
    with Supervisor() as supervisor:

        def write(line: str) -> None:
            if not lines:
                supervisor.interrupt()  # within the shielded call, where nothing is raised
            lines.append(line)

        shielded = supervisor.shield(write)

        def program() -> None:
            for line in "abc":
                shielded(line)

        with pytest.raises(KeyboardInterrupt):
            supervisor.run(program)
    assert lines == ["a"]


def test_the_thread_holds_no_reference_to_an_earlier_result() -> None:
    with Supervisor() as supervisor:
        found = weakref.ref(supervisor.run(Value))
        supervisor.run(int)
    assert found() is None


def test_an_interrupt_between_programs_stops_the_next_one() -> None:
    begun: list[int] = []
    with Supervisor() as supervisor:
        supervisor.interrupt()
        with pytest.raises(KeyboardInterrupt):
            supervisor.run(lambda: begun.append(1))
        supervisor.run(lambda: begun.append(2))
    assert begun == [2]


def test_another_stack_size_needs_another_thread() -> None:
    with Supervisor() as supervisor:
        first = supervisor.run(threading.get_ident)
    with Supervisor({"max_call_frames": 5000}) as supervisor:
        assert supervisor.run(threading.get_ident) != first
