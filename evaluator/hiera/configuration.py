"""The reader of `hiera.yaml`: a file of any version becomes a `Configuration` of `Level`s.

Versions 3 and 4 are first converted to version 5. A level finds the places of its data (`make_places`) and calls its
function for one of them (`call`); `layers` does this for all levels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from evaluator.functions.stdlib.formats import read_yaml
from evaluator.hiera.interpolation import collect_variables, get_variable, interpolate
from evaluator.hiera.providers import Provider, cache_file, describe_problem
from evaluator.issues import Failure, make_error, refuse_if
from evaluator.program import sandbox
from evaluator.program.definitions import MISSING, Scope
from evaluator.program.log import log_once
from evaluator.program.lookup_trace import ABSENT
from evaluator.program.patterns import find_readable_matches
from evaluator.types import find_mismatches, parse_type
from evaluator.types.base import ANY, Type
from evaluator.types.puppet_wording import check, join_sentences, to_arguments
from evaluator.values.kind import Value
from evaluator.values.uris import URI
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

# --- version 4, in modules and environments


def convert_version_4(data: dict[str, Value]) -> dict[str, Value]:
    """Return the data of version 4 in the form of version 5.

    In version 4 a level has a backend instead of a function, and paths that may lack the extension; the default path is
    the name of the level.
    """
    levels = data.get("hierarchy", [{"name": "common", "backend": "yaml"}])
    defaults = {"datadir": data.get("datadir", "data"), "data_hash": "yaml_data"}
    return {"version": 5, "defaults": defaults, "hierarchy": [_convert_level(level) for level in levels]}


def _convert_level(level: dict[str, Value]) -> dict[str, Value]:
    """Return a level of version 4. Raise PuppetError for an unknown backend."""
    backend, extension = level["backend"], f".{level['backend']}"
    refuse_if(backend not in ("yaml", "json"), "HIERA_NO_PROVIDER", name=backend)
    paths = level.get("paths") or [level.get("path", level["name"])]
    paths = [f"{path.removesuffix(extension)}{extension}" for path in paths]
    return {
        "name": level["name"],
        "datadir": level.get("datadir"),
        "data_hash": f"{backend}_data",
        "paths": paths,
    }


# --- version 3, in the global layer

_PATHS = ["nodes/%{::trusted.certname}", "common"]
_DATADIR = "/etc/puppetlabs/code/environments/%{::environment}/hieradata"
_DEFAULTS_3 = {
    "version": 3,
    "backends": ["yaml"],
    "hierarchy": _PATHS,
    "merge_behavior": "native",
    "deep_merge_options": {},
}
# The equivalent of a backend in version 5: the kind and name of a function, and the extension of its files.
_BACKENDS = {
    "yaml": ("data_hash", "yaml_data", "yaml"),
    "json": ("data_hash", "json_data", "json"),
    "eyaml": ("lookup_key", "eyaml_lookup_key", "eyaml"),
}
_SETTINGS = ("datadir", "extension")  # settings of a backend that are not options of its function
_HASH_MERGES = {"deep": "reverse_deep", "deeper": "deep"}


def convert_version_3(data: dict[str, Value]) -> dict[str, Value]:
    """Return the data of version 3 in the form of version 5.

    In version 3 each backend has a hierarchy of all paths; they follow one another.

    Raises:
        PuppetError: A backend is written in Ruby.
    """
    backends, paths = _to_list(data["backends"]), _to_list(data["hierarchy"])
    levels = [level for name in backends for level in _convert_backend(name, data.get(name) or {}, paths)]
    return {"version": 5, "hierarchy": levels}


def _to_list(value: Value) -> list[Value]:
    return value if type(value) is list else [value]


def _convert_backend(backend: str, settings: dict[str, Value], paths: list[Value]) -> list[dict[str, Value]]:
    """Return the levels of a backend of version 3, one for each path."""
    refuse_if(backend not in _BACKENDS, "HIERA_BACKEND", name=backend)
    kind, function, extension = _BACKENDS[backend]
    options = {name: value for name, value in settings.items() if name not in _SETTINGS}
    return [
        {
            "name": f"{path} ({backend})",
            kind: function,
            "datadir": settings.get("datadir", _DATADIR),
            "path": f"{path}.{settings.get('extension', extension)}",
            **({"options": options} if options else {}),
        }
        for path in paths
    ]


def read_hash_merge(data: dict[str, Value]) -> Value:
    """Return the merge strategy of `hiera_hash`, which only version 3 sets."""
    strategy = _HASH_MERGES.get(data.get("merge_behavior", ""), "hash")
    options = data.get("deep_merge_options") or {}
    return {"strategy": strategy, **options} if options and strategy != "hash" else strategy


# --- version 5, and the types of the data of all versions

# The type of the result of a function, by kind; that of other kinds is RichData.
_RETURN_TYPES = {"data_hash": "Hash[RichDataKey, RichData]"}
KINDS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend")
LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
_RESERVED = ("path", "uri")  # options that the level sets itself
_FUNCTIONS = ", ".join(f"Optional['{kind}'] => String[1]" for kind in ("data_dig", "data_hash", "lookup_key"))
# `(:?`, an optional colon, is as released.
_OPTIONS = "Optional['options'] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data]"
_LEVEL = (
    f"Struct[{{'name' => String[1], {_OPTIONS}, {_FUNCTIONS}, Optional['hiera3_backend'] => String[1],"
    " Optional['datadir'] => String[1], Optional['path'] => String[1], Optional['paths'] => Array[String[1], 1],"
    " Optional['glob'] => String[1], Optional['globs'] => Array[String[1], 1], Optional['uri'] => String[1],"
    " Optional['uris'] => Array[String[1], 1], Optional['mapped_paths'] => Array[String[1], 3, 3]}]"
)
# The type of the data of each version; in version 3, `%s` becomes the settings of the backends.
_SCHEMAS = {
    3: "Struct[{Optional['version'] => Integer[3, 3], Optional['backends'] => Variant[String[1], Array[String[1]]],"
    " Optional['logger'] => String[1], Optional['merge_behavior'] => Enum['deep', 'deeper', 'native'],"
    " Optional['deep_merge_options'] => Hash[String[1], Variant[String, Boolean]],"
    " Optional['hierarchy'] => Variant[String[1], Array[String[1]]]%s}]",
    4: "Struct[{Optional['version'] => Integer[4, 4], Optional['datadir'] => String[1], Optional['hierarchy'] =>"
    " Array[Struct[{'backend' => String[1], 'name' => String[1], Optional['datadir'] => String[1],"
    " Optional['path'] => String[1], Optional['paths'] => Array[String[1]]}]]}]",
    5: "Struct[{'version' => Integer[5, 5],"
    f" Optional['defaults'] => Struct[{{{_OPTIONS}, {_FUNCTIONS}, Optional['datadir'] => String[1]}}],"
    f" Optional['hierarchy'] => Array[{_LEVEL}], Optional['plan_hierarchy'] => Array[{_LEVEL}],"
    f" Optional['default_hierarchy'] => Array[{_LEVEL}]}}]",
}
# The pattern that finds the line of a mistake, by the code of its issue; `{name}` is the argument `name` of the issue.
_LINE_PATTERNS = {
    "HIERA_VERSION": r"^:?version:",
    "HIERA_MODULE_LAYER_ONLY": r"(?:^|\s)default_hierarchy:",
    "HIERA_NO_PROVIDER": r"\sbackend:\s+['\"]?{name}(?:\W|$)",
    "HIERA_GLOBAL_LAYER_ONLY": r"\shiera3_backend:",
    "HIERA_LEVEL_REPEATED": r"\sname:\s+['\"]?{name}(?:\W|$)",
    "HIERA_ONLY_ONE": r"\sname:\s+['\"]?{name}(?:\W|$)",
    "HIERA_ONE_NEEDED": r"\sname:\s+['\"]?{name}(?:\W|$)",
    "HIERA_METHOD_NOT_ALLOWED": r"%\{\s*\w+\(",
    "HIERA_RESERVED_OPTION": r"\soptions:",
    "HIERA_UNDEFINED_VARIABLE": r"%\{{name}\}",
    "HIERA_UNKNOWN_FUNCTION": r":\s+['\"]?{name}(?:\W|$)",
}
_DIGITS = re.compile("(?:-?[0-9]+)?")  # of a version, at its beginning
# A comment of YAML at the end of a line, after text in which a `#` may be quoted.
_COMMENT = re.compile(r"""\A((?:[^#'"]++|'[^']*'|"[^"]*"|['"])*+)#.*""")
_CONVERTERS = {3: convert_version_3, 4: convert_version_4}

# For each layer: the words for it, and for the folder of its `hiera.yaml`, in messages.
_LAYERS = {
    "global": ("the global layer", ""),
    "environment": ("an environment", "the environment root"),
    "module": ("a module", "module root"),
}
# A log line about a file, by the parameters of `log_once`: text, place and subject.
Notice = tuple[str, str, str]
_DEFAULT_LEVELS = [{"name": "Common", "path": "common.yaml"}]
_DEFAULTS = {"datadir": "data", "data_hash": "yaml_data"}
# Keys that may have the value undef, as if missing.
_WITH_DEFAULT = ("version", "datadir", "defaults", "hierarchy")


class Configuration:
    """A parsed `hiera.yaml`.

    Attributes:
        path: The path of the file.
        version: The version of the file.
        hash_merge: The merge strategy of the function `hiera_hash`.
        folder: The folder of the file.
        levels: The levels of the hierarchy.
        default_levels: The levels of the default hierarchy, which a module may have.
    """

    def __init__(
        self,
        runtime: Runtime,
        path: str,
        data: dict[str, Value],
        module: str | None,
        version: int,
        hash_merge: Value,
    ) -> None:
        refuse_if(
            module is None and "default_hierarchy" in data,
            "HIERA_MODULE_LAYER_ONLY",
            name="default_hierarchy",
        )
        self.path, self.version, self.hash_merge = path, version, hash_merge
        self.folder = os.path.dirname(path)
        defaults = data.get("defaults", _DEFAULTS)
        self.levels = _make_levels(runtime, path, data.get("hierarchy", _DEFAULT_LEVELS), defaults)
        self.default_levels = _make_levels(runtime, path, data.get("default_hierarchy", []), defaults)


def read_configuration(runtime: Runtime, path: str, module: str | None) -> Configuration | None:
    """Return the parsed `hiera.yaml`, read again after a change; None for an ignored version.

    A version is ignored when a module must not use it.

    Raises:
        Failure: The file cannot be read.
        PuppetError: The file has a mistake.
    """
    is_global = path == runtime.settings.hiera_config
    purpose = f"hierarchy {module} {is_global} {runtime.settings.strict}"
    result: tuple[Configuration | None, list[Notice]] = cache_file(
        runtime, purpose, path, lambda: _read(runtime, path, module, is_global), shared=True
    )
    configuration, notices = result
    _log(runtime, notices)
    return configuration


def _log(runtime: Runtime, notices: list[Notice]) -> None:
    """Log the lines that a program has not logged yet."""
    for text, place, subject in notices:
        log_once(runtime, text, place, subject)


def _read(
    runtime: Runtime, path: str, module: str | None, is_global: bool
) -> tuple[Configuration | None, list[Notice]]:
    """Return the configuration, and log lines about it, which `read_configuration` logs.

    They depend on nothing but the file, the arguments, the strictness and the dialect, which is that of
    `runtime.environment`, so that programs share them: each program that reads the configuration from the cache logs
    them, too.
    """
    notices: list[Notice] = []
    try:
        text = sandbox.read_text(runtime.state.top, "lookup", path)
        data = read_yaml(text, aliases=True)
    except Failure as problem:
        raise Failure("HIERA_FILE", problem=describe_problem(problem, path)) from None
    if type(data) is not dict:
        message = (
            f"{path}: File exists but does not contain a valid YAML hash."
            " Falling back to Hiera version 3 default config"
        )
        notices.append((message, "", ""))
        data = {}
    data = {key: value for key, value in data.items() if value is not None or key not in _WITH_DEFAULT}
    try:
        return _make_configuration(runtime, path, module, data, is_global, notices), notices
    except PuppetError as problem:
        raise _add_place(problem, Source(text, path)) from None
    finally:
        _log(runtime, notices)  # after an error nobody else does; `log_once` omits a second line


def _add_place(problem: PuppetError, source: Source) -> PuppetError:
    """Return an error of `hiera.yaml` with the line that the pattern of its code finds."""
    line_pattern = _LINE_PATTERNS.get(problem.code)
    if line_pattern is None:
        return problem
    pattern = re.compile(line_pattern.replace("{name}", re.escape(str(problem.arguments.get("name")))))
    lines = [_COMMENT.sub(r"\1", line) for line in source.text.split("\n")]
    numbers = [number for number, line in enumerate(lines) if pattern.search(line)]
    if problem.code == "HIERA_LEVEL_REPEATED" and len(numbers) > 1:
        problem.message += f" First defined at (line: {numbers.pop(0) + 1})"
    problem.line_known = problem.line_known and bool(numbers)
    start = source.line_starts[numbers[0]] if numbers else 0
    problem.span = Span(source, start, start + len(source.text[start:].partition("\n")[0]))
    return problem


def _make_configuration(
    runtime: Runtime,
    path: str,
    module: str | None,
    data: dict[str, Value],
    is_global: bool,
    notices: list[Notice],
) -> Configuration | None:
    """Return the configuration in the data of a file; None for an ignored version.

    Log lines about it are added to `notices`; they are logged even if an error follows.
    """
    version = int(_DIGITS.match(str(data.get("version", 3)))[0] or 0)  # type: ignore[index]
    if version == 3:
        # The keys of the file come first, in its order, which messages follow.
        data = data | _DEFAULTS_3 | data
    place = f"file: {path}"
    strict = runtime.settings.strict
    if version in _CONVERTERS and strict != "off":
        use = f"Use of 'hiera.yaml' version {version}"
        notices.append((f"{path}: {use} is deprecated. It should be converted to version 5", place, use))
    refuse_if(version not in _SCHEMAS, "HIERA_VERSION", version=version)
    backends = [
        f", Optional['{name}'] => Hash[String[1], Any]" for name in _to_list(data.get("backends", []))
    ]
    expected = parse_type(_SCHEMAS[version].replace("%s", "".join(backends)), PUPPET)
    check(f"The Lookup Configuration at '{path}'", expected, data)
    layer, root = _LAYERS["global" if is_global else "module" if module else "environment"]
    # Version 3 is for the global layer, and version 4 for the others, where version 3 is ignored unless it is an error.
    is_refused = version == 4 if is_global else version == 3 and strict == "error"
    refuse_if(is_refused, "HIERA_LAYER_VERSION", version=version, layer=layer, path=path)
    if version == 3 and not is_global:
        notices.append((f"hiera.yaml version {version} found at {root} was ignored", place, ""))
        return None
    converted = _CONVERTERS.get(version, dict)(data)
    return Configuration(runtime, path, converted, module, version, read_hash_merge(data))


def _check_options(runtime: Runtime, options: dict[str, Value], where: str) -> None:
    """Raise PuppetError for options that the level sets itself."""
    arguments = {"where": where, "product": runtime.settings.dialect.product.name}
    for name in _RESERVED:
        refuse_if(name in options, "HIERA_RESERVED_OPTION", option=name, **arguments)


def _make_levels(
    runtime: Runtime, path: str, entries: list[dict[str, Value]], defaults: dict[str, Value]
) -> list[Level]:
    """Return the levels of a hierarchy. Raises PuppetError for a name that occurs twice."""
    _find_choice(defaults, KINDS, "defaults")
    _check_options(runtime, defaults.get("options") or {}, "defaults")
    names = [entry["name"] for entry in entries]
    for number, name in enumerate(names):
        refuse_if(name in names[:number], "HIERA_LEVEL_REPEATED", name=name)
    return [Level(runtime, path, entry, defaults) for entry in entries]


class Level:
    """A level of a hierarchy: the kind and name of its function, and the places of its data.

    Attributes:
        path: The path of `hiera.yaml`.
        name: The name of the level.
        kind: The key under which the function is named, such as `data_hash`.
        function: The name of the function.
        location: The key under which the places are named, such as `paths`; "" if there is none.
        location_value: The value of that key, not interpolated.
        datadir: The folder of relative paths, not interpolated.
        options: The options for the function, not interpolated.
        variables: The variables that determine the places; None if the places also depend on something else.
    """

    def __init__(
        self, runtime: Runtime, path: str, entry: dict[str, Value], defaults: dict[str, Value]
    ) -> None:
        self.path = path
        self.name = entry["name"]
        where = f"hierarchy '{self.name}'"
        own_kind = _find_choice(entry, KINDS, where)
        self.kind = own_kind or _find_choice(defaults, KINDS, "defaults")
        refuse_if(not self.kind, "HIERA_ONE_NEEDED", choices=_join_choices(KINDS), name=self.name)
        # Back ends of Hiera 3 are supported in no layer, not even in the global one.
        refuse_if(self.kind == "hiera3_backend", "HIERA_GLOBAL_LAYER_ONLY", name="hiera3_backend")
        self.function = (entry if own_kind else defaults)[self.kind]
        self.location = _find_choice(entry, LOCATIONS, where)
        self.location_value: Value = entry.get(self.location)
        self.datadir = entry.get("datadir") or defaults.get("datadir") or "data"
        self.options = entry.get("options") or ({} if own_kind else defaults.get("options") or {})
        _check_options(runtime, self.options, where)
        texts = [self.options, self.datadir, self.location_value]
        self.variables = None if self.location == "mapped_paths" else collect_variables(texts)

    @property
    def label(self) -> str:
        """The label of its function in messages."""
        return f"{self.kind} function '{self.function}'"

    def call(self, scope: Scope, arguments: list[Value], module: str | None) -> Value:
        """Return the result of the level's function; MISSING if it has no value.

        This is called only for places that exist, so the function of a level without files need not exist.

        Args:
            scope: The scope of the lookup.
            arguments: The arguments without the context.
            module: The module that has the data; None for none.

        Raises:
            PuppetError: The function is unknown (HIERA_UNKNOWN_FUNCTION).
        """
        function = scope.runtime.names.find_function(self.function)
        if function is None:
            self._refuse(scope, Failure("HIERA_UNKNOWN_FUNCTION", kind=self.kind, name=self.function))
        self._check_return_type(function.returns)
        cache = scope.runtime.answers.setdefault(("cache", id(self)), {})
        return Provider(scope, module, cache).call(self.function, arguments)

    def _check_return_type(self, return_type: Type | None) -> None:
        """Raise PuppetError for a declared return type of which some instances are no data."""
        if return_type is not None and return_type is not ANY:
            expected = parse_type(_RETURN_TYPES.get(self.kind, "RichData"), PUPPET)
            if not expected.assignable(return_type):
                subject = f"Return type of '{self.kind}' function named '{self.function}' is incorrect,"
                wrong = find_mismatches(expected.normalize(), return_type.normalize(), (subject,))
                raise make_error("LOOKUP_PROVIDER", reason=join_sentences(wrong), **to_arguments(wrong))

    def _refuse(self, scope: Scope, problem: Failure) -> NoReturn:
        """Raise PuppetError for a mistake in `hiera.yaml` that a lookup finds."""
        source = Source(sandbox.read_text(scope, "lookup", self.path), self.path)
        raise _add_place(make_error(problem.code, **problem.arguments), source)

    def _permit_undefined(self, scope: Scope, problem: Failure) -> None:
        """Warn of a variable in a path that has no value.

        Raises:
            PuppetError: The release refuses it, or the path calls a method.
        """
        if problem.code != "HIERA_UNDEFINED_VARIABLE" or not scope.runtime.dialect.lenient_paths:
            self._refuse(scope, problem)
        name, reason = problem.arguments["name"], problem.arguments["reason"]
        log_once(scope.runtime, f"Interpolation failed with '{name}', but compilation continuing; {reason}")

    def make_places(self, scope: Scope) -> Iterable[dict[str, Value]]:
        """Return the options for calls of the function, interpolated, for each existing place.

        Raises:
            Failure: A URI is malformed.
            PuppetError: A place contains a variable without value, or calls a method.
        """
        places: list[dict[str, Value]] = [{}]
        if self.location in ("uri", "uris"):
            uris = [self.location_value] if self.location == "uri" else self.location_value
            places = [{"uri": interpolate(scope, uri, on_problem=self._permit_undefined)} for uri in uris]
            for place in places:
                URI.parse(place["uri"])
        elif self.location:
            root = os.path.join(
                os.path.dirname(self.path),
                interpolate(scope, self.datadir, on_problem=self._refuse),
            )
            places = [{"path": path} for path in self._list_paths(scope, root)]
        options = interpolate(scope, self.options, on_problem=self._refuse)
        return [{**options, **place} for place in places]

    def _list_paths(self, scope: Scope, root: str) -> list[str]:
        """Return the paths of files that exist; record the others in the lookup trace.

        Args:
            scope: The scope of the lookup.
            root: The folder of relative paths.
        """
        if self.location == "mapped_paths":
            texts = self._map_paths(scope)
        else:
            replace = partial(interpolate, scope, on_problem=self._permit_undefined)
            templates = self.location_value if type(self.location_value) is list else [self.location_value]
            # Without a value for a variable before a slash, a path would begin at the root of the file system.
            texts = [
                replace(text)
                for text in templates
                if text[:2] != "%{" or "/" not in text or replace(text.partition("/")[0])
            ]
        if self.location in ("glob", "globs"):
            return [path for text in texts for path in _glob(scope, os.path.join(root, text))]
        paths = [os.path.join(root, text) for text in texts]
        return [path for path in paths if self._exists(scope, path)]

    def _exists(self, scope: Scope, path: str) -> bool:
        # A folder counts, so that reading it is an error.
        exists = sandbox.is_file(scope, "lookup", path, or_folder=True)
        trace = scope.runtime.trace
        if trace is not None and not exists:
            trace.add_step(scope, self.name, path, (), ABSENT)
        return exists

    def _map_paths(self, scope: Scope) -> list[str]:
        """Return the paths of `mapped_paths: [variable, element_name, template]`.

        The template is interpolated for each element of the variable, as the value of `element_name`.
        """
        variable, element_name, template = self.location_value
        elements = get_variable(scope, variable, on_problem=self._permit_undefined)
        if type(elements) is dict:
            elements = [list(pair) for pair in elements.items()]
        elif type(elements) is not list:
            elements = [] if elements is MISSING else [elements]
        return [
            interpolate(scope, template, on_problem=self._permit_undefined, extra={element_name: element})
            for element in elements
        ]


def _glob(scope: Scope, pattern: str) -> list[str]:
    """Return the files that match a pattern, in order; `{a,b}` in it matches either."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        matches = find_readable_matches(scope, "lookup", pattern, recursive=True)
        return [path for path in matches if sandbox.is_file(scope, "lookup", path)]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [path for part in braces[1].split(",") for path in _glob(scope, before + part + after)]


def _find_choice(entry: dict[str, Value], choices: tuple[str, ...], where: str) -> str:
    """Return the choice that an entry has as a key, or "". Raise PuppetError for several."""
    present = [choice for choice in choices if choice in entry]
    refuse_if(
        len(present) > 1,
        "HIERA_ONLY_ONE",
        choices=_join_choices(choices),
        where=where,
        name=entry.get("name"),
    )
    return present[0] if present else ""


def _join_choices(words: tuple[str, ...]) -> str:
    """Return the words as a list in a sentence: `a, b, or c`."""
    return f"{', '.join(words[:-1])}, or {words[-1]}"
