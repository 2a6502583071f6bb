"""The resource types of modules: found by file name, read on first use, never executed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from evaluator import resource_types
from evaluator.issues import Failure
from evaluator.program import sandbox, source_cache, stat_cache
from evaluator.program.source_cache import parse_bounded
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.program.settings import Settings
    from evaluator.resource_types import TypeFacts
    from evaluator.resource_types.records import Record

_LONGEST = 1_000_000  # bytes of a source that are read
_TYPES, _PROVIDERS = "lib/puppet/type", "lib/puppet/provider"


def _list_entries(modulepath: tuple[str, ...], folder: str) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of a folder in all modules: the root, the module and the name of each."""
    for root in modulepath:
        for module in sandbox.list_modules(root):
            found = sandbox.find_in_module((root,), module, folder, kind=sandbox.FOLDER)
            for entry in sandbox.list_folder(found) if found is not None else ():
                yield root, module, entry


def find_brought_types(modulepath: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the types that modules define in Ruby.

    Returns:
        By name, the root and the name of the first module that defines the type.
    """
    return stat_cache.memoize_query(("types in Ruby", modulepath), lambda: _search_brought_types(modulepath))


def _search_brought_types(modulepath: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for root, module, entry in _list_entries(modulepath, _TYPES):
        name = entry.removesuffix(".rb")
        if name != entry and sandbox.find_in_module((root,), module, _TYPES, entry) is not None:
            found.setdefault(name, (root, module))
    return found


def _list_provided(modulepath: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the types that have providers in modules."""
    return stat_cache.memoize_query(
        ("providers", modulepath),
        lambda: frozenset(entry for _, _, entry in _list_entries(modulepath, _PROVIDERS)),
    )


def get_type_facts(settings: Settings, name: str) -> TypeFacts | None:
    """Return the facts about a resource type; None when there is no such type.

    Puppet's own types come first, then the types that an environment has generated, those of modules, and those that
    are built in.

    Args:
        settings: The session's settings.
        name: The name of the type in lower case.
    """
    if name not in resource_types.reserved_names() and sandbox.is_name(name):
        found = _read_generated(settings, name) or _of_module(settings.modulepath, name)
        if found is not None:
            return found
    return resource_types.facts(name) if resource_types.is_known(name) else None


def _of_module(modulepath: tuple[str, ...], name: str) -> TypeFacts | None:
    """Return a type that a module defines in Ruby, or None."""
    return stat_cache.memoize_query(
        ("resource type", modulepath, name), lambda: _read_module_type(modulepath, name)
    )


def _read_module_type(modulepath: tuple[str, ...], name: str) -> TypeFacts | None:
    root, module = find_brought_types(modulepath).get(name, ("", ""))
    path = sandbox.find_in_module((root,), module, _TYPES, f"{name}.rb") if root else None
    return _read(modulepath, module, name, path) if path is not None else None


def _read(modulepath: tuple[str, ...], module: str, name: str, path: str) -> TypeFacts:
    """Return the facts that a source states."""

    def find(wanted: str) -> tuple[str, str] | None:
        return _source(modulepath, wanted, path.removesuffix(place))

    place, text, cache = f"/{module}/{_TYPES}/{name}.rb", _text(path), source_cache.get_cache()

    def read(find: Any) -> Any:
        return resource_types.sources.read_ruby(name, place, text, find)

    record = read(find) if cache is None else cache.load_record((name, place), text, find, read)
    return resource_types.module_facts(name, module, record, name in _list_provided(modulepath))


def _text(path: str) -> str:
    return sandbox.read_head(path, _LONGEST).decode("utf-8", "replace")


def _source(modulepath: tuple[str, ...], wanted: str, own: str) -> tuple[str, str] | None:
    """Return a required source: its path from the folder of modules, and its text; or None.

    Args:
        modulepath: The folders of modules.
        wanted: The path from the folder of modules, or from the `lib` of a module.
        own: The folder of modules that has the requiring source.
    """
    file = wanted if wanted.endswith(".rb") else f"{wanted}.rb"
    if file.startswith("/"):
        module, _, rest = file[1:].partition("/")
        path = sandbox.find_in_module((own, *modulepath), module, rest) if rest else None
        return (file, _text(path)) if path is not None else None
    for root in modulepath:
        for module in sandbox.list_modules(root):
            path = sandbox.find_in_module((root,), module, "lib", file)
            if path is not None:
                return f"/{module}/lib/{file}", _text(path)
    return None


# --- generated files


def _read_generated(settings: Settings, name: str) -> TypeFacts | None:
    """Return a type for which the environment has a file made by `puppet generate types`."""
    if settings.directory is None:
        return None
    path = os.path.join(settings.directory.folder, ".resource_types", f"{name}.pp")
    stamp = sandbox.get_stamp(settings, path)
    if stamp is None:
        return None
    record = _record(sandbox.read_head(path, _LONGEST).decode("utf-8", "replace"))
    return resource_types.module_facts(name, settings.directory.name, record, provided=False)


@memoize(1024)
def _record(text: str) -> Record | None:
    found: Record | None = None
    with suppress(PuppetError, Failure, AttributeError, TypeError, ValueError):
        found = resource_types.sources.read_generated(parse_bounded(text, PUPPET))
    return found
