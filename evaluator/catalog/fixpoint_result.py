"""The result of computing a fixed point: what it contains, and whether it can be extended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.catalog.containment import has_propagated_metaparameters
from evaluator.catalog.errors import format_place
from evaluator.catalog.model import BUILT_IN, CatalogResource, Edge, Key, Link, link_edge
from evaluator.catalog.read_sets import ReadSet, is_unaffected
from evaluator.program.state import State, StateSavepoint
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

if TYPE_CHECKING:
    from evaluator.catalog.relationships import Arrow
    from evaluator.program.protocols import ProgramContext

# Tables whose additions extend a fixed point, and tables that do not affect it unless deferred code reads them; see
# `is_unaffected`.
_EXTENDABLE = frozenset({"catalog.resources", "catalog.relationships", "catalog.aliases", "catalog.pending"})
_INDIFFERENT = frozenset(
    {
        "variables",
        "classes",
        "warned",
        "match",
        "defaults",
        "has_defaults",
        "tag_sequence",
        "definitions.classes",
        "definitions.defines",
        "definitions.functions",
        "definitions.types",
        "definitions.loaded",
        "definitions.members",
        "catalog.unique",
        "catalog.classes",
        "catalog.contained",
        "catalog.evaluated",
    }
)


LogLines = tuple[tuple[Key | None, str, str], ...]


class FixedPoint:
    """The second state of a session, in which everything deferred has been evaluated.

    Attributes:
        key: An identity that savepoints of the session compare.
        state: The second state; its catalog is the complete one.
        savepoint: The savepoint of the first state from which this was computed.
        pending: References to resources that are not declared yet.
        logs: Writer, level and message of each line that was logged meanwhile; set by the caller.
        uses_collectors: True when an arrow leads from or to a collector.
        propagates: True when a class or define propagates metaparameters.
        read_set: The names that deferred code reads.
        replaced: Former versions of the resources that the last extension replaced.
    """

    __slots__ = (
        "key",
        "logs",
        "pending",
        "propagates",
        "read_set",
        "replaced",
        "savepoint",
        "state",
        "uses_collectors",
    )

    def __init__(self, runtime: ProgramContext, state: State, savepoint: StateSavepoint) -> None:
        self.key = object()
        self.state = state
        self.savepoint = savepoint
        self.pending: list[PendingReference] = []
        self.logs: LogLines = ()
        self.uses_collectors = False
        self.propagates = False
        self.read_set = ReadSet(runtime)
        self.replaced: dict[Key, CatalogResource] = {}

    def clear_replaced(self) -> None:
        """Forget the former versions of resources once they have been compared."""
        self.replaced = {}

    def find_additions(self, state: State) -> set[str] | None:
        """Return the names of the tables to which the first state has added something since.

        Returns:
            An empty set when nothing was added; None when the fixed point must be recomputed.
        """
        changed = state.find_changed(self.savepoint)
        if not changed:
            return changed
        catalog = state.catalog
        defers_more = state.definitions.nodes or catalog.classified
        imports = any(collector.collects_from_store for collector in catalog.collectors)
        if defers_more or imports or self.pending or not changed <= _EXTENDABLE | _INDIFFERENT:
            return None
        if catalog.pending and not is_unaffected(self.read_set, self.state, state, self.savepoint, changed):
            return None
        classes = [("class", name) for name in state.get_added(self.savepoint, "catalog.classes")]
        if self.propagates or has_propagated_metaparameters(
            catalog, [*state.get_added(self.savepoint, "catalog.pending"), *classes]
        ):
            return None
        arrows = state.get_added(self.savepoint, "catalog.relationships")
        adds = arrows or "catalog.resources" in changed
        if adds and (
            self.uses_collectors
            or any(arrow.uses_collectors for arrow in arrows)
            or self._repeats_edge(arrows)
        ):
            return None
        return changed

    def _repeats_edge(self, arrows: list[Arrow]) -> bool:
        """Return True when an arrow repeats an edge: the later arrow becomes the origin of both."""
        catalog = self.state.catalog
        if not catalog.origins:
            return False
        return any(
            (found.key, target, arrow.kind) in catalog.origins
            for arrow in arrows
            for key in arrow.sources
            if isinstance(key, tuple) and (found := catalog.find(key)) is not None
            for target in arrow.targets
        )

    @staticmethod
    def make_initial(runtime: ProgramContext, state: State) -> FixedPoint | None:
        """Return the fixed point of a state that declares nothing and defines no node.

        It is a plain copy of the state. None when the state is not that simple.
        """
        catalog = state.catalog
        tables = (
            catalog.pending,
            catalog.collectors,
            catalog.relationships,
            catalog.overrides,
            catalog.changes,
        )
        if (
            any(tables)
            or len(catalog.resources) > len(BUILT_IN)
            or state.definitions.nodes
            or catalog.classified
        ):
            return None
        return FixedPoint(runtime, state.copy(), state.savepoint())


LinkChanges = tuple[list[Link], list[Link]]


class CatalogDifference:
    """The resources and relationships that a cell added, removed or changed.

    Relationships are compared on demand, but before the catalogs change again.

    Attributes:
        added: Resources that are new.
        removed: Resources that are gone.
        changed: Pairs (before, after).
    """

    __slots__ = ("_compare", "_compared", "added", "changed", "removed")

    def __init__(self) -> None:
        self.added: list[CatalogResource] = []
        self.removed: list[CatalogResource] = []
        self.changed: list[tuple[CatalogResource, CatalogResource]] = []
        self._compared: LinkChanges = ([], [])
        self._compare: Callable[[CatalogDifference], LinkChanges] | None = None

    def defer_comparison(self, compare: Callable[[CatalogDifference], LinkChanges]) -> None:
        """Set the function that compares relationships on demand."""
        self._compare = compare

    def compare_links(self) -> LinkChanges:
        """Return the relationships that are new and those that are gone, comparing them once."""
        if self._compare is not None:
            self._compared = self._compare(self)
            self._compare = None
        return self._compared

    @property
    def edges_added(self) -> list[Edge]:
        """New edges of kind "before" or "notify"."""
        return [link_edge(link) for link in self.compare_links()[0]]

    @property
    def edges_removed(self) -> list[Edge]:
        """Edges of kind "before" or "notify" that are gone."""
        return [link_edge(link) for link in self.compare_links()[1]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or any(self.compare_links()))


class PendingReference:
    """A note about a reference to something that no cell has declared yet."""

    __slots__ = ("_message", "_near", "_span")

    def __init__(self, error: PuppetError, near: str | None) -> None:
        self._message = error.message
        self._span = error.span
        self._near = near

    def __str__(self) -> str:
        where = f" {format_place(self._span, _ELSEWHERE)}" if self._span is not None else ""
        return f"pending: {self._message}{where}{f'; did you mean {self._near}?' if self._near else ''}"


_ELSEWHERE = Span(Source(""), 0, 0)  # a note appears beside any cell, so it names the cell of its place
