"""Functions for another thread: inspecting its frame, and raising an exception in it."""

from __future__ import annotations

import gc
import sys
from types import FrameType

# The frames that are searched for an import, from the innermost: modules do little while they are imported.
_IMPORT_FRAMES = 50


def raise_in(thread: int | None, exception: type[BaseException]) -> None:
    """Raise an exception in a thread before its next instruction.

    None is no thread: the call then only loads `ctypes`.
    """
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), ctypes.py_object(exception))


def frame_of(thread: int) -> FrameType | None:
    """Return the innermost frame of a thread, or None.

    CPython before 3.12 holds an internal lock meanwhile. If garbage were collected then, a destructor could let
    another thread run that starts or ends a thread, as long matches of regular expressions do: the two threads would
    deadlock (gh-106883). So the threshold is set to 0 instead of disabling the collector: the parser enables and
    disables it, but only this function changes the threshold at that time.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        return sys._current_frames().get(thread)
    finally:
        gc.set_threshold(*thresholds)


def is_importing(frame: FrameType | None) -> bool:
    """Return True when a frame is part of an import.

    If it were stopped there, the import lock would stay locked.
    """
    for _ in range(_IMPORT_FRAMES):
        if frame is None:
            return False
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
