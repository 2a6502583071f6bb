"""An executor of processes on this machine, each a Python of its own that is started when there is work for it.

`concurrent.futures.ProcessPoolExecutor` forks, which a process with threads must not, or starts the main program of
the caller again, which scripts seldom bear; and when one of its processes dies, all calls are lost.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any

from evaluator.fleet.worker_main import receive, send
from evaluator.program import lifetimes
from evaluator.program.companions import GuardedProcess

_SERVE = "import sys; sys.path[:] = sys.argv[1:]; from evaluator.fleet.worker_main import serve; serve()"
_Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]


class WorkerLost(Exception):
    """A process ended while it made a call."""


class CallFailed(Exception):
    """A call raised an exception, which is reported as text."""


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class InlineExecutor(Executor):
    """Calls are made at once, by who submits them; what they raise is raised there."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Make a call."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


class ProcessExecutor(Executor):
    """An executor of processes. One that dies loses only its own call; another replaces it."""

    def __init__(self, workers: int) -> None:
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._workers = [_Worker(self._calls) for _ in range(workers)]

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Have a call made; named arguments are not known here."""
        assert not named
        future: Future[Any] = Future()
        self._calls.put((future, function, arguments))
        return future

    def list_process_ids(self) -> list[int]:
        """Return the numbers that the system knows the processes by, of those that run."""
        return [worker.process.child.pid for worker in self._workers if worker.process is not None]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when all calls have been made, or at once."""
        if cancel_futures:
            while not self._calls.empty():
                call = self._calls.get()
                if call is not None:
                    call[0].cancel()
        for _ in self._workers:
            self._calls.put(None)
        for worker in self._workers:
            if cancel_futures:
                worker.stop()
            if wait:
                worker.thread.join()


class _Worker:
    """A process, and the thread that sends it calls.

    Attributes:
        process: The process; None until there is a call for it, and after it has died.
    """

    def __init__(self, calls: queue.SimpleQueue[_Call | None]) -> None:
        self._calls = calls
        self._stopped = False
        self.process: GuardedProcess | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            future, function, arguments = call
            if self._stopped or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                fine, answer = self._call(function, arguments)
            except (OSError, EOFError):
                future.set_exception(WorkerLost(f"its process ended{self._end_process()}"))
                continue
            except Exception as problem:  # the arguments cannot be sent; nothing has been
                future.set_exception(CallFailed(f"{type(problem).__name__}: {problem}"))
                continue
            if fine:
                future.set_result(answer)
            else:
                future.set_exception(CallFailed(answer))
            del call, future, answer, arguments  # which would stay until there is another call
        self._end_process()

    def _call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        process = self.process
        if process is None:
            words = [sys.executable, "-c", _SERVE, *sys.path]
            process = GuardedProcess(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            lifetimes.disown(process)  # it belongs to the executor, which has a thread for it
            self.process = process
        assert process.child.stdin is not None and process.child.stdout is not None
        send(process.child.stdin, (function, arguments))
        return receive(process.child.stdout)

    def _end_process(self) -> str:
        """End the process, if there is one, and return its exit status as words that continue a sentence."""
        process, self.process = self.process, None
        if process is None:
            return ""
        assert process.child.stdin is not None
        with suppress(OSError):  # what was still to be written goes nowhere
            process.child.stdin.close()
        code = process.child.wait()
        process.end()
        return f" (signal {-code})" if code < 0 else f" (code {code})"

    def stop(self) -> None:
        """End the process at once, whatever it does."""
        self._stopped = True
        process = self.process
        if process is not None:
            process.end()
