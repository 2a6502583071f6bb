"""Assignments at run time: what may not be assigned, and the parts of a value that several variables get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator import values
from evaluator.issues import Failure, NotEvaluatedYet, error
from evaluator.program.scope import MISSING, RESERVED_NAMES, Scope
from evaluator.types import ClassType
from evaluator.values.host_values import shown

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

_REASSIGNMENT_ISSUES = {
    "name": "ILLEGAL_BUILTIN_REASSIGNMENT",
    "title": "ILLEGAL_BUILTIN_REASSIGNMENT",
    **dict.fromkeys(RESERVED_NAMES, "ILLEGAL_RESERVED_ASSIGNMENT"),
}


def not_assignable(name: str, is_set: bool) -> None:
    """An assignment to what has a value in this scope, or to a name that the language fills itself."""
    if is_set or name == "server_facts":
        code = _REASSIGNMENT_ISSUES.get(name, "ILLEGAL_REASSIGNMENT")
        raise error(code, name=name, variable=f"${name}")
    raise reserved(name)


def reserved_parameter(name: str) -> None:
    """A function or lambda with a parameter that is called like what the language fills itself is called."""
    found = reserved(name)
    found.blames_caller = True
    raise found


def reserved(name: str) -> Failure:
    """The failure for setting what the language fills itself."""
    return Failure("ILLEGAL_RESERVED_ASSIGNMENT", name=name, variable=name)


def not_evaluated_yet(owner: str, parameter: str, name: str) -> None:
    """The default of a parameter reads another one that has no value yet."""
    raise NotEvaluatedYet("PARAMETER_ORDER", resource=owner, name=parameter, other=name)


def assign_once(value: Any, current: Any, name: str) -> Any:
    """The value to assign, unless a branch, or the value on its way, has assigned the variable before."""
    if current is not MISSING:
        not_assignable(name, True)
    return value


class ClassVariables:
    """The variables of an evaluated class, as the right side of `[$a, $b] = Class[name]`; `keys` those wanted."""

    __slots__ = ("keys", "scope")

    def __init__(self, scope: Scope, keys: list[Any]) -> None:
        self.scope = scope
        self.keys = keys

    def __getitem__(self, index: int) -> Any:
        key, name = self.keys[index], self.scope.name
        value = (
            MISSING
            if isinstance(key, list)
            else self.scope.runtime.names.find_variable(self.scope, f"{name}::{key}")
        )
        if value is MISSING:
            raise error("MISSING_MULTI_ASSIGNMENT_VARIABLE", name=f"{name}::{shown(key)}")
        return value


def destructure(runtime: Program, value: Any, keys: list[Any]) -> Any:
    """Where the values for `[$a, $b] = value` are taken from, by index."""
    if isinstance(value, dict):
        for key in keys:
            if not values.has(value, key):
                raise error("MISSING_MULTI_ASSIGNMENT_KEY", key=shown(key))
        return [values.get(value, key) for key in keys]
    if isinstance(value, ClassType):
        if not value.name:
            raise Failure("NO_REFERENCE", text='"class"')
        scope = runtime.state.classes.get(value.name)
        if scope is None:
            raise error("UNKNOWN_RESOURCE", operand=1, reference=f"Class['{value.name}']")
        return ClassVariables(scope, keys)
    found = value if isinstance(value, list) else [value]
    if len(found) != len(keys):
        raise error("ILLEGAL_MULTI_ASSIGNMENT_SIZE", expected=len(keys), actual=len(found))
    return found
