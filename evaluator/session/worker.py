"""Runs a program in a thread of its own: with room for deep recursion, stoppable, with bounded memory.

CPython's recursion limit counts frames, not bytes: raising it alone ends in a crash. So the limit is raised
only together with a large stack, which costs address space but no memory until it is used.

Recursion limit, stack size and published limits belong to the process: one program runs at a time.
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any, TypeVar

from evaluator import limits
from evaluator.program import places

STACK_BYTES_PER_FRAME = 5_400
# where the address space is limited, a smaller stack must do
_SMALLER = (1, 4, 16)
_GLANCE_SECONDS = 0.05
_QUICK_GLANCE_SECONDS = 0.005
_PAGE_BYTES = 4096
# how far from the top an import is looked for: modules do little while they are imported
_IMPORT_FRAMES = 50

_T = TypeVar("_T")
_running = threading.RLock()
_innermost: Supervisor | None = None  # of the thread that holds the lock
_waiting: _Hand | None = None  # the thread that runs the next program, when that needs no other


# A program is stopped by an exception that is raised in its thread. One that arrives when the program has just
# ended would show as a traceback on standard error, were it not a SystemExit: that ends a thread in silence.


class _Interrupted(KeyboardInterrupt, SystemExit):
    pass


class _TooLong(_Interrupted):
    pass


class _OutOfMemory(MemoryError, SystemExit):
    pass


# what the caller gets for what ended the thread
_PLAIN: dict[type[SystemExit], type[BaseException]] = {
    _OutOfMemory: MemoryError,
    _TooLong: TimeoutError,
    SystemExit: KeyboardInterrupt,
}


class _Hand:
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


class Supervisor:
    """Runs programs, one after the other, within limits.

    From `with` to its end an interrupt (SIGINT) raises nothing in the calling thread: it stops the program that
    runs, or, between programs, the next one. So what a caller does there happens whole. One that is entered within
    another takes over an interrupt that waits there, and leaves behind one that came after its last program.
    """

    __slots__ = (
        "_amounts",
        "_done",
        "_exceeds",
        "_former_amounts",
        "_former_handler",
        "_former_hook",
        "_gate",
        "_hears",
        "_inside",
        "_outer",
        "_raised",
        "_stop",
        "_thread",
    )

    def __init__(self, amounts: Mapping[str, float] | None = None) -> None:
        self._amounts = amounts or {}
        self._former_amounts: Mapping[str, float] = {}
        self._former_handler: Any = None
        self._former_hook: Any = None
        self._hears = False  # it was entered in the main thread
        self._stop: type[BaseException] | None = None  # an interrupt has come that has stopped nothing yet
        self._exceeds: type[BaseException] | None = None  # the program that runs has gone beyond a limit
        self._thread: int | None = None
        self._inside = False
        self._raised = False  # something in the thread of the program that runs, or that has just ended
        self._outer: Supervisor | None = None
        self._done = _thread.allocate_lock()
        self._gate = _thread.allocate_lock()

    def __enter__(self) -> Supervisor:
        global _innermost
        # signals reach the main thread only, where the outermost one hears them for those within it; a handler that
        # is not Python's says that they are not wanted
        self._hears = threading.current_thread() is threading.main_thread()
        within = _innermost is not None and _innermost._hears
        if self._hears and not within and callable(signal.getsignal(signal.SIGINT)):
            self._former_handler = signal.signal(signal.SIGINT, self._on_interrupt)
        _running.acquire()
        self._outer, _innermost = _innermost, self
        if self._outer is not None and self._outer._stop is not None:
            self._stop, self._outer._stop = self._outer._stop, None
        if self._outer is None:
            places.begin()
        self._former_amounts = limits.install(self._amounts)
        self._former_hook = sys.unraisablehook
        sys.unraisablehook = self._on_lost
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        sys.unraisablehook = self._former_hook
        limits.install(self._former_amounts)
        global _innermost
        _innermost = self._outer
        if self._outer is None:
            places.end()
        _running.release()
        if self._former_handler is not None:
            signal.signal(signal.SIGINT, self._former_handler)
        if self._outer is not None and self._stop is not None:
            self._outer._stop = self._stop

    @property
    def runs_here(self) -> bool:
        """True in the thread of the program that runs."""
        return self._thread == threading.get_ident()

    def interrupt(self) -> None:
        """An interrupt has come: it stops the program that runs, or else the next one."""
        self._stop = _Interrupted
        self._raise(_Interrupted)

    def shielded(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same function, which is never stopped half-way when a program calls it: for what writes."""

        def call(argument: Any) -> Any:
            with self._gate:
                return function(argument)

        return call

    def run(self, function: Callable[[], _T], seconds: float = float("inf")) -> _T:
        """Calls `function` in a thread and gives its value, or raises what it raised.

        KeyboardInterrupt when it was interrupted, TimeoutError when it took more than `seconds`, MemoryError when it
        took more memory than the limit. An interrupt that did not stop it, since it had just ended in whatever way,
        stops the next program, which does not begin then.
        """
        if self._stop is not None:
            self._stop = None
            raise KeyboardInterrupt
        result: list[_T] = []
        failure: list[BaseException] = []
        done = self._done = _thread.allocate_lock()
        done.acquire()

        def work() -> None:
            try:
                self._inside = True  # from here an exception finds its way to `failure`
                if self._stop is not None:  # it came when this was to begin
                    raise self._stop
                result.append(function())
            except BaseException as exception:
                failure.append(exception)
            finally:
                done.release()

        self._inside = self._raised = False
        base = _memory_bytes()
        before = sys.getrecursionlimit(), threading.stack_size()
        hand, quick = _hand(int(limits.CALLS.value)), False
        try:
            sys.setrecursionlimit(hand.room)
            self._thread = hand.thread
            hand.give(work)
            quick = self._watch(base, time.monotonic() + seconds)
        finally:
            self._thread = None
            sys.setrecursionlimit(before[0])
            threading.stack_size(before[1])
            _leave(hand, quick and not failure and not self._raised)
        exceeds, self._exceeds = self._exceeds, None
        if failure and isinstance(failure[0], KeyboardInterrupt) and not isinstance(failure[0], _TooLong):
            self._stop = None
        if exceeds is _OutOfMemory:
            gc.collect()  # what the program left must not count as the next one's
        if failure:
            problem = failure.pop()
            if isinstance(problem, SystemExit):  # which would end the whole process
                raise next(plain for kind, plain in _PLAIN.items() if isinstance(problem, kind)) from None
            raise problem
        return result.pop()

    def _watch(self, base: int, deadline: float) -> bool:
        """Waits for the end; stops the program, again and again since the exception may be lost in a destructor.

        True when the end came at once.
        """
        glance = _GLANCE_SECONDS if deadline == float("inf") else _QUICK_GLANCE_SECONDS
        allowed = limits.MEMORY.value
        if self._stop is not None and not self._raise(self._stop):  # the interrupt came first
            glance = _QUICK_GLANCE_SECONDS
        at_once = True
        while not self._done.acquire(timeout=glance):
            at_once = False
            reason = self._stop or self._exceeds
            if reason is not None:
                glance = _GLANCE_SECONDS if self._raise(reason) else _QUICK_GLANCE_SECONDS
                continue
            used = _memory_bytes() - base
            if used > allowed:
                self._exceeds = _OutOfMemory
            elif time.monotonic() > deadline:
                self._exceeds = _TooLong
            elif used > allowed / 4:
                glance = _QUICK_GLANCE_SECONDS
            if self._exceeds is not None:
                self._raise(self._exceeds)
        return at_once

    def _on_lost(self, report: Any) -> None:
        """An exception was lost in a destructor: what stops the program is raised again, by another thread."""
        reason = self._stop or self._exceeds
        if not isinstance(report.exc_value, SystemExit):
            self._former_hook(report)
        elif reason is not None and self.runs_here:
            _thread.start_new_thread(self._raise, (reason,))

    def _on_interrupt(self, number: int, frame: Any) -> None:
        inner = _innermost
        (inner if inner is not None and inner._hears else self).interrupt()

    def _raise(self, exception: type[BaseException]) -> bool:
        """Raises the exception in the program's thread, unless it calls what must not be stopped just now."""
        if self._thread is None or not self._inside or not self._gate.acquire(blocking=False):
            return False
        try:
            import ctypes

            if self._done.locked():
                if imports(_frame_of(self._thread)):
                    return False
                self._raised = True
                thread, kind = ctypes.c_ulong(self._thread), ctypes.py_object(exception)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)
        finally:
            self._gate.release()
        return True


