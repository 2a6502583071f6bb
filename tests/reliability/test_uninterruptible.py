"""Stretches in which no interrupt takes effect are found, and chunked operations have no long ones."""

from __future__ import annotations

import time

from evaluator.session import supervisor
from evaluator.values import chunked
from tests.reliability import uninterruptible

NUMBERS = [(number * 7919) % 3999971 for number in range(1_000_000)]


def test_a_long_call_into_c_is_found() -> None:
    with uninterruptible.find_stretches() as found:
        supervisor.call_supervised(lambda: sorted(NUMBERS))
    assert found and max(found)[0] > uninterruptible.LONG_SECONDS


def test_a_chunked_sort_has_no_long_stretch() -> None:
    with uninterruptible.find_stretches() as found:
        supervisor.call_supervised(lambda: chunked.sort_chunked(NUMBERS))
    assert sum(seconds for seconds, _ in found) < 2 * uninterruptible.LONG_SECONDS


def test_a_loop_in_python_has_no_long_stretch() -> None:
    def count_steps() -> None:
        start = time.thread_time()
        while time.thread_time() - start < 0.2:
            pass

    with uninterruptible.find_stretches() as found:
        supervisor.call_supervised(count_steps)
    assert sum(seconds for seconds, _ in found) < 0.1


def test_functions_accept_the_values() -> None:
    session = uninterruptible.make_session(False)
    assert session.look("sort($s)").error is None and session.look("join($a, ',')").error is None


def test_operators_accept_the_values() -> None:
    small = uninterruptible.make_session(False)
    for code in uninterruptible.OPERATIONS:
        assert small.look(code).error is None, code
