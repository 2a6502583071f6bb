"""The results of a fleet, and the fleet as a table.

The table has for each attribute of each resource the usual value, the nodes with another one, and a fact that
distinguishes these from the others. A set of nodes is a number in which each node has a bit, so that sets of a
thousand are compared in one step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from evaluator.facts.forms import NAMES
from evaluator.fleet.worker import NodeResult
from evaluator.values.kind import Value
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record


class Discriminator(NamedTuple):
    """A fact that distinguishes nodes from others, and its values on these nodes."""

    fact: str
    values: tuple[Any, ...]


# The facts by which people usually distinguish nodes. The first one that distinguishes these nodes is used.
USUAL = ("os.family", "os.name", "os.release.major", "os.release.full", "kernel")
# A fact with more values identifies a node rather than a kind of node.
MOST_VALUES = 40  # a fact that has a different value for each node does so, too
MOST_SHOWN = 4  # values of a fact in a reason
_UNUSUAL = 2  # an unusual fact counts as if it had this many more values
_DEEPEST = 6  # levels of hashes in a fact


class NodeGroup(Record):
    """Nodes with the same value.

    Attributes:
        value: The value of the attribute as JSON; None if it is not set.
        nodes: The names of the nodes.
        reason: A fact that only these nodes have with some values; None if there is none.
    """

    value: Value
    nodes: tuple[str, ...]
    reason: Discriminator | None


class FleetRow(Record):
    """An attribute of a resource across the nodes that have the resource.

    Attributes:
        resource: The reference: `File[/etc/motd]`.
        attribute: The name of the attribute; "" for the row that shows which nodes have the resource. That row exists
            if a node lacks the resource, and for resources without attributes.
        groups: The nodes by value, the largest group first.
    """

    resource: str
    attribute: str
    groups: tuple[NodeGroup, ...]

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
                    "fact": None if group.reason is None else group.reason.fact,
                    "values": [] if group.reason is None else list(group.reason.values),
                }
                for group in self.groups
            ],
        }


# A set of nodes is an integer with one bit for each node, by its index in the fleet.
# The values of an attribute: a key that identifies a value -> the value, and the set of nodes that have it.
_Values = dict[Any, tuple[Any, int]]
_UNSET = object()
_BUILT_IN = ("Stage[main]", "Class[Settings]", "Class[main]")  # resources of every catalog
MOST_GROUPS_WITH_REASONS = 20


def make_rows(
    catalogs: Mapping[str, Mapping[str, Value]], facts: Mapping[str, Mapping[str, Value]]
) -> list[FleetRow]:
    """Return the rows of the nodes that have a catalog, in the order of resources and attributes."""
    nodes = list(catalogs)
    nodes_by_resource: dict[str, int] = {}
    attributes: dict[str, dict[str, _Values]] = {}
    for index, node in enumerate(nodes):
        bit = 1 << index
        for resource in catalogs[node]["resources"]:
            reference = f"{resource['type']}[{resource['title']}]"
            if reference in _BUILT_IN:
                continue
            nodes_by_resource[reference] = nodes_by_resource.get(reference, 0) | bit
            tables = attributes.setdefault(reference, {})
            for name, value in resource.get("parameters", {}).items():
                key = value if type(value) is str else (type(value), json.dumps(value, sort_keys=True))
                table = tables.setdefault(name, {})
                _, holders = table.get(key, (value, 0))
                table[key] = value, holders | bit
    grouping = _Grouping(nodes, Discriminators({node: facts[node] for node in nodes}))
    rows = []
    for reference, present in nodes_by_resource.items():
        missing = grouping.everybody & ~present
        # the row of the resource itself; see `FleetRow.attribute`
        if missing or not attributes[reference]:
            values: _Values = {True: (True, present)} | ({False: (False, missing)} if missing else {})
            rows.append(FleetRow(reference, "", grouping.make_groups(values, grouping.everybody)))
        for name, table in attributes[reference].items():
            nodes_without = present & ~sum(holders for _, holders in table.values())  # a node has one value
            complete_table = {**table, _UNSET: (None, nodes_without)} if nodes_without else table
            rows.append(FleetRow(reference, name, grouping.make_groups(complete_table, present)))
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
    nodes_by_value: _Values = {}
    for index, node in enumerate(nodes):
        if node in values:
            key, value = values[node]
            first_value, holders = nodes_by_value.get(key, (value, 0))
            nodes_by_value[key] = first_value, holders | 1 << index
    return list(grouping.make_groups(nodes_by_value, grouping.everybody))


class _Grouping:
    """The nodes of a fleet, by the bits of their sets, and the facts that distinguish them."""

    def __init__(self, nodes: Sequence[str], discriminators: Discriminators) -> None:
        self._nodes = nodes
        self._discriminators = discriminators
        self._list_names = cache(self._read_bits)
        self.everybody = (1 << len(nodes)) - 1

    def make_groups(self, values: _Values, among: int) -> tuple[NodeGroup, ...]:
        """Return the groups of these values, the largest first; if they are many, without reasons."""
        by_size = sorted(values.values(), key=lambda value_and_nodes: -value_and_nodes[1].bit_count())
        has_reasons = len(by_size) <= MOST_GROUPS_WITH_REASONS
        return tuple(
            NodeGroup(
                value,
                self._list_names(subset),
                self._discriminators.find(subset, among) if has_reasons else None,
            )
            for value, subset in by_size
        )

    def _read_bits(self, subset: int) -> tuple[str, ...]:
        """Return the names of a set of nodes, from the lowest bit on."""
        names, rest = [], subset
        while rest:
            lowest = rest & -rest
            names.append(self._nodes[lowest.bit_length() - 1])
            rest ^= lowest
        return tuple(names)


# --- facts that distinguish nodes


class Discriminators:
    """The facts by which sets of the nodes of a fleet differ from the other nodes.

    Attributes:
        find: Returns the fact that distinguishes some nodes among others.
    """

    def __init__(self, facts: Mapping[str, Mapping[str, Value]]) -> None:
        self._tables = _collect_values(facts)
        self._count = len(facts)
        self.find = cache(self._search)

    def _search(self, subset: int, among: int) -> Discriminator | None:
        """Return the fact whose values these nodes and no other nodes of `among` have, with the values; None if none.

        A fact with few values is preferred, and one by which nodes are commonly sorted.
        """
        if subset == among:
            return None
        others = among & ~subset
        best: Discriminator | None = None
        least = MOST_SHOWN + 1
        for name, table in self._tables.items():
            values = [value for value, nodes in table.items() if nodes & subset]
            if len(values) > 1 and len(table) == self._count:
                continue  # the values identify nodes, one by one
            cost = len(values) + (_UNUSUAL if name not in USUAL else 0)
            if cost < least and not any(table[value] & others for value in values):
                best, least = Discriminator(name, tuple(value for _, value in values)), cost
        return best


def _collect_values(facts: Mapping[str, Mapping[str, Value]]) -> dict[str, dict[tuple[type, Value], int]]:
    """Return for each fact its values, each with the nodes that have it; the best facts first."""
    tables: dict[str, dict[tuple[type, Value], int]] = {}
    everybody = (1 << len(facts)) - 1
    for index, node_facts in enumerate(facts.values()):
        for name, value in _flatten(node_facts):
            table = tables.setdefault(name, {})
            key = type(value), value
            table[key] = table.get(key, 0) | 1 << index
    for table in tables.values():
        nodes_without = everybody & ~sum(table.values())  # a node has one value
        if nodes_without:
            table[type(None), None] = nodes_without
    distinguishing = {
        name: table
        for name, table in tables.items()
        if 1 < len(table) <= MOST_VALUES and (len(table) < len(facts) or name in USUAL)
    }
    return {name: distinguishing[name] for name in sorted(distinguishing, key=_rank)}


def _rank(name: str) -> tuple[int, bool, str]:
    """Return a key that sorts usual facts first, then those without a legacy name."""
    return USUAL.index(name) if name in USUAL else len(USUAL), name in NAMES, name


def _flatten(facts: Mapping[str, Value], before: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """Yield the facts with a plain value, by dotted names."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            if depth < _DEEPEST:
                yield from _flatten(value, f"{before}{name}.", depth + 1)
        elif isinstance(value, str | int | float | bool):
            yield f"{before}{name}", value


