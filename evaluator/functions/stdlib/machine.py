"""stdlib: what its version 9 calls `stdlib::…` and that depends on the machine, or on a seed."""

from __future__ import annotations

from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.stdlib import hosts
from evaluator.program.scope import Scope


@function("stdlib::os_version_gte(String[1] os, String[1] version)", context=True)
def os_version_gte(scope: Scope, system: str, version: str) -> bool:
    """Tells whether the machine runs an operating system of at least a major version.

    > stdlib::os_version_gte('NoSuchOS', '1')
    false
    """
    return bool(hosts.os_version_gte.body()(scope, system, version))


_KINDS = "Enum['ip', 'ipaddress', 'mac', 'macaddress', 'netmask', 'network'] kind"


@function("stdlib::has_interface_with(String[1] interface)", context=True)
def has_interface(scope: Scope, interface: str) -> bool:
    """Tells whether the machine has a network interface of that name, or one with that value of a fact.

    > stdlib::has_interface_with('no_such_interface')
    false
    """
    return interface in hosts.interfaces(scope)


@has_interface.overload(f"stdlib::has_interface_with({_KINDS}, String[1] value)", context=True)
def has_interface_with(scope: Scope, kind: str, value: str) -> bool:
    """Tells whether an interface has a value."""
    name = hosts.SHORT_NAMES.get(kind, kind)
    return any(type(facts) is dict and facts.get(name) == value for facts in hosts.interfaces(scope).values())


_ADDRESS = r"Pattern[/\A(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\z)|\z)){4}/]"


@function(f"stdlib::has_ip_address({_ADDRESS} ip_address)", context=True)
def has_ip_address(scope: Scope, address: str) -> bool:
    """Tells whether an interface of the machine has that IP address.

    > stdlib::has_ip_address('203.0.113.9')
    false
    """
    return bool(has_interface.body(1)(scope, "ipaddress", address))


@function(f"stdlib::has_ip_network({_ADDRESS} ip_network)", context=True)
def has_ip_network(scope: Scope, network: str) -> bool:
    """Tells whether an interface of the machine is in that network.

    > stdlib::has_ip_network('203.0.113.0')
    false
    """
    return bool(has_interface.body(1)(scope, "network", network))


@function("stdlib::time(Optional[String] timezone?)")
def time(zone: str | None = None) -> int:
    """Gives the seconds since 1970.

    > stdlib::time() =~ Integer
    true
    """
    return int(hosts.time.body()())


# --- choices that stay the same


@function("stdlib::seeded_rand(Integer[1] max, String seed)")
def seeded_rand(limit: int, seed: str) -> int:
    """Gives a number from 0 to max - 1 that looks random, but is always the same for one seed.

    > stdlib::seeded_rand(10, 'x')
    7
    """
    return int(hosts.seeded_rand.body()(limit, seed))


@function("stdlib::seeded_rand_string(Integer[1] length, String seed, String[2] charset?)")
def seeded_rand_string(length: int, seed: str, *charset: str) -> str:
    """Gives text that looks random, but is always the same for one seed.

    > stdlib::seeded_rand_string(8, 'x')
    'CwEfZmtE'
    """
    return str(hosts.seeded_rand_string.body()(length, seed, *charset))


@function("stdlib::fqdn_rand_string(Integer[1] length, Optional[String] charset?, Any seed*)", context=True)
def fqdn_rand_string(scope: Scope, length: int, charset: str | None = None, *seeds: Any) -> str:
    """Gives text that looks random, but is always the same for one machine and seeds.

    > stdlib::fqdn_rand_string(8).length
    8
    """
    return str(hosts.fqdn_rand_string.body()(scope, length, charset or "", *seeds))


@function(
    "stdlib::fqdn_rotate(String input, Variant[Integer, String] seeds*)",
    "stdlib::fqdn_rotate(Array input, Variant[Integer, String] seeds*)",
    context=True,
)
def fqdn_rotate(scope: Scope, value: Any, *seeds: Any) -> Any:
    """Turns an array or String round by a number of places that is always the same for one machine and seeds.

    > stdlib::fqdn_rotate([1, 2, 3]).sort
    [1, 2, 3]
    """
    return hosts.fqdn_rotate.body()(scope, value, *seeds)
