"""The thread that programs run in: one for many of them, and another one after whatever could reach into the next."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from evaluator.session import hands, memory
from evaluator.session.worker import Supervisor


class Value:
    """What a program gives."""


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


def test_the_answer_to_an_interrupt_does_not_wait_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_OFTEN", -1)  # every program is followed by a search for garbage
    monkeypatch.setattr(memory, "_not_before", 0.0)
    monkeypatch.setattr(memory, "_SELDOM", 0)
    searches: list[int] = []

    def note(phase: str, facts: dict[str, int]) -> None:
        if phase == "start" and facts["generation"] == 2:
            searches.append(1)

    def stopped() -> None:
        guard.interrupt()
        while True:
            pass

    gc.callbacks.append(note)
    try:
        with Supervisor() as guard, pytest.raises(KeyboardInterrupt):
            guard.run(stopped)
        assert not searches
        hands._let_go()  # the answer has been sent
        with Supervisor() as guard:
            guard.run(int)
        assert searches
    finally:
        gc.callbacks.remove(note)


class Ring:
    """What only the search for garbage frees."""

    def __init__(self) -> None:
        self.self = self


@pytest.mark.parametrize(("garbage", "searched"), [(0, False), (60_000, True)])
def test_memory_is_looked_through_where_there_was_garbage_among_what_is_new(
    garbage: int, searched: bool
) -> None:
    def program() -> bool:
        for _ in range(garbage):
            Ring()
        kept = [[number] for number in range(200_000)]
        return memory.freed() and bool(kept)

    gc.collect()
    with Supervisor() as supervisor:
        assert supervisor.run(program) is searched
