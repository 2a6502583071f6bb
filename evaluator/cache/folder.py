"""The cache folder of the user, which processes share.

A file of the cache holds code that is executed: anyone who can write it can run any code as the user. So the folder is
used only when it belongs to the user and nobody else may enter it, and only files that belong to the user are read;
their content is then as trustworthy as the program's own installed files. The format is that of `marshal`, which names
no objects of a program, but damaged content may crash Python. So each file begins with the digest of its name and the
rest, and a file whose digest does not match is deleted, not read, and its entry is computed again.

A file holds what has been computed from the sources of a module, each result with the digest of its source. It is named
after everything else that determines its content: the module, this program with the Python that runs it, and the
purpose. So an outdated result is never found, and nothing needs to be invalidated. This program means the code that was
imported: a process whose own files have changed since then uses no cache. Files are written atomically, so that
processes need no lock between them; a result that is lost because two write at once is computed again. A folder that
cannot be written is still read.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from evaluator.program import sandbox
from lexer_parser.lazy import LOADED_AT, LOADED_AT_MONOTONIC
from lexer_parser.memo import memoize

ROOM = 128_000_000  # bytes of all files in the folder
LONGEST = 16_000_000  # bytes of one file
_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size
_PACKAGES = ("evaluator", "lexer_parser")
_CODE = (".py", ".pyc", ".so")
_DRIFT = 0.1  # seconds by which the clock may seem to have been set back
_DAY = 86_400.0  # seconds between updates of a file's time of use; also the age at which unfinished files are deleted


class _CodeFile(NamedTuple):
    """A file with code of this program.

    Attributes:
        path: Its path.
        size: Its size in bytes.
        content_changed_ns: When its content was last changed, in nanoseconds; installers may set this time.
        changed: When it was last changed in any way, in seconds; only the system sets this time.
    """

    path: str
    size: int
    content_changed_ns: int
    changed: float


class CacheFolder:
    """A cache folder, which is created when the first entry is stored."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._warning: str | None = None
        self._has_warned = False
        self._descriptor: int | None = None  # of the folder, once it is open
        self._is_readable = self._is_writable = True  # False after a failure: it is not tried again
        # Bytes written since the last check of the folder's size; the first entry triggers a check.
        self._written = ROOM

    def take_warning(self) -> str | None:
        """Return a warning about the folder, only the first time that there is one."""
        if self._has_warned or self._warning is None:
            return None
        self._has_warned = True
        return self._warning

    def get(self, name: str) -> Any:  # Any: as `marshal.loads`; the caller knows the structure of its entries
        """Return the entry with a name; None when there is no usable one."""
        folder = self._open(creates=False)
        try:
            content = None if folder is None else self._read(folder, name)
        except FileNotFoundError:
            return None
        except OSError as problem:
            self._warn(problem)
            return None
        if content is None:
            return None
        if content[:_SIZE] == _compute_digest(name, memoryview(content)[_SIZE:]):
            with suppress(EOFError, ValueError, TypeError):
                return marshal.loads(memoryview(content)[_SIZE:])
        self._warning = f"a damaged file in the cache {self.path} is created again"
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        return None

    def put(self, name: str, value: object) -> None:
        """Store an entry if `marshal` can write it; otherwise do nothing.

        No problem is raised: a program must not fail because of the cache.
        """
        folder = self._open(creates=True)
        if folder is None or not self._is_writable:
            return
        with suppress(ValueError, RecursionError):  # `marshal` cannot write the value
            content = marshal.dumps(value)  # type: ignore[arg-type]
            self._write(folder, name, _compute_digest(name, content) + content)

    def is_outdated(self, list_code: Callable[[], list[_CodeFile]] | None = None) -> bool:
        """Return True when the cache must not be used, because the program may have changed.

        Args:
            list_code: Returns the files of the program; by default those that exist now.
        """
        if self._is_readable and _has_program_changed((list_code or _list_code)()):
            self._is_readable = self._is_writable = False
            self._warning = "the cache is off: the program has changed since this process began"
        return not self._is_readable

    def make_room(self) -> None:
        """Delete the least recently used files beyond the room, and abandoned unfinished files."""
        folder = self._open(creates=False)
        if folder is None:
            return
        self._written = 0
        files = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if not entry.name.startswith("."):
                        files.append((status.st_mtime, status.st_size, entry.name))
                    elif abs(time.time() - status.st_mtime) > _DAY:  # clocks jump: it may be in the future
                        os.unlink(entry.name, dir_fd=folder)
        total_size = sum(size for _, size, _ in files)
        if total_size <= ROOM:
            return
        for _, size, name in sorted(files):
            if total_size <= ROOM * 3 // 4:  # so that the next deletion is not soon needed
                break
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            total_size -= size

    def _open(self, creates: bool) -> int | None:
        """Return the descriptor of the folder, None when there is no usable one.

        Args:
            creates: True to create the folder if it does not exist.
        """
        if self._descriptor is not None or not self._is_readable:
            return self._descriptor
        if self.is_outdated(_list_first_code):
            return None
        try:
            if creates:
                os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
                with suppress(FileExistsError):
                    os.mkdir(self.path, 0o700)
            folder = os.open(self.path, sandbox.READ_FLAGS | os.O_DIRECTORY)
        except OSError as problem:
            if isinstance(problem, FileNotFoundError) and not creates:
                return None
            self._is_readable = False
            self._warn(problem)
            return None
        status = os.fstat(folder)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
            os.close(folder)
            self._is_readable = False
            self._warning = f"the cache is off: {self.path} is accessible to other users"
            return None
        self._descriptor = folder
        return folder

    def _read(self, folder: int, name: str) -> bytes | None:
        """Return the content of a file, or None if the file is not safe to use.

        A file is safe if it is regular, owned by the user, writable by nobody else, and not too long.

        Raises:
            OSError: The file cannot be read.
        """
        with open(
            name, "rb", opener=lambda name, _: os.open(name, sandbox.READ_FLAGS, dir_fd=folder)
        ) as file:
            status = os.fstat(file.fileno())
            is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
            if not is_own or status.st_mode & 0o022 or status.st_size > LONGEST:
                return None
            if abs(time.time() - status.st_mtime) > _DAY:
                with suppress(OSError):
                    os.utime(file.fileno())
            return file.read(LONGEST + 1)

    def _write(self, folder: int, name: str, content: bytes) -> None:
        """Write a file that is not too long, atomically: it is renamed when it is complete."""
        try:
            if len(content) <= LONGEST:
                sandbox.replace_in_folder(folder, name, f".{os.urandom(8).hex()}", content, 0o600)
                self._written += len(content)
            if self._written > ROOM // 8:
                self.make_room()
        except OSError as problem:
            self._is_writable = False
            self._warn(problem)

    def _warn(self, problem: OSError) -> None:
        self._warning = f"the cache is off: {self.path}: {problem.strerror or problem}"


