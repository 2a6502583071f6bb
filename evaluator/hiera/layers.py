"""The layers of data and their levels, as `hiera.yaml` lists them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator.hiera.configuration import Configuration, Level, read_configuration
from evaluator.hiera.interpolation import interpolate
from evaluator.hiera.providers import memoize_in_run
from evaluator.issues import make_error
from evaluator.program import sandbox
from evaluator.program.definitions import MISSING, Scope
from evaluator.types import parse_type
from evaluator.types.algebra import infer
from evaluator.types.lazy_types import LOOKUP_VALUE
from evaluator.types.puppet_wording import check
from evaluator.values import make_key
from evaluator.values.yaml_format import RubySymbol
from lexer_parser.dialect import PUPPET
from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from evaluator.values.kind import Value


def get_layers(runtime: Runtime, name: str, everywhere: bool = True) -> list[Layer]:
    """Return the layers that may have a name, in order of priority.

    They are the same in a run for all names of a module.

    Args:
        runtime: The running program.
        name: The name.
        everywhere: False to query only global data.
    """
    first, colons, _ = name.partition("::")
    module = None if not everywhere else first if colons else ""
    return memoize_in_run(runtime, ("layers", module), partial(_make_layers, runtime, module))


def has_environment_data(runtime: Runtime) -> bool:
    """Return True if the environment has data of its own, in a hierarchy of version 5."""
    own = _read_environment(runtime)
    return runtime.settings.data is not None or (own is not None and own.version == 5)


def _read_environment(runtime: Runtime) -> Configuration | None:
    """Return the configuration of the environment; None without one."""
    directory = runtime.settings.directory
    path = None if directory is None else os.path.join(directory.folder, "hiera.yaml")
    is_there = path is not None and sandbox.is_file(runtime.state.top, "lookup", path)
    return read_configuration(runtime, path, None) if path is not None and is_there else None


def _make_layers(runtime: Runtime, module: str | None) -> list[Layer]:
    """Return the layers of global data, the environment and a module.

    Args:
        module: "" for no module, None for only global data.
    """
    found: list[Layer] = []
    if runtime.settings.hiera_config is not None:
        found += _make_layer(read_configuration(runtime, runtime.settings.hiera_config, None), None)
    if module is None:
        return found
    if runtime.settings.data is not None:
        found.append(CommonLayer(runtime.settings.data))
    found += _make_layer(_read_environment(runtime), None)
    if module:
        for root in runtime.settings.modulepath:
            if sandbox.find_in_module((root,), module, kind=sandbox.FOLDER) is not None:
                path = sandbox.find_in_module((root,), module, "hiera.yaml")
                known = None if path is None else read_configuration(runtime, path, module)
                found += _make_layer(known, module)
                break
    return found


def _check_value(scope: Scope, value: Value, key: Value, origin: str) -> Value:
    """Return a value of the data, checked once in a run.

    Raises:
        PuppetError: It contains a symbol, or a hash with a key that is neither a String nor a number.
    """
    # The answer contains the value, so that no other value gets its identity during the run.
    if (
        type(value) in (list, dict, RubySymbol)
        and not memoize_in_run(
            scope.runtime, ("data", id(value)), lambda: (LOOKUP_VALUE.instance(value), value)
        )[0]
    ):
        expectation = f"expects {LOOKUP_VALUE}, got {infer(value, PUPPET)}"
        raise make_error(
            "LOOKUP_VALUE", reason=f"Value for key '{key}', {origin} has wrong type, {expectation}"
        )
    return value


def _make_layer(configuration: Configuration | None, module: str | None) -> list[Layer]:
    return [] if configuration is None else [ConfiguredLayer(configuration, configuration.levels, module)]


class CommonLayer(Record):
    """The session's own data; its methods are those of `ConfiguredLayer`."""

    data: Value
    identity: tuple[Any, ...] = (None,)
    words: str = "data of the session"
    fallback: None = None

    def values(self, scope: Scope, path: list[Value]) -> Iterator[Value]:
        """Yield the value of a name, the first of `path`, if there is one."""
        trace = scope.runtime.trace
        if trace is not None:
            trace.layer = self.words
        if path[0] in self.data:
            value = interpolate(scope, self.data[path[0]])
            if trace is not None:
                trace.add_step(scope, "", "", path[:1], value)
            yield value

    def list_tables(self, scope: Scope) -> list[Mapping[Value, Value]]:
        """Return the data."""
        return [self.data]

    def check_options(self, options: dict[str, Value]) -> None:
        """Accept options for all names."""


class DataPlace(Record):
    """A place where a level finds data.

    Attributes:
        options: The options for the level's function.
        table: The data; None until all of it has been read.
    """

    options: dict[str, Value]
    table: dict[Value, Value] | None = None

    @property
    def words(self) -> str:
        """The label of the place in a lookup trace."""
        return self.options.get("path") or self.options.get("uri") or ""

    @property
    def remark(self) -> str:
        """The place as a remark in a message."""
        return f", when using location '{self.words}'," if self.words else ""


