"""Which expression gave the value that an error is about: an argument of a call, an attribute of a resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.catalog.references import parse_reference
from evaluator.help.case import Case, Subject
from evaluator.types.problems import Reason, Step
from lexer_parser.tree import nodes

OF_RESOURCES = ("PARAMETER_MISMATCH", "UNKNOWN_PARAMETER", "UNKNOWN_ATTRIBUTE")


def subject_of(case: Case) -> Subject | None:
    """The expression, None when it cannot be told."""
    whole = _whole(case)
    reason = case.error.arguments.get("reason")
    return whole if whole is None or not isinstance(reason, Reason) else _part(whole, reason.steps)


def _part(whole: Subject, steps: Sequence[Step]) -> Subject | None:
    """The part of an array or a hash to which the steps lead; None when it is not written out."""
    found = whole.node
    for step in steps:
        into = step.into
        if isinstance(into, int) and isinstance(found, nodes.Array) and into < len(found.values):
            found = found.values[into]
        elif isinstance(into, str) and isinstance(found, nodes.Hash):
            found = next((pair.value for pair in found.entries if _key(pair) == into), None)
        else:
            return None
    if found is whole.node:
        return whole
    return Subject(whole.source, found) if found is not None else None


def _key(pair: nodes.Pair) -> str | None:
    return pair.key.value if isinstance(pair.key, nodes.String | nodes.Name) else None


def _whole(case: Case) -> Subject | None:
    """The argument or the attribute that has the value, of which a part may be what is wrong."""
    if case.error.code in OF_RESOURCES:
        return _attribute(case)
    if case.error.code not in ("ARGUMENT_MISMATCH", "ASSERTION_FAILED", "TYPE_MISMATCH") or not case.places:
        return None
    given = case.arguments
    index = len(given) - 1 if case.called == "assert_type" and len(given) > 1 else _index(case)
    if index is None or index >= len(given):
        return None
    if any(isinstance(node, nodes.Splat) for node in given[: index + 1]):
        return None
    return Subject(case.places[-1].span.source, given[index])


def resource_of(case: Case) -> Any:
    """The resource that a message names, from the catalog; None when there is none."""
    key = parse_reference(case.found.get("resource", ""))
    if key is None:
        return None
    return case.runtime.state.catalog.find(key)


def _attribute(case: Case) -> Subject | None:
    resource = resource_of(case)
    name = case.found.get("parameter") or case.found.get("name")
    if resource is None or resource.site is None or name not in resource.parameters:
        return None
    for operation in getattr(resource.body, "operations", ()):
        if getattr(operation, "name", None) == name:
            site = resource.site
            return Subject(site.source, operation.value, site.span(operation))
    return None


def _index(case: Case) -> int | None:
    """Which argument of the call bears the name of the parameter that the message tells."""
    parameter = case.found.get("parameter")
    if parameter is None:
        return None
    if case.called is None:  # `Integer('x')`: what is converted comes first
        return 0 if parameter == "from" and isinstance(case.node, nodes.Call) else None
    function = case.function()
    if function is None:
        return None
    if hasattr(function, "declared"):  # one that is written in Puppet; it has one signature
        return _position(function.declared[1], parameter, case)
    positions = {
        _position(overload.signature.parameters, parameter, case) for overload in function.overloads
    } - {None}
    return positions.pop() if len(positions) == 1 else None


def _position(parameters: Any, name: str, case: Case) -> int | None:
    """Where a parameter stands; of one that takes all the rest, only when a single argument is left for it."""
    for index, parameter in enumerate(parameters):
        if parameter.name == name:
            takes_rest = getattr(parameter, "splat", False) or getattr(parameter, "mode", "") in ("*", "+")
            return None if takes_rest and len(case.arguments) > index + 1 else index
    return None
