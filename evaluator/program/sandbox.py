"""The sandbox: it resolves, checks and opens every path that code, commands or data name.

A session may reach its roots: the folders of its module path, the working folder, the directory of its environment
and the folder of its `hiera.yaml`.

Links and `..` are resolved before a file is examined; the result is a *place*, see `stat_cache`. A path whose place is
outside the roots is refused in the same way, whether the file exists or not. A module may itself be a link to the
folder where it is installed, but a name finds only files inside the module: a link that leads out of it is ignored.

Names become paths only when `is_name` accepts them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from evaluator.issues import Failure, make_error, refuse_if, require
from evaluator.limits import STRING
from evaluator.program import effects, stat_cache
from evaluator.program.definitions import Scope
from evaluator.program.settings import PERMISSIONS, Settings
from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import MemoTable
from lexer_parser.source import Source, Span

FILE, FOLDER, OTHER = "file", "folder", "other"
_MOST_PATH_BYTES = 4096  # no system accepts more, and resolving a path takes quadratic time
_SEGMENT = "[a-z_][a-z0-9_]*+"
_NAME = LazyPattern(f"{_SEGMENT}(?:::{_SEGMENT})*+")
_MODULE_NAME = LazyPattern(_SEGMENT)


def is_name(text: str) -> bool:
    """Return True for a name of a class, define, function or type, without `::` before it."""
    return _NAME.fullmatch(text) is not None


# --- the roots and permissions


def is_path(text: str) -> bool:
    """Return False for a string that the system does not accept as a path."""
    try:
        return "\0" not in text and len(os.fsencode(text)) <= _MOST_PATH_BYTES
    except UnicodeEncodeError:
        return False


def _is_below(place: str, folder: str) -> bool:
    """Return True if a place is a folder itself or below it; both without links."""
    return place == folder or place.startswith(folder.rstrip("/") + "/")


def _list_roots(settings: Settings, path: str) -> Iterator[str]:
    """Yield the folders, links resolved, below which a path may lead.

    When the path is written below a module of the module path, the folder of that module is one of them.
    """
    for root in settings.modulepath:
        yield stat_cache.resolve(root)
        prefix = os.path.join(root, "")
        module = path[len(prefix) :].partition("/")[0] if path.startswith(prefix) else ""
        if _MODULE_NAME.fullmatch(module):
            yield stat_cache.resolve(prefix + module)
    working_folder = stat_cache.get_working_folder()
    if working_folder is not None:
        yield working_folder
    if settings.directory is not None:
        yield stat_cache.resolve(settings.directory.folder)
    if settings.hiera_config is not None:
        yield stat_cache.resolve(os.path.dirname(settings.hiera_config))
        yield os.path.dirname(stat_cache.resolve(settings.hiera_config))


def is_inside(settings: Settings, path: str) -> bool:
    """Return True when a path, links resolved, is below the roots. The file is not examined."""
    directory = settings.directory
    folder = None if directory is None else directory.folder
    query = (
        "inside",
        path,
        settings.modulepath,
        folder,
        settings.hiera_config,
        stat_cache.get_working_folder(),
    )
    return stat_cache.memoize_query(query, lambda: _find_inside(settings, path))


def _find_inside(settings: Settings, path: str) -> bool:
    if not is_path(path):
        return False
    place = stat_cache.resolve(path)
    return any(_is_below(place, stat_cache.resolve(root)) for root in _list_roots(settings, path))


def is_readable(settings: Settings, path: str) -> bool:
    """Return True for a path that programs may read: inside the roots, or with permission."""
    return "files" in settings.permissions or is_inside(settings, path)


def require_readable(settings: Settings, path: str) -> None:
    """Raise PuppetError for a path that programs may not read, whether the file exists or not."""
    refuse_if(not is_readable(settings, path), "PATH_NOT_PERMITTED", path=path)


class OutsideRoots(Failure):
    """The failure for a path that leads outside the roots when the session forbids that."""

    def __init__(self, function: str) -> None:
        super().__init__("NOT_PERMITTED", function=function, reason=PERMISSIONS["files"], permission="files")


def require_permission(scope: Scope, permission: str, name: str) -> None:
    """Raise Failure unless the session has the permission, one of PERMISSIONS."""
    if permission not in scope.runtime.settings.permissions:
        raise Failure("NOT_PERMITTED", function=name, reason=PERMISSIONS[permission], permission=permission)
    scope.runtime.used_permission = True
    effects.depend_on_files()


def require_inside(scope: Scope, function: str, path: str) -> None:
    """Raise OutsideRoots for a path outside the roots, unless the session permits that."""
    effects.depend_on_files()
    if not is_inside(scope.runtime.settings, path):
        _require_files_permission(scope, function)


def _require_files_permission(scope: Scope, function: str) -> None:
    """Raise OutsideRoots unless the session permits reading files outside the roots."""
    if "files" not in scope.runtime.settings.permissions:
        raise OutsideRoots(function)
    scope.runtime.used_permission = True


# --- the status of files, for paths that were checked before


def get_kind(path: str) -> str:
    """Return FILE, FOLDER or OTHER; "" when nothing exists at the path."""
    mode = stat_cache.get_mode(path) if is_path(path) else 0
    if not mode:
        return ""
    return FILE if stat.S_ISREG(mode) else FOLDER if stat.S_ISDIR(mode) else OTHER


def is_file(scope: Scope, function: str, path: str, *, or_folder: bool = False) -> bool:
    """Return True when a regular file exists at the path, or with `or_folder` a folder.

    Raises:
        Failure: The path leads outside the roots.
    """
    require_inside(scope, function, path)
    return get_kind(path) in ((FILE, FOLDER) if or_folder else (FILE,))


def get_stamp(settings: Settings, path: str) -> tuple[int, ...] | None:
    """Return values that change when a file changes.

    Returns:
        A tuple that begins with the times of modification and status change in nanoseconds; None for a file that does
        not exist or is outside the roots.
    """
    return get_module_stamp(path) if is_readable(settings, path) else None


def get_module_stamp(path: str) -> tuple[int, ...] | None:
    """Return the same as `get_stamp` for a file inside a module."""
    return stat_cache.get_stamp(path) if is_path(path) else None


def list_folder(folder: str) -> list[str]:
    """Return the names in a folder, in order; an empty list when it cannot be read."""
    return [name for name, _ in stat_cache.list_entries(folder)]


# --- modules


def list_modules(root: str) -> list[str]:
    """Return the names of the modules in a folder of the module path."""
    return [name for name in list_folder(root) if _MODULE_NAME.fullmatch(name)]


def find_in_module(
    modulepath: tuple[str, ...], module: str, *parts: str, kind: str = FILE, may_lead_out: bool = False
) -> str | None:
    """Return the path of a file in a module, or of the module itself.

    The first module on the module path hides others of its name.

    Args:
        modulepath: The folders of modules.
        module: The name of the module.
        *parts: The path inside the module; none for the module itself.
        kind: The kind that the file must have; "" for any.
        may_lead_out: True if the file may be a link that leads out of the module.

    Returns:
        None for a file that does not exist or is outside the module, and for an invalid module name.
    """
    query = modulepath, module, parts, kind, may_lead_out
    return stat_cache.memoize_query(query, lambda: _find_in_module(*query))


def _find_in_module(
    modulepath: tuple[str, ...], module: str, parts: tuple[str, ...], kind: str, may_lead_out: bool
) -> str | None:
    folder = stat_cache.memoize_query((modulepath, module), lambda: _find_module_folder(modulepath, module))
    if folder is None:
        return None
    path = "/".join((folder, *parts))
    if not _is_below(os.path.normpath(path), os.path.normpath(folder)):  # it is not examined
        return None
    above, dots, _ = path.rpartition("/../")
    if dots and get_kind(above) != FOLDER:  # the system resolves `a/../b` only if `a` is a folder
        return None
    actual_kind = get_kind(path)
    has_kind = actual_kind != "" and kind in ("", actual_kind)
    return path if has_kind and (may_lead_out or _is_really_below(path, folder)) else None


def _find_module_folder(modulepath: tuple[str, ...], module: str) -> str | None:
    """Return the first folder of that name on the module path; None without one."""
    if not _MODULE_NAME.fullmatch(module):
        return None
    folders = (os.path.join(root, module) for root in modulepath)
    return next((folder for folder in folders if get_kind(folder) == FOLDER), None)


def _is_really_below(path: str, folder: str) -> bool:
    """Return True for a path that, links resolved, is below a folder."""
    return is_path(path) and _is_below(stat_cache.resolve(path), stat_cache.resolve(folder))


def walk_module(root: str, module: str, folder: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the regular files in a folder of a module, without those in linked folders.

    Yields:
        The names of the folders and the file below `folder`, and the path.
    """
    module_folder = os.path.join(root, module)
    pending: list[tuple[str, ...]] = [()]
    while pending:
        names = pending.pop(0)
        inner_folder = os.path.join(module_folder, folder, *names)
        if not _is_really_below(inner_folder, module_folder):
            continue
        for entry, kind in stat_cache.list_entries(inner_folder):
            path = os.path.join(inner_folder, entry)
            if kind == stat.S_IFREG or (
                kind == stat.S_IFLNK and _is_really_below(path, module_folder) and get_kind(path) == FILE
            ):
                yield (*names, entry), path
            elif kind == stat.S_IFDIR:
                pending.append((*names, entry))


