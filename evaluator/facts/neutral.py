"""The facts of a session that names none: enough for examples, the same on every machine."""

from __future__ import annotations

from typing import Any


def make_neutral_facts(node: str) -> dict[str, Any]:
    """A small set of facts for a node: a Linux system of the Debian family."""
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
