"""Facts that distinguish some nodes from others.

A set of nodes is a number in which each node has a bit, so that sets of a thousand are compared in one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.facts.forms import NAMES
from evaluator.values.kind import Value

Discriminator = tuple[str, tuple[Any, ...]]

# What people sort nodes by, the first that does counts.
USUAL = ("os.family", "os.name", "os.release.major", "os.release.full", "kernel")
# A fact with more values than these says which node it is, not of what kind.
MOST_VALUES = 40  # nor does one that each node has another value of
MOST_TOLD = 4
_UNUSUAL = 2  # so many values more a usual fact may have to be told before another one
_DEEPEST = 6


class Discriminators:
    """Finds facts for sets of the nodes of a fleet."""

    def __init__(self, facts: Mapping[str, Mapping[str, Value]]) -> None:
        self._tables = _collect_values(facts)
        self._count = len(facts)
        self._known: dict[tuple[int, int], Discriminator | None] = {}

    def find(self, some: int, among: int) -> Discriminator | None:
        """Return the fact whose values these nodes and no other nodes of `among` have, with the values; None if none.

        A fact with few values is preferred, and one by which nodes are commonly sorted.
        """
        key = some, among
        if key not in self._known:
            self._known[key] = self._find(some, among)
        return self._known[key]

    def _find(self, some: int, among: int) -> Discriminator | None:
        if some == among:
            return None
        others = among & ~some
        best: Discriminator | None = None
        least = MOST_TOLD + 1
        for name, table in self._tables.items():
            values = [value for value, nodes in table.items() if nodes & some]
            if len(values) > 1 and len(table) == self._count:
                continue
            cost = len(values) + (_UNUSUAL if name not in USUAL else 0)
            if cost < least and not any(table[value] & others for value in values):
                best, least = (name, tuple(value for _, value in values)), cost
        return best


def _collect_values(facts: Mapping[str, Mapping[str, Value]]) -> dict[str, dict[tuple[type, Value], int]]:
    """Name of a fact -> its values, with the nodes that have them; the best names first."""
    tables: dict[str, dict[tuple[type, Value], int]] = {}
    everybody = (1 << len(facts)) - 1
    for place, known in enumerate(facts.values()):
        for name, value in _flatten(known):
            table = tables.setdefault(name, {})
            key = type(value), value
            table[key] = table.get(key, 0) | 1 << place
    for table in tables.values():
        without = everybody
        for nodes in table.values():
            without &= ~nodes
        if without:
            table[type(None), None] = without
    telling = {
        name: table
        for name, table in tables.items()
        if 1 < len(table) <= MOST_VALUES and (len(table) < len(facts) or name in USUAL)
    }
    return {name: telling[name] for name in sorted(telling, key=_rank)}


def _rank(name: str) -> tuple[int, bool, str]:
    return USUAL.index(name) if name in USUAL else len(USUAL), name in NAMES, name


def _flatten(facts: Mapping[str, Value], before: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """Return the facts with a plain value, by dotted names."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            if depth < _DEEPEST:
                yield from _flatten(value, f"{before}{name}.", depth + 1)
        elif isinstance(value, str | int | float | bool):
            yield f"{before}{name}", value
