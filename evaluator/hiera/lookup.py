"""The lookup of a name in layers: its options, merging, dotted paths, conversion.

Functions call `find`, parameters of classes are looked up by `find_parameters`. `scope.runtime.looked_up` has the names
whose lookups are running, the outermost first, so that a name whose value refers to itself is an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain

from evaluator.functions.conversion import new
from evaluator.hiera import merging
from evaluator.hiera.interpolation import METHODS, dig, interpolate, split
from evaluator.hiera.layers import Layer, get_layers
from evaluator.hiera.providers import memoize_in_run
from evaluator.issues import Failure, make_error, refuse_if, require
from evaluator.program import effects, lookup_trace
from evaluator.program.definitions import MISSING, Scope
from evaluator.values import RegexpValue, Value
from lexer_parser.errors import PuppetError

OPTIONS = "lookup_options"  # the key of the data that has the options of names


def find(scope: Scope, name: str, merge: Value = None, *, everywhere: bool = True) -> Value:
    """Return the value of a name, or of a dotted path that begins with one; or MISSING.

    Args:
        scope: The scope of the lookup.
        name: The name.
        merge: The merge strategy for the values of several levels; by default the options of the name determine it.
        everywhere: False to query only global data.

    Raises:
        Failure: The strategy is unknown, or data cannot be read.
        PuppetError: The data is invalid, or the value of a name refers to itself.
    """
    effects.forbid_repetition()  # a second run would not read the data again
    path = split(name)
    looked_up = scope.runtime.looked_up
    if path[0] == OPTIONS:
        return MISSING
    layers = get_layers(scope.runtime, path[0], everywhere)
    if not layers:
        merging.read_merge_options(merge)  # only to refuse an unknown strategy
        return MISSING
    _record_effect(scope)
    depth = len(looked_up)
    try:
        if scope.runtime.trace is None:
            return _find(scope, path, merge, layers, name)
        with lookup_trace.record_lookup(scope.runtime, name) as trace:
            trace.value = _find(scope, path, merge, layers, name)
            return trace.value
    finally:
        del looked_up[depth:]


def _look_up(scope: Scope, name: str) -> Value:
    """Return the value of a name to which data refers, by the options of that name.

    The overrides and defaults of the running function `lookup` are queried too.
    """
    override, defaults = scope.runtime.lookup_values
    if name in override:
        return override[name]
    _check_options_are_known(scope.runtime.looked_up)
    value = find(scope, name)
    return defaults.get(name, MISSING) if value is MISSING else value


def _look_up_text(scope: Scope, name: str) -> Value:
    """Return the value of a name, interpolated again."""
    return interpolate(scope, _look_up(scope, name))


# Interpolation cannot import the lookup, which it is a part of.
METHODS.update(alias=_look_up, hiera=_look_up_text, lookup=_look_up_text)


def find_parameters(scope: Scope, owner: str, names: list[str]) -> dict[str, Value]:
    """Return the values of parameters that have one under their qualified name.

    Args:
        scope: The scope of the lookups.
        owner: The name of the class that has the parameters.
        names: The names of the parameters.

    Raises:
        Failure, PuppetError: See `find`.
    """
    parameter_values: dict[str, Value] = {}
    tables: list[Mapping[Value, Value]] | None = None
    for name in names:
        key = f"{owner}::{name}"
        if tables is None:
            tables = _list_tables(scope, key)
        if tables is None or any(key in table for table in tables):
            value = find(scope, key)
            if value is not MISSING:
                parameter_values[name] = value
    return parameter_values


def _list_tables(scope: Scope, name: str) -> list[Mapping[Value, Value]] | None:
    """Return all tables that may have a name of a module; None if not all are read.

    A name that is in none of the tables has no value, so that most parameters of a class need no lookup. The tables are
    complete once all levels have been read in this run, as wholes.
    """
    runtime = scope.runtime
    if runtime.trace is not None or runtime.looked_up:
        return None
    layers = get_layers(runtime, name)
    if not layers:
        return []
    options = runtime.answers.get((OPTIONS, id(layers)))
    if options is None or layers[-1].fallback is not None or any(key[:1] == "^" for key in options):
        return None
    tables = [options]
    for layer in layers:
        layer_tables = layer.list_tables(scope)
        if layer_tables is None:
            return None
        tables += layer_tables
    _record_effect(scope)
    return tables


def _record_effect(scope: Scope) -> None:
    """Record that the program depends on files, unless only the session's own data exists."""
    settings = scope.runtime.settings
    if settings.modulepath or settings.hiera_config is not None or settings.directory is not None:
        effects.record_unrepeatable()


