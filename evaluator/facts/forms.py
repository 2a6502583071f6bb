"""The forms of facts: legacy names, the files of tools, and facts made for a node.

Each legacy name has its place in the structured facts. Agents of Puppet 7 send them all; many modules still read them.
A file of facts has one of these forms:

    facter, `puppet facts`: {"os": …, "kernel": …}
    the cache of a server or agent: {"name": NODE, "values": {…}, "timestamp": …}
    PuppetDB, a row for each fact: [{"certname": NODE, "name": FACT, "value": …}, …]
    PuppetDB, a row for each node: [{"certname": NODE, "facts": {"data": [{"name": FACT, "value": …}]}}, …]
    PuppetDB, facts by name: [{"certname": NODE, "facts": {FACT: …}}, …]
    PuppetDB, one of these rows alone, without the list
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MEBIBYTE = 1024**2

# legacy name -> path in the structured facts
NAMES: dict[str, str] = {
    "architecture": "os.architecture",
    "domain": "networking.domain",
    "fqdn": "networking.fqdn",
    "gid": "identity.group",
    "hardwareisa": "processors.isa",
    "hardwaremodel": "os.hardware",
    "hostname": "networking.hostname",
    "id": "identity.user",
    "ipaddress": "networking.ip",
    "ipaddress6": "networking.ip6",
    "lsbdistcodename": "os.distro.codename",
    "lsbdistdescription": "os.distro.description",
    "lsbdistid": "os.distro.id",
    "lsbdistrelease": "os.distro.release.full",
    "lsbmajdistrelease": "os.distro.release.major",
    "lsbminordistrelease": "os.distro.release.minor",
    "macaddress": "networking.mac",
    "manufacturer": "dmi.manufacturer",
    "memoryfree": "memory.system.available",
    "memorysize": "memory.system.total",
    "netmask": "networking.netmask",
    "netmask6": "networking.netmask6",
    "network": "networking.network",
    "network6": "networking.network6",
    "operatingsystem": "os.name",
    "operatingsystemmajrelease": "os.release.major",
    "operatingsystemrelease": "os.release.full",
    "osfamily": "os.family",
    "physicalprocessorcount": "processors.physicalcount",
    "processorcount": "processors.count",
    "productname": "dmi.product.name",
    "rubyplatform": "ruby.platform",
    "rubyversion": "ruby.version",
    "selinux": "os.selinux.enabled",
    "selinux_config_mode": "os.selinux.config_mode",
    "selinux_config_policy": "os.selinux.config_policy",
    "selinux_current_mode": "os.selinux.current_mode",
    "selinux_enforced": "os.selinux.enforced",
    "selinux_policyversion": "os.selinux.policy_version",
    "swapfree": "memory.swap.available",
    "swapsize": "memory.swap.total",
    "system32": "os.windows.system32",
    "uptime": "system_uptime.uptime",
    "uptime_days": "system_uptime.days",
    "uptime_hours": "system_uptime.hours",
    "uptime_seconds": "system_uptime.seconds",
    "uuid": "dmi.product.uuid",
    "windows_edition_id": "os.windows.edition_id",
    "windows_installation_type": "os.windows.installation_type",
    "windows_product_name": "os.windows.product_name",
}
# legacy name -> path of an amount in bytes; the legacy fact is in MiB
_AMOUNTS = {
    "memoryfree_mb": "memory.system.available_bytes",
    "memorysize_mb": "memory.system.total_bytes",
    "swapfree_mb": "memory.swap.available_bytes",
    "swapsize_mb": "memory.swap.total_bytes",
}
# legacy name, before `_` and the name of the interface -> key in the facts of an interface
_OF_INTERFACES = {
    "ipaddress": "ip",
    "ipaddress6": "ip6",
    "macaddress": "mac",
    "mtu": "mtu",
    "netmask": "netmask",
    "netmask6": "netmask6",
    "network": "network",
    "network6": "network6",
}


def make_legacy_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the legacy facts that follow from structured ones and have a value."""
    legacy = {name: get_fact(facts, path) for name, path in NAMES.items()}
    amounts = ((name, get_fact(facts, path)) for name, path in _AMOUNTS.items())
    legacy |= {name: round(amount / _MEBIBYTE, 2) for name, amount in amounts if amount is not None}
    models = enumerate(get_fact(facts, "processors.models") or ())
    legacy |= {f"processor{index}": model for index, model in models}
    legacy |= _make_interface_facts(get_fact(facts, "networking.interfaces") or {})
    return {name: value for name, value in legacy.items() if value is not None}


