"""The fleet that a session has shown last: `%fleet` alone shows it again, `%diff` compares two of its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from evaluator import Session
    from evaluator.fleet import Fleet


class Asked:
    """What was asked for.

    facts  node -> its facts;  certname  that of all nodes, where they are one;  cells  what was compiled
    """

    def __init__(self, facts: dict[str, Any], certname: str | None) -> None:
        self.facts = facts
        self.certname = certname
        self.cells: list[str] = []
        self.fleet: Fleet | None = None


last: WeakKeyDictionary[Session, Asked] = WeakKeyDictionary()


def nodes(session: Session) -> list[str]:
    """The names of the nodes of the last fleet; none without one."""
    asked = last.get(session)
    return [] if asked is None else list(asked.facts)
