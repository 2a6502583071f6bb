"""The threads on whose stacks programs run: a pool of one thread, and the main thread.

In this order: the pooled thread; when objects of a stopped program are freed; how another thread stops a program.
"""

from __future__ import annotations

import _thread
import gc
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from mmap import mmap
from types import FrameType

from evaluator import limits
from evaluator.issues import make_error
from evaluator.limits import CALLS
from evaluator.session.memory import PAGE_BYTES, has_room_for_stack

STACK_BYTES_PER_FRAME = 5_400
# The divisors of the stack size that are tried in turn: a limited address space permits only a smaller stack.
_STACK_DIVISORS = (1, 4, 16, 64)

# The innermost frames that are searched for an import: modules make few nested calls while they are imported.
_IMPORT_FRAMES = 50
# The same for the code of a context manager; longer work runs in deeper frames.
_CONTEXT_FRAMES = 4
_CONTEXTLIB = contextmanager.__code__.co_filename

_LEAST_STACK = 1 << 20  # bytes
# Bytes of address space that must remain for programs; the modules for help need half of it.
_REMAINING = 64 << 20
_RESERVE = 8 << 20  # bytes of `reserve`
_OWN_STACK = 8 << 20  # bytes of the main thread's stack that code around a program may use
_POLL_SECONDS = 0.005
_END_SECONDS = 0.5  # within which the thread of a program that has returned ends
_REPLY_SECONDS = 0.1  # within which the reply of a stopped program is sent

main_frames = 0  # the frames of programs that fit on the main thread's stack, see `use_main_thread`

_waiting: PooledThread | None = None  # the thread for the next program, if its stack is large enough
# Objects of a stopped program, which an ending thread is about to free.
_leftovers: list[object] | None = None
# Address space that a program without memory releases to report that: with none, CPython 3.11 tries for ever to raise
# an exception within a handler. It takes no memory.
reserve: list[mmap] = []


