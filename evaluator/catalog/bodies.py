"""Cached evaluations of bodies of defines, which are repeated if they would read the same.

After an edit, cells below are evaluated again, and the fixed point may be computed from the start. Most instances of
defines then read what they read before. An evaluation is cached with its read set and with what it added to the state;
where the read set is unchanged, the additions are made again. An evaluation that did more than add resources and
relationships, or read something that is not recorded, is not cached.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from time import perf_counter
from typing import TYPE_CHECKING, Any

from evaluator.catalog.differences import is_same_data
from evaluator.catalog.model import Catalog, CatalogResource, Key
from evaluator.catalog.scopes import AttributeDefault, iterate_defaults
from evaluator.limits import RESOURCES
from evaluator.program import effects, stat_cache
from evaluator.program.definitions import Scope
from evaluator.program.effects import EffectLog
from evaluator.program.stat_cache import Dependencies
from evaluator.program.state import CLASS_VARIABLES, BodyReads, MissedNames, State
from evaluator.values import Value
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.catalog.relationships import Arrow
    from evaluator.program.settings import Settings
    from evaluator.running.runtime import Runtime
    from lexer_parser.tree import nodes

_MOST = 1_000  # resources whose evaluations are cached
_MOST_SURROUNDINGS = 10  # see `_find_surroundings`
# Seconds. Recording an evaluation takes 60 microseconds, and repeating it 20. A body that takes less than 200, the sum
# with a margin, simply runs.
WORTHWHILE = 0.0002
_RESOURCES = "catalog.resources"
# The tables whose entries a repeated evaluation adds as they are, and all tables to which it may add.
_COPIED_TABLES = ("catalog.aliases", "catalog.unique", "catalog.contained", "catalog.pending")
_ALLOWED = frozenset({*_COPIED_TABLES, _RESOURCES, "catalog.relationships"})
_EXTENDED = ("before", "notify")  # the attributes that arrows extend
# The tables whose entries are compared by value and by definition; of others only the names are compared.
_VALUES = frozenset({"variables", CLASS_VARIABLES})
_DEFINITIONS = frozenset({"definitions.classes", "definitions.defines"})


class _BodyEvaluation(Record):
    """The evaluation of a body for one resource.

    Attributes:
        node: The node of the define.
        surroundings: The functions and types at the time.
        inputs: The built-in variables of the body, the parameters of the resource before, and the match variables.
        reads: What it read; of a definition the node.
        defaults: The resource defaults that it saw, by type.
        defines: The nodes of the defines of the resources that it declared, by type; None for native types.
        effects: Its side effects.
        used_permission: True if it used a permission.
        variables, own_defaults: The variables and resource defaults of its scope afterwards.
        parameters: The parameters of the resource afterwards.
        resources: Copies of the resources that it added.
        arrows: Copies of the relationships that it added.
        entries: The entries that it added to other tables, by the name of the table.
    """

    node: nodes.Node | None
    surroundings: list[object]
    inputs: list[Value]
    reads: BodyReads
    defaults: dict[str, list[dict[str, AttributeDefault]]]
    defines: dict[str, nodes.Node | None]
    effects: EffectLog
    used_permission: bool
    variables: dict[str, Value]
    own_defaults: dict[str, dict[str, Value]]
    parameters: dict[str, Value]
    resources: list[CatalogResource]
    arrows: list[Arrow]
    entries: dict[str, list[Any]]

    def is_current(
        self, runtime: Runtime, scope: Scope, inputs: list[Value], surroundings: list[object]
    ) -> bool:
        """Return True when the body would do the same now.

        Args:
            scope: The scope in which it would run.
            inputs, surroundings: The present ones.
        """
        state, catalog = runtime.state, runtime.state.catalog
        return (
            _find_node(state, scope.name) is self.node
            and self.surroundings is surroundings
            and is_same_data(self.inputs, inputs) is True
            and not any(name in state.get_table(table) for table, name in self.reads.missed)
            and all(
                _reads_same(runtime, table, name, former)
                for (table, name), former in self.reads.found.items()
            )
            and all(_find_node(state, name) is node for name, node in self.defines.items())
            and _find_defaults(scope, self.defaults) == self.defaults
            and catalog.unique.keys().isdisjoint(key for key, _ in self.entries["catalog.unique"])
            and len(catalog.resources) + len(self.resources) <= RESOURCES.value
        )

    def repeat(self, runtime: Runtime, resource: CatalogResource, scope: Scope, missed: MissedNames) -> None:
        """Do again what the body did.

        Args:
            resource: The resource of the body, which the catalog may change.
            scope: The scope in which the body would run.
            missed: Receives the names that the body did not find.
        """
        state, catalog = runtime.state, runtime.state.catalog
        missed.update(self.reads.missed)
        # `set_defaults` replaces the defaults of a scope, so they can be shared
        scope.variables, scope.defaults = self.variables.copy(), self.own_defaults
        resource.parameters = self.parameters.copy()
        for resource_before in self.resources:
            twin = resource_before.copy(catalog.owner)
            twin.scope = scope
            if twin.definition is not None:
                twin.definition = state.definitions.defines[twin.type]
            catalog.resources[twin.key] = twin
        catalog.relationships += map(copy, self.arrows)
        state.add_entries(self.entries)
        effects.repeat(self.effects)
        runtime.used_permission |= self.used_permission


class EvaluatedBodies(Record):
    """The evaluations of bodies of a program, by the key of the resource.

    For each resource the last two are cached: in a notebook a collector often changes a parameter of resources whose
    bodies have run.

    Attributes:
        _settings: The settings with which they run.
        _cached: The evaluations.
        _cheap: The nodes of bodies that run quickly, so that nothing is cached for them.
        _files: The files on which they depend.
        _surroundings: The last results of `_find_surroundings`, the present one first.
        _sizes: The sizes of the tables from which the present one was made; empty if it must be made again.
    """

    _settings: Settings
    _cached: MemoTable[Key, tuple[_BodyEvaluation, ...]] = fresh(
        factory=lambda: MemoTable("evaluated bodies", _MOST)
    )
    _cheap: MemoTable[nodes.Node | None, None] = fresh(
        factory=lambda: MemoTable("bodies that run quickly", _MOST)
    )
    _files: Dependencies = fresh(factory=Dependencies)
    _surroundings: list[list[object]] = fresh(factory=list)
    _sizes: tuple[int, ...] = ()

    @contextmanager
    def recording_files(self) -> Iterator[None]:
        """Record the files that bodies read in a `with` statement."""
        self._sizes = ()
        try:
            with stat_cache.record_dependencies() as files:
                yield
        finally:
            self._files.include(files)

    def evaluate(
        self,
        runtime: Runtime,
        resource: CatalogResource,
        scope: Scope,
        missed: MissedNames,
        run: Callable[[], None],
    ) -> None:
        """Run a body, or do again what it did before. Raises what the body raises.

        Args:
            resource: The resource of the body, which the catalog may change.
            scope: The scope of the body, with its built-in variables.
            missed: Receives the names that the body does not find.
            run: Runs the body.
        """
        state, settings, node = runtime.state, runtime.settings, _find_node(runtime.state, scope.name)
        start = perf_counter()
        if (
            node in self._cheap
            or len(state.catalog.pending) > _MOST  # more than can be cached
            or settings is not self._settings  # the other dialect, in which a note runs the program, too
            or settings.recorded  # the causes of attributes are recorded, and would be missing after a repetition
            or state.definitions.nodes  # reads from the scope of a node definition are not recorded
            or sys.gettrace() is not None  # a debugger may stop in the body
        ):
            with missed:
                run()
            if perf_counter() - start > WORTHWHILE:
                self._cheap.pop(node, None)
            return
        surroundings = self._find_surroundings(runtime)
        match = [] if runtime.match is None else [runtime.match[0], *runtime.match.groups()]
        inputs = [scope.variables.copy(), resource.parameters.copy(), match]
        if self._cached and not self._files.are_parts_current():
            self._cached.clear()
            self._files = Dependencies()
        cached = self._cached.get(resource.key, ())
        for evaluation in cached:
            if evaluation.is_current(runtime, scope, inputs, surroundings):
                evaluation.repeat(runtime, resource, scope, missed)
                return
        new = _run_recorded(runtime, resource, scope, missed, run, inputs, surroundings)
        if perf_counter() - start < WORTHWHILE:
            self._cheap[node] = None
        elif new is not None:
            self._cached[resource.key] = (new, *cached[:1])

    def _find_surroundings(self, runtime: Runtime) -> list[object]:
        """Return the nodes of all functions and types, and the names of methods.

        As long as these are the same, the same list is returned, so that its identity is compared.
        """
        definitions = runtime.state.definitions
        tables = definitions.functions, definitions.types, definitions.members
        sizes = (*map(len, tables),)
        if sizes != self._sizes:
            present: list[object] = [*definitions.members]
            for table in tables[:2]:
                present += [getattr(definition, "node", definition) for definition in table.values()]
            others = [recorded for recorded in self._surroundings if recorded != present]
            equal = [recorded for recorded in self._surroundings if recorded == present] or [present]
            self._surroundings = [*equal, *others[: _MOST_SURROUNDINGS - 1]]
            self._sizes = sizes
        return self._surroundings[0]


def _run_recorded(
    runtime: Runtime,
    resource: CatalogResource,
    scope: Scope,
    missed: MissedNames,
    run: Callable[[], None],
    inputs: list[Value],
    surroundings: list[object],
) -> _BodyEvaluation | None:
    """Run a body and return its evaluation; None if it cannot be repeated."""
    state = runtime.state
    catalog: Catalog = state.catalog
    before, line_count, places_before = state.savepoint(), len(runtime.logs), resource.places
    listed, read, used = catalog.has_listed, catalog.read_parameters, runtime.used_permission
    # these collect what the body does; afterwards the former values are added again
    catalog.has_listed, catalog.read_parameters, runtime.used_permission = False, set(), False
    try:
        with missed as reads, effects.record_part() as log:  # `missed` records what the body reads
            run()
        is_repeatable = (
            log.is_repeatable
            and not (catalog.has_listed or catalog.read_parameters)
            and len(runtime.logs) == line_count
            and resource.places == places_before
            and state.find_changed(before) <= _ALLOWED
        )
        used_permission = runtime.used_permission
    finally:
        catalog.has_listed |= listed
        catalog.read_parameters |= read
        runtime.used_permission |= used
    added = catalog.list_added(state.count_at(before, _RESOURCES))
    if not is_repeatable or not all(_is_repeatable(added_resource, scope) for added_resource in added):
        return None
    own = {(_RESOURCES, added_resource.key) for added_resource in added}
    reads.found = {
        (table, name): _reduce(table, entry)
        for (table, name), entry in reads.found.items()
        if (table, name) not in own
    }
    return _BodyEvaluation(
        node=_find_node(state, scope.name),
        surroundings=surroundings,
        inputs=inputs,
        reads=reads,
        defaults=_find_defaults(
            scope, {*reads.default_types, *(added_resource.type for added_resource in added)}
        ),
        defines={added_resource.type: _find_node(state, added_resource.type) for added_resource in added},
        effects=log,
        used_permission=used_permission,
        variables=scope.variables,
        own_defaults=scope.defaults,
        parameters=resource.parameters.copy(),
        resources=[_copy_without_scope(added_resource) for added_resource in added],
        arrows=[*map(copy, state.get_added(before, "catalog.relationships"))],
        entries={name: state.get_added(before, name) for name in _COPIED_TABLES},
    )


def _is_repeatable(resource: CatalogResource, scope: Scope) -> bool:
    """Return True for a resource of a body that can be added again.

    Arrows extend arrays in place, also those that resources of other bodies share with it.
    """
    parameters = resource.parameters
    return resource.scope is scope and not any(type(parameters.get(name)) is list for name in _EXTENDED)


def _copy_without_scope(resource: CatalogResource) -> CatalogResource:
    """Return a copy of a resource that does not keep the state of its program alive."""
    twin = resource.copy(None)
    twin.scope = None
    return twin


def _reduce(table: str, entry: Value) -> Value:
    """Return the part of an entry that is compared: a value, a node, or None."""
    if table in _DEFINITIONS:
        return entry.site.node
    return entry if table in _VALUES else None


def _reads_same(runtime: Runtime, table: str, name: object, former: Value) -> bool:
    """Return True when a body would read the same entry of a table now as before."""
    if table == CLASS_VARIABLES:
        present = runtime.names.find_variable(runtime.state.top, str(name))
    else:
        entries = runtime.state.get_table(table)
        if name not in entries:
            return False
        present = _reduce(table, entries.get(name))
    return present is former or (table in _VALUES and is_same_data(former, present) is True)


def _find_node(state: State, type_name: str) -> nodes.Node | None:
    """Return the node of the define of a type, or None."""
    define = state.definitions.defines.get(type_name)
    return None if define is None else define.site.node


def _find_defaults(scope: Scope, type_names: Iterable[str]) -> dict[str, list[dict[str, AttributeDefault]]]:
    """Return the defaults for types that a body inherits."""
    return {
        name: [default for owner, default in iterate_defaults(scope, name) if owner is not scope]
        for name in type_names
    }
