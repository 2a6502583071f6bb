"""Subshells: shells besides the main one, which reply while a cell runs there.

A program is one sequence of cells, so what a subshell requests of it runs in the main thread, after the cells
there. Requests that need no program (history, comms, kernel info) are answered at once. Completion and inspection
wait a moment for the program and otherwise return nothing.

Before the first subshell exists they cost nothing; then a thread takes over reading the shell channel. ipykernel's
manager would start that thread, and pass each message between threads, in every kernel.
"""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

from lexer_parser.record import Record, fresh
from puppet_kernel.jupyter import ipykernel_imports

if TYPE_CHECKING:
    from puppet_kernel.jupyter.requests import RobustKernel

Work = Callable[[], Coroutine[Any, Any, None]]


class Subshell(Record):
    """A subshell, which handles one message after the other.

    Attributes:
        turn: Held while a message is handled.
        aborting: True while execute requests are aborted after an error.
    """

    turn: asyncio.Lock = fresh(factory=asyncio.Lock)
    aborting: bool = False


class Subshells(Record):
    """The subshells of a kernel by their identities, and the thread that serves them."""

    _kernel: RobustKernel
    _thread: ipykernel_imports.BaseThread | None = None
    _subshells: dict[str, Subshell] = fresh(factory=dict)
    _tasks: set[Any] = fresh(factory=set)  # holds the tasks of the main thread, to which nothing else refers

    @property
    def identities(self) -> list[str]:
        """The identities of all subshells."""
        return list(self._subshells)

    @property
    def runs_in_this_thread(self) -> bool:
        """True in the thread that serves the subshells."""
        return self._thread is not None and threading.current_thread() is self._thread

    # --- called by the control thread

    def create(self) -> str:
        """Create a subshell and return its identity."""
        identity = str(uuid.uuid4())
        is_first = not self._subshells
        self._subshells[identity] = Subshell()
        if self._thread is None:
            self._thread = ipykernel_imports.BaseThread(name="Subshells", daemon=True)
            self._thread.start()
        if is_first:
            self._kernel.shell_stream.move_to_loop(self._thread.io_loop, self._receive)
        return identity

    def delete(self, identity: str) -> bool:
        """Delete a subshell after the requests that it has received; return False for none."""
        if self._subshells.pop(identity, None) is None:
            return False
        if not self._subshells:
            self._kernel.shell_stream.move_to_loop(
                self._kernel.io_loop, partial(self._kernel.shell_main, None)
            )
        return True

    def close(self) -> None:
        """Stop the thread; requests that still wait are dropped."""
        if self._thread is not None:
            self._thread.stop()
            self._thread.join()

    # --- called in the thread of the subshells

    async def _receive(self, frames: list[Any]) -> None:
        """Pass a message of the shell channel to the shell that it is for."""
        identity = self._read_identity(frames)
        subshell = self._subshells.get(identity or "")
        if subshell is not None:
            async with subshell.turn:
                await self._kernel.dispatch_shell(frames, subshell_id=identity)
        elif identity is not None:
            await self._kernel.dispatch_shell(frames)  # there is no such subshell: this call sends the reply
        else:
            self._schedule(partial(self._kernel.shell_main, None, frames))

    def _read_identity(self, frames: list[Any]) -> str | None:
        """Return the subshell of a message; None for the main shell and a malformed message."""
        try:
            _, rest = self._kernel.session.feed_identities(frames, copy=False)
            header = self._kernel.session.deserialize(rest, content=False, copy=False)["header"]
        except Exception:
            return None
        identity = header.get("subshell_id")
        return None if identity is None else str(identity)

    def is_aborting(self, identity: str) -> bool:
        """Return True while a subshell aborts execute requests after an error."""
        subshell = self._subshells.get(identity)
        return subshell is not None and subshell.aborting

    def abort(self, identity: str) -> None:
        """Abort the execute requests that a subshell has received so far."""
        subshell, thread = self._subshells.get(identity), self._thread
        if subshell is None or thread is None:
            return
        subshell.aborting = True

        async def end_aborting() -> None:
            async with subshell.turn:  # runs after the requests that are waiting
                subshell.aborting = False

        thread.io_loop.add_callback(end_aborting)

    # --- access to the program

    def _schedule(self, work: Work) -> None:
        """Let the main thread do some work after its current work, in a copy of this context."""
        context = copy_context()

        def begin() -> None:
            task = asyncio.get_running_loop().create_task(work(), context=context)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._kernel.io_loop.add_callback(begin)

    async def run_in_main_thread(self, work: Work, patience: float | None) -> None:
        """Let the main thread do some work and wait for it; raise what it raises.

        Args:
            work: A coroutine function.
            patience: The number of seconds after which this thread does the work itself, if the main thread has not
                started it; None to wait without limit.
        """
        claim, future = threading.Lock(), Future[None]()  # the thread that acquires `claim` does the work

        async def run() -> None:
            if not claim.acquire(blocking=False):
                return
            try:
                await work()
                future.set_result(None)
            except BaseException as problem:
                future.set_exception(problem)

        self._schedule(run)
        waiting = asyncio.wrap_future(future)
        await asyncio.wait([waiting], timeout=patience)
        if not waiting.done() and claim.acquire(blocking=False):
            await work()
        else:
            await waiting