class PooledThread:
    """A thread with a large stack that waits for programs to run.

    It is reused because starting a thread costs more time than most cells.

    Attributes:
        frames: The number of Python frames for which the stack was requested.
        room: The number of frames for which the stack has space: fewer if the system refused more.
        thread: The identifier of the thread.
    """

    def __init__(self, frames: int) -> None:
        """Start the thread.

        Args:
            frames: The Python frames that the stack must hold; fewer if the system refuses a stack of that size.

        Raises:
            MemoryError: The system refuses even the smallest stack.
            PuppetError: The user has too many processes.
        """
        self.frames = frames
        self._process = os.getpid()
        self._wake = _thread.allocate_lock()
        self._wake.acquire()
        self._works: list[Callable[[], None] | None] = []
        # The thread of the last program may still end, and has its stack until then.
        deadline = time.monotonic() + _END_SECONDS
        while not self._start():
            if time.monotonic() > deadline:
                if not _is_available(_measure_stack(frames, _STACK_DIVISORS[-1])):
                    raise MemoryError
                raise make_error("PROCESS_LIMIT", reason="no thread can be started")
            time.sleep(_POLL_SECONDS)

    def _start(self) -> bool:
        """Start the thread with the largest stack that the system permits.

        Returns:
            False if the system permits none.
        """
        for divisor in _STACK_DIVISORS:
            self.room = max(self.frames // divisor, 1000)  # which Python permits on the smallest stack, too
            size = _measure_stack(self.frames, divisor)
            # The smallest stack is tried in any case: only starting a thread shows whether there is room for it.
            if divisor != _STACK_DIVISORS[-1] and not _is_available(size + _REMAINING):
                continue
            former = threading.stack_size(size)
            try:
                self.thread = _thread.start_new_thread(self._serve, ())
                return True
            except RuntimeError:
                continue
            finally:
                threading.stack_size(former)  # other threads of the process need no such stack
        return False

    def _serve(self) -> None:
        while True:
            self._wake.acquire()
            while self._works:
                work = self._works.pop(0)
                if work is None:
                    return
                work()
                del work  # it refers to the program's value

    def submit(self, work: Callable[[], None] | None) -> None:
        """Let the thread run a program; None lets it end after the programs that were submitted."""
        self._works.append(work)
        if self._wake.locked():
            self._wake.release()

    def is_usable_for(self, frames: int) -> bool:
        """Return True for a stack that was requested for these frames by this process.

        After a fork the object exists in the child, but its thread runs only in the parent.
        """
        return self.frames == frames and self._process == os.getpid()


def _measure_stack(frames: int, divisor: int) -> int:
    """Return the bytes of a stack for a part of so many frames, in whole pages."""
    return max(frames // divisor * STACK_BYTES_PER_FRAME // PAGE_BYTES * PAGE_BYTES, _LEAST_STACK)


def _is_available(size: int) -> bool:
    """Return True if the system permits so many more bytes of address space."""
    try:
        mmap(-1, size).close()
    except OSError:
        return False
    return True


def use_main_thread(raise_limit: Callable[[int], str | None]) -> None:
    """Run programs in the main thread from now on, if its stack can grow enough.

    Args:
        raise_limit: Raises the limit of the stack to a number of bytes. Returns the former limit in bytes, "" if there
            was none, and None if that is not permitted.
    """
    global main_frames
    frames = int(CALLS.value)
    size = frames * STACK_BYTES_PER_FRAME + _OWN_STACK
    former = raise_limit(size) if has_room_for_stack(size) else None
    if former is not None:
        main_frames, limits.stack_of_programs = frames, former


def acquire(frames: int) -> PooledThread:
    """Return the waiting thread when it has the room for these frames, otherwise a new one."""
    global _waiting
    pooled, _waiting = _waiting, None
    if pooled is None or not pooled.is_usable_for(frames):
        if pooled is not None:
            pooled.submit(None)
        pooled = PooledThread(frames)
    if not reserve:  # a program needs the address space for its stack more urgently
        with suppress(OSError):
            reserve.append(mmap(-1, _RESERVE))
    return pooled


def release(pooled: PooledThread, keep: bool, leftovers: list[object]) -> None:
    """Return a thread to the pool after a program, or let it end.

    Args:
        pooled: The thread.
        keep: False to let it end. It must end if an exception was raised in it, which could take effect in the next
            program, and if the program was large, because the stack that it used would stay in memory.
        leftovers: Objects of a stopped program, which are freed after its reply has been sent, because freeing large
            values takes longer than stopping the program that makes them.
    """
    global _leftovers, _waiting
    if keep:
        _waiting = pooled
        return
    if leftovers and _leftovers is None:
        _leftovers = leftovers
        pooled.submit(_free_later)
    pooled.submit(None)


def free_after_reply(leftover: object) -> None:
    """Free an object of a stopped program once its reply has been sent; see `release`."""
    global _leftovers
    if _leftovers is None:
        with suppress(RuntimeError):  # no thread can be started: the object is freed at once
            _thread.start_new_thread(_free_later, ())
            _leftovers = [leftover]


def is_freeing() -> bool:
    """Return True while objects of a stopped program wait to be freed."""
    return _leftovers is not None


def wait_until_freed() -> None:
    """Wait until the objects of stopped programs are freed.

    The next program would have less memory otherwise.
    """
    while is_freeing():
        time.sleep(_POLL_SECONDS)


def defer_freeing(objects: list[object]) -> None:
    """Free objects later, if others of a stopped program wait to be freed.

    Otherwise this does nothing: the objects are freed when the caller drops them.
    """
    if _leftovers is not None:
        _leftovers.extend(objects)


def clear_frames(problem: BaseException) -> None:
    """Clear the variables of the frames through which an exception passed.

    Those of frames that still run are kept.

    `traceback.clear_frames` does the same, but loading that module takes memory, which is what a program lacks then.
    """
    traceback = problem.__traceback__
    while traceback is not None:
        with suppress(RuntimeError):
            traceback.tb_frame.clear()
        traceback = traceback.tb_next


def _free_later() -> None:
    global _leftovers
    time.sleep(_REPLY_SECONDS)
    _leftovers = None


def raise_in(thread: int | None, exception: type[BaseException]) -> bool:
    """Raise an exception in a thread before its next instruction.

    None is no thread: the call then only loads `ctypes`.

    Returns:
        False when the system refuses the memory that `ctypes` needs.
    """
    try:
        import ctypes
    except ModuleNotFoundError:
        raise
    except (ImportError, OSError, MemoryError):
        return False
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), ctypes.py_object(exception))
    return True


def get_frame(thread: int) -> FrameType | None:
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


def is_unstoppable(frame: FrameType | None) -> bool:
    """Return True when a program must not be stopped in a frame.

    Within an import the import lock would stay locked. Where a `with` statement enters or leaves a generator, what
    follows its `yield` would run whenever the generator is freed, in the middle of another program.
    """
    for depth in range(_IMPORT_FRAMES):
        if frame is None:
            return False
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib") or (file == _CONTEXTLIB and depth < _CONTEXT_FRAMES):
            return True
        frame = frame.f_back
    return False
