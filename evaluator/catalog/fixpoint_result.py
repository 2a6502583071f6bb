"""The result of computing a fixed point: what it contains, and whether it can be extended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator.catalog.errors import format_place
from evaluator.catalog.model import (
    ANY_PARAMETER,
    BUILT_IN,
    CatalogResource,
    Edge,
    Key,
    Link,
    link_edge,
    uses_collectors,
)
from evaluator.catalog.read_sets import ReadSet, has_clashes
from evaluator.program.state import State, StateSavepoint
from evaluator.resource_types import RELATIONSHIP_NAMES
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record, fresh
from lexer_parser.source import Source, Span

# Tables whose additions extend a fixed point.
_EXTENDABLE = frozenset(
    {"catalog.resources", "catalog.relationships", "catalog.aliases", "catalog.pending", "catalog.collectors"}
)
# Tables whose additions only the finalization reads.
_READ_ONLY_BY_FINALIZATION = frozenset({"catalog.overrides", "catalog.detours"})
# Tables whose additions do not affect a fixed point unless deferred code has read them; see `ReadSet.is_disjoint`.
_INDIFFERENT = frozenset(
    {
        "variables",
        "classes",
        "warned",
        "match",
        "defaults",
        "has_defaults",
        "sets_aliases",
        "tag_sequence",
        "definitions.classes",
        "definitions.defines",
        "definitions.functions",
        "definitions.types",
        "definitions.loaded",
        "definitions.members",
        "catalog.unique",
        "catalog.classes",
        "catalog.class_tags",
        "catalog.contained",
        "catalog.evaluated",
    }
)
# Tables whose additions collectors examine.
_COLLECTED = frozenset({"catalog.resources", "catalog.pending"})
# Tables whose additions decide which attributes collectors and overrides leave as they are.
_DEFAULTS = frozenset({"defaults", "has_defaults"})

LogLines = tuple[tuple[Key | None, str, str], ...]

# What is to be done after cells were added to the program's state; see `FixedPoint.find_freshness`.
CURRENT, EXTENDABLE, OUTDATED = "current", "extendable", "outdated"


class FixedPoint:
    """A copy of the program's state in which everything deferred has been evaluated.

    It is computed in two steps: deferred code generates resources; then the state is finalized, which applies arrows,
    pending overrides and metaparameters of containers. Where those affect resources of earlier cells in ways that
    cannot be continued, a second copy is finalized, so that the first step can be continued all the same.

    Attributes:
        key: An identity that savepoints of the session compare.
        generated: The state in which deferred code has run.
        finalized: The finalized state: `generated` itself or a copy; None for a copy that is to be computed again after
            a rollback.
        savepoint: The savepoint of the program's state from which this was computed.
        node_error: The error that no node definition matches yet; None if there is none.
        pending: References to resources that are not declared yet.
        logs: Writer, level and message of each line that was logged during the computation; set by the caller.
        read_set: The names that deferred code reads; None if they were not recorded.
        replaced: Former versions of the resources that the last extension replaced.
        is_blocked_by_finalization: True if only finalizing a copy allows to extend it; the session does so then.
    """

    __slots__ = (
        "finalized",
        "generated",
        "is_blocked_by_finalization",
        "key",
        "logs",
        "node_error",
        "pending",
        "read_set",
        "replaced",
        "savepoint",
    )

    def __init__(self, generated: State, savepoint: StateSavepoint, read_set: ReadSet | None = None) -> None:
        self.key = object()
        self.generated = generated
        self.finalized: State | None = generated
        self.savepoint = savepoint
        self.node_error: PuppetError | None = None
        self.pending: list[PendingReference] = []
        self.logs: LogLines = ()
        self.read_set = read_set
        self.replaced: dict[Key, CatalogResource] = {}
        self.is_blocked_by_finalization = False

    @property
    def state(self) -> State:
        """The finalized state; its catalog is the complete one."""
        assert self.finalized is not None
        return self.finalized

    @property
    def is_separate(self) -> bool:
        """True when the finalized state is a copy."""
        return self.finalized is not self.generated

    def find_freshness(self, state: State) -> str:
        """Return what has to be done for this to be the fixed point of the program's state.

        Returns:
            CURRENT if nothing was added since, EXTENDABLE if it can be extended by what was added, OUTDATED if it must
            be recomputed.
        """
        changed = state.find_changed(self.savepoint)  # the names of the tables to which something was added
        if not changed:
            return CURRENT
        catalog = state.catalog
        if (
            # a node definition and classes of a classification are evaluated before all other deferred code
            state.definitions.nodes
            or catalog.classified
            # a collector that imports resources of other nodes may declare any resource
            or any(collector.collects_from_store for collector in catalog.collectors)
            or not changed <= _EXTENDABLE | _INDIFFERENT | _READ_ONLY_BY_FINALIZATION
            or self._depends_on_defaults(state, changed)
            or (catalog.pending and self._affects_bodies(state, changed))
            or ("catalog.collectors" in changed and not self._can_collect_more(state))
            or (not changed.isdisjoint(_COLLECTED) and self._depends_on_rounds(state))
        ):
            return OUTDATED
        if self.is_separate or self._can_finalize_more(state, changed):
            return EXTENDABLE
        self.is_blocked_by_finalization = True
        return OUTDATED

    def _depends_on_defaults(self, state: State, changed: set[str]) -> bool:
        """Return True when new defaults, or a new collector that sets some, may decide a value.

        Defaults decide which attributes collectors and overrides leave as they are.
        """
        if not changed.isdisjoint(_DEFAULTS):
            return any(
                catalog.overrides or any(collector.operations for collector in catalog.collectors)
                for catalog in (state.catalog, self.generated.catalog)
            )
        return "catalog.collectors" in changed and any(
            collector.sets_defaults(each)
            for collector in {*state.catalog.collectors, *self.generated.catalog.collectors}
            for each in (state, self.generated)
        )

    def _affects_bodies(self, state: State, changed: set[str]) -> bool:
        """Return True when additions may change what bodies of defines do, or their order."""
        catalog, since = state.catalog, self.savepoint
        return (
            self.read_set is None
            or not self.read_set.is_disjoint(self.generated, state, since, changed)
            or has_clashes(self.generated, state, since)
            # the body of a virtual define runs in the round in which a collector realizes it
            or any(catalog.resources[key].virtual for key in state.get_added(since, "catalog.pending"))
        )

    def _depends_on_rounds(self, state: State) -> bool:
        """Return True when it matters in which round each collector examines a new resource.

        Collectors that deferred code adds begin in later rounds than those of the program. That matters when the
        queries of some collectors compare attributes that others set.
        """
        catalog = self.generated.catalog
        if len(catalog.collectors) == state.count_at(self.savepoint, "catalog.collectors"):
            return False  # deferred code has added none
        changed, queried = catalog.find_names_of_collectors()
        return not changed.isdisjoint(queried)

    def _can_collect_more(self, state: State) -> bool:
        """Return True when new collectors do not interact with those that have run.

        Then it does not matter that they run later.
        """
        catalog, collectors = self.generated.catalog, state.catalog.collectors
        added = state.get_added(self.savepoint, "catalog.collectors")
        if any(isinstance(key, PuppetError) for collector in added for key in collector.keys or ()):
            return False
        if not any(collector.operations for collector in (*catalog.collectors, *added)):
            return True
        changed, queried = state.catalog.find_names_of_collectors()
        read = frozenset() if self.read_set is None else self.read_set.attributes
        return (
            len(catalog.collectors) == len(collectors) - len(added)  # deferred code has added none
            and changed.isdisjoint(queried | read)
            and "tag" not in changed
            and ANY_PARAMETER not in read
        )

    def _can_finalize_more(self, state: State, changed: set[str]) -> bool:
        """Return True when additions can be finalized after everything else, in the same state."""
        since = self.savepoint
        reads_attributes = self.read_set is not None and self.read_set.attributes
        if self.pending or reads_attributes or not changed.isdisjoint(_READ_ONLY_BY_FINALIZATION):
            return False
        added = (state.get_added(since, f"catalog.{name}") for name in ("pending", "classes"))
        if state.catalog.has_propagated(*added):
            return False
        collectors = state.get_added(since, "catalog.collectors")
        return all(
            RELATIONSHIP_NAMES.isdisjoint(collector.changed_names) for collector in collectors
        ) and not any(map(uses_collectors, state.get_added(since, "catalog.relationships")))

    @staticmethod
    def make_initial(state: State) -> FixedPoint | None:
        """Return the fixed point of a state that declares nothing and defines no node.

        It is a plain copy of the state. None when the state is not that simple.
        """
        catalog = state.catalog
        if (
            catalog.pending
            or catalog.collectors
            or catalog.relationships
            or catalog.overrides
            or catalog.changes
            or len(catalog.resources) > len(BUILT_IN)
            or state.definitions.nodes
            or catalog.classified
        ):
            return None
        return FixedPoint(state.copy(), state.savepoint())


LinkChanges = tuple[Sequence[Link], Sequence[Link]]


class CatalogDifference(Record):
    """The resources and relationships that a cell added, removed or changed.

    Relationships are compared on demand, but before the catalogs change again.

    Attributes:
        added: Resources that are new.
        removed: Resources that no longer exist.
        changed: Pairs (before, after).
        compare: Compares relationships on demand; None once that has been done.
    """

    added: list[CatalogResource] = fresh(factory=list)
    removed: list[CatalogResource] = fresh(factory=list)
    changed: list[tuple[CatalogResource, CatalogResource]] = fresh(factory=list)
    _compared: LinkChanges = ((), ())
    compare: Callable[[CatalogDifference], LinkChanges] | None = None

    def compare_links(self) -> LinkChanges:
        """Return the relationships that are new and those that are gone, comparing them once."""
        if self.compare is not None:
            self._compared = self.compare(self)
            self.compare = None
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


PendingSubject = tuple[str, str, int]  # message, source, offset


class PendingReference:
    """A note about a reference to something that no cell has declared yet."""

    __slots__ = ("_message", "_span", "_suggestion")

    def __init__(self, error: PuppetError, suggestion: str | None) -> None:
        self._message = error.message
        self._span = error.span
        self._suggestion = suggestion

    @property
    def subject(self) -> PendingSubject:
        """The message with its place, equal in all evaluations of the same text."""
        place = (self._span.source.text, self._span.start) if self._span is not None else ("", 0)
        return (self._message, *place)

    def __str__(self) -> str:
        where = f" {format_place(self._span, _ELSEWHERE)}" if self._span is not None else ""
        return f"pending: {self._message}{where}{f'; did you mean {self._suggestion}?' if self._suggestion else ''}"


_ELSEWHERE = Span(Source(""), 0, 0)  # a note may be displayed below any cell, so it names its cell
