"""The kernel as a worker of a browser has it: a text comes in for each message, and texts go out."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from puppet_kernel import process
from puppet_kernel.jupyter.inprocess import InProcessSession
from puppet_kernel.jupyter.kernel import PuppetKernel
from puppet_kernel.jupyter.streams import BufferedStream

Handle = Callable[[str], None]


class PromptStream(BufferedStream):
    """As where there are threads, but what waits goes out with what follows, or at the end."""

    def __init__(self, send: Callable[[str, str], None]) -> None:
        super().__init__(send)
        self._sent = 0.0

    def schedule(self) -> None:
        """Sends what is there, unless something was sent just now."""
        now = time.monotonic()
        if now - self._sent > self.DELAY:
            self._sent = now
            self.flush()


def begin(send: Callable[[str], object], folder: str, dialect: str, seconds: float | None) -> Handle:
    """Makes a kernel that works in a folder; gives what takes messages, as JSON.

    send     gets each message of the kernel, as JSON
    dialect  of its session;  seconds  how long a cell may take, None for no limit
    """
    process.configure()
    os.chdir(folder)
    limits = {} if seconds is None else {"max_seconds": seconds}
    PuppetKernel.settings = {"dialect": dialect, "limits": limits}
    signal.signal(signal.SIGINT, _ignore)  # one that comes between two cells is too late
    signal.signal(signal.SIGALRM, _ignore)
    kernel: Any = PuppetKernel(session=InProcessSession(send))
    kernel.stream = PromptStream(kernel.stream.send)

    def handle(text: str) -> None:
        _run_coroutine(kernel.handle(json.loads(text)))

    return handle


def _ignore(number: int, frame: object) -> None:
    pass


def _run_coroutine(answer: Any) -> None:
    """Runs a coroutine that waits for nothing."""
    try:
        answer.send(None)
    except StopIteration:
        return
    raise RuntimeError("a kernel without sockets waits for nobody")