def _make_interface_facts(interfaces: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the legacy facts of network interfaces, which are part of their names."""
    names = {interface: interface.replace(".", "_").replace(":", "_") for interface in interfaces}
    legacy: dict[str, Any] = {"interfaces": ",".join(names.values())} if names else {}
    return legacy | {
        f"{name}_{names[interface]}": facts[key]
        for interface, facts in interfaces.items()
        for name, key in _OF_INTERFACES.items()
        if key in facts
    }


def get_fact(facts: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path; None if there is none."""
    value: Any = facts
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


# --- neutral facts


def make_neutral_facts(node: str) -> dict[str, Any]:
    """Return a small set of facts for a node: a Linux system of the Debian family."""
    hostname, _, domain = node.partition(".")
    return {
        "architecture": "x86_64",
        "fqdn": node,
        "hostname": hostname,
        "domain": domain,
        "kernel": "Linux",
        "os": {
            "architecture": "x86_64",
            "family": "Debian",
            "name": "Debian",
            "release": {"full": "12", "major": "12"},
        },
        "osfamily": "Debian",
        "operatingsystem": "Debian",
        "networking": {"fqdn": node, "hostname": hostname, "domain": domain, "ip": "192.0.2.10"},
        "ipaddress": "192.0.2.10",
        "processors": {"count": 2},
        "timezone": "UTC",
    }


# --- facts in files


Facts = dict[str, Any]
_FACT = {"name", "value"}


def read_node_facts(data: object) -> dict[str, Facts]:
    """Return the facts of each node in the data of a file; a node without a name is "".

    Raises:
        ValueError: The data has none of the known forms.
    """
    if isinstance(data, dict):
        if isinstance(data.get("values"), dict) and isinstance(data.get("name"), str):
            return {data["name"]: _select_plain(data["values"])}
        if "certname" in data:
            return _read_database_rows([data])
        return {"": _select_plain(data)}
    if isinstance(data, list) and data and all(isinstance(row, dict) and "certname" in row for row in data):
        return _read_database_rows(data)
    raise ValueError("these are not facts: expected a mapping of names to values, or rows of PuppetDB")


def _read_database_rows(rows: list[dict[str, Any]]) -> dict[str, Facts]:
    """Return the facts of each node in rows of PuppetDB; raise ValueError for other rows."""
    nodes: dict[str, Facts] = {}
    for row in rows:
        facts = nodes.setdefault(str(row["certname"]), {})
        data = row.get("facts")
        if isinstance(data, dict):
            data = data.get("data", data)
        elif row.keys() >= _FACT:
            data = [row]
        else:
            raise ValueError(f"the row of {row['certname']} has neither 'facts' nor 'name' and 'value'")
        if isinstance(data, list) and all(isinstance(fact, dict) and fact.keys() >= _FACT for fact in data):
            facts.update({str(fact["name"]): fact["value"] for fact in data})
        elif isinstance(data, dict):
            facts.update(_select_plain(data))
        else:
            raise ValueError(f"the facts of {row['certname']} are neither names with values nor a mapping")
    return nodes


def _select_plain(facts: dict[Any, Any]) -> Facts:
    """Return facts without those that a cache adds, whose names begin with an underscore."""
    return {str(name): value for name, value in facts.items() if not str(name).startswith("_")}


# --- trusted facts


def make_trusted_facts(trusted: Mapping[str, Any] | None, node: str) -> dict[str, Any]:
    """Return the value of `$trusted` for a node that is compiled on its own machine.

    Args:
        trusted: Values that are added or replace the computed ones.
        node: The name of the node.
    """
    hostname, _, domain = node.partition(".")
    return {
        "authenticated": "local",
        "certname": node,
        "extensions": {},
        "hostname": hostname,
        "domain": domain or None,
        "external": {},
        **(trusted or {}),
    }
