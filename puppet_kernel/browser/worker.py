"""The kernel in a web worker of a browser: messages are exchanged with the page as JSON.

`static/worker.js` calls `begin` once, and then the function that it returns for each message of the page.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from puppet_kernel import process
from puppet_kernel.jupyter.display import STREAM_SECONDS, BufferedStream
from puppet_kernel.jupyter.inprocess import InProcessSession
from puppet_kernel.jupyter.kernel import PuppetKernel


class ThreadlessStream(BufferedStream):
    """A stream without threads: buffered text is sent with later text, or at the end."""

    _last_time: float = 0.0  # when text was sent, by `monotonic`

    def schedule(self) -> None:
        """Send the buffered text, unless something was sent just before."""
        now = time.monotonic()
        if now - self._last_time > STREAM_SECONDS:
            self._last_time = now
            self.flush()


def begin(
    send: Callable[[str], object], folder: str, dialect: str, seconds: float | None
) -> Callable[[str], None]:
    """Make a kernel, and return the function that handles messages as JSON.

    Args:
        send: Receives each message of the kernel as JSON.
        folder: The working folder.
        dialect: The dialect of the session.
        seconds: The time limit for a cell; None for no limit.
    """
    process.configure()
    os.chdir(folder)
    limits = {} if seconds is None else {"max_seconds": seconds}
    PuppetKernel.settings = {"dialect": dialect, "limits": limits}
    for number in (signal.SIGINT, signal.SIGALRM):  # an interrupt between two cells comes too late
        signal.signal(number, lambda number, frame: None)
    kernel: Any = PuppetKernel(session=InProcessSession(send))
    kernel.stream = ThreadlessStream(kernel.stream.send)

    def handle(text: str) -> None:
        _run_coroutine(kernel.handle(json.loads(text)))

    return handle


def _run_coroutine(coroutine: Any) -> None:
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("a kernel without sockets waits for nobody")
