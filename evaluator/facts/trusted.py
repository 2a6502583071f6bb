"""What is trusted of the node that a session compiles for: the hash `$trusted`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


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
