"""The state of a session as append-only tables that can be rolled back to a savepoint.

Everything that a program defines or declares is added to the end of a table; what changes is replaced, and the
catalog keeps a log of its changes. So a savepoint is the lengths of the tables, and rolling back to it costs what
was added since, not what there is.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable
from itertools import islice, repeat, starmap
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.program.definitions import Definition
from evaluator.program.scope import Scope

if TYPE_CHECKING:
    from evaluator.catalog.model import Catalog
    from evaluator.compiler.functions import UserFunction


Member = TypeVar("Member")


class OrderedSet(dict[Member, None]):
    """A set that keeps the order in which its members came."""

    def add(self, member: Member) -> None:
        """Adds a member."""
        self[member] = None

    def update(self, members: Iterable[Member]) -> None:  # type: ignore[override]
        """Adds members."""
        super().update(dict.fromkeys(members))


class Definitions:
    """Everything defined so far, by kind and name.

    functions  name -> UserFunction;  types  name (lower case) -> alias Type or its declaration
    members    the names that the definitions of Object types declare
    """

    __slots__ = ("classes", "defines", "functions", "loaded", "members", "nodes", "types")

    def __init__(self) -> None:
        self.classes: dict[str, Definition] = {}
        self.defines: dict[str, Definition] = {}
        self.functions: dict[str, UserFunction] = {}
        self.types: dict[str, Any] = {}
        self.nodes: list[Definition] = []
        self.loaded: OrderedSet[str] = OrderedSet()
        self.members: OrderedSet[str] = OrderedSet()


class StateSavepoint:
    """The lengths of a state's tables at a moment, and what was in the places of which there is one each."""

    __slots__ = ("fields", "lengths")

    def __init__(self, lengths: Iterable[int], fields: tuple[Any, ...]) -> None:
        self.lengths = array("I", lengths)  # every cell has some
        self.fields = fields


class StateDelta:
    """What was taken off a state, to be put back: the ends of its tables, and what code knew by then."""

    __slots__ = ("ends", "results", "savepoint")

    def __init__(
        self, ends: list[list[Any]], results: list[tuple[Any, Any]], savepoint: StateSavepoint
    ) -> None:
        self.ends = ends
        self.results = results
        self.savepoint = savepoint


