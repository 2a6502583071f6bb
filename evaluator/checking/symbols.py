"""The symbol table of a check: names in the inputs, in the modules around them, and built in.

Nothing is evaluated. A file is parsed when a name leads to it; modules may be outside of the module path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from typing import Any, NamedTuple

from evaluator import facts, resource_types, types
from evaluator.calling import registry
from evaluator.catalog.model import capitalize_name
from evaluator.checking.names import PREDEFINED_VARIABLES, ProgramNames, VariableScope
from evaluator.facts import forms
from evaluator.issues import Failure
from evaluator.program import modules, sandbox
from evaluator.program.modules import get_type_facts
from evaluator.program.repositories import find_module_root
from evaluator.program.source_cache import parse_bounded
from evaluator.session.environment import read_environment
from evaluator.session.session import Session
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh
from lexer_parser.validation.module_files import split_module_path

_DEFINITION = re.compile(
    r"^[ \t]*(class|define|function|type)[ \t]+(?:::)?([A-Za-z]\w*(?:::\w+)*)", re.MULTILINE
)
# Code that sets variables for all classes.
_SETS_SITE_VARIABLES = re.compile(r"^(?:\$|\[ *\$|node\b)", re.MULTILINE)
_FACT = re.compile(rb"Facter\.add\(\s*[:'\"]+(\w+)")
# names of facts of which a machine has one for each device
_NUMBERED_FACT = re.compile(
    r"(?:ipaddress6?|netmask6?|network6?|macaddress|mtu|processor|speed|blockdevice|mountpoint|sp|ssh|zone|ldom|"
    r"dhcp|scope6|boardserialnumber|bios|chassis|ec2|gce)_?\w*"
)
_KNOWN_AT_TOP = PREDEFINED_VARIABLES | {
    "aio_agent_version",
    "is_pe",
    "is_virtual",
    "kernelmajversion",
    "pe_build",
    "virtual",
}

Inputs = Iterable[tuple[str, str]]  # ("code", text) or ("file", path)


class RubyNames(Record):
    """Names that modules define in Ruby; those of data types are in lower case."""

    functions: set[str] = fresh(factory=set)
    facts: set[str] = fresh(factory=set)
    data_types: set[str] = fresh(factory=set)


class InputNames(NamedTuple):
    """The names that the inputs of a check define.

    Attributes:
        definition_files: The file of each definition by its kind and name, such as ("class", "ntp").
        site_variables: The variables that are set for all classes.
    """

    definition_files: dict[tuple[str, str], str]
    site_variables: set[str]


class SymbolTable:
    """The names that programs which are checked together can use.

    Attributes:
        strict: The severity of a variable that is never set: "off", "warning" or "error".
        modulepath: The folders of modules: those of the settings and those that contain the inputs.
        complete: True if the module path is known: a name that no module on it defines does not exist.
        names_in_file: Returns the names in a file; None if it cannot be parsed.
        find_scope: Returns the scope of a class, define or function; None if there is none, or it cannot be parsed.
        find_type_attributes: Returns the attributes of a resource type that is no define; None if they are not known.
    """

    def __init__(self, inputs: Inputs, read: Callable[[str], str], settings: Mapping[str, Any]) -> None:
        self._read = read
        self.names_in_file = cache(self._read_names)
        self.find_scope = cache(self._load_scope)
        self.find_type_attributes = cache(self._load_type_attributes)
        files = [os.path.abspath(value) for kind, value in inputs if kind == "file" and value != "-"]
        self.strict = "error" if settings.get("strict_variables") else settings.get("strict", "warning")
        modulepath = tuple(map(os.path.abspath, settings.get("modulepath", ())))
        if settings.get("environment") is not None:
            environment = read_environment(
                settings["environment"], base_modulepath=modulepath, name=None, allowed=lambda path: True
            )
            modulepath = environment.modulepath
            manifest = environment.manifest
            files += [manifest] if manifest.endswith(".pp") else find_files(manifest, ".pp")
        self.complete = bool(modulepath)
        folders, self._roots = find_modules_of(files, modulepath)
        self.modulepath = (*modulepath, *(folder for folder in folders if folder not in modulepath))
        files += [path for root in self._roots for path in find_files(root, ".pp")]
        # The inputs, the manifests of the environment, and those of the modules that contain inputs.
        self._files = dict.fromkeys(files)
        # The resource types that these modules have in Ruby.
        self._own_types = {
            os.path.basename(path).removesuffix(".rb")
            for root in self._roots
            for path in find_files(os.path.join(root, "lib/puppet/type"), ".rb")
        }
        session = Session("puppet", modulepath=self.modulepath, facts=settings.get("facts"))
        self._facts = collect_known_facts().union(session.facts)
        self._settings = session.runtime.settings
        self._loader = session.runtime.names.loader

    # --- definitions

    @cached_property
    def _input_names(self) -> InputNames:
        """The names that the inputs define. Only inputs with site variables are parsed for it."""
        definition_files: dict[tuple[str, str], str] = {}
        variables: set[str] = set()
        for path in self._files:
            with suppress(ValueError):
                text = self._read(path)
                for kind, name in _DEFINITION.findall(text):
                    definition_files.setdefault((kind, name.lower()), path)
                if _SETS_SITE_VARIABLES.search(text):
                    names = self.names_in_file(path)
                    if names is not None:
                        variables |= collect_site_variables(names)
        return InputNames(definition_files, variables)

    def _read_names(self, path: str) -> ProgramNames | None:
        """Return the names in a file; None if it cannot be parsed."""
        with suppress(PuppetError, Failure, ValueError):
            return ProgramNames(parse_bounded(self._read(path), PUPPET, name=path))
        return None

    def _load_scope(self, kind: str, name: str) -> VariableScope | None:
        """Return the scope of a class, define or function; None if there is none, or it cannot be parsed."""
        for path in self._list_files(kind, name):
            names = self.names_in_file(path) if path is not None else None
            scope = names.definitions.get((kind, name)) if names is not None else None
            if scope is not None:
                return scope
        return None

    def _list_files(self, kind: str, name: str) -> Iterator[str | None]:
        """Yield the input that defines a name, or else the files of modules that may define it."""
        if (kind, name) in self._input_names.definition_files:
            yield self._input_names.definition_files[kind, name]
            return
        table = {"class": "classes", "define": "defines", "function": "functions"}[kind]
        if kind == "function":
            yield self._loader.find_path(table, name)
            return
        segments = name.split("::")  # the definition may be inside of that of an outer name
        for length in range(len(segments), 0, -1):
            yield self._loader.find_path(table, "::".join(segments[:length]))

    def has(self, kind: str, name: str) -> bool:
        """Return whether a class, define or function of this name is written in Puppet somewhere."""
        return (kind, name) in self._input_names.definition_files or self.find_scope(kind, name) is not None

    def knows_namespace(self, name: str) -> bool:
        """Return whether the module of a qualified name is available, so that its names are known."""
        first, inside, _ = name.partition("::")
        if not inside:
            return False
        return self._loader.has_module(first) or first in self._complete_modules

    @property
    def _complete_modules(self) -> set[str]:
        """The names of the modules, outside folders of modules, of which all files are known."""
        return {
            name.partition("::")[0]
            for (_, name), path in self._input_names.definition_files.items()
            if find_module_root(path) in self._roots
        }

    # --- functions and types

    def is_function(self, name: str) -> bool:
        """Return whether there is a function of this name, in whatever language."""
        return (
            registry.find_function(name) is not None
            or name in self._ruby.functions
            or self.has("function", name)
        )

    def is_type(self, name: str) -> bool:
        """Return whether resources of this type can be declared."""
        return (
            modules.is_resource_type(name, self.modulepath)
            or name in self._own_types
            or name in resource_types.list_reserved_names()
            or self.has("define", name)
        )

    def is_data_type(self, name: str, dialect: Dialect) -> bool:
        """Return whether a lower-case name is that of a data type, a resource type, an alias or a define."""
        return (
            types.find_builtin_type(name, dialect) is not None
            or self.is_type(name)
            or self._find_alias_file(name) is not None
            or self._is_in_set(name)
            or name in self._ruby.data_types
        )

    def _find_alias_file(self, name: str) -> str | None:
        """Return the file that defines a type alias; None if there is none."""
        return self._input_names.definition_files.get(("type", name)) or self._loader.find_path("types", name)

    def _is_in_set(self, name: str) -> bool:
        """Return whether the namespace of a name is a type set, which may declare it."""
        owner = name.rpartition("::")[0]
        path = self._find_alias_file(owner) if owner else None
        with suppress(ValueError):
            return path is not None and "TypeSet" in self._read(path)
        return False

    def _load_type_attributes(self, kind: str) -> frozenset[str] | None:
        """Return the attributes of a resource type that is no define; None if they are not known."""
        type_facts = None if kind in self._own_types else get_type_facts(self._settings, kind)
        return None if type_facts is None or type_facts.failure else type_facts.valid

    def find_definition(self, kind: str, title: str) -> VariableScope | None:
        """Return the scope of the class or define of a resource; None if there is none."""
        return self.find_scope("class", title) if kind == "class" else self.find_scope("define", kind)

    # --- candidates for similar names

    def list_candidate_functions(self, name: str) -> Iterable[str]:
        """Return the names of functions that may be meant by `name`."""
        return {
            *registry.list_function_names(),
            *self._ruby.functions,
            *self._iterate_input_names("function"),
            *self._iterate_module_names("functions", name),
        }

    def list_candidate_classes(self, name: str) -> Iterable[str]:
        """Return the names of classes that may be meant by `name`."""
        return {
            *self._iterate_input_names("class"),
            *(name for name, _ in modules.iterate_names(self.modulepath, "manifests", name)),
        }

    def list_candidate_types(self, name: str) -> Iterable[str]:
        """Return the names of resource types and defines that may be meant by `name`."""
        return {
            *resource_types.list_names(),
            *modules.list_module_types(self.modulepath),
            *self._own_types,
            *self._iterate_input_names("define"),
            *self._iterate_module_names("manifests", name),
        }

    def list_candidate_data_types(self, name: str, dialect: Dialect) -> Iterable[str]:
        """Return the names of types, as they are written, that may be meant by `name`."""
        aliases = {*self._iterate_input_names("type"), *self._iterate_module_names("types", name)}
        capitalized = map(capitalize_name, (*aliases, *self.list_candidate_types(name)))
        return {*types.list_builtin_names(dialect), *capitalized}

    def _iterate_module_names(self, folder: str, name: str) -> Iterator[str]:
        """Yield the names in the module of a qualified name."""
        return (
            module_name
            for module_name, _ in modules.iterate_names(self.modulepath, folder, name)
            if "::" in name
        )

    def _iterate_input_names(self, kind: str) -> Iterator[str]:
        return (name for other, name in self._input_names.definition_files if other == kind)

    # --- variables

    def is_known_variable(self, name: str) -> bool:
        """Return whether a variable of the top scope is set by Puppet, a fact, or set by an input."""
        return (
            name in _KNOWN_AT_TOP
            or name in self._facts
            or name in self._input_names.site_variables
            or name in self._ruby.facts
            or _NUMBERED_FACT.fullmatch(name) is not None
        )

    def list_known_variables(self) -> Iterable[str]:
        """Return the known names of variables of the top scope."""
        return {*_KNOWN_AT_TOP, *self._facts, *self._input_names.site_variables, *self._ruby.facts}

    # --- Ruby code of modules

    @cached_property
    def _ruby(self) -> RubyNames:
        roots = [os.path.join(root, name) for root in self.modulepath for name in sandbox.list_modules(root)]
        return scan_ruby([*roots, *self._roots])


def find_modules_of(files: list[str], modulepath: tuple[str, ...]) -> tuple[dict[str, None], dict[str, None]]:
    """Return the folders of modules that contain files, and the other modules that do.

    A folder of modules is one of the module path, or has the name `modules`. Both results are ordered sets.
    """
    folders: dict[str, None] = {}
    roots: dict[str, None] = {}
    for path in files:
        parts = split_module_path(path, modulepath)
        if parts is None:
            root = find_module_root(path)
            if root is not None:
                roots[root] = None
        elif len(parts) > 2:
            folders[path.removesuffix("/" + "/".join(parts))] = None
    return folders, roots


@memoize(unbounded_because="one result")
def collect_known_facts() -> frozenset[str]:
    """Return the names of the facts that machines are known to have."""
    fact_sets = (facts.read_facts(name, "localhost") for name in (None, *facts.list_fact_sets()))
    return frozenset({*forms.NAMES, *(name for fact_set in fact_sets for name in fact_set)})


def collect_site_variables(names: ProgramNames) -> set[str]:
    """Return the variables that a program sets for all classes: outside of them, and in node definitions."""
    return names.top.variables.union(*(body.variables for body in names.nodes))


def scan_ruby(roots: Iterable[str]) -> RubyNames:
    """Return the names in the Ruby code of modules."""
    names = RubyNames()
    for root in roots:
        for folder in modules.RUBY_FOLDERS.values():
            names.functions.update(_iterate_ruby_names(os.path.join(root, folder)))
        for name in _iterate_ruby_names(os.path.join(root, "lib/puppet/datatypes")):
            names.data_types.add(name.replace("_", ""))
        for path in find_files(os.path.join(root, "lib/facter"), ".rb"):
            names.facts.add(os.path.basename(path).removesuffix(".rb"))
            with suppress(OSError), open(path, "rb") as file:
                names.facts.update(name.decode() for name in _FACT.findall(file.read()))
    return names


def _iterate_ruby_names(folder: str) -> Iterator[str]:
    """Yield the names of the Ruby files in a folder as Puppet's: `a::b` for `a/b.rb`."""
    for path in find_files(folder, ".rb"):
        yield os.path.relpath(path, folder).removesuffix(".rb").replace(os.sep, "::")


def find_files(folder: str, ending: str) -> Iterator[str]:
    """Yield the files below a folder whose names have an ending, in order."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names) if name.endswith(ending))
