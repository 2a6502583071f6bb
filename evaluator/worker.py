"""Runs a program in a thread of its own: with room for deep recursion, stoppable, with bounded memory.

CPython's recursion limit counts frames, not bytes: raising it alone ends in a crash. So the limit is raised
only together with a large stack, which costs address space but no memory until it is used.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

from evaluator import limits

STACK_BYTES = 512 * 1024 * 1024
MAX_FRAMES = 100_000
_GLANCE_SECONDS = 0.05
_PAGE_BYTES = 4096


def run(function: Callable[[], Any]) -> Any:
    """Calls `function` in the worker thread and gives its value, or raises what it raised.

    Ctrl-C (KeyboardInterrupt in the calling thread) is passed on to the program; more memory than the limit
    ends it with MemoryError.
    """
    result: list[Any] = []
    failure: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            result.append(function())
        except BaseException as exception:
            failure.append(exception)
        finally:
            done.set()

    before = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(MAX_FRAMES)
    thread = threading.Thread(target=work, name="puppet", daemon=True)
    try:
        thread.start()
        _watch(thread, done)
    finally:
        sys.setrecursionlimit(before[0])
        threading.stack_size(before[1])
    if failure:
        raise failure[0]
    return result[0]


def _watch(thread: threading.Thread, done: threading.Event) -> None:
    """Waits for the end; passes on an interrupt, watches the memory."""
    allowed = 0
    interrupted = False
    while True:
        try:
            if done.wait(_GLANCE_SECONDS):
                return
            if interrupted:
                _raise_in(thread, KeyboardInterrupt)
            elif not allowed:
                allowed = _memory_bytes() + limits.MEMORY.value
            elif _memory_bytes() > allowed:
                gc.collect()
                _raise_in(thread, MemoryError)
                allowed = sys.maxsize
        except KeyboardInterrupt:
            interrupted = True
            _raise_in(thread, KeyboardInterrupt)


def _raise_in(thread: threading.Thread, exception: type[BaseException]) -> None:
    import ctypes

    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(exception))


def _memory_bytes() -> int:
    """Resident memory of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0
