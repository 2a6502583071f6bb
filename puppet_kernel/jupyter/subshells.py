"""Subshells: shells beside the main one, which are answered while a cell runs there.

A program is one sequence of cells, so what a subshell wants of it has its turn in the main thread, after what runs
there. What needs no program is answered at once: history, comms, information about the kernel. What helps a person who
types has a moment to find the program free, and else nothing to tell.

Nothing is paid for them before the first one: then a thread takes over the reading of the shell channel.
"""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from puppet_kernel.jupyter import parts

if TYPE_CHECKING:
    from tornado.ioloop import IOLoop

    from puppet_kernel.jupyter.channels import Channel

Work = Callable[[], Awaitable[None]]


class Shells(Protocol):
    """What subshells ask of a kernel."""

    session: parts.Session
    shell_stream: Channel
    io_loop: IOLoop

    async def shell_main(self, subshell_id: str | None, msg: list[Any]) -> None:
        """Answers a message of the main shell after those before it."""

    async def dispatch_shell(self, msg: list[Any], /, subshell_id: str | None = None) -> None:
        """Answers a message of any shell."""


class Subshell:
    """A subshell: it answers one message after the other.

    aborting  what it is asked to run is not run
    """

    __slots__ = ("aborting", "turn")

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.aborting = False


class Subshells:
    """The subshells of a kernel, by their identities, and the thread that serves them."""

    def __init__(self, kernel: Shells) -> None:
        self._kernel = kernel
        self._known: dict[str, Subshell] = {}
        self._thread: parts.BaseThread | None = None
        self._tasks: set[Any] = set()  # of the main thread, which nobody else holds

    @property
    def identities(self) -> list[str]:
        """Those of all subshells."""
        return list(self._known)

    @property
    def are_here(self) -> bool:
        """True in the thread that serves them."""
        return self._thread is not None and threading.current_thread() is self._thread

    # --- asked by the control thread

    def create(self) -> str:
        """Makes a subshell; gives its identity."""
        identity = str(uuid.uuid4())
        first = not self._known
        self._known[identity] = Subshell()
        if self._thread is None:
            self._thread = parts.BaseThread(name="Subshells", daemon=True)
            self._thread.start()
        if first:
            self._kernel.shell_stream.read_in(self._thread.io_loop, self._receive)
        return identity

    def delete(self, identity: str) -> bool:
        """Ends a subshell, after what it was asked; false when there is none. With the last one all is as before."""
        if self._known.pop(identity, None) is None:
            return False
        if not self._known:
            self._kernel.shell_stream.read_in(self._kernel.io_loop, partial(self._kernel.shell_main, None))
        return True

    def close(self) -> None:
        """Ends all; what waits for its turn is not done."""
        if self._thread is not None:
            self._thread.stop()
            self._thread.join()

    # --- in their thread

    async def _receive(self, frames: list[Any]) -> None:
        """Hands a message of the shell channel to the shell that it is for."""
        identity = self._identity(frames)
        subshell = self._known.get(identity or "")
        if subshell is not None:
            async with subshell.turn:
                await self._kernel.dispatch_shell(frames, subshell_id=identity)
        elif identity is not None:
            await self._kernel.dispatch_shell(frames)  # there is none: that is the answer
        else:
            self._begin(partial(self._kernel.shell_main, None, frames))

    def _identity(self, frames: list[Any]) -> str | None:
        """The identity of the subshell that a message is for; None for the main shell, and for what cannot be read."""
        _, rest = self._kernel.session.feed_identities(frames, copy=False)
        try:
            header = self._kernel.session.deserialize(rest, content=False, copy=False)["header"]
        except Exception:
            return None
        found = header.get("subshell_id")
        return None if found is None else str(found)

    def aborting(self, identity: str) -> bool:
        """True while a subshell runs nothing, since something has failed there."""
        subshell = self._known.get(identity)
        return subshell is not None and subshell.aborting

    def abort(self, identity: str) -> None:
        """What a subshell has been asked to run by now is not run."""
        subshell, thread = self._known.get(identity), self._thread
        if subshell is None or thread is None:
            return
        subshell.aborting = True

        async def go_on() -> None:
            async with subshell.turn:  # it comes after what waits
                subshell.aborting = False

        thread.io_loop.add_callback(go_on)

    # --- the way to the program

    def _begin(self, work: Work) -> None:
        """Lets the main thread do something, after what it does, on behalf of the request that is answered here."""
        context = copy_context()

        def begin() -> None:
            task = asyncio.get_running_loop().create_task(_done(work), context=context)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._kernel.io_loop.add_callback(begin)

    async def in_turn(self, work: Work, patience: float | None) -> None:
        """Lets the main thread do something and waits for it; raises what it raises.

        patience  the seconds after which it is done here when it has not begun; None to wait however long it takes
        """
        claim, future = threading.Lock(), Future[None]()

        async def run() -> None:
            if not claim.acquire(blocking=False):
                return
            try:
                await work()
                future.set_result(None)
            except BaseException as problem:
                future.set_exception(problem)

        self._begin(run)
        waiting = asyncio.wrap_future(future)
        await asyncio.wait([waiting], timeout=patience)
        if not waiting.done() and claim.acquire(blocking=False):
            await work()
        else:
            await waiting


async def _done(work: Work) -> None:
    await work()
