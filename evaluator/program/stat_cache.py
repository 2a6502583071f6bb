"""The file system as a program sees it, and answers that depend only on files.

A running program queries the same folders many times, and the next program queries them again. Within a run each
place is examined once. An answer outlives the run together with the places that it depends on: the next run that
needs it examines their folders again, whose stamps prove that they have the same entries, and computes the answer
again only if an entry has changed. Where the system reports changes, a process that runs many programs need not even
examine the folders: their stamps stay valid until a change is reported.

Five words:
    place: An absolute path in whose folders all links are resolved. A link can itself be at a place.
    stamp: The values by which a change of what is at a place is noticed.
    run: The evaluation of one cell or program. The supervisor begins and ends it.
    answer: The result of a query, such as "which file has the class ntp?", cached for all programs.
    dependencies: The places that an answer depends on, with their stamps at the time when it was computed.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from posixpath import split
from typing import TYPE_CHECKING, Any, TypeVar

from lexer_parser.memo import MemoTable
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    import ctypes

# Places that a run examines, and cached answers: programs may invent any number of paths.
_MOST_PLACES = 100_000
_MOST_FOLDERS = 100  # folders in a path that are resolved one by one
_MOST_LINKS = 40  # as in Linux
# A file that changes twice within a tick of its system's clock keeps its stamp, so a recent stamp proves nothing.
_YOUNG_NANOSECONDS = 2_000_000_000

_MOST_WATCHED = 5_000  # folders; older systems let a user watch 8,192
_LEAST_QUIET_RUNS, _MOST_QUIET_RUNS = 4, 1_000  # runs without a reported change before folders are watched
# As in `sys/inotify.h`: attributes change, and entries or the folder itself come, go or move. No link is followed.
_WATCHED_EVENTS = 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x1000000 | 0x2000000
# The file systems of one machine, by their numbers in `linux/magic.h`: btrfs, ext, F2FS, overlay, tmpfs, XFS and ZFS.
_LOCAL_FILE_SYSTEMS = {0x9123683E, 0xEF53, 0xF2F52010, 0x794C7630, 0x1021994, 0x58465342, 0x2FC12FC1}

# More than the size of `struct statfs`, which begins with the number of the file system.
_STATFS_BYTES = 1_000

# The values that show whether the content of a file or folder has changed: (modification time, status change time,
# size, inode number, device, mode), times in nanoseconds. The last three identify the file, whatever its content.
Stamp = tuple[int, ...]
_TIMES, _IDENTITY, _DEVICE, _MODE = slice(0, 2), slice(3, 6), 4, 5  # the indices of these parts


class _Run(Record):
    """The places that the running program has examined.

    Attributes:
        resolved: For each path its place after all links, and the places on which that depends.
        stamps: The stamp of each place; None if nothing exists there.
        working_folder: A list that contains the working folder once it has been needed, or None if that has been
            removed.
        begun: The time at which it began, in nanoseconds.
    """

    resolved: dict[str, tuple[str, Dependencies]] = fresh(factory=dict)
    stamps: dict[str, Stamp | None] = fresh(factory=dict)
    working_folder: list[str | None] = fresh(factory=list)
    begun: int = fresh(factory=time.time_ns)


class _FolderWatch:
    """The folders whose changes the system reports, with Linux's inotify.

    A change anywhere ends the watch of all folders, because their paths may lead elsewhere then. They are watched again
    after some runs without a change, after more of them each time that the watch was short.

    Attributes:
        stamps: The stamps of the folders, which are valid until `begin_run` finds that something has changed.
        period: An object that is replaced when something has changed.
    """

    def __init__(self) -> None:
        self.stamps: dict[str, Stamp] = {}
        self.period = object()
        self._descriptors: list[int] = []  # those that are open: of the list of mounts, and of inotify
        self._changes: Any = None  # reports changes of the descriptors
        self._devices: dict[int, bool] = {}  # True for the devices that have a local file system
        self._process = self._runs = 0  # the process that watches, and the runs since the last change
        self._quiet_runs = _LEAST_QUIET_RUNS  # the runs without a change before folders are watched (again)
        self._is_supported = sys.platform == "linux"

    def begin_run(self) -> None:
        """Count a run, and forget the folders if something has changed."""
        self._runs += 1
        if self._descriptors and (self._process != os.getpid() or self._changes.poll(0)):
            # After a watch that was not worth its cost, the next one begins later.
            was_short = self._runs - self._quiet_runs < 2 * self._quiet_runs
            self._quiet_runs = min(2 * self._quiet_runs, _MOST_QUIET_RUNS) if was_short else _LEAST_QUIET_RUNS
            self.end()

    def end(self) -> None:
        """Stop watching, and forget the folders."""
        self.stamps.clear()
        self.period = object()
        self._runs = 0
        while self._descriptors:
            os.close(self._descriptors.pop())

    def add(self, places: dict[str, Stamp | None]) -> None:
        """Watch the folders among the places of a run if their parent folders are watched."""
        if not self._is_supported or self._runs < self._quiet_runs:
            return
        devices = {
            place: stamp[_DEVICE]
            for place, stamp in places.items()
            if stamp is not None and place not in self.stamps and stat.S_ISDIR(stamp[_MODE])
        }
        if not devices:
            return
        import ctypes  # only processes that run many programs need these
        import select

        library = ctypes.CDLL(None)
        with suppress(OSError):
            if not self._descriptors:  # each is stored at once, so that `end` closes it
                mounts = os.open("/proc/self/mounts", os.O_RDONLY | os.O_CLOEXEC)
                self._descriptors.append(mounts)
                self._inotify = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
                self._descriptors.append(self._inotify)
                self._process, self._changes = os.getpid(), select.poll()
                self._changes.register(self._inotify, select.POLLIN)
                # Another file system may be mounted over a folder.
                self._changes.register(mounts, select.POLLPRI)
            buffer = ctypes.create_string_buffer(_STATFS_BYTES)
            for place in sorted(devices):  # a folder comes before its entries
                self._add(library, buffer, place, devices[place])

    def _add(
        self, library: ctypes.CDLL, buffer: ctypes.Array[ctypes.c_char], place: str, device: int
    ) -> None:
        """Watch a folder, if its parent folder is watched and its file system is local.

        Args:
            library: The C library.
            buffer: Memory for the result of `statfs`.
            place: The folder.
            device: The device in the folder's stamp.
        """
        outer = place.rpartition("/")[0] or "/"
        if len(self.stamps) >= _MOST_WATCHED or (place != "/" and outer not in self.stamps):
            return
        name = os.fsencode(place)
        if device not in self._devices:
            is_known = library.statfs(name, buffer) == 0
            self._devices[device] = (
                is_known and int.from_bytes(buffer.raw[:8], sys.byteorder) in _LOCAL_FILE_SYSTEMS
            )
        if self._devices[device] and library.inotify_add_watch(self._inotify, name, _WATCHED_EVENTS) >= 0:
            current = _get_stamp(place)  # read again, since the watch has begun
            if current is not None:
                self.stamps[place] = current


class Dependencies:
    """The places on which an answer depends, with what they were when it was computed.

    The answer is valid as long as `are_current` is True.

    Attributes:
        identities: The stamp of each place whose existence or kind matters.
        stamps: The stamp of each place whose content matters.
        parts: The dependencies of the other answers that this answer uses.
        is_provable: False if a change of the files might not be noticed.
        run: The last run in which all places were unchanged.
    """

    __slots__ = ("_period", "_proof_limit", "_proofs", "identities", "is_provable", "parts", "run", "stamps")

    def __init__(self) -> None:
        self.identities: dict[str, Stamp | None] = {}
        self.stamps: dict[str, Stamp | None] = {}
        self.parts: set[Dependencies] = set()
        self.is_provable = True
        self.run = _run
        # The time, in nanoseconds, after which a folder may have changed between the examinations of two entries.
        self._proof_limit = 0 if _run is None else _run.begun - _YOUNG_NANOSECONDS
        # Of folders, and of files; see `_collect_proofs`.
        self._proofs: tuple[dict[str, Stamp | None], dict[str, Stamp]] | None = None
        # The period of `_watch` in which all folders are unchanged; None unless all are watched.
        self._period: object = None

    def add(self, others: Dependencies) -> None:
        """Add the places on which another answer depends, by a reference that all answers share.

        Instead of one without places of its own, its parts are added.
        """
        self.parts |= {others} if others.identities or others.stamps else others.parts
        self.is_provable &= others.is_provable

    def include(self, others: Dependencies) -> None:
        """Copy all places of others, instead of a reference to them; `run` stays the same.

        Only for dependencies that `are_parts_current` tests: `are_current` collects the proofs once.
        """
        self.parts |= others.parts
        self.identities |= others.identities
        self.stamps |= others.stamps
        self.is_provable &= others.is_provable

    def are_parts_current(self) -> bool:
        """Return the same as `are_current`, but test each part on its own.

        This is faster for dependencies to which parts are added all the time, if other answers use these parts, too.
        """
        if (
            self.run is not _run
            and self.is_provable
            and all(part.are_current() for part in self.parts)
            and all(_is_same(stamp, _examine(place)) for place, stamp in self.identities.items())
            and all(_examine(place) == stamp for place, stamp in self.stamps.items())
        ):
            self.run = _run
        return _run is not None and self.run is _run

    def are_current(self) -> bool:
        """Return True if the places are unchanged; each is examined once in a run.

        It is enough to examine the folders that contain the places, and the files whose content matters. The folders
        need no examination in a period of the watch in which they were unchanged before.
        """
        if _run is not None and self.run is _run:
            return True
        if _run is None or not self.is_provable:
            return False
        folders, contents = self._proofs or self._collect_proofs()
        if not self._are_entries_unchanged(folders, _run.stamps) or any(
            _examine(place) != proof for place, proof in contents.items()
        ):
            return False
        self.run = _run
        return True

    def _are_entries_unchanged(
        self, folders: dict[str, Stamp | None], examined: dict[str, Stamp | None]
    ) -> bool:
        """Return True if the entries on which the answer depends are the same in all folders.

        Args:
            folders: The folders with their proofs, see `_collect_proofs`.
            examined: The stamps of the places that the run has examined.
        """
        if self._period is _watch.period:
            return True
        for folder, proof in folders.items():
            stamp = examined[folder] if folder in examined else _examine(folder)
            if stamp != proof and not self._has_same_entries(folder, stamp):
                return False
        self._period = _watch.period if _watch.stamps.keys() >= folders.keys() else None
        return True

    def _collect_proofs(self) -> tuple[dict[str, Stamp | None], dict[str, Stamp]]:
        """Return the stamps, of folders and of files, that prove an answer if they are unchanged.

        A folder has None instead of a stamp if it may have changed during the run that computed the answer: its entries
        are compared then.
        """
        folders: dict[str, Stamp | None] = {}
        contents: dict[str, Stamp] = {}
        for part in self._iterate_parts():
            for place in part.identities:
                folder = place.rpartition("/")[0] or "/"
                stamp = part.identities.get(folder)
                # a folder that does not exist has no entries; it is an entry of its parent
                if folder not in folders and (stamp is not None or folder not in part.identities):
                    is_proof = stamp is not None and max(stamp[_TIMES]) < part._proof_limit
                    folders[folder] = stamp if is_proof else None
            contents |= {place: stamp for place, stamp in part.stamps.items() if stamp is not None}
        folders |= {place: stamp for place, stamp in contents.items() if stat.S_ISDIR(stamp[_MODE])}
        self._proofs = folders, {place: contents[place] for place in contents.keys() - folders.keys()}
        return self._proofs

    def _iterate_parts(self) -> Iterator[Dependencies]:
        """Yield all dependencies, these and those of the answers that are used, each once."""
        seen, pending = {self}, [self]
        while pending:
            dependencies = pending.pop()
            yield dependencies
            pending += dependencies.parts - seen
            seen |= dependencies.parts

    def _has_same_entries(self, folder: str, current: Stamp | None) -> bool:
        """Return True if the entries of a folder on which the answer depends are the same.

        If so, the stamp of the folder is the proof from now on, unless it is too recent.

        Args:
            folder: The folder, whose stamp differs or is no proof.
            current: The stamp that the folder has now.
        """
        if current is None:
            return False
        for part in self._iterate_parts():
            if folder in part.stamps or not _is_same(part.identities.get(folder, current), current):
                return False
            for place, former in part.identities.items():
                if place.rpartition("/")[0] == folder.rstrip("/") and not _is_same(former, _examine(place)):
                    return False
        assert self._proofs is not None
        self._proofs[0][folder] = None if is_young(current) else current
        return True


def _is_same(former: Stamp | None, current: Stamp | None) -> bool:
    """Return True for the stamps of the same file, folder or link, whatever its content."""
    if former is None or current is None or former == current:
        return former == current
    # changing a link replaces it, and the new link may have the same inode number
    return former[_IDENTITY] == current[_IDENTITY] and not stat.S_ISLNK(current[_MODE])


class _Answer(Record):
    """The cached answer to a query, with the places on which it depends."""

    value: Any
    dependencies: Dependencies


_run: _Run | None = None
_watch = _FolderWatch()
_recording: Dependencies | None = None  # the dependencies of the innermost answer that is being computed
_answers: MemoTable[Hashable, _Answer] = MemoTable("answers about files", _MOST_PLACES)
_T = TypeVar("_T")


def begin_run() -> None:
    """Start a run: each place is examined once from now on."""
    global _run
    _run = _Run()
    _watch.begin_run()


def end_run() -> None:
    """End the run: from now on places may change, and its folders may be watched."""
    global _run
    if _run is not None:
        _watch.add(_run.stamps)
    _run = None


def get_run() -> object | None:
    """Return the run, in which answers about files stay the same.

    None outside of runs, and while it is recorded which places are examined.
    """
    return _run if _recording is None else None


def invalidate() -> None:
    """Examine all places again, since another program may have changed files in this run."""
    if _run is not None:
        begin_run()


# --- answers and their dependencies


@contextmanager
def record_dependencies(*, is_part: bool = True) -> Iterator[Dependencies]:
    """Record the places that the body of a `with` statement examines.

    Args:
        is_part: True if the answer that is being computed depends on these places, too.
    """
    global _recording
    outer, dependencies = _recording, Dependencies()
    _recording = dependencies
    try:
        yield dependencies
    finally:
        _recording = outer
        if is_part:
            depend_on(dependencies)


def depend_on(dependencies: Dependencies) -> None:
    """Record that the answer which is being computed uses another one."""
    if _recording is not None:
        _recording.add(dependencies)


def memoize_query(query: Hashable, compute: Callable[[], _T]) -> _T:
    """Return the answer to a query, computed again when a file on which it depends changes.

    Args:
        query: The query, and everything else that determines the answer.
        compute: Computes the answer.
    """
    if _run is None:
        begin_run()
        try:
            return memoize_query(query, compute)
        finally:
            end_run()
    answer = _answers.get(query)
    if answer is not None and (answer.dependencies.run is _run or answer.dependencies.are_current()):
        depend_on(answer.dependencies)
        return answer.value  # type: ignore[no-any-return]
    with record_dependencies() as dependencies:
        value = compute()
    if dependencies.run is _run:  # else files may have changed meanwhile, see `invalidate`
        _answers[query] = _Answer(value, dependencies)
    return value


def clear() -> None:
    """Forget all answers."""
    _answers.clear()
    invalidate()


def count_answers() -> tuple[int, int]:
    """Return the number of answers and the most there can be."""
    return len(_answers), _MOST_PLACES


# --- places


def resolve(path: str) -> str:
    """Return a path with its links resolved, like `os.path.realpath`."""
    if _run is None:
        return os.path.realpath(path)
    if path in _watch.stamps and _recording is None:
        return path
    resolution = _run.resolved.get(path)
    if resolution is None:
        if len(_run.resolved) > _MOST_PLACES:
            begin_run()
        with record_dependencies(is_part=False) as examined:
            resolution = _run.resolved[path] = _resolve(path, _MOST_LINKS), examined
    place, dependencies = resolution
    if _recording is not None:
        _recording.identities.update(dependencies.identities)
        _recording.is_provable &= dependencies.is_provable
    return place


def _resolve(path: str, links: int) -> str:
    """Return a path with its links resolved.

    Args:
        path: The path.
        links: The number of links that may still be followed.
    """
    folder, name = split(path)
    if name in ("", ".", "..") or not folder.startswith("/") or path.count("/") > _MOST_FOLDERS:
        return _resolve_unrecorded(path)
    folder = resolve(folder) if links == _MOST_LINKS else _resolve(folder, links)
    place = f"{folder.rstrip('/')}/{name}"
    stamp = _record_identity(place)
    if stamp is None or not stat.S_ISLNK(stamp[_MODE]):
        return place
    target = _read_link(folder, place) if links else None
    return _resolve_unrecorded(path) if target is None else _resolve(target, links - 1)


def _read_link(folder: str, place: str) -> str | None:
    """Return the path to which a link at a place leads; None if only the system can find it."""
    try:
        names = os.readlink(place).split("/")
    except OSError:
        return None
    if names[0] == "":
        folder = "/"
    while names and names[0] in ("", ".", ".."):
        if names.pop(0) == "..":
            folder = split(folder)[0]
    if not names or not names[-1] or ".." in names:  # a folder before `..` may itself be a link
        return None
    return f"{folder.rstrip('/')}/{'/'.join(names)}"


def _resolve_unrecorded(path: str) -> str:
    """Return a path with its links resolved by the system, so that the places are not known."""
    if _recording is not None and path != "/":
        _recording.is_provable = False
    return os.path.realpath(path)


def get_working_folder() -> str | None:
    """Return the working folder; None when it has been removed."""
    if _run is None:
        return _find_working_folder()
    if not _run.working_folder:
        _run.working_folder.append(_find_working_folder())
    return _run.working_folder[0]


def _find_working_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def get_mode(path: str) -> int:
    """Return the mode of the file to which a path leads; 0 when there is none."""
    stamp = _record_identity(resolve(path))
    return 0 if stamp is None else stamp[_MODE]


def is_link(path: str) -> bool:
    """Return True when a path, the links in its folder resolved, is that of a link."""
    folder, name = split(path)
    stamp = _record_identity(f"{resolve(folder).rstrip('/')}/{name}")
    return stamp is not None and stat.S_ISLNK(stamp[_MODE])


def list_entries(path: str) -> list[tuple[str, int]]:
    """Return the names in a folder in order, each with its kind, as in `st_mode`."""
    get_stamp(path)  # the stamp covers the kinds of the entries, except those of the targets of links
    names = []
    try:
        with os.scandir(resolve(path)) as entries:
            for entry in entries:
                is_file = entry.is_file(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                kind = stat.S_IFREG if is_file else stat.S_IFDIR if is_folder else 0
                names.append((entry.name, stat.S_IFLNK if entry.is_symlink() else kind))
    except OSError:
        return []
    return sorted(names)


def get_stamp(path: str) -> Stamp | None:
    """Return values that change when the content at the end of a path changes.

    Returns:
        A tuple that begins with the times of modification and status change in nanoseconds; None if nothing exists
        there.
    """
    place = resolve(path)
    stamp = _examine(place)
    if _recording is not None:
        _recording.stamps[place] = stamp
        if stamp is not None and is_young(stamp):
            _recording.is_provable = False
    return stamp


def is_young(stamp: Stamp) -> bool:
    """Return True for a stamp so recent that it does not prove anything."""
    return time.time_ns() - max(stamp[_TIMES]) < _YOUNG_NANOSECONDS


def _record_identity(place: str) -> Stamp | None:
    """Return the stamp of a place, and record that it matters what is there."""
    stamp = _examine(place)
    if _recording is not None:
        _recording.identities[place] = stamp
    return stamp


def _examine(place: str) -> Stamp | None:
    """Return the stamp of a place as it is during the run; None when there is none."""
    run = _run
    if run is None:
        return _get_stamp(place)
    if place in run.stamps:
        return run.stamps[place]
    stamp: Stamp | None = _watch.stamps.get(place)
    # Nothing exists in a folder that does not exist, whose stamp is None; () is for a folder that was not examined.
    if stamp is None and run.stamps.get(place.rpartition("/")[0], ()) is not None:
        stamp = _get_stamp(place)
    if len(run.stamps) > _MOST_PLACES:
        run.stamps.clear()
    run.stamps[place] = stamp
    return stamp


def _get_stamp(place: str) -> Stamp | None:
    """Return the stamp of a file or link, without following it; None when there is none."""
    try:
        status = os.lstat(place)
    except (OSError, ValueError):
        return None
    return (
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_size,
        status.st_ino,
        status.st_dev,
        status.st_mode,
    )
