"""The history of inputs, which terminals and kernels share: a file that only its owner can read.

Each line is an input as JSON: a string from a terminal, `[session, number, input]` from a kernel, whose sessions and
inputs have numbers. Several may write at once: who writes holds a lock, and begins a new line where another one was
stopped half-way. What is damaged is skipped. When the file cannot be read or written, the history of this session is
kept in memory, which costs one warning.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase

from puppet_kernel.given import own_folder

ENTRIES = 10_000  # how many of the last entries are read
ENTRY_SIZE = 1_000_000
MOST_BYTES = 64_000_000  # at the end of the file that are looked at
# how a Sensitive value is made, beside where the type stands before a parameter
_SECRET = re.compile(
    r"Sensitive(?:\[[^\]]{0,200}+\])?+\s*+[(.]|[(,]\s*+Sensitive\s*+[,)]|\.\s*+Sensitive(?![\w:])"
)


def default_path() -> str:
    """Where the history is kept: under XDG_STATE_HOME, by default ~/.local/state."""
    return os.path.join(own_folder("XDG_STATE_HOME", ".local", "state"), "puppet-kernel", "history")


class Entry:
    """An input: the session and the number that it had there, 0 at a terminal, and what it showed if that is known."""

    __slots__ = ("number", "output", "session", "source")

    def __init__(self, session: int, number: int, source: str, output: str | None = None) -> None:
        self.session = session
        self.number = number
        self.source = source
        self.output = output


class History:
    """The inputs of all sessions and of this one.

    path     of the file;  session  the number of this session, which its first input with a number gives to it
    warning  why the file is not used;  damage  what of it could not be read
    An input that spells out a Sensitive value is not kept, nor is one without anything in it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.session = 0
        self.warning: str | None = None
        self.damage: str | None = None
        self._own: list[Entry] = []

    def add(self, number: int, source: str, output: str | None = None) -> None:
        """Keeps an input of this session; a terminal's number is 0."""
        if not source.strip() or _SECRET.search(source) or len(source) > ENTRY_SIZE:
            return
        entry = Entry(self.session, number, source, output)
        if number:
            self._own.append(entry)
            del self._own[:-ENTRIES]
        if self.warning is None:
            try:
                self._write(entry)
            except OSError as problem:
                self._warn(problem)
        if number and not self.session:
            self.session = entry.session = 1

    def entries(self) -> list[Entry]:
        """The last inputs of the other sessions in the order of the file, then those of this one."""
        mine = self.session or None
        return [*(entry for entry in self.read() if entry.session != mine), *self._own]

    def tail(self, count: int | None) -> list[Entry]:
        """The last inputs, of whatever session."""
        found = self.entries()
        return found[max(len(found) - count, 0) :] if count is not None else found

    def range(self, session: int, start: int, stop: int | None) -> list[Entry]:
        """The inputs of a session with these numbers, `stop` not among them; 0 is this one, -1 the one before."""
        current = self.session
        if session <= 0:
            others = sorted({entry.session for entry in self.read()} - {0, current})
            session = current if session == 0 else others[session] if -session <= len(others) else -1
        return [
            entry
            for entry in (self._own if session == current else self.entries())
            if entry.session == session and start <= entry.number and (stop is None or entry.number < stop)
        ]

    def search(self, pattern: str, count: int | None, unique: bool) -> list[Entry]:
        """The inputs that match a glob pattern; of those that are alike the last one when they are to be unique."""
        found = [entry for entry in self.entries() if fnmatchcase(entry.source, pattern)]
        if unique:
            found = list({entry.source: entry for entry in reversed(found)}.values())[::-1]
        return found[max(len(found) - count, 0) :] if count is not None else found

    # --- the file

    def _write(self, entry: Entry) -> None:
        """Appends an entry; the first one of this session settles which session it is."""
        with self._opened(os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if entry.number and not self.session:
                self.session = 1 + self._last_session()
            entry.session = self.session
            size = os.fstat(descriptor).st_size
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            line = json.dumps([self.session, entry.number, entry.source] if entry.number else entry.source)
            rest = (b"\n" if torn else b"") + line.encode("ascii") + b"\n"
            while rest:
                rest = rest[os.write(descriptor, rest) :]

    def read(self) -> list[Entry]:
        """What the file holds; nothing when it cannot be read."""
        entries = [_decode(text) for text in self._lines() if text]
        damaged = entries.count(None)
        if damaged:
            self.damage = f"{damaged} damaged {'entry' if damaged == 1 else 'entries'} of {self.path} skipped"
        return [entry for entry in entries if entry is not None]

    def _lines(self) -> list[bytes]:
        """The last lines of the file, as many as are looked at; none when it cannot be read."""
        if self.warning is not None:
            return []
        try:
            with (
                self._opened(os.O_RDONLY | os.O_CREAT) as descriptor,
                os.fdopen(os.dup(descriptor), "rb") as file,
            ):
                begin = max(os.fstat(descriptor).st_size - MOST_BYTES, 0)
                file.seek(begin)
                lines = file.read(MOST_BYTES).splitlines()
                return lines[begin > 0 :][-ENTRIES:]
        except OSError as problem:
            self._warn(problem)
            return []

    def _last_session(self) -> int:
        """The highest number of a session in the file, 0 for none; of each, one line that is sound is decoded."""
        lines = {text.partition(b",")[0]: text for text in self._lines() if text.startswith(b"[")}
        entries = list(map(_decode, lines.values()))
        known = self.read() if None in entries else entries
        return max((entry.session for entry in known if entry is not None), default=0)

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """The file, for its owner alone; refuses a link and what is no regular file."""
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        descriptor = os.open(self.path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(0, "it is no regular file")
            if stat.S_IMODE(mode) != 0o600:
                os.fchmod(descriptor, 0o600)
            yield descriptor
        finally:
            os.close(descriptor)

    def _warn(self, problem: OSError) -> None:
        self.warning = f"history is off: {self.path}: {problem.strerror or problem}"


def _decode(text: bytes) -> Entry | None:
    """The entry of a line; None for a damaged one."""
    try:
        match json.loads(text):
            case str(source):
                return Entry(0, 0, source)
            case [int(session), int(number), str(source)]:
                return Entry(session, number, source)
    except (ValueError, RecursionError):
        pass
    return None
