"""Another thread: what it does, and how something is raised in it."""

from __future__ import annotations

import gc
import sys
from types import FrameType

# how far from the top an import is looked for: modules do little while they are imported
_IMPORT_FRAMES = 50


def raise_in(thread: int | None, exception: type[BaseException]) -> None:
    """Raises an exception in a thread, before its next step; None is no thread."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), ctypes.py_object(exception))


def frame_of(thread: int) -> FrameType | None:
    """The frame that a thread is in, or None.

    CPython before 3.12 holds a lock of its own meanwhile. Were garbage collected then, a destructor could let
    another thread run that starts or ends a thread, as long matches do: it would wait for that lock for ever, and
    this thread for it (gh-106883). The parser turns the collector off and on; the threshold is ours alone.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        return sys._current_frames().get(thread)
    finally:
        gc.set_threshold(*thresholds)


def is_importing(frame: FrameType | None) -> bool:
    """True when the code that runs is part of an import: stopped there, it would leave the import lock locked."""
    for _ in range(_IMPORT_FRAMES):
        if frame is None:
            return False
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