class State:
    """Variables, definitions and catalog.

    top      the top scope;  classes  name -> Scope of each evaluated class
    match    the regular expression match behind $0, $1, … at top level
    warned   what `deprecation` has logged a warning for
    learnt   what code has found out about definitions as it first ran, in order: compiled bodies, resolved types.
             Each has `forget()`, which gives what it knew, and `recall(known)`
    """

    __slots__ = (
        "_positions",
        "_tables",
        "catalog",
        "classes",
        "deferred_results",
        "definitions",
        "match",
        "top",
        "warned",
    )

    def __init__(self, top: Scope, catalog: Catalog, learnt: list[Any] | None = None) -> None:
        self.top = top
        self.catalog = catalog
        self.classes: dict[str, Scope] = {}
        self.definitions = Definitions()
        self.match: Any = None
        self.warned: OrderedSet[str] = OrderedSet()
        self.deferred_results: list[Any] = [] if learnt is None else learnt
        self._tables: dict[str, Any] = {
            "variables": top.variables,
            "classes": self.classes,
            "warned": self.warned,
            **{f"definitions.{name}": getattr(self.definitions, name) for name in Definitions.__slots__},
            **{f"catalog.{name}": getattr(catalog, name) for name in catalog.TABLES},
        }
        self._positions = {
            name: place for place, name in enumerate(self._tables, 1)
        }  # in the lengths of a mark

    # --- moments

    def savepoint(self) -> StateSavepoint:
        """This moment."""
        places = [getattr(self.catalog, name) for name in self.catalog.FIELDS]
        return StateSavepoint(
            (len(self.deferred_results), *map(len, self._tables.values())),
            (self.match, self.top.defaults, *places),
        )

    def rollback(self, mark: StateSavepoint) -> StateDelta:
        """Goes back to an earlier moment; gives what was added since.

        What is stopped half-way, and so loses its tail, can be done again.
        """
        tail = StateDelta([], [], self.savepoint())
        learnt, *lengths = mark.lengths
        while len(self.deferred_results) > learnt:
            thing = self.deferred_results[-1]
            tail.results.append((thing, thing.forget()))
            self.deferred_results.pop()
        self.catalog.undo_changes(lengths[-1])
        for table, length in zip(self._tables.values(), lengths, strict=True):
            tail.ends.append(_remove_end(table, length) if len(table) > length else [])
        self._set_fields(mark)
        return tail

    def discard(self, mark: StateSavepoint) -> list[Any]:
        """As `rollback`, of what nobody puts back; gives what would be freed, which takes longer than the rest."""
        parts: list[Any] = []
        learnt, *lengths = mark.lengths
        while len(self.deferred_results) > learnt:
            self.deferred_results[-1].forget()
            self.deferred_results.pop()
        self.catalog.undo_changes(lengths[-1])
        for table, length in zip(self._tables.values(), lengths, strict=True):
            if len(table) > length:
                parts.append(_discard_end(table, length))
        self._set_fields(mark)
        return parts

    def reapply(self, tail: StateDelta) -> None:
        """Adds again what `rollback` took off at this moment."""
        for table, part in zip(self._tables.values(), tail.ends, strict=True):
            _extend(table, part)
        self.catalog.redo_changes(tail.ends[-1])
        for thing, known in reversed(tail.results):
            thing.recall(known)
            self.deferred_results.append(thing)
        self._set_fields(tail.savepoint)

    def _set_fields(self, mark: StateSavepoint) -> None:
        self.match, self.top.defaults, *places = mark.fields
        for name, value in zip(self.catalog.FIELDS, places, strict=True):
            setattr(self.catalog, name, value)

    def find_changed(self, since: StateSavepoint) -> set[str]:
        """What is not as it was at a moment: names of tables, and of places. What code has learnt does not count."""
        now = self.savepoint()
        found = set()
        if now.lengths[1:] != since.lengths[1:]:
            pairs = zip(self._tables, now.lengths[1:], since.lengths[1:], strict=True)
            found = {name for name, length, before in pairs if length != before}
        for name, value, before in zip(
            ("match", "defaults", *self.catalog.FIELDS), now.fields, since.fields, strict=True
        ):
            if value is not before:
                found.add(name)
        return found

    def get_added(self, since: StateSavepoint, name: str) -> list[Any]:
        """What has been added to a table since a moment: elements, or pairs of names and values."""
        table, length = self._tables[name], since.lengths[self._positions[name]]
        return _get_end(table, length) if len(table) > length else []

    def count_added(self, since: StateSavepoint, name: str) -> int:
        """How many have been added to a table since a moment."""
        return max(len(self._tables[name]) - since.lengths[self._positions[name]], 0)

    def get_added_keys(self, since: StateSavepoint, name: str) -> Iterable[Any]:
        """The names that have been added to a table since a moment, the last one first."""
        return islice(reversed(self._tables[name]), self.count_added(since, name))

    # --- a second state

    def copy(self) -> State:
        """A state that can change without changing this one. Values are shared, they never change."""
        twin = State(self.top.twin(), self.catalog.copy_empty(), self.deferred_results)
        for name, table in self._tables.items():
            if name != _CHANGES:
                _extend(twin._tables[name], table)
        twin._set_fields(self.savepoint())
        return twin

    def append_to(self, other: State, since: StateSavepoint) -> None:
        """Adds to another state what has been added to this one since a moment; changes are left out."""
        for (name, table), length in zip(self._tables.items(), since.lengths[1:], strict=True):
            if len(table) > length and name != _CHANGES:
                found = other._tables[name]
                # where most is new and the rest is the same, the table as a whole is added faster
                same = len(found) == length < len(table) // 2 and not other.catalog.changes
                whole = same and isinstance(table, dict)
                _extend(found, table if whole else _get_end(table, length))
        other._set_fields(self.savepoint())


_CHANGES = "catalog.changes"
_AT_ONCE = 10_000  # members that are taken off in one call, which cannot be stopped


def _remove_end(table: Any, length: int) -> list[Any]:
    if isinstance(table, list):
        part = table[length:]
        del table[length:]
        return part
    found: list[Any] = []
    while count := min(len(table) - length, _AT_ONCE):
        found += starmap(table.popitem, repeat((), count))
    found.reverse()
    return found


def _discard_end(table: Any, length: int) -> list[Any]:
    if isinstance(table, list):
        return _remove_end(table, length)
    values = list(islice(reversed(table.values()), len(table) - length))
    while count := min(len(table) - length, _AT_ONCE):
        deque(starmap(table.popitem, repeat((), count)), maxlen=0)
    return values


def _get_end(table: Any, length: int) -> list[Any]:
    """What stands in a table from a place on."""
    if isinstance(table, list):
        return table[length:]
    return list(islice(reversed(table.items()), len(table) - length))[::-1]


def _extend(table: Any, part: Any) -> None:
    if isinstance(table, list):
        table.extend(part)
    else:
        dict.update(table, part)
