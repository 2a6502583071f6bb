"""The other programs that run beside this one and communicate with it through pipes.

Commands that code runs (`generate`), programs that classify nodes, and Ruby are started here. Between this process and
each of them is a guardian: see `guardian`, the program that runs in it.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self

from evaluator import limits
from evaluator.program import lifetimes, stat_cache
from evaluator.program.guardian import ENDED, KILL_DESCENDANTS, KILLED, STARTED

# The longest wait for a process or a pipe: Python handles an interrupt only between two waits.
_POLL_SECONDS = 0.02
_CHUNK = 65536  # bytes that are read at once, and the most that are stored of an error output
_FOREVER = float("inf")
_GUARDIAN_FILE = os.path.join(os.path.dirname(__file__), "guardian.py")
_START_SECONDS = 30.0  # the time in which a guardian must report that it has started its command
_KILL_SECONDS = 5.0  # the time in which a guardian must kill the processes it guards
_STOPPED_SECONDS = 0.5  # later they are killed without it, since a program may stop the guardian all the time
# The environment variable by which all descendants of a guardian are found without it. Its value is a random one.
_MARK = "PUPPET_KERNEL_GUARD"
_MOST_SWEEPS = 100  # passes over all processes of the machine


class GuardedProcess:
    """A program under a guardian, which ends it with everything that it starts.

    See `guardian`. That also happens when this process dies. Ctrl-C reaches this process only.

    Attributes:
        child: The process of the guardian. Its pipes are those of the program, and it ends when the program ends.

    Args:
        words: The command and its arguments.
        environment: Its environment variables; by default those of this process.
        folder: A folder that it may create, which is deleted when it ends; "" for none.
        stdin, stdout, stderr: The standard streams of the program, as for `subprocess.Popen`.

    Raises:
        OSError: The program cannot be started.
        ValueError: A word contains a character that is not permitted in an argument.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: str = "",
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
    ) -> None:
        variables = os.environ if environment is None else environment
        self._mark = f"{_MARK}={os.urandom(16).hex()}\0".encode()
        entries = [*(os.fsencode(f"{name}={value}\0") for name, value in variables.items()), self._mark]
        self._socket, guardian_end = socket.socketpair()
        with guardian_end, ExitStack() as undo:
            undo.callback(self._socket.close)
            self.child: subprocess.Popen[bytes] = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-S",
                    _GUARDIAN_FILE,
                    str(guardian_end.fileno()),
                    folder,
                    limits.stack_of_programs,
                    *words,
                ],
                pass_fds=(guardian_end.fileno(),),
                start_new_session=True,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
            )
            undo.pop_all()
        weakref.finalize(self, _end_guarded, self.child, self._socket, self._mark)
        try:
            self._socket.settimeout(_START_SECONDS)
            self._socket.sendall(b"".join([*entries, b"\0"]))
            report = self._receive_report(_START_SECONDS)
        except OSError:
            report = b""
        if report != STARTED:
            self.end()
            number = int(report or errno.EAGAIN)  # of the error
            raise OSError(number, os.strerror(number), words[0])
        lifetimes.own(self)

    def end(self) -> None:
        """Kill the program and what it has started; an interrupted call can be repeated."""
        _end_guarded(self.child, self._socket, self._mark)
        lifetimes.disown(self)

    def end_descendants(self) -> bool:
        """Kill what the program has started, but not itself; return False if that fails."""
        try:
            self._socket.sendall(KILL_DESCENDANTS)
            return self._receive_report(_KILL_SECONDS) == KILLED
        except OSError:
            return False

    def _receive_report(self, seconds: float) -> bytes:
        """Return what the guardian reports, and let it continue if the program has stopped it.

        Raises:
            OSError: The guardian reports nothing.
        """
        deadline = time.monotonic() + seconds
        while not select.select([self._socket], [], [], _POLL_SECONDS)[0] and time.monotonic() < deadline:
            self.child.send_signal(signal.SIGCONT)
        self._socket.setblocking(False)
        arrived = self._socket.recv(100, socket.MSG_PEEK)
        # Its last report may have arrived as well: `_end_guarded` reads it.
        return self._socket.recv(len(arrived.removesuffix(ENDED)))


