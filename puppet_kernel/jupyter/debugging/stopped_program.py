"""The threads that handle requests of a debugger, so that the event loop goes on.

A request that needs the values of a stopped program is a job for the thread of that program (`StoppedProgram`); any
other that may take long runs in a thread of its own (`OrderedWork`).
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from evaluator.debugger import Stop
from lexer_parser.record import Record, fresh

POLL_SECONDS = 0.05
QUEUE_SECONDS = 1.0  # how long a job waits for the previous one
_T = TypeVar("_T")


class RefusedError(Exception):
    """A request that cannot be answered, with a message that says why."""


class StoppedProgram(Record):
    """The jobs of a stopped program.

    Attributes:
        stop: The position at which the program is stopped; None while it runs.
        _jobs: Functions that the thread of the program calls; or a string that says how it resumes: "continue", or
            the step "over", "in" or "out".
        _lock: Protects `stop`: jobs are queued only while the program is stopped.
    """

    stop: Stop | None = None
    _jobs: queue.SimpleQueue[Any] = fresh(factory=queue.SimpleQueue)
    _lock: threading.Lock = fresh(factory=threading.Lock)

    def begin(self, stop: Stop) -> None:
        """Accept jobs from now on."""
        with self._lock:
            self.stop = stop

    def run_jobs(self) -> str:
        """Run jobs in the thread of the program until it is resumed, and return how."""
        while True:
            try:
                job = self._jobs.get(timeout=POLL_SECONDS)  # the timeout allows an interrupt to be noticed
            except queue.Empty:
                continue
            if isinstance(job, str):
                return job
            job()

    def end(self) -> None:
        """Accept no more jobs, and refuse those that are left."""
        with self._lock:
            self.stop = None
            while not self._jobs.empty():
                job = self._jobs.get()
                if not isinstance(job, str):
                    job(refused=True)

    def resume(self, kind: str) -> None:
        """Resume the program in one of the ways above; raise RefusedError if it runs."""
        with self._lock:
            if self.stop is None:
                raise RefusedError("No program is stopped")
            self._jobs.put(kind)

    async def run(self, job: Callable[[Stop], _T]) -> _T:
        """Return the result of a function that the program's thread calls; raise what it raises.

        Args:
            job: The function, which takes the stop.

        Raises:
            RefusedError: The program continues, or another job takes long.
        """
        future: Future[_T] = Future()
        with self._lock:
            if self.stop is None:
                raise RefusedError("No program is stopped")
            self._jobs.put(partial(_run_job, future, partial(job, self.stop)))
        result = asyncio.wrap_future(future)
        await asyncio.wait([result], timeout=QUEUE_SECONDS)
        if not future.done() and future.cancel():
            raise RefusedError("Another expression is being evaluated; an interrupt stops it")
        return await result


def _run_job(future: Future[_T], job: Callable[[], _T], refused: bool = False) -> None:
    """Run a job, and store its result in the future for which a coroutine waits.

    An interrupt of the program is raised here, too.

    Args:
        future: The future.
        job: The function.
        refused: True to store a RefusedError instead of running the job.
    """
    if not future.set_running_or_notify_cancel():
        return
    if refused:
        future.set_exception(RefusedError("The program continues"))
        return
    try:
        future.set_result(job())
    except Exception as problem:
        future.set_exception(problem)
    except BaseException:
        future.set_exception(RefusedError("Interrupted"))
        raise


class OrderedWork(Record):
    """Functions that run one after the other, in daemon threads, which end with the process."""

    _lock: asyncio.Lock = fresh(factory=asyncio.Lock)

    async def run(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function, or raise what it raises."""
        future: Future[_T] = Future()
        async with self._lock:
            work = partial(copy_context().run, _run_job, future, function)
            threading.Thread(target=work, daemon=True).start()
            return await asyncio.wrap_future(future)
