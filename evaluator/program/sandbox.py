"""The gate: every path that a program, a command, data or a name leads to is decided, looked at and opened here.

A session may reach its roots: the folders of its module path, the working folder, the directory of its environment
and the folder of its `hiera.yaml`.
Links and `..` are resolved before anything is asked of a file; what then lies outside the roots is refused in one
way, whether something is there or not. A module may itself be a link to where it is installed, but what a name finds
in a module lies in that module: a link that leads out of it is as good as none.

Names become paths only when they are names: `is_name` tells.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from evaluator.issues import Failure, error
from evaluator.limits import STRING
from evaluator.program import effects, stat_cache
from evaluator.program.settings import PERMISSIONS
from lexer_parser.lazy import LazyPattern
from lexer_parser.source import Source, Span

if TYPE_CHECKING:
    from evaluator.program.scope import Scope
    from evaluator.program.settings import Settings

FILE, FOLDER, OTHER = "file", "folder", "other"
LONGEST = 4096  # bytes in a path: no system takes more, and to resolve a path costs the square of its length
_SEGMENT = "[a-z_][a-z0-9_]*+"
_NAME = LazyPattern(f"{_SEGMENT}(?:::{_SEGMENT})*+")
_MODULE = LazyPattern(_SEGMENT)


def is_name(text: str) -> bool:
    """True for what can name a class, define, function or type, without `::` before it."""
    return _NAME.fullmatch(text) is not None


# --- what may be reached


def is_path(text: str) -> bool:
    """False for what the system takes for no path at all."""
    try:
        return "\0" not in text and len(os.fsencode(text)) <= LONGEST
    except UnicodeEncodeError:
        return False


def _is_below(real: str, folder: str) -> bool:
    return real == folder or real.startswith(folder.rstrip("/") + "/")


def _list_roots(settings: Settings, path: str) -> Iterator[str]:
    """The folders, links resolved, below which a path may lead; that of a module when it is written below it."""
    for root in settings.modulepath:
        yield stat_cache.resolve(root)
        prefix = os.path.join(root, "")
        module = path[len(prefix) :].partition("/")[0] if path.startswith(prefix) else ""
        if _MODULE.fullmatch(module):
            yield stat_cache.resolve(prefix + module)
    with suppress(OSError):  # the working folder may be gone
        yield os.getcwd()
    if settings.directory is not None:
        yield stat_cache.resolve(settings.directory.folder)
    if settings.hiera_config is not None:
        yield stat_cache.resolve(os.path.dirname(settings.hiera_config))
        yield os.path.dirname(stat_cache.resolve(settings.hiera_config))


def is_inside(settings: Settings, path: str) -> bool:
    """True when a path leads, links resolved, to a place below the roots. Nothing is asked of what is there."""
    directory = settings.directory
    folder = None if directory is None else directory.folder
    question = "inside", path, settings.modulepath, folder, settings.hiera_config
    return stat_cache.memoize_query(question, lambda: _inside(settings, path))


def _inside(settings: Settings, path: str) -> bool:
    if not is_path(path):
        return False
    real = stat_cache.resolve(path)
    return any(_is_below(real, stat_cache.resolve(root)) for root in _list_roots(settings, path))


def is_readable(settings: Settings, path: str) -> bool:
    """True for a path that programs may read: it leads inside, or the session permits all."""
    return "files" in settings.permissions or is_inside(settings, path)


def require_readable(settings: Settings, path: str) -> None:
    """Raises PuppetError for a path that programs may not read, whether something is there or not."""
    if not is_readable(settings, path):
        raise error("PATH_NOT_PERMITTED", path=path)


class OutsideRoots(Failure):
    """A path leads outside the roots, and the session does not permit that."""

    def __init__(self, function: str) -> None:
        super().__init__("NOT_PERMITTED", function=function, reason=PERMISSIONS["files"], permission="files")


def require_permission(scope: Scope, permission: str, name: str) -> None:
    """Raises Failure unless the session has the permission, one of PERMISSIONS."""
    if permission not in scope.runtime.settings.permissions:
        raise Failure("NOT_PERMITTED", function=name, reason=PERMISSIONS[permission], permission=permission)
    scope.runtime.used_permission = True
    effects.record()


def require_inside(scope: Scope, function: str, path: str) -> None:
    """Raises Outside for a path that leads there, unless the session permits that."""
    effects.record()
    if not is_inside(scope.runtime.settings, path):
        _require_files_permission(scope, function)


def _require_files_permission(scope: Scope, function: str) -> None:
    """Raises Outside unless the session permits to read what is there."""
    if "files" not in scope.runtime.settings.permissions:
        raise OutsideRoots(function)
    scope.runtime.used_permission = True


# --- what is there: asked only of paths that may be reached


def _get_status(path: str) -> os.stat_result | None:
    return stat_cache.get_status(path) if is_path(path) else None


def get_kind(path: str) -> str:
    """FILE, FOLDER or OTHER, "" when nothing is there."""
    status = _get_status(path)
    if status is None:
        return ""
    return FILE if stat.S_ISREG(status.st_mode) else FOLDER if stat.S_ISDIR(status.st_mode) else OTHER


def is_file(scope: Scope, function: str, path: str) -> bool:
    """True when there is a regular file. Raises Failure for a path that leads outside."""
    require_inside(scope, function, path)
    return get_kind(path) == FILE


def get_stamp(settings: Settings, path: str) -> tuple[int, ...] | None:
    """What changes when a file changes, with two times at its beginning; None for one that is missing or outside."""
    if not is_readable(settings, path):
        return None
    return get_module_stamp(path)


def get_module_stamp(path: str) -> tuple[int, ...] | None:
    """As `get_stamp`, of a file that a module holds."""
    status = _get_status(path)
    if status is None:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev


def is_link(path: str) -> bool:
    """True when what is there leads elsewhere."""
    return os.path.islink(path)


def list_folder(folder: str) -> list[str]:
    """The names in a folder, in order; none when it cannot be read."""
    try:
        return sorted(os.listdir(stat_cache.resolve(folder)))
    except OSError:
        return []


# --- modules


def list_modules(root: str) -> list[str]:
    """The names of the modules in a folder of the module path."""
    return [name for name in list_folder(root) if _MODULE.fullmatch(name)]


def find_in_module(
    modulepath: tuple[str, ...], module: str, *parts: str, kind: str = FILE, permitted: bool = False
) -> str | None:
    """The path of what a module holds, or of the module itself: the first on the module path hides others of its name.

    kind       what it must be, "" for anything;  permitted  it may be a link that leads out of the module
    None for what is missing, leads out of the module, or begins with no name of a module.
    """
    question = modulepath, module, parts, kind, permitted
    return stat_cache.memoize_query(question, lambda: _in_module(*question))


def _in_module(
    modulepath: tuple[str, ...], module: str, parts: tuple[str, ...], kind: str, permitted: bool
) -> str | None:
    rest = "/".join(parts)
    if ".." in rest.split("/") or any(part.startswith("/") for part in parts):
        return None
    folder = stat_cache.memoize_query((modulepath, module), lambda: _find_folder(modulepath, module))
    if folder is None:
        return None
    path = f"{folder}/{rest}" if parts else folder
    there = get_kind(path)
    return path if there and there == (kind or there) and _is_within(path, folder, permitted) else None


def _find_folder(modulepath: tuple[str, ...], module: str) -> str | None:
    """The first folder on the module path of that name, None without one."""
    if not _MODULE.fullmatch(module):
        return None
    folders = (os.path.join(root, module) for root in modulepath)
    return next((folder for folder in folders if get_kind(folder) == FOLDER), None)


def _is_within(path: str, folder: str, permitted: bool) -> bool:
    return is_path(path) and (permitted or _is_below(stat_cache.resolve(path), stat_cache.resolve(folder)))


def walk_module(root: str, module: str, folder: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The regular files in a folder of a module, not in linked ones: the names that lead there, and the path."""
    top = os.path.join(root, module)
    pending: list[tuple[str, ...]] = [()]
    while pending:
        names = pending.pop(0)
        place = os.path.join(top, folder, *names)
        if not _is_within(place, top, permitted=False):
            continue
        for entry in list_folder(place):
            path = os.path.join(place, entry)
            if not _is_within(path, top, permitted=False):
                continue
            kind = get_kind(path)
            if kind == FILE:
                yield (*names, entry), path
            elif kind == FOLDER and not os.path.islink(path):
                pending.append((*names, entry))


