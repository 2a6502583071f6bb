"""The code that is written for a release: files of modules, and of control repositories.

Only for files that a command line names, or that a user checks: the file system is asked without the gate of programs.
"""

from __future__ import annotations

import os

_REPOSITORY = ("environment.conf", "Puppetfile")  # in the folder of a control repository
_FOLDERS = ("manifests", "templates", "functions", "types")


def find_module_root(path: str) -> str | None:
    """Return the folder with metadata of the module that contains a file; None if there is none."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        folder, name = os.path.split(folder)
        if name in _FOLDERS and os.path.exists(os.path.join(folder, "metadata.json")):
            return folder
    return None


def is_in_repository(path: str) -> bool:
    """Return True for a file of a module, or below the folder of a control repository."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        if any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORY):
            return True
        folder = os.path.dirname(folder)
    return find_module_root(path) is not None
