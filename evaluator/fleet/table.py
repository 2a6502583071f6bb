"""A fleet as a table: for each attribute of each resource the usual value, and the nodes with another one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.fleet.discriminators import Discriminator, Discriminators
from evaluator.values.kind import Value
from lexer_parser.record import Record


class NodeGroup(Record):
    """Nodes with the same value.

    Attributes:
        value: The value of the attribute as JSON; None if it is not set.
        nodes: The names of the nodes.
        reason: The fact that only these nodes share, with its values, or None.
    """

    value: Value
    nodes: tuple[str, ...]
    reason: Discriminator | None


class FleetRow:
    """An attribute of a resource across the nodes that have the resource.

    Attributes:
        resource: The reference: `File[/etc/motd]`.
        attribute: Its name; "" for the row whose values say which nodes have the resource. There is such a
            row if a node lacks the resource, and for resources without attributes.
        groups: The nodes by value, the largest group first.
    """

    __slots__ = ("attribute", "groups", "resource")

    def __init__(self, resource: str, attribute: str, groups: Sequence[NodeGroup]) -> None:
        self.resource = resource
        self.attribute = attribute
        self.groups = tuple(groups)

    @property
    def usual(self) -> NodeGroup | None:
        """The nodes with the usual value; None if no value is more frequent than all others."""
        first, *others = self.groups
        return None if others and len(others[0].nodes) == len(first.nodes) else first

    @property
    def deviations(self) -> tuple[NodeGroup, ...]:
        """The groups that have something else than what is usual: all, when nothing is."""
        return self.groups if self.usual is None else self.groups[1:]

    def to_json(self) -> dict[str, Value]:
        """Return the row as JSON has it."""
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
    catalogs: Mapping[str, Mapping[str, Value]], facts: Mapping[str, Mapping[str, Value]]
) -> list[FleetRow]:
    """Return the rows of the nodes that have a catalog, in the order of resources and attributes."""
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
    values: Mapping[str, tuple[object, Value]], facts: Mapping[str, Mapping[str, Value]]
) -> list[NodeGroup]:
    """Return nodes grouped by a value, the largest group first, each with a fact that distinguishes it.

    Args:
        values: For each node a key that identifies its value, and the value.
        facts: The facts of all nodes.
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
        """Return the groups of these values, the largest first; if they are many, without reasons."""
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
