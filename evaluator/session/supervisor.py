"""Runs a program in a thread of its own: with room for deep recursion, stoppable, with bounded memory.

CPython's recursion limit counts frames, not bytes: raising it alone ends in a crash. So the limit is raised
only together with a large stack, which costs address space but no memory until it is used.

Recursion limit, stack size and published limits belong to the process: one program runs at a time.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any, TypeVar

from evaluator import limits
from evaluator.program import clock, stat_cache
from evaluator.session import machine, memory, stack_threads, threads

_POLL_SECONDS = 0.02
_QUICK_POLL_SECONDS = 0.005
# after so many glances it is likely enough that somebody stops the program
_LONG = 10
# Frames within frames may not be too many: they are given back one within the other, on a stack that cannot be
# asked.
_FRAMES_IN_PLACE = 2000

_T = TypeVar("_T")
_running = threading.RLock()
_innermost: Supervisor | None = None  # of the thread that holds the lock


# A program is stopped by an exception that is raised in its thread. One that arrives when the program has just
# ended would show as a traceback on standard error, were it not a SystemExit: that ends a thread in silence.


class _Interrupted(KeyboardInterrupt, SystemExit):
    pass


class _TooLong(_Interrupted):
    pass


class _OutOfMemory(MemoryError, SystemExit):
    pass


# what stops a program in the middle of things
_STOPS = (_Interrupted, _OutOfMemory)
# what the caller gets for what ended the thread
_PLAIN: dict[type[SystemExit], type[BaseException]] = {
    _OutOfMemory: MemoryError,
    _TooLong: TimeoutError,
    SystemExit: KeyboardInterrupt,
}


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
        "_former_digits",
        "_former_handler",
        "_former_hook",
        "_gate",
        "_hears",
        "_inside",
        "_outer",
        "_raised",
        "_stop",
        "_thread",
        "_thresholds",
    )

    def __init__(self, amounts: Mapping[str, float] | None = None) -> None:
        self._amounts = amounts or {}
        self._former_amounts: Mapping[str, float] = {}
        self._former_digits = 0
        self._former_handler: Any = None
        self._former_hook: Any = None
        self._hears = False  # it was entered in the main thread
        self._stop: type[BaseException] | None = None  # an interrupt has come that has stopped nothing yet
        self._exceeds: type[BaseException] | None = None  # the program that runs has gone beyond a limit
        self._thread: int | None = None
        self._inside = False
        self._raised = False  # something in the thread of the program that runs, or that has just ended
        self._thresholds = (0, 0, 0)
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
            stat_cache.begin()
            self._thresholds = memory.limit_collections()
        self._former_amounts = limits.install(self._amounts)
        self._former_digits = _allow_digits(limits.INTEGER.value)
        self._former_hook = sys.unraisablehook
        sys.unraisablehook = self._on_unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        sys.unraisablehook = self._former_hook
        limits.install(self._former_amounts)
        sys.set_int_max_str_digits(self._former_digits)
        global _innermost
        _innermost = self._outer
        if self._outer is None:
            stat_cache.end()
            memory.restore_collections(self._thresholds)
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

    def interrupt_outer(self) -> None:
        """An interrupt has stopped a program that was a part of something: it stops what comes next there, too."""
        if self._outer is not None:
            self._outer._stop = _Interrupted

    def shield(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same function, which is never stopped half-way when a program calls it: for what writes.

        What is to stop the program stops it as soon as that is done: one that does little else is nearly always there.
        """

        def call(argument: Any) -> Any:
            with self._gate:
                result = function(argument)
            reason = self._stop or self._exceeds
            if reason is not None and self.runs_here:
                raise reason
            return result

        return call

    def run(self, function: Callable[[], _T], seconds: float = float("inf")) -> _T:
        """Calls `function` in a thread and gives its value, or raises what it raised.

        KeyboardInterrupt when it was interrupted, TimeoutError when it took more than `seconds`, MemoryError when it
        took more memory than the limit. An interrupt that was heard when it had just ended stops it all the same, but
        what it raised comes first: then the next program does not begin.
        """
        self._raise_pending_interrupt()
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
        base = memory.used_bytes()
        before = sys.getrecursionlimit(), threading.stack_size()
        hand, quick = stack_threads.acquire(int(limits.CALLS.value)), False
        try:
            sys.setrecursionlimit(hand.room)
            self._thread = hand.thread
            hand.submit(work)
            quick = self._watch(base, clock.now() + min(seconds, limits.SECONDS.value))
        finally:
            self._thread = None
            sys.setrecursionlimit(before[0])
            threading.stack_size(before[1])
            keep = quick and not failure and not self._raised
            stack_threads.release(hand, keep, [one for one in failure if isinstance(one, _STOPS)])
        if problem := self._translate_error(failure.pop() if failure else None):
            raise problem
        self._raise_pending_interrupt()
        return result.pop()

    def _raise_pending_interrupt(self) -> None:
        """Raises KeyboardInterrupt for an interrupt that has stopped nothing yet."""
        if self._stop is not None:
            self._stop = None
            raise KeyboardInterrupt

    def _translate_error(self, problem: BaseException | None) -> BaseException | None:
        """The program has ended: by what it raised, or well. Gives what the caller gets instead of its value."""
        self._exceeds = None
        if isinstance(problem, KeyboardInterrupt) and not isinstance(problem, _TooLong):
            self._stop = None
        if isinstance(problem, SystemExit):  # which would end the whole process
            problem = next(plain for kind, plain in _PLAIN.items() if isinstance(problem, kind))()
            problem.__suppress_context__ = True
        return problem

    def _watch(self, base: int, deadline: float) -> bool:
        """Waits for the end; stops the program, again and again since the exception may be lost in a destructor.

        True when the end came at once.
        """
        glance = _POLL_SECONDS if deadline == float("inf") else _QUICK_POLL_SECONDS
        allowed = limits.MEMORY.value
        if self._stop is not None and not self._raise(self._stop):  # the interrupt came first
            glance = _QUICK_POLL_SECONDS
        glances = 0
        while not self._done.acquire(timeout=glance):
            glances += 1
            if glances == _LONG:
                with self._gate:
                    threads.raise_in(
                        None, _Interrupted
                    )  # loads what it needs: beside a program that takes 50 ms
            reason = self._stop or self._exceeds
            if reason is not None:
                glance = _POLL_SECONDS if self._raise(reason) else _QUICK_POLL_SECONDS
                continue
            used = memory.used_bytes() - base
            if used > allowed and memory.free_garbage():
                used = memory.used_bytes() - base
            if used > allowed:
                self._exceeds = _OutOfMemory
            elif clock.now() > deadline:
                self._exceeds = _TooLong
            elif used > allowed / 4:
                glance = _QUICK_POLL_SECONDS
            if self._exceeds is not None:
                self._raise(self._exceeds)
        return not glances

    def _on_unraisable(self, report: Any) -> None:
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
            if self._done.locked():
                if threads.is_importing(threads.frame_of(self._thread)):
                    return False
                self._raised = True
                threads.raise_in(self._thread, exception)
        finally:
            self._gate.release()
        return True


