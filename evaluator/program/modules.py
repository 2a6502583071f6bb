"""The contents of the module path by file name, and the resource types of modules.

Files are read, but nothing in them is executed.
"""

from __future__ import annotations

import os
import re
from _blake2 import blake2b  # `hashlib` would make a program without a cache 3 ms longer
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from evaluator import resource_types
from evaluator.issues import Failure
from evaluator.program import sandbox, source_cache, stat_cache
from evaluator.program.source_cache import parse_bounded
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.program.settings import EnvironmentDirectory, Settings
    from evaluator.resource_types import TypeFacts
    from evaluator.resource_types.records import DeclaredType

_DEFINITION = rb"^[ \t]*(class|define)[ \t]+(?:::)?([\w:]+)"
_HEAD = 65_536  # bytes of a file that are read to find the name it defines
# The digests of files of released modules whose functions are built in unchanged; `python -m tests.ruby.digests`
# verifies them.
TABLE = os.path.join(os.path.dirname(__file__), "built_in.txt")


def iterate_names(modulepath: Iterable[str], folder: str, typed: str) -> Iterator[tuple[str, str]]:
    """Yield candidates for a name that a user types, each with its file.

    Until a module and `::` are typed, the candidates are the modules: the class of their name, or `module::`.

    Args:
        modulepath: The folders of modules.
        folder: `manifests`, `functions` or `types`.
        typed: The part of a name that the user has typed.
    """
    module, inside, _ = typed.removeprefix("::").lower().partition("::")
    for root in modulepath:
        if inside:
            if (
                sandbox.is_name(module)
                and sandbox.find_in_module((root,), module, kind=sandbox.FOLDER) is not None
            ):
                yield from _iterate_inside(root, module, folder)
                return
            continue
        for name in sandbox.list_modules(root):
            if not name.startswith(module):
                continue
            if folder == "manifests":
                yield name, sandbox.find_in_module((root,), name, folder, "init.pp") or ""
            elif (base := sandbox.find_in_module((root,), name, folder, kind=sandbox.FOLDER)) is not None:
                yield f"{name}::", base


LEGACY, MODERN = 3, 4  # the versions of the interface for functions written in Ruby
RUBY_FOLDERS = {MODERN: "lib/puppet/functions", LEGACY: "lib/puppet/parser/functions"}


def find_ruby_functions(modulepath: tuple[str, ...], folder: str) -> dict[str, tuple[str, str]]:
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
            if folder == RUBY_FOLDERS[MODERN] and seen != os.path.join(root, module):
                continue
            for name, place in _list_ruby_functions(root, module, folder, module).items():
                found.setdefault(name, place)
    return found


def find_environment_functions(
    directory: EnvironmentDirectory | None, folder: str
) -> dict[str, tuple[str, str]]:
    """Return the functions in Ruby of an environment itself, like `find_ruby_functions`."""
    if directory is None:
        return {}
    return _list_ruby_functions(*os.path.split(directory.folder), folder, "environment")


def _list_ruby_functions(root: str, owner: str, folder: str, namespace: str) -> dict[str, tuple[str, str]]:
    """Return the functions in Ruby of a module or environment, if their names may be there.

    Such a name has no `::`, or begins with the namespace.
    """
    return {
        name: (path, "/".join((owner, folder, *names)))
        for names, path in sandbox.walk_module(root, owner, folder)
        if sandbox.is_name(name := "::".join(names).removesuffix(".rb"))
        and names[-1].endswith(".rb")
        and names[0] in (namespace, names[-1])
    }


