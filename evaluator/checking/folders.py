"""Folders: those of modules outside of the module path, and the files below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

_FOLDERS = ("manifests", "templates", "functions", "types")


def find_module_root(path: str) -> str | None:
    """Return the folder with metadata of the module that contains a file; None if there is none."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        folder, name = os.path.split(folder)
        if name in _FOLDERS and os.path.exists(os.path.join(folder, "metadata.json")):
            return folder
    return None


def find_files(folder: str, ending: str) -> Iterator[str]:
    """Yield the files below a folder whose names have an ending, in order."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names) if name.endswith(ending))
