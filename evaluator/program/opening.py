"""Opening what has been found at a place, and nothing that is put there meanwhile.

The gate resolves a path and decides by where it leads. Who may write in one of the folders can then put a link in the
place of another, before the file is opened. So each folder on the way is opened in the one before it, and is no link.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def open_file(place: str) -> BinaryIO:
    """The open file at a place, an absolute path without links; a pipe is not waited for. Raises OSError."""
    # an opener's descriptor is closed when it is one of a folder, which is no file
    file = open(place, "rb", opener=lambda path, _: os.open(path, _READ))  # noqa: SIM115
    try:
        if not _is_at(file, place):
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
    except BaseException:
        file.close()
        raise
    return file


def _is_at(file: BinaryIO, place: str) -> bool:
    """Whether an open file is the one at a place; Linux tells that at once, elsewhere each folder is opened."""
    try:
        if os.readlink(f"/proc/self/fd/{file.fileno()}") == place:
            return True
    except OSError:
        pass
    with _open_folder(place) as (folder, name):
        there = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return os.path.samestat(there, os.fstat(file.fileno()))


def replace_file(place: str, content: bytes) -> None:
    """Puts a file with that content at a place; what is there stays until all is written. Raises OSError."""
    with _open_folder(place) as (folder, name):
        beside = f"{name}.{os.urandom(8).hex()}"
        try:
            with open(os.open(beside, _WRITE, 0o666, dir_fd=folder), "wb") as file:
                file.write(content)
            os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:  # an interrupt, too
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            raise


@contextmanager
def _open_folder(place: str) -> Iterator[tuple[int, str]]:
    """The open folder of a place, and the name of the place in it."""
    *way, name = place.split("/")
    folder = os.open("/", _FOLDER)
    try:
        for part in filter(None, way):
            outer, folder = folder, os.open(part, _FOLDER, dir_fd=folder)
            os.close(outer)
        yield folder, name
    finally:
        os.close(folder)
