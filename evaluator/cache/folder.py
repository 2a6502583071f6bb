"""What has been made of files, kept for other processes in a folder of the user.

Such a file holds code, which is run: whoever can write it can run what he likes as the user. So the folder is used only
when it belongs to the user and nobody else may enter it, and of the files in it only those that are the user's own;
what is read is then as trustworthy as the program's own installed files. It is written by `marshal`, which names no
objects of a program, but may bring Python down with content that is damaged: each file begins with the digest of the
rest, and one that does not fit is not read but made anew.

A file is named after all that decides what it holds: the content it was made of, this program with the Python that
runs it, and the purpose. So what has changed is never found, and nothing needs to be taken back. A file appears whole
under its name or not at all, so that processes need no lock between them. When it cannot be written, what is there is
still read.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from lexer_parser.memo import memoize

ROOM = 128_000_000  # bytes in the folder
LONGEST = 16_000_000  # bytes of one file
_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size
_PACKAGES = ("evaluator", "lexer_parser")
_DAY = 86_400.0  # seconds: so often it is noted that a file is of use
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class CacheFolder:
    """A folder, which is made when something is first kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._warning: str | None = None
        self._told = False
        self._folder: int | None = None  # the open folder
        self._reads = self._writes = True
        self._written = ROOM  # bytes, since somebody looked for room: nobody has

    def take_warning(self) -> str | None:
        """What is wrong with it, the first time that there is something to say."""
        if self._told or self._warning is None:
            return None
        self._told = True
        return self._warning

    def get(self, name: str) -> Any:
        """What is kept under a name; None when there is nothing that can be used."""
        folder = self._open(makes=False)
        if folder is None:
            return None
        try:
            content = self._content(folder, name)
        except FileNotFoundError:
            return None
        except OSError as problem:
            self._warn(problem)
            return None
        if content is None:
            return None
        if content[:_SIZE] == _DIGEST(content[_SIZE:]).digest():
            with suppress(EOFError, ValueError, TypeError):
                return marshal.loads(memoryview(content)[_SIZE:])
        self._warning = f"a damaged file in the cache {self.path} is made anew"
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        return None

    def put(self, name: str, value: Any) -> None:
        """Keeps what `marshal` can write, and nothing of the rest: no program fails for it."""
        folder = self._open(makes=True)
        if folder is None or not self._writes:
            return
        try:
            content = marshal.dumps(value)
        except (ValueError, RecursionError):
            return
        content = _DIGEST(content).digest() + content
        if len(content) > LONGEST:
            return
        try:
            self._write(folder, name, content)
            self._written += len(content)
            if self._written > ROOM // 8:
                self.make_room()
        except OSError as problem:
            self._writes = False
            self._warn(problem)

    def make_room(self) -> None:
        """Drops what was of use longest ago when there is too much, and what writers have left half done."""
        folder = self._open(makes=False)
        if folder is None:
            return
        self._written = 0
        found = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if not entry.name.startswith("."):
                        found.append((status.st_mtime, status.st_size, entry.name))
                    elif time.time() - status.st_mtime > _DAY:
                        os.unlink(entry.name, dir_fd=folder)
        taken = sum(size for _, size, _ in found)
        if taken <= ROOM:
            return
        for _, size, name in sorted(found):
            if taken <= ROOM * 3 // 4:
                break
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            taken -= size

    # --- the folder

    def _open(self, makes: bool) -> int | None:
        """The open folder, None when there is none that can be used; it may be made."""
        if self._folder is not None or not self._reads:
            return self._folder
        try:
            if makes:
                os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
                with suppress(FileExistsError):
                    os.mkdir(self.path, 0o700)
            folder = os.open(self.path, _READ | os.O_DIRECTORY)
        except OSError as problem:
            if isinstance(problem, FileNotFoundError) and not makes:
                return None
            self._reads = False
            self._warn(problem)
            return None
        status = os.fstat(folder)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
            os.close(folder)
            self._reads = False
            self._warning = f"the cache is off: {self.path} is not for its owner alone"
            return None
        self._folder = folder
        return folder

    def _content(self, folder: int, name: str) -> bytes | None:
        """The bytes of a file; None for one that is not the user's own. Raises OSError."""
        with open(name, "rb", opener=lambda name, _: os.open(name, _READ, dir_fd=folder)) as file:
            status = os.fstat(file.fileno())
            own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
            if not own or status.st_mode & 0o022 or status.st_size > LONGEST:
                return None
            if time.time() - status.st_mtime > _DAY:
                with suppress(OSError):
                    os.utime(file.fileno())
            return file.read(LONGEST + 1)

    def _write(self, folder: int, name: str, content: bytes) -> None:
        beside = f".{os.urandom(8).hex()}"
        try:
            with open(os.open(beside, _WRITE, 0o600, dir_fd=folder), "wb") as file:
                file.write(content)
            os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            raise

    def _warn(self, problem: OSError) -> None:
        self._warning = f"the cache is off: {self.path}: {problem.strerror or problem}"


def make_name(*parts: object) -> str:
    """The name for what these decide, beside this program itself. Their `repr` tells all of them."""
    return _DIGEST(repr((_program(), *parts)).encode("utf-8", "surrogatepass")).hexdigest()


@memoize(owner="one result", interned=True)
def _program() -> tuple[object, ...]:
    """This program and its Python: what another one has made is not for this one."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    files = sorted(file for package in _PACKAGES for file in _sources(os.path.join(root, package)))
    return sys.version, sys.implementation.cache_tag, marshal.version, _DIGEST(repr(files).encode()).digest()


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """The files of a package, each with its size and the time at which it changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)
