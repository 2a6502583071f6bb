"""The state of a session: what cells add to, and what is taken off again when one fails or is taken back.

Everything that a program makes is added to the end of a table; what changes is replaced, and a catalog keeps a
record of that. So a moment is the lengths of the tables, a `Mark`: to go back to it costs what was added since, not
what there is.
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


class Ordered(dict[Member, None]):
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
        self.loaded: Ordered[str] = Ordered()
        self.members: Ordered[str] = Ordered()


class Mark:
    """The lengths of a state's tables at a moment, and what was in the places of which there is one each."""

    __slots__ = ("lengths", "places")

    def __init__(self, lengths: Iterable[int], places: tuple[Any, ...]) -> None:
        self.lengths = array("I", lengths)  # every cell has some
        self.places = places


class Tail:
    """What was taken off a state, to be put back: the ends of its tables, and what code knew by then."""

    __slots__ = ("known", "mark", "parts")

    def __init__(self, parts: list[list[Any]], known: list[tuple[Any, Any]], mark: Mark) -> None:
        self.parts = parts
        self.known = known
        self.mark = mark


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
        "definitions",
        "learnt",
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
        self.warned: Ordered[str] = Ordered()
        self.learnt: list[Any] = [] if learnt is None else learnt
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

    def mark(self) -> Mark:
        """This moment."""
        places = [getattr(self.catalog, name) for name in self.catalog.PLACES]
        return Mark(
            (len(self.learnt), *map(len, self._tables.values())), (self.match, self.top.defaults, *places)
        )

    def cut(self, mark: Mark) -> Tail:
        """Goes back to an earlier moment; gives what was added since.

        What is stopped half-way, and so loses its tail, can be done again.
        """
        tail = Tail([], [], self.mark())
        learnt, *lengths = mark.lengths
        while len(self.learnt) > learnt:
            thing = self.learnt[-1]
            tail.known.append((thing, thing.forget()))
            self.learnt.pop()
        self.catalog.undo_changes(lengths[-1])
        for table, length in zip(self._tables.values(), lengths, strict=True):
            tail.parts.append(_cut(table, length) if len(table) > length else [])
        self._set_places(mark)
        return tail

    def drop(self, mark: Mark) -> list[Any]:
        """As `cut`, of what nobody puts back; gives what would be freed, which takes longer than the rest."""
        parts: list[Any] = []
        learnt, *lengths = mark.lengths
        while len(self.learnt) > learnt:
            self.learnt[-1].forget()
            self.learnt.pop()
        self.catalog.undo_changes(lengths[-1])
        for table, length in zip(self._tables.values(), lengths, strict=True):
            if len(table) > length:
                parts.append(_drop(table, length))
        self._set_places(mark)
        return parts

    def put_back(self, tail: Tail) -> None:
        """Adds again what `cut` took off at this moment."""
        for table, part in zip(self._tables.values(), tail.parts, strict=True):
            _extend(table, part)
        self.catalog.redo_changes(tail.parts[-1])
        for thing, known in reversed(tail.known):
            thing.recall(known)
            self.learnt.append(thing)
        self._set_places(tail.mark)

    def _set_places(self, mark: Mark) -> None:
        self.match, self.top.defaults, *places = mark.places
        for name, value in zip(self.catalog.PLACES, places, strict=True):
            setattr(self.catalog, name, value)

    def grown(self, since: Mark) -> set[str]:
        """What is not as it was at a moment: names of tables, and of places. What code has learnt does not count."""
        now = self.mark()
        found = set()
        if now.lengths[1:] != since.lengths[1:]:
            pairs = zip(self._tables, now.lengths[1:], since.lengths[1:], strict=True)
            found = {name for name, length, before in pairs if length != before}
        for name, value, before in zip(
            ("match", "defaults", *self.catalog.PLACES), now.places, since.places, strict=True
        ):
            if value is not before:
                found.add(name)
        return found

    def added(self, since: Mark, name: str) -> list[Any]:
        """What has been added to a table since a moment: elements, or pairs of names and values."""
        table, length = self._tables[name], since.lengths[self._positions[name]]
        return _end(table, length) if len(table) > length else []

    def count_added(self, since: Mark, name: str) -> int:
        """How many have been added to a table since a moment."""
        return max(len(self._tables[name]) - since.lengths[self._positions[name]], 0)

    def added_keys(self, since: Mark, name: str) -> Iterable[Any]:
        """The names that have been added to a table since a moment, the last one first."""
        return islice(reversed(self._tables[name]), self.count_added(since, name))

    # --- a second state

    def copy(self) -> State:
        """A state that can change without changing this one. Values are shared, they never change."""
        twin = State(self.top.twin(), self.catalog.copy_empty(), self.learnt)
        for name, table in self._tables.items():
            if name != _CHANGES:
                _extend(twin._tables[name], table)
        twin._set_places(self.mark())
        return twin

    def feed(self, other: State, since: Mark) -> None:
        """Adds to another state what has been added to this one since a moment; changes are left out."""
        for (name, table), length in zip(self._tables.items(), since.lengths[1:], strict=True):
            if len(table) > length and name != _CHANGES:
                found = other._tables[name]
                # where most is new and the rest is the same, the table as a whole is added faster
                same = len(found) == length < len(table) // 2 and not other.catalog.changes
                whole = same and isinstance(table, dict)
                _extend(found, table if whole else _end(table, length))
        other._set_places(self.mark())


_CHANGES = "catalog.changes"
_AT_ONCE = 10_000  # members that are taken off in one call, which cannot be stopped


def _cut(table: Any, length: int) -> list[Any]:
    if isinstance(table, list):
        part = table[length:]
        del table[length:]
        return part
    found: list[Any] = []
    while count := min(len(table) - length, _AT_ONCE):
        found += starmap(table.popitem, repeat((), count))
    found.reverse()
    return found


def _drop(table: Any, length: int) -> list[Any]:
    if isinstance(table, list):
        return _cut(table, length)
    values = list(islice(reversed(table.values()), len(table) - length))
    while count := min(len(table) - length, _AT_ONCE):
        deque(starmap(table.popitem, repeat((), count)), maxlen=0)
    return values


def _end(table: Any, length: int) -> list[Any]:
    """What stands in a table from a place on."""
    if isinstance(table, list):
        return table[length:]
    return list(islice(reversed(table.items()), len(table) - length))[::-1]


def _extend(table: Any, part: Any) -> None:
    if isinstance(table, list):
        table.extend(part)
    else:
        dict.update(table, part)
