"""What came of a fleet: catalogs, errors, and how long each node took."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.fleet.chunks import NodeResult
from evaluator.fleet.table import FleetRow, NodeGroup, make_groups, make_rows
from lexer_parser.errors import PuppetError


class Catalogs(Mapping[str, dict[str, Any]]):
    """Node -> catalog JSON as a dict, in the order of the fleet; kept as text, since they are large."""

    def __init__(self, nodes: Mapping[str, Any]) -> None:
        self._nodes = nodes
        self._texts: dict[str, str] = {}

    def add(self, node: str, text: str) -> None:
        """Adds the catalog of a node, as text."""
        self._texts[node] = text

    def __getitem__(self, node: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._texts[node])
        return found

    def __iter__(self) -> Iterator[str]:
        return (node for node in self._nodes if node in self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class Fleet:
    """Many nodes, and what a program is for each of them.

    facts     node -> its facts;  catalogs  node -> its catalog, as JSON has it
    errors    node -> the error, for those that have no catalog;  seconds  node -> seconds of CPU that it took
    elapsed   seconds since the beginning, when something came back last
    """

    def __init__(self, facts: dict[str, dict[str, Any]]) -> None:
        self.facts = facts
        self.catalogs = Catalogs(facts)
        self.errors: dict[str, PuppetError] = {}
        self.seconds: dict[str, float] = {}
        self.elapsed = 0.0
        self._rows: list[FleetRow] = []

    def add(self, result: NodeResult) -> None:
        """Takes in what came of a node."""
        self._rows = []
        self.seconds[result.node] = result.seconds
        if result.error is not None:
            self.errors[result.node] = result.error
        elif result.catalog is not None:
            self.catalogs.add(result.node, result.catalog)

    @property
    def done(self) -> int:
        """Of how many nodes it is known what came of them."""
        return len(self.seconds)

    @property
    def left(self) -> float:
        """How many seconds the rest will take, as far as one can tell."""
        return self.elapsed / self.done * (len(self.facts) - self.done) if self.done else 0.0

    def failures(self) -> list[NodeGroup]:
        """The nodes without a catalog by what is wrong with them: the value of each group is an error."""
        values = {node: ((error.code, str(error)), error) for node, error in self.errors.items()}
        return make_groups(values, self.facts)

    def table(self, resource: str | None = None) -> list[FleetRow]:
        """The fleet attribute by attribute: what is usual, and which nodes have something else.

        resource  only the rows of this one: `File[/etc/motd]`
        """
        if not self._rows:
            self._rows = make_rows(self.catalogs, self.facts)
        return [row for row in self._rows if resource is None or row.resource == resource]
