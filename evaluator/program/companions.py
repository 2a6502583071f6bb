"""Other programs that run beside this one, spoken to through pipes."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from evaluator.program import places

# Python hears an interrupt only between two reads.
_GLANCE_SECONDS = 0.02
_CHUNK = 65536


class Program:
    """A program that runs until `end`, or to the end of a `with` block, and is killed there when it still does.

    Raises OSError when it cannot be started. Ctrl-C reaches this process only, which then leaves the block.
    talks   it takes lines, and writes them; else it has no input, and what it complains of is output as well
    """

    def __init__(self, words: Sequence[str], *, talks: bool = False) -> None:
        self._child = subprocess.Popen(
            words,
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if talks else subprocess.STDOUT,
            start_new_session=True,
        )
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Kills it."""
        self._child.kill()
        self._child.wait()
        places.look_again()  # it may have written files
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def chunks(self) -> Iterator[bytes]:
        """What it writes, as it comes, until it closes its output."""
        assert self._child.stdout is not None
        output = self._child.stdout.fileno()
        while True:
            if select.select([output], [], [], _GLANCE_SECONDS)[0]:
                data = os.read(output, _CHUNK)
                if not data:
                    return
                yield data

    def status(self) -> int:
        """How it ended; waits for it."""
        while True:
            try:
                return self._child.wait(_GLANCE_SECONDS)
            except subprocess.TimeoutExpired:
                continue

    def send(self, line: bytes) -> None:
        """Gives it a line. Raises BrokenPipeError when it has ended."""
        assert self._child.stdin is not None
        self._child.stdin.write(line + b"\n")
        self._child.stdin.flush()

    def receive(self) -> bytes:
        """The next line it writes, b"" when it has ended."""
        if b"\n" not in self._rest:
            parts = [self._rest]
            for data in self.chunks():
                parts.append(data)
                if b"\n" in data:
                    break
            self._rest = b"".join(parts)
        line, _, self._rest = self._rest.partition(b"\n")
        return line
