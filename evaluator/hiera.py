"""Data of the session's one common layer, with interpolation of variables and aliases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.scope import MISSING
from lexer_parser.errors import PuppetError

_OPEN, _CLOSE = "%{", "}"
_open: list[str] = []  # the keys that are being looked up, each for the one before


def lookup(runtime: Any, key: str) -> Any:
    """The value of a key in the session's data, interpolated; MISSING when the key is not there.

    Raises PuppetError for a key that is needed for its own value.
    """
    if runtime.data is None or key not in runtime.data:
        return MISSING
    if key in _open:
        path = "lookup_options" if key == "lookup_options" else ", ".join(_open)
        what = "" if key == "lookup_options" else f"Lookup of key '{key}' failed: "
        raise PuppetError("DATA_RECURSION", f"{what}Recursive lookup detected in [{path}]", placeless=True)
    depth = len(_open)
    try:
        _open.append(key)  # in here, as an interrupt may come right behind it
        return _interpolate(runtime, runtime.data[key])
    finally:
        del _open[depth:]


def _interpolate(runtime: Any, value: Any) -> Any:
    if isinstance(value, str):
        return _interpolate_text(runtime, value) if _OPEN in value else value
    if isinstance(value, list):
        return [_interpolate(runtime, item) for item in value]
    if isinstance(value, dict):
        return {_interpolate(runtime, key): _interpolate(runtime, item) for key, item in value.items()}
    return value


def _interpolate_text(runtime: Any, text: str) -> Any:
    from evaluator.values.host_values import shown

    pieces: list[str] = []
    rest = text
    while _OPEN in rest:
        before, _, rest = rest.partition(_OPEN)
        expression, closed, rest = rest.partition(_CLOSE)
        if not closed:
            return text
        value = _expression(runtime, expression.strip())
        if expression.strip().startswith("alias("):
            if before or rest or pieces:
                raise Failure(
                    "'alias' interpolation is only permitted if the expression is equal to the entire string"
                )
            return value
        pieces += [before, shown(value)]
    return "".join([*pieces, rest])


def _expression(runtime: Any, expression: str) -> Any:
    name, opened, argument = expression.partition("(")
    if opened:
        method = _METHODS.get(name)
        if method is None:
            raise Failure(f"Unknown interpolation method '{name}'")
        return method(runtime, argument.rstrip(")").strip("'\" "))
    return _variable(runtime, expression)


def _variable(runtime: Any, name: str) -> Any:
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


def _key(runtime: Any, key: str) -> Any:
    from evaluator.functions.hiera import find  # a key there is found with its own options

    found = find(runtime.state.top, key)
    return "" if found is MISSING else found


_METHODS: dict[str, Callable[[Any, str], Any]] = {
    "lookup": _key,
    "hiera": _key,
    "alias": _key,
    "scope": _variable,
    "literal": lambda runtime, text: text,
}
