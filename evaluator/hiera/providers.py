"""Data functions, which levels call: caches, their context, those for files, and eyaml.

Parsed files are cached for all sessions of the process, results of data functions while a cell runs.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.calling.registry import function
from evaluator.functions.stdlib.formats import read_json, read_or_default, read_yaml
from evaluator.hiera.hocon import read_hocon
from evaluator.hiera.interpolation import interpolate
from evaluator.issues import Failure, make_error, refuse_if, require
from evaluator.program import lifetimes, sandbox
from evaluator.program.definitions import MISSING, Scope, Unwind
from evaluator.program.log import log_once
from evaluator.program.stat_cache import is_young
from evaluator.types.lazy_types import get_lookup_context_type
from evaluator.types.objects import Method
from evaluator.values import PuppetObject, Value, get, has, iterate_items, make_key
from evaluator.values.dag import map_leaves

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

_T = TypeVar("_T")


def cache_file(
    runtime: Runtime, purpose: str, path: str, make: Callable[[], Any], *, shared: bool = False
) -> Any:
    """Return the result of `make` for a file and a purpose, cached until the file changes.

    Args:
        runtime: The program.
        purpose: The name of the purpose, with everything else that the result depends on.
        path: The file.
        make: A function that computes the result.
        shared: True for a result that depends only on the file, so that other programs may use it.
    """
    stamp = sandbox.get_stamp(runtime.settings, path)
    key = purpose, path
    cached_stamp, result = runtime.data_files.get(key, (None, None))
    if shared and cached_stamp != stamp:
        cached_stamp, result = runtime.environment.data.get(key, (None, None))
    if cached_stamp != stamp or stamp is None:  # None: the file cannot be examined
        result = make()
        # a file that has just changed may change again without another stamp
        if shared and stamp is not None and not is_young(stamp):
            runtime.environment.data[key] = stamp, result
    runtime.data_files[key] = stamp, result
    return result


def memoize_in_run(runtime: Runtime, query: Hashable, compute: Callable[[], _T]) -> _T:
    """Return the result of `compute`, called once in a run for a query unless it is MISSING.

    Data functions may take long, or write log lines.
    """
    result: _T = runtime.answers.get(query, MISSING)
    if result is MISSING:
        result = compute()
        if result is not MISSING:
            runtime.answers[query] = result
    return result


def describe_problem(problem: Failure, path: str) -> str:
    """Return the message of a mistake in a file, with its path.

    As released, the message about an alias of YAML that refers to nothing has no path.
    """
    if problem.code == "YAML_ALIAS":
        return str(problem)
    return f"({path}): {problem.arguments['problem'] if problem.code == 'YAML_SYNTAX' else problem}"


# --- the context of functions that provide data


_running: list[Provider] = []  # the running calls, the outermost first


class HieraNotFound(Unwind):
    """The signal of `$context.not_found`: the function has no value for the name."""


class Provider:
    """A call of a data function, and the methods of its context.

    Args:
        scope: The scope of the lookup.
        module: The name of the module whose data is queried; None for none.
        cache: The values that the function has stored by `$context.cache` in this run, by `make_key`.
    """

    def __init__(self, scope: Scope, module: str | None, cache: dict[Value, Value]) -> None:
        self.scope = scope
        self.cache = cache
        implementations: dict[str, Callable[..., Value]] = {
            "not_found": self.not_found,
            "explain": lambda block: None,  # no explanation is ever requested
            "interpolate": partial(interpolate, scope),
            "cache": self.cache_one,
            "cache_all": cache.update,
            "cache_has_key": partial(has, cache),
            "cached_value": partial(get, cache),
            "cached_entries": self.cached_entries,
            "cached_file_data": self.cached_file_data,
        }
        functions = get_lookup_context_type().functions
        methods = {name: self._make_method(functions[name], each) for name, each in implementations.items()}
        environment = {"environment_name": lambda: scope.runtime.settings.environment}
        self.context = PuppetObject(get_lookup_context_type(), {"module_name": module}, environment | methods)

    def _make_method(self, declared: Method, implementation: Callable[..., Value]) -> Callable[..., Value]:
        """Return a method of the context, which has the implementation while the call lasts.

        Afterwards, as the function may have stored the context, the declared one runs, which fails.
        """

        def method(*arguments: Value) -> Value:
            if self in _running:
                return implementation(*arguments)
            assert declared.implementation is not None
            return declared.implementation(self.context, *arguments)

        return method

    def call(self, function: str, arguments: list[Value]) -> Value:
        """Return the result of the function; MISSING if it has no value."""
        depth = len(_running)
        try:
            _running.append(self)
            return self.scope.runtime.call_function(function, [*arguments, self.context], scope=self.scope)
        except HieraNotFound:
            return MISSING
        finally:
            del _running[depth:]

    def not_found(self) -> None:
        """Stop the function, because it has no value."""
        raise HieraNotFound

    def cache_one(self, name: Value, value: Value) -> Value:
        """Store a value for later calls."""
        self.cache[make_key(name)] = value
        return value

    def cached_entries(self, block: Value = None) -> Value:
        """Return the stored pairs, or call a block with each."""
        pairs = [list(pair) for pair in iterate_items(self.cache)]
        if block is None:
            return pairs
        for pair in pairs:
            block.fn(*pair)
        return None

    def cached_file_data(self, path: str, block: Value = None) -> Value:
        """Return the text of a file, or the result of a block for it, until the file changes."""

        def make() -> tuple[Value, Value]:
            text = sandbox.read_text(self.scope, "cached_file_data", path)
            return block, text if block is None else block.fn(text)

        # The block is stored with its result, so that its id is not reused.
        return cache_file(self.scope.runtime, f"context {id(block)}", path, make)[1]


# --- the data functions of Puppet

# The parameters of a data function that reads a file.
_FILE_PARAMETERS = "Struct[{'path' => String[1]}] options, Puppet::LookupContext context)"


def _make_path_failure(
    name: str, options: Value = None, context: Value = None, *rest: Value
) -> Failure | None:
    """Return the failure for options without a path, in a call for a level; else None.

    Args:
        name: The name of the data function.
        options: The first argument of the call.
        context: The second argument.
        *rest: Further arguments.
    """
    if type(options) is not dict or rest or not get_lookup_context_type().instance(context):
        return None
    return Failure("HIERA_NO_PATH", function=f"'{name}'", kind="data_hash")


def _read_data_file(
    scope: Scope, name: str, options: dict[str, Value], read: Callable[[str], Value]
) -> Value:
    """Return the data of a file; an empty hash if they are no hash.

    Args:
        scope: The scope of the lookup.
        name: The name of the data function.
        options: The options of the level: the file as `path`.
        read: Returns the data in a text.

    Raises:
        PuppetError: The text cannot be read.
    """
    path = options["path"]
    try:
        data = cache_file(
            scope.runtime,
            name,
            path,
            lambda: read(sandbox.read_text(scope, name, path)),
            shared=True,
        )
    except Failure as problem:
        if problem.code == "IS_A_FOLDER":
            raise
        file = f" {path}" if problem.code == "YAML_ALIAS" else ""  # that message does not name the file
        raise make_error(
            "DATA_FILE",
            problem=describe_problem(problem, path),
            place=file + problem.arguments.get("place", ""),
        ) from None
    if type(data) is dict or name == "json_data":
        return data
    refuse_if(data is not None and scope.runtime.settings.strict == "error", "DATA_NO_HASH", path=path)
    log_once(scope.runtime, f"{path}: file does not contain a valid yaml hash", "")
    return {}


@function(f"yaml_data({_FILE_PARAMETERS}", context=True)
def yaml_data(scope: Scope, options: dict[str, Value], context: Value) -> Value:
    """Reads the data of a level of the hierarchy from a YAML file; `hiera.yaml` names it, programs do not call it.

    > yaml_data({ 'path' => 'common.yaml' })
    ! Error while evaluating a Function Call, 'yaml_data' expects 2 arguments, got 1
    """
    return _read_data_file(scope, "yaml_data", options, partial(read_yaml, aliases=True))


@function(f"json_data({_FILE_PARAMETERS}", context=True)
def json_data(scope: Scope, options: dict[str, Value], context: Value) -> Value:
    """Reads the data of a level of the hierarchy from a JSON file; `hiera.yaml` names it, programs do not call it.

    > json_data({ 'path' => 'common.json' })
    ! Error while evaluating a Function Call, 'json_data' expects 2 arguments, got 1
    """
    return _read_data_file(scope, "json_data", options, read_json)


@function(f"hocon_data({_FILE_PARAMETERS}", context=True)
def hocon_data(scope: Scope, options: dict[str, Value], context: Value) -> Value:
    """Reads the data of a level of the hierarchy from a HOCON file; `hiera.yaml` names it, programs do not call it.

    > hocon_data({ 'path' => 'common.conf' })
    ! Error while evaluating a Function Call, 'hocon_data' expects 2 arguments, got 1
    """
    return _read_data_file(scope, "hocon_data", options, read_hocon)


@function("parsehocon(String hocon_string, Any default?)", origin="stdlib")
def parsehocon(text: str, *default: Value) -> Value:
    """Return the data of a text in HOCON, or a default if the text is wrong.

    > parsehocon('a { b = [1, on] }, c = ${a.b}')
    {'a' => {'b' => [1, 'on']}, 'c' => [1, 'on']}

    > parsehocon('a = ', 'default')
    'default'
    """
    return read_or_default(read_hocon, text, default)


for data_function in (yaml_data, json_data, hocon_data):
    data_function.mismatch(partial(_make_path_failure, data_function.name))


@function(
    "eyaml_lookup_key(String[1] key, Hash[String[1], Any] options, Puppet::LookupContext context)",
    context=True,
)
def eyaml_lookup_key(scope: Scope, key: str, options: dict[str, Value], context: Value) -> Value:
    """Finds a key in a YAML file with encrypted values; `hiera.yaml` names it, programs do not call it.

    > eyaml_lookup_key('password', { 'path' => 'secret.eyaml' })
    ! Error while evaluating a Function Call, 'eyaml_lookup_key' expects 3 arguments, got 2
    """
    require("path" in options, "HIERA_NO_PATH", function="'eyaml_lookup_key':", kind="lookup_key")
    data = _read_data_file(scope, "eyaml_lookup_key", options, partial(read_yaml, aliases=True))
    if not has(data, key):
        return context.methods["not_found"]()
    return decrypt_value(scope, key, get(data, key), options, context.methods["interpolate"])


# --- encrypted values (eyaml)

_NAME = "eyaml_lookup_key"
_SECRET = re.compile(r"ENC\[(?:(\w+),)?([A-Za-z0-9+/=\s]++)\]")
_KEYS = ("pkcs7_public_key", "pkcs7_private_key")  # the options with the paths of the two keys


def decrypt_value(
    scope: Scope, key: str, value: Value, options: dict[str, Value], interpolate: Callable[[Value], Value]
) -> Value:
    """Return a value of the data with its secrets decrypted and then interpolated.

    Args:
        scope: The scope of the lookup.
        key: The key of the value.
        value: The value.
        options: The options of the level: the data file as `path`, and the files of the two keys.
        interpolate: Replaces `%{…}` in a string.

    Raises:
        PuppetError: A secret cannot be decrypted.
        Failure: A key file must not be read.
    """

    def decrypt(leaf: Value) -> Value:
        if type(leaf) is not str:
            return leaf
        if "ENC[" in leaf:
            leaf = _SECRET.sub(lambda secret: _decrypt(scope, key, secret, options), leaf).removesuffix("\n")
        return interpolate(leaf)

    return map_leaves(value, decrypt)


def _decrypt(scope: Scope, key: str, secret: re.Match[str], options: dict[str, Value]) -> str:
    """Return the text of a match of `_SECRET`, decrypted.

    Raises:
        PuppetError: The secret cannot be decrypted; an option is missing or is not a string.
        Failure: A key file must not be read.
    """
    scheme = secret[1] or "PKCS7"
    refuse_if(scheme.upper() != "PKCS7", "EYAML_SCHEME", path=options["path"], scheme=scheme)
    problem = {"data": secret.string, "key": key, "path": options["path"]}
    for name in _KEYS:
        refuse_if(type(options.get(name)) is not str, "EYAML_KEY", name=name, **problem)
    public, private = (_read_key(scope, options[name]) for name in _KEYS)
    try:
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, pkcs7
        from cryptography.x509 import load_pem_x509_certificate
    except ImportError:
        raise make_error("EXTRA_NEEDED", function=_NAME, package="cryptography", extra="eyaml") from None
    try:
        envelope = base64.b64decode("".join(secret[2].split()), validate=True)
        certificate, opened = load_pem_x509_certificate(public), load_pem_private_key(private, None)
        if not isinstance(opened, RSAPrivateKey):
            raise ValueError("the private key is not an RSA key")
        text = pkcs7.pkcs7_decrypt_der(envelope, certificate, opened, []).decode("utf-8")
        lifetimes.note_secret(text.removesuffix("\n"))
        return text
    except (ValueError, TypeError, binascii.Error):
        raise make_error("EYAML_DECRYPTION", path=options["path"]) from None


def _read_key(scope: Scope, path: str) -> bytes:
    """Return the content of a key file. Raise Failure if it must not be read."""
    return bytes(cache_file(scope.runtime, _NAME, path, lambda: sandbox.read_bytes(scope, _NAME, path)))
