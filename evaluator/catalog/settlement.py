"""Settling: evaluates what Puppet evaluates late, and checks the catalog as a whole.

The order is the released Puppet's: the node definition; then collectors and defines in turn until neither
finds anything new; then arrows, waiting overrides, and for each resource the metaparameters of the define that
contains it and the check of its attributes; at last what refers to something that is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator import issues, resource_types
from evaluator.catalog import parameters
from evaluator.catalog.classes import evaluate_node, run_body, set_names
from evaluator.catalog.containment import hand_down
from evaluator.catalog.failures import place, prefixed, problem, spaced
from evaluator.catalog.model import BUILT_IN, Catalog, Key, Resource, reference
from evaluator.catalog.overrides import apply
from evaluator.catalog.relationships import apply_relationship, check_targets, references_of
from evaluator.catalog.scopes import current, outside
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.program.tracing import places
from evaluator.program.unwinding import Unwind
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

MAX_ROUNDS = 1000
# the error for an exception, with what helps
Explain = Callable[[BaseException], PuppetError]


def settle(runtime: Program, explain: Explain) -> list[str]:
    """Completes the catalog of `runtime.state`, which is changed: give it a copy.

    `explain` gives the error for what was raised, with its place and the name that may have been meant.
    While the session is interactive, references to resources that no cell has declared yet are returned as
    notes; otherwise they are errors. Raises PuppetError for everything else.
    """
    catalog: Catalog = runtime.state.catalog
    pending: list[PuppetError] | None = [] if runtime.settings.interactive else None
    evaluate_node(runtime)
    found = _generate(runtime, catalog, explain)
    collected = {id(collector): list(keys) for collector, keys in zip(catalog.collectors, found, strict=True)}
    for relationship in catalog.relationships:
        apply_relationship(catalog, relationship, collected, pending)
    missing = _apply_overrides(catalog)
    related = _finish(catalog)
    if missing:
        _report(pending, _overrides_missing(missing))
    unrealized = _unrealized(catalog, found)
    if unrealized:
        references = ", ".join(reference(key) for key, _ in unrealized)
        span = unrealized[0][1]
        _report(pending, problem("REALIZE_MISSING", span, placeless=True, references=references))
    for resource in related:
        if not resource.virtual:
            check_targets(catalog, resource, pending)
    return [_note(error, explain) for error in pending or ()]


def _note(error: PuppetError, explain: Explain) -> str:
    near = explain(error).suggestion
    where = f" {place(error.span)}" if error.span is not None else ""
    return f"pending: {error.message}{where}{f'; did you mean {near}?' if near else ''}"


def _report(pending: list[PuppetError] | None, error: PuppetError) -> None:
    if pending is None:
        raise error
    pending.append(error)


# --- collectors and defines ------------------------------------------------------------------------------------


def _generate(runtime: Program, catalog: Catalog, explain: Explain) -> list[dict[Key, None]]:
    """Evaluates collectors and defines until nothing new comes; gives the keys that each collector found."""
    found: list[dict[Key, None]] = []
    virtual: list[Key] = []
    position = 0
    for _ in range(MAX_ROUNDS):
        found += [{} for _ in catalog.collectors[len(found) :]]
        busy = False
        for collector, keys in zip(list(catalog.collectors), found, strict=True):
            busy |= collector.collect(catalog, keys)
        batch = virtual + catalog.pending[position:]
        position = len(catalog.pending)
        virtual = []
        for key in batch:
            resource = catalog.resources[key]
            if resource.virtual:
                virtual.append(key)
            else:
                busy = True
                _evaluate_define(runtime, catalog, resource, explain)
        if not busy:
            found += [{} for _ in catalog.collectors[len(found) :]]
            return found
    raise problem("TOO_MANY_ROUNDS", placeless=True, rounds=MAX_ROUNDS)


def _evaluate_define(runtime: Program, catalog: Catalog, resource: Resource, explain: Explain) -> None:
    """Runs the body of a define for one resource; an error names the resource's place."""
    resource = catalog.own(resource)
    definition = resource.definition
    assert definition is not None and resource.scope is not None
    key = resource.key
    catalog.evaluated.add(key)
    scope = Scope(
        runtime,
        "define",
        definition.name,
        parent=outside(resource.scope),
        caller=current(runtime.state, resource.scope),
        container=key,
        module_name=definition.module_name,
    )
    set_names(scope, resource, resource.title)
    try:
        parameters.bind(definition, resource, scope, data=False)
        run_body(definition, scope)
    except (PuppetError, Failure, Unwind) as problem_inside:
        raise _inside_define(resource, problem_inside, explain) from problem_inside


