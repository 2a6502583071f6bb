"""Memory use of programs, and garbage collection that never takes long while one runs."""

from __future__ import annotations

import gc
import os
import sys
import time

from evaluator.session import stack_threads

_PAGE_BYTES = 4096
# The thresholds of the three generations while programs run. The collector cannot be interrupted, so it scans new
# objects, every other time also those of the previous collection, which takes 8 ms, and never all objects. With a
# lower first threshold it would scan most of the objects of a catalog twice.
_BRIEFLY = (50_000, 1, 1_000_000_000)
# A full collection runs between programs after more than _OFTEN collections of the second generation since the last
# one, and only when the process has since used _SELDOM times the CPU time that the last one took.
_OFTEN = 25
_SELDOM = 20
# A full collection also runs during a program that has used all its memory, if there were at most so many collections
# of the second generation: that is a million objects, a delay that is acceptable for an interrupt. A program that
# makes more objects keeps them reachable: values have no cycles.
_FEW = 10

_not_before = 0.0  # seconds of CPU time of the process, before which no full collection runs


def limit_collections() -> tuple[int, int, int]:
    """Make garbage collections brief and return the thresholds for `restore_collections`."""
    former = gc.get_threshold()
    gc.set_threshold(*_BRIEFLY)
    return former


def restore_collections(former: tuple[int, int, int]) -> None:
    """Restore the thresholds, and run a full collection if much was done since the last one."""
    global _not_before
    # Scanning objects that are about to be freed would be wasted time.
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
    """Run a full collection and return True, if it is worthwhile and brief enough.

    Returns:
        False when no objects have reached the oldest generation since the last full collection, or too many.
    """
    if not 0 < gc.get_count()[2] <= _FEW:
        return False
    gc.collect()
    return True


def used_bytes() -> int:
    """Return the resident memory of this process in bytes, 0 if the system hides it.

    In a browser it is the memory that was allocated at most.
    """
    in_browser = sys.platform == "emscripten"
    if in_browser:
        from ctypes import pythonapi

        return int(pythonapi.sbrk(0)) & 0xFFFFFFFF  # the end of the memory that was ever allocated
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