def list_manifests(settings: Settings, path: str) -> list[str]:
    """The `.pp` files below a folder, in order, or the file that is named; none when there is nothing.

    What is hidden and folders that are links are passed over. Raises PuppetError for what leads outside.
    """
    require_readable(settings, path)
    if get_kind(path) != FOLDER:
        return [path] if get_kind(path) else []
    found, pending = [], [path]
    while pending:
        folder = pending.pop()
        for entry in list_folder(folder):
            place = os.path.join(folder, entry)
            is_link = os.path.islink(place)
            if entry.startswith(".") or (is_link and not entry.endswith(".pp")):
                continue
            require_readable(settings, place)
            if get_kind(place) != FOLDER:
                found += [place] if entry.endswith(".pp") else []
            elif not is_link:
                pending.append(place)
    return sorted(found)


# --- what functions name


def find_module_file(scope: Scope, path: str, folder: str) -> str | None:
    """What `module/file` names in a folder (`files`, `templates`) of a module, if it is there."""
    effects.record()
    settings = scope.runtime.settings
    module, slash, rest = path.partition("/")
    if not slash:
        return None
    permitted = "files" in settings.permissions
    found = find_in_module(settings.modulepath, module, folder, rest, kind="", permitted=permitted)
    if found is not None and not is_inside(settings, found):
        _require_files_permission(scope, "file")
    return found


