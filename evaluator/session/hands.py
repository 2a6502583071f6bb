"""Where programs run: threads that wait for them, with room for deep recursion, or the stack that there is."""

from __future__ import annotations

import _thread
import builtins
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

if sys.platform == "emscripten":
    from ctypes import c_size_t, c_void_p, pythonapi

STACK_BYTES_PER_FRAME = 5_400
# where the address space is limited, a smaller stack must do
_SMALLER = (1, 4, 16)
# What C code that calls itself may take of WebAssembly's stack in memory. The other stack, that of the engine, cannot
# be asked; where it ends the whole runtime ends. A browser's workers have 500 kB of it, half of which this leaves free.
# Python's own compiler takes much of the one and little of the other.
#
# What is freed takes only of the engine's, a frame or two for each value within a value, and 20,000 of these end it. So
# all programs run where the interpreter takes its stack for nearly used up: less than _PUT_OFF_BYTES before the end it
# puts off what is within what it frees, and `free` does that, one after the other, without any depth.
_PUT_OFF_BYTES = 16 * 1024
_ABOVE_BYTES = 512  # what runs a program is so much nearer to the beginning of the stack
_RESERVED_BYTES = 16 * 1024  # behind the end, for the interpreter itself
_COMPILING_STACK_BYTES = 160 * 1024
# Nor may frames within frames be too many: they are given back one within the other, on the engine's stack.
FRAMES_IN_PLACE = 2000

_waiting: Hand | None = None  # the thread that runs the next program, when that needs no other


class Hand:
    """A thread with room for deep recursion, which waits for programs to run: to start one costs more than most cells.

    frames  how many it was asked to have room for;  room  for how many it has
    """

    __slots__ = ("_process", "_wake", "_works", "frames", "room", "thread")

    def __init__(self, frames: int) -> None:
        """Starts the thread with room for so many frames, or for as many as the system gives room for."""
        self.frames = frames
        self._process = os.getpid()
        self._wake = _thread.allocate_lock()
        self._wake.acquire()
        self._works: list[Callable[[], None] | None] = []
        for share in _SMALLER:
            self.room = max(frames // share, 1000)
            threading.stack_size(max(frames // share * STACK_BYTES_PER_FRAME // 4096 * 4096, 1 << 20))
            try:
                self.thread = _thread.start_new_thread(self._serve, ())
                return
            except RuntimeError:
                continue
        raise MemoryError

    def _serve(self) -> None:
        while True:
            self._wake.acquire()
            while self._works:
                work = self._works.pop(0)
                if work is None:
                    return
                work()
                del work  # which holds what the program gave

    def give(self, work: Callable[[], None] | None) -> None:
        """Lets the thread run a program; or end, after the one it runs."""
        self._works.append(work)
        if self._wake.locked():
            self._wake.release()

    def fits(self, frames: int) -> bool:
        """True when it has the room that a program needs, and is a thread of this process, not of the one it forked."""
        return self.frames == frames and self._process == os.getpid()


def hand(frames: int) -> Hand:
    """The thread that waits, when it has the room; else a new one."""
    global _waiting
    found, _waiting = _waiting, None
    if found is not None and found.fits(frames):
        return found
    if found is not None:
        found.give(None)
    return Hand(frames)


def leave(hand: Hand, keep: bool) -> None:
    """A thread has run a program; it waits for the next one, or ends.

    It ends when something was raised in it, which could come late, and when the program was no small one: what it
    used of the stack would stay in memory.
    """
    global _waiting
    if keep:
        _waiting = hand
    else:
        hand.give(None)


@cache
def bound_stack() -> None:
    """Lets the interpreter raise RecursionError before the stack ends, where that would be the end of everything."""
    if sys.platform == "emscripten":
        here, state, bound = (
            pythonapi.emscripten_stack_get_current,
            pythonapi.PyThreadState_Get,
            pythonapi.PyUnstable_ThreadState_SetStackProtection,
        )
        here.restype = state.restype = c_void_p
        bound.argtypes = [c_void_p, c_void_p, c_size_t]
        pythonapi._PyTrash_thread_destroy_chain.argtypes = [c_void_p]
        this, top = state(), here() + _ABOVE_BYTES
        size = _PUT_OFF_BYTES + _RESERVED_BYTES
        compiles = builtins.compile

        def compile(*given: Any, **named: Any) -> Any:
            free()  # with more room nothing would be put off any more
            low = here() - _COMPILING_STACK_BYTES
            bound(this, low, top - low)
            try:
                return compiles(*given, **named)
            finally:
                bound(this, top - size, size)

        builtins.compile = compile
        bound(this, top - size, size)


def free() -> None:
    """Frees what was put off."""
    if sys.platform == "emscripten":
        pythonapi._PyTrash_thread_destroy_chain(pythonapi.PyThreadState_Get())
