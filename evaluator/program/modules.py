"""The contents of the module path by file name, for completion and help.

Files are read, but nothing in them is loaded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from evaluator.program import sandbox, stat_cache
from evaluator.program.type_files import find_brought_types
from evaluator.resource_types import is_known
from evaluator.resource_types import names as known
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.program.settings import EnvironmentDirectory, Settings

_DEFINITION = rb"^[ \t]*(class|define)[ \t]+(?:::)?([\w:]+)"
_HEAD = 65_536  # bytes of a file that are read to find the name it defines


def names(modulepath: Iterable[str], folder: str, typed: str) -> Iterator[tuple[str, str]]:
    """Yield names with their files in a folder of all modules, or of the module in `typed`.

    Modules are listed by their own name (`init.pp`) until `typed` names one of them with `::`.

    Args:
        modulepath: The folders of modules.
        folder: `manifests`, `functions` or `types`.
        typed: The beginning of a name, as the user typed it.
    """
    module, inside, _ = typed.removeprefix("::").lower().partition("::")
    for root in modulepath:
        if inside:
            if (
                sandbox.is_name(module)
                and sandbox.find_in_module((root,), module, kind=sandbox.FOLDER) is not None
            ):
                yield from _inside(root, module, folder)
                return
            continue
        for name in sandbox.list_modules(root):
            if not name.startswith(module):
                continue
            if folder == "manifests":
                yield name, sandbox.find_in_module((root,), name, folder, "init.pp") or ""
            elif (base := sandbox.find_in_module((root,), name, folder, kind=sandbox.FOLDER)) is not None:
                yield f"{name}::", base


# The folders of functions written in Ruby, by the version of the function interface.
RUBY_FOLDERS = {4: "lib/puppet/functions", 3: "lib/puppet/parser/functions"}


def ruby_functions(modulepath: tuple[str, ...], folder: str) -> dict[str, tuple[str, str]]:
    """Return the functions that modules define in Ruby in a folder.

    A function without `::` in its name belongs to no module: the first on the path defines it. A module that another
    module of its name hides has only functions of the older interface.

    Returns:
        For each name, the file, and its path below the module path.
    """
    found: dict[str, tuple[str, str]] = {}
    for root in modulepath:
        for module in sandbox.list_modules(root):
            seen = sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
            if folder == RUBY_FOLDERS[4] and seen != os.path.join(root, module):
                continue
            for names, path in sandbox.walk_module(root, module, folder):
                name = "::".join(names).removesuffix(".rb")
                if names[-1].endswith(".rb") and sandbox.is_name(name) and names[0] in (module, names[-1]):
                    found.setdefault(name, (path, "/".join((module, folder, *names))))
    return found


def functions_of_environment(
    directory: EnvironmentDirectory | None, folder: str
) -> dict[str, tuple[str, str]]:
    """Return the functions that an environment itself defines in Ruby, like `ruby_functions`."""
    if directory is None:
        return {}
    root, own = os.path.split(directory.folder)
    found: dict[str, tuple[str, str]] = {}
    for names, path in sandbox.walk_module(root, own, folder):
        name = "::".join(names).removesuffix(".rb")
        if names[-1].endswith(".rb") and sandbox.is_name(name) and names[0] in ("environment", names[-1]):
            found[name] = path, "/".join((own, folder, *names))
    return found


def functions_of(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    """Return the names of the functions of a module, in Ruby and in its `functions` folder.

    Functions of the older interface are also found in hidden modules of the same name.

    Returns:
        None when the module has no functions in Ruby.
    """
    return stat_cache.memoize_query(
        ("functions of", modulepath, module), lambda: _list_functions_of(modulepath, module)
    )


def _list_functions_of(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    own = sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
    if own is None:
        return None
    root, found = own.removesuffix(f"/{module}"), set()
    for folder in (*RUBY_FOLDERS.values(), "functions"):
        for place in modulepath if folder == RUBY_FOLDERS[3] else (root,):
            for names, _ in sandbox.walk_module(place, module, folder):
                inner = [f"{module}::"] if folder == "functions" else []
                found.add("".join((*inner, "::".join(names).rpartition(".")[0])))
        if folder == RUBY_FOLDERS[4] and not found:
            break
    return frozenset(found) or None


def _inside(root: str, module: str, folder: str) -> Iterator[tuple[str, str]]:
    main = "init" if folder == "manifests" else module
    for (*below, file), path in sandbox.walk_module(root, module, folder):
        name = file.removesuffix(".pp")
        if file.endswith(".pp") and all(map(sandbox.is_name, (*below, name))):
            parts = [module, *below] if not below and name == main else [module, *below, name]
            yield "::".join(parts), path


def kind(settings: Settings, path: str, name: str) -> str:
    """Return the kind of a name that a manifest defines: "class", "define", or "" for neither."""
    stamp = sandbox.get_stamp(settings, path)
    return "" if stamp is None else _kinds(path, stamp).get(name, "")


@memoize(2048)
def _kinds(path: str, stamp: tuple[int, ...]) -> dict[str, str]:
    found = re.findall(_DEFINITION, sandbox.read_head(path, _HEAD), re.MULTILINE)
    return {name.decode("utf-8", "replace"): word.decode() for word, name in found}


# --- resource types that modules define


def list_module_types(modulepath: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the types that modules define in Ruby and that are not built in."""
    return stat_cache.memoize_query(
        ("resource types", modulepath), lambda: frozenset(find_brought_types(modulepath)).difference(known())
    )


def is_resource_type(name: str, modulepath: tuple[str, ...]) -> bool:
    """Return True for a built-in resource type or one that a module of the path defines.

    Args:
        name: The name in lower case.
        modulepath: The folders of modules.
    """
    return is_known(name) or (bool(modulepath) and name in list_module_types(modulepath))