class CompanionProcess(GuardedProcess):
    """A program that runs until `end`, or to the end of a `with` block, where it is killed.

    Ctrl-C reaches this process only, which then leaves the block.

    Args:
        words: The command and its arguments.
        has_input: True if it reads and writes lines; its error output is then discarded. Otherwise it has no input, and
            its error output is part of its output.
        separates_errors: True if its error output is separate from its output.
        environment, folder: As for `GuardedProcess`.

    Attributes:
        error_output: The end of the separate error output, as far as it has been read.

    Raises:
        OSError: The program cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        has_input: bool = False,
        separates_errors: bool = False,
        environment: Mapping[str, str] | None = None,
        folder: str = "",
    ) -> None:
        self.error_output = b""
        self._rest = b""
        stderr_without_input = subprocess.PIPE if separates_errors else subprocess.STDOUT
        super().__init__(
            words,
            environment=environment,
            folder=folder,
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if has_input else stderr_without_input,
        )
        if self.child.stdin is not None:
            os.set_blocking(self.child.stdin.fileno(), False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Kill the program and what it has started; an interrupted call can be repeated."""
        super().end()
        stat_cache.invalidate()  # the code may have written files

    def is_quiet(self) -> bool:
        """Return True when the program has written nothing that has not been read."""
        assert self.child.stdout is not None
        return not self._rest and not select.select([self.child.stdout], [], [], 0)[0]

    def chunks(self, seconds: float = _FOREVER) -> Iterator[bytes]:
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
            b"" if the program has closed its output; None if it has written nothing for a while.
        """
        output, errors = self.child.stdout, self.child.stderr
        assert output is not None
        watched = [output] if errors is None or errors.closed else [output, errors]
        ready = select.select(watched, [], [], _POLL_SECONDS)[0]
        if errors in ready and errors is not None:
            part = os.read(errors.fileno(), _CHUNK)
            self.error_output = (self.error_output + part)[-_CHUNK:]
            if not part:
                errors.close()
        return os.read(output.fileno(), _CHUNK) if output in ready else None

    def status(self, seconds: float = _FOREVER) -> int:
        """Wait for the program to end, kill what it has started, and return its exit status.

        Raises:
            TimeoutError: The program has not ended after `seconds`.
        """
        pause, deadline = _POLL_SECONDS / 64, time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(pause)
            pause = min(2 * pause, _POLL_SECONDS)
        self.end()
        return self.child.returncode

    def send(self, line: bytes, seconds: float = _FOREVER) -> None:
        """Send a line to the program.

        Raises:
            BrokenPipeError: The program has ended.
            TimeoutError: The program does not read the line within `seconds`.
        """
        assert self.child.stdin is not None
        target, rest, deadline = (
            self.child.stdin.fileno(),
            memoryview(line + b"\n"),
            time.monotonic() + seconds,
        )
        while rest:
            if select.select([], [target], [], _POLL_SECONDS)[1]:
                rest = rest[os.write(target, rest) :]
            elif time.monotonic() > deadline:
                raise TimeoutError

    def receive(self, seconds: float = _FOREVER, longest: float = _FOREVER) -> bytes:
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

        Processes that it has started may still hold its output open. Sending it a signal, as while its start is
        awaited, collects the status of one that has just ended.
        """
        return self.child.returncode is not None or (
            os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        )


def _end_guarded(child: subprocess.Popen[bytes], guardian_socket: socket.socket, mark: bytes) -> None:
    """Let a guardian kill what it guards, and wait for its end; kill what it cannot kill.

    A guardian that has killed everything reports ENDED as its last byte. One that is stopped or was itself killed
    cannot: then the processes are found by their mark.

    Args:
        child: The guardian.
        guardian_socket: The socket to it; it does its work when our end is shut down.
        mark: The entry in the environment of each process that it guards.
    """
    with suppress(OSError):
        guardian_socket.shutdown(socket.SHUT_WR)
    begun = time.monotonic()
    while child.returncode is None and (seconds := time.monotonic() - begun) < _KILL_SECONDS:
        if seconds > _STOPPED_SECONDS:
            _kill_marked(mark)
        child.send_signal(signal.SIGCONT)  # the program may stop the guardian until it ends itself
        with suppress(subprocess.TimeoutExpired):
            child.wait(_POLL_SECONDS)
    if child.returncode is None:  # the guardian does not react; the command dies with it
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    report = b""
    with suppress(OSError):
        guardian_socket.setblocking(False)
        report = guardian_socket.recv(100)
    # A second call finds the socket closed.
    if guardian_socket.fileno() >= 0 and not report.endswith(ENDED):
        _kill_marked(mark)
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    guardian_socket.close()


def _kill_marked(mark: bytes) -> None:
    """Kill the processes whose environment has an entry, on systems that show it.

    This is repeated until none is left, since a process that is about to be killed may start others.
    """
    for _ in range(_MOST_SWEEPS):
        has_killed = False
        for name in os.listdir("/proc") if sys.platform == "linux" else ():
            with suppress(OSError, ValueError):
                process = int(name)
                with open(f"/proc/{name}/environ", "rb") as file:
                    if mark in file.read():
                        os.kill(process, signal.SIGKILL)
                        has_killed = True
        if not has_killed:
            return