class ConfiguredLayer:
    """The levels of a `hiera.yaml`.

    Attributes:
        levels: The levels of the hierarchy, or those of its default hierarchy.
        module: The name of the module that has the data; None for the global layer and the environment.
        identity: A value that distinguishes it from other layers.
        named: The variables that determine the data places of all levels; None if they depend on something else, too.
        fallback: The layers that are queried if no layer has a value; None for none.
    """

    fallback: list[Layer] | None = None

    def __init__(self, configuration: Configuration, levels: list[Level], module: str | None) -> None:
        self.configuration = configuration
        self.levels = levels
        self.module = module
        self.identity = (configuration.folder, levels is configuration.levels)
        named = [level.named for level in levels]
        self.named = None if None in named else frozenset().union(*filter(None, named))
        self._places: dict[tuple[int, ...], tuple[dict[Level, list[DataPlace]], Any]] = {}
        if levels is configuration.levels and configuration.default_levels:
            self.fallback = [ConfiguredLayer(configuration, configuration.default_levels, module)]

    @property
    def words(self) -> str:
        """The label of the layer: the file that lists its levels, and the name of the hierarchy."""
        whose = "" if self.module is None else f" of module {self.module}"
        label = "hierarchy" if self.levels is self.configuration.levels else "default hierarchy"
        return f"{label}{whose}: {self.configuration.path}"

    def values(self, scope: Scope, path: list[Value]) -> Iterator[Value]:
        """Yield the values of a name, the first of `path`, in order of priority.

        A level may read several files.
        """
        trace = scope.runtime.trace
        reached = self._get_places(scope) if trace is None else {}
        for level in self.levels:
            if trace is not None:
                trace.layer = self.words
            if level not in reached:
                reached[level] = [DataPlace(options) for options in level.make_places(scope)]
            for place in reached[level]:
                value = _CALLS[level.kind](self, scope, level, place, path)
                if trace is not None:
                    trace.add_step(scope, level.name, place.words, path[:1], value)
                if value is not MISSING:
                    yield value

    def list_tables(self, scope: Scope) -> list[Mapping[Value, Value]] | None:
        """Return the data of all levels; None unless each has been read as a whole."""
        reached = self._get_places(scope)
        tables: list[Mapping[Value, Value]] = []
        for level in self.levels:
            for place in reached.get(level, (None,)):
                if place is None or place.table is None:
                    return None
                tables.append(place.table)
        return tables

    def _get_places(self, scope: Scope) -> dict[Level, list[DataPlace]]:
        """Return the data places of the levels that were queried, cached by variable values.

        In a run, the same variables lead to the same places. Nothing is cached while `lookup` has values of its own,
        which count as variables, or while a variable has no value or refers to further variables.
        """
        runtime = scope.runtime
        seen = [runtime.names.find_set_variable(scope, name) for name in self.named or ()]
        if (
            self.named is None
            or any(runtime.lookup_values)
            or any(value is MISSING or (type(value) is str and "%{" in value) for value in seen)
        ):
            return {}
        numbers = tuple(map(id, seen))
        if numbers not in self._places:
            # Storing the values with their places keeps the identities of the values from being reused.
            self._places[numbers] = {}, seen
        return self._places[numbers][0]

    def check_options(self, options: dict[str, Value]) -> None:
        """Raise PuppetError for options in a module's data that are for names outside the module."""
        if self.module is None:
            return
        for name in map(str, options):
            known = name.removeprefix("^")
            if not known.startswith(f"{self.module}::"):
                code = "LOOKUP_OPTIONS_PATTERN" if name != known else "LOOKUP_OPTIONS_KEY"
                raise make_error(code, module=self.module)

    # --- the three kinds of data functions

    def _find_in_hash(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        table = place.table
        if table is None:
            table = place.table = self._read_table(scope, level, place)
        if path[0] not in table:
            return MISSING
        origin = f"in hash returned from {level.words}{place.remark}"
        return interpolate(scope, _check_value(scope, table[path[0]], path[0], origin))

    def _read_table(self, scope: Scope, level: Level, place: DataPlace) -> dict[Value, Value]:
        """Return the data of a place.

        Raises:
            PuppetError: The result of the function is not a hash.
        """
        table: dict[Value, Value] = self._call_level(scope, level, [place.options])
        subject = f"Value returned from {level.words}{place.remark}"
        check(subject, parse_type("Hash", PUPPET), table, "LOOKUP_PROVIDER", make_error)
        if self.module is not None:
            self._check_names(scope, level, place, table)
        return table

    def _call_with_name(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        value = self._call_level(scope, level, [path[0], place.options])
        return _check_value(scope, value, path[0], f"returned from {level.words}{place.remark}")

    def _call_with_path(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        value = self._call_level(scope, level, [list(path), place.options])
        _check_value(scope, value, ".".join(map(str, path)), f"returned from {level.words}{place.remark}")
        if value is MISSING:
            return MISSING
        for step in reversed(path[1:]):
            value = {step: value}
        return value

    def _call_level(self, scope: Scope, level: Level, arguments: list[Value]) -> Value:
        """Return the result of the level's function, computed once in a run."""
        query = (*self.identity, level.name, make_key(arguments))
        return memoize_in_run(scope.runtime, query, partial(level.call, scope, arguments, self.module))

    def _check_names(self, scope: Scope, level: Level, place: DataPlace, table: dict[Value, Value]) -> None:
        """Warn once about each name that is not one of the module in its data."""
        prefix, runtime = f"{self.module}::", scope.runtime
        text = (
            f"Module '{self.module}': Value returned from {level.words}{place.remark}"
            " must use keys qualified with the name of the module"
        )
        others = [name for name in table if not (str(name).startswith(prefix) or name == "lookup_options")]
        if any(line.message.startswith(text) for line in runtime.logs):
            return
        for name in others:
            runtime.log("warning", f"{text}; got {name}" if runtime.dialect.unqualified_keys else text)


Layer = CommonLayer | ConfiguredLayer
# The method that calls the function of a level, by the kind of the function.
_CALLS = {
    "data_hash": ConfiguredLayer._find_in_hash,
    "lookup_key": ConfiguredLayer._call_with_name,
    "data_dig": ConfiguredLayer._call_with_path,
}
