"""Scopes as the catalog needs them."""

from __future__ import annotations

from typing import Any

from evaluator.scope import Scope


def declaring(scope: Scope) -> Scope:
    """The scope that owns what is declared here: lambdas belong to the body around them."""
    while scope.kind == "local" and scope.parent is not None:
        scope = scope.parent
    if scope.kind == "function":
        return scope.runtime.state.top
    return scope


def current(state: Any, scope: Scope) -> Scope:
    """The scope in a state's own copy: scopes remember others of the state in which they were made."""
    if scope.kind == "top":
        return state.top
    if scope.kind == "class":
        return state.classes.get(scope.name, scope)
    return scope


def outside(scope: Scope) -> Scope:
    """The scope around all classes and defines: that of the node definition in force, or the top scope."""
    state = scope.runtime.state
    found: Scope = current(state, scope)
    while found.kind not in ("top", "node"):
        following = found.parent if found.parent is not None else found.caller
        if following is None:
            return state.top
        found = current(state, following)
    return found


def inherits(state: Any, scope: Scope, ancestor: Scope) -> bool:
    """True when both are class scopes and `scope`'s class inherits from `ancestor`'s."""
    found: Scope | None = scope
    while found is not None and found.kind == "class":
        if found is not scope and ancestor.kind == "class" and found.name == ancestor.name:
            return True
        found = current(state, found.parent) if found.parent is not None else None
    return False
