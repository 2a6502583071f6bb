"""What the module path holds, by its file names: for completion and help, which read files but load nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_DEFINITION = re.compile(rb"^[ \t]*(class|define)[ \t]+(?:::)?([\w:]+)", re.M)
_HEAD = 65_536  # so much of a file is read to see what it defines


def names(modulepath: Any, folder: str, typed: str) -> Iterator[tuple[str, str]]:
    """Names with their files in `manifests`, `functions` or `types`: of all modules, or of the one that is typed.

    Modules are listed by their own name (`init.pp`) until `typed` names one of them with `::`.
    """
    module, inside, _ = typed.removeprefix("::").lower().partition("::")
    for root in modulepath:
        for name in [module] if inside else _listed(root):
            if not inside and not name.startswith(module):
                continue
            base = os.path.join(root, name, folder)
            if inside:
                yield from _inside(base, name, "init" if folder == "manifests" else name)
            elif folder == "manifests":
                yield name, os.path.join(base, "init.pp")
            elif os.path.isdir(base):
                yield f"{name}::", base


def ruby_function(modulepath: Any, name: str) -> str | None:
    """The file below a module that holds a function written in Ruby, None when there is none."""
    module, *inner = name.split("::")
    for root in modulepath:
        for folder in [module] if inner else _listed(root):
            for kind in ("functions", "parser/functions"):
                file = os.path.join(
                    folder, "lib", "puppet", kind, *([module] if inner else []), *(inner or [name])
                )
                if os.path.isfile(os.path.join(root, f"{file}.rb")):
                    return f"{file}.rb"
    return None


def _listed(root: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(root) if name.isidentifier() and name.islower())
    except OSError:
        return []


def _inside(base: str, module: str, main: str) -> Iterator[tuple[str, str]]:
    for folder, folders, files in os.walk(base):
        folders.sort()
        for file in sorted(files):
            name, extension = os.path.splitext(file)
            if extension == ".pp" and name.isidentifier():
                below = os.path.relpath(folder, base).split(os.sep) if folder != base else []
                parts = [module, *below] if not below and name == main else [module, *below, name]
                yield "::".join(parts), os.path.join(folder, file)


def kind(path: str, name: str) -> str:
    """What a manifest says that a name is: "class", "define", or "" when it does not define it."""
    try:
        return _kinds(path, os.stat(path).st_mtime_ns).get(name, "")
    except OSError:
        return ""


@lru_cache(maxsize=2048)
def _kinds(path: str, changed: int) -> dict[str, str]:
    with open(path, "rb") as file:
        found = _DEFINITION.findall(file.read(_HEAD))
    return {name.decode("utf-8", "replace"): word.decode() for word, name in found}
