"""Functions that find out whether a file belongs to a module or to a control repository.

Code of such a file is written for a release of Puppet: front ends evaluate it in that dialect. The files are those that
a command line names or that a user checks, never those that a program names: the sandbox does not apply to them.
"""

from __future__ import annotations

import os

_REPOSITORY_FILES = ("environment.conf", "Puppetfile")  # in the folder of a control repository
_MODULE_FOLDERS = ("manifests", "templates", "functions", "types")  # those with code in Puppet


def find_module_root(path: str) -> str | None:
    """Return the folder with `metadata.json` of the module that contains a file, or None."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        folder, name = os.path.split(folder)
        if name in _MODULE_FOLDERS and os.path.exists(os.path.join(folder, "metadata.json")):
            return folder
    return None


def is_in_repository(path: str) -> bool:
    """Return True for a file of a module, or below the folder of a control repository."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        if any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORY_FILES):
            return True
        folder = os.path.dirname(folder)
    return find_module_root(path) is not None
