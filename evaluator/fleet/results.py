"""The results of a fleet: catalogs, errors, and the time that each node took."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from evaluator.fleet.chunks import NodeResult
from evaluator.fleet.table import FleetRow, NodeGroup, make_groups, make_rows
from evaluator.values.kind import Value
from lexer_parser.errors import PuppetError


class Catalogs(Mapping[str, dict[str, Value]]):
    """The catalogs by node, as parsed JSON, in the order of the fleet; stored as text, since they are large."""

    def __init__(self, nodes: Mapping[str, Value]) -> None:
        self._nodes = nodes
        self._texts: dict[str, str] = {}

    def add(self, node: str, text: str) -> None:
        """Add the catalog of a node, as text."""
        self._texts[node] = text

    def __getitem__(self, node: str) -> dict[str, Value]:
        found: dict[str, Value] = json.loads(self._texts[node])
        return found

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
        seconds: The seconds of CPU by node.
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
    def done(self) -> int:
        """The number of nodes that have a result."""
        return len(self.seconds)

    @property
    def left(self) -> float:
        """An estimate of the seconds that the other nodes will take."""
        return self.elapsed / self.done * (len(self.facts) - self.done) if self.done else 0.0

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
