"""stdlib: warnings about what is old, each once in a program."""

from __future__ import annotations

from evaluator.calling.registry import function
from evaluator.program.scope import Scope


def warn_once(scope: Scope, key: str, message: str) -> bool:
    """Logs a warning unless there was one for the key; tells whether it did."""
    warned = scope.runtime.state.warned
    if key in warned:
        return False
    warned.add(key)
    scope.runtime.log("warning", message)
    return True


@function("deprecation(String key, String message)", context=True)
def deprecation(scope: Scope, key: str, message: str) -> str | None:
    """Logs a warning that something is deprecated, once for a key.

    > deprecation('old_thing', 'use new_thing')
    warning: use new_thing
    'use new_thing'
    """
    return message if warn_once(scope, key, message) else None