def _inside_define(resource: Resource, exception: Exception, explain: Explain) -> PuppetError:
    if isinstance(exception, Unwind):
        inner = explain(exception)
        found = issues.error("RUNTIME_ERROR", inner.span, label="an Object", detail=inner.message)
        found.code, found.help = inner.code, inner.help
    elif isinstance(exception, Failure) and not places(exception.__traceback__):
        found = issues.labelled(exception, "a Resource Statement", resource.span)
    else:
        inner = explain(exception)
        found = issues.error(
            "RUNTIME_ERROR", resource.span, label="a Resource Statement", detail=prefixed(inner)
        )
        near = f"; did you mean {inner.suggestion}?" if inner.suggestion else ""
        here = (Note(f"in the body of {resource.reference}: {inner.message.rstrip('.')}{near}", inner.span),)
        found.notes = here + tuple(inner.notes)
        found.code, found.help = inner.code, inner.help
    found.column_known = False
    return found


# --- finishing -----------------------------------------------------------------------------------------------------


def _apply_overrides(catalog: Catalog) -> list[Any]:
    """Applies the overrides that came before their resource; gives those whose resource never came."""
    missing = []
    for item in catalog.overrides:
        resource = catalog.find(item.key)
        if resource is None:
            missing.append(item)
        else:
            apply(catalog, resource, item)
    return missing


def _overrides_missing(missing: list[Any]) -> PuppetError:
    found = Counter(reference(item.key) for item in missing)
    references = ", ".join(found.elements())  # each as often as it is overridden
    notes = tuple(Note("overridden here", item.span) for item in missing[1:])
    return problem("OVERRIDE_MISSING", missing[0].span, placeless=True, references=references, notes=notes)


def _unrealized(catalog: Catalog, found: list[dict[Key, None]]) -> list[tuple[Any, Span | None]]:
    """What `realize` names and nobody declared: keys and the places of the calls."""
    return [
        (key, collector.span)
        for collector, keys in zip(catalog.collectors, found, strict=True)
        for key in collector.keys or ()
        if key not in keys
    ]


def _finish(catalog: Catalog) -> list[Resource]:
    """Passes metaparameters on to what is contained, and checks the attributes of native types.

    Gives the resources that refer to others.
    """
    hand_down(catalog)
    relationships = resource_types.RELATIONSHIP_NAMES
    valid: dict[str, frozenset[str] | None] = {}
    related: list[Resource] = []
    for resource in list(catalog.resources.values()):
        given = resource.parameters
        if resource.virtual and resource.definition is not None:
            _check_unused(resource)
        if not given or (resource.site is None and resource.key in BUILT_IN):
            continue
        if not relationships.isdisjoint(given):
            resource = _flatten_relationships(catalog, resource)
            related.append(resource)
        if resource.definition is None:
            if resource.type not in valid:
                valid[resource.type] = _valid_names(resource)
            names = valid[resource.type]
            if names is not None and not names.issuperset(given):
                raise _unknown_parameter(resource)
    return related


def _check_unused(resource: Resource) -> None:
    """Nobody realized this resource of a defined type: its body never runs, yet what it is given must fit."""
    assert resource.definition is not None
    problems = parameters.given_problems(resource.definition, resource)
    if problems:
        wrong = parameters.wrong(resource.reference, problems)
        raise problem(wrong.code, resource.span, placeless=True, **wrong.arguments)


def _valid_names(resource: Resource) -> frozenset[str] | None:
    """The attributes that a resource of a native type may have; None when that is not known."""
    return resource_types.facts(resource.type).valid if resource_types.exists(resource.type) else None


def _flatten_relationships(catalog: Catalog, resource: Resource) -> Resource:
    for name in resource_types.RELATIONSHIPS:
        value = resource.parameters.get(name)
        if isinstance(value, list) and any(item is None or isinstance(item, list) for item in value):
            resource = catalog.own(resource)
            resource.parameters[name] = references_of(value)
    return resource


def _unknown_parameter(resource: Resource) -> PuppetError:
    valid = resource_types.facts(resource.type).valid
    name = next(name for name in resource.parameters if name not in valid)
    return problem(
        "UNKNOWN_ATTRIBUTE",
        resource.span,
        name=name,
        place=spaced(place(resource.span)),
        resource=resource.reference,
        notes=(Note("set here", resource.place_of(name)),),
    )