def _compute_digest(name: str, content: bytes | memoryview) -> bytes:
    """Return the digest of a file: also of its name, so that no content passes for that of another file."""
    digest = _DIGEST(name.encode())
    digest.update(content)
    return digest.digest()


def compute_text_digest(text: str) -> bytes:
    """Return the digest that identifies the text of a source."""
    return _DIGEST(text.encode("utf-8", "surrogatepass")).digest()


def make_name(*parts: object) -> str:
    """Return the name of the entry that these parts determine, together with this program.

    Args:
        parts: Objects; two different ones must have a different `repr`.
    """
    return _DIGEST(repr((_identify_program(), *parts)).encode("utf-8", "surrogatepass")).hexdigest()


@memoize(unbounded_because="one result", interned=True)
def _identify_program() -> tuple[object, ...]:
    """Return the identity of this program and its Python, whose entries are its own."""
    files = repr([(file.path, file.size, file.content_changed_ns) for file in _list_first_code()])
    python = sys.version, sys.implementation.cache_tag, sys.flags.optimize, marshal.version
    return *python, _DIGEST(files.encode()).digest()


def _has_program_changed(files: list[_CodeFile]) -> bool:
    """Return True when the files of this program may differ from the code that was imported."""
    is_clock_set_back = time.monotonic() - LOADED_AT_MONOTONIC > time.time() - LOADED_AT + _DRIFT
    return is_clock_set_back or any(file.changed > LOADED_AT for file in files)


@memoize(unbounded_because="one result", interned=True)
def _list_first_code() -> list[_CodeFile]:
    """Return the files with code when a cache was first used."""
    return _list_code()


def _list_code() -> list[_CodeFile]:
    """Return the files with code as they are now."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return sorted(file for package in _PACKAGES for file in _iterate_code(os.path.join(root, package)))


def _iterate_code(folder: str) -> Iterator[_CodeFile]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_CODE):
                status = entry.stat()
                yield _CodeFile(entry.path, status.st_size, status.st_mtime_ns, status.st_ctime)
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _iterate_code(entry.path)
