"""Resource defaults: `Type { attribute => value }`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator import issues, values
from evaluator.catalog.attributes import illegal_type, operations_of
from evaluator.catalog.failures import problem
from evaluator.catalog.model import Resource, capitalized
from evaluator.catalog.provenance import note_defaults
from evaluator.catalog.scopes import current, declaring
from evaluator.program import modules
from evaluator.program.definitions import Site
from evaluator.program.scope import Scope
from evaluator.types import ResourceType
from lexer_parser.errors import Note


def set_defaults(scope: Scope, site: Site, type_value: Any, found: list[Any]) -> Any:
    """Evaluates `Type { attribute => value }`: kept in the scope for resources declared later.

    Raises ILLEGAL_RESOURCE_TYPE, DEFAULT_REDEFINED and Failure; gives the type.
    """
    node: Any = site.node
    scope = declaring(scope)
    target = type_value
    if isinstance(target, ResourceType) and target.title is not None:
        raise issues.error("ILLEGAL_OVERRIDDEN_TYPE", site.span(), actual=values.label(target))
    if not isinstance(target, ResourceType) or target.type_name is None or target.type_name == "class":
        raise illegal_type(site, node.type_ref, target)
    runtime, name = scope.runtime, target.type_name
    if (
        not modules.is_resource_type(name, runtime.settings.modulepath)
        and runtime.names.find_define(name) is None
    ):
        raise issues.error("UNKNOWN_RESOURCE_TYPE", site.span(), name=target.simple_name)
    known = dict(scope.defaults.get(target.type_name, {}))
    for name, operator, value, span in operations_of(site, found):
        inherited = _default(scope, target.type_name, name) if operator == "+>" else None
        if inherited is not None:
            value = appended(inherited[0], value)
        if name in known and inherited is None:
            raise problem(
                "DEFAULT_REDEFINED",
                span,
                type=capitalized(target.type_name),
                name=name,
                notes=(Note("first set here", known[name][1]),),
            )
        known[name] = (value, span)
    scope.defaults = {**scope.defaults, target.type_name: known}
    scope.runtime.state.catalog.has_defaults = True
    return target


def _default(scope: Scope, type_name: str, name: str) -> Any:
    """The (value, Span) of a default as seen from a scope, or None."""
    for owner in _dynamic(scope):
        found = owner.defaults.get(type_name, {}).get(name)
        if found is not None:
            return found
    return None


def _dynamic(scope: Scope) -> Iterable[Scope]:
    """The scopes along which defaults are found: an inherited class, else what caused the evaluation."""
    state = scope.runtime.state
    following: Scope | None = scope
    while following is not None:
        following = current(state, following)
        yield following
        parent = following.parent
        inherits = following.kind == "class" and parent is not None and parent.kind == "class"
        following = parent if inherits else following.caller or parent


def add_defaults(resource: Resource) -> None:
    """Gives a new resource the defaults that its scope sees for attributes it does not have."""
    assert resource.scope is not None
    owners = [found for scope in _dynamic(resource.scope) if (found := scope.defaults.get(resource.type))]
    defaults = {name: default for found in reversed(owners) for name, default in found.items()}
    if resource.scope.runtime.settings.recorded:
        note_defaults(resource, owners)
    places = {}
    for name, (value, span) in defaults.items():
        if name not in resource.parameters:
            resource.parameters[name] = value
            places[name] = span
    if places:
        resource.mark(
            places={**(resource.places or {}), **places}, defaulted=resource.defaulted.union(places)
        )


def appended(before: Any, value: Any) -> list[Any]:
    """What `+>` makes of an attribute's value: one flat array."""
    found: list[Any] = []
    stack = [value, before]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        else:
            found.append(item)
    return found
