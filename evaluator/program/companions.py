"""The other programs that run beside this one and communicate with it through pipes."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from evaluator.program import stat_cache

# Python handles an interrupt only between two reads, so none waits longer than this.
_GLANCE_SECONDS = 0.02
_CHUNK = 65536
_EVER = float("inf")


class CompanionProcess:
    """A program that runs until `end`, or to the end of a `with` block, where it is killed.

    Ctrl-C reaches this process only, which then leaves the block. Processes that the program has started end with it.

    Args:
        words: The command and its arguments.
        talks: True when it reads and writes lines; its error output is then discarded. Otherwise it has no input, and
            its error output is part of its output.
        apart: True when its error output is separate: the end of that is stored as `complaints`.
        environment: Its environment variables; by default those of this process.

    Raises:
        OSError: The program cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        talks: bool = False,
        apart: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.complaints = b""
        self._child = subprocess.Popen(
            words,
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if talks else subprocess.PIPE if apart else subprocess.STDOUT,
            start_new_session=True,
            env=environment,
        )
        if self._child.stdin is not None:
            os.set_blocking(self._child.stdin.fileno(), False)
        self._rest = b""
        self._groups: list[int] = []  # further process groups, which are killed with it
        weakref.finalize(self, _end, self._child, self._groups)  # kills it when no reference is left

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Kill the program. When the call is interrupted, it can be repeated."""
        _end(self._child, self._groups)
        stat_cache.invalidate()  # it may have written files

    def add(self, group: object) -> bool:
        """End a group of processes together with the program from now on.

        Args:
            group: The number of the group, as the program reports it.

        Returns:
            False when the program has started no such group.
        """
        self._groups.clear()
        with suppress(OSError, OverflowError):
            if type(group) is int and group > 1 and os.getsid(group) == self._child.pid:
                self._groups.append(group)
        return bool(self._groups)

    def forget(self) -> None:
        """Forget the group that the program reported last, because it has ended."""
        self._groups.clear()

    def is_quiet(self) -> bool:
        """Return True when the program has written nothing that has not been read."""
        assert self._child.stdout is not None
        return not self._rest and not select.select([self._child.stdout], [], [], 0)[0]

    def chunks(self, seconds: float = _EVER) -> Iterator[bytes]:
        """Yield the program's output as it arrives, until it closes its output or ends.

        Processes that it has started may continue to run.

        Raises:
            TimeoutError: The output takes more than `seconds`.
        """
        deadline = time.monotonic() + seconds
        while (data := self._read()) != b"":
            if data is not None:
                yield data
            elif self._has_ended() and self.is_quiet():
                return
            if time.monotonic() > deadline:
                raise TimeoutError

    def _read(self) -> bytes | None:
        """Return the next output of the program.

        Returns:
            b"" when the program has closed its output; None when it has written nothing for a while.
        """
        output, errors = self._child.stdout, self._child.stderr
        assert output is not None
        watched = [output] if errors is None or errors.closed else [output, errors]
        ready = select.select(watched, [], [], _GLANCE_SECONDS)[0]
        if errors in ready and errors is not None:
            told = os.read(errors.fileno(), _CHUNK)
            self.complaints = (self.complaints + told)[-_CHUNK:]
            if not told:
                errors.close()
        return os.read(output.fileno(), _CHUNK) if output in ready else None

    def status(self, seconds: float = _EVER) -> int:
        """Wait for the program to end, kill what it has started, and return its exit status.

        Raises:
            TimeoutError: The program has not ended after `seconds`.
        """
        pause, deadline = _GLANCE_SECONDS / 64, time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(pause)
            pause = min(2 * pause, _GLANCE_SECONDS)
        self.end()
        return self._child.returncode

    def send(self, line: bytes, seconds: float = _EVER) -> None:
        """Send a line to the program.

        Raises:
            BrokenPipeError: The program has ended.
            TimeoutError: The program does not read the line within `seconds`.
        """
        assert self._child.stdin is not None
        target, rest, deadline = (
            self._child.stdin.fileno(),
            memoryview(line + b"\n"),
            time.monotonic() + seconds,
        )
        while rest:
            if select.select([], [target], [], _GLANCE_SECONDS)[1]:
                rest = rest[os.write(target, rest) :]
            elif time.monotonic() > deadline:
                raise TimeoutError

    def receive(self, seconds: float = _EVER, longest: float = _EVER) -> bytes:
        """Return the next line that the program writes; b"" when it has ended.

        Raises:
            TimeoutError: The program has written no line after `seconds`.
            OverflowError: The line has more than `longest` bytes.
        """
        parts, length, deadline = [self._rest], len(self._rest), time.monotonic() + seconds
        while b"\n" not in parts[-1]:
            data = self._read()
            if data == b"" or (data is None and self._has_ended()):
                break
            if data is not None:
                parts.append(data)
                length += len(data)
            if length > longest:
                raise OverflowError
            if time.monotonic() > deadline:
                raise TimeoutError
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line

    def _has_ended(self) -> bool:
        """Return True when the program has ended; its exit status remains to be collected.

        Processes that it has started may still hold its output open.
        """
        return os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(child: subprocess.Popen[bytes], groups: list[int]) -> None:
    """Kill a program and the processes that it has started.

    They form a process group whose number is that of the program until it has been waited for.
    """
    if child.returncode is None:
        for group in (*groups, child.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
