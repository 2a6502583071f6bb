"""The functions that `hiera.yaml` names for the levels of a hierarchy: data from files of YAML and JSON."""

from __future__ import annotations

from functools import partial
from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.stdlib.formats import read_json, read_yaml
from evaluator.hiera.data_cache import TEXTS, cache_file, describe_problem
from evaluator.hiera.eyaml import decrypt_value
from evaluator.hiera.hocon import read_hocon
from evaluator.issues import Failure, error
from evaluator.program import sandbox
from evaluator.program.deprecations import log_once
from evaluator.program.scope import Scope
from evaluator.types.lazy_types import lookup_context
from evaluator.values import get, has

PROVIDER = "Struct[{'path' => String[1]}] options, Puppet::LookupContext context)"


def _no_path(name: str, options: Any = None, context: Any = None, *rest: Any) -> Failure | None:
    """What is said of options that are not those of a file alone, in a call that `lookup` makes."""
    if type(options) is not dict or rest or not lookup_context().instance(context):
        return None
    return Failure("HIERA_NO_PATH", function=name, kind="data_hash")


def _provide(scope: Scope, name: str, options: dict[str, Any], read: Any) -> Any:
    path = options["path"]
    try:
        found = cache_file(
            scope.runtime, name, path, lambda: TEXTS.read(name, sandbox.read_text(scope, name, path), read)
        )
    except Failure as problem:
        place = problem.arguments.get("place", "")
        raise error("DATA_FILE", path=path, problem=describe_problem(problem), place=place) from None
    if type(found) is dict or name == "json_data":
        return found
    if found is not None and scope.runtime.settings.strict == "error":
        raise error("DATA_NO_HASH", path=path)
    log_once(scope.runtime, f"{path}: file does not contain a valid yaml hash", "")
    return {}


@function(f"yaml_data({PROVIDER}", context=True)
def yaml_data(scope: Scope, options: dict[str, Any], context: Any) -> Any:
    """Reads the data of a level of the hierarchy from a YAML file; `hiera.yaml` names it, programs do not call it.

    > yaml_data({ 'path' => 'common.yaml' })
    ! Error while evaluating a Function Call, 'yaml_data' expects 2 arguments, got 1
    """
    return _provide(scope, "yaml_data", options, partial(read_yaml, aliases=True))


@function(f"json_data({PROVIDER}", context=True)
def json_data(scope: Scope, options: dict[str, Any], context: Any) -> Any:
    """Reads the data of a level of the hierarchy from a JSON file; `hiera.yaml` names it, programs do not call it.

    > json_data({ 'path' => 'common.json' })
    ! Error while evaluating a Function Call, 'json_data' expects 2 arguments, got 1
    """
    return _provide(scope, "json_data", options, read_json)


@function(f"hocon_data({PROVIDER}", context=True)
def hocon_data(scope: Scope, options: dict[str, Any], context: Any) -> Any:
    """Reads the data of a level of the hierarchy from a HOCON file; `hiera.yaml` names it, programs do not call it.

    > hocon_data({ 'path' => 'common.conf' })
    ! Error while evaluating a Function Call, 'hocon_data' expects 2 arguments, got 1
    """
    return _provide(scope, "hocon_data", options, read_hocon)


yaml_data.mismatch(partial(_no_path, "yaml_data"))
json_data.mismatch(partial(_no_path, "json_data"))
hocon_data.mismatch(partial(_no_path, "hocon_data"))


@function(
    "eyaml_lookup_key(String[1] key, Hash[String[1], Any] options, Puppet::LookupContext context)",
    context=True,
)
def eyaml_lookup_key(scope: Scope, key: str, options: dict[str, Any], context: Any) -> Any:
    """Finds a key in a YAML file with encrypted values; `hiera.yaml` names it, programs do not call it.

    > eyaml_lookup_key('password', { 'path' => 'secret.eyaml' })
    ! Error while evaluating a Function Call, 'eyaml_lookup_key' expects 3 arguments, got 2
    """
    if "path" not in options:
        raise Failure("HIERA_NO_PATH", function="eyaml_lookup_key", kind="lookup_key")
    data = _provide(scope, "eyaml_lookup_key", options, partial(read_yaml, aliases=True))
    if not has(data, key):
        return context.methods["not_found"]()
    return decrypt_value(scope, get(data, key), options, context.methods["interpolate"])
