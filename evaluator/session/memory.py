"""The memory of the process: how much it has, and what frees some of it.

The modules `supervisor` and `stack_threads` call these functions before, during and after a program.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from contextlib import suppress

PAGE_BYTES = 4096
# The thresholds of the three generations while programs run. The collector cannot be interrupted, so it scans new
# objects, every other time also those of the previous collection, which takes 30 ms, and never all objects. With a
# lower first threshold most catalogs would be scanned while they grow, which takes up to a seventh of their time.
_BRIEF_THRESHOLDS = (100_000, 1, 1_000_000_000)
# A full collection runs between programs if more than _MIN_COLLECTIONS collections of the second generation have run
# since the last one, and if the process has since used _MIN_CPU_RATIO times the CPU time that the last one took.
_MIN_COLLECTIONS = 12
_MIN_CPU_RATIO = 20
# A full collection also runs during a program that has used all its memory, if at most this many collections of the
# second generation have run. That is a million objects, an acceptable delay for an interrupt. A program that creates
# more objects keeps them reachable, because values have no cycles.
_MAX_COLLECTIONS = 5

_next_full_collection = 0.0  # seconds of CPU time of the process, before which no full collection runs


def limit_collections() -> tuple[int, int, int]:
    """Make garbage collections brief and return the thresholds for `restore_collections`."""
    former = gc.get_threshold()
    gc.set_threshold(*_BRIEF_THRESHOLDS)
    return former


def restore_collections(former: tuple[int, int, int], *, is_freeing: bool) -> None:
    """Restore the thresholds, and run a full collection if much was done since the last one.

    Args:
        is_freeing: Objects are about to be freed; scanning them would be wasted time.
    """
    global _next_full_collection
    is_due = gc.get_count()[2] > _MIN_COLLECTIONS and not is_freeing
    if is_due and (begun := time.process_time()) > _next_full_collection:
        gc.collect()
        ended = time.process_time()
        _next_full_collection = ended + _MIN_CPU_RATIO * (ended - begun)
    gc.set_threshold(*former)


def free_garbage() -> bool:
    """Run a full collection and return True, if it is worthwhile and brief enough.

    Returns:
        False if no objects, or too many, have reached the oldest generation since the last full collection.
    """
    if not 0 < gc.get_count()[2] <= _MAX_COLLECTIONS:
        return False
    gc.collect()
    return True


def measure_memory() -> int:
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
        return int(os.read(descriptor, 200).split()[1]) * PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0
    finally:
        os.close(descriptor)


# --- the stack of the main thread

_LARGE_STACK_KB = 16_000
_STACK_IN_USE = 1 << 20  # bytes, which are not freed
_STACK_GAP = 1 << 20  # bytes that the system keeps free below a stack
_MADV_DONTNEED = 4  # for madvise(2)


def has_room_for_stack(size: int) -> bool:
    """Return True if the stack of the main thread may grow to a size in bytes.

    False if the system does not reveal it.
    """
    with suppress(OSError, ValueError, StopIteration):
        with open("/proc/sys/vm/overcommit_memory", "rb") as file:
            is_strict = file.read().strip() == b"2"  # the system must have memory for every reserved address
        with open("/proc/self/maps", "rb") as file:
            lines = file.readlines()
        number = next(number for number, line in enumerate(lines) if b"[stack]" in line)
        stack_start = lines[number].split(b"-")[0]
        mapped_end = lines[number - 1].split()[0].split(b"-")[1]  # of what is mapped below the stack
        return not is_strict and int(stack_start, 16) - int(mapped_end, 16) > size + _STACK_GAP
    return False


def free_main_stack() -> None:
    """Free the memory of the main thread's stack that a program no longer uses.

    Nothing is freed if the system hides the place of the stack.
    """
    with suppress(OSError, ValueError, StopIteration):
        with open("/proc/self/status", "rb") as lines:
            size = next(line for line in lines if line.startswith(b"VmStk:"))
        if int(size.split()[1]) < _LARGE_STACK_KB:
            return
        with open("/proc/self/maps", "rb") as lines:
            low = int(next(line for line in lines if b"[stack]" in line).partition(b"-")[0], 16)
        with open("/proc/self/syscall", "rb") as file:
            # the last two fields: stack pointer and program counter
            top = int(file.read().split()[-2], 16)
        unused = (top - _STACK_IN_USE - low) // PAGE_BYTES * PAGE_BYTES
        if unused > 0:
            from ctypes import CDLL, c_size_t, c_void_p  # few programs are so large

            CDLL(None).madvise(c_void_p(low), c_size_t(unused), _MADV_DONTNEED)
