"""Where programs run: threads that wait for them, with room for deep recursion."""

from __future__ import annotations

import _thread
import os
import threading
import time
from collections.abc import Callable
from typing import Any

STACK_BYTES_PER_FRAME = 5_400
# where the address space is limited, a smaller stack must do
_SMALLER = (1, 4, 16)

_GLANCE_SECONDS = 0.005
_ANSWER_SECONDS = 0.1  # in which the answer is sent of a program that was stopped

_waiting: PooledThread | None = None  # the thread that runs the next program, when that needs no other
_left: list[Any] | None = None  # what a program has left, which a thread that ends waits to free


class PooledThread:
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

    def submit(self, work: Callable[[], None] | None) -> None:
        """Lets the thread run a program; or end, after the one it runs."""
        self._works.append(work)
        if self._wake.locked():
            self._wake.release()

    def has_room_for(self, frames: int) -> bool:
        """True when it has the room that a program needs, and is a thread of this process, not of the one it forked."""
        return self.frames == frames and self._process == os.getpid()


def acquire(frames: int) -> PooledThread:
    """The thread that waits, when it has the room; else a new one."""
    global _waiting
    found, _waiting = _waiting, None
    if found is not None and found.has_room_for(frames):
        return found
    if found is not None:
        found.submit(None)
    return PooledThread(frames)


def release(hand: PooledThread, keep: bool, left: list[Any]) -> None:
    """A thread has run a program; it waits for the next one, or ends.

    It ends when something was raised in it, which could come late, and when the program was no small one: what it
    used of the stack would stay in memory.
    left  is emptied when the answer has been sent: to free large values takes longer than to stop what makes them
    """
    global _left, _waiting
    if keep:
        _waiting = hand
        return
    if left and _left is None:
        _left = left
        hand.submit(_free_later)
    hand.submit(None)


def is_freeing() -> bool:
    """True while what a program has left waits to be freed."""
    return _left is not None


def wait_until_freed() -> None:
    """Waits until nothing waits to be freed: what runs next would have less room."""
    while is_freeing():
        time.sleep(_GLANCE_SECONDS)


def free(parts: list[Any]) -> None:
    """Frees what the program that was stopped just now has made, with what else it left; at once after any other."""
    if _left is not None:
        _left.extend(parts)


def _free_later() -> None:
    global _left
    time.sleep(_ANSWER_SECONDS)
    _left = None
