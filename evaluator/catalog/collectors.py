"""Collectors: `Type <| query |>` realizes virtual resources and may change all that match.

`evaluate_collector` and `realize_resources` register a `ResourceCollector`. It collects when the fixed point is
computed: `CollectorRuns` runs all of them in each round.

Specification: Catalog Expressions, "Collector Expressions".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import Any

from evaluator import values
from evaluator.catalog import store, tags
from evaluator.catalog.attributes import Operations, collect_operations
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import Catalog, CatalogResource, Key, capitalize_name
from evaluator.catalog.overrides import (
    AttributeChange,
    add_collector_defaults,
    apply_change,
    check_unique_attributes,
)
from evaluator.catalog.queries import (
    CandidateIndex,
    Query,
    QueryTest,
    collect_attribute_names,
    compile_query,
    has_legal_values,
    has_number_as_tag,
)
from evaluator.catalog.references import format_reference, parse_reference
from evaluator.catalog.scopes import find_declaring_scope, identify_source, sees_defaults
from evaluator.issues import require
from evaluator.program import modules
from evaluator.program.definitions import Scope, Site
from evaluator.program.state import State
from evaluator.program.tracing import CodePoint, get_code_point
from evaluator.types import ClassType, ResourceType
from evaluator.values import Value
from evaluator.values.dag import flatten_lists
from evaluator.values.ruby_values import inspect_string
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

IGNORED = {
    "export": "the export is ignored",
    "collection": "the collection will be ignored",
}
_REFERENCES = (ResourceType, ClassType)
_NO_NAMES: set[str] = set()


class ResourceCollector:
    """A collector, which is also the value of the collector expression.

    Attributes:
        type: The type of the collected resources, in lower case.
        query: Which resources match; see `queries.Query`.
        exported: True for `<<| |>>`, which finds exported resources of this node and of the nodes in the
            store.
        operations: The attributes that it sets.
        keys: Keys of the resources named by `realize`, which replace type and query; an error in place of an invalid
            key.
        changed_names: The names of the attributes that it sets.
        queried_names: The attributes that its query reads.
        place: The span of the expression; for `realize`, the position of the function call.
    """

    def __init__(
        self,
        type_name: str,
        query: Query,
        scope: Scope,
        place: Span | CodePoint | None,
        *,
        exported: bool = False,
        operations: Operations | None = None,
        keys: list[Key | PuppetError] | None = None,
    ) -> None:
        self.type = type_name
        self.query = query
        self.scope = scope
        self.place = place
        self.exported = exported
        self.operations = operations or []
        self.keys = keys
        self.changed_names = {name for name, *_ in operations} if operations else _NO_NAMES
        self.queried_names = collect_attribute_names(query)
        self._changes_queried = not self.queried_names.isdisjoint(self.changed_names)
        self._is_legal = query is None or has_legal_values(query)

    @property
    def span(self) -> Span | None:
        """The place in the source; None for code without source."""
        return self.place.span if isinstance(self.place, CodePoint) else self.place

    @property
    def message_label(self) -> str:
        """The name of such a value in messages."""
        return f"{'Exported' if self.exported else 'Catalog'}-Collector"

    @property
    def runtime_name(self) -> str:
        """The name that Puppet shows for the type of such a value, inside `Runtime[ruby, '…']`."""
        return f"Puppet::Pops::Evaluator::Collectors::{self.message_label.replace('-', '')}"

    def text(self) -> str:
        """Return the value as a string: `Catalog-Collector[Notify]`."""
        return f"{self.message_label}[{capitalize_name(self.type)}]"

    def literal(self) -> str:
        """Return the string in quotes, as a collector has no source form."""
        return f"'{self.text()}'"

    def sets_defaults(self, state: State) -> bool:
        """Return True when it also sets defaults, those that its scope sees in a state."""
        return bool(self.operations) and sees_defaults(self.scope, self.type, state)

    # --- during the computation of the fixed point

    def collect(
        self, catalog: Catalog, collected: dict[Key, int], candidates: CandidateIndex, number: int
    ) -> bool:
        """Realize and change the new candidates that match, and add them to `collected`.

        Args:
            catalog: The catalog that is searched.
            collected: The keys of the resources that this collector has found, each with the number of its round.
            candidates: The resources of each type.
            number: The number of the round.

        Returns:
            True when there was a new match.
        """
        has_collected = False
        for resource in self._collect_matches(catalog, collected, candidates, number):
            if self.operations:
                if not has_collected:
                    catalog.collecting_scopes.add(identify_source(self.scope))
                    check_unique_attributes(self.operations, resource.key, self.span)
                self._change_resource(catalog, resource, candidates)
            elif resource.virtual:
                catalog.make_writable(resource).virtual = False
            has_collected = True
        if has_collected and self.changed_names:
            candidates.invalidate(self.changed_names)
        return has_collected

    @cached_property
    def _change(self) -> AttributeChange:
        """The attributes that it sets, as a change of a resource."""
        assert self.span is not None
        return AttributeChange(self.operations, self.scope, self.span, collected=True)

    def _change_resource(
        self, catalog: Catalog, resource: CatalogResource, candidates: CandidateIndex
    ) -> None:
        """Realize a resource and set its attributes."""
        resource = catalog.make_writable(resource)
        if resource.virtual:
            resource.virtual = False
        change = self._change
        apply_change(
            catalog, resource, add_collector_defaults(resource, change) if catalog.has_defaults else change
        )
        if self._changes_queried:
            candidates.invalidate(self.changed_names)

    def _collect_matches(
        self, catalog: Catalog, collected: dict[Key, int], candidates: CandidateIndex, number: int
    ) -> Iterable[CatalogResource]:
        """Return the resources that match and are not in `collected`, after adding each to it.

        Each is changed before the next one is requested.
        """
        if self.exported:
            return self._collect_exported(catalog, collected, candidates, number)
        if self.keys is not None:
            return self._collect_named(catalog, collected, number)
        if self._changes_queried or not self._is_legal:
            return self._collect_one_by_one(catalog, collected, candidates, number)
        keys, rest = candidates.select(self.type, self.query)
        resources, tags_of = catalog.resources, candidates.collect_tags
        new = [key for key in keys if key not in collected] if collected else keys
        if rest is not None and new:
            fits = self._test if rest is self.query else self._compile(rest)
            new = [key for key in new if fits(resources[key], tags_of)]
        collected.update(dict.fromkeys(new, number))
        return [resources[key] for key in new]

    def _collect_named(
        self, catalog: Catalog, collected: dict[Key, int], number: int
    ) -> Iterator[CatalogResource]:
        """Yield the new resources that `realize` names."""
        for named in self.keys or ():
            if isinstance(named, PuppetError):
                raise named
            resource = catalog.find(named)
            if resource is not None and named not in collected:
                collected[named] = number
                yield resource

    def _collect_one_by_one(
        self, catalog: Catalog, collected: dict[Key, int], candidates: CandidateIndex, number: int
    ) -> Iterator[CatalogResource]:
        """Yield the new candidates that match at their turn.

        Changing one of them can decide whether another matches, and a query with an illegal value raises its error at
        the first candidate. So each is tested only when the ones before it have been changed.
        """
        every = candidates.get(self.type, [])
        pending = iter(every if not self._is_legal else candidates.select(self.type, self.query)[0])
        is_first_match = True
        while (key := next(pending, None)) is not None:
            if key not in collected and self._test(catalog.resources[key], candidates.collect_tags):
                collected[key] = number
                yield catalog.resources[key]
                # Its change may let later ones match that the index has left out.
                if is_first_match and self._changes_queried:
                    pending = iter(every[every.index(key) + 1 :])
                is_first_match = False

    @property
    def collects_from_store(self) -> bool:
        """True when the collector can import resources of other nodes."""
        return self.exported and self.scope.runtime.settings.store is not None

    def _collect_exported(
        self, catalog: Catalog, collected: dict[Key, int], candidates: CandidateIndex, number: int
    ) -> Iterator[CatalogResource]:
        """Yield the new exported resources, those of this node first.

        Without a store the released Puppet finds nothing.
        """
        if not self.collects_from_store and not self.scope.runtime.dialect.own_exports:
            return
        for key in list(candidates.get(self.type, ())):
            resource = catalog.resources[key]
            if resource.exported and key not in collected and self._test(resource, candidates.collect_tags):
                collected[key] = number
                yield resource
        if not self.collects_from_store:
            return
        for row in store.find_exported_rows(self.scope.runtime, self.type):
            candidate, labels = store.make_candidate(row)
            if self._test(candidate, partial(_get_row_tags, labels)):
                declared = store.declare_exported(self.scope, self.type, row, self.span)
                if declared is not None:
                    collected[declared.key] = number
                    yield declared

    @cached_property
    def _test(self) -> QueryTest:
        """The test for the whole query."""
        return self._compile(self.query)

    def _compile(self, query: Query) -> QueryTest:
        """Return the test for a query; numbers never equal strings in it, in any dialect."""
        operators = self.scope.runtime.make_operators(PUPPET)
        return compile_query(query, operators.equals, operators.contains, self.span)


class CollectorRuns:
    """The runs of all collectors of a catalog in the rounds of its fixed point.

    If the fixed point is extended, some collectors have run before. These former ones examine only newer resources.

    Attributes:
        rounds_by_key: For each collector, the keys of the resources that it has found, each with the number of the
            round.
        _former_count: The number of former collectors.
        _examined_count: The number of resources that they have examined.
        _new_candidates: The resources that former collectors examine.
        _all_candidates: The resources that other collectors examine.
        _examined_versions: The `version` of the candidates at the last run of a collector, by its index.
    """

    def __init__(self, catalog: Catalog, former_count: int, examined_count: int) -> None:
        self._catalog = catalog
        self._former_count = former_count
        self._examined_count = examined_count
        self._new_candidates = CandidateIndex(catalog, examined_count)
        self._all_candidates = CandidateIndex(catalog) if examined_count else self._new_candidates
        self._examined_versions: dict[int, int] = {}
        self.rounds_by_key: list[dict[Key, int]] = []

    def run(self, number: int) -> bool:
        """Run the collectors in the round of a number, and return True if one found a resource."""
        catalog, has_found = self._catalog, False
        self.rounds_by_key += [{} for _ in catalog.collectors[len(self.rounds_by_key) :]]
        # Without new resources, former collectors would query the same state again and find nothing.
        first = self._former_count if len(catalog.resources) == self._examined_count else 0
        for index in range(first, len(catalog.collectors)):
            collector = catalog.collectors[index]
            candidates = self._new_candidates if index < self._former_count else self._all_candidates
            # Collectors may have imported resources of other nodes.
            if candidates.is_stale or len(catalog.resources) > candidates.indexed_count:
                candidates.refresh()
            if candidates.has_changed(collector.queried_names, self._examined_versions.get(index, -1)):
                self._examined_versions[index] = candidates.version
                if collector.collect(catalog, self.rounds_by_key[index], candidates, number):
                    has_found = True
        return has_found

    def mark_stale(self) -> None:
        """Let all collectors run in the next round, because bodies may have changed any resource."""
        self._new_candidates.is_stale = self._all_candidates.is_stale = True


def _get_row_tags(labels: frozenset[str], _: CatalogResource) -> frozenset[str]:
    """Return the tags of a resource in the store, whatever the resource."""
    return labels


def warn_without_store(scope: Scope, site: Site, what: str) -> None:
    """Log a warning when no store of exported resources is configured.

    Args:
        scope: The running scope.
        site: The operation.
        what: The operation that has no effect: "export" or "collection".
    """
    if scope.runtime.settings.store is not None or scope.runtime.dialect.own_exports:
        return
    scope.runtime.log(
        "warning",
        f"You cannot collect exported resources without storeconfigs being set; {IGNORED[what]}",
        site.span(),
    )


def evaluate_collector(
    scope: Scope, site: Site, override_values: list[Value], query: Query
) -> ResourceCollector:
    """Register a collector; it collects during the computation of the fixed point.

    Args:
        override_values: The values of the overrides.
        query: See `ResourceCollector`; a single undef or false is no query.

    Raises:
        Failure: For types that cannot be collected.
    """
    if query is not None and query[0] == "value" and (query[1] is None or query[1] is False):
        query = None
    name = resolve_collected_type(scope, site)
    scope = find_declaring_scope(scope)
    node: Any = site.node
    require(not has_number_as_tag(query), "NUMBER_AS_TAG")
    operations = collect_operations(site, override_values)
    collector = ResourceCollector(
        name, query, scope, site.span(), exported=node.query.exported, operations=operations
    )
    scope.runtime.state.catalog.collectors.append(collector)
    return collector


def resolve_collected_type(scope: Scope, site: Site) -> str:
    """Return the type that a collector names. Raise Failure for one that cannot be collected."""
    runtime = scope.runtime
    collector: Any = site.node  # the grammar permits only a name as its type
    written: str = collector.type.value.lower()
    name = written.removeprefix("::")
    require(name != "class", "CLASSES_COLLECTED")
    # as in resource expressions, a leading `::` restricts the look-up to defined types
    is_native = modules.is_resource_type(written, runtime.settings.modulepath)
    require(is_native or runtime.names.find_define(name) is not None, "COLLECTED_TYPE_UNKNOWN", name=written)
    return name


def realize_resources(scope: Scope, references: Iterable[Value]) -> None:
    """Register a collector that realizes virtual resources by reference.

    Invalid references fail when it runs.
    """
    scope = find_declaring_scope(scope)
    keys: list[Key | PuppetError] = []
    collector = ResourceCollector("", None, scope, get_code_point(), keys=keys)
    for item in flatten_lists([*references]):
        key = to_reference_key(values.format_value(item) if type(item) is values.Sensitive else item)
        if key is None or not key[1]:
            text = format_invalid_reference(item)
            keys.append(make_catalog_error("NOTHING_TO_REALIZE", collector.span, placeless=True, text=text))
        elif not tags.VALID.match(key[0]):
            keys.append(make_catalog_error("INVALID_TAG", collector.span, placeless=True, tag=key[0].lower()))
        else:
            keys.append(key)
    scope.runtime.state.catalog.collectors.append(collector)


def to_reference_key(value: Value) -> Key | None:
    """Return the key of a reference, which is a type or a string `Type[title]`.

    The text of a collector has the form of a reference. None for other values.
    """
    if type(value) is str:
        return parse_reference(value)
    if isinstance(value, _REFERENCES):
        return value.key if value.title is not None else None
    return (
        parse_reference(values.format_value(value))
        if values.is_type(value) or isinstance(value, ResourceCollector)
        else None
    )


def format_invalid_reference(value: Value) -> str:
    """Return a value that is not a reference as messages show it."""
    if isinstance(value, _REFERENCES):
        return inspect_string(format_reference(value))
    return inspect_string(
        value if type(value) is str else "" if value is None else values.to_ruby_text(value)
    )
