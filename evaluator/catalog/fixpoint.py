"""The computation of the fixed point: everything that Puppet defers.

Puppet defers these until the program has run, in this order: the node definition; collectors and bodies of
defines in turn until neither finds anything new; arrows; pending overrides; metaparameters of containers;
checks of attributes; and last the references to resources that do not exist.

All this happens on a copy of the state, so that the next cell starts from what was declared. As long as no
deferred code runs, or only code whose read set is disjoint from what later cells add (see `read_sets`), the
final form of a resource depends on nothing but itself, its collectors and its overrides. Then a cell that
only adds resources and arrows extends the fixed point (`extend_fixed_point`) instead of recomputing it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from evaluator import issues
from evaluator.catalog import parameters
from evaluator.catalog.classes import classify, evaluate_class, evaluate_node, run_body, set_builtin_variables
from evaluator.catalog.containment import has_propagated_metaparameters, propagate_metaparameters
from evaluator.catalog.errors import PendingErrors, catalog_error, quote_error
from evaluator.catalog.finalization import apply_pending_overrides, check_resources, missing_overrides_error
from evaluator.catalog.fixpoint_result import FixedPoint, PendingReference
from evaluator.catalog.model import Catalog, CatalogResource, Key, format_key
from evaluator.catalog.queries import CandidateIndex
from evaluator.catalog.relationships import apply_arrows, check_references
from evaluator.catalog.scopes import find_outer_scope, get_current_scope
from evaluator.issues import Failure
from evaluator.limits import RESOURCES
from evaluator.program.definitions import Scope, Unwind
from evaluator.program.effects import EffectLog, recording
from evaluator.program.state import State
from evaluator.program.tracing import find_frames
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext

MAX_ROUNDS = 1000

# Returns the error for an exception, with its place and the name that was probably meant.
Explain = Callable[[BaseException], PuppetError]

_SHORT = 80  # characters; a longer message is not repeated beside its place


# Errors about definitions that a later cell may add.
_NOT_YET = ("NODE_MISSING", "CLASSIFIED_CLASS_NOT_FOUND")


class _MustRecompute(Exception):
    """Raised when an addition affects what the fixed point already contains."""


class _BodyError(Exception):
    """The error of a body, with the resource whose body it is."""

    def __init__(self, resource: CatalogResource, error: Exception) -> None:
        super().__init__(resource, error)
        self.resource = resource
        self.error = error


def compute_fixed_point(runtime: ProgramContext, state: State, explain: Explain) -> FixedPoint:
    """Compute the fixed point of a state, on a copy of it.

    In an interactive session references to undeclared resources and a missing node definition become pending
    references; otherwise they are errors.

    Args:
        explain: Returns the error for an exception, with its place and the name that was probably meant.

    Raises:
        PuppetError: For every other error.
    """
    result = FixedPoint(runtime, state.copy(), state.savepoint())
    runtime.enter(result.state)
    catalog: Catalog = result.state.catalog
    pending = PendingErrors(runtime.settings.interactive)
    try:
        scope = evaluate_node(runtime)
        if catalog.classified:
            classify(runtime, scope)
    except PuppetError as error:
        if error.code not in _NOT_YET:
            raise
        pending.report(error)
    try:
        found = _generate_resources(runtime, catalog, CandidateIndex(catalog))
    except _BodyError as failed:
        raise _wrap_error(failed.resource, failed.error, explain) from failed.error
    collected = {}
    if catalog.relationships:
        collected = {id(one): list(keys) for one, keys in zip(catalog.collectors, found, strict=True)}
    arrows = apply_arrows(catalog, catalog.relationships, collected, pending, runtime.settings.recorded)
    missing = apply_pending_overrides(catalog)
    propagate_metaparameters(catalog)
    related = check_resources(list(catalog.resources.values()))
    if missing:
        pending.report(missing_overrides_error(missing))
    unrealized = _find_unrealized(catalog, found)
    if unrealized:
        references = ", ".join(format_key(key) for key, _ in unrealized)
        span = unrealized[0][1]
        pending.report(catalog_error("REALIZE_MISSING", span, placeless=True, references=references))
    check_references(catalog, related, pending, arrows)
    result.pending = _to_pending_references(pending.errors, explain)
    result.propagates = has_propagated_metaparameters(
        catalog, [*catalog.pending, *(("class", name) for name in catalog.classes)]
    )
    result.uses_collectors = any(relationship.uses_collectors for relationship in catalog.relationships)
    deferred = [catalog.resources[key] for key in catalog.pending]
    if catalog.has_read_parameters or any(resource.virtual for resource in deferred):
        result.read_set.complete = False
    result.read_set.add_definitions(
        [item.definition for item in deferred if item.definition], [result.state.definitions.defines]
    )
    return result


def extend_fixed_point(
    fixed_point: FixedPoint, runtime: ProgramContext, state: State, explain: Explain
) -> bool:
    """Extend a fixed point by what was added to the first state since.

    `FixedPoint.find_additions` has found that this is possible. On an exception the state must be rolled
    back.

    Returns:
        False when deferred code requires a recomputation; then the fixed point is unchanged.

    Raises:
        PuppetError: As `compute_fixed_point`.
    """
    before, source, pending = fixed_point.state.savepoint(), fixed_point.savepoint, fixed_point.pending
    answers = EffectLog()
    try:
        with recording(answers):
            _extend(fixed_point, runtime, state, explain)
        if not answers.has_effects:
            return True
    except Exception:
        if not fixed_point.state.catalog.pending:
            raise
    fixed_point.state.discard(before)
    fixed_point.savepoint, fixed_point.pending = source, pending
    return False


def _extend(fixed_point: FixedPoint, runtime: ProgramContext, state: State, explain: Explain) -> None:
    relationships = state.get_added(fixed_point.savepoint, "catalog.relationships")
    runtime.enter(fixed_point.state)
    catalog = fixed_point.state.catalog
    catalog.begin_cell()
    resources, waiting, changes = len(catalog.resources), len(catalog.pending), len(catalog.changes)
    state.append_to(fixed_point.state, fixed_point.savepoint)
    fixed_point.savepoint = state.savepoint()
    pending = PendingErrors(runtime.settings.interactive)
    _generate_resources(runtime, catalog, CandidateIndex(catalog, resources), waiting)
    if catalog.has_read_parameters or has_propagated_metaparameters(catalog, catalog.pending[waiting:]):
        raise _MustRecompute
    if catalog.stages and len(catalog.resources) > RESOURCES.value:
        raise _MustRecompute
    arrows = apply_arrows(catalog, relationships, {}, pending, runtime.settings.recorded)
    count = len(catalog.resources) - resources
    replaced = fixed_point.replaced = _collect_replaced(catalog, count, changes)
    added = list(islice(reversed(catalog.resources.values()), count))[::-1]
    related = check_resources([*(catalog.resources[key] for key in replaced), *added])
    check_references(catalog, related, pending, arrows)
    fixed_point.pending = _to_pending_references(pending.errors, explain)


def _collect_replaced(catalog: Catalog, count: int, changes: int) -> dict[Key, CatalogResource]:
    """Return the former versions of resources that were replaced since an extension began.

    Args:
        count: The number of resources added since, which are no former ones.
        changes: The length of the catalog's record of changes at the beginning.
    """
    found: dict[Key, CatalogResource] = {}
    if len(catalog.changes) > changes:
        added = set(islice(reversed(catalog.resources), count))
        for key, before, _ in catalog.changes[changes:]:
            if key not in added:
                found.setdefault(key, before)
    return found


def _to_pending_references(errors: list[PuppetError], explain: Explain) -> list[PendingReference]:
    return [PendingReference(error, explain(error).suggestion) for error in errors]


def _find_unrealized(catalog: Catalog, found: list[dict[Key, None]]) -> list[tuple[Key, Span | None]]:
    """Return what `realize` names and nothing declares: keys and the places of the calls."""
    return [
        (key, collector.span)
        for collector, keys in zip(catalog.collectors, found, strict=True)
        for key in collector.keys or ()
        if key not in keys and not isinstance(key, PuppetError)
    ]


# --- collectors and defines ------------------------------------------------------------------------------------


def _generate_resources(
    runtime: ProgramContext, catalog: Catalog, candidates: CandidateIndex, position: int = 0
) -> list[dict[Key, None]]:
    """Evaluate collectors and defines in turn until there is nothing new.

    Args:
        position: The index of the first define in `catalog.pending` that has not been evaluated.

    Returns:
        For each collector the keys of the resources that it found.

    Raises:
        PuppetError: TOO_MANY_ROUNDS.
    """
    found: list[dict[Key, None]] = []
    looked: dict[int, int] = {}  # index of a collector -> `version` at its last run
    virtual: list[Key] = []
    ran = True
    catalog.has_read_parameters = False
    for number in range(1, MAX_ROUNDS + 1):
        found += [{} for _ in catalog.collectors[len(found) :]]
        busy = False
        # Collectors may have imported resources of other nodes.
        if found and (ran or len(catalog.resources) > candidates.indexed_count):
            candidates.refresh()
        known = len(catalog.resources)
        for place, (collector, keys) in enumerate(zip(list(catalog.collectors), found, strict=True)):
            if candidates.has_changed(collector.queried_names, looked.get(place, -1)):
                looked[place] = candidates.version
                busy |= collector.collect(catalog, keys, candidates)
        _record_stage(catalog, known, 2 * number - 1)
        batch = virtual + catalog.pending[position:]
        position = len(catalog.pending)
        virtual = []
        ran = False
        known = len(catalog.resources)
        for key in batch:
            resource = catalog.resources[key]
            runtime.writer = key
            if resource.virtual:
                virtual.append(key)
            elif resource.type == "class":
                busy = ran = True
                _evaluate_classified(runtime, resource)
            else:
                busy = ran = True
                _evaluate_define(runtime, catalog, key, resource)
        _record_stage(catalog, known, 2 * number)
        if not busy:
            found += [{} for _ in catalog.collectors[len(found) :]]
            return found
    raise catalog_error("TOO_MANY_ROUNDS", placeless=True, rounds=MAX_ROUNDS)


def _record_stage(catalog: Catalog, known: int, stage: int) -> None:
    """Record for all resources after the first `known` ones in which stage they were added."""
    made = islice(reversed(catalog.resources), len(catalog.resources) - known)
    catalog.stages.update(dict.fromkeys(made, stage))


def _evaluate_classified(runtime: ProgramContext, resource: CatalogResource) -> None:
    """Evaluate a class of the node's classification."""
    try:
        evaluate_class(runtime, resource.title)
    except (PuppetError, Failure, Unwind) as error:
        raise _BodyError(resource, error) from error


