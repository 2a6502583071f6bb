"""What there is to name: in the inputs that are checked together, in the modules around them, and built in.

Nothing is evaluated. A file is read when a name leads to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from evaluator import facts, resource_types, types
from evaluator.calling import registry
from evaluator.catalog.model import capitalize_name
from evaluator.checking.folders import below, module_root
from evaluator.checking.reading import FILLED, Body, Reading
from evaluator.facts import legacy
from evaluator.issues import Failure
from evaluator.program import modules, sandbox
from evaluator.program.source_cache import parse_bounded
from evaluator.program.type_files import get_type_facts
from evaluator.session.environment import read_environment as environment_in
from evaluator.session.session import Session
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.validation.modules import module_parts

_DEFINITION = re.compile(
    r"^[ \t]*(class|define|function|type)[ \t]+(?:::)?([A-Za-z]\w*(?:::\w+)*)", re.MULTILINE
)
_SITE = re.compile(r"^(?:\$|\[ *\$|node\b)", re.MULTILINE)  # what gives variables to all classes
_FACT = re.compile(rb"Facter\.add\(\s*[:'\"]+(\w+)")
# names of facts of which a machine has several
_NUMBERED = re.compile(
    r"(?:ipaddress6?|netmask6?|network6?|macaddress|mtu|processor|speed|blockdevice|mountpoint|sp|ssh|zone|ldom|"
    r"dhcp|scope6|boardserialnumber|bios|chassis|ec2|gce)_?\w*"
)
_GIVEN = FILLED | {"aio_agent_version", "is_pe", "is_virtual", "kernelmajversion", "pe_build", "virtual"}

Inputs = Iterable[tuple[str, str]]  # ("code", text) or ("file", path)


class World:
    """What can be named by programs that are checked together.

    inputs    the programs;  read  gives the text of a file, raises ValueError when it cannot
    settings  what a Session of theirs is given, by name; folders of modules around the inputs come with its path
    strict    what a variable that is set nowhere counts: "off", "warning" or "error"
    """

    def __init__(self, inputs: Inputs, read: Callable[[str], str], settings: Mapping[str, Any]) -> None:
        self._read = read
        self._readings: dict[str, Reading | None] = {}
        self._valid: dict[str, frozenset[str] | None] = {}
        self._bodies: dict[tuple[str, str], Body | None] = {}
        files = [os.path.abspath(value) for kind, value in inputs if kind == "file" and value != "-"]
        self.strict = "error" if settings.get("strict_variables") else settings.get("strict", "warning")
        given = tuple(map(os.path.abspath, settings.get("modulepath", ())))
        if settings.get("environment") is not None:
            directory = environment_in(settings["environment"], given, None, lambda path: True)
            given = directory.modulepath
            files += _manifests(directory.manifest)
        self.complete = bool(given)  # whether what no module of the path has is nowhere
        self._roots: dict[str, None] = {}  # of modules that no module path tells
        around = dict.fromkeys(root for path in files if (root := self._around(path, given)) is not None)
        self.modulepath = (*given, *(root for root in around if root not in given))
        self._files = dict.fromkeys(files)
        for root in self._roots:
            self._files |= dict.fromkeys(below(root, ".pp"))
        self._own_types = {
            os.path.basename(path).removesuffix(".rb")
            for root in self._roots
            for path in below(os.path.join(root, "lib/puppet/type"), ".rb")
        }
        session = Session("puppet", modulepath=self.modulepath, facts=settings.get("facts"))
        self._facts = facts_known().union(session.facts)
        self._settings = session.runtime.settings
        self._loader = session.runtime.names.loader

    def _around(self, path: str, given: tuple[str, ...]) -> str | None:
        """The folder of modules in which a file stands; one outside such a folder is kept with its module."""
        parts = module_parts(path, given)
        if parts is not None:
            return path.removesuffix("/" + "/".join(parts)) if len(parts) > 2 else None
        root = module_root(path)
        if root is not None:
            self._roots[root] = None
        return None

    # --- what defines what

    @property
    def scanned(self) -> dict[tuple[str, str], str]:
        """What the inputs define: (kind, name) -> the file."""
        return self._scan[0]

    @property
    def _scan(self) -> tuple[dict[tuple[str, str], str], set[str]]:
        if not hasattr(self, "_scanned"):
            self._scanned = self._scan_files()
        return self._scanned

    def _scan_files(self) -> tuple[dict[tuple[str, str], str], set[str]]:
        """What the files define, and the variables that they set for all classes."""
        found: dict[tuple[str, str], str] = {}
        variables: set[str] = set()
        for path in self._files:
            with suppress(ValueError):
                text = self._read(path)
                for kind, name in _DEFINITION.findall(text):
                    found.setdefault((kind, name.lower()), path)
                if _SITE.search(text):
                    reading = self.reading(path)
                    if reading is not None:
                        variables |= site_variables(reading)
        return found, variables

    def reading(self, path: str) -> Reading | None:
        """What a file says; None when it cannot be read."""
        if path not in self._readings:
            self._readings[path] = None
            with suppress(PuppetError, Failure, ValueError):
                self._readings[path] = Reading(parse_bounded(self._read(path), PUPPET, name=path))
        return self._readings[path]

    def body(self, kind: str, name: str) -> Body | None:
        """The body that defines a class, define or function; None when there is none, or it cannot be read."""
        if (kind, name) not in self._bodies:
            self._bodies[kind, name] = self._find_body(kind, name)
        return self._bodies[kind, name]

    def _find_body(self, kind: str, name: str) -> Body | None:
        path = self.scanned.get((kind, name))
        for place in [path] if path is not None else self._candidates(kind, name):
            reading = self.reading(place) if place is not None else None
            found = reading.defined.get((kind, name)) if reading is not None else None
            if found is not None:
                return found
        return None

    def _candidates(self, kind: str, name: str) -> Iterator[str | None]:
        """The files of modules that may define a name."""
        table = {"class": "classes", "define": "defines", "function": "functions"}[kind]
        if kind == "function":
            yield self._loader.path(table, name)
            return
        segments = name.split("::")
        for length in range(len(segments), 0, -1):
            yield self._loader.path(table, "::".join(segments[:length]))

    def has(self, kind: str, name: str) -> bool:
        """Whether a class, define or function of this name is written in Puppet somewhere."""
        return (kind, name) in self.scanned or self.body(kind, name) is not None

    def knows_namespace(self, name: str) -> bool:
        """Whether the module of a qualified name is there, so that what it has can be told."""
        first, inside, _ = name.partition("::")
        if not inside:
            return False
        return self._loader.has_module(first) or first in self._whole

    @property
    def _whole(self) -> set[str]:
        """The names of the modules, outside folders of modules, of which all files are known."""
        return {
            name.partition("::")[0]
            for (_, name), path in self.scanned.items()
            if module_root(path) in self._roots
        }

    # --- functions and types

    def is_function(self, name: str) -> bool:
        """Whether there is a function of this name, in whatever language."""
        return registry.lookup(name) is not None or name in self._ruby[0] or self.has("function", name)

    def is_type(self, name: str) -> bool:
        """Whether resources of this type can be declared."""
        return (
            modules.is_resource_type(name, self.modulepath)
            or name in self._own_types
            or name in resource_types.reserved_names()
            or self.has("define", name)
        )

    def is_data_type(self, name: str, dialect: Dialect) -> bool:
        """Whether there is a type of this name, in lower case: of data, of resources, an alias or a define."""
        return (
            types.named(name, dialect) is not None
            or self.is_type(name)
            or self._alias(name) is not None
            or self._is_in_set(name)
            or name in self._ruby[2]
        )

    def _alias(self, name: str) -> str | None:
        """The file that defines a type alias."""
        return self.scanned.get(("type", name)) or self._loader.path("types", name)

    def _is_in_set(self, name: str) -> bool:
        """Whether one of the names around a name is that of a set of types, which may declare it."""
        owner = name.rpartition("::")[0]
        path = self._alias(owner) if owner else None
        with suppress(ValueError):
            return path is not None and "TypeSet" in self._read(path)
        return False

    def attributes(self, kind: str, title: str) -> frozenset[str] | None:
        """What can be set on a class, define or resource; None when that is not known."""
        definition = self._definition(kind, title)
        if definition is not None:
            return resource_types.METAPARAMETERS.union(definition.parameters)
        return None if kind == "class" else self._attributes_of(kind)

    def _attributes_of(self, kind: str) -> frozenset[str] | None:
        """What can be set on a resource of a type that is no define; None when that is not known."""
        if kind not in self._valid:
            known = None if kind in self._own_types else get_type_facts(self._settings, kind)
            self._valid[kind] = None if known is None else known.valid
        return self._valid[kind]

    def is_defined(self, kind: str, title: str) -> bool:
        """Whether what has this type and title is a class or a define that can be read."""
        return self._definition(kind, title) is not None

    def _definition(self, kind: str, title: str) -> Body | None:
        return self.body("class", title) if kind == "class" else self.body("define", kind)

    # --- names, for near ones

    def functions(self, name: str) -> Iterable[str]:
        """The names of functions that `name` may stand for."""
        return {*registry.names(), *self._ruby[0], *self._named("function"), *self._inside("functions", name)}

    def classes(self, name: str) -> Iterable[str]:
        """The names of classes that `name` may stand for."""
        return {
            *self._named("class"),
            *(name for name, _ in modules.names(self.modulepath, "manifests", name)),
        }

    def types(self, name: str) -> Iterable[str]:
        """The names of resource types and defines that `name` may stand for."""
        brought = modules.resource_types(self.modulepath)
        own = self._named("define")
        return {*resource_types.names(), *brought, *self._own_types, *own, *self._inside("manifests", name)}

    def data_types(self, name: str, dialect: Dialect) -> Iterable[str]:
        """The names of types, as they are written, that `name` may stand for."""
        aliases = {*self._named("type"), *self._inside("types", name)}
        found = map(capitalize_name, (*aliases, *self.types(name)))
        return {*types.names(dialect), *found}

    def _inside(self, folder: str, name: str) -> Iterator[str]:
        """The names in the module of a qualified name."""
        return (one for one, _ in modules.names(self.modulepath, folder, name) if "::" in name)

    def _named(self, kind: str) -> Iterator[str]:
        return (name for other, name in self.scanned if other == kind)

    # --- variables

    def is_given(self, name: str) -> bool:
        """Whether a variable of the top scope is filled by Puppet, a fact of machines, or set by an input."""
        return (
            name in _GIVEN
            or name in self._facts
            or name in self._scan[1]
            or name in self._ruby[1]
            or _NUMBERED.fullmatch(name) is not None
        )

    def given(self) -> Iterable[str]:
        """The names of variables of the top scope that are known."""
        return {*_GIVEN, *self._facts, *self._scan[1], *self._ruby[1]}

    # --- what modules have in Ruby

    @property
    def _ruby(self) -> tuple[set[str], set[str], set[str]]:
        if not hasattr(self, "_in_ruby"):
            roots = [
                os.path.join(root, name) for root in self.modulepath for name in sandbox.list_modules(root)
            ]
            self._in_ruby = in_ruby([*roots, *self._roots])
        return self._in_ruby


@memoize(owner="one result")
def facts_known() -> frozenset[str]:
    """The names of the facts that machines are known to have."""
    sets = (facts.facts_for(name, "localhost") for name in (None, *facts.fact_sets()))
    return frozenset({*legacy.NAMES, *(name for one in sets for name in one)})


def site_variables(reading: Reading) -> set[str]:
    """The variables that a program sets for all classes: outside of them, and in node definitions."""
    return reading.top.names.union(*(body.names for body in reading.nodes))


def in_ruby(roots: Iterable[str]) -> tuple[set[str], set[str], set[str]]:
    """The names of functions, of facts, and of data types in lower case, that modules have in Ruby."""
    functions: set[str] = set()
    found: set[str] = set()
    data_types: set[str] = set()
    for root in roots:
        for folder in modules.RUBY_FOLDERS.values():
            top = os.path.join(root, folder)
            for path in below(top, ".rb"):
                functions.add(path[len(top) + 1 : -3].replace(os.sep, "::"))
        top = os.path.join(root, "lib/puppet/datatypes")
        for path in below(top, ".rb"):
            data_types.add(path[len(top) + 1 : -3].replace(os.sep, "::").replace("_", ""))
        for path in below(os.path.join(root, "lib/facter"), ".rb"):
            found.add(os.path.basename(path)[:-3])
            with suppress(OSError), open(path, "rb") as file:
                found.update(name.decode() for name in _FACT.findall(file.read()))
    return functions, found, data_types


def _manifests(manifest: str) -> list[str]:
    return [manifest] if manifest.endswith(".pp") else list(below(manifest, ".pp"))
