"""The computation of the fixed point: everything that Puppet defers.

Puppet defers these until the program has run, in this order: the node definition; collectors and bodies of
defines in turn until neither finds anything new; arrows; pending overrides; metaparameters of containers;
checks of attributes; and last the references to resources that do not exist.

All this happens on a copy of the program's state, so that the next cell starts from what was declared. There are
two steps: deferred code generates resources in the copy (`_generate`), and then everything in it is finalized
(`_finalize`), in the same copy or in another one (see `FixedPoint`).

Deferred code whose read set is disjoint from what a later cell adds (see `read_sets`) need not run again: the fixed
point is extended (`extend_fixed_point`) instead of recomputed, by the same two steps for what was added.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from evaluator.catalog import parameters
from evaluator.catalog.classes import classify, evaluate_class, evaluate_node, set_builtin_variables
from evaluator.catalog.collectors import CollectorRuns, ResourceCollector
from evaluator.catalog.containment import propagate_metaparameters
from evaluator.catalog.errors import Explain, PendingErrors, make_body_error, make_catalog_error
from evaluator.catalog.finalization import (
    apply_pending_overrides,
    check_aliases,
    check_resources,
    get_phase,
    make_missing_overrides_error,
)
from evaluator.catalog.fixpoint_result import FixedPoint, PendingReference
from evaluator.catalog.model import (
    ANY_PARAMETER,
    Catalog,
    CatalogResource,
    CollectedResource,
    Key,
    format_key,
    uses_collectors,
)
from evaluator.catalog.read_sets import ReadSet
from evaluator.catalog.relationships import Arrow, apply_arrows, check_references
from evaluator.catalog.scopes import find_outer_scope, get_current_scope, run_body
from evaluator.issues import Failure
from evaluator.limits import RESOURCES
from evaluator.program.definitions import Scope, Unwind
from evaluator.program.state import State, StateSavepoint
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.catalog.bodies import EvaluatedBodies
    from evaluator.running.runtime import Runtime

MAX_ROUNDS = 1000

# Errors about definitions that a later cell may add.
_NOT_YET = ("NODE_MISSING", "CLASSIFIED_CLASS_NOT_FOUND")

# Tables that the finalization reads. Deferred code adds to others only if a cell has added to one of these.
_READ_BY_FINALIZATION = frozenset(
    f"catalog.{name}"
    for name in (
        *("resources", "aliases", "pending", "classes", "contained"),
        *("collectors", "relationships", "overrides", "detours"),
    )
)

_RESOURCES, _PENDING, _COLLECTORS = "catalog.resources", "catalog.pending", "catalog.collectors"
_RELATIONSHIPS, _OVERRIDES = "catalog.relationships", "catalog.overrides"
# Tables whose additions may change resources that were finalized in a separate copy.
_AFFECTING_FINALIZED = ("catalog.collected", "catalog.detours", "catalog.contained")


def compute_fixed_point(
    runtime: Runtime,
    state: State,
    explain: Explain,
    *,
    bodies: EvaluatedBodies | None = None,
    is_separate: bool = False,
) -> FixedPoint:
    """Compute the fixed point of a state, on a copy of it.

    In an interactive session references to undeclared resources and a missing node definition become pending
    references; otherwise they are errors.

    Args:
        explain: Returns the error for an exception, with its place and the name that the user probably meant.
        bodies: Keeps the evaluations of bodies; with it the reads of deferred code are recorded, so that code deferred
            by later cells can be evaluated on its own.
        is_separate: True to finalize a copy even if finalizing in place is possible.

    Raises:
        PuppetError: For every other error.
    """
    read_set = ReadSet(bodies) if bodies is not None and state.catalog.pending else None
    generated = state.copy(None if read_set is None else read_set.missed)
    result = FixedPoint(generated, state.savepoint(), read_set)
    runtime.enter(generated)
    catalog: Catalog = generated.catalog
    try:
        scope = evaluate_node(runtime)
        if catalog.classified:
            classify(runtime, scope)
    except PuppetError as error:
        if error.code not in _NOT_YET or not runtime.settings.interactive:
            raise
        result.node_error = error
    _generate(result, runtime, explain)
    _finalize(result, runtime, explain, is_separate or _must_be_separate(catalog))
    return result


def _must_be_separate(catalog: Catalog) -> bool:
    """Return True when the finalization affects resources in ways that cannot be continued."""
    return any(map(uses_collectors, catalog.relationships)) or catalog.has_propagated(
        catalog.pending, catalog.classes
    )


def _finalize(fixed_point: FixedPoint, runtime: Runtime, explain: Explain, is_separate: bool) -> None:
    """Apply arrows, overrides and propagated metaparameters to everything, and check it.

    Args:
        is_separate: True to work on a copy of the generated state.
    """
    pending = PendingErrors(runtime.settings.interactive)
    if fixed_point.node_error is not None:
        pending.report(fixed_point.node_error)
    # Resources that are valid as long as they are the same objects: all to which they refer exist.
    checked: dict[Key, CatalogResource] = {}
    if fixed_point.is_separate and fixed_point.finalized is not None and not fixed_point.pending:
        checked = fixed_point.finalized.catalog.resources
    state = fixed_point.generated.copy() if is_separate else fixed_point.generated
    runtime.enter(state)
    catalog: Catalog = state.catalog
    if is_separate:  # the generated tables stay as they are, because savepoints are their lengths
        catalog.adopt_released_order()
    arrows = apply_arrows(
        catalog,
        sorted(catalog.relationships, key=get_phase),
        _group_collected(catalog),
        pending,
        runtime.settings.recorded,
    )
    missing = apply_pending_overrides(catalog)
    propagate_metaparameters(catalog)
    changed = (resource for key, resource in catalog.resources.items() if checked.get(key) is not resource)
    related = check_resources(changed if checked else catalog.resources.values())
    if missing:
        pending.report(make_missing_overrides_error(missing))
    _report_unrealized(catalog, catalog.collectors, pending)
    check_references(catalog, related, pending, arrows)
    check_aliases(catalog)
    fixed_point.finalized, fixed_point.pending = state, _to_pending_references(pending.errors, explain)


def finalize_again(fixed_point: FixedPoint, runtime: Runtime, explain: Explain) -> None:
    """Compute the finalized state of a fixed point on a copy of its generated state."""
    _finalize(fixed_point, runtime, explain, is_separate=True)


def _group_collected(catalog: Catalog) -> dict[int, list[Key]]:
    """Return for each collector in an arrow, by identity, the keys that it found.

    They are in the order in which a single evaluation finds them: round by round, and in the order of the catalog.
    """
    groups: dict[int, list[Key]] = {}
    for found in sorted(catalog.collected, key=lambda found: (found.round, catalog.phases.get(found.key, 0))):
        groups.setdefault(id(found.collector), []).append(found.key)
    return groups


def _to_pending_references(errors: list[PuppetError], explain: Explain) -> list[PendingReference]:
    return [PendingReference(error, explain(error).suggestion) for error in errors]


def _report_unrealized(
    catalog: Catalog, collectors: Iterable[ResourceCollector], pending: PendingErrors
) -> None:
    """Report what `realize` names and nothing declares."""
    missing = [
        (key, collector.span)
        for collector in collectors
        for key in collector.keys or ()
        if not isinstance(key, PuppetError) and catalog.find(key) is None
    ]
    if missing:
        _, first_span = missing[0]
        references = ", ".join(format_key(key) for key, _ in missing)
        pending.report(
            make_catalog_error("REALIZE_MISSING", first_span, placeless=True, references=references)
        )


# --- collectors and defines ------------------------------------------------------------------------------------


def _generate(
    fixed_point: FixedPoint,
    runtime: Runtime,
    explain: Explain,
    generated_before: StateSavepoint | None = None,
) -> None:
    """Evaluate deferred code in the generated state, and record what it reads.

    Args:
        generated_before: The savepoint of what was generated before; None to begin from the start.

    Raises:
        PuppetError: A body fails; the error names the resource to which the body belongs.
    """
    catalog: Catalog = fixed_point.generated.catalog
    catalog.read_parameters, catalog.has_listed = set(), False
    reads = fixed_point.read_set
    with nullcontext() if reads is None else reads.bodies.recording_files():
        rounds_by_key = _generate_resources(runtime, generated_before, reads, explain)
    operands = _collect_operands(catalog.relationships)
    if operands:
        catalog.collected += [
            CollectedResource(collector, key, number)
            for collector, rounds in zip(catalog.collectors, rounds_by_key, strict=True)
            if id(collector) in operands
            for key, number in rounds.items()
        ]
    if reads is not None:
        has_virtual = any(catalog.resources[key].virtual for key in catalog.pending)
        reads.is_complete = reads.is_complete and not (catalog.has_listed or has_virtual)
        reads.attributes |= catalog.read_parameters


def _generate_resources(
    runtime: Runtime, generated_before: StateSavepoint | None, reads: ReadSet | None, explain: Explain
) -> list[dict[Key, int]]:
    """Evaluate collectors and bodies in turn until there is nothing new.

    A round runs all collectors, and then the body of each define and classified class that has not run yet. The body
    of a virtual resource waits until a collector realizes it.

    Args:
        generated_before: The savepoint of what was generated before; None to begin from the start.
        reads: Records the names that bodies look up and that do not exist.

    Returns:
        `CollectorRuns.rounds_by_key`: what each collector has just found.

    Raises:
        PuppetError: TOO_MANY_ROUNDS, and the errors of `_evaluate_body`.
        _MustRecompute: A collector would change a resource whose body ran before the savepoint.
    """
    state, catalog = runtime.state, runtime.state.catalog
    collector_runs = CollectorRuns(
        catalog, state.count_at(generated_before, _COLLECTORS), state.count_at(generated_before, _RESOURCES)
    )
    evaluated_before = frozenset(catalog.evaluated) if generated_before is not None else frozenset()
    virtual: list[Key] = []
    position = state.count_at(generated_before, _PENDING)
    for number in range(1, MAX_ROUNDS + 2):  # as released, the round after the last one runs, too
        before = state.savepoint()
        has_found = collector_runs.run(number)
        if has_found and not all(map(evaluated_before.isdisjoint, collector_runs.rounds_by_key)):
            raise _MustRecompute
        _record_phase(state, before, 2 * number - 1)
        batch = virtual + catalog.pending[position:]
        position = len(catalog.pending)
        virtual = [key for key in batch if catalog.resources[key].virtual]
        before = state.savepoint()
        for key in batch:
            runtime.writer = key
            if not catalog.resources[key].virtual:
                _evaluate_body(runtime, key, reads, explain)
        _record_phase(state, before, 2 * number)
        if len(batch) > len(virtual):
            collector_runs.mark_stale()
        elif not has_found:
            return collector_runs.rounds_by_key
    raise make_catalog_error("TOO_MANY_ROUNDS", placeless=True, rounds=MAX_ROUNDS)


def _record_phase(state: State, before: StateSavepoint, phase: int) -> None:
    """Record the phase in which resources, arrows and overrides were added.

    Args:
        before: The savepoint before the phase.
        phase: A number: collectors have the odd phases, and the bodies that run after them the even ones.
    """
    state.catalog.phases.update(dict.fromkeys(state.get_added_keys(before, _RESOURCES), phase))
    for table in (_RELATIONSHIPS, _OVERRIDES):
        for added in state.get_added(before, table):
            added.phase = phase


def _collect_operands(arrows: Iterable[Arrow]) -> set[int]:
    """Return the identities of the collectors that arrows use."""
    return {
        id(operand)
        for arrow in filter(uses_collectors, arrows)
        for operand in (*arrow.sources, *arrow.targets)
        if isinstance(operand, ResourceCollector)
    }


def _evaluate_body(runtime: Runtime, key: Key, reads: ReadSet | None, explain: Explain) -> None:
    """Evaluate the body of a define for a resource, or a class of the node's classification.

    Raises:
        PuppetError: The body fails; the error names the resource.
    """
    try:
        if key[0] == "class":
            with nullcontext() if reads is None else reads.missed:
                evaluate_class(runtime, key[1])
        else:
            _evaluate_define(runtime, key, reads)
    except (PuppetError, Failure, Unwind) as error:
        raise make_body_error(runtime.state.catalog.resources[key], error, explain) from error


def _evaluate_define(runtime: Runtime, key: Key, reads: ReadSet | None) -> None:
    """Evaluate the body of a define for one resource."""
    catalog: Catalog = runtime.state.catalog
    resource = catalog.make_writable(catalog.resources[key])
    definition = resource.definition
    assert definition is not None and resource.scope is not None
    catalog.evaluated[key] = None
    scope = Scope(
        runtime,
        "define",
        definition.name,
        parent=find_outer_scope(resource.scope),
        caller=get_current_scope(runtime.state, resource.scope),
        container=key,
        module_name=definition.module_name,
    )
    set_builtin_variables(scope, resource, *(resource.title_value or (resource.title,)))

    def evaluate() -> None:
        parameters.bind_parameters(definition, resource, scope, is_class=False)
        definition.body(scope)

    if reads is None:
        run_body(scope, runtime.state.top, evaluate)
    else:
        run = partial(run_body, scope, runtime.state.top, evaluate)
        reads.bodies.evaluate(runtime, resource, scope, reads.missed, run)


# --- the extension of a fixed point ----------------------------------------------------------------------------
#
# What a cell adds is first generated. Then it is finalized alone (`_finalize_added`) if that has the same result as
# finalizing everything; `_can_finalize_alone` lists the conditions. If not, a separate copy is finalized again. A fixed
# point without a separate copy is recomputed instead, with one from then on (`FixedPoint.is_blocked_by_finalization`).


class _MustRecompute(Exception):
    """Raised when an addition affects what the fixed point already contains."""


def extend_fixed_point(fixed_point: FixedPoint, runtime: Runtime, state: State, explain: Explain) -> bool:
    """Extend a fixed point by what was added to the program's state since.

    `FixedPoint.find_freshness` has found that this is possible.

    Returns:
        False if it must be recomputed, which also raises the correct error; the fixed point is then unchanged.
    """
    generated, finalized, reads = fixed_point.generated, fixed_point.finalized, fixed_point.read_set
    savepoint, pending = fixed_point.savepoint, fixed_point.pending
    generated_before = generated.savepoint()
    finalized_before = finalized.savepoint() if finalized is not None and fixed_point.is_separate else None
    reads_before = None if reads is None else reads.savepoint()
    try:
        _extend(fixed_point, runtime, state, explain, generated_before)
        return True
    except Exception:  # also an error of the program: another error may precede it
        generated.discard(generated_before)
        if finalized is not None and finalized_before is not None:
            finalized.discard(finalized_before)
        fixed_point.savepoint, fixed_point.pending, fixed_point.finalized = savepoint, pending, finalized
        if reads is not None and reads_before is not None:
            reads.rollback(reads_before)
        return False


def _extend(
    fixed_point: FixedPoint, runtime: Runtime, state: State, explain: Explain, before: StateSavepoint
) -> None:
    """Extend the generated state, then the finalized one; see `extend_fixed_point`.

    Args:
        before: The savepoint of the generated state before the extension.

    Raises:
        _MustRecompute: The addition affects what the fixed point already contains.
    """
    since = fixed_point.savepoint
    generated, catalog = fixed_point.generated, fixed_point.generated.catalog
    runtime.enter(generated)
    catalog.begin_cell()
    state.append_to(generated, since)
    fixed_point.savepoint = state.savepoint()
    _generate(fixed_point, runtime, explain, before)
    # A single evaluation reports the limit at the declaration that exceeds it. Without phases deferred code has
    # declared nothing, and what the program declares was counted when it ran.
    if catalog.phases and len(catalog.resources) > RESOURCES.value:
        raise _MustRecompute
    if catalog.read_parameters and _has_read_changed(generated, before):
        raise _MustRecompute  # a single evaluation may read the attributes before the collectors set them
    if fixed_point.is_separate:
        _check_recorded(generated, before)
        needs_finalization = not state.find_changed(since).isdisjoint(_READ_BY_FINALIZATION)
        if fixed_point.finalized is None or needs_finalization:
            _extend_finalized(fixed_point, runtime, explain, before)
        return
    # An exception below leaves it so, and the next computation finalizes a copy.
    fixed_point.is_blocked_by_finalization = True
    if catalog.read_parameters or not _can_finalize_alone(generated, before, in_place=True):
        raise _MustRecompute
    _finalize_added(fixed_point, generated, before, runtime, explain)
    fixed_point.is_blocked_by_finalization = False


def _extend_finalized(
    fixed_point: FixedPoint, runtime: Runtime, explain: Explain, before: StateSavepoint
) -> None:
    """Extend the finalized state, which is separate, by what was generated since a savepoint.

    It is computed from the start if what was added affects the rest of it.
    """
    generated, finalized = fixed_point.generated, fixed_point.finalized
    if (
        finalized is None
        or fixed_point.pending  # what was added may declare the missing resources
        or not _can_finalize_alone(generated, before, in_place=False)
    ):
        finalize_again(fixed_point, runtime, explain)
    else:
        runtime.enter(finalized)
        finalized.catalog.begin_cell()
        finalized_before = finalized.savepoint()
        generated.append_to(finalized, before)
        _finalize_added(fixed_point, finalized, finalized_before, runtime, explain)


def _has_read_changed(state: State, before: StateSavepoint) -> bool:
    """Return True when deferred code has just read an attribute that a collector sets.

    Args:
        state: The generated state.
        before: Its savepoint before the extension: the collectors until then had run.
    """
    catalog: Catalog = state.catalog
    former = catalog.collectors[: state.count_at(before, _COLLECTORS)]
    changed = {name for collector in former for name in collector.changed_names}
    return bool(changed) and (
        catalog.has_defaults or not catalog.read_parameters.isdisjoint({ANY_PARAMETER, *changed})
    )


def _check_recorded(generated: State, before: StateSavepoint) -> None:
    """Raise _MustRecompute if a new arrow uses a collector whose results are not recorded.

    They are recorded only if an arrow used the collector when it ran. In `$c = [] -> File<| |>` none does; a later cell
    may have `$c -> Notify['x']`.
    """
    used = _collect_operands(generated.get_added(before, _RELATIONSHIPS))
    if used:
        recorded = _collect_operands(_get_former_arrows(generated, before))
        recorded.update(map(id, generated.get_added(before, _COLLECTORS)))
        if not used <= recorded:
            raise _MustRecompute


def _can_finalize_alone(state: State, before: StateSavepoint, *, in_place: bool) -> bool:
    """Return True when what was added can be finalized after everything else, without effect on that.

    Each condition has an example of a cell that violates it, after cells that declared the files `/a` and `/b`.

    Args:
        state: The generated state.
        before: Its savepoint before the extension.
        in_place: True if it is finalized in the generated state itself, False if in the separate copy. That one has
            finalized all former resources, and does not get changes that were made to them in the generated state.
    """
    catalog: Catalog = state.catalog
    arrows = state.get_added(before, _RELATIONSHIPS)
    containers = {*state.get_added(before, _PENDING)}
    if not in_place:
        if (
            # `class c { contain d }`, if `d` exists: it may receive tags; or what a former collector in an arrow finds
            any(state.count_added(before, table) for table in _AFFECTING_FINALIZED)
            # `File['/a'] -> File['/b']` after an override: all arrows are applied before the first override
            or (catalog.overrides and arrows)
            # `File<| title == '/a' |> { mode => '0600' }`: it changes a former resource
            or _collect_replaced(state, before)
        ):
            return False
        keys = state.get_added_keys(before, _RESOURCES)
        containers.update(catalog.resources[key].container for key in keys)
    return not (
        # `File['/c'] { mode => '0600' }`: overrides change any resource
        state.count_added(before, _OVERRIDES)
        # `File<| |> -> Notify['c']`: the arrow may change any resource that the collector finds
        or any(map(uses_collectors, arrows))
        # `File['/b'] -> Notify['c']` after a define with the arrow `File['/a'] -> File['/b']` in its body
        or (arrows and _would_be_applied_earlier(state, arrows, before))
        # `File['/a'] -> File['/b']` twice: a rollback of the generated state would not restore the origin of the edge
        or _repeats_edge(catalog, arrows)
        # `d { 'c': noop => true }`: the resources in the define receive the metaparameter
        or catalog.has_propagated(containers, state.get_added(before, "catalog.classes"))
    )


def _would_be_applied_earlier(state: State, arrows: list[Arrow], before: StateSavepoint) -> bool:
    """Return True if a single evaluation would apply some new arrow before a former one.

    Arrows are applied in the order of their phases: those of the program first, then those that bodies of defines
    added. Arrows whose sources are all new do not count, because they change only new resources.
    """
    last = max(map(get_phase, _get_former_arrows(state, before)), default=0)
    early = [arrow for arrow in arrows if arrow.phase < last]
    added = set(state.get_added_keys(before, _RESOURCES)) if early else set()
    return not all(added.issuperset(arrow.sources) for arrow in early)


def _repeats_edge(catalog: Catalog, arrows: Iterable[Arrow]) -> bool:
    """Return True if an arrow repeats an existing edge, whose origin would change."""
    return bool(catalog.origins) and any(
        (source.key, target, arrow.kind) in catalog.origins
        for arrow in arrows
        for key in arrow.sources
        if isinstance(key, tuple) and (source := catalog.find(key)) is not None
        for target in arrow.targets
    )


def _get_former_arrows(state: State, before: StateSavepoint) -> list[Arrow]:
    """Return the arrows that a state had at a savepoint."""
    return state.catalog.relationships[: state.count_at(before, _RELATIONSHIPS)]


def _collect_replaced(state: State, before: StateSavepoint) -> dict[Key, CatalogResource]:
    """Return the former versions of resources that were replaced since a savepoint.

    Resources that were added since then have none.
    """
    former_versions: dict[Key, CatalogResource] = {}
    changes = state.get_added(before, "catalog.changes")
    added = set(state.get_added_keys(before, _RESOURCES)) if changes else set()
    for key, former, _ in changes:
        if key not in added:
            former_versions.setdefault(key, former)
    return former_versions


def _finalize_added(
    fixed_point: FixedPoint, state: State, before: StateSavepoint, runtime: Runtime, explain: Explain
) -> None:
    """Finalize what was added to a finalized state: apply its arrows, and check its resources.

    Args:
        state: The state, which is the generated one if that is finalized in place.
        before: The savepoint of the state before the addition.
    """
    pending = PendingErrors(runtime.settings.interactive)
    catalog: Catalog = state.catalog
    arrows = state.get_added(before, _RELATIONSHIPS)
    applied = apply_arrows(catalog, arrows, {}, pending, runtime.settings.recorded)
    replaced = fixed_point.replaced = _collect_replaced(state, before)
    related = check_resources(
        [
            *(catalog.resources[key] for key in replaced),
            *catalog.list_added(state.count_at(before, _RESOURCES)),
        ]
    )
    _report_unrealized(catalog, state.get_added(before, _COLLECTORS), pending)
    check_references(catalog, related, pending, applied)
    check_aliases(catalog)
    fixed_point.pending = _to_pending_references(pending.errors, explain)
