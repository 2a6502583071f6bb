"""What has been settled of a state: the record of it, and what tells whether it can go on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.catalog.containment import has_propagated_metaparameters
from evaluator.catalog.errors import format_place
from evaluator.catalog.model import BUILT_IN, CatalogResource, Edge, Key, Link, link_edge
from evaluator.catalog.read_sets import ReadSet, is_unaffected
from evaluator.program.state import State, StateSavepoint
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# What may be added while a settlement goes on, and what makes no difference to it; code that is evaluated late may
# see more, see `is_unaffected`.
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
    """What has been settled of a state, and where it stood then.

    key      what it is known by
    state    the second state: its catalog is the settled one
    source   the moment of the first state;  pending  references to what is not there yet, see `settle`
    logs     what was logged meanwhile: writer, level and message of each line, set by who settles
    collects whether an arrow leads from or to a collector;  hands  whether a class or define hands metaparameters down
    reads    what the code that was evaluated late reads
    replaced what was there before the last step, if it was one, and has another form since
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

    def __init__(self, runtime: Program, state: State, savepoint: StateSavepoint) -> None:
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
        """What was settled last has been compared, or nobody compares it."""
        self.replaced = {}

    def find_additions(self, state: State) -> set[str] | None:
        """What the first state has that this has not: names of its tables. None when it has to be settled anew."""
        grown = state.find_changed(self.savepoint)
        if not grown:
            return grown
        catalog = state.catalog
        late = state.definitions.nodes or catalog.classified
        imports = any(collector.collects_from_store for collector in catalog.collectors)
        if late or imports or self.pending or not grown <= _EXTENDABLE | _INDIFFERENT:
            return None
        if catalog.pending and not is_unaffected(self.read_set, self.state, state, self.savepoint, grown):
            return None
        classes = [("class", name) for name in state.get_added(self.savepoint, "catalog.classes")]
        if self.propagates or has_propagated_metaparameters(
            catalog, [*state.get_added(self.savepoint, "catalog.pending"), *classes]
        ):
            return None
        arrows = state.get_added(self.savepoint, "catalog.relationships")
        adds = arrows or "catalog.resources" in grown
        if adds and (
            self.uses_collectors
            or any(arrow.uses_collectors for arrow in arrows)
            or self._repeats_edge(arrows)
        ):
            return None
        return grown

    def _repeats_edge(self, arrows: list[Any]) -> bool:
        """True when there is an arrow between two of the same resources: the later one is told as their reason."""
        catalog = self.state.catalog
        if not catalog.origins:
            return False
        return any(
            (found.key, target, arrow.kind) in catalog.origins
            for arrow in arrows
            for key in arrow.sources
            if (found := catalog.find(key)) is not None
            for target in arrow.targets
        )

    @staticmethod
    def make_initial(runtime: Program, state: State) -> FixedPoint | None:
        """The settlement of a state in which nothing is declared or defined for a node yet; None when something is."""
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
    """Resources and relationships that a cell added, removed or changed.

    added, removed  Resources;  changed  (before, after) pairs
    Relationships are found when somebody looks at them, and before the catalogs change again; they become Edges then.
    """

    __slots__ = ("_compare", "_compared", "added", "changed", "removed")

    def __init__(self) -> None:
        self.added: list[CatalogResource] = []
        self.removed: list[CatalogResource] = []
        self.changed: list[tuple[CatalogResource, CatalogResource]] = []
        self._compared: LinkChanges = ([], [])
        self._compare: Callable[[CatalogDifference], LinkChanges] | None = None

    def defer_comparison(self, compare: Callable[[CatalogDifference], LinkChanges]) -> None:
        """How the relationships are found, of this, that were not there, and those that are there no more."""
        self._compare = compare

    def compare_links(self) -> LinkChanges:
        """The relationships that were not there, and those that are there no more; known from now on."""
        if self._compare is not None:
            self._compared = self._compare(self)
            self._compare = None
        return self._compared

    @property
    def edges_added(self) -> list[Edge]:
        """Edges of kind "before" or "notify" that were not there."""
        return [link_edge(link) for link in self.compare_links()[0]]

    @property
    def edges_removed(self) -> list[Edge]:
        """Those that are there no more."""
        return [link_edge(link) for link in self.compare_links()[1]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or any(self.compare_links()))


class PendingReference:
    """A reference to what is not there yet, as it is noted."""

    __slots__ = ("_message", "_near", "_span")

    def __init__(self, error: PuppetError, near: str | None) -> None:
        self._message = error.message
        self._span = error.span
        self._near = near

    def __str__(self) -> str:
        where = f" {format_place(self._span, _ELSEWHERE)}" if self._span is not None else ""
        return f"pending: {self._message}{where}{f'; did you mean {self._near}?' if self._near else ''}"


_ELSEWHERE = Span(Source(""), 0, 0)  # a note is read beside any cell
