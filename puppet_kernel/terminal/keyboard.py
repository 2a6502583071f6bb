"""The debug console of a terminal."""

from __future__ import annotations

import os
import select
import sys

from puppet_kernel.rendering.elements import Element
from puppet_kernel.terminal.terminal import Terminal

POLL_SECONDS = 0.1


class TerminalConsole:
    """A console that reads lines from standard input in the program's thread.

    It polls, so that an interrupt is handled between two polls.
    """

    is_available = True

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._typed = b""

    def show(self, element: Element) -> None:
        """Show an element."""
        self._terminal.show(element)

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user types; None at the end of the input."""
        self._terminal.write(prompt)
        sys.stdout.flush()
        descriptor = sys.stdin.fileno()
        while b"\n" not in self._typed:
            if not select.select([descriptor], [], [], POLL_SECONDS)[0]:
                continue
            more = os.read(descriptor, 4096)
            if not more:
                self._terminal.write("\n")
                return None
            self._typed += more
        found, _, self._typed = self._typed.partition(b"\n")
        return found.decode("utf-8", "replace").rstrip("\r")
