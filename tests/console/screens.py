"""A real terminal for the tests: a pseudo terminal, and an emulator that knows what is on its screen."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).parents[2]
PROMPT = "puppet>"
PATIENCE = 60  # seconds; only a test that fails takes so long, even where others use all processors


class Screen:
    """The command in a terminal of 100 columns and 40 lines."""

    def __init__(
        self, state: Path, *arguments: str, columns: int = 100, rows: int = 40, **environment: str
    ) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        env = {**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": str(state), "TERM": "xterm-256color"}
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "puppet_kernel", *arguments],
            env={**env, **environment},
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )

    def read(self, seconds: float = 0.05) -> None:
        """Takes in what the command has written."""
        try:
            data = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += data
        self._stream.feed(data)
        if b"\x1b[6n" in data:  # the command asks where the cursor is
            self.child.send(f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R")

    @property
    def lines(self) -> list[str]:
        """The lines of the screen without blank ends."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.lines).rstrip()

    def wait(self, wanted: str | Callable[[str], bool], seconds: float = PATIENCE) -> str:
        """Read until the screen contains a text or fulfils a condition, and return the screen."""
        fits = wanted if callable(wanted) else (lambda text: wanted in text)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if fits(self.text):
                return self.text
        raise AssertionError(f"the screen never showed {wanted!r}:\n{self.text}")

    def type(self, keys: str) -> None:
        """Presses keys."""
        self.child.send(keys)

    def prompts(self) -> int:
        """How many prompts the screen shows."""
        return self.text.count(PROMPT)

    def enter(self, code: str) -> str:
        """Type a complete input, wait for the next prompt, and return the screen."""
        before = self.prompts()
        self.type(code)
        self.wait(lambda text: code.split("\n")[-1][-60:] in text)
        self.type("\r")
        return self.wait(
            lambda text: text.count(PROMPT) > before and re.search(r"puppet>\s*$", text) is not None
        )

    def leave(self) -> int | None:
        """Press Ctrl-D and return the exit code."""
        self.type("\x04")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus
