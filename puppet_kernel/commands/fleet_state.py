"""The fleet that a session showed last: `%fleet` shows it again, `%diff` compares its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from evaluator import Session
    from evaluator.fleet import Fleet


class LastFleet:
    """The last fleet of a session.

    Attributes:
        facts: The facts of each node.
        certname: The certname of all nodes, where they are variants of one node; else None.
        cells: The sources of the cells that were compiled.
        fleet: The compiled fleet, or None.
    """

    def __init__(self, facts: dict[str, Any], certname: str | None) -> None:
        self.facts = facts
        self.certname = certname
        self.cells: list[str] = []
        self.fleet: Fleet | None = None


last_fleets: WeakKeyDictionary[Session, LastFleet] = WeakKeyDictionary()


def list_nodes(session: Session) -> list[str]:
    """Return the names of the nodes of the last fleet; none without a fleet."""
    asked = last_fleets.get(session)
    return [] if asked is None else list(asked.facts)