def list_manifests(settings: Settings, path: str) -> list[str]:
    """Return the `.pp` files below a folder, in order, or the file that `path` names.

    Hidden files and folders that are links are skipped. The list is empty when nothing exists at the path.

    Raises:
        PuppetError: A path leads outside the roots.
    """
    require_readable(settings, path)
    if get_kind(path) != FOLDER:
        return [path] if get_kind(path) else []
    manifests, pending = [], [path]
    while pending:
        folder = pending.pop()
        for entry in list_folder(folder):
            inner = os.path.join(folder, entry)
            is_manifest, is_linked = entry.endswith(".pp"), stat_cache.is_link(inner)
            if entry.startswith(".") or (is_linked and not is_manifest):
                continue
            require_readable(settings, inner)
            if get_kind(inner) != FOLDER:
                manifests += [inner] if is_manifest else []
            elif not is_linked:
                pending.append(inner)
    return sorted(manifests)


# --- the files that functions name


def find_module_file(scope: Scope, path: str, folder: str) -> str | None:
    """Return the path of `module/file` in a module's folder (`files`, `templates`), or None."""
    effects.depend_on_files()
    settings = scope.runtime.settings
    module, slash, rest = path.partition("/")
    if not slash or not scope.runtime.names.loader.is_usable(module):
        return None
    found_path = find_in_module(
        settings.modulepath,
        module,
        folder,
        rest.removeprefix("/"),
        kind="",
        may_lead_out="files" in settings.permissions,
    )
    if found_path is not None and not is_inside(settings, found_path):
        _require_files_permission(scope, "file")
    return found_path


