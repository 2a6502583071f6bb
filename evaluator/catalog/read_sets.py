"""The read set of deferred code: the names that it looked up and did not find.

Later cells only add to the tables of a program. What deferred code found stays as it is; what it did not find may be
added, and then it has to run again. While it runs, the tables record such names (`program.state.RecordingTable`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from evaluator.catalog.model import Catalog
from evaluator.program.state import MissedName, MissedNames, State, StateSavepoint
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.catalog.bodies import EvaluatedBodies

# Fields and tables that code reads without looking up a name.
_READ_AS_A_WHOLE = frozenset({"defaults", "has_defaults", "tag_sequence", "warned"})
_RECORDED = frozenset(
    {
        "variables",
        "classes",
        "definitions.classes",
        "definitions.defines",
        "definitions.functions",
        "definitions.types",
        "catalog.resources",
        "catalog.aliases",
    }
)


class ReadSavepoint(NamedTuple):
    """A savepoint of a read set: the number of its missed names, and its other fields."""

    missed_count: int
    is_complete: bool
    attributes: frozenset[str]


class ReadDelta(NamedTuple):
    """The missed names that a rollback removed, and the other fields as they were before."""

    missed: dict[MissedName, None]
    is_complete: bool
    attributes: frozenset[str]


class ReadSet(Record):
    """The names that deferred code looked up and did not find.

    Attributes:
        bodies: The evaluations of bodies, which need not run again as long as they read the same.
        missed: The names that were not found, with their tables; the tables of the state in which the code runs add
            to it.
        is_complete: False if code read something without a name, such as the list of all classes.
        attributes: The attributes of resources that code read, which a collector may change.
    """

    bodies: EvaluatedBodies
    missed: MissedNames = fresh(factory=MissedNames)
    is_complete: bool = True
    attributes: frozenset[str] = frozenset()

    def savepoint(self) -> ReadSavepoint:
        """Return a savepoint of the present read set."""
        return ReadSavepoint(len(self.missed), self.is_complete, self.attributes)

    def rollback(self, savepoint: ReadSavepoint) -> ReadDelta:
        """Return to a savepoint, and return what was added since, for `reapply`."""
        added = dict(islice(self.missed.items(), savepoint.missed_count, None))
        for name in reversed(added):
            del self.missed[name]
        removed = ReadDelta(added, self.is_complete, self.attributes)
        _, self.is_complete, self.attributes = savepoint
        return removed

    def reapply(self, removed: ReadDelta) -> None:
        """Add what `rollback` has removed."""
        missed, self.is_complete, self.attributes = removed
        self.missed.update(missed)

    def is_disjoint(self, generated: State, state: State, since: StateSavepoint, changed: set[str]) -> bool:
        """Return True when deferred code has looked for none of the names that were added.

        Args:
            generated: The state in which deferred code ran.
            since: The savepoint of `state` after which the additions were made.
            changed: The names of the tables that have additions.
        """
        if not self.is_complete or not changed.isdisjoint(_READ_AS_A_WHOLE):
            return False
        return not any(
            (table, name) in self.missed and not _is_loaded_by_both(generated, state, table, name)
            for table in changed & _RECORDED
            for name in state.get_added_keys(since, table)
        )


def has_clashes(generated: State, state: State, since: StateSavepoint) -> bool:
    """Return True when deferred code has made something with the name of an addition.

    Args:
        generated: The state in which deferred code ran.
        since: The savepoint of `state` after which the additions were made.
    """
    catalog: Catalog = generated.catalog
    return (
        any(
            table and not table.keys().isdisjoint(state.get_added_keys(since, added))
            for added in ("catalog.resources", "catalog.aliases")
            for table in (catalog.resources, catalog.aliases)  # a title must differ from all aliases, too
        )
        or any(key in catalog.unique for key, _ in state.get_added(since, "catalog.unique"))
        or any(
            name in getattr(generated.definitions, kind)
            and not _is_loaded_by_both(generated, state, f"definitions.{kind}", name)
            for kind in ("classes", "defines")
            for name in state.get_added_keys(since, f"definitions.{kind}")
        )
    )


def _is_loaded_by_both(generated: State, state: State, table: str, name: str) -> bool:
    """Return True when both states loaded a class or define from the same file of a module."""
    _, _, kind = table.partition(".")
    if kind not in ("classes", "defines"):
        return False
    definition, generated_definition = (
        getattr(each_state.definitions, kind).get(name) for each_state in (state, generated)
    )
    if definition is None or generated_definition is None:
        return False
    path = definition.site.source.name
    return path in generated.definitions.loaded and path == generated_definition.site.source.name