def _evaluate_define(runtime: ProgramContext, catalog: Catalog, key: Key, resource: CatalogResource) -> None:
    """Run the body of a define for one resource; an error names the place of the resource."""
    resource = catalog.make_writable(resource)
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
    try:
        parameters.bind_parameters(definition, resource, scope, data=False)
        run_body(definition, scope)
    except (PuppetError, Failure, Unwind) as error:
        raise _BodyError(resource, error) from error


def _wrap_error(resource: CatalogResource, exception: Exception, explain: Explain) -> PuppetError:
    if isinstance(exception, Unwind):
        inner = explain(exception)
        found = issues.error("RUNTIME_ERROR", inner.span, label="an Object", detail=inner.message)
        found.code, found.help = inner.code, inner.help
    elif isinstance(exception, Failure) and not find_frames(exception.__traceback__):
        found = issues.make_labelled_error(exception, "a Resource Statement", resource.span)
    else:
        inner = explain(exception)
        found = issues.error(
            "RUNTIME_ERROR", resource.span, label="a Resource Statement", detail=quote_error(inner)
        )
        near = f"; did you mean {inner.suggestion}?" if inner.suggestion else ""
        said = inner.message.rstrip(".")  # the message contains a long one already
        inside = f": {said}" if len(said) <= _SHORT else ""
        here = (Note(f"in the body of {resource.reference}{inside}{near}", inner.span),)
        found.notes = here + tuple(inner.notes)
        found.code, found.help = inner.code, inner.help
    found.column_known = False
    return found
