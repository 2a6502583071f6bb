"""Parameters whose value is Deferred: what its function will give must fit, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program.deprecations import deprecated
from evaluator.program.modules import RUBY_FOLDERS, ruby_functions
from evaluator.program.scope import Scope
from evaluator.types import Type
from evaluator.values.host_values import inspect

if TYPE_CHECKING:
    from evaluator.types.problems import Problem


def broken_promises(name: str, declared: Type, value: Any, scope: Scope) -> list[Problem]:
    """Why what a Deferred will give does not fit a parameter.

    Only functions written in Puppet say what they give; for others there is a warning. Raises Failure for an unknown
    function, and for one that does not take the arguments.
    """
    from evaluator.types.mismatch import describe

    called = value.attributes["name"]
    if called.startswith("$"):
        return []
    function: Any = scope.runtime.names.find_function(called)
    if function is None:
        if _stands_in_ruby(scope, called):
            return []
        raise Failure("UNKNOWN_DEFERRED_FUNCTION", name=called)
    given_arguments = value.attributes.get("arguments")
    if given_arguments is None or not function.accepts(scope, given_arguments):
        shown = "" if given_arguments is None else inspect(given_arguments)
        raise Failure("DEFERRED_ARGUMENTS", name=called, arguments=shown)
    promised = getattr(function, "returns", None)  # one that is written in Puppet says it
    if promised is None:
        words = "has no return_type, unable to guarantee value type during compilation."
        deprecated(scope.runtime, f"Deferred function {called} {words}")
        return []
    given: Type = promised if isinstance(promised, Type) else promised.resolve()
    return describe(declared.normalize(), given.normalize(), (f"parameter '{name}'",))


def _stands_in_ruby(scope: Scope, name: str) -> bool:
    """Whether a module has the function in Ruby, which may not run: an agent that has the module can run it."""
    modulepath = scope.runtime.settings.modulepath
    return any(
        name.removeprefix("::") in ruby_functions(modulepath, folder) for folder in RUBY_FOLDERS.values()
    )
