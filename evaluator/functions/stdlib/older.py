"""stdlib: older forms of functions that the language has now."""

from __future__ import annotations

import re
from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure
from evaluator.kinds.sprintf import sprintf
from evaluator.program.scope import Scope
from evaluator.values import get, text
from evaluator.values.host_classes import host_class
from evaluator.values.host_messages import no_method


@function("dig44(Any p0, Any p1*)")
def dig44(data: Any, *rest: Any) -> Any:
    """Follows a list of keys and indices into data; gives a default when there is nothing.

    > dig44({ 'a' => { 'b' => 1 } }, ['a', 'b'], 'default')
    1
    """
    if not rest:
        raise Failure("ARGUMENT_COUNT_GIVEN", function="dig44", number=1, expected="at least 2")
    path, default = (*rest, None)[:2]
    if type(data) not in (dict, list):
        raise Failure("DIG44_ARGUMENT", which="first", expected="a hash or an array", actual=host_class(data))
    if type(path) is not list:
        raise Failure("DIG44_ARGUMENT", which="second", expected="an array", actual=host_class(path))
    return _walked(data, path, default)


def _walked(value: Any, path: list[Any], default: Any) -> Any:
    for step in path:
        if type(value) is dict:
            value = get(value, step)
        elif type(value) is list and (index := _index(step)) is not None:
            value = value[index] if -len(value) <= index < len(value) else None
        else:
            value = None
        if value is None:
            return default
    return value


def _index(step: Any) -> int | None:
    if type(step) is float:
        return int(step)
    return int(text(step)) if re.fullmatch(r"-?[0-9]+", text(step)) else None


@function("try_get_value(Any p0, Any p1*)", context=True)
def try_get_value(scope: Scope, data: Any, *rest: Any) -> Any:
    """Follows a path of text with separators into data (deprecated: use `get` or `dig`).

    > try_get_value({ 'a' => { 'b' => 1 } }, 'a/b')
    1
    """
    scope.runtime.log(
        "warning", "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead."
    )
    path = rest[0] if rest else ""
    default = rest[1] if len(rest) > 1 else None
    separator = text(rest[2]) if len(rest) > 2 else "/"
    if path == "" or type(data) not in (dict, list):
        return data if default is None or default is False else default
    if type(path) is not str:
        raise no_method("split", path)
    steps = path.split(separator) if separator else list(path)
    while steps and not steps[-1]:
        steps.pop()
    return _walked(data, steps, default)


@function("sprintf_hash(String format, Hash arguments)", context=True)
def sprintf_hash(scope: Scope, pattern: str, values: dict[Any, Any]) -> str:
    """Formats the values of a hash by their names (deprecated: `sprintf` does it).

    > sprintf_hash('%{a}', { 'a' => 1 })
    '1'
    """
    scope.runtime.log(
        "warning",
        "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead",
    )
    return sprintf(pattern, [values])
