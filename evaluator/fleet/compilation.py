"""Compiling for many nodes: chunks go to an executor, and what comes back makes the fleet.

A worker that dies costs its chunk another try. A chunk that is lost twice is tried node by node, one at a time with
nothing beside it, so that a node which ends its worker has an error and takes no other node along.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress
from typing import Any

from evaluator.facts import read_facts
from evaluator.fleet.table import Fleet
from evaluator.fleet.worker import Node, NodeResult, compile_chunk, receive, send
from evaluator.issues import make_error
from evaluator.program import lifetimes
from evaluator.program.companions import GuardedProcess
from evaluator.values.kind import Value
from lexer_parser.record import Record

CHUNK = 25  # the most nodes in a chunk
FEW = 8  # this many nodes compile faster than a process starts
TRIES = 3  # a node that is lost this often has an error
_POLL_SECONDS = 0.1

ProgressReport = Callable[[Fleet], None]


def compile_nodes(
    program: Any,
    facts: Mapping[str, Mapping[str, Value] | str],
    executor: Executor | None = None,
    on_progress: ProgressReport | None = None,
    certname: str | None = None,
) -> Fleet:
    """Compile a program for many nodes and return the Fleet.

    Args:
        program: An object that can be pickled, whose method `warm()` returns a `worker.NodeCompiler`.
        facts: The facts of each node, or the name of a bundled set.
        executor: Compiles the chunks; by default processes of this machine. It is not shut down. If it breaks,
            processes of this machine compile the remaining chunks.
        on_progress: Called several times a second with the fleet compiled so far. An exception that it raises ends the
            work.
        certname: The certname of all nodes, if they are variants of one node with different facts; by default the name
            in `facts`.

    Raises:
        ValueError: A set of facts with this name does not exist.
    """
    fleet = Fleet({node: read_facts(node_facts, certname or node) for node, node_facts in facts.items()})
    nodes: list[Node] = [(node, certname or node, node_facts) for node, node_facts in fleet.facts.items()]
    run = _FleetRun(fleet, nodes, pickle.dumps(program), executor, on_progress or (lambda fleet: None))
    try:
        run.run()
    finally:
        run.close()
    return fleet


class _Chunk(Record):
    """A chunk of nodes with their facts; `lost` counts how often it did not come back."""

    nodes: list[Node]
    lost: int = 0


class _FleetRun:
    """The compilation of a fleet.

    Attributes:
        _passed_executor: The executor of the caller; None without one, or when it is broken.
        _own_executor: The executor that is used otherwise; None until then.
        _waiting: The chunks to compile.
        _suspected: The chunks to compile with nothing beside them: nodes of a chunk that was lost twice.
        _running: The chunks that an executor compiles, by their futures.
        _start_time: When the compilation began, by `perf_counter`.
    """

    def __init__(
        self,
        fleet: Fleet,
        nodes: list[Node],
        program: bytes,
        executor: Executor | None,
        on_progress: ProgressReport,
    ) -> None:
        self._fleet = fleet
        self._program = program
        self._on_progress = on_progress
        self._passed_executor = executor
        self._own_executor: Executor | None = None
        # small fleets are divided, too: each processor has a chunk, and the smallest can be stopped after each node
        size = 1 if len(nodes) <= FEW else min(CHUNK, -(-len(nodes) // count_processors()))
        self._waiting = deque(_Chunk(nodes[start : start + size]) for start in range(0, len(nodes), size))
        self._suspected: deque[_Chunk] = deque()
        self._running: dict[Future[list[NodeResult]], _Chunk] = {}
        self._start_time = time.perf_counter()

    def run(self) -> None:
        """Compile for all nodes."""
        while self._waiting or self._suspected or self._running:
            # an executor of the caller receives all chunks at once, the own one two for each processor
            while self._waiting and (
                self._passed_executor is not None or len(self._running) < 2 * count_processors()
            ):
                self._submit(self._waiting.popleft())
            if self._suspected and not self._running and not self._waiting:
                self._submit(self._suspected.popleft())
            if self._running:
                done, _ = wait(self._running, _POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    self._receive(future, self._running.pop(future))
                if done:
                    self._fleet.elapsed = time.perf_counter() - self._start_time
            self._on_progress(self._fleet)

    def close(self) -> None:
        """Cancel the calls that have not returned, and end the processes."""
        for future in self._running:
            with suppress(Exception):  # the executor may be gone
                future.cancel()
        if self._own_executor is not None:
            self._own_executor.shutdown(cancel_futures=True)

    def _get_executor(self) -> Executor:
        """Return the executor of the caller, or the own one, which is made on first use."""
        if self._passed_executor is not None:
            return self._passed_executor
        if self._own_executor is None:
            # Emscripten has no processes.
            is_inline = len(self._fleet.facts) <= FEW or sys.platform == "emscripten"
            self._own_executor = (
                InlineExecutor()
                if is_inline
                else ProcessExecutor(min(count_processors(), len(self._waiting) + 1))
            )
        return self._own_executor

    def _submit(self, chunk: _Chunk) -> None:
        """Pass a chunk to the executor; if that is broken, let the chunk wait for another one."""
        try:
            future = self._get_executor().submit(compile_chunk, self._program, chunk.nodes)
        except (BrokenExecutor, RuntimeError):  # the executor was shut down
            self._passed_executor = None
            self._waiting.appendleft(chunk)
            return
        self._running[future] = chunk

    def _receive(self, future: Future[list[NodeResult]], chunk: _Chunk) -> None:
        """Add the results of a chunk to the fleet, or retry the chunk if it failed."""
        try:
            problem = future.exception()
            results = future.result() if problem is None else []
        except Exception:  # the executor is gone, and with it the results that it has not sent
            self._passed_executor = None
            self._waiting.appendleft(chunk)
            return
        for result in results:
            self._fleet.add(result)
        if problem is not None:
            self._retry(chunk, f"{problem or type(problem).__name__}")

    def _retry(self, chunk: _Chunk, reason: str) -> None:
        """Let a lost chunk wait again, or its nodes alone; the last loss of a node is an error."""
        chunk.lost += 1
        if chunk.lost < TRIES - 1:
            self._waiting.append(chunk)
        elif len(chunk.nodes) > 1:
            self._suspected += [_Chunk([node], chunk.lost) for node in chunk.nodes]
        elif chunk.lost < TRIES:
            self._suspected.append(chunk)
        else:
            ((node, _, _),) = chunk.nodes
            self._fleet.add(NodeResult(node, None, make_error("NODE_LOST", node=node, reason=reason), 0.0))


# --- the processes of this machine


_SERVE = "import sys; sys.path[:] = sys.argv[1:]; from evaluator.fleet.worker import serve; serve()"
_Call = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]


class WorkerLost(Exception):
    """A process ended while it made a call."""


class CallFailed(Exception):
    """A call raised an exception, which is reported as text."""


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class InlineExecutor(Executor):
    """An executor that makes each call at once; `submit` raises what the call raises."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Make a call."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


