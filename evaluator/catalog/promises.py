"""Parameters whose value is Deferred: what its function will give must fit, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program.deprecations import deprecated
from evaluator.program.scope import Scope
from evaluator.types import Type

if TYPE_CHECKING:
    from evaluator.types.problems import Problem


def broken_promises(name: str, declared: Type, value: Any, scope: Scope) -> list[Problem]:
    """Why what a Deferred will give does not fit a parameter. Raises Failure for an unknown function.

    Only functions written in Puppet say what they give; for others there is a warning.
    """
    from evaluator.types.mismatch import describe

    called = value.attributes["name"]
    if called.startswith("$"):
        return []
    function: Any = scope.runtime.names.find_function(called)
    if function is None:
        raise Failure("UNKNOWN_DEFERRED_FUNCTION", name=called)
    promised = getattr(function, "returns", None)  # one that is written in Puppet says it
    if promised is None:
        words = "has no return_type, unable to guarantee value type during compilation."
        deprecated(scope.runtime, f"Deferred function {called} {words}")
        return []
    given: Type = promised if isinstance(promised, Type) else promised.resolve()
    return describe(declared.normalize(), given.normalize(), (f"parameter '{name}'",))
