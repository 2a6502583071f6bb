"""The state of a session as append-only tables that can be rolled back to a savepoint.

Everything that a program defines or declares is added to the end of a table. An entry that changes is replaced, and
the catalog keeps a log of its changes. So a savepoint is the lengths of the tables, and the cost of a rollback grows
with the number of entries added since, not with the size of the state.

A state may also record what code looks up in its tables: the read sets of deferred code (see `evaluator`).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice, repeat, starmap
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.program.definitions import Definition, Scope
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.catalog.model import Catalog
    from evaluator.compiler.definitions import ProgramDefinition
    from evaluator.compiler.emitter import CompilationUnit
    from evaluator.compiler.functions import UserFunction
    from evaluator.values.kind import Value


Member = TypeVar("Member")


class OrderedSet(dict[Member, None]):
    """A set that keeps its members in the order of insertion."""

    def add(self, member: Member) -> None:
        """Add a member."""
        self[member] = None

    def update(self, members: Iterable[Member]) -> None:  # type: ignore[override]
        """Add members."""
        super().update(dict.fromkeys(members))


_ABSENT: Any = object()  # the result of looking up a name that a table does not have
_MOST_ABSENT_DEFINITIONS = 10_000  # a program may look up any number of names


MissedName = tuple[str, object]  # the name of a table, and a name that was looked up in it
CLASS_VARIABLES = "class variables"  # variables of evaluated classes, as if they had a table


class BodyReads(Record):
    """The names that one body reads in the state around it.

    Attributes:
        missed: The names that it looked up in tables and did not find, in order.
        found: The entries that it found, by table and name.
        default_types: The types of resources whose defaults it looked up.
    """

    missed: dict[MissedName, None] = fresh(factory=dict)
    found: dict[MissedName, Any] = fresh(factory=dict)
    default_types: OrderedSet[str] = fresh(factory=OrderedSet)


class MissedNames(dict[MissedName, None]):
    """The names that bodies looked up and did not find, in order.

    A `with` statement records what a body reads; at its end the missed names of the body are added.

    Attributes:
        body: The names that the running body reads; None while nothing is recorded.
    """

    body: BodyReads | None = None

    def __enter__(self) -> BodyReads:
        reads = self.body = BodyReads()
        return reads

    def __exit__(self, *_: object) -> None:
        reads, self.body = self.body, None
        self.update(reads.missed if reads is not None else ())


class RecordingTable(dict[object, Member]):
    """A table that records which names a body looks up in it, in `MissedNames.body`."""

    __slots__ = ("_missed", "_name")

    def __init__(self, name: str, missed: MissedNames) -> None:
        super().__init__()
        self._name = name
        self._missed = missed

    def get(self, name: object, default: Member | None = None) -> Member | None:  # type: ignore[override]
        """Return the entry of a name, or the default."""
        entry: Member = dict.get(self, name, _ABSENT)
        reads = self._missed.body
        if entry is _ABSENT:
            if reads is not None:
                reads.missed[self._name, name] = None
            return default
        if reads is not None:
            reads.found[self._name, name] = entry
        return entry

    def __contains__(self, name: object) -> bool:
        return self.get(name, _ABSENT) is not _ABSENT

    def __missing__(self, name: object) -> Member:
        self.get(name)
        raise KeyError(name)


class LoadedFile(Record):
    """The definitions of a file of a module, with the unit in which they are compiled."""

    unit: CompilationUnit
    definitions: list[ProgramDefinition]


class Definitions(Record):
    """The definitions so far, by kind and name.

    Attributes:
        functions: The functions by name.
        types: By name in lower case, each the Type of an alias or its declaration.
        loaded: The loaded files of modules by path; None for a file whose definitions are shared by programs.
        members: The names that the definitions of Object types declare.
    """

    classes: dict[str, Definition] = fresh(factory=dict)
    defines: dict[str, Definition] = fresh(factory=dict)
    functions: dict[str, UserFunction] = fresh(factory=dict)
    types: dict[str, Value] = fresh(factory=dict)
    nodes: list[Definition] = fresh(factory=list)
    loaded: dict[str, LoadedFile | None] = fresh(factory=dict)
    members: OrderedSet[str] = fresh(factory=OrderedSet)


class StateSavepoint(Record):
    """A savepoint of a state, for `State.rollback`.

    Attributes:
        lengths: The number of deferred results, then the lengths of the tables.
        fields: The values that are not in tables: the match, the resource defaults, the fields of the catalog.
    """

    lengths: array[int]  # compact, because every cell has a savepoint
    fields: tuple[Any, ...]


class StateDelta(Record):
    """The part of a state that a rollback removed, which can be reapplied.

    Attributes:
        ends: The entries removed from the end of each table.
        results: The deferred results of code, each with the data that it had computed until then.
        savepoint: The savepoint before the rollback.
    """

    ends: list[list[Any]]
    results: list[tuple[Any, Any]]
    savepoint: StateSavepoint


class State:
    """The state of a program: variables, definitions and catalog.

    Attributes:
        top: The top scope.
        classes: The Scope of each evaluated class, by name.
        match: The regular expression match behind $0, $1, … at top level.
        missed: Records what bodies look up in the tables; None for a state in which nothing is recorded.
        warned: The warnings that are logged once, such as those of `deprecation`.
        absent: The definitions that no file contains, by kind and name, each with the run that searched the files.
        deferred_results: The results that code computed about definitions when it first ran, in order: compiled bodies,
            resolved types. Each has `forget()`, which returns its data, and `recall(known)`.
    """

    __slots__ = (
        "_length_indices",
        "_tables",
        "absent",
        "catalog",
        "classes",
        "deferred_results",
        "definitions",
        "match",
        "missed",
        "top",
        "warned",
    )

    def __init__(
        self,
        top: Scope,
        catalog: Catalog,
        deferred_results: list[Any] | None = None,
        missed: MissedNames | None = None,
    ) -> None:
        """Make a state without entries.

        Args:
            top: The top scope.
            catalog: The catalog.
            deferred_results: The list to which deferred results are added; by default a new one.
            missed: Records what bodies look up in the tables; None to record nothing.
        """
        self.top = top
        self.catalog = catalog
        self.missed = missed
        self.classes: dict[str, Scope] = {}
        self.definitions = Definitions()
        if missed is not None:
            for owner, attribute, name in (
                (self, "classes", "classes"),
                (top, "variables", "variables"),
                (self.definitions, "classes", "definitions.classes"),
                (self.definitions, "defines", "definitions.defines"),
                (self.definitions, "functions", "definitions.functions"),
                (self.definitions, "types", "definitions.types"),
                (catalog, "resources", "catalog.resources"),
                (catalog, "aliases", "catalog.aliases"),
            ):
                setattr(owner, attribute, RecordingTable(name, missed))
        self.match: Any = None
        self.warned: OrderedSet[str] = OrderedSet()
        self.deferred_results: list[Any] = [] if deferred_results is None else deferred_results
        self.absent: MemoTable[tuple[str, str], object] = MemoTable(
            "absent definitions", _MOST_ABSENT_DEFINITIONS
        )
        self._tables: dict[str, Any] = {
            "variables": top.variables,
            "classes": self.classes,
            "warned": self.warned,
            **{f"definitions.{name}": getattr(self.definitions, name) for name in Definitions.record_fields},
            **{f"catalog.{name}": getattr(catalog, name) for name in catalog.TABLES},
        }
        # The indices of the tables in the lengths of a savepoint, whose first is that of the deferred results.
        self._length_indices = {name: index for index, name in enumerate(self._tables, 1)}

    # --- savepoints

    def savepoint(self) -> StateSavepoint:
        """Return a savepoint of the present state."""
        return StateSavepoint(
            array("I", (len(self.deferred_results), *map(len, self._tables.values()))),
            (self.match, self.top.defaults, *self.catalog.read_fields(self.catalog)),
        )

    def rollback(self, target: StateSavepoint) -> StateDelta:
        """Roll back to a savepoint and return what was added since.

        A rollback that is interrupted, and so loses its result, can be repeated.
        """
        present = self.savepoint()
        return StateDelta(*self._truncate(target, _remove_end), present)

    def discard(self, target: StateSavepoint) -> list[Any]:
        """Roll back like `rollback`, when the removed part is never reapplied.

        Returns:
            The removed objects. The caller must free them, which takes longer than the rollback itself.
        """
        return self._truncate(target, _discard_end)[0]

    def _truncate(
        self, target: StateSavepoint, remove_end: Callable[[Any, int], list[Any]]
    ) -> tuple[list[list[Any]], list[tuple[Any, Any]]]:
        """Roll back to a savepoint and return the removed `ends` and `results` of a StateDelta.

        Args:
            target: The savepoint.
            remove_end: Removes the entries of a table from an index on, and returns what the caller needs of them.
        """
        self.absent.clear()  # a file whose definitions were removed must be loaded again
        result_count, *lengths = target.lengths
        results = []
        while len(self.deferred_results) > result_count:
            owner = self.deferred_results[-1]
            results.append((owner, owner.forget()))
            self.deferred_results.pop()  # afterwards, so that an interrupted rollback can be repeated
        self.catalog.undo_changes(lengths[-1])  # the last table is the log of the changes
        tables = zip(self._tables.values(), lengths, strict=True)
        ends = [remove_end(table, length) if len(table) > length else [] for table, length in tables]
        self._set_fields(target)
        return ends, results

    def reapply(self, delta: StateDelta) -> None:
        """Add the part that a rollback to the present point removed."""
        for table, part in zip(self._tables.values(), delta.ends, strict=True):
            _extend(table, part)
        self.catalog.redo_changes(delta.ends[-1])
        for owner, data in reversed(delta.results):
            owner.recall(data)
            self.deferred_results.append(owner)
        self._set_fields(delta.savepoint)

    def _set_fields(self, source: StateSavepoint) -> None:
        """Set the values that are not in tables to those of a savepoint."""
        self.match, self.top.defaults, *catalog_fields = source.fields
        for name, value in zip(self.catalog.FIELDS, catalog_fields, strict=True):
            setattr(self.catalog, name, value)

    def find_changed(self, since: StateSavepoint) -> set[str]:
        """Return the names of the tables and fields that differ from a savepoint.

        Deferred results do not count.
        """
        now = self.savepoint()
        changed = set()
        if now.lengths[1:] != since.lengths[1:]:
            tables = zip(self._tables, now.lengths[1:], since.lengths[1:], strict=True)
            changed = {name for name, length, before in tables if length != before}
        if not all(map(is_, now.fields, since.fields)):
            names = ("match", "defaults", *self.catalog.FIELDS)
            fields = zip(names, now.fields, since.fields, strict=True)
            changed |= {name for name, value, before in fields if value is not before}
        return changed

    def count_at(self, savepoint: StateSavepoint | None, name: str) -> int:
        """Return the number of entries that a table had at a savepoint; 0 without one."""
        return 0 if savepoint is None else savepoint.lengths[self._length_indices[name]]

    def get_added(self, since: StateSavepoint | None, name: str) -> list[Any]:
        """Return the entries added to a table since a savepoint: elements, or (name, value) pairs."""
        table, length = self._tables[name], self.count_at(since, name)
        return _get_end(table, length) if len(table) > length else []

    def count_added(self, since: StateSavepoint, name: str) -> int:
        """Return the number of entries added to a table since a savepoint."""
        return max(len(self._tables[name]) - self.count_at(since, name), 0)

    def get_added_keys(self, since: StateSavepoint, name: str) -> Iterable[Any]:
        """Return the names added to a table since a savepoint, the last one first."""
        return islice(reversed(self._tables[name]), self.count_added(since, name))

    def get_table(self, name: str) -> dict[object, Value]:
        """Return a table of names and entries by the name of the table."""
        table: dict[object, Value] = self._tables[name]
        return table

    def add_entries(self, added: dict[str, list[object]]) -> None:
        """Add entries to tables: elements, or (name, value) pairs."""
        for name, entries in added.items():
            _extend(self._tables[name], entries)

    def get_added_definitions(self, since: StateSavepoint) -> list[tuple[str, list[tuple[str, Any]]]]:
        """Return the definitions added since a savepoint.

        Returns:
            For each kind that has some, its name and the (name, definition) pairs.
        """
        return [
            (kind, self.get_added(since, table))
            for kind, table in _DEFINITION_TABLES.items()
            if len(self._tables[table]) > since.lengths[self._length_indices[table]]
        ]

    # --- a second state

    def copy(self, missed: MissedNames | None = None) -> State:
        """Return a copy that can change without changing this state.

        Values are shared, because they never change.

        Args:
            missed: Records what bodies look up in the tables of the copy; None to record nothing.
        """
        copy = State(self.top.copy_empty(), self.catalog.copy_empty(), self.deferred_results, missed)
        for name, table in self._tables.items():
            if name != _CHANGES:
                _extend(copy._tables[name], table)
        copy._set_fields(self.savepoint())
        return copy

    def release_files(self) -> dict[str, LoadedFile]:
        """Return the loaded files for another state. This state cannot be used any more."""
        while self.deferred_results:
            self.deferred_results.pop().forget()
        return {path: file for path, file in self.definitions.loaded.items() if file is not None}

    def append_to(self, other: State, since: StateSavepoint) -> None:
        """Add to another state the entries and fields that have changed since a savepoint.

        The catalog's changes are left out.
        """
        for (name, table), length in zip(self._tables.items(), since.lengths[1:], strict=True):
            if len(table) > length and name != _CHANGES:
                target = other._tables[name]
                # If most entries are new and the target has the same old ones, updating it with all is faster.
                has_same_old_ones = len(target) == length and not other.catalog.changes
                is_added_whole = has_same_old_ones and length < len(table) // 2 and isinstance(table, dict)
                _extend(target, table if is_added_whole else _get_end(table, length))
        merged = other.savepoint()
        fields = zip(self.savepoint().fields, since.fields, merged.fields, strict=True)
        merged.fields = tuple(theirs if value is before else value for value, before, theirs in fields)
        other._set_fields(merged)


_CHANGES = "catalog.changes"
_DEFINITION_TABLES = {
    "class": "definitions.classes",
    "define": "definitions.defines",
    "function": "definitions.functions",
    "type": "definitions.types",
}
_AT_ONCE = 10_000  # entries that are removed in one call, which cannot be interrupted


def _remove_end(table: Any, length: int) -> list[Any]:
    """Remove the entries of a table from an index on, and return them in order."""
    if isinstance(table, list):
        end = table[length:]
        del table[length:]
        return end
    items: list[Any] = []
    while count := min(len(table) - length, _AT_ONCE):
        items += starmap(table.popitem, repeat((), count))
    items.reverse()
    return items


def _discard_end(table: Any, length: int) -> list[Any]:
    """Remove the entries of a table from an index on, and return their values in any order."""
    if isinstance(table, list):
        return _remove_end(table, length)
    values = list(islice(reversed(table.values()), len(table) - length))
    while count := min(len(table) - length, _AT_ONCE):
        deque(starmap(table.popitem, repeat((), count)), maxlen=0)
    return values


def _get_end(table: Any, length: int) -> list[Any]:
    """Return the entries of a table from an index on."""
    if isinstance(table, list):
        return table[length:]
    return list(islice(reversed(table.items()), len(table) - length))[::-1]


def _extend(table: Any, entries: Any) -> None:
    """Add elements to a list, or (name, value) pairs or another table to a dict."""
    if isinstance(table, list):
        table.extend(entries)
    else:
        dict.update(table, entries)
