"""The layers of data: the global one, the environment, and the module of a name.

`lookup` combines the values that the layers yield for a name. A layer queries its levels, see `configuration`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator.hiera.configuration import Configuration, Level, read_configuration
from evaluator.hiera.interpolation import interpolate
from evaluator.hiera.providers import memoize_in_run
from evaluator.issues import make_error, refuse_if, require
from evaluator.program import sandbox
from evaluator.program.definitions import MISSING, Scope
from evaluator.program.log import log_once
from evaluator.types import parse_type
from evaluator.types.algebra import infer
from evaluator.types.lazy_types import LOOKUP_VALUE
from evaluator.types.puppet_wording import check
from evaluator.values import format_value, make_key
from evaluator.values.yaml_format import RubyObject
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
    if not everywhere:
        return memoize_in_run(runtime, "global layers", partial(_make_global_layers, runtime))
    module = name.partition("::")[0] if "::" in name else ""
    return memoize_in_run(runtime, ("layers", module), partial(_make_layers, runtime, module))


def has_environment_data(runtime: Runtime) -> bool:
    """Return True if the environment has data of its own, in a hierarchy of version 5."""
    configuration = _read_environment(runtime)
    return runtime.settings.data is not None or (configuration is not None and configuration.version == 5)


def _read_environment(runtime: Runtime) -> Configuration | None:
    """Return the configuration of the environment; None without one."""
    directory = runtime.settings.directory
    if directory is None:
        return None
    path = os.path.join(directory.folder, "hiera.yaml")
    exists = sandbox.is_file(runtime.state.top, "lookup", path)
    configuration = read_configuration(runtime, path, None) if exists else None
    return _apply_provider(runtime, configuration, None, directory.folder, directory.data_provider)


def _make_global_layers(runtime: Runtime) -> list[Layer]:
    path = runtime.settings.hiera_config
    return [] if path is None else _make_layer(read_configuration(runtime, path, None), None)


def _make_layers(runtime: Runtime, module: str) -> list[Layer]:
    """Return the layers of global data, the environment and a module.

    Args:
        runtime: The running program.
        module: The name of the module; "" for none.
    """
    layers = _make_global_layers(runtime)
    if runtime.settings.data is not None:
        layers.append(SessionLayer(runtime.settings.data))
    layers += _make_layer(_read_environment(runtime), None)
    modulepath = runtime.settings.modulepath
    folder = (
        sandbox.find_in_module(modulepath, module, kind=sandbox.FOLDER)
        if module and runtime.names.loader.is_usable(module)
        else None
    )
    if folder is not None:
        path = sandbox.find_in_module(modulepath, module, "hiera.yaml")
        configuration = None if path is None else read_configuration(runtime, path, module)
        provider = runtime.names.loader.get_data_provider(module)
        layers += _make_layer(_apply_provider(runtime, configuration, module, folder, provider), module)
    return layers


def _check_value(scope: Scope, value: Value, key: Value, origin: str) -> Value:
    """Return a value of the data, checked once in a run.

    Args:
        scope: The scope of the lookup.
        value: The value.
        key: The name of the value, for the message.
        origin: Its origin, for the message.

    Raises:
        PuppetError: It contains a symbol, or a hash with a key that is neither a String nor a number.
    """
    if type(value) not in (list, dict, RubyObject):
        return value
    # The cached result contains the value, so that no other value gets its id during the run.
    is_data, _ = memoize_in_run(
        scope.runtime, ("data", id(value)), lambda: (LOOKUP_VALUE.instance(value), value)
    )
    if not is_data:
        raise make_error(
            "LOOKUP_VALUE",
            reason=f"Value for key '{key}', {origin} has wrong type,"
            f" expects {LOOKUP_VALUE}, got {infer(value, PUPPET)}",
        )
    return value


def _make_layer(configuration: Configuration | None, module: str | None) -> list[Layer]:
    """Return a list with the layer of a configuration, empty without one."""
    return [] if configuration is None else [ConfiguredLayer(configuration, configuration.levels, module)]


class SessionLayer(Record):
    """The session's own data, a hash; attributes and methods are those of `ConfiguredLayer`."""

    data: Value
    identity: tuple[Any, ...] = (None,)
    label: str = "data of the session"
    fallback: None = None

    def values(self, scope: Scope, path: list[Value]) -> Iterator[Value]:
        """Yield the value of a name, the first of `path`, if there is one."""
        trace = scope.runtime.trace
        if path[0] in self.data:
            value = interpolate(scope, self.data[path[0]])
            if trace is not None:
                trace.layer = self.label
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
        table: The data of a `data_hash` function; None until it has been read, and for other functions.
    """

    options: dict[str, Value]
    table: dict[Value, Value] | None = None

    @property
    def label(self) -> str:
        """The label of the place in a lookup trace."""
        return self.options.get("path") or self.options.get("uri") or ""

    @property
    def remark(self) -> str:
        """The place as a remark in a message."""
        return f", when using location '{self.label}'," if self.label else ""


class ConfiguredLayer:
    """The levels of a `hiera.yaml`.

    Attributes:
        levels: The levels of the hierarchy, or those of its default hierarchy.
        module: The name of the module that has the data; None for the global layer and the environment.
        identity: A value that distinguishes it from other layers.
        variables: The variables that determine the data places of all levels; None if they depend on something else,
            too.
        fallback: A list with the layer of the default hierarchy, which is queried if no layer has a value; None for
            none.
    """

    fallback: list[Layer] | None = None

    def __init__(self, configuration: Configuration, levels: list[Level], module: str | None) -> None:
        self.configuration = configuration
        self.levels = levels
        self.module = module
        self.identity = (configuration.folder, levels is configuration.levels)
        variables = [level.variables for level in levels]
        self.variables = None if None in variables else frozenset().union(*filter(None, variables))
        # The places by the ids of the variables' values, which are stored too, so that their ids are not reused.
        self._places: dict[tuple[int, ...], tuple[dict[Level, list[DataPlace]], Any]] = {}
        if levels is configuration.levels and configuration.default_levels:
            self.fallback = [ConfiguredLayer(configuration, configuration.default_levels, module)]

    @property
    def label(self) -> str:
        """The label of the layer: the name of the hierarchy, and the file that lists its levels."""
        owner = "" if self.module is None else f" of module {self.module}"
        hierarchy = "hierarchy" if self.levels is self.configuration.levels else "default hierarchy"
        return f"{hierarchy}{owner}: {self.configuration.path}"

    def values(self, scope: Scope, path: list[Value]) -> Iterator[Value]:
        """Yield the values of a name, the first of `path`, in order of priority.

        A level is queried only when the values of those before it do not suffice.
        """
        trace = scope.runtime.trace
        if trace is not None:
            trace.layer = self.label
        # A lookup that is traced finds the places again, to record those that do not exist.
        places = self._get_places(scope) if trace is None else {}
        for level in self.levels:
            if level not in places:
                places[level] = [DataPlace(options) for options in level.make_places(scope)]
            for place in places[level]:
                value = _METHODS[level.kind](self, scope, level, place, path)
                if trace is not None:
                    trace.add_step(scope, level.name, place.label, path[:1], value)
                if value is not MISSING:
                    yield value

    def list_tables(self, scope: Scope) -> list[Mapping[Value, Value]] | None:
        """Return the data of all levels; None unless each has been read as a whole."""
        places = self._get_places(scope)
        tables: list[Mapping[Value, Value]] = []
        for level in self.levels:
            for place in places.get(level, (None,)):
                if place is None or place.table is None:
                    return None
                tables.append(place.table)
        return tables

    def _get_places(self, scope: Scope) -> dict[Level, list[DataPlace]]:
        """Return the places of the levels that were queried with these values of variables.

        `values` adds those of further levels. Nothing is cached while `lookup` has values of its own, which count as
        variables, or while a variable has no value or refers to further variables.
        """
        runtime = scope.runtime
        variable_values = [runtime.names.find_set_variable(scope, name) for name in self.variables or ()]
        if (
            self.variables is None
            or any(runtime.lookup_values)
            or any(value is MISSING or (type(value) is str and "%{" in value) for value in variable_values)
        ):
            return {}
        key = tuple(map(id, variable_values))
        if key not in self._places:
            self._places[key] = {}, variable_values
        return self._places[key][0]

    def check_options(self, options: dict[str, Value]) -> None:
        """Raise PuppetError for options in a module's data that are for names outside the module."""
        if self.module is None:
            return
        for name in map(str, options):
            if not name.removeprefix("^").startswith(f"{self.module}::"):
                code = "LOOKUP_OPTIONS_PATTERN" if name[:1] == "^" else "LOOKUP_OPTIONS_KEY"
                raise make_error(code, module=self.module)

    # --- the three kinds of data functions

    def _find_in_hash(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        table = place.table
        if table is None:
            table = place.table = self._read_table(scope, level, place)
        if path[0] not in table:
            return MISSING
        origin = f"in hash returned from {level.label}{place.remark}"
        return interpolate(scope, _check_value(scope, table[path[0]], path[0], origin))

    def _read_table(self, scope: Scope, level: Level, place: DataPlace) -> dict[Value, Value]:
        """Return the data of a place.

        Raises:
            PuppetError: The result of the function is not a hash.
        """
        table: dict[Value, Value] = self._call_level(scope, level, [place.options])
        subject = f"Value returned from {level.label}{place.remark}"
        check(subject, parse_type("Hash", PUPPET), table, "LOOKUP_PROVIDER", make_error)
        if self.module is not None:
            self._check_names(scope, level, place, table)
        return table

    def _call_with_name(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        value = self._call_level(scope, level, [path[0], place.options])
        return _check_value(scope, value, path[0], f"returned from {level.label}{place.remark}")

    def _call_with_path(self, scope: Scope, level: Level, place: DataPlace, path: list[Value]) -> Value:
        value = self._call_level(scope, level, [list(path), place.options])
        _check_value(scope, value, ".".join(map(str, path)), f"returned from {level.label}{place.remark}")
        if value is MISSING:
            return MISSING
        for step in reversed(path[1:]):  # the lookup goes down the path again
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
            f"Module '{self.module}': Value returned from {level.label}{place.remark}"
            " must use keys qualified with the name of the module"
        )
        if any(line.message.startswith(text) for line in runtime.logs):
            return
        others = [
            name
            for name in map(format_value, table)
            if not (name.startswith(prefix) or name == "lookup_options")
        ]
        for name in others:
            runtime.log("warning", f"{text}; got {name}" if runtime.dialect.unqualified_keys else text)


# --- data providers, which version 5 of `hiera.yaml` has replaced


class FunctionLevel(Level):
    """The only level of a layer whose data is the result of a function without parameters."""

    @property
    def label(self) -> str:
        """The label of its function in messages."""
        return f"deprecated API function '{self.function}'"

    def call(self, scope: Scope, arguments: list[Value], module: str | None) -> Value:
        """Return the result of the function. Raise PuppetError if it does not exist."""
        runtime, label = scope.runtime, f"function '{self.function}'"
        log_once(runtime, f"Using of legacy data provider {label}. Please convert to a 'data_hash' function")
        refuse_if(
            runtime.names.find_function(self.function) is None,
            "LOOKUP_PROVIDER",
            reason=f"Unable to find 'v4_data_hash' function named '{self.function}'",
        )
        return runtime.call_function(self.function, [], scope=scope)


def _apply_provider(
    runtime: Runtime, configuration: Configuration | None, module: str | None, folder: str, provider: Value
) -> Configuration | None:
    """Return the configuration of a layer that may have a data provider.

    Args:
        runtime: The running program.
        configuration: The configuration in `hiera.yaml`; None without one.
        module: The name of the module; None for the environment.
        folder: The folder of the module or the environment.
        provider: The data provider; None for none.
    """
    if provider is None:
        return configuration
    if runtime.settings.strict != "off":
        _warn_of_provider(runtime, configuration, module, folder, provider)
    if configuration is not None and (configuration.version == 5 or provider == "hiera"):
        return configuration
    if provider == "none":
        return None
    owner = module or "environment"
    arguments = {"layer": "module" if module else owner, "environment": runtime.settings.environment}
    require(provider in ("hiera", "function"), "HIERA_UNKNOWN_PROVIDER", name=provider, **arguments)
    default = Configuration(runtime, f"{folder}/hiera.yaml", {}, module, 4, "hash")
    if provider == "function":
        default.levels = [
            FunctionLevel(runtime, default.path, {"name": "", "data_hash": f"{owner}::data"}, {})
        ]
    return default


def _warn_of_provider(
    runtime: Runtime, configuration: Configuration | None, module: str | None, folder: str, provider: Value
) -> None:
    """Warn that a data provider is deprecated; the arguments are those of `_apply_provider`."""
    setting = f'"data_provider": "{provider}"' if module else f"environment_data_provider='{provider}'"
    file = "metadata.json" if module else "environment.conf"
    end = ". A 'hiera.yaml' file should be used instead" if configuration is None else "."
    is_ignored = configuration is not None and configuration.version == 5
    if is_ignored:
        end = ". It is ignored since a 'hiera.yaml' with version >= 5 is present" if module else ""
    log_once(runtime, f"Defining {setting} in {file} is deprecated{end}", f"file: {folder}/{file}")
    if configuration is not None and is_ignored and not (module or provider == "hiera"):
        text = f"The {setting} setting is ignored since '{configuration.path}' version >= 5"
        log_once(runtime, text, f"file: {folder}/{file}")


Layer = SessionLayer | ConfiguredLayer
# The method that returns the value of a name at a place of a level, by the kind of its function.
_METHODS = {
    "data_hash": ConfiguredLayer._find_in_hash,
    "lookup_key": ConfiguredLayer._call_with_name,
    "data_dig": ConfiguredLayer._call_with_path,
}
