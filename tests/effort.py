"""The CPU time of an action, compared with what this machine takes for a fixed loop at the same moment.

A bound in seconds alone fails on a slow or busy machine. Bounds here are seconds of the machine on which they were
chosen, which needs `_PACE` seconds for the loop; on a slower one they grow as the loop does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")
_COUNT = 500_000  # iterations of the loop
_PACE = 0.019  # seconds of CPU


def measure_slowness() -> float:
    """Return how many times as long as `_PACE` the loop takes now, at least 1."""
    taken = []
    for _ in range(3):
        begun, total = time.process_time(), 0
        for number in range(_COUNT):
            total += number * number % 7
        taken.append(time.process_time() - begun)
    return max(1.0, min(taken) / _PACE)


def exceeds(spent: float, seconds: float) -> bool:
    """Return whether the CPU time `spent` exceeds a bound, which grows with the slowness of the machine.

    The slowness is measured only if the bound itself is exceeded.
    """
    return spent > seconds and spent > seconds * measure_slowness()


def run_within(
    seconds: float,
    action: Callable[[], _Result],
    tries: int = 3,
    clock: Callable[[], float] = time.process_time,
) -> _Result:
    """Run an action until it keeps to a bound of CPU time, and return its last result.

    Args:
        seconds: The bound, on the machine that `measure_slowness` compares with.
        action: What is measured. It must do the same each time, unless `tries` is 1.
        tries: The greatest number of runs. A page that the system maps or a garbage collection spoils single ones.
        clock: `time.thread_time` to count this thread alone.

    Raises:
        AssertionError: None of the runs kept to the bound.
    """
    spent = []
    for _ in range(tries):
        begun = clock()
        result = action()
        spent.append(clock() - begun)
        if not exceeds(spent[-1], seconds):
            return result
    raise AssertionError(
        f"took {', '.join(f'{each:.2f}' for each in spent)} s of CPU, at most {seconds} are due"
    )