def run(function: Callable[[], _T], amounts: Mapping[str, float] | None = None) -> _T:
    """Calls `function` in a supervised thread, or here when this is one; gives its value or raises what it raised."""
    if _innermost is not None and _innermost.runs_here:
        return function()
    with Supervisor(amounts) as supervisor:
        return supervisor.run(function)


def _hand(frames: int) -> _Hand:
    """The thread that waits, when it has the room; else a new one."""
    global _waiting
    found, _waiting = _waiting, None
    if found is not None and found.fits(frames):
        return found
    if found is not None:
        found.give(None)
    return _Hand(frames)


def _leave(hand: _Hand, keep: bool) -> None:
    """A thread has run a program; it waits for the next one, or ends.

    It ends when something was raised in it, which could come late, and when the program was no small one: what it
    used of the stack would stay in memory.
    """
    global _waiting
    if keep:
        _waiting = hand
    else:
        hand.give(None)


def _frame_of(thread: int) -> FrameType | None:
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


def imports(frame: FrameType | None) -> bool:
    """True when the code that runs is part of an import: stopped there, it would leave the import lock locked."""
    for _ in range(_IMPORT_FRAMES):
        if frame is None:
            return False
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _memory_bytes() -> int:
    """Resident memory of this process; 0 where the system does not tell."""
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
