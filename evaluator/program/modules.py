"""The definitions of modules: names by their files, functions in Ruby, and resource types.

Files are listed and read, but nothing in them is executed. `running.loader` loads the definitions that are found here.
"""

from __future__ import annotations

import os
import re
from _blake2 import blake2b  # `hashlib` would make a program without a cache 3 ms longer
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

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


def iterate_names(modulepath: Iterable[str], folder: str, typed: str) -> Iterator[tuple[str, str]]:
    """Yield candidates for a name that a user types, each with its file.

    Until a module and `::` are typed, the candidates are the modules: the class of their name, or `module::`.

    Args:
        modulepath: The folders of modules.
        folder: `manifests`, `functions` or `types`.
        typed: The part of a name that the user has typed.
    """
    module, colons, _ = typed.removeprefix("::").lower().partition("::")
    if colons:
        module_folder = sandbox.find_in_module(tuple(modulepath), module, kind=sandbox.FOLDER)
        if module_folder is not None:
            yield from _iterate_module_names(os.path.dirname(module_folder), module, folder)
        return
    for root in modulepath:
        for name in sandbox.list_modules(root):
            if not name.startswith(module):
                continue
            if folder == "manifests":
                yield name, sandbox.find_in_module((root,), name, folder, "init.pp") or ""
            elif (base := sandbox.find_in_module((root,), name, folder, kind=sandbox.FOLDER)) is not None:
                yield f"{name}::", base


