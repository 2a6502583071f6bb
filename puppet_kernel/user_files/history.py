"""The history of inputs without secrets: a file of its owner, shared by all front ends.

Each line is an input as JSON: a string from a terminal, or `[session, number, input]` from a kernel, which numbers
its sessions and inputs. Several processes may write at once: a writer holds a lock, and begins a new line after a
line that another writer left incomplete. Damaged lines are skipped. If the file cannot be read or written, the
history of this session stays in memory and the user sees one warning.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase

from evaluator.program import lifetimes
from lexer_parser import SPEC, PuppetError, tokenize
from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.literals import format_count
from puppet_kernel.user_files import find_user_folder

MAX_ENTRIES = 10_000  # the number of entries that are read, from the end of the file
MAX_ENTRY_SIZE = 1_000_000  # characters
CHUNK_BYTES = 256_000  # the number of bytes that are read first; each further read is larger
MAX_BYTES = 64_000_000  # the number of bytes that are read, from the end of the file
_NO_SESSION = -1
_NUMBERED_LINE = re.compile(rb'\n\[(\d{1,9}), \d{1,9}, "')


def find_history_file() -> str:
    """Return the path of the history: below XDG_STATE_HOME, by default ~/.local/state."""
    return os.path.join(find_user_folder("XDG_STATE_HOME", ".local", "state"), "puppet-kernel", "history")


class HistoryEntry(Record):
    """An input of a session.

    Attributes:
        session: The number of the session, 0 at a terminal.
        number: The number of the input in its session, 0 at a terminal.
        source: The text of the input.
        output: The output of the input, or None if it is unknown.
    """

    session: int
    number: int
    source: str
    output: str | None = None


class InputHistory(Record):
    """The inputs of all sessions and of this one.

    An input that holds a secret is never written, nor is an empty one.

    Attributes:
        path: The path of the file.
        session: The number of this session; 0 until its first numbered input is added.
        warning: The reason why the file is not used, or None.
        damage: A sentence about damaged entries, or None.
    """

    path: str
    session: int = 0
    warning: str | None = None
    damage: str | None = None
    _own: list[HistoryEntry] = fresh(factory=list)
    _searched_bytes: int = 0  # from the beginning of the file, for session numbers
    _highest_session: int = 0  # the highest number in them

    def add(self, number: int, source: str, output: str | None = None, logged: Iterable[str] = ()) -> None:
        """Add an input of this session.

        Args:
            number: The number of the input, 0 at a terminal.
            source: The text of the input.
            output: Its result, or None if that is unknown.
            logged: The log lines that it has shown, which are searched for secrets.
        """
        if not source.strip() or len(source) > MAX_ENTRY_SIZE:
            return
        if holds_secret(source, "\n".join([output or "", *logged])[:MAX_ENTRY_SIZE]):
            return
        entry = HistoryEntry(self.session, number, source, output)
        if number:
            self._own.append(entry)
            del self._own[:-MAX_ENTRIES]
        if self.warning is None:
            try:
                self._write(entry)
            except (OSError, MemoryError) as problem:
                self._warn(problem)
        if number and not self.session:  # the file has determined no number
            self.session = entry.session = 1

    def read_all(self) -> list[HistoryEntry]:
        """Return the last inputs of the other sessions as in the file, then those of this one."""
        others = [entry for entry in self.read() if not self.session or entry.session != self.session]
        return [*others, *self._own]

    def read_range(self, session: int, start: int, stop: int | None) -> list[HistoryEntry]:
        """Return the inputs `start` to `stop` (exclusive) of a session.

        Args:
            session: The number of the session; 0 for this one, -1 for the one before.
            start: The number of the first input.
            stop: The number after the last input; None for all.
        """
        current = self.session
        if session == 0:
            session = current
        elif session < 0:
            others = sorted({entry.session for entry in self.read()} - {0, current})
            session = others[session] if -session <= len(others) else _NO_SESSION
        return [
            entry
            for entry in (self._own if session == current else self.read_all())
            if entry.session == session and start <= entry.number and (stop is None or entry.number < stop)
        ]

    def search(
        self, pattern: str = "*", count: int | None = None, unique: bool = False
    ) -> list[HistoryEntry]:
        """Return the last inputs of all sessions that match a glob pattern.

        Args:
            pattern: The pattern.
            count: The number of inputs; None for all.
            unique: True to return only the last of equal inputs.
        """
        entries = [entry for entry in self.read_all() if fnmatchcase(entry.source, pattern)]
        if unique:
            entries = list({entry.source: entry for entry in reversed(entries)}.values())[::-1]
        return entries[max(len(entries) - count, 0) :] if count is not None else entries

    # --- the file

    def _write(self, entry: HistoryEntry) -> None:
        """Append an entry; the first entry of this session determines the number of the session."""
        with self._open(os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if entry.number and not self.session:
                self.session = 1 + self._find_last_session()
            entry.session = self.session
            size = os.fstat(descriptor).st_size
            is_incomplete = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            line = json.dumps([self.session, entry.number, entry.source] if entry.number else entry.source)
            rest = (b"\n" if is_incomplete else b"") + line.encode("ascii") + b"\n"
            while rest:
                rest = rest[os.write(descriptor, rest) :]

    def read(self) -> list[HistoryEntry]:
        """Return the last entries of the file within the limits; none if it cannot be read."""
        try:
            content = self._read_end()[0] if self.warning is None else b""
        except (OSError, MemoryError) as problem:
            self._warn(problem)
            return []
        lines = [text for text in content.splitlines()[-MAX_ENTRIES:] if text]
        entries = list(filter(None, map(_decode, lines)))
        if len(entries) < len(lines):
            damaged = format_count(len(lines) - len(entries), "damaged entry", "damaged entries")
            self.damage = f"{damaged} of {self.path} skipped"
        return entries

    def _read_end(self, start: int = 0) -> tuple[bytes, int]:
        """Return the end of the file from the beginning of a line, and the size of the file.

        Args:
            start: The start of a line; the file is not read before it.

        Raises:
            OSError: The file cannot be read.
            MemoryError: The file is too large.
        """
        with (
            self._open(os.O_RDONLY | os.O_CREAT) as descriptor,
            os.fdopen(os.dup(descriptor), "rb") as file,
        ):
            size = os.fstat(descriptor).st_size
            begin, least, content = size, max(size - MAX_BYTES, start), b""
            while begin > least and content.count(b"\n") <= MAX_ENTRIES:
                # Python reserves as much memory as is requested; another process may have written more since.
                begin = max(size - 4 * len(content) - CHUNK_BYTES, least)
                file.seek(begin)
                content = file.read(size - begin)
            return (content if begin <= start else content.partition(b"\n")[2]), size

    def search_last_session(self) -> None:
        """Search the highest session number, before the first input needs it."""
        with suppress(OSError, MemoryError):
            if os.path.exists(self.path):
                self._find_last_session()

    def _find_last_session(self) -> int:
        """Return the highest session number in the file, 0 if there is none.

        The lines are not decoded, and another call reads only what was appended: the search in a long file takes
        longer than all else of a first cell.
        """
        start = self._searched_bytes
        content, size = self._read_end(start) if os.stat(self.path).st_size != start else (b"", start)
        numbers = {*_NUMBERED_LINE.findall(b"\n" + content)}
        self._highest_session = max([self._highest_session, *map(int, numbers)])
        # A line that another process is still writing is read again.
        self._searched_bytes = size - len(content.rpartition(b"\n")[2])
        return self._highest_session

    @contextmanager
    def _open(self, flags: int) -> Iterator[int]:
        """Yield a descriptor of the file with access for its owner only.

        Links and special files are refused.
        """
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self.path, flags, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            descriptor = os.open(self.path, flags, 0o600)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(0, "it is not a regular file")
            if stat.S_IMODE(mode) != 0o600:
                os.fchmod(descriptor, 0o600)
            yield descriptor
        finally:
            os.close(descriptor)

    def _warn(self, problem: OSError | MemoryError) -> None:
        reason = (
            os.strerror(errno.ENOMEM) if isinstance(problem, MemoryError) else problem.strerror or problem
        )
        self.warning = f"history is off: {self.path}: {reason}"


def _decode(text: bytes) -> HistoryEntry | None:
    """Return the entry of a line; None for a damaged line."""
    with suppress(ValueError, RecursionError):
        match json.loads(text):
            case str(source):
                return HistoryEntry(0, 0, source)
            case [int(session), int(number), str(source)]:
                return HistoryEntry(session, number, source)
    return None


# --- inputs that hold a secret


NOT_WRITTEN = "# an input with a secret is not written"
_WORD = "Sensitive"
_TYPES = (_WORD, f"::{_WORD}")
_CODE_IN_STRING = "<%"  # of a template
# Lines at the beginning of an input that request help about names, and comment lines.
_QUESTIONS = re.compile(r"\A(?:[ \t]*+(?:(?:\?|%help\b)[^\n'\"]*+|#[^\n]*+)(?:\n|\Z))++")


def holds_secret(source: str, output: str = "") -> bool:
    """Return True for an input that must not be written to a file.

    The history of inputs, the files of `%save`, and the messages of log points follow this rule. Such an input is one
    in whose code the lexer finds the word `Sensitive`, and one that contains a text, or has it in its output, which a
    program has made Sensitive, or which is encrypted in the data of Hiera.

    Args:
        source: The input: commands and code.
        output: The output of the input.
    """
    if lifetimes.has_secret(source) or lifetimes.has_secret(output):
        return True
    if _WORD not in source:
        return False
    code = _QUESTIONS.sub("", source)
    try:
        tokens = tokenize(code, SPEC)
    except PuppetError:  # the input is not a program, so it is unknown which part is code
        return _WORD in code
    return any(
        value in _TYPES if kind == "CLASSREF" else _CODE_IN_STRING in str(value) and _WORD in str(value)
        for kind, value, *_ in tokens
    )
