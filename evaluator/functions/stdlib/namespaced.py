"""stdlib: the functions that are named `stdlib::…` since its version 9.

Most are older functions under a new name; those that write data return a Sensitive for data with secrets.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable

from evaluator.calling.registry import function, rename_function
from evaluator.functions.grouping import compare_values, merge_sort
from evaluator.functions.stdlib import catalog, collections, deprecated, formats, strings
from evaluator.limits import COLLECTION
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.types import ResourceType, infer_detailed
from evaluator.values import Sensitive, Value, encode_utf8, iterate_items, make_hash, make_key
from evaluator.values.dag import collect_leaves, memoize_recursion
from evaluator.values.ruby_values import to_ruby_s

# --- secrets


@memoize_recursion
def _unwrap(recurse: Value, value: Value) -> Value:
    """Return a value with the Sensitive values in it, at any depth, unwrapped."""
    if isinstance(value, Sensitive):
        return recurse(value.value)
    if isinstance(value, list):
        return [recurse(item) for item in value]
    if isinstance(value, dict):
        pairs = iterate_items(value)
        return make_hash((k.value if isinstance(k, Sensitive) else k, recurse(v)) for k, v in pairs)
    return value


def _rewrap(data: Value, write: Callable[[Value], Value]) -> Value:
    """Return the result of `write` for the unwrapped data, a Sensitive if it has secrets."""
    text = write(_unwrap(data))
    return Sensitive(text) if Sensitive in map(type, collect_leaves(data)) else text


@function("stdlib::rewrap_sensitive_data(Any data, Callable[Any] block?)")
def rewrap_sensitive_data(data: Value, block: LambdaBlock | None = None) -> Value:
    """Call a block with the unwrapped data.

    Return its value, as a Sensitive if the data has secrets.

    > stdlib::rewrap_sensitive_data({ 'a' => Sensitive(1) }) |$data| { $data['a'] + 1 }.unwrap
    2

    > stdlib::rewrap_sensitive_data([1])
    [1]
    """
    return _rewrap(data, lambda plain: plain if block is None else block.fn(plain))


@function("stdlib::to_json(Any data)")
def to_json(data: Value) -> Value:
    """Write data as JSON.

    > stdlib::to_json({ 'a' => [1, undef] })
    '{"a":[1,null]}'
    """
    return _rewrap(data, formats.to_json.body())


@function("stdlib::" + formats.to_json_pretty.signatures[0])
def to_json_pretty(
    data: Value, skip_undef: bool | None = False, options: dict[str, Value] | None = None
) -> Value:
    r"""Write data as JSON on several lines; undef may be omitted.

    > stdlib::to_json_pretty({ 'a' => 1, 'b' => undef }, true)
    "{\n  \"a\": 1\n}\n"
    """
    return _rewrap(data, lambda plain: formats.to_json_pretty.body()(plain, skip_undef, options))


@function("stdlib::to_yaml(Any data, Hash options?)")
def to_yaml(data: Value, options: dict[str, Value] | None = None) -> Value:
    r"""Write data as YAML.

    > stdlib::to_yaml({ 'a' => Sensitive('x') }).unwrap
    "---\na: x\n"
    """
    return _rewrap(data, lambda plain: formats.to_yaml.body()(plain, options))


@function("stdlib::to_toml(Hash data)")
def to_toml(data: Value) -> Value:
    r"""Write a hash as TOML.

    > stdlib::to_toml({ 'a' => 1 })
    "a = 1\n"
    """
    return _rewrap(data, formats.to_toml.body())


# --- digests

_DIGESTED = "Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] my_data"


def _encode_text(value: Value) -> bytes:
    """Return the bytes of a value as text; those of the value inside a Sensitive."""
    return encode_utf8(to_ruby_s(value.value if isinstance(value, Sensitive) else value))


@function(f"stdlib::crc32({_DIGESTED})")
def crc32(value: Value) -> str:
    """Return the CRC-32 checksum of a String or Sensitive.

    > stdlib::crc32('abc')
    '352441c2'
    """
    return f"{zlib.crc32(_encode_text(value)):x}"


@function(f"stdlib::sha256({_DIGESTED})")
def sha256(value: Value) -> str:
    """Return the SHA-256 digest of a String or Sensitive.

    > stdlib::sha256(Sensitive('abc'))
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    return hashlib.sha256(_encode_text(value), usedforsecurity=False).hexdigest()


# --- data


