"""The standard streams of a cell: its output, and the input field in which it asks the user."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.text import render_plain


class BufferedStream:
    """A stream that sends the first line at once, and lines that follow quickly together."""

    DELAY = 0.05
    SIZE = 16_384

    def __init__(self, send: Callable[[str, str], None]) -> None:
        self.send = send
        self._lock = threading.RLock()
        self._name = ""
        self._parts: list[str] = []
        self._size = 0
        self._timer: threading.Timer | None = None

    def write(self, name: str, text: str) -> None:
        """Send text on a stream, now or after at most `DELAY` seconds."""
        with self._lock:
            if name != self._name:
                self._send()
            self._name = name
            self._parts.append(text)
            self._size += len(text)
            if self._size > self.SIZE:
                self._send()
            else:
                self.schedule()

    def schedule(self) -> None:
        """Send the buffered text now, or, if something was sent just before, after `DELAY` seconds."""
        if self._timer is None:
            self._send()
            self._timer = threading.Timer(self.DELAY, self._on_timer)
            self._timer.daemon = True
            self._timer.start()

    def flush(self) -> None:
        """Send the buffered text now."""
        with self._lock:
            self._send()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _on_timer(self) -> None:
        with self._lock:
            self._timer = None
            self._send()

    def _send(self) -> None:
        if self._parts:
            text, self._parts, self._size = "".join(self._parts), [], 0
            self.send(self._name, text)


class NotebookConsole:
    """A debug console in a notebook.

    `is_available` is True if the front end of the running cell accepts input requests.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.is_available = False

    def show(self, element: Element) -> None:
        """Show an element below the cell."""
        self._kernel.stream.write("stdout", render_plain(element) + "\n")

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user enters; None if the front end accepts no input requests."""
        self._kernel.stream.flush()
        return str(self._kernel.raw_input(prompt)) if self.is_available else None
