"""stdlib: functions of facts, modules and time, and pseudo-random choices for one machine."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from time import time as now

from evaluator.calling.registry import function, rename_function
from evaluator.catalog.references import format_reference
from evaluator.functions.conversion import new
from evaluator.functions.digests import RubyRandom, fqdn_rand, get_fqdn, make_random
from evaluator.functions.files import epp, file, find_module_path, find_template
from evaluator.functions.navigation import PathBlocked, flatten_arrays, get_part, walk
from evaluator.functions.numbers import versioncmp
from evaluator.functions.stdlib.formats import read_json
from evaluator.issues import Failure, require
from evaluator.limits import STRING
from evaluator.program import sandbox
from evaluator.program.definitions import Scope
from evaluator.program.patterns import find_readable_matches
from evaluator.types import ClassType, ResourceType
from evaluator.values import Value, encode_utf8, format_value, is_deferred
from evaluator.values.ruby_values import (
    get_ruby_class,
    require_argument,
    require_string,
    to_ruby_s,
)

# --- Facts


@function("fact(String fact_name)", context=True)
def fact(scope: Scope, name: str) -> Value:
    """Return a fact by its dotted name, or undef if there is none.

    > fact('os.family')
    'Debian'

    > fact('no.such.fact')
    undef
    """
    steps = [  # a number is an index, unless it is in quotes
        int(plain) if re.fullmatch(r"-?[0-9]+", plain) else plain or quoted
        for quoted, plain in re.findall(r""""([^"]*)"?|([^."]+)""", name)
    ]
    try:
        return walk(scope.runtime.settings.facts, steps)
    except PathBlocked as blocked:
        walked = ".".join(map(str, steps[: blocked.count]))
        scope.runtime.log(
            "warning",
            f"fact request for {name} returning nil: '{walked}' is not a collection;"
            f" cannot walk to '{steps[blocked.count]}'",
        )
        return None


def _get_fact(scope: Scope, name: str) -> Value:
    return scope.runtime.settings.facts.get(name)


@function("os_version_gte(String[1] os, String[1] version)", context=True)
def os_version_gte(scope: Scope, system: str, version: str) -> bool:
    """Return whether the machine runs an operating system of at least a major version.

    > os_version_gte('NoSuchOS', '1')
    false
    """
    name = fact.invoke(scope, ("os.name",), None)
    release = fact.invoke(scope, ("os.release.major",), None)
    if name != system or release is None:
        return False
    return bool(versioncmp.invoke(scope, (format_value(release), version), None) >= 0)


def get_interfaces(scope: Scope) -> dict[str, Value]:
    """Return the facts about each network interface by its name, or an empty hash."""
    interfaces = get_part(_get_fact(scope, "networking"), "interfaces")
    return interfaces if type(interfaces) is dict else {}


def _get_interface_names(scope: Scope) -> list[str]:
    names = list(get_interfaces(scope))
    return names or format_value(scope.runtime.names.read_named_variable(scope, "interfaces") or "").split(
        ","
    )


SHORT_NAMES = {"macaddress": "mac", "ipaddress": "ip"}


def _get_interface_values(scope: Scope, kind: str) -> list[Value]:
    """Return a fact of each interface and of the machine.

    Args:
        kind: The name of the fact, such as "network". Older facts have the name `network_INTERFACE`.
    """
    interfaces = get_interfaces(scope)
    if interfaces:
        name = SHORT_NAMES.get(kind, kind)
        values = [facts.get(name) for facts in interfaces.values() if type(facts) is dict]
    else:
        values = [_get_fact(scope, f"{kind}_{name}") for name in _get_interface_names(scope)]
    return [*values, _get_fact(scope, kind)]


@function(
    "has_interface_with(Any p0)",
    "has_interface_with(Any p0, Any p1)",
    context=True,
    takes="1 or 2",
    usage=("has_interface_with(String interface)", "has_interface_with(String fact, String value)"),
)
def has_interface_with(scope: Scope, kind: Value, *values: Value) -> bool:
    """Return whether a network interface has that name, or that value of a fact.

    > has_interface_with('no_such_interface')
    false
    """
    if values:
        return values[0] in _get_interface_values(scope, format_value(kind))
    return kind in _get_interface_names(scope) and kind != ""


@function("has_ip_address(Any p0)", context=True, usage=("has_ip_address(String address)",))
def has_ip_address(scope: Scope, address: Value) -> bool:
    """Return whether an interface of the machine has that IP address.

    > has_ip_address('203.0.113.9')
    false
    """
    return address in _get_interface_values(scope, "ipaddress")


@function("has_ip_network(Any p0)", context=True, usage=("has_ip_network(String network)",))
def has_ip_network(scope: Scope, network: Value) -> bool:
    """Return whether an interface of the machine is in that network.

    > has_ip_network('203.0.113.0')
    false
    """
    return network in _get_interface_values(scope, "network")


# --- pseudo-random choices


def _join_seeds(seeds: Value) -> str:
    return ":".join(map(format_value, flatten_arrays(seeds)))


@function(
    "fqdn_rotate(Any p0, Any p1*)",
    context=True,
    takes="1",
    usage=("fqdn_rotate(Variant[Array, String] value, Any seeds*)",),
)
def fqdn_rotate(scope: Scope, value: Value, *seeds: Value) -> Value:
    """Rotate an array or String by a pseudo-random number of positions.

    The number is constant for one machine and seeds.

    > fqdn_rotate([1, 2, 3]).sort
    [1, 2, 3]
    """
    require(
        type(value) in (list, str),
        "ARGUMENT_REQUIRED",
        function="fqdn_rotate",
        expected="either array or string to work with",
    )
    if len(value) <= 1:
        return value
    host = get_fqdn(scope) or scope.runtime.names.read_named_variable(scope, "::fqdn")
    places = make_random([host, _join_seeds(seeds)]).draw_below(len(value))
    return value[places:] + value[:places]


@function(
    "fqdn_rand_string(Any p0, Any p1?, Any p2*)",
    context=True,
    usage=("fqdn_rand_string(Integer length, String charset?, Any seeds*)",),
)
def fqdn_rand_string(scope: Scope, length: Value, charset: Value = "", *seeds: Value) -> str:
    """Return a pseudo-random String that is constant for one machine and seeds.

    > fqdn_rand_string(8).length
    8
    """
    _check_positive("fqdn_rand_string", length)
    require_argument(type(charset) is str, "fqdn_rand_string", "second argument", "undef or a string")
    STRING.check(int(length))
    letters = charset or digits + ascii_uppercase + ascii_lowercase
    chosen = [
        fqdn_rand.invoke(scope, (len(letters), _join_seeds([*seeds, place])), None)
        for place in range(1, int(length) + 1)
    ]
    return "".join(letters[index] for index in chosen)


def _check_positive(function: str, value: Value) -> None:
    """Raise Failure unless the first argument of a function is a positive integer."""
    is_positive = re.fullmatch(r"\d+", format_value(value)) and int(value) > 0
    require_argument(is_positive, function, "first argument", "a positive integer")


@function("fqdn_uuid(Any p0*)", usage=("fqdn_uuid(String name)",))
def fqdn_uuid(*names: Value) -> str:
    """Return the UUID (version 5) of a DNS name.

    > fqdn_uuid('example.com')
    'cfbff0d1-9375-5685-968c-48ce8b15ae17'
    """
    from uuid import NAMESPACE_DNS, UUID

    require(names, "UUID_NAME_MISSING")
    require(len(names) <= 1, "UUID_NAMES", number=len(names))
    require_string(type(names[0]) is str, get_ruby_class(names[0]))
    digest = hashlib.sha1(NAMESPACE_DNS.bytes + encode_utf8(names[0]), usedforsecurity=False).digest()
    return str(UUID(bytes=digest[:16], version=5))


def _make_digest_random(algorithm: str, seed: str) -> RubyRandom:
    """Return the generator of random numbers whose seed is the digest of a text."""
    return RubyRandom(int(hashlib.new(algorithm, encode_utf8(seed), usedforsecurity=False).hexdigest(), 16))


@function("seeded_rand(Any p0, Any p1)", usage=("seeded_rand(Integer max, String seed)",))
def seeded_rand(limit: Value, seed: Value) -> int:
    """Return a pseudo-random number below max that is constant for one seed.

    > seeded_rand(10, 'x')
    7
    """
    _check_positive("seeded_rand", limit)
    require_argument(type(seed) is str, "seeded_rand", "second argument", "a string")
    return _make_digest_random("md5", seed).draw_below(int(limit))


@function("seeded_rand_string(Integer[1] length, String seed, String[2] charset?)")
def seeded_rand_string(length: int, seed: str, charset: str = digits + ascii_letters) -> str:
    """Return a pseudo-random String that is constant for one seed.

    > seeded_rand_string(8, 'x')
    'CwEfZmtE'
    """
    STRING.check(length)
    return _make_digest_random("sha256", seed).draw_string(length, charset)


# --- Modules and files


def _find_module(scope: Scope, name: Value) -> str:
    """Return the folder of a module. Raise Failure if there is none."""
    path = find_module_path(scope, [format_value(name)])
    if path is None:
        text = format_reference(name) if isinstance(name, ResourceType | ClassType) else to_ruby_s(name)
        raise Failure("MODULE_NOT_FOUND", name=text, environment=scope.runtime.settings.environment)
    return path


@function(
    "get_module_path(Any p0)",
    context=True,
    count="ARGUMENT_COUNT_EXPECTED",
    takes="one",
    usage=("get_module_path(String name)",),
)
def get_module_path(scope: Scope, name: Value) -> str:
    """Return the folder of a module; fail if there is none.

    > get_module_path('no_such_module')
    ! Error while evaluating a Function Call, Could not find module no_such_module in environment production
    """
    return _find_module(scope, name)


@function(
    "load_module_metadata(Any p0)",
    "load_module_metadata(Any p0, Any p1)",
    context=True,
    count="ARGUMENT_COUNT_EXPECTED",
    takes="one or two",
    usage=("load_module_metadata(String module, Boolean allow_empty?)",),
)
def load_module_metadata(scope: Scope, name: Value, empty_ok: Value = False) -> Value:
    """Return the content of a module's metadata.json as a hash.

    > load_module_metadata('no_such_module')
    ! Error while evaluating a Function Call, Could not find module no_such_module in environment production
    """
    _find_module(scope, name)
    path = sandbox.find_in_module(scope.runtime.settings.modulepath, format_value(name), "metadata.json")
    if path is None:
        if empty_ok is not False:
            return {}
        raise Failure("METADATA_NOT_FOUND", name=format_value(name))
    return read_json(sandbox.read_text(scope, "load_module_metadata", path))


@function("glob(Any p0)", context=True, usage=("glob(Variant[String, Array[String]] patterns)",))
def glob(scope: Scope, patterns: Value) -> list[str]:
    """Return the files below the module path and the working folder that match shell patterns.

    A pattern for other folders matches nothing.

    > glob('/no/such/folder/*')
    []
    """
    require(
        type(patterns) in (str, list),
        "ARGUMENT_REQUIRED",
        function="glob",
        expected="either array or string to work",
    )
    pattern_list = [patterns] if type(patterns) is str else patterns
    for pattern in pattern_list:
        require_string(type(pattern) is str, get_ruby_class(pattern))
    paths: list[str] = []
    for pattern in pattern_list:
        with suppress(sandbox.OutsideRoots):
            paths += find_readable_matches(scope, "glob", pattern)
    return paths


# --- Time


@function("time(Any p0?)", count="ARGUMENT_COUNT_FOR", takes="0 or 1", usage=("time(String timezone?)",))
def time(zone: Value = None) -> int:
    """Return the seconds since 1970.

    > time() =~ Integer
    true
    """
    return int(now())


# --- values that may be Deferred or Boolean


RESOURCES = "Enum['directory', 'file', 'link', 'mounted', 'package', 'service'] resource?"


@function(
    f"stdlib::ensure(Variant[Boolean, Enum['present', 'absent']] ensure, {RESOURCES})",
    usage=("stdlib::ensure(Variant[Boolean, Enum['present', 'absent']] ensure, String kind)",),
)
def ensure(state: Value, resource: str | None = None) -> str:
    """Return the value of `ensure` for a kind of resource that is to be present or absent.

    > stdlib::ensure(true, 'service')
    'running'

    > stdlib::ensure('absent', 'file')
    'absent'
    """
    is_present = state is True or state == "present"
    if resource == "service":
        return "running" if is_present else "stopped"
    if not is_present:
        return "absent"
    return "installed" if resource == "package" else resource or "present"


@function("stdlib::deferrable_epp(String template, Hash variables)", context=True)
def deferrable_epp(scope: Scope, template: str, variables: dict[str, Value]) -> Value:
    """Render an EPP template; later, on the machine, if a variable is a Deferred.

    > stdlib::deferrable_epp('no_such_module/x', {})
    ! Error while evaluating a Function Call, Could not find template 'no_such_module/x.epp'
    """
    if any(map(is_deferred, variables.values())):
        source = file.invoke(scope, (find_template.invoke(scope, (template,), None) or "",), None)
        return new.invoke(
            scope, (scope.runtime.names.parse_type("Deferred"), "inline_epp", [source, variables]), None
        )
    return epp.invoke(scope, (template, variables), None)


# --- the same functions as version 9 of stdlib names and types them


_KINDS = "Enum['ip', 'ipaddress', 'mac', 'macaddress', 'netmask', 'network'] kind"


@function("stdlib::has_interface_with(String[1] interface)", context=True)
def stdlib_has_interface(scope: Scope, interface: str) -> bool:
    """Return whether a network interface has that name, or that value of a fact.

    > stdlib::has_interface_with('no_such_interface')
    false
    """
    return interface in get_interfaces(scope)


def _has_interface_value(scope: Scope, kind: str, value: str) -> bool:
    """Return whether an interface has a value."""
    name = SHORT_NAMES.get(kind, kind)
    return any(type(facts) is dict and facts.get(name) == value for facts in get_interfaces(scope).values())


stdlib_has_interface.overload(f"stdlib::has_interface_with({_KINDS}, String[1] value)", context=True)(
    _has_interface_value
)

_ADDRESS = r"Pattern[/\A(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\z)|\z)){4}/]"


@function(f"stdlib::has_ip_address({_ADDRESS} ip_address)", context=True)
def stdlib_has_ip_address(scope: Scope, address: str) -> bool:
    """Return whether an interface of the machine has that IP address.

    > stdlib::has_ip_address('203.0.113.9')
    false
    """
    return _has_interface_value(scope, "ipaddress", address)


@function(f"stdlib::has_ip_network({_ADDRESS} ip_network)", context=True)
def stdlib_has_ip_network(scope: Scope, network: str) -> bool:
    """Return whether an interface of the machine is in that network.

    > stdlib::has_ip_network('203.0.113.0')
    false
    """
    return _has_interface_value(scope, "network", network)


# --- pseudo-random choices in version 9


@function("stdlib::fqdn_rand_string(Integer[1] length, Optional[String] charset?, Any seed*)", context=True)
def stdlib_fqdn_rand_string(scope: Scope, length: int, charset: str | None = None, *seeds: Value) -> str:
    """Return a pseudo-random String that is constant for one machine and seeds.

    > stdlib::fqdn_rand_string(8).length
    8
    """
    return str(fqdn_rand_string.body()(scope, length, charset or "", *seeds))


# --- functions with other signatures only

for _older, *_texts in (
    (os_version_gte, "os_version_gte(String[1] os, String[1] version)"),
    (time, "time(Optional[String] timezone?)"),
    (seeded_rand, "seeded_rand(Integer[1] max, String seed)"),
    (seeded_rand_string, "seeded_rand_string(Integer[1] length, String seed, String[2] charset?)"),
    (
        fqdn_rotate,
        "fqdn_rotate(String input, Variant[Integer, String] seeds*)",
        "fqdn_rotate(Array input, Variant[Integer, String] seeds*)",
    ),
):
    rename_function(__name__, _older, f"stdlib::{_older.name}", *(f"stdlib::{text}" for text in _texts))
