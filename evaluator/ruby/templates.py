"""ERB templates, rendered by Ruby."""

from __future__ import annotations

import re
from typing import Any

from evaluator.issues import Failure
from evaluator.limits import STRING
from evaluator.program.scope import MISSING, Scope
from evaluator.ruby.companion import companion
from evaluator.ruby.messages import Message
from evaluator.ruby.values import Values

_VARIABLE = re.compile(r"@([a-z_]\w*)")


def render(scope: Scope, name: str, source: str, file: str | None = None) -> str:
    """The text of a template.

    name  the function that renders;  file  where the template was read
    Raises RubyError and Exit, and Failure when there is no Ruby.
    """

    def template(known: Values) -> Message:
        return {"do": "template", "text": source, "file": file, "variables": _variables(scope, source, known)}

    text = companion(scope.runtime, name).request(scope, template)
    if type(text) is not str:  # the template wrote to the pipe itself
        raise Failure("RUBY_ENDED")
    STRING.check(len(text))
    return text


def _variables(scope: Scope, source: str, known: Values) -> list[list[Any]]:
    """The variables that a template names with `@`, as far as they have values."""
    names = dict.fromkeys(_VARIABLE.findall(source))
    found = ((name, scope.runtime.names.seen_variable(scope, name)) for name in names)
    return [
        [name, known.encode(value)] for name, value in found if value is not MISSING and value is not None
    ]
