"""stdlib: older forms of functions that the language has now."""

from __future__ import annotations

from typing import Any

from evaluator.errors import Failure
from evaluator.functions.host import host_class
from evaluator.functions.registry import function
from evaluator.values import get, text


@function("dig44(Any p0, Any p1, Any p2?)")
def dig44(data: Any, path: Any, default: Any = None) -> Any:
    """Follows a list of keys and indices into data; gives a default when there is nothing.

    > dig44({ 'a' => { 'b' => 1 } }, ['a', 'b'], 'default')
    1
    """
    if type(data) not in (dict, list):
        raise Failure(f"dig44(): first argument must be a hash or an array, given {host_class(data)}")
    if type(path) is not list:
        raise Failure(f"dig44(): second argument must be an array, given {host_class(path)}")
    return _walked(data, path, default)


def _walked(value: Any, path: list[Any], default: Any) -> Any:
    for step in path:
        if type(value) is dict:
            value = get(value, step)
        elif type(value) is list and text(step).lstrip("-").isdigit():
            index = int(text(step))
            value = value[index] if -len(value) <= index < len(value) else None
        else:
            value = None
        if value is None:
            return default
    return value


@function("try_get_value(Any p0, Any p1?, Any p2?, Any p3?)", context=True)
def try_get_value(scope: Any, data: Any, path: Any = "", default: Any = None, separator: Any = "/") -> Any:
    """Follows a path of text with separators into data (deprecated: use `get` or `dig`).

    > try_get_value({ 'a' => { 'b' => 1 } }, 'a/b')
    1
    """
    scope.runtime.log(
        "warning", "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead."
    )
    steps = text(path).split(text(separator)) if separator else list(text(path))
    return _walked(data, steps if path else [], default)


@function("sprintf_hash(String format, Hash arguments)", context=True)
def sprintf_hash(scope: Any, pattern: str, values: dict[Any, Any]) -> str:
    """Formats the values of a hash by their names (deprecated: `sprintf` does it).

    > sprintf_hash('%{a}', { 'a' => 1 })
    '1'
    """
    from evaluator.values import sprintf

    scope.runtime.log(
        "warning",
        "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead",
    )
    return sprintf(pattern, [values])