def locate(scope: Scope, function: str, path: str, folder: str) -> str | None:
    """Return the path of an existing file from an absolute path or `module/file`, or None.

    Args:
        scope: The scope of the call.
        function: The name of the calling function, for messages.
        path: The absolute path, or `module/file`.
        folder: The folder of the module that contains the file: `files` or `templates`.

    Raises:
        Failure: The path leads outside the folders that may be read.
    """
    if not os.path.isabs(path):
        return find_module_file(scope, path, folder)
    effects.depend_on_files()
    if not is_path(path):
        return None
    if ".." in path.split("/"):
        _require_files_permission(scope, function)
    require_inside(scope, function, path)
    return path if get_kind(path) else None


# --- reading

_MOST_TEXT_LENGTH = 20_000  # in characters: longer texts are not stored
# The decoded texts of files by path, with the stamp that proves that a file still has the text.
_texts: MemoTable[str, tuple[stat_cache.Stamp, str]] = MemoTable("texts of files", 1000)


def read_bytes(scope: Scope, function: str, path: str) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        Failure: The file may not be read or cannot be read.
    """
    require_inside(scope, function, path)
    return _read_content(function, path)


def _read_content(function: str, path: str) -> bytes:
    """Return the bytes of a regular file.

    A pipe or device, or a link that was put there meanwhile, does not block the call.

    Raises:
        Failure: The file is not regular or cannot be read.
    """
    stat_cache.get_stamp(path)  # records that values computed from the content depend on the file
    try:
        with open_file(stat_cache.resolve(path)) as file:
            status = os.fstat(file.fileno())
            require(stat.S_ISREG(status.st_mode), "NOT_A_REGULAR_FILE", function=function, path=path)
            STRING.check(status.st_size)
            content = file.read(status.st_size + 1)  # Python reserves as much memory as is requested
            if len(content) > status.st_size:  # it has grown, or the system does not know its size
                content += file.read(STRING.value)
            STRING.check(len(content))
            return content
    except IsADirectoryError:
        raise Failure("IS_A_FOLDER", path=path) from None
    except OSError as cause:
        if get_kind(path) == OTHER and cause.errno != errno.ELOOP:  # a socket cannot be opened at all
            raise Failure("NOT_A_REGULAR_FILE", function=function, path=path) from None
        raise Failure("FILE_NOT_READ", function=function, path=path, reason=cause.strerror) from None


def read_named(path: str) -> bytes | None:
    """Return the bytes of a file named by the user, or None when it does not exist.

    The user may read every file, so the roots are not checked.

    Raises:
        Failure: The file is not regular or cannot be read.
    """
    return _read_content("file", path) if get_kind(path) else None


def read_text(scope: Scope, function: str, path: str) -> str:
    """Return the text of a file.

    Raises:
        Failure: The file may not be read or cannot be read.
        PuppetError: The file is not valid UTF-8.
    """
    require_inside(scope, function, path)
    stamp = stat_cache.get_stamp(path)
    cached = _texts.get(path)
    if cached is not None and cached[0] == stamp:
        return str(cached[1])
    text = decode(_read_content(function, path), path)
    if stamp is not None and not stat_cache.is_young(stamp) and len(text) <= _MOST_TEXT_LENGTH:
        _texts[path] = stamp, text
    return text


def read_source(settings: Settings, path: str) -> str:
    """Return the text of a file that a name or a command leads to.

    Raises:
        Failure: The file may not be read or cannot be read.
        PuppetError: The file is not valid UTF-8.
    """
    if not is_readable(settings, path):
        raise OutsideRoots("file")
    return decode(_read_content("file", path), path)


def read_head(path: str, length: int) -> bytes:
    """Return the first `length` bytes of a file in a module; b"" when it cannot be read."""
    try:
        return _read_content("file", path)[:length]
    except Failure:
        return b""


def decode(content: bytes, path: str) -> str:
    """Return the text of a file.

    Raises:
        PuppetError: The content is not valid UTF-8; the error's span is the first invalid byte.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        text = content.decode("utf-8", "replace")
        offset = len(content[: problem.start].decode("utf-8"))
        byte = f"0x{content[problem.start]:02X}"
        span = Span(Source(text, path), offset, offset + 1)
        raise make_error("INVALID_UTF_8", span, byte=byte) from None