def _iterate_module_names(root: str, module: str, folder: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the files in a folder of a module define, each with its file."""
    main = "init" if folder == "manifests" else module  # the file of the name that the module itself has
    for (*below, file), path in sandbox.walk_module(root, module, folder):
        name = file.removesuffix(".pp")
        if file.endswith(".pp") and all(map(sandbox.is_name, (*below, name))):
            parts = [module, *below] if not below and name == main else [module, *below, name]
            yield "::".join(parts), path


# --- functions that modules define in Ruby


LEGACY, MODERN = 3, 4  # the versions of the interface for functions written in Ruby
RUBY_FOLDERS = {MODERN: "lib/puppet/functions", LEGACY: "lib/puppet/parser/functions"}


class RubyFile(NamedTuple):
    """A file that defines a function in Ruby: its path, and that below the module path."""

    path: str
    path_in_root: str


def find_ruby_functions(modulepath: tuple[str, ...], folder: str) -> dict[str, RubyFile]:
    """Return the functions that modules define in Ruby in one of RUBY_FOLDERS.

    A function without `::` in its name belongs to no module: the first on the path defines it. A module that another
    module of its name hides has only functions of the older interface.

    Args:
        modulepath: The folders of modules.
        folder: The folder, which determines the interface.

    Returns:
        The file for each name.
    """
    functions: dict[str, RubyFile] = {}
    for root in modulepath:
        for module in sandbox.list_modules(root):
            visible = sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
            if folder == RUBY_FOLDERS[MODERN] and visible != os.path.join(root, module):
                continue
            for name, file in _list_ruby_functions(root, module, folder, namespace=module).items():
                functions.setdefault(name, file)
    return functions


def find_environment_functions(directory: EnvironmentDirectory | None, folder: str) -> dict[str, RubyFile]:
    """Return the functions in Ruby of an environment itself, like `find_ruby_functions`."""
    if directory is None:
        return {}
    return _list_ruby_functions(*os.path.split(directory.folder), folder, namespace="environment")


def _list_ruby_functions(root: str, owner: str, folder: str, *, namespace: str) -> dict[str, RubyFile]:
    """Return the functions in Ruby of a module or environment, like `find_ruby_functions`.

    Only names without `::` and names that begin with the namespace are defined there.

    Args:
        root: The folder that contains the module or environment.
        owner: The name of its folder.
        folder: One of RUBY_FOLDERS.
        namespace: The namespace of its functions.
    """
    return {
        name: RubyFile(path, "/".join((owner, folder, *names)))
        for names, path in sandbox.walk_module(root, owner, folder)
        if sandbox.is_name(name := "::".join(names).removesuffix(".rb"))
        and names[-1].endswith(".rb")
        and names[0] in (namespace, names[-1])
    }


def list_functions(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    """Return the names of the functions of a module, in Ruby and in its `functions` folder.

    Functions of the older interface are also found in hidden modules of the same name.

    Returns:
        The names; None when the module has no functions in Ruby of the present interface, so that it cannot be a
        released version of a module such as stdlib.
    """
    return stat_cache.memoize_query(
        ("functions of", modulepath, module), lambda: _list_functions(modulepath, module)
    )


def _list_functions(modulepath: tuple[str, ...], module: str) -> frozenset[str] | None:
    module_folder = sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
    if module_folder is None:
        return None
    own_root = (os.path.dirname(module_folder),)
    modern = _list_file_names(own_root, module, RUBY_FOLDERS[MODERN])
    if not modern:
        return None
    legacy = _list_file_names(modulepath, module, RUBY_FOLDERS[LEGACY])
    in_puppet = _list_file_names(own_root, module, "functions")
    return frozenset((*modern, *legacy, *(f"{module}::{name}" for name in in_puppet)))


def _list_file_names(roots: Iterable[str], module: str, folder: str) -> list[str]:
    """Return the names of the files in a folder of a module as Puppet's: `a::b` for `a/b.rb`."""
    paths = (names for root in roots for names, _ in sandbox.walk_module(root, module, folder))
    return ["::".join(names).rpartition(".")[0] for names in paths]


# --- manifests


_DEFINITION = rb"^[ \t]*(class|define)[ \t]+(?:::)?([\w:]+)"  # with its kind and its name
_MOST_HEAD_BYTES = 65_536  # of a manifest, which are read to find the names that it defines


def find_defined_kind(settings: Settings, path: str, name: str) -> str:
    """Return the kind of a name that a manifest defines: "class", "define", or "" for neither."""
    stamp = sandbox.get_stamp(settings, path)
    return "" if stamp is None else _read_defined_kinds(path, stamp).get(name, "")


@memoize(2048)
def _read_defined_kinds(path: str, stamp: tuple[int, ...]) -> dict[str, str]:
    """Return the kind of each name that a manifest defines.

    Args:
        path: The manifest.
        stamp: Its stamp, which distinguishes the result from that for a former content.
    """
    definitions = re.findall(_DEFINITION, sandbox.read_head(path, _MOST_HEAD_BYTES), re.MULTILINE)
    return {name.decode("utf-8", "replace"): kind.decode() for kind, name in definitions}


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


_MOST_SOURCE_BYTES = 1_000_000  # of a source with a type, which are read
_TYPES, _PROVIDERS = "lib/puppet/type", "lib/puppet/provider"


def _list_entries(modulepath: tuple[str, ...], folder: str) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of a folder in all modules: the root, the module and the name of each."""
    for root in modulepath:
        for module in sandbox.list_modules(root):
            path = sandbox.find_in_module((root,), module, folder, kind=sandbox.FOLDER)
            for entry in sandbox.list_folder(path) if path is not None else ():
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
            for root, module, entry in reversed([*_list_entries(modulepath, _TYPES)])  # the first one remains
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
        facts = _read_generated(settings, name) or stat_cache.memoize_query(
            ("resource type", settings.modulepath, name), lambda: _read_module_type(settings.modulepath, name)
        )
        if facts is not None:
            return facts
    if not resource_types.is_known(name):
        return None
    return resource_types.get_facts(name, with_newer=settings.dialect.package_environment)


def _read_module_type(modulepath: tuple[str, ...], name: str) -> TypeFacts | None:
    """Return a type that a module defines in Ruby, or None."""
    root, module = find_ruby_types(modulepath).get(name, ("", ""))
    path = sandbox.find_in_module((root,), module, _TYPES, f"{name}.rb") if root else None
    return _read_facts(modulepath, module, name, path) if path is not None else None


def _read_facts(modulepath: tuple[str, ...], module: str, name: str, path: str) -> TypeFacts:
    """Return the facts about a type that its source in Ruby states.

    A record in the disk cache spares loading the reader of Ruby, which takes 8 ms.
    """
    text, cache = _read_text(path), source_cache.get_disk_cache()
    declared: DeclaredType | None = (
        resource_types.sources.read_ruby(name, text)
        if cache is None
        else cache.load_record(path, name, text, lambda: resource_types.sources.read_ruby(name, text))
    )
    provided = stat_cache.memoize_query(
        ("providers", modulepath),
        lambda: frozenset(entry for _, _, entry in _list_entries(modulepath, _PROVIDERS)),
    )
    return resource_types.make_module_facts(name, module, declared, has_providers=name in provided, path=path)


def _read_text(path: str) -> str:
    return sandbox.read_head(path, _MOST_SOURCE_BYTES).decode("utf-8-sig", "replace")


# --- functions that are built in


# The file with the digests of files of released modules whose functions are built in unchanged;
# `python -m tests.ruby.digests` verifies them.
BUILT_IN_FILE = os.path.join(os.path.dirname(__file__), "built_in.txt")


def is_built_in(settings: Settings, path: str) -> bool:
    """Return True for a file of a module whose function is built in unchanged."""
    with suppress(Failure, PuppetError):
        return compute_digest(sandbox.read_source(settings, path)) in _read_built_in()
    return False


def compute_digest(text: str) -> str:
    """Return a digest that identifies a text."""
    return blake2b(text.encode("utf-8"), digest_size=8).hexdigest()


@memoize(unbounded_because="one result")
def _read_built_in() -> frozenset[str]:
    return frozenset((sandbox.read_named(BUILT_IN_FILE) or b"").decode().split())


# --- generated files


def _read_generated(settings: Settings, name: str) -> TypeFacts | None:
    """Return a type for which the environment has a file made by `puppet generate types`."""
    if settings.directory is None:
        return None
    path = os.path.join(settings.directory.folder, ".resource_types", f"{name}.pp")
    if sandbox.get_stamp(settings, path) is None:
        return None
    record = _read_record(_read_text(path))
    return resource_types.make_module_facts(name, settings.directory.name, record, has_providers=False)


@memoize(1024)
def _read_record(text: str) -> DeclaredType | None:
    declared: DeclaredType | None = None
    with suppress(PuppetError, Failure, AttributeError, TypeError, ValueError):
        declared = resource_types.sources.read_generated(parse_bounded(text, PUPPET))
    return declared
