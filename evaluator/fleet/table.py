"""A fleet as a table: for each attribute of each resource what is usual, and which nodes have something else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.fleet.discriminators import Discriminator, Discriminators


class NodeGroup:
    """Nodes that have the same.

    value  of the attribute, as JSON has it; None when it is not set
    nodes  their names;  reason  the fact that they have in common and no other node has, with its values, or None
    """

    __slots__ = ("nodes", "reason", "value")

    def __init__(self, value: Any, nodes: tuple[str, ...], reason: Discriminator | None) -> None:
        self.value = value
        self.nodes = nodes
        self.reason = reason


class FleetRow:
    """An attribute of a resource across the nodes that have the resource.

    resource   `File[/etc/motd]`
    attribute  its name; "" for the row that says which nodes have the resource: its values are true and false. There
               is such a row when a node lacks the resource, and for resources without attributes
    groups     of nodes that have the same value, the largest first
    """

    __slots__ = ("attribute", "groups", "resource")

    def __init__(self, resource: str, attribute: str, groups: Sequence[NodeGroup]) -> None:
        self.resource = resource
        self.attribute = attribute
        self.groups = tuple(groups)

    @property
    def usual(self) -> NodeGroup | None:
        """The nodes with the usual value; None when no value is more frequent than all others."""
        first, *others = self.groups
        return None if others and len(others[0].nodes) == len(first.nodes) else first

    @property
    def deviations(self) -> tuple[NodeGroup, ...]:
        """The groups that have something else than what is usual: all, when nothing is."""
        return self.groups if self.usual is None else self.groups[1:]

    def to_json(self) -> dict[str, Any]:
        """The row as JSON has it."""
        usual = self.usual
        return {
            "resource": self.resource,
            "attribute": self.attribute,
            "usual": None if usual is None else usual.value,
            "nodes": sum(len(group.nodes) for group in self.groups),
            "groups": [
                {
                    "value": group.value,
                    "nodes": list(group.nodes),
                    "fact": None if group.reason is None else group.reason[0],
                    "values": [] if group.reason is None else list(group.reason[1]),
                }
                for group in self.groups
            ],
        }


# The values of an attribute: each by what tells it from others, with the nodes that have it.
_Values = dict[Any, tuple[Any, int]]
_UNSET = object()
_BUILT_IN = ("Stage[main]", "Class[Settings]", "Class[main]")  # which every catalog has
MOST_TOLD_APART = 20


def make_rows(
    catalogs: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Mapping[str, Any]]
) -> list[FleetRow]:
    """The rows of the nodes that have a catalog, in the order in which resources and attributes are met."""
    nodes = list(catalogs)
    there: dict[str, int] = {}
    attributes: dict[str, dict[str, _Values]] = {}
    for place, node in enumerate(nodes):
        bit = 1 << place
        for resource in catalogs[node]["resources"]:
            reference = f"{resource['type']}[{resource['title']}]"
            if reference in _BUILT_IN:
                continue
            there[reference] = there.get(reference, 0) | bit
            known = attributes.setdefault(reference, {})
            for name, value in resource.get("parameters", {}).items():
                table = known.setdefault(name, {})
                key = value if type(value) is str else (type(value), json.dumps(value, sort_keys=True))
                table[key] = value, table[key][1] | bit if key in table else bit
    grouping = _Grouping(nodes, Discriminators({node: facts[node] for node in nodes}))
    rows = []
    for reference, having in there.items():
        missing = grouping.everybody & ~having
        if missing or not attributes[reference]:
            values: _Values = {True: (True, having)} | ({False: (False, missing)} if missing else {})
            rows.append(FleetRow(reference, "", grouping.make_groups(values, grouping.everybody)))
        for name, table in attributes[reference].items():
            without = having
            for _, some in table.values():
                without &= ~some
            whole = {**table, _UNSET: (None, without)} if without else table
            rows.append(FleetRow(reference, name, grouping.make_groups(whole, having)))
    return rows


def make_groups(
    values: Mapping[str, tuple[Any, Any]], facts: Mapping[str, Mapping[str, Any]]
) -> list[NodeGroup]:
    """Some nodes by a value that each has, the largest group first; a reason tells them from all other nodes.

    values  node -> what tells its value from others, and the value
    """
    nodes = list(facts)
    grouping = _Grouping(nodes, Discriminators(facts))
    found: _Values = {}
    for place, node in enumerate(nodes):
        if node in values:
            key, value = values[node]
            known, some = found.get(key, (value, 0))
            found[key] = known, some | 1 << place
    return grouping.make_groups(found, grouping.everybody)


class _Grouping:
    """Names nodes, and says what they have in common."""

    def __init__(self, nodes: Sequence[str], telling: Discriminators) -> None:
        self._nodes = nodes
        self._telling = telling
        self._names: dict[int, tuple[str, ...]] = {}
        self.everybody = (1 << len(nodes)) - 1

    def make_groups(self, values: _Values, among: int) -> list[NodeGroup]:
        """The groups of these values, the largest first. Of many, each is as its node is, and none has a reason."""
        found = sorted(values.values(), key=lambda pair: -pair[1].bit_count())
        tells = len(found) <= MOST_TOLD_APART
        return [
            NodeGroup(value, self._list_names(some), self._telling.find(some, among) if tells else None)
            for value, some in found
        ]

    def _list_names(self, some: int) -> tuple[str, ...]:
        if some not in self._names:
            found, rest = [], some
            while rest:
                last = rest & -rest
                found.append(self._nodes[last.bit_length() - 1])
                rest ^= last
            self._names[some] = tuple(found)
        return self._names[some]
