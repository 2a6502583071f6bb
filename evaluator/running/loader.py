"""The loader of definitions from files of modules, on first use of a name.

In this order: `ModuleLoader` for files in Puppet, the `metadata.json` that decides whether a module is used, and
`RubyFunctions` for files in Ruby. `program.modules` lists the files; here they are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from evaluator import resource_types
from evaluator.calling.registry import find_function, to_plain_name
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.compiler.definitions import collect_definitions
from evaluator.compiler.emitter import CompilationUnit
from evaluator.issues import Failure, format_message, require
from evaluator.limits import NESTING, SOURCE
from evaluator.program import effects, sandbox, source_cache, stat_cache
from evaluator.program.modules import (
    LEGACY,
    MODERN,
    RUBY_FOLDERS,
    RubyFile,
    find_environment_functions,
    find_ruby_functions,
    is_built_in,
)
from evaluator.program.source_cache import parse_bounded
from evaluator.program.state import LoadedFile
from evaluator.program.tracing import locate_in_caller
from evaluator.running.registration import register_definitions
from evaluator.values import Value, to_ruby_text
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.ruby.functions import RubyFunction
    from evaluator.running.runtime import Runtime

# The folder of a module with the files of each kind of definition, a table of `Definitions`.
_FOLDERS = {"classes": "manifests", "defines": "manifests", "functions": "functions", "types": "types"}
# The name of the file in such a folder that defines a class or type with the name of the module itself.
_MAIN_FILES = {"manifests": "init", "types": "init_typeset"}
_RUBY_TYPES = "lib/puppet/datatypes"  # the folder of data types in Ruby


def _check_single_definition(
    name: str,
    path: str,
    program: nodes.Program,
    *,
    word: str,
    node_class: type[nodes.Function | nodes.TypeAlias],
    missing_reason: str,
    other_name_code: str,
    normalize: Callable[[str], str],
) -> None:
    """Raise Failure unless a file consists of the definition of a name.

    Args:
        word: The word for such a definition in messages.
        node_class: The class of its node.
        missing_reason: The reason in the message about a file without one.
        other_name_code: The issue for a definition with another name.
        normalize: Converts its name to the form in which it is looked up.
    """
    body = program.body
    require(not isinstance(body, nodes.Block), "FILE_HAS_MORE", path=path, kind=word, name=name)
    if not isinstance(body, node_class):
        reason = "it is empty" if isinstance(body, nodes.Nop) else missing_reason
        raise Failure("FILE_HAS_NO_DEFINITION", path=path, kind=word, name=name, reason=reason)
    require(normalize(body.name) == name, other_name_code, path=path, expected=name, actual=body.name)


# The kinds whose files contain exactly one definition, each with the check of a file.
_SINGLE_DEFINITIONS = {
    "functions": partial(
        _check_single_definition,
        word="function",
        node_class=nodes.Function,
        missing_reason="no function found",
        other_name_code="FILE_HAS_OTHER_FUNCTION",
        normalize=str,
    ),
    "types": partial(
        _check_single_definition,
        word="type",
        node_class=nodes.TypeAlias,
        missing_reason="no type alias or type definition found",
        other_name_code="FILE_HAS_OTHER_TYPE",
        normalize=str.lower,
    ),
}


class ModuleLoader(Record):
    """A loader of definitions from `module/{manifests,functions,types}` by qualified name.

    A process parses and compiles each file once, and again when it changes. Modules are written for the
    released Puppet and are compiled in that dialect whatever the session's.
    """

    runtime: Runtime

    def load(self, kind: str, name: str) -> bool:
        """Register the files that may define a name, until one does; return True if any was new.

        A class or define may be in the file of its own name or in one of an enclosing namespace. The main file of the
        module (`init.pp`) is always read first.

        Args:
            kind: A key of `_FOLDERS`.
            name: The qualified name in lower case.
        """
        state, run = self.runtime.state, stat_cache.get_run()
        if run is not None and state.absent.get((kind, name)) is run:
            effects.depend_on_files()
            if kind == "types":
                state.definitions.defines.get(name)  # records in the read set that it does not exist
            return False
        try:
            is_any_new = sandbox.is_name(name) and self._load(kind, name)
        except PuppetError as problem:
            locate_in_caller(problem)
            raise
        # If programs share an alias of that name, it depends on further names whether the alias is registered: then the
        # loader must look at them again, so that they are recorded in the read set.
        if not is_any_new and not (kind == "types" and name in self.runtime.environment.aliases):
            state.absent[kind, name] = run
        return is_any_new

    def _load(self, kind: str, name: str) -> bool:
        """Register the files that may define a name, without looking at names known to be absent."""
        module, *inner = name.split("::")
        if not self.is_usable(module):
            return False
        if kind == "types":
            if self._is_define(name):
                return False
            return self._load_shared_alias(name) or self._load_alias(name)
        if _FOLDERS[kind] != "manifests":
            return self._load_file(kind, name, name)
        is_any_new = self._load_file(kind, name, module)
        definitions = self.runtime.state.definitions
        for length in range(len(inner), 0, -1):
            is_any_new |= self._load_file(kind, name, "::".join((module, *inner[:length])))
            if name in definitions.classes or name in definitions.defines:
                break
        return is_any_new

    def _is_define(self, name: str) -> bool:
        """Return True for the name of a define, which comes before a type of that name."""
        defines = self.runtime.state.definitions.defines
        if name not in defines and self.find_path("defines", name) is not None:
            self.load("defines", name)
        return name in defines

    def _load_shared_alias(self, name: str) -> bool:
        """Register an alias that programs share; return False if its names mean others here."""
        shared = self.runtime.environment.find_alias(name)
        if shared is None:
            return False
        definitions = self.runtime.state.definitions
        for member in shared.closure:
            if (
                definitions.types.get(member.name, member.declaration) is not member.declaration
                or self._is_define(member.name)
                or not self.is_usable(member.name.split("::")[0])
            ):
                return False
        for member in shared.closure:
            if member.path not in definitions.loaded:
                definitions.loaded[member.path] = None
                definitions.types[member.name] = member.declaration
        effects.depend_on_files()
        return True

    def _load_alias(self, name: str) -> bool:
        """Register the file of a type, with the files on which its declaration depends."""
        with stat_cache.record_dependencies() as dependencies:
            is_new = self._load_file("types", name, name)
        declared = self.runtime.state.definitions.types.get(name) if is_new else None
        if declared is not None:
            declared.path, declared.dependencies = declared.source.name, dependencies
        return is_new

    def _load_file(self, kind: str, name: str, owner: str) -> bool:
        """Register the file that belongs to a name; return True if it exists and is new.

        Args:
            name: The name that is looked up.
            owner: The name whose file is read: the same one, or that of a namespace around it.
        """
        path = self.find_path(kind, owner)
        loaded = self.runtime.state.definitions.loaded
        if path is None or path in loaded:
            return False
        loaded[path] = None
        source = self.runtime.load_source(lambda: self._parse_file(path))
        if kind in _SINGLE_DEFINITIONS:
            _SINGLE_DEFINITIONS[kind](name, path, source.tree)
        file = self.runtime.files.pop(path, None)
        if file is None or file.unit.compiled_source is not source:
            unit = CompilationUnit(self.runtime, source, self.runtime.settings.dialect.of_modules)
            file = LoadedFile(unit, collect_definitions(unit, name.split("::")[0]))
        loaded[path] = file
        register_definitions(file.unit, file.definitions, self.runtime.state.definitions)
        return True

    def is_usable(self, module: str) -> bool:
        """Return False for a module with unusable `metadata.json`; its fault is logged once."""
        fault = self._read_metadata(module).fault
        if fault is None:
            return True
        level, text = fault
        if level and text not in self.runtime.state.warned:
            self.runtime.state.warned.add(text)
            self.runtime.log(level, text)
        return bool(level != "err")

    def get_data_provider(self, module: str) -> Value:
        """Return the data provider that the `metadata.json` of a module names; None for none."""
        return self._read_metadata(module).data_provider

    def _read_metadata(self, module: str) -> _Metadata:
        settings = self.runtime.settings
        query = module, settings.modulepath, settings.strict
        return stat_cache.memoize_query(("metadata", query), lambda: _find_metadata(*query))

    def has_module(self, name: str) -> bool:
        """Return True when the module path contains a module of that name."""
        return sandbox.find_in_module(self.runtime.settings.modulepath, name, kind=sandbox.FOLDER) is not None

    def find_path(self, kind: str, name: str) -> str | None:
        """Return the path of the file that belongs to a name; None without one."""
        effects.depend_on_files()
        return self.runtime.environment.memoize_query((kind, name), lambda: self._find_file(kind, name))

    def _find_file(self, kind: str, name: str) -> str | None:
        name = name.removeprefix("::")
        if not sandbox.is_name(name):
            return None
        segments = name.split("::")
        folder = _FOLDERS[kind]
        if len(segments) == 1:
            own = self._find_environment_file(folder, name) if kind in _SINGLE_DEFINITIONS else None
            if own is not None or folder not in _MAIN_FILES:
                return own
            segments = [segments[0], _MAIN_FILES[folder]]
        modulepath, (module, *inner) = self.runtime.settings.modulepath, segments
        path = "/".join(segments)
        in_ruby = (
            sandbox.find_in_module(modulepath, module, _RUBY_TYPES, f"{path}.rb") if kind == "types" else None
        )
        return in_ruby or sandbox.find_in_module(modulepath, module, folder, f"{'/'.join(inner)}.pp")

    def _find_environment_file(self, folder: str, name: str) -> str | None:
        """Return the file of a function or type of the environment itself, whose name has no `::`."""
        directory = self.runtime.settings.directory
        if directory is None:
            return None
        root, own = os.path.split(directory.folder)
        return sandbox.find_in_module((root,), own, folder, f"{name}.pp")

    def parse(self, path: str) -> nodes.Program:
        """Return the program of a file without registering it. Raises Failure and PuppetError."""
        return self._parse_file(path).tree

    def _parse_file(self, path: str) -> CompiledSource:
        settings = self.runtime.settings
        modulepath, dialect = settings.modulepath, settings.dialect.of_modules
        purpose = "manifest", dialect.name, settings.strict, modulepath, SOURCE.value, NESTING.value

        def parse(text: str) -> CompiledSource:
            return CompiledSource(
                parse_bounded(text, dialect, name=path, strict=settings.strict, modulepath=modulepath)
            )

        if path.endswith(".rb"):
            statement = resource_types.sources.read_data_type(sandbox.read_source(settings, path))
            return source_cache.load_text(path, statement, purpose, parse)
        return source_cache.load(settings, path, purpose, parse)


# --- metadata of modules

# Keys that `metadata.json` must have, in the order in which Puppet checks them.
_NEEDED = ("source", "author", "version", "license", "dependencies")
# The log level for a file that is not JSON, by the setting `strict`; "" for no line.
_UNREADABLE = {"off": "", "warning": "warning", "error": "err"}

# The level of the log line ("" for none) and its message.
_MetadataFault = tuple[str, str]


class _Metadata(NamedTuple):
    """The result of reading a `metadata.json`.

    Attributes:
        fault: Its fault, with whose level "err" the module is unusable; None without one.
        data_provider: The data provider that it names; None for none.
    """

    fault: _MetadataFault | None = None
    data_provider: Value = None


def _find_metadata(module: str, modulepath: tuple[str, ...], strict: str) -> _Metadata:
    """Return the metadata of a module; nothing without the file."""
    path = sandbox.find_in_module(modulepath, module, "metadata.json")
    return (
        _Metadata() if path is None else _read_metadata(module, path, strict, sandbox.get_module_stamp(path))
    )


@memoize(1024)
def _read_metadata(module: str, path: str, strict: str, stamp: tuple[int, ...] | None) -> _Metadata:
    """Return the metadata in a file; `stamp` identifies its version."""
    try:
        # As for Ruby, an empty file contains nothing, and the bytes of strings need not be UTF-8.
        metadata = _parse_json((sandbox.read_named(path) or b"{}").decode("utf-8", "replace"))
    except Failure as problem:
        return _Metadata((_UNREADABLE[strict], _format_fault("METADATA_SYNTAX", module, reason=str(problem))))
    provider = metadata.get("data_provider") if isinstance(metadata, dict) else None
    return _Metadata(_find_metadata_fault(module, metadata), provider)


def _find_metadata_fault(module: str, metadata: Value) -> _MetadataFault | None:
    """Return the fault of the data in a `metadata.json`; None without one."""
    if metadata in ({}, [], ""):
        return None
    if not isinstance(metadata, dict):
        return "err", _format_fault("METADATA_KIND", module, actual=to_ruby_text(metadata))
    for key in _NEEDED:
        if metadata.get(key) is None:
            return "err", _format_fault("METADATA_LACKS", module, key=key)
    return _find_type_fault(module, metadata)


def _parse_json(text: str) -> Value:
    """Return the data of a JSON text that may contain comments. Raises Failure."""
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        function = find_function("parsejson")
        assert function is not None
        return function.overloads[0].body(text)


def _find_type_fault(module: str, metadata: Mapping[str, Value]) -> _MetadataFault | None:
    """Return the fault of the first value in metadata that has a wrong type, or None."""
    dependencies = metadata["dependencies"]
    if not isinstance(dependencies, list):
        return "err", _format_fault("METADATA_DEPENDENCIES", module, actual=to_ruby_text(dependencies))
    wrong = [entry for entry in dependencies if not isinstance(entry, dict)]
    named = [metadata, *(entry for entry in dependencies if isinstance(entry, dict))]
    wrong += [entry["name"] for entry in named if not isinstance(entry.get("name") or "", str)]
    return ("err", _format_fault("METADATA_KIND", module, actual=to_ruby_text(wrong[0]))) if wrong else None


def _format_fault(code: str, module: str, **arguments: object) -> str:
    return format_message(code, {"module": module, **arguments})


# --- functions in Ruby


class RubyFunctions(Record):
    """The functions that modules define in Ruby, where the session permits to run it.

    The folders of the modules are searched once for a module path. A file that contains exactly a built-in
    function needs no Ruby and counts as missing.

    Attributes:
        others: Functions by name that loaded files define besides those after which they are named.
    """

    _program: Runtime
    others: dict[str, RubyFunction] = fresh(factory=dict)
    _functions: dict[tuple[str, int], RubyFunction] = fresh(factory=dict)

    def has_function(self, name: str) -> bool:
        """Return True for the name of a function that a module has in Ruby and that may run."""
        interface = self._find_interface(name)
        return interface is not None and not self._is_built_in(name, interface)

    def find_function(self, name: str) -> RubyFunction | None:
        """Return the function of a name, of the newer interface first; None without one."""
        interface = self._find_interface(name)
        if interface is None:
            return self.others.get(name)
        return None if self._is_built_in(name, interface) else self._get_function(name, interface)

    def _find_interface(self, name: str) -> int | None:
        """Return the newest interface of a function of a usable module, or None."""
        for interface, files in self._get_files().items():
            if name in files:
                module, loader = files[name].path_in_root.partition("/")[0], self._program.names.loader
                return interface if interface == LEGACY or loader.is_usable(module) else None
        return None

    def find_legacy_function(self, name: str) -> RubyFunction | None:
        """Return the function of a name with the older interface; None without one."""
        name = to_plain_name(name)
        if name not in self._get_files().get(LEGACY, ()):
            return None
        if self._is_built_in(name, LEGACY) and not self.has_function(name):
            return None
        return self._get_function(name, LEGACY)

    def _get_files(self) -> dict[int, dict[str, RubyFile]]:
        """Return the files by interface and name; none where Ruby may not run.

        The newer interface comes first.
        """
        if "ruby" not in self._program.settings.permissions:
            return {}
        return self._program.environment.memoize_query("functions in Ruby", self._list_files)

    def _list_files(self) -> dict[int, dict[str, RubyFile]]:
        """Search the folders of modules and of the environment; see `_get_files`."""
        settings = self._program.settings
        return {
            interface: find_ruby_functions(settings.modulepath, folder)
            | find_environment_functions(settings.directory, folder)
            for interface, folder in RUBY_FOLDERS.items()
        }

    def _is_built_in(self, name: str, interface: int) -> bool:
        """Return True when the file contains exactly the built-in function of that name.

        A function that its module defines for both interfaces is built in as both together; a function of the
        module with the same name may hide the newer one.
        """
        return self._program.environment.memoize_query(
            ("built in", name, interface), lambda: self._query_built_in(name, interface)
        )

    def _query_built_in(self, name: str, interface: int) -> bool:
        files = self._get_files()
        path = files[interface][name].path
        if interface == LEGACY and name not in files[MODERN]:
            newer = path.replace(f"/{RUBY_FOLDERS[LEGACY]}/", f"/{RUBY_FOLDERS[MODERN]}/")
            if sandbox.get_module_stamp(newer) is not None:
                return False
        return find_function(name) is not None and is_built_in(self._program.settings, path)

    def _get_function(self, name: str, interface: int) -> RubyFunction:
        path = self._get_files()[interface][name].path
        function = self._functions.get((name, interface))
        if function is None or function.path != path:
            from evaluator.ruby import functions  # few programs run Ruby

            function = self._functions[name, interface] = functions.RubyFunction(name, interface, path)
        return function