# --- results


class Catalogs(Mapping[str, dict[str, Value]]):
    """The catalogs by node, as parsed JSON, in the order of the fleet; stored as text, since they are large."""

    def __init__(self, nodes: Mapping[str, Value]) -> None:
        self._nodes = nodes
        self._texts: dict[str, str] = {}

    def add(self, node: str, text: str) -> None:
        """Add the catalog of a node, as text."""
        self._texts[node] = text

    def __getitem__(self, node: str) -> dict[str, Value]:
        catalog: dict[str, Value] = json.loads(self._texts[node])
        return catalog

    def __iter__(self) -> Iterator[str]:
        return (node for node in self._nodes if node in self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class Fleet:
    """The results of one program for many nodes.

    Attributes:
        facts: The facts by node.
        catalogs: The catalogs by node, as parsed JSON.
        errors: The errors of the nodes that have no catalog.
        seconds: The CPU time by node, in seconds.
        elapsed: The seconds from the beginning to the last result.
    """

    def __init__(self, facts: dict[str, dict[str, Value]]) -> None:
        self.facts = facts
        self.catalogs = Catalogs(facts)
        self.errors: dict[str, PuppetError] = {}
        self.seconds: dict[str, float] = {}
        self.elapsed = 0.0
        self._rows: list[FleetRow] = []

    def add(self, result: NodeResult) -> None:
        """Take in what came of a node."""
        self._rows = []
        self.seconds[result.node] = result.seconds
        if result.error is not None:
            self.errors[result.node] = result.error
        elif result.catalog is not None:
            self.catalogs.add(result.node, result.catalog)

    @property
    def result_count(self) -> int:
        """The number of nodes that have a result."""
        return len(self.seconds)

    @property
    def seconds_left(self) -> float:
        """An estimate of the seconds that the other nodes will take."""
        return (
            self.elapsed / self.result_count * (len(self.facts) - self.result_count)
            if self.result_count
            else 0.0
        )

    def failures(self) -> list[NodeGroup]:
        """Return the nodes without a catalog, grouped by their error."""
        values = {node: ((error.code, str(error)), error) for node, error in self.errors.items()}
        return make_groups(values, self.facts)

    def table(self, resource: str | None = None) -> list[FleetRow]:
        """Return the fleet attribute by attribute: the usual value, and the nodes with another one.

        Args:
            resource: Restrict the rows to this resource: `File[/etc/motd]`.
        """
        if not self._rows:
            self._rows = make_rows(self.catalogs, self.facts)
        return [row for row in self._rows if resource is None or row.resource == resource]
