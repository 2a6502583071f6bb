"""Queries about scopes: declaring and outer ones, inherited classes, visible defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from evaluator.catalog.model import COMPONENT
from evaluator.program.definitions import NESTED, Scope, Site
from evaluator.program.state import State
from evaluator.program.tracing import get_code_point
from evaluator.values import Value
from lexer_parser.source import Span

BORROWED = NESTED | {"function"}  # kinds of scopes whose declarations belong to another scope


def find_declaring_scope(scope: Scope) -> Scope:
    """Return the scope to which declarations in a scope belong.

    Those of a lambda or template belong to the body around it, and those of a function to the top scope.
    """
    while scope.kind in NESTED and scope.parent is not None:
        scope = scope.parent
    return scope.runtime.state.top if scope.kind == "function" else scope


def identify_source(scope: Scope) -> tuple[str, str]:
    """Return the kind and name of the program, node, class or define that runs in a scope.

    They are the same for all resources of a define.
    """
    return (scope.kind, scope.name)


def get_current_scope(state: State, scope: Scope) -> Scope:
    """Return the scope in a state that corresponds to a scope of this or another state.

    The fixed point is computed on a copy of the state, whose scopes still refer to those of the original.
    """
    if scope.kind == "top":
        return state.top
    if scope.kind == "class":
        return state.classes.get(scope.name, scope)
    return scope


def find_outer_scope(scope: Scope) -> Scope:
    """Return the scope around all classes and defines: the node's, or the top scope."""
    state = scope.runtime.state
    found: Scope = get_current_scope(state, scope)
    while found.kind not in ("top", "node"):
        found = get_current_scope(state, found.parent or found.caller or state.top)
    return found


def find_caller_scope(scope: Scope) -> Scope | None:
    """Return the scope that uses a class or define; for an inheriting class, its parent class."""
    inherited = scope.parent
    return inherited if inherited is not None and inherited.kind == "class" else scope.caller


def is_subclass_scope(state: State, scope: Scope, ancestor: Scope | None) -> bool:
    """Return True when the class of a scope inherits from that of another scope, if any."""
    found: Scope | None = scope
    while ancestor is not None and found is not None and found.kind == "class":
        if found is not scope and ancestor.kind == "class" and found.name == ancestor.name:
            return True
        found = get_current_scope(state, found.parent) if found.parent is not None else None
    return False


def run_body(scope: Scope, running: Scope, evaluate: Callable[[], object]) -> None:
    """Run a body, which sees the match variables of the nearest scope around it that has any.

    Args:
        scope: The scope of the body. It stores the match that the body leaves, or None if that is the one it has seen.
        running: The scope whose match variables are in use; they are restored afterwards.
        evaluate: Sets the parameters and runs the body; a `with` statement would take 2 µs more.
    """
    runtime, former_match, outer = scope.runtime, running.match, scope.parent or running
    running.match = runtime.match
    while outer.match is None and outer.parent is not None:
        outer = outer.parent
    runtime.match = seen = outer.match
    try:
        evaluate()
    finally:
        scope.match = None if runtime.match is seen else runtime.match
        runtime.match, running.match = running.match, former_match


def find_calling_site() -> Site | None:
    """Return the call that the running built-in function serves; None outside of programs."""
    found = get_code_point()
    return None if found is None else found.site


# --- resource defaults ---------------------------------------------------------------------------------------


class AttributeDefault(NamedTuple):
    """The default of an attribute: its value, and the place where it was set."""

    value: Value
    span: Span


def iterate_defaults(scope: Scope, type_name: str) -> Iterator[tuple[Scope, dict[str, AttributeDefault]]]:
    """Return the defaults for a type that a scope sees, innermost first, each with its owner.

    Components have none, because they are called classes.
    """
    state = scope.runtime.state
    # A body that is evaluated for the fixed point depends on the defaults that it sees: they are in its read set.
    if state.missed is not None and state.missed.body is not None:
        state.missed.body.default_types.add(type_name)
    scopes = () if type_name == COMPONENT else _iterate_dynamic_scopes(scope, state)
    return ((owner, owner.defaults[type_name]) for owner in scopes if owner.defaults.get(type_name))


def find_default(scope: Scope, type_name: str, name: str) -> AttributeDefault | None:
    """Return the innermost default for an attribute that a scope sees; None without one."""
    return next((level[name] for _, level in iterate_defaults(scope, type_name) if name in level), None)


def sees_defaults(scope: Scope, type_name: str, state: State) -> bool:
    """Return True if a scope sees defaults for a type in a state."""
    return any(type_name in owner.defaults for owner in _iterate_dynamic_scopes(scope, state))


def _iterate_dynamic_scopes(scope: Scope, state: State) -> Iterable[Scope]:
    """Yield the scopes of a state in which defaults are looked up.

    After a class comes the class that it inherits, else the scope that caused the evaluation.
    """
    current: Scope | None = scope
    while current is not None:
        current = get_current_scope(state, current)
        yield current
        parent = current.parent
        inherits = current.kind == "class" and parent is not None and parent.kind == "class"
        current = parent if inherits else current.caller or parent