class ProcessExecutor(Executor):
    """An executor of processes. One that dies loses only its own call; another replaces it.

    Attributes:
        workers: The workers, each with a process or without.
    """

    def __init__(self, workers: int) -> None:
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self.workers = [_Worker(self._calls) for _ in range(workers)]

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Submit a call, which has no named arguments."""
        assert not named
        future: Future[Any] = Future()
        self._calls.put((future, function, arguments))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when all calls have been made, or at once."""
        if cancel_futures:
            while not self._calls.empty():
                call = self._calls.get()
                if call is not None:
                    future, _, _ = call
                    future.cancel()
        for _ in self.workers:
            self._calls.put(None)
        for worker in self.workers:
            if cancel_futures:
                worker.stop()
            if wait:
                worker.thread.join()


class _Worker:
    """A process, and the thread that sends it calls.

    Attributes:
        process: The process; None before the first call and after it has died.
    """

    def __init__(self, calls: queue.SimpleQueue[_Call | None]) -> None:
        self._calls = calls
        self._stopped = False
        self.process: GuardedProcess | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        """Make calls until the queue ends, and store their results in the futures."""
        while (call := self._calls.get()) is not None:
            future, function, arguments = call
            if self._stopped or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                future.set_result(self._call(function, arguments))
            except (OSError, EOFError):
                future.set_exception(WorkerLost(f"its process ended{self._end_process()}"))
            except CallFailed as problem:
                future.set_exception(problem)
            except Exception as problem:  # the arguments cannot be serialized; nothing was sent
                future.set_exception(CallFailed(f"{type(problem).__name__}: {problem}"))
            del call, future, arguments  # otherwise they would stay in memory until the next call
        self._end_process()

    def _call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return the result of a call in the process, which is started if there is none.

        Raises:
            CallFailed: The call has raised an exception.
            OSError, EOFError: The process has ended.
        """
        process = self.process
        if process is None:
            command = [sys.executable, "-c", _SERVE, *sys.path]
            process = GuardedProcess(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            lifetimes.disown(process)  # the executor has a thread that ends it
            self.process = process
        assert process.child.stdin is not None and process.child.stdout is not None
        send(process.child.stdin, (function, arguments))
        is_result, result = receive(process.child.stdout)
        if not is_result:
            raise CallFailed(result)
        return result

    def _end_process(self) -> str:
        """End the process, if there is one, and return its exit status as words that continue a sentence."""
        process, self.process = self.process, None
        if process is None:
            return ""
        assert process.child.stdin is not None
        with suppress(OSError):  # data that was not written yet is dropped
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
