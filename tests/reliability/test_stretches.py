"""Stretches in which no interrupt is heard are found, and long values are looked at in short ones."""

from __future__ import annotations

import time

from evaluator.session import supervisor
from evaluator.values import chunked
from tests.reliability import stretches

NUMBERS = [(number * 7919) % 3999971 for number in range(1_000_000)]


def test_a_long_call_is_found() -> None:
    with stretches.stretches() as found:
        supervisor.call_supervised(lambda: sorted(NUMBERS))
    assert found and max(found)[0] > stretches.LONG_SECONDS


def test_chunks_are_short() -> None:
    with stretches.stretches() as found:
        supervisor.call_supervised(lambda: chunked.sort_chunked(NUMBERS))
    assert sum(seconds for seconds, _ in found) < 2 * stretches.LONG_SECONDS


def test_steps_are_not() -> None:
    def steps() -> None:
        begun = time.thread_time()
        while time.thread_time() - begun < 0.2:
            pass

    with stretches.stretches() as found:
        supervisor.call_supervised(steps)
    assert sum(seconds for seconds, _ in found) < 0.1


def test_values_are_what_functions_take() -> None:
    session = stretches.session(False)
    assert session.look("sort($s)").error is None and session.look("join($a, ',')").error is None


def test_operators_are_looked_at_that_take_these_values() -> None:
    small = stretches.session(False)
    for code in stretches.OPERATIONS:
        assert small.look(code).error is None, code
