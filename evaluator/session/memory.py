"""What programs take of memory, and when the garbage collector looks for what they left: never long while one runs."""

from __future__ import annotations

import gc
import os
import sys
import time

from evaluator.session import stack_threads

_PAGE_BYTES = 4096
# The collector cannot be interrupted. While programs run it looks through what is new, every other time also through
# what was new the time before, which takes 8 ms, and never through all that there is. Shorter strides look at most
# of what a catalog is made of twice.
_BRIEFLY = (50_000, 1, 1_000_000_000)
# It looks through everything between programs, when it has looked through what was new so many times since, and when
# so many times as long has passed as that took.
_OFTEN = 25
_SELDOM = 20
# It does so beside a program that has taken all its memory, when it has looked through what was new so many times at
# most: a million objects, which an interrupt can wait for. What makes more holds on to it: values have no cycles.
_FEW = 10

_not_before = 0.0  # seconds of CPU


def limit_collections() -> tuple[int, int, int]:
    """From now on each garbage collection is brief; gives what `restore_collections` needs."""
    former = gc.get_threshold()
    gc.set_threshold(*_BRIEFLY)
    return former


def restore_collections(former: tuple[int, int, int]) -> None:
    """Garbage is collected wherever it is, as before; at once when there has been much work since the last time."""
    global _not_before
    # what waits to be freed would be looked through for nothing
    if (
        gc.get_count()[2] > _OFTEN
        and not stack_threads.is_freeing()
        and (begun := time.process_time()) > _not_before
    ):
        gc.collect()
        ended = time.process_time()
        _not_before = ended + _SELDOM * (ended - begun)
    gc.set_threshold(*former)


def free_garbage() -> bool:
    """Collects garbage wherever it is; false when nothing has grown old since that was done last, or too much."""
    if not 0 < gc.get_count()[2] <= _FEW:
        return False
    gc.collect()
    return True


def used_bytes() -> int:
    """Resident memory of this process; 0 where the system does not tell."""
    in_browser = sys.platform == "emscripten"
    if in_browser:
        from ctypes import pythonapi

        return int(pythonapi.sbrk(0)) & 0xFFFFFFFF  # where the memory ends that was ever asked for
    try:
        descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        return int(os.read(descriptor, 200).split()[1]) * _PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0
    finally:
        os.close(descriptor)
