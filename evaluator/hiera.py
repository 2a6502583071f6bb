"""Data of the session's one common layer, with interpolation of variables and aliases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.scope import MISSING

_OPEN, _CLOSE = "%{", "}"


def lookup(runtime: Any, key: str) -> Any:
    """The value of a key in the session's data, interpolated; MISSING when the key is not there."""
    if runtime.data is None or key not in runtime.data:
        return MISSING
    return _interpolate(runtime, runtime.data[key], (key,))


def _interpolate(runtime: Any, value: Any, seen: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return _interpolate_text(runtime, value, seen) if _OPEN in value else value
    if isinstance(value, list):
        return [_interpolate(runtime, item, seen) for item in value]
    if isinstance(value, dict):
        return {
            _interpolate(runtime, key, seen): _interpolate(runtime, item, seen) for key, item in value.items()
        }
    return value


def _interpolate_text(runtime: Any, text: str, seen: tuple[str, ...]) -> Any:
    from evaluator.values import text as as_text

    pieces: list[str] = []
    rest = text
    while _OPEN in rest:
        before, _, rest = rest.partition(_OPEN)
        expression, closed, rest = rest.partition(_CLOSE)
        if not closed:
            return text
        value = _expression(runtime, expression.strip(), seen)
        if expression.strip().startswith("alias("):
            if before or rest or pieces:
                raise Failure(
                    "'alias' interpolation is only permitted if the expression is equal to the entire string"
                )
            return value
        pieces += [before, as_text(value)]
    return "".join([*pieces, rest])


def _expression(runtime: Any, expression: str, seen: tuple[str, ...]) -> Any:
    name, opened, argument = expression.partition("(")
    if opened:
        method = _METHODS.get(name)
        if method is None:
            raise Failure(f"Unknown interpolation method '{name}'")
        return method(runtime, argument.rstrip(")").strip("'\" "), seen)
    return _variable(runtime, expression, seen)


def _variable(runtime: Any, name: str, seen: tuple[str, ...]) -> Any:
    if not name or name == "::":
        return ""
    first, *path = name.split(".")
    value = runtime.lookup_variable(runtime.state.top, first)
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return ""
    return "" if value is MISSING or value is None else value


def _key(runtime: Any, key: str, seen: tuple[str, ...]) -> Any:
    if key in seen:
        raise Failure(f"Recursive lookup detected in [{', '.join((*seen, key))}]")
    if runtime.data is None or key not in runtime.data:
        return ""
    return _interpolate(runtime, runtime.data[key], (*seen, key))


_METHODS: dict[str, Callable[[Any, str, tuple[str, ...]], Any]] = {
    "lookup": _key,
    "hiera": _key,
    "alias": _key,
    "scope": _variable,
    "literal": lambda runtime, text, seen: text,
}
