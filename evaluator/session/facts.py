"""What a session knows of the node that it compiles for: its facts, and what is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def neutral(node: str) -> dict[str, Any]:
    """The small default set: enough for examples, the same on every machine."""
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


FACT_SETS = {"debian-12": neutral}


def facts_for(facts: Mapping[str, Any] | str | None, node: str) -> dict[str, Any]:
    """The facts that a session was asked to use: a mapping, the name of a bundled set, or None for the default.

    Raises ValueError for an unknown name.
    """
    if facts is None:
        return neutral(node)
    if isinstance(facts, str):
        if facts not in FACT_SETS:
            raise ValueError(f"there is no fact set '{facts}'; bundled are: {', '.join(sorted(FACT_SETS))}")
        return FACT_SETS[facts](node)
    return dict(facts)


def trusted_for(trusted: Mapping[str, Any] | None, node: str) -> dict[str, Any]:
    """What `$trusted` holds, as when the released Puppet compiles for `node` on the same machine.

    What is given replaces a value or adds one.
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