def _find(scope: Scope, path: list[Value], merge: Value, layers: list[Layer], name: str) -> Value:
    """Return the value at a path in layers, merged and converted by the options of its name.

    If no layer has a value, the default hierarchy of the last one is queried.

    Args:
        scope: The scope of the lookup.
        path: The name, and the keys and indices of a dotted path.
        merge: The merge strategy; None for that of the options.
        layers: The layers, in order of priority.
        name: The dotted path as written.
    """
    options = _find_options(scope, path[0], layers)
    looked_up = scope.runtime.looked_up
    refuse_if(name in looked_up, "DATA_RECURSION", key=name, keys=", ".join(looked_up))
    looked_up.append(name)  # `find` removes it
    strategy = options.get("merge") if merge is None else merge
    values = _iterate_values(scope, path, layers)
    value = merging.merge(values, strategy)
    if value is MISSING and layers[-1].fallback is not None:
        layers = layers[-1].fallback
        # As released, the default hierarchy has its own merge strategy, but not its own conversion.
        strategy = _find_options(scope, path[0], layers).get("merge")
        value = merging.merge(_iterate_values(scope, path, layers), strategy)
    value = dig(value, path[1:], name)
    trace = scope.runtime.trace
    if trace is not None:
        trace.merge, trace.convert = strategy, options.get("convert_to")
        if scope.runtime.settings.recorded:  # the origin of a value is shown with all levels
            _complete_trace(trace, values)
    if value is MISSING or options.get("convert_to") is None:
        return value
    return _convert(scope, name, value, options["convert_to"])


def _iterate_values(scope: Scope, path: list[Value], layers: list[Layer]) -> Iterator[Value]:
    return chain.from_iterable(layer.values(scope, path) for layer in layers)


def _complete_trace(trace: lookup_trace.LookupTrace, values: Iterator[Value]) -> None:
    """Query the remaining levels, as far as they can be read, to complete the trace.

    The lookup does not need them, but the trace records their values.
    """
    trace.is_decided = True
    with suppress(Failure, PuppetError):
        deque(values, maxlen=0)


# --- options


def _find_options(scope: Scope, name: str, layers: list[Layer]) -> dict[str, Value]:
    """Return the options of a name, else of the first matching pattern, a key with `^`.

    A lookup that is traced merges the options of all layers again, to record where they come from.
    """
    trace = scope.runtime.trace
    all_options: dict[str, Value]
    if trace is None:
        # all names of a module have the same list of layers during a run
        query = OPTIONS, id(layers)
        all_options = memoize_in_run(scope.runtime, query, partial(_merge_options, scope, layers))
    else:
        with lookup_trace.record_lookup(scope.runtime, OPTIONS) as options_trace:
            all_options = _merge_options(scope, layers)
    key = name
    if all_options.get(name) is None:
        key = next((key for key in all_options if key[:1] == "^" and RegexpValue(key).search(name)), name)
    options = all_options.get(key)
    if trace is not None:
        trace.extract_options(scope, options_trace, [OPTIONS, key])
    # as released, where Ruby reads the entry "merge" of the options
    require(type(options) not in (int, list), "NO_IMPLICIT_CONVERSION", actual="String", type="Integer")
    return options if type(options) is dict else {}


def _merge_options(scope: Scope, layers: list[Layer]) -> dict[str, Value]:
    """Return the options in all layers: those of a layer override those of the next."""
    by_layer = [
        memoize_in_run(scope.runtime, (OPTIONS, *layer.identity), partial(_read_options, scope, layer))
        for layer in layers
    ]
    return {key: entry for options in reversed(by_layer) for key, entry in options.items()}


def _read_options(scope: Scope, layer: Layer) -> dict[str, Value]:
    """Return the options in a layer. Raises PuppetError for options of another form."""
    looked_up = scope.runtime.looked_up
    _check_options_are_known(looked_up)
    depth = len(looked_up)
    try:
        looked_up.append(OPTIONS)  # inside the block, because an interrupt may follow directly
        options = merging.merge(layer.values(scope, [OPTIONS]), "hash")
    finally:
        del looked_up[depth:]
    if options is MISSING or options is None:
        return {}
    refuse_if(type(options) is not dict, "LOOKUP_OPTIONS_NO_HASH")
    layer.check_options(options)
    return {str(key): value for key, value in options.items()}


def _check_options_are_known(looked_up: list[str]) -> None:
    """Raise LOOKUP_OPTIONS_RECURSION if the options of a layer need options themselves."""
    refuse_if(OPTIONS in looked_up, "LOOKUP_OPTIONS_RECURSION", keys=", ".join(looked_up))


def _convert(scope: Scope, name: str, value: Value, convert_to: Value) -> Value:
    """Return the value converted to the type that `convert_to` names. Raises PuppetError."""
    type_, *arguments = convert_to if type(convert_to) is list and convert_to else [convert_to or None]
    if type(type_) is str:
        type_ = _parse_conversion_type(scope, name, type_)
    try:
        return new.invoke(scope, [type_, value, *arguments], None)
    except (Failure, PuppetError) as problem:
        raise make_error("LOOKUP_CONVERSION", key=name, problem=_describe_conversion(problem)) from None


def _parse_conversion_type(scope: Scope, name: str, text: str) -> Value:
    try:
        return scope.runtime.names.parse_type_or_reference(text)
    except (Failure, PuppetError) as problem:
        raise make_error(
            "LOOKUP_CONVERSION_TYPE", key=name, text=text, problem=_describe_conversion(problem)
        ) from None


def _describe_conversion(problem: Failure | PuppetError) -> str:
    return problem.message if isinstance(problem, PuppetError) else str(problem)
