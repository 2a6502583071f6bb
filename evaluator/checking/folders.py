"""Folders of modules that no module path tells of, and what lies below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

_FOLDERS = ("manifests", "templates", "functions", "types")


def module_root(path: str) -> str | None:
    """The folder of the module in which a file stands that has metadata; None when there is none."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        folder, name = os.path.split(folder)
        if name in _FOLDERS and os.path.exists(os.path.join(folder, "metadata.json")):
            return folder
    return None


def below(folder: str, ending: str) -> Iterator[str]:
    """The files below a folder whose names end so, in order."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names) if name.endswith(ending))
