"""Other programs that run beside this one, spoken to through pipes."""

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

# Python hears an interrupt only between two reads.
_GLANCE_SECONDS = 0.02
_CHUNK = 65536
_EVER = float("inf")


class CompanionProcess:
    """A program that runs until `end`, or to the end of a `with` block, and is killed there when it still does.

    Raises OSError when it cannot be started. Ctrl-C reaches this process only, which then leaves the block. What it
    has started ends with it.
    talks        it takes lines, and writes them; else it has no input, and what it complains of is output as well
    apart        what it complains of is no output: the end of that is kept as `complaints`
    environment  its variables, those of this process unless given
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
        self._groups: list[int] = []  # further groups of processes, which end with it
        weakref.finalize(self, _end, self._child, self._groups)  # when nobody knows it any more

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Kills it; what was interrupted in doing so can be done again."""
        _end(self._child, self._groups)
        stat_cache.invalidate()  # it may have written files

    def add(self, group: object) -> bool:
        """From now on a group of processes that it names ends with it; false when it is none that it has started."""
        self._groups.clear()
        with suppress(OSError, OverflowError):
            if type(group) is int and group > 1 and os.getsid(group) == self._child.pid:
                self._groups.append(group)
        return bool(self._groups)

    def forget(self) -> None:
        """The group that it has named last has ended."""
        self._groups.clear()

    def is_quiet(self) -> bool:
        """True when it has written nothing that was not read."""
        assert self._child.stdout is not None
        return not self._rest and not select.select([self._child.stdout], [], [], 0)[0]

    def chunks(self, seconds: float = _EVER) -> Iterator[bytes]:
        """What it writes, as it comes, until it closes its output or has ended: what it has started may go on.

        Raises TimeoutError when that takes more seconds.
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
        """What it writes next, b"" when it has closed its output; None when it wrote nothing for a while."""
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
        """How it ended; waits for it, and kills what it has started. Raises TimeoutError after so many seconds."""
        pause, deadline = _GLANCE_SECONDS / 64, time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(pause)
            pause = min(2 * pause, _GLANCE_SECONDS)
        self.end()
        return self._child.returncode

    def send(self, line: bytes, seconds: float = _EVER) -> None:
        """Gives it a line. Raises BrokenPipeError when it has ended, TimeoutError when it does not take it in time."""
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
        """The next line it writes, b"" when it has ended.

        Raises TimeoutError when there is none after so many seconds, and OverflowError when it is longer.
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
        """Whether it has ended, though what it has started may hold its output open; it is not forgotten yet."""
        return os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(child: subprocess.Popen[bytes], groups: list[int]) -> None:
    """Kills a program, and what it has started: they are a group that bears its number until it is waited for."""
    if child.returncode is None:
        for group in (*groups, child.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
