"""Which files functions may touch: those below the module path and the working folder, after resolving links."""

from __future__ import annotations

import os
from typing import Any

from evaluator.issues import Failure, error
from evaluator.limits import STRING
from evaluator.program import outside
from evaluator.program.permissions import PERMISSIONS
from evaluator.program.scope import Scope
from evaluator.values.host_messages import no_method


def require_permission(scope: Scope, permission: str, name: str) -> None:
    """Raises Failure unless the session has the permission, one of PERMISSIONS."""
    if permission not in scope.runtime.settings.permissions:
        raise Failure("NOT_PERMITTED", function=name, reason=PERMISSIONS[permission], permission=permission)
    scope.runtime.used_permission = True
    outside.ask()


def find_in_modules(scope: Scope, path: str, folder: str) -> str | None:
    """The file that `module/file` names in a folder (`files`, `templates`) of a module, if it exists."""
    outside.ask()
    module, slash, rest = path.partition("/")
    if not slash or not module or os.path.isabs(path) or ".." in path.split("/") or "\0" in path:
        return None
    for root in scope.runtime.settings.modulepath:
        candidate = os.path.join(root, module, folder, rest)
        if os.path.exists(candidate):
            return candidate
    return None


def locate(scope: Scope, name: str, path: Any, folder: str) -> str | None:
    """The file that a path names, absolute or `module/file`; None when there is none.

    Raises Failure for a file that exists outside the folders that may be read.
    """
    if type(path) is not str:
        raise no_method("split", path)
    if not os.path.isabs(path):
        return find_in_modules(scope, path, folder)
    outside.ask()
    if "\0" in path or not os.path.exists(path):
        return None
    if not inside(scope, path) or ".." in path.split("/"):
        require_permission(scope, "files", name)
    return path


def inside(scope: Scope, path: str) -> bool:
    """True when the file lies, links resolved, below the working folder, a module path folder or a module in it,
    the directory of the environment, or where the session's `hiera.yaml` is.

    A module may itself be a link to where it is installed; links inside a module must not lead out of it.
    """
    real = os.path.realpath(path)
    roots = [os.path.realpath(root) for root in (*scope.runtime.settings.modulepath, os.getcwd())]
    if scope.runtime.settings.hiera_config is not None:
        roots.append(os.path.dirname(os.path.realpath(scope.runtime.settings.hiera_config)))
    if scope.runtime.settings.directory is not None:
        roots.append(os.path.realpath(scope.runtime.settings.directory.folder))
    for root in scope.runtime.settings.modulepath:
        prefix = os.path.join(root, "")
        if path.startswith(prefix):
            roots.append(os.path.realpath(prefix + path[len(prefix) :].partition("/")[0]))
    return any(real == root or real.startswith(root.rstrip("/") + "/") for root in roots)


def require_readable(scope: Scope, path: str) -> None:
    """Raises PuppetError for a path outside the folders that may be read, unless all files may be."""
    if "files" not in scope.runtime.settings.permissions and not inside(scope, path):
        raise error("PATH_NOT_PERMITTED", path=path)


def read(scope: Scope, name: str, path: str) -> bytes:
    """The bytes of a regular file that may be read. Raises Failure."""
    import stat

    outside.ask()
    if not inside(scope, path):
        require_permission(scope, "files", name)
    try:
        with open(os.path.realpath(path), "rb", opener=_no_wait) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Failure("NOT_A_REGULAR_FILE", function=name, path=path)
            STRING.check(status.st_size)
            return file.read()
    except OSError as cause:
        raise Failure("FILE_NOT_READ", function=name, path=path, reason=cause.strerror) from None


def _no_wait(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe must not hold the program up


def read_text(scope: Scope, name: str, path: str) -> str:
    """The text of a file that may be read; bytes that are no UTF-8 are replaced."""
    return read(scope, name, path).decode("utf-8", "replace")
