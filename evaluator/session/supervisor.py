"""The supervisor of programs: a large stack, interrupts, and limits of memory and time.

Each program runs in a thread of its own, which can be stopped. CPython's recursion limit counts frames, not bytes:
raising it alone ends in a crash. So the limit is raised only together with a large stack, which costs address space
but no memory until it is used. Where a front end has made room on the stack of the main thread, programs run there:
two switches between threads take 0.2 ms where the processors of a machine sleep in between, more than most cells.

The recursion limit, the stack size and the published limits belong to the process: one program runs at a time.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import sys
import threading

# The functions of `signal` convert handlers to enumerations and back, which takes 25 µs of each cell.
from _signal import SIGALRM, SIGINT, getsignal
from _signal import signal as set_handler
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, TypeVar

from evaluator import limits
from evaluator.program import clock, lifetimes, stat_cache
from evaluator.session import stack_threads, wasm
from evaluator.session.memory import (
    free_garbage,
    free_main_stack,
    limit_collections,
    measure_memory,
    restore_collections,
)

_POLL_SECONDS = 0.02
_QUICK_POLL_SECONDS = 0.005
# After this number of polls, an interrupt of the program has become likely.
_POLLS_OF_LONG_PROGRAM = 10

# A program that uses more than this part of the memory limit is checked at the shorter interval.
_LARGE_PART = 0.25

# Nested frames must not be too many: they are freed recursively, on a stack whose free space cannot be queried.
_INLINE_FRAMES = 2000

_A = TypeVar("_A")
_T = TypeVar("_T")
_process_lock = threading.Lock()  # held by the only supervisor whose programs may run
_active: Supervisor | None = None  # that supervisor


# A program is stopped by an exception that is raised in its thread. If the exception arrives just after the program
# has ended, it would be printed as a traceback on standard error unless it is a SystemExit, which ends a thread
# silently.


class Interrupted(KeyboardInterrupt, SystemExit):
    """Raised in the thread of a program that a user interrupts."""


class TooLong(Interrupted):
    """Raised in the thread of a program that takes too long."""


class OutOfMemory(limits.MemoryExceeded, SystemExit):
    """Raised in the thread of a program that takes too much memory."""


# The exceptions that stop a program at any point.
_STOPS = (Interrupted, OutOfMemory)
# For each exception that can end the thread of a program, the one that the caller receives.
_CALLER_EXCEPTIONS: dict[type[SystemExit], type[BaseException]] = {
    OutOfMemory: limits.MemoryExceeded,
    TooLong: TimeoutError,
    SystemExit: KeyboardInterrupt,
}


class Supervisor:
    """A context manager that runs programs, one after the other, within limits.

    Inside `with`, an interrupt (SIGINT) raises nothing in the calling thread: it stops the running program or,
    between programs, the next one. So the caller's own statements there are never interrupted half-way. There is one
    supervisor at a time: what belongs to a larger operation enters that operation's, see `make_supervisor`.
    """

    def __init__(self, amounts: Mapping[str, float] | None = None) -> None:
        self.amounts = amounts or limits.DEFAULTS
        self._depth = 0  # the number of nested entries
        self._owner = 0  # the identity of the thread that entered it
        self._former_handler: Any = None
        self._former_hook: Any = None
        # True if it was entered in the main thread, the only one that receives signals.
        self._in_main_thread = False
        # The exception of an interrupt that has not stopped a program yet.
        self._interruption: type[BaseException] | None = None
        # The exception of a limit that the running program has exceeded.
        self._exceeded: type[BaseException] | None = None
        self._thread: int | None = None  # the identity of the thread in which a program runs
        self._is_catching = False  # an exception that is raised in that thread now is caught
        self._has_raised = False  # an exception was raised in the thread of the running or last program
        self._program_lock = _thread.allocate_lock()  # locked while a program runs
        self._shield_lock = _thread.allocate_lock()  # locked while a shielded function runs

    def __enter__(self) -> Supervisor:
        self._depth += 1
        if self._depth == 1:
            self._begin()
        return self

    def _begin(self) -> None:
        global _active
        # First, so that no interrupt is raised in the steps below, one of which may wait. Signals reach the main thread
        # only. A handler that is not Python's means that the embedding process does not want Python to handle them.
        self._in_main_thread = threading.current_thread() is threading.main_thread()
        if self._in_main_thread and callable(getsignal(SIGINT)):
            self._former_handler = set_handler(SIGINT, self._on_interrupt)
        _process_lock.acquire()
        self._owner = _thread.get_ident()
        _active = self
        stat_cache.begin_run()
        self._former_thresholds = limit_collections()
        self._former_digits = sys.get_int_max_str_digits()
        self._former_amounts = limits.install(self.amounts)
        self._lifetime = lifetimes.Lifetime()  # of all that the programs start
        _allow_digits(limits.INTEGER.value)
        self._former_hook = sys.unraisablehook
        sys.unraisablehook = self._on_unraisable

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._end()

    def _end(self) -> None:
        global _active
        sys.unraisablehook = self._former_hook
        _active = None
        self._lifetime.end()
        limits.install(self._former_amounts)
        sys.set_int_max_str_digits(self._former_digits)
        stat_cache.end_run()
        restore_collections(self._former_thresholds, is_freeing=stack_threads.is_freeing())
        _process_lock.release()
        # At last, since an interrupt raises KeyboardInterrupt from here on.
        if self._former_handler is not None:
            set_handler(SIGINT, self._former_handler)

    @property
    def runs_here(self) -> bool:
        """True in the thread of the running program."""
        return self._thread == threading.get_ident()

    def interrupt(self) -> None:
        """Stop the running program or, between programs, the next one."""
        self._interruption = Interrupted
        self._raise(Interrupted)

    def shield(self, function: Callable[[_A], _T]) -> Callable[[_A], _T]:
        """Return a function that is never stopped half-way when a program calls it.

        This is for functions that write. A pending reason to stop the program is raised as soon as the call has
        ended: a program that does little else than write is nearly always inside such a call.
        """

        def call(argument: _A) -> _T:
            with self._shield_lock:
                result = function(argument)
            reason = self._interruption or self._exceeded
            if reason is not None and self.runs_here:
                raise reason
            return result

        return call

    def call(self, function: Callable[[], _T]) -> _T:
        """Return the value of a function that is so quick that it needs no thread of its own.

        Raises:
            KeyboardInterrupt: An interrupt is pending.
            BaseException: Any exception of the function itself.
        """
        self._raise_pending_interrupt()
        return function()

    def run(self, function: Callable[[], _T], seconds: float = float("inf")) -> _T:
        """Run a function in a supervised thread and return its value.

        An interrupt that is received when the function has just ended still raises KeyboardInterrupt. But if the
        function itself raised an exception, that comes first, and the interrupt stops the next program instead.

        Args:
            function: The program.
            seconds: The wall-clock time that it may take, in addition to the published limit.

        Returns:
            The value of the function.

        Raises:
            KeyboardInterrupt: The program was interrupted.
            TimeoutError: It took more than `seconds`, or more than the limit.
            MemoryError: The system refused memory, or the program exceeded the memory limit: `MemoryExceeded`.
            BaseException: Any exception of the function itself.
        """
        self._raise_pending_interrupt()
        result: list[_T] = []
        failure: list[BaseException] = []
        program_lock = self._program_lock = _thread.allocate_lock()
        program_lock.acquire()

        def work() -> None:
            try:
                self._is_catching = True
                if self._interruption is not None:  # an interrupt came just before the program began
                    raise self._interruption
                result.append(function())
            except BaseException as exception:
                stack_threads.reserve.clear()
                failure.append(exception)
            finally:
                program_lock.release()

        self._is_catching = self._has_raised = False
        base = measure_memory()
        recursion_limit, stack_size = sys.getrecursionlimit(), threading.stack_size()
        pooled, is_quick = stack_threads.acquire(int(limits.CALLS.value)), False
        try:
            sys.setrecursionlimit(pooled.room)
            self._thread = pooled.thread
            pooled.submit(work)
            is_quick = self._wait_for_end(base, clock.get_seconds() + min(seconds, limits.SECONDS.value))
        finally:
            self._thread = None
            sys.setrecursionlimit(recursion_limit)
            threading.stack_size(stack_size)
            keep = is_quick and bool(result) and not failure and not self._has_raised
            stack_threads.release(pooled, keep, [one for one in failure if isinstance(one, _STOPS)])
        if not failure and not result:  # it was stopped once more while the first exception was stored
            failure.append((self._interruption or self._exceeded or Interrupted)())
        if problem := self._translate_error(failure.pop() if failure else None):
            raise problem
        self._raise_pending_interrupt()
        return result.pop()

    def _raise_pending_interrupt(self) -> None:
        """Raise KeyboardInterrupt for an interrupt that has not stopped a program yet."""
        if self._interruption is not None:
            self._interruption = None
            raise KeyboardInterrupt

    def _translate_error(self, problem: BaseException | None) -> BaseException | None:
        """Return the exception that the caller receives for the one that ended the program.

        Also resets the reasons for stopping that have taken effect.
        """
        self._exceeded = None
        if isinstance(problem, KeyboardInterrupt) and not isinstance(problem, TooLong):
            self._interruption = None
        if isinstance(problem, SystemExit):  # it would end the whole process
            problem = next(plain for kind, plain in _CALLER_EXCEPTIONS.items() if isinstance(problem, kind))()
            problem.__suppress_context__ = True
        return problem

    def _wait_for_end(self, base: int, deadline: float) -> bool:
        """Wait for the end of the program, and stop it when it exceeds a limit.

        The exception that stops it is raised repeatedly, since it may be lost in a destructor.

        Args:
            base: The memory of the process before the program, in bytes.
            deadline: The wall-clock time at which the program must have ended, in seconds.

        Returns:
            True if the program ended within the first poll interval.
        """
        interval = _POLL_SECONDS if deadline == float("inf") else _QUICK_POLL_SECONDS
        # An interrupt came before the program; if that cannot be stopped just now, it is tried again soon.
        if self._interruption is not None and not self._raise(self._interruption):
            interval = _QUICK_POLL_SECONDS
        polls = 0
        while not self._program_lock.acquire(timeout=interval):
            polls += 1
            with suppress(MemoryError):  # the program runs out of memory too, and ends with its own error
                interval = self._check_program(polls, interval, base, deadline)
        return not polls

    def _check_program(self, polls: int, interval: float, base: int, deadline: float) -> float:
        """Stop the program if there is a reason, and return the seconds until the next check.

        Args:
            polls: The number of this poll.
            interval: The seconds since the previous poll.
            base, deadline: As for `_wait_for_end`.
        """
        if polls == _POLLS_OF_LONG_PROGRAM:
            with self._shield_lock:
                # Raising in no thread only loads `ctypes`, so that a later interrupt need not wait for that.
                # Shorter programs are spared the import.
                stack_threads.raise_in(None, Interrupted)
        reason = self._interruption or self._exceeded
        if reason is not None:
            return _POLL_SECONDS if self._raise(reason) else _QUICK_POLL_SECONDS
        if self._measure(base, deadline) > limits.MEMORY.value * _LARGE_PART:
            interval = _QUICK_POLL_SECONDS
        if self._exceeded is not None:
            self._raise(self._exceeded)
        return interval

    def _measure(self, base: int, deadline: float) -> int:
        """Return the bytes of memory that the program uses, and note a limit that it exceeds.

        Args:
            base, deadline: As for `_wait_for_end`.
        """
        used = measure_memory() - base
        if used > limits.MEMORY.value and free_garbage():
            used = measure_memory() - base
        if used > limits.MEMORY.value:
            self._exceeded = OutOfMemory
        elif clock.get_seconds() > deadline:
            self._exceeded = TooLong
        return used

    def _on_unraisable(self, report: sys.UnraisableHookArgs) -> None:
        """Raise the reason for stopping again, from another thread, if a destructor swallowed it."""
        reason = self._interruption or self._exceeded
        # A MemoryError in a destructor is not reported either: the program itself runs out of memory, too.
        if not isinstance(report.exc_value, MemoryError | SystemExit):
            self._former_hook(report)
        elif reason is not None and self.runs_here:
            _thread.start_new_thread(self._raise, (reason,))

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupt()

    def _raise(self, exception: type[BaseException]) -> bool:
        """Raise an exception in the program's thread, unless it must not be stopped just now.

        Returns:
            True if the exception was raised, or the program has just ended; False if it has not begun, or is inside a
            shielded call or other code that must not be stopped: then the caller tries again soon.
        """
        if self._thread is None or not self._is_catching or not self._shield_lock.acquire(blocking=False):
            return False
        try:
            if self._program_lock.locked():
                if stack_threads.is_unstoppable(stack_threads.get_frame(self._thread)):
                    return False
                self._has_raised = True
                return stack_threads.raise_in(self._thread, exception)
        finally:
            self._shield_lock.release()
        return True


class InlineSupervisor(Supervisor):
    """A supervisor that runs programs in the calling thread, for systems without threads.

    The embedding of such a system raises SIGALRM at intervals. Python notices it between two instructions of a
    program, and the handler checks memory and time.
    """

    _is_handling = False  # True while a handler measures or decides: a further signal only leaves its reason

    def _begin(self) -> None:
        super()._begin()
        self._former_alarm_handler = set_handler(SIGALRM, self._on_poll)

    def _end(self) -> None:
        set_handler(SIGALRM, self._former_alarm_handler)
        super()._end()

    def run(self, function: Callable[[], _T], seconds: float = float("inf")) -> _T:
        """Run a function in the calling thread; see `Supervisor.run`."""
        self._raise_pending_interrupt()
        result: list[_T] = []
        failure: BaseException | None = None
        recursion_limit = sys.getrecursionlimit()
        self._base = measure_memory()
        self._deadline = clock.get_seconds() + min(seconds, limits.SECONDS.value)
        try:
            self._begin_program()
            self._thread, self._is_catching = _thread.get_ident(), True
            result.append(function())
        except BaseException as exception:
            failure = exception
        self._thread = None
        sys.setrecursionlimit(recursion_limit)
        self._end_program(failure)
        if problem := self._translate_error(failure):
            raise problem
        self._raise_pending_interrupt()
        return result.pop()

    def _begin_program(self) -> None:
        """Prepare the stack."""
        wasm.begin()
        sys.setrecursionlimit(min(int(limits.CALLS.value), _INLINE_FRAMES))

    def _end_program(self, failure: BaseException | None) -> None:
        """Clear up after a program, which may have failed."""
        wasm.free()

    def _on_poll(self, number: int, frame: FrameType | None) -> None:
        wasm.free()
        self._poll()

    def _poll(self) -> int:
        """Stop the program if there is a reason, and return the bytes of memory that it uses."""
        used = 0
        if self._interruption is None and self._exceeded is None and self._thread is not None:
            self._is_handling = True
            try:
                used = self._measure(self._base, self._deadline)
            finally:
                self._is_handling = False
        reason = self._interruption or self._exceeded
        if reason is not None:
            self._raise(reason)
        return used

    def _raise(self, exception: type[BaseException]) -> bool:
        """Raise an exception here, if the signal interrupted the program itself.

        Returns:
            False if it interrupted the code around the program, a shielded call, another handler or other code that
            must not be stopped, and in another thread.
        """
        if self._is_handling:
            return False
        self._is_handling = True
        try:
            is_stoppable = self._is_stoppable(sys._getframe(1))
        finally:
            self._is_handling = False
        if is_stoppable:
            raise exception
        return False

    def _is_stoppable(self, frame: FrameType | None) -> bool:
        """Return True if a program may be stopped, below the handlers that begin with `frame`."""
        while frame is not None and frame.f_code in _HANDLERS:
            frame = frame.f_back
        if not self.runs_here or frame is None or frame.f_code is InlineSupervisor.run.__code__:
            return False
        return not self._shield_lock.locked() and not stack_threads.is_unstoppable(frame)

    def _on_unraisable(self, report: sys.UnraisableHookArgs) -> None:
        """Ignore a reason for stopping that a destructor swallowed: the next poll raises it again."""
        if not isinstance(report.exc_value, SystemExit):
            self._former_hook(report)


class MainThreadSupervisor(InlineSupervisor):
    """A supervisor that runs programs in the main thread, whose stack is large enough.

    A timer raises SIGALRM at intervals while a program runs.
    """

    def _begin(self) -> None:
        super()._begin()
        self._frames = 0  # the number of frames around the programs
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            frame, self._frames = frame.f_back, self._frames + 1

    def _begin_program(self) -> None:
        sys.setrecursionlimit(min(int(limits.CALLS.value), stack_threads.main_frames) + self._frames)
        self._is_quick = True
        is_urgent = self._interruption is not None or self._deadline < float("inf")
        self._set_timer(_QUICK_POLL_SECONDS if is_urgent else _POLL_SECONDS)

    def _end_program(self, failure: BaseException | None) -> None:
        self._set_timer(0)
        if isinstance(failure, _STOPS):
            stack_threads.free_after_reply(failure)
        if not self._is_quick:
            free_main_stack()

    def _set_timer(self, seconds: float) -> None:
        self._interval = seconds
        _signal.setitimer(_signal.ITIMER_REAL, seconds, seconds)

    def _on_poll(self, number: int, frame: FrameType | None) -> None:
        self._is_quick = False
        if self._interval > _QUICK_POLL_SECONDS and (self._interruption or self._exceeded):
            self._set_timer(_QUICK_POLL_SECONDS)
        if self._poll() > limits.MEMORY.value * _LARGE_PART and self._interval > _QUICK_POLL_SECONDS:
            self._set_timer(_QUICK_POLL_SECONDS)


_DIGITS_PER_BIT = 0.302  # log10(2), rounded up


def _allow_digits(bits: float) -> None:
    """Let Python convert integers of so many bits to strings and back."""
    former, digits = sys.get_int_max_str_digits(), int(bits * _DIGITS_PER_BIT) + 1
    if 0 < former < digits:
        sys.set_int_max_str_digits(digits)


# The code between an interrupt and the program. Its frames are skipped: another signal may arrive in each of them.
_HANDLERS = {
    one.__code__
    for one in (
        Supervisor.interrupt,
        Supervisor._on_interrupt,
        InlineSupervisor._on_poll,
        InlineSupervisor._poll,
        InlineSupervisor._raise,
        MainThreadSupervisor._on_poll,
        MainThreadSupervisor._set_timer,
    )
}


def make_supervisor(amounts: Mapping[str, float] | None = None) -> AbstractContextManager[Supervisor]:
    """Return the active supervisor of this thread, or a new one if there is none.

    Args:
        amounts: The amounts of limits, by name.
    """
    active = _active
    if active is None or active._owner != _thread.get_ident():
        return _choose_supervisor(amounts or {})(amounts)
    if amounts is None or amounts == active.amounts:
        return active
    return _use_amounts(active, amounts)


def _choose_supervisor(amounts: Mapping[str, float]) -> type[Supervisor]:
    """Return the supervisor of programs that this thread runs within limits."""
    frames = amounts.get(limits.CALLS.name, limits.CALLS.value)
    is_here = frames <= stack_threads.main_frames and _thread.get_ident() == threading.main_thread().ident
    others = MainThreadSupervisor if is_here else Supervisor
    return InlineSupervisor if sys.platform == "emscripten" else others


@contextmanager
def _use_amounts(active: Supervisor, amounts: Mapping[str, float]) -> Iterator[Supervisor]:
    """Put other amounts in force for a part of an operation."""
    former = limits.install(amounts)
    try:
        with active:
            yield active
    finally:
        limits.install(former)


def call_supervised(function: Callable[[], _T]) -> _T:
    """Call a function in a supervised thread, or directly when this is one already.

    Raises:
        BaseException: Any exception of the function, and those of `Supervisor.run`.
    """
    active = _active
    if active is not None and active.runs_here:
        return function()
    with make_supervisor() as guard:
        return guard.run(function)