def find_functions(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    """Return the names of the functions of a module, in Ruby and in its `functions` folder.

    Functions of the older interface are also found in hidden modules of the same name.

    Returns:
        None when the module has no functions in Ruby.
    """
    return stat_cache.memoize_query(
        ("functions of", modulepath, module), lambda: _list_functions_of(modulepath, module)
    )


def _list_functions_of(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    module_folder = sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
    if module_folder is None:
        return None
    own_root, functions = module_folder.removesuffix(f"/{module}"), set[str]()
    for folder in (*RUBY_FOLDERS.values(), "functions"):
        prefix = f"{module}::" if folder == "functions" else ""
        for root in modulepath if folder == RUBY_FOLDERS[LEGACY] else (own_root,):
            for names, _ in sandbox.walk_module(root, module, folder):
                functions.add(prefix + "::".join(names).rpartition(".")[0])
        if folder == RUBY_FOLDERS[MODERN] and not functions:
            break  # the module has no functions in Ruby of the present interface: its other ones do not count
    return frozenset(functions) or None


def _iterate_inside(root: str, module: str, folder: str) -> Iterator[tuple[str, str]]:
    main = "init" if folder == "manifests" else module
    for (*below, file), path in sandbox.walk_module(root, module, folder):
        name = file.removesuffix(".pp")
        if file.endswith(".pp") and all(map(sandbox.is_name, (*below, name))):
            parts = [module, *below] if not below and name == main else [module, *below, name]
            yield "::".join(parts), path


def find_kind(settings: Settings, path: str, name: str) -> str:
    """Return the kind of a name that a manifest defines: "class", "define", or "" for neither."""
    stamp = sandbox.get_stamp(settings, path)
    return "" if stamp is None else _read_kinds(path, stamp).get(name, "")


@memoize(2048)
def _read_kinds(path: str, stamp: tuple[int, ...]) -> dict[str, str]:
    found = re.findall(_DEFINITION, sandbox.read_head(path, _HEAD), re.MULTILINE)
    return {name.decode("utf-8", "replace"): word.decode() for word, name in found}


# --- resource types that modules define


def list_module_types(modulepath: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the types that modules define in Ruby and that are not built in."""
    return stat_cache.memoize_query(
        ("resource types", modulepath),
        lambda: frozenset(find_ruby_types(modulepath)).difference(resource_types.list_names()),
    )


def is_resource_type(name: str, modulepath: tuple[str, ...]) -> bool:
    """Return True for a built-in resource type or one that a module of the path defines.

    Args:
        name: The name in lower case.
        modulepath: The folders of modules.
    """
    return resource_types.is_known(name) or (bool(modulepath) and name in list_module_types(modulepath))


_LONGEST = 1_000_000  # bytes of a source that are read
_TYPES, _PROVIDERS = "lib/puppet/type", "lib/puppet/provider"


def _list_entries(modulepath: tuple[str, ...], folder: str) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of a folder in all modules: the root, the module and the name of each."""
    for root in modulepath:
        for module in sandbox.list_modules(root):
            found = sandbox.find_in_module((root,), module, folder, kind=sandbox.FOLDER)
            for entry in sandbox.list_folder(found) if found is not None else ():
                yield root, module, entry


def find_ruby_types(modulepath: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the resource types that modules define in Ruby.

    Returns:
        By name, the root and the name of the first module that defines the type.
    """
    return stat_cache.memoize_query(
        ("types in Ruby", modulepath),
        lambda: {
            entry.removesuffix(".rb"): (root, module)
            for root, module, entry in reversed([*_list_entries(modulepath, _TYPES)])  # the first one is used
            if entry.endswith(".rb") and sandbox.find_in_module((root,), module, _TYPES, entry) is not None
        },
    )


def get_type_facts(settings: Settings, name: str) -> TypeFacts | None:
    """Return the facts about a resource type; None when there is no such type.

    Puppet's own types come first, then the types that an environment has generated, those of modules, and those that
    are built in.

    Args:
        settings: The session's settings.
        name: The name of the type in lower case.
    """
    if name not in resource_types.list_reserved_names() and sandbox.is_name(name):
        found = _read_generated(settings, name) or stat_cache.memoize_query(
            ("resource type", settings.modulepath, name), lambda: _read_module_type(settings.modulepath, name)
        )
        if found is not None:
            return found
    if not resource_types.is_known(name):
        return None
    return resource_types.get_facts(name, settings.dialect.package_environment)


def _read_module_type(modulepath: tuple[str, ...], name: str) -> TypeFacts | None:
    """Return a type that a module defines in Ruby, or None."""
    root, module = find_ruby_types(modulepath).get(name, ("", ""))
    path = sandbox.find_in_module((root,), module, _TYPES, f"{name}.rb") if root else None
    return _read_facts(modulepath, module, name, path) if path is not None else None


def _read_facts(modulepath: tuple[str, ...], module: str, name: str, path: str) -> TypeFacts:
    """Return the facts that a source states.

    A cached record spares loading the reader of Ruby, which takes 8 ms.
    """
    text, cache = _read_text(path), source_cache.get_disk_cache()
    found: DeclaredType | None = (
        resource_types.sources.read_ruby(name, text)
        if cache is None
        else cache.load_record(path, name, text, lambda: resource_types.sources.read_ruby(name, text))
    )
    provided = stat_cache.memoize_query(
        ("providers", modulepath),
        lambda: frozenset(entry for _, _, entry in _list_entries(modulepath, _PROVIDERS)),
    )
    return resource_types.make_module_facts(name, module, found, name in provided, path)


def _read_text(path: str) -> str:
    return sandbox.read_head(path, _LONGEST).decode("utf-8-sig", "replace")


# --- functions that are built in


def is_built_in(settings: Settings, path: str) -> bool:
    """Return True for a file of a module whose function is built in unchanged."""
    with suppress(Failure, PuppetError):
        return compute_digest(sandbox.read_source(settings, path)) in _read_table()
    return False


def compute_digest(text: str) -> str:
    """Return a digest that identifies a text."""
    return blake2b(text.encode("utf-8"), digest_size=8).hexdigest()


@memoize(owner="one result")
def _read_table() -> frozenset[str]:
    return frozenset((sandbox.read_named(TABLE) or b"").decode().split())


# --- generated files


def _read_generated(settings: Settings, name: str) -> TypeFacts | None:
    """Return a type for which the environment has a file made by `puppet generate types`."""
    if settings.directory is None:
        return None
    path = os.path.join(settings.directory.folder, ".resource_types", f"{name}.pp")
    if sandbox.get_stamp(settings, path) is None:
        return None
    record = _read_record(_read_text(path))
    return resource_types.make_module_facts(name, settings.directory.name, record, provided=False)


@memoize(1024)
def _read_record(text: str) -> DeclaredType | None:
    found: DeclaredType | None = None
    with suppress(PuppetError, Failure, AttributeError, TypeError, ValueError):
        found = resource_types.sources.read_generated(parse_bounded(text, PUPPET))
    return found
