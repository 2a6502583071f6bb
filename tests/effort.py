"""Bounds of CPU time that grow with the slowness of the machine.

A bound in seconds alone fails on a slow or busy machine. Bounds here are seconds of the machine on which they were
chosen, which needs `_PACE` seconds for a fixed loop; on a slower machine they grow as the time of the loop does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")
_COUNT = 500_000  # iterations of the loop
_PACE = 0.019  # seconds of CPU


def measure_slowness() -> float:
    """Return the present CPU time of the loop divided by `_PACE`, at least 1."""
    durations = []
    for _ in range(3):
        start, total = time.process_time(), 0
        for number in range(_COUNT):
            total += number * number % 7
        durations.append(time.process_time() - start)
    return max(1.0, min(durations) / _PACE)


def exceeds(duration: float, bound: float) -> bool:
    """Return whether CPU seconds exceed a bound that grows with the slowness of the machine.

    The slowness is measured only if the bound itself is exceeded.
    """
    return duration > bound and duration > bound * measure_slowness()


def run_within(
    seconds: float,
    action: Callable[[], _Result],
    tries: int = 3,
    clock: Callable[[], float] = time.process_time,
) -> _Result:
    """Run an action until its CPU time is within a bound, and return its last result.

    Args:
        seconds: The bound, on the machine that `measure_slowness` compares with.
        action: The measured action. It must do the same each time, unless `tries` is 1.
        tries: The greatest number of runs. A page fault or a garbage collection can slow single runs.
        clock: `time.thread_time` to count this thread alone.

    Raises:
        AssertionError: No run was within the bound.
    """
    durations = []
    for _ in range(tries):
        start = clock()
        result = action()
        durations.append(clock() - start)
        if not exceeds(durations[-1], seconds):
            return result
    raise AssertionError(
        f"took {', '.join(f'{duration:.2f}' for duration in durations)} s of CPU, at most {seconds} are due"
    )