def locate(scope: Scope, function: str, path: str, folder: str) -> str | None:
    """What a path names, absolute or `module/file`; None when it is not there.

    Raises Failure for a path that leads outside the folders that may be read.
    """
    if not os.path.isabs(path):
        return find_module_file(scope, path, folder)
    effects.record()
    if not is_path(path):
        return None
    if ".." in path.split("/"):
        _require_files_permission(scope, function)
    require_inside(scope, function, path)
    return path if get_kind(path) else None


# --- reading


def read_bytes(scope: Scope, function: str, path: str) -> bytes:
    """The bytes of a regular file that may be read. Raises Failure."""
    require_inside(scope, function, path)
    return _read_content(function, path)


def _read_content(function: str, path: str) -> bytes:
    """The bytes of a regular file; a pipe or device, or a link put there meanwhile, is not waited for."""
    try:
        with open_file(stat_cache.resolve(path)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Failure("NOT_A_REGULAR_FILE", function=function, path=path)
            STRING.check(status.st_size)
            content = file.read(STRING.value + 1)
            STRING.check(len(content))
            return content
    except IsADirectoryError:
        raise Failure("NOT_A_REGULAR_FILE", function=function, path=path) from None
    except OSError as cause:
        if get_kind(path) == OTHER and cause.errno != errno.ELOOP:  # a socket cannot be opened at all
            raise Failure("NOT_A_REGULAR_FILE", function=function, path=path) from None
        raise Failure("FILE_NOT_READ", function=function, path=path, reason=cause.strerror) from None


def read_named(path: str) -> bytes | None:
    """The bytes of a file that somebody names who may read it; None when there is nothing. Raises Failure."""
    return _read_content("file", path) if get_kind(path) else None


def read_text(scope: Scope, function: str, path: str) -> str:
    """The text of a file that may be read. Raises Failure, and PuppetError for bytes that are no UTF-8."""
    return decode(read_bytes(scope, function, path), path)


def read_source(settings: Settings, path: str) -> str:
    """The text of a file that a name or a command leads to. Raises Failure and PuppetError."""
    if not is_readable(settings, path):
        raise OutsideRoots("file")
    return decode(_read_content("file", path), path)


def read_head(path: str, length: int) -> bytes:
    """How a file begins that a module holds; nothing when it cannot be read."""
    try:
        return _read_content("file", path)[:length]
    except Failure:
        return b""


def decode(content: bytes, path: str) -> str:
    """The text of a file. Raises PuppetError, placed at the first byte that is no UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        text = content.decode("utf-8", "replace")
        place = len(content[: problem.start].decode("utf-8"))
        byte = f"0x{content[problem.start]:02X}"
        span = Span(Source(text, path), place, place + 1)
        raise error("INVALID_UTF_8", span, byte=byte) from None


# --- writing


def save(path: str, make: Callable[[], str | bytes]) -> bool:
    """Writes what `make` gives to a regular file below the working folder; false for a path that leads elsewhere.

    Raises OSError.
    """
    if not is_path(path):
        return False
    folder, place = os.getcwd(), stat_cache.resolve(path)
    if place == folder or not _is_below(place, folder):
        return False
    if get_kind(place) not in ("", FILE):
        raise OSError(0, "it is no regular file")
    made = make()
    content = made.encode("utf-8") if isinstance(made, str) else made
    replace_file(place, content)
    return True


# --- opening files without following links


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