class InlineSupervisor(Supervisor):
    """Runs programs where they are called, for systems without threads.

    Whoever runs such a system raises SIGALRM every now and then, which Python notices between two steps of a program:
    then memory and time are looked at.
    """

    __slots__ = ("_allowed", "_deadline", "_former_glance")

    def __enter__(self) -> InlineSupervisor:
        super().__enter__()
        self._former_glance = signal.signal(signal.SIGALRM, self._on_poll)
        return self

    def __exit__(self, *problem: Any) -> None:
        signal.signal(signal.SIGALRM, self._former_glance)
        super().__exit__(*problem)

    def run(self, function: Callable[[], _T], seconds: float = float("inf")) -> _T:
        """As where there are threads."""
        self._raise_pending_interrupt()
        result: list[_T] = []
        failure: BaseException | None = None
        before = sys.getrecursionlimit()
        self._allowed = memory.used_bytes() + limits.MEMORY.value
        self._deadline = clock.now() + min(seconds, limits.SECONDS.value)
        try:
            machine.begin()
            sys.setrecursionlimit(min(int(limits.CALLS.value), _FRAMES_IN_PLACE))
            self._thread, self._inside = threading.get_ident(), True
            result.append(function())
        except BaseException as exception:
            failure = exception
        self._thread = None
        sys.setrecursionlimit(before)
        machine.free()
        if problem := self._translate_error(failure):
            raise problem
        self._raise_pending_interrupt()
        return result.pop()

    def _on_poll(self, number: int, frame: FrameType | None) -> None:
        machine.free()
        reason = self._stop or self._exceeds
        if reason is None and self._thread is not None:
            if memory.used_bytes() > self._allowed:
                self._exceeds = reason = _OutOfMemory
            elif clock.now() > self._deadline:
                self._exceeds = reason = _TooLong
        if reason is not None:
            self._raise(reason)

    def _raise(self, exception: type[BaseException]) -> bool:
        """Raises the exception here, in what was interrupted: the program, but not what surrounds it."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code in _HANDLERS:
            frame = frame.f_back
        if self._thread is None or frame is None or frame.f_code is InlineSupervisor.run.__code__:
            return False
        if self._gate.locked() or threads.is_importing(frame):
            return False
        raise exception

    def _on_unraisable(self, report: Any) -> None:
        """An exception was lost in a destructor: at the next glance it is raised again."""
        if not isinstance(report.exc_value, SystemExit):
            self._former_hook(report)


_DIGITS_PER_BIT = 0.302  # log10(2), rounded up


def _allow_digits(bits: float) -> int:
    """Let Python convert integers of so many bits to text and back; return the former limit in digits."""
    former, digits = sys.get_int_max_str_digits(), int(bits * _DIGITS_PER_BIT) + 1
    if 0 < former < digits:
        sys.set_int_max_str_digits(digits)
    return former


# what comes between an interrupt and the program
_HANDLERS = {
    one.__code__
    for one in (
        Supervisor.interrupt,
        Supervisor._on_interrupt,
        InlineSupervisor._on_poll,
        InlineSupervisor._raise,
    )
}


def make_supervisor(amounts: Mapping[str, float] | None = None) -> Supervisor:
    """What runs programs on this system."""
    return InlineSupervisor(amounts) if sys.platform == "emscripten" else Supervisor(amounts)


def call_supervised(function: Callable[[], _T], amounts: Mapping[str, float] | None = None) -> _T:
    """Calls `function` in a supervised thread, or here when this is one; gives its value or raises what it raised."""
    if _innermost is not None and _innermost.runs_here:
        return function()
    with make_supervisor(amounts) as guard:
        return guard.run(function)
