"""The process between the evaluator and a program, whose descendants all end with it.

`python -I -S guardian.py DESCRIPTOR FOLDER STACK COMMAND ARGUMENT ...` is started by its owner (see `companions`) and
imports nothing else of this project:

    DESCRIPTOR: A socket to the owner.
    FOLDER: A folder that the command may create, and that ends with it; empty for none.
    STACK: The limit of the command's stack, in bytes; empty for that of the owner.

They exchange these messages:

1. The owner sends the environment of the command.
2. The guardian sends STARTED, or the number of the error if the command cannot be started.
3. The owner may send KILL_DESCENDANTS: the guardian kills all that the command has started, but not the command
   itself, and sends KILLED.
4. When the command ends, or the owner closes its end or dies, the guardian kills everything that is left, sends ENDED
   and ends with the status of the command.

It ignores the signals that the command may send to it; its owner lets it continue if the command has stopped it. Only
SIGKILL cannot be ignored: the owner, which then does not receive ENDED, kills what is left.

On Linux the guardian is a *subreaper*: a process whose parent ends becomes its child, so whatever the command has
started stays among its descendants, also a daemon in a session of its own. Elsewhere only the command's process group
is known.
"""

import os
import select
import signal
import sys
from contextlib import suppress

STARTED, KILL_DESCENDANTS, KILLED, ENDED = b"+", b"c", b".", b"e"  # the messages, of one byte each
_DEATH_SIGNAL, _SUBREAPER = 1, 36  # options of prctl(2): PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER
# Signals that end a process and can be ignored, except those that defects of the process cause.
_IGNORED = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGVTALRM,
    signal.SIGPROF,
    signal.SIGXCPU,
)
_PASSES = 100  # passes over the descendants, each of which stops those that the previous one did not find
_PAUSE_SECONDS = 0.001  # the pause before killed processes are examined again


def _set_process_option(option: int, value: int) -> None:
    """Call prctl(2), if the system has it."""
    if sys.platform == "linux":
        from ctypes import CDLL

        CDLL(None).prctl(option, value, 0, 0, 0)


def _limit_stack(size: str) -> None:
    """Set the limit of the stack that the command has, in bytes; "" leaves it as it is."""
    if size:
        import resource

        resource.setrlimit(resource.RLIMIT_STACK, (int(size), resource.getrlimit(resource.RLIMIT_STACK)[1]))


def _list_children(process: int) -> list[int]:
    """Return the children of a process; none if the system does not list them."""
    children: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                children += map(int, file.read().split())
    return children