# --- writing


def save(path: str, make: Callable[[], str | bytes]) -> bool:
    """Write the result of `make` to a regular file below the working folder.

    Returns:
        False if the path is not below the working folder; nothing is written in this case.

    Raises:
        OSError: The file cannot be written.
    """
    if not is_path(path):
        return False
    folder, place = os.getcwd(), stat_cache.resolve(path)
    if place == folder or not _is_below(place, folder):
        return False
    if get_kind(place) not in ("", FILE):
        raise OSError(0, "it is not a regular file")
    content = make()
    replace_file(place, content.encode("utf-8") if isinstance(content, str) else content)
    return True


# --- opening files without following links, which may have changed since they were resolved


_FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def open_file(place: str) -> BinaryIO:
    """Return the open file at an absolute path without links. A pipe does not block the call.

    Raises:
        OSError: The file cannot be opened, or the path has a link.
    """
    # open() closes the descriptor of an opener when it belongs to a folder
    file = open(place, "rb", opener=lambda path, _: os.open(path, READ_FLAGS))  # noqa: SIM115
    try:
        if not _is_at(file, place):
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
    except BaseException:
        file.close()
        raise
    return file


def _is_at(file: BinaryIO, place: str) -> bool:
    """Return True when an open file is the one at a place.

    Linux reports the path of an open file directly; elsewhere each folder is opened.
    """
    with suppress(OSError):
        if os.readlink(f"/proc/self/fd/{file.fileno()}") == place:
            return True
    with _open_folder(place) as (folder, name):
        there = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return os.path.samestat(there, os.fstat(file.fileno()))


def replace_file(place: str, content: bytes) -> None:
    """Replace the file at a place atomically: the old content remains until all is written.

    Raises:
        OSError: The file cannot be written.
    """
    with _open_folder(place) as (folder, name):
        replace_in_folder(folder, name, f"{name}.{os.urandom(8).hex()}", content, 0o666)


def replace_in_folder(folder: int, name: str, beside: str, content: bytes, mode: int) -> None:
    """Replace a file of an open folder atomically, by way of a file beside it.

    Args:
        folder: The descriptor of the folder.
        name: The name of the file.
        beside: The name of the file that is written first and then renamed.
        content: The new content.
        mode: The permissions of the file.
    """
    try:
        with open(os.open(beside, _WRITE_FLAGS, mode, dir_fd=folder), "wb") as file:
            file.write(content)
        os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # also after an interrupt
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


@contextmanager
def _open_folder(place: str) -> Iterator[tuple[int, str]]:
    """Open the folder of a place; yield its descriptor and the name of the place in it."""
    *folders, name = place.split("/")
    folder = os.open("/", _FOLDER_FLAGS)
    try:
        for part in filter(None, folders):
            outer, folder = folder, os.open(part, _FOLDER_FLAGS, dir_fd=folder)
            os.close(outer)
        yield folder, name
    finally:
        os.close(folder)
