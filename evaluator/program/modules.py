"""What the module path holds, by its file names: for completion and help, which read files but load nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evaluator.program import sandbox
from evaluator.program.type_files import find_brought_types
from evaluator.resource_types import is_known
from evaluator.resource_types import names as known
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.program.settings import Environment, Settings

_DEFINITION = rb"^[ \t]*(class|define)[ \t]+(?:::)?([\w:]+)"
_HEAD = 65_536  # so much of a file is read to see what it defines


def names(modulepath: Any, folder: str, typed: str) -> Iterator[tuple[str, str]]:
    """Names with their files in `manifests`, `functions` or `types`: of all modules, or of the one that is typed.

    Modules are listed by their own name (`init.pp`) until `typed` names one of them with `::`.
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


# where functions are that are written in Ruby, by the interface for which they are
RUBY_FOLDERS = {4: "lib/puppet/functions", 3: "lib/puppet/parser/functions"}


def ruby_functions(modulepath: tuple[str, ...], folder: str) -> dict[str, tuple[str, str]]:
    """The functions that modules have in Ruby in a folder: name -> the file, and the file below the module path.

    One without `::` in its name belongs to no module: the first on the path has it. A module that another of its
    name hides has only functions of the older interface.
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


def functions_of_environment(directory: Environment | None, folder: str) -> dict[str, tuple[str, str]]:
    """The functions that an environment itself has in Ruby, as `ruby_functions` gives them."""
    if directory is None:
        return {}
    root, own = os.path.split(directory.folder)
    found: dict[str, tuple[str, str]] = {}
    for names, path in sandbox.walk_module(root, own, folder):
        name = "::".join(names).removesuffix(".rb")
        if names[-1].endswith(".rb") and sandbox.is_name(name) and names[0] in ("environment", names[-1]):
            found[name] = path, "/".join((own, folder, *names))
    return found


@memoize(owner="one for each module of a module path")
def functions_of(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    """The names of the functions that a module brings, in Ruby and in its `functions`; None without any in Ruby.

    Those of the older interface are found in modules of its name that it hides, too.
    """
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
    """What a manifest says that a name is: "class", "define", or "" when it does not define it."""
    stamp = sandbox.get_stamp(settings, path)
    return "" if stamp is None else _kinds(path, stamp).get(name, "")


@memoize(2048)
def _kinds(path: str, stamp: tuple[int, ...]) -> dict[str, str]:
    found = re.findall(_DEFINITION, sandbox.read_head(path, _HEAD), re.MULTILINE)
    return {name.decode("utf-8", "replace"): word.decode() for word, name in found}


# --- resource types that modules bring


@memoize(owner="one for each module path")
def resource_types(modulepath: tuple[str, ...]) -> frozenset[str]:
    """The names of the types that modules bring, written in Ruby, and that are not known without them."""
    return frozenset(find_brought_types(modulepath)).difference(known())


def is_resource_type(name: str, modulepath: tuple[str, ...]) -> bool:
    """True for the name, in lower case, of a known type or of one that a module of the path brings."""
    return is_known(name) or (bool(modulepath) and name in resource_types(modulepath))