def _is_alive(process: int) -> bool:
    """Return False for a process that has ended, whether it was collected or not."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def _signal(process: int, number: int) -> None:
    with suppress(OSError):
        os.kill(process, number)


class Guardian:
    """A guardian and its command.

    Args:
        owner: The descriptor of the socket to the owner.
        folder: The folder that is deleted when the command ends, or "".

    Attributes:
        command: The process of the command.
        status: The status with which the command ended, as `os.waitpid` returns it; None while it runs.
    """

    def __init__(self, owner: int, folder: str) -> None:
        self._owner = owner
        self._folder = folder
        self.command = 0
        self.status: int | None = None

    def start(self, words: list[str], environment: dict[bytes, bytes]) -> None:
        """Start the command in a session of its own, and report that to the owner."""
        guardian = os.getpid()
        failure_reader, failure_writer = os.pipe()  # its end closes when the new process becomes the command
        for number in _IGNORED:  # the command or its descendants may send these signals
            signal.signal(number, signal.SIG_IGN)
        self.command = os.fork()
        if not self.command:
            try:
                _set_process_option(_DEATH_SIGNAL, signal.SIGKILL)
                if os.getppid() != guardian:  # which died before its death could be noticed
                    os._exit(1)
                os.setsid()
                for number in (*_IGNORED, signal.SIGPIPE, getattr(signal, "SIGXFSZ", signal.SIGPIPE)):
                    signal.signal(number, signal.SIG_DFL)
                os.execvpe(words[0], words, environment)
            except OSError as problem:
                os.write(failure_writer, b"%d" % (problem.errno or 1))
            finally:
                os._exit(127)
        null_device = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # from here on only the command holds the former streams
            os.dup2(null_device, stream)
        os.close(failure_writer)
        report = os.read(failure_reader, 100) or STARTED
        with suppress(OSError):  # the owner has died; `serve` notices it
            os.write(self._owner, report)

    def serve(self) -> None:
        """Obey the owner until the command ends or the owner is gone."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._reap()  # processes that ended before the handler was installed
        with suppress(OSError):  # the owner has died
            while self.status is None:
                ready = select.select([self._owner, reader], [], [])[0]
                if reader in ready:
                    os.read(reader, 1000)
                    self._reap()
                if self._owner in ready:
                    if os.read(self._owner, 1) != KILL_DESCENDANTS:
                        break
                    self.kill_descendants(spared=self.command)
                    os.write(self._owner, KILLED)
        self.kill_descendants()

    def _reap(self, wait: bool = False) -> bool:
        """Collect the processes that have ended; return False if no process is left.

        Args:
            wait: True to wait until one has ended.
        """
        while True:
            try:
                process, status = os.waitpid(-1, 0 if wait else os.WNOHANG)
            except ChildProcessError:
                return False
            if process == self.command:
                self.status = status
            if not process:
                return True
            wait = False

    def kill_descendants(self, spared: int = 0) -> None:
        """Kill all descendants and collect them.

        Args:
            spared: A descendant that continues to run; 0 for none.
        """
        killed = set[int]()
        while True:
            stopped = self._stop_descendants(spared)
            for process in stopped:
                _signal(process, signal.SIGKILL)
            are_all_killed = stopped <= killed  # then the remaining processes are about to end
            killed |= stopped
            if spared:
                self._reap()
                if not stopped:
                    return
                # `_reap(wait=True)` could wait for the one that is spared, so this only pauses.
                select.select([], [], [], _PAUSE_SECONDS if are_all_killed else 0)
            else:
                if self.status is None:  # where the system lists no children, this is all that can be done
                    with suppress(OSError):
                        os.killpg(self.command, signal.SIGKILL)
                if not self._reap(wait=are_all_killed):
                    return

    def _stop_descendants(self, spared: int) -> set[int]:
        """Stop all descendants but one, so that they start no others, and return them."""
        stopped = set[int]()
        for _ in range(_PASSES):
            running = {process for process in self._list_descendants() if _is_alive(process)}
            running -= stopped | {spared}
            if not running:
                break
            for process in running:
                _signal(process, signal.SIGSTOP)
            stopped |= running
        return stopped

    def _list_descendants(self) -> list[int]:
        descendants = _list_children(os.getpid())
        for process in descendants:  # the loop adds to this list
            descendants += _list_children(process)
        return descendants

    def end(self) -> None:
        """Delete the folder, report that nothing is left, and end as the command has ended."""
        if self._folder and os.path.lexists(self._folder):
            from shutil import rmtree

            rmtree(self._folder, ignore_errors=True)
        with suppress(OSError):
            os.write(self._owner, ENDED)
        status = self.status or 0
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            with suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
            os.kill(os.getpid(), number)
        os._exit(os.WEXITSTATUS(status))


def _read_environment(owner: int) -> dict[bytes, bytes]:
    """Read the environment of the command: NAME=VALUE and NUL for each, then a NUL."""
    content = b""
    while content != b"\0" and not content.endswith(b"\0\0"):
        part = os.read(owner, 65536)
        if not part:
            os._exit(1)
        content += part
    pairs = (entry.partition(b"=") for entry in content.split(b"\0") if entry)
    return {name: value for name, _, value in pairs}


def main() -> None:
    """Guard the command in the arguments of this process."""
    owner = int(sys.argv[1])
    os.set_inheritable(owner, False)
    _set_process_option(_SUBREAPER, 1)
    # The owner may die while the command has stopped this process.
    _set_process_option(_DEATH_SIGNAL, signal.SIGCONT)
    _limit_stack(sys.argv[3])
    guardian = Guardian(owner, sys.argv[2])
    guardian.start(sys.argv[4:], _read_environment(owner))
    guardian.serve()
    guardian.end()


if __name__ == "__main__":
    main()
