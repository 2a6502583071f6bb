"""The history of the terminal: one JSON string per line, in a file that only its owner can read.

Several terminals may write at once: an entry is one append. What is damaged is skipped. When the file cannot
be read or written the terminal works without it; that costs one warning.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable

from prompt_toolkit.history import History

ENTRIES = 10_000  # how many of the last entries are read
ENTRY_SIZE = 1_000_000
SECRET = "Sensitive("


def default_path() -> str:
    """Where the history is kept: under XDG_STATE_HOME, by default ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "puppet-kernel", "history")


class FileHistory(History):
    """History kept in a file; `warning` says why it is off, `damage` what could not be read.

    An input that begins with a blank, or that spells out a Sensitive value, is not kept in the file.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.warning: str | None = None
        self.damage: str | None = None
        self._entries = self._read()

    def load_history_strings(self) -> Iterable[str]:
        """The entries of the file, the newest first."""
        return reversed(self._entries)

    def store_string(self, string: str) -> None:
        """Appends an entry to the file."""
        if string[:1].isspace() or SECRET in string or len(string) > ENTRY_SIZE or self.warning:
            return
        try:
            descriptor = self._open(os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            try:
                os.write(descriptor, (json.dumps(string) + "\n").encode("ascii"))
            finally:
                os.close(descriptor)
        except OSError as problem:
            self._warn(problem)

    def _read(self) -> list[str]:
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            descriptor = self._open(os.O_RDONLY | os.O_CREAT)
            with os.fdopen(descriptor, "rb") as file:
                lines = file.read().splitlines()[-ENTRIES:]
        except OSError as problem:
            self._warn(problem)
            return []
        entries = [_decode(text) for text in lines]
        damaged = entries.count(None)
        if damaged:
            self.damage = f"{damaged} damaged {'entry' if damaged == 1 else 'entries'} of {self.path} skipped"
        return [entry for entry in entries if entry is not None]

    def _open(self, flags: int) -> int:
        """Opens the file for its owner alone; refuses a link and what is no regular file."""
        descriptor = os.open(self.path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(0, "it is no regular file")
            if stat.S_IMODE(mode) != 0o600:
                os.fchmod(descriptor, 0o600)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def _warn(self, problem: OSError) -> None:
        self.warning = f"history is off: {self.path}: {problem.strerror or problem}"


def _decode(text: bytes) -> str | None:
    try:
        entry = json.loads(text)
    except ValueError:
        return None
    return entry if isinstance(entry, str) else None
