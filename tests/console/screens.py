"""A pseudo terminal, and an emulator that knows the contents of its screen."""

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
TIMEOUT = 60  # seconds; only a test that fails takes so long, even where others use all processors


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
            timeout=TIMEOUT,
        )

    def read(self, seconds: float = 0.05) -> None:
        """Read the output of the command and apply it to the screen."""
        try:
            data = self.child.read_nonblocking(65536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += data
        self._stream.feed(data)
        if b"\x1b[6n" in data:  # The command queries the position of the cursor.
            self.child.send(f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R")

    @property
    def lines(self) -> list[str]:
        """The lines of the screen without trailing blanks."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.lines).rstrip()

    def wait_for(self, expected: str | Callable[[str], bool], seconds: float = TIMEOUT) -> str:
        """Read until the screen contains a text or satisfies a condition, and return the screen."""
        matches = expected if callable(expected) else (lambda text: expected in text)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if matches(self.text):
                return self.text
        raise AssertionError(f"the screen never showed {expected!r}:\n{self.text}")

    def press_keys(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def count_prompts(self) -> int:
        """Return how many prompts the screen shows."""
        return self.text.count(PROMPT)

    def enter(self, code: str) -> str:
        """Type a complete input, wait for the next prompt, and return the screen."""
        before = self.count_prompts()
        self.press_keys(code)
        self.wait_for(lambda text: code.split("\n")[-1][-60:] in text)
        self.press_keys("\r")
        return self.wait_for(
            lambda text: text.count(PROMPT) > before and re.search(r"puppet>\s*$", text) is not None
        )

    def exit(self) -> int | None:
        """Press Ctrl-D and return the exit code."""
        self.press_keys("\x04")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus
