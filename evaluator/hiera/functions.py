"""The functions that look up data: `lookup`, and the older `hiera` functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evaluator.calling.registry import function
from evaluator.catalog import include_classes
from evaluator.hiera import find
from evaluator.hiera.configuration import read_configuration
from evaluator.hiera.layers import has_environment_data
from evaluator.issues import make_error, require
from evaluator.program.definitions import MISSING, Scope
from evaluator.program.log import log_deprecation
from evaluator.types.puppet_wording import check
from evaluator.values import get, has
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from evaluator.values.kind import Value


def make_not_found_error(names: list[str]) -> PuppetError:
    """Return the error for names without a value."""
    quoted = ", ".join(f"'{name}'" for name in names)
    phrase = f"the name {quoted}" if len(names) == 1 else f"any of the names [{quoted}]"
    return make_error("LOOKUP_NOT_FOUND", names=phrase)


# --- lookup

# Parts of the signatures: the parameters without options, the entries of a hash of options, the block.
NAME = "NameType = Variant[String, Array[String]] name"
SHORT = f"{NAME}, ValueType = Type value_type?, MergeType = Variant[String[1], Hash[String, Scalar]] merge?"
FIELDS = (
    "'value_type' => Optional[ValueType = Type], 'default_value' => DefaultValueType = Any,"
    " 'override' => Optional[Hash[String, Any]], 'default_values_hash' => Optional[Hash[String, Any]],"
    " 'merge' => Optional[MergeType = Variant[String[1], Hash[String, Scalar]]]"
)
BLOCK = "BlockType = Callable[NameType = Variant[String, Array[String]]]"


def _check_value(type_: Value, value: Value, subject: str) -> Value:
    """Return a value if it is an instance of a type, or if that is None. Raises LOOKUP_TYPE."""
    if type_ is not None:
        check(subject, type_, value, "LOOKUP_TYPE")
    return value


@contextmanager
def _overriding(
    runtime: Runtime, override: dict[Value, Value], defaults: dict[Value, Value]
) -> Iterator[None]:
    """Use further values of names in the block: overrides before all data, defaults after."""
    outer = runtime.lookup_values
    try:
        # Set inside the `try`, because an interrupt may follow directly.
        runtime.lookup_values = override, defaults
        yield
    finally:
        runtime.lookup_values = outer


def _lookup(scope: Scope, name: Value, options: dict[str, Value], block: Value) -> Value:
    """Return the value of the first name that has one; else of the block, else the default.

    All names are searched in the overrides, then in the data, then in the default values.

    Args:
        scope: The scope of the call.
        name: A name, or an array of names.
        options: The entries of a hash of options; any of them may be missing.
        block: The block that computes the default; None for none.
    """
    names = name if type(name) is list else [name]
    type_ = options.get("value_type")
    override = options.get("override") or {}
    defaults = options.get("default_values_hash") or {}
    for each in names:
        if has(override, each):
            return _check_value(type_, get(override, each), f"Value found for key '{each}' in override hash")
    for each in names:
        with _overriding(scope.runtime, override, defaults):
            value = find(scope, each, options.get("merge"))
        if value is not MISSING:
            return _check_value(type_, value, "Found value")
    for each in names:
        if has(defaults, each):
            subject = f"Value found for key '{each}' in default values hash"
            return _check_value(type_, get(defaults, each), subject)
    if block is not None:
        return _check_value(type_, block.fn(name), "Value returned from default block")
    if "default_value" in options:
        return _check_value(type_, options["default_value"], "Default value")
    raise make_not_found_error(names)


@function(
    f"lookup({SHORT})",
    context=True,
    usage=(
        "lookup(Variant[String, Array[String]] name, Type value_type?, Variant[String, Hash] merge?)",
        "lookup(Variant[String, Array[String]] name, Type value_type, Variant[String, Hash] merge, Any default)",
        "lookup(Variant[String, Array[String]] name, Type value_type?, Variant[String, Hash] merge?,"
        " Callable block)",
        "lookup(Variant[String, Array[String]] name, Hash options, Callable[1, 1] block?)",
        "lookup(Hash options, Callable[1, 1] block?)",
    ),
)
def lookup(scope: Scope, name: Value, value_type: Value = None, merge: Value = None) -> Value:
    """Return the value of a name in the data that belongs to the environment (Hiera).

    Names may be dotted paths. For a list of names, the first one with a value is used. If there is no value, it fails,
    unless a default is passed: as fourth argument, in a hash of options, or by a block. The value must be an instance
    of the type; `merge` is 'first', 'unique', 'hash' or 'deep'. Options are value_type, merge, default_value,
    default_values_hash and override, a hash that takes precedence over all data.

    > lookup('no::such', { 'default_value' => 5 })
    5

    > lookup('no::such', Integer, 'first', 7)
    7

    > lookup('no::such', Integer, 'first', 'seven')
    ! Error while evaluating a Function Call, Default value has wrong type, expects an Integer value, got String

    > lookup('no::such') |$name| { "no ${name}" }
    'no no::such'
    """
    return _lookup(scope, name, {"value_type": value_type, "merge": merge}, None)


@lookup.overload(
    f"lookup({NAME}, Optional[ValueType] value_type, Optional[MergeType] merge,"
    " DefaultValueType = Any default_value)",
    context=True,
)
def lookup_default(scope: Scope, name: Value, value_type: Value, merge: Value, default: Value) -> Value:
    """Return the value of a name, with a default."""
    return _lookup(scope, name, {"value_type": value_type, "merge": merge, "default_value": default}, None)


@lookup.overload(f"lookup({SHORT}, {BLOCK} _)", context=True)
def lookup_block(
    scope: Scope, name: Value, value_type: Value = None, merge: Value = None, *, block: Value
) -> Value:
    """Return the value of a name; the block computes the default."""
    return _lookup(scope, name, {"value_type": value_type, "merge": merge}, block)


@lookup.overload(
    "lookup(OptionsWithName = Struct[{'name' => NameType = Variant[String, Array[String]], "
    f"{FIELDS}}}] options_hash, {BLOCK} block?)",
    context=True,
)
def lookup_options(scope: Scope, options: dict[str, Value], block: Value = None) -> Value:
    """Return the value of the name in a hash of options."""
    return _lookup(scope, options["name"], options, block)


@lookup.overload(
    "lookup(Variant[String, Array[String]] name, OptionsWithoutName = Struct[{"
    f"{FIELDS}}}] options_hash, {BLOCK} block?)",
    context=True,
)
def lookup_named_options(scope: Scope, name: Value, options: dict[str, Value], block: Value = None) -> Value:
    """Return the value of a name, with a hash of options."""
    return _lookup(scope, name, options, block)


# --- hiera, hiera_array, hiera_hash, hiera_include

_USAGE = (
    "{name}(String key)",
    "{name}(String key, Any default, Any override?)",
    "{name}(String key, Any override?, Callable[1, 1] block)",
)


def _find_deprecated(scope: Scope, function_name: str, key: str, merge: Value) -> Value:
    """Return the value that an older function finds, or MISSING, and warn of the function.

    With the setting `strict` at "off", there is no warning.
    As released, other data than the global one is queried only if the environment has data of its own, and a global
    configuration of version 3 determines the merge of hashes.
    """
    settings = scope.runtime.settings
    if settings.strict != "off":
        log_deprecation(
            scope.runtime,
            f"The function '{function_name}' is deprecated in favor of using 'lookup'."
            f" See {settings.dialect.product.pages}/deprecated_language.html",
        )
    if merge == "hash" and settings.hiera_config is not None:
        configuration = read_configuration(scope.runtime, settings.hiera_config, None)
        merge = merge if configuration is None else configuration.hash_merge
    return find(scope, key, merge, everywhere=has_environment_data(scope.runtime))


def _hiera(scope: Scope, function_name: str, key: Value, merge: Value, default: Value, block: Value) -> Value:
    """Return the value of a key, else the result of a block for it, else a default.

    Args:
        scope: The scope of the call.
        function_name: The name of the older function.
        key: The key, or an array of it and the default.
        merge: The merge strategy.
        default: The default; MISSING for none. In a call with a block it is an override, which is not used.
        block: The block; None for none.

    Raises:
        PuppetError: There is none of these (LOOKUP_NOT_FOUND).
    """
    if type(key) is list:
        key, default = key[0], key[1] if len(key) > 1 else default
    value = _find_deprecated(scope, function_name, key, merge)
    if value is not MISSING:
        return value
    if block is not None:
        return block.fn(key)
    if default is not MISSING:
        return default
    raise make_not_found_error([key])


def _signatures(name: str) -> tuple[str, ...]:
    return (
        f"{name}(Tuple[String, Any, Any, 1, 3] args)",
        f"{name}(String key)",
        f"{name}(String key, Any default, Any override?)",
        f"{name}(String key, Callable[1, 1] default_block)",
        f"{name}(String key, Any override, Callable[1, 1] default_block)",
    )


@function(*_signatures("hiera"), context=True, usage=_USAGE)
def hiera(
    scope: Scope, key: Value, default: Value = MISSING, override: Value = None, block: Value = None
) -> Value:
    """Return the value of a key in the data (deprecated: use `lookup`).

    > hiera('no_such', 'default')
    'default'
    """
    return _hiera(scope, "hiera", key, "first", default, block)


@function(*_signatures("hiera_array"), context=True, usage=_USAGE)
def hiera_array(
    scope: Scope, key: Value, default: Value = MISSING, override: Value = None, block: Value = None
) -> Value:
    """Return the values of a key as one flat array (deprecated: use `lookup` with the merge 'unique').

    > hiera_array('no_such', [1])
    [1]
    """
    return _hiera(scope, "hiera_array", key, "unique", default, block)


@function(*_signatures("hiera_hash"), context=True, usage=_USAGE)
def hiera_hash(
    scope: Scope, key: Value, default: Value = MISSING, override: Value = None, block: Value = None
) -> Value:
    """Return the values of a key as one hash (deprecated: use `lookup` with the merge 'hash').

    > hiera_hash('no_such', { 'a' => 1 })
    {'a' => 1}
    """
    return _hiera(scope, "hiera_hash", key, "hash", default, block)


@function(*_signatures("hiera_include"), context=True, usage=_USAGE)
def hiera_include(
    scope: Scope, key: Value, default: Value = MISSING, override: Value = None, block: Value = None
) -> Value:
    """Include the classes that the data lists under a key (deprecated: use `lookup` and `include`).

    > class web { }
    > hiera_include('no_such', ['web'])
    [Class[web]]
    """
    names = _hiera(scope, "hiera_include", key, "unique", default, block)
    require(names is not None, "DATA_ITEM_MISSING", key=key[0] if type(key) is list else key)
    return include_classes(scope, [names]) if names else None