@function("stdlib::nested_values(Hash hash)")
def nested_values(data: dict[Value, Value]) -> list[Value]:
    """Return the values of a hash and of the hashes nested in it.

    > stdlib::nested_values({ 'a' => 1, 'b' => { 'c' => [2] } })
    [1, [2]]
    """
    leaves: list[Value] = []
    pending = list(data.values())[::-1]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += list(value.values())[::-1]
        else:
            leaves.append(value)
            COLLECTION.check(len(leaves))
    return leaves


def _sort_by(values: list[Value], keys: list[Value]) -> list[Value]:
    """Return values in the order of their keys."""
    order = merge_sort(list(range(len(values))), lambda left, right: compare_values(keys[left], keys[right]))
    return [values[index] for index in order]


@function("stdlib::sort_by(Array ary, Callable[1, 1] block)")
def sort_by(values: list[Value], block: LambdaBlock) -> list[Value]:
    """Sort elements, characters or pairs by the value of a block for each.

    > stdlib::sort_by(['ccc', 'a', 'bb']) |$word| { $word.length }
    ['a', 'bb', 'ccc']

    > stdlib::sort_by({ 'a' => 2, 'b' => 1 }) |$pair| { $pair[1] }
    {'b' => 1, 'a' => 2}
    """
    return _sort_by(values, [block.fn(value) for value in values])


@sort_by.overload("stdlib::sort_by(String str, Callable[1, 1] block)")
def sort_by_string(string: str, block: LambdaBlock) -> str:
    """Sort characters."""
    return "".join(_sort_by(list(string), [block.fn(sign) for sign in string]))


@sort_by.overload(
    "stdlib::sort_by(Hash hsh, Callable[1, 1] block)", "stdlib::sort_by(Hash hsh, Callable[2, 2] block)"
)
def sort_by_pair(data: dict[Value, Value], block: LambdaBlock) -> dict[Value, Value]:
    """Sort the pairs of a hash; the block always gets a pair as one argument."""
    pairs = list(iterate_items(data))
    ordered = _sort_by(pairs, [block.call([list(pair)]) for pair in pairs])
    return {make_key(name): value for name, value in ordered}


@function("stdlib::type_of(Any value)", context=True)
def type_of(scope: Scope, value: Value) -> Value:
    """Return the type of a value.

    > stdlib::type_of([1])
    Tuple[Integer[1, 1]]
    """
    return infer_detailed(value, scope.runtime.dialect)


# --- functions that are unchanged

for _older in (
    *(formats.to_python, formats.to_ruby, collections.merge),
    *(strings.shell_escape, strings.batch_escape, strings.powershell_escape),
):
    rename_function(__name__, _older, f"stdlib::{_older.name}")


# --- the program


@function("stdlib::has_function(String[1] function_name)", context=True)
def has_function(scope: Scope, name: str) -> bool:
    """Return whether there is a function of that name.

    > stdlib::has_function('stdlib::sha256')
    true

    > stdlib::has_function('no_such_function')
    false
    """
    return scope.runtime.names.find_function(name) is not None


@function(
    "stdlib::ensure_packages(Variant[String[1], Array[String[1]]] packages, Hash default_attributes?)",
    "stdlib::ensure_packages(Hash[String[1], Any] packages, Hash default_attributes?)",
    context=True,
)
def ensure_packages(scope: Scope, packages: Value, default_attributes: Value = None) -> None:
    """Declare packages that are not declared yet, with `ensure => installed` by default.

    > stdlib::ensure_packages(['vim', 'git'])
    > Package['git']['ensure']
    'installed'

    > stdlib::ensure_packages({ 'nano' => { 'ensure' => 'absent' } })
    > Package['nano']['ensure']
    'absent'
    """
    for title, attributes in catalog.collect_packages(packages, default_attributes):
        # a package that is declared with the other of the two is accepted
        if attributes["ensure"] in ("present", "installed"):
            declared = catalog.has_parameters(scope, ResourceType("package", title), {"ensure": "present"})
            attributes = {**attributes, "ensure": "present" if declared else "installed"}
        catalog.ensure_declared(scope, "package", title, attributes)


# --- validation


@function("stdlib::validate_domain_name(Any values*)", context=True)
def validate_domain_name(scope: Scope, *values: Value) -> None:
    """Fail unless all values are domain names.

    > stdlib::validate_domain_name('example.com')
    undef
    """
    deprecated.CHECKS["validate_domain_name"](scope, *values)


@function("stdlib::validate_email_address(Any values*)", context=True)
def validate_email_address(scope: Scope, *values: Value) -> None:
    """Fail unless all values are e-mail addresses.

    > stdlib::validate_email_address('a@example.com')
    undef
    """
    deprecated.CHECKS["validate_email_address"](scope, *values)
