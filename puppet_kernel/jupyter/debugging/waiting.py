"""A program that is stopped waits in its own thread for what is asked of it."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from evaluator.debugger import Stop

GLANCE_SECONDS = 0.05
_T = TypeVar("_T")


class RefusedError(Exception):
    """A request that cannot be answered; the message says why."""


class Waiting:
    """The place where a program waits; `stop` is where it is stopped, None while it is not."""

    def __init__(self) -> None:
        self.stop: Stop | None = None
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()  # a job is put only while somebody waits for it

    def begin(self, stop: Stop) -> None:
        """From now on jobs are taken."""
        with self._lock:
            self.stop = stop

    def wait(self) -> str:
        """In the program's thread: does jobs until one says how to go on."""
        while True:
            try:
                job = self._jobs.get(timeout=GLANCE_SECONDS)  # between two an interrupt is heard
            except queue.Empty:
                continue
            if isinstance(job, str):
                return job
            job()

    def end(self) -> None:
        """Nobody does jobs any more: those that are left are refused."""
        with self._lock:
            self.stop = None
            while not self._jobs.empty():
                job = self._jobs.get()
                if not isinstance(job, str):
                    job(refused=True)

    def go(self, kind: str) -> None:
        """The program goes on as that says. Raises RefusedError when it is not stopped."""
        with self._lock:
            if self.stop is None:
                raise RefusedError("No program is stopped")
            self._jobs.put(kind)

    async def there(self, look: Callable[[Stop], _T]) -> _T:
        """What a function gives for the program that is stopped, called in its thread; raises what it raises."""
        future: Future[_T] = Future()
        with self._lock:
            if self.stop is None:
                raise RefusedError("No program is stopped")
            self._jobs.put(partial(_do, future, partial(look, self.stop)))
        return await asyncio.wrap_future(future)


def _do(future: Future[_T], look: Callable[[], _T], refused: bool = False) -> None:
    """Does a job for whoever waits for it. What stops the program stops it here, too."""
    if refused:
        future.set_exception(RefusedError("The program goes on"))
        return
    try:
        future.set_result(look())
    except Exception as problem:
        future.set_exception(problem)
    except BaseException:
        future.set_exception(RefusedError("Interrupted"))
        raise
