"""Scopes as the catalog needs them."""

from __future__ import annotations

from evaluator.program.definitions import Site
from evaluator.program.scope import NESTED, Scope
from evaluator.program.state import State
from evaluator.program.tracing import get_calling_node

BORROWED = NESTED | {"function"}  # the kinds of scopes that own nothing


def find_declaring_scope(scope: Scope) -> Scope:
    """The scope that owns what is declared here: lambdas belong to the body around them."""
    while scope.kind in NESTED and scope.parent is not None:
        scope = scope.parent
    if scope.kind == "function":
        return scope.runtime.state.top
    return scope


def identify_source(scope: Scope) -> tuple[str, str]:
    """What a scope that declares runs: the program, a node, a class, or a define, whichever resource it is of."""
    return (scope.kind, scope.name)


def get_current_scope(state: State, scope: Scope) -> Scope:
    """The scope in a state's own copy: scopes remember others of the state in which they were made."""
    if scope.kind == "top":
        return state.top
    if scope.kind == "class":
        return state.classes.get(scope.name, scope)
    return scope


def find_outer_scope(scope: Scope) -> Scope:
    """The scope around all classes and defines: that of the node definition in force, or the top scope."""
    state = scope.runtime.state
    found: Scope = get_current_scope(state, scope)
    while found.kind not in ("top", "node"):
        following = found.parent if found.parent is not None else found.caller
        if following is None:
            return state.top
        found = get_current_scope(state, following)
    return found


def find_caller_scope(scope: Scope) -> Scope | None:
    """The scope that uses the class or define of a scope: for a class that inherits, the class that it inherits."""
    inherited = scope.parent
    return inherited if inherited is not None and inherited.kind == "class" else scope.caller


def is_subclass_scope(state: State, scope: Scope, ancestor: Scope) -> bool:
    """True when both are class scopes and `scope`'s class inherits from `ancestor`'s."""
    found: Scope | None = scope
    while found is not None and found.kind == "class":
        if found is not scope and ancestor.kind == "class" and found.name == ancestor.name:
            return True
        found = get_current_scope(state, found.parent) if found.parent is not None else None
    return False


def find_calling_site() -> Site | None:
    """The call in the program that the running built-in function serves; None outside of programs."""
    found = get_calling_node()
    return Site(*found) if found is not None else None
