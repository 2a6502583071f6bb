"""stdlib: references to resources."""

from __future__ import annotations

import re
from typing import Any

from evaluator.calling.registry import function
from evaluator.catalog.references import reference_text
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.types import ClassType, ResourceType
from evaluator.values.host_messages import inspect


@function("stdlib::str2resource(String res_string)", context=True)
def str2resource(scope: Scope, string: str) -> Any:
    """Gives the reference that a text such as 'File[/etc/hosts]' means; the resource must be declared before.

    > notify { 'hello': }
    > stdlib::str2resource('Notify[hello]')
    Notify['hello']
    """
    match = re.fullmatch(r"([^\[]+)\[(.+)\]", string, re.DOTALL)
    if match is None:
        raise Failure("NO_REFERENCE", text=inspect(string))
    name, title = match[1].lower().removeprefix("::"), match[2]
    reference = ClassType(title.lower()) if name == "class" else ResourceType(name, title)
    if scope.runtime.state.catalog.find(reference.key) is None:
        raise Failure("REFERENCE_NOT_FOUND", reference=reference_text(reference))
    return reference
