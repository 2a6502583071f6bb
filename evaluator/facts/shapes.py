"""The shapes in which tools write the facts of nodes, and the facts in them.

{"os": …, "kernel": …}                         facter and `puppet facts`
{"name": NODE, "values": {…}, "timestamp": …}  the cache of facts of a server or agent
[{"certname": NODE, "name": FACT, "value": …}, …]                   PuppetDB, one fact each
[{"certname": NODE, "facts": {"data": [{"name": FACT, "value": …}]}}, …]   PuppetDB, one set each
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Facts = dict[str, Any]
_FACT = {"name", "value"}


def facts_of_nodes(data: object) -> dict[str, Facts]:
    """Node -> facts of what was read from a file of facts; a node that is not named is "".

    Raises ValueError for what has none of the shapes.
    """
    if isinstance(data, dict):
        if isinstance(data.get("values"), dict) and isinstance(data.get("name"), str):
            return {data["name"]: _plain(data["values"])}
        if "certname" in data:
            return _of_database([data])
        return {"": _plain(data)}
    if isinstance(data, list) and data and all(isinstance(row, dict) and "certname" in row for row in data):
        return _of_database(data)
    raise ValueError("these are no facts: a mapping of names to values is expected, or rows of PuppetDB")


def _of_database(rows: list[dict[str, Any]]) -> dict[str, Facts]:
    found: dict[str, Facts] = {}
    for row in rows:
        facts = found.setdefault(str(row["certname"]), {})
        held = row.get("facts")
        if isinstance(held, dict):
            inner = held.get("data", held)
            if isinstance(inner, list) and all(
                isinstance(fact, dict) and fact.keys() >= _FACT for fact in inner
            ):
                facts.update({str(fact["name"]): fact["value"] for fact in inner})
            elif isinstance(inner, dict):
                facts.update(_plain(inner))
            else:
                raise ValueError(
                    f"the facts of {row['certname']} are neither names with values nor a mapping"
                )
        elif "name" in row and "value" in row:
            facts[str(row["name"])] = row["value"]
        else:
            raise ValueError(f"the row of {row['certname']} has neither 'facts' nor 'name' and 'value'")
    return found


def _plain(facts: dict[Any, Any]) -> Facts:
    """Facts by their names as texts, without what a cache adds: names that begin with an underscore."""
    return {str(name): value for name, value in facts.items() if not str(name).startswith("_")}


# --- trusted facts


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
