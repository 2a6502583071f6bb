"""Tests for files of modules and control repositories.

Their code is written for a release of Puppet. The tests are only for files that a command line names or that a user
checks: the sandbox of programs does not apply to them.
"""

from __future__ import annotations

import os

_REPOSITORY_FILES = ("environment.conf", "Puppetfile")  # in the folder of a control repository
_FOLDERS = ("manifests", "templates", "functions", "types")


def find_module_root(path: str) -> str | None:
    """Return the folder with `metadata.json` of the module that contains a file, or None."""
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
        if any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORY_FILES):
            return True
        folder = os.path.dirname(folder)
    return find_module_root(path) is not None
