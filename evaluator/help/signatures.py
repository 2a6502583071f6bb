"""How a function is called, in a line."""

from __future__ import annotations

from typing import Any

from evaluator.help.case import Case


def signature(case: Case) -> str | None:
    """How the function that was called is called, None when it cannot be told in a line."""
    function = case.function()
    name = case.called or case.found.get("function")
    if function is None or name is None:
        return None
    elsewhere = f"`?{name}` tells what `{name}` takes."
    if hasattr(function, "declared"):
        parameters = ", ".join(_source(function, node) for node in function.node.parameters)
        text = f"{name}({parameters})"
    else:
        text = function.signatures[0].partition(" >> ")[0]
        if len(function.signatures) > 1 or function.overloads[0].signature.legacy:
            return elsewhere
    return f"It is called so: `{text}`." if len(text) <= 80 and "`" not in text else elsewhere


def _source(function: Any, node: Any) -> str:
    start = node.type.start if node.type is not None else node.start
    return " ".join(function.unit.source.text[start : node.end].split())
