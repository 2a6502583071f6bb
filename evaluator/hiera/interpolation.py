"""The interpolation of data: `%{…}` with variables, or with `%{method('argument')}`.

Methods look up names, follow aliases, and produce literal text; `lookup` adds those that look up names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evaluator.functions.navigation import split_path
from evaluator.issues import Failure, make_error, refuse_if
from evaluator.program.definitions import MISSING, Scope
from evaluator.values import Value, get, iterate_items
from evaluator.values.dag import map_leaves
from evaluator.values.ruby_values import get_ruby_class, to_ruby_s

_EXPRESSION = re.compile(r"%\{([^}]*)\}")
_METHOD = re.compile(r"""(\w+)\((?:"([^"]+)"|'([^']+)')\)""")
_EMPTY = frozenset({"", "::", "''", '""'})  # expressions without a variable
_NO_VARIABLES: Mapping[str, Value] = {}
ProblemHandler = Callable[[Scope, Failure], None]  # raises the failure, or permits it


def interpolate(
    scope: Scope,
    value: Value,
    *,
    on_problem: ProblemHandler | None = None,
    extra: Mapping[str, Value] = _NO_VARIABLES,
) -> Value:
    """Return a value with the expressions in its strings, keys included, replaced.

    Args:
        scope: The scope of the lookup.
        value: The value.
        on_problem: None for data, which may call methods. Elsewhere only variables are permitted: it is called with the
            failure for a variable without value, which is replaced by '' unless this raises, or for a method, for
            which it must raise.
        extra: Further variables, which override those of the program.
    """

    def replace(leaf: Value) -> Value:
        has_expressions = type(leaf) is str and "%{" in leaf
        return _interpolate_text(scope, leaf, on_problem, extra) if has_expressions else leaf

    return map_leaves(value, replace)


def _find_expressions(text: str) -> Iterator[re.Match[str]]:
    """Return the expressions in a text.

    The search ends at the last brace, because a search after it finds nothing and takes long.
    """
    return _EXPRESSION.finditer(text, 0, text.rfind("}") + 1)


def _interpolate_text(
    scope: Scope, text: str, on_problem: ProblemHandler | None, extra: Mapping[str, Value]
) -> Value:
    """Return a text with its expressions replaced; for `%{alias('…')}` the value it refers to."""
    pieces: list[str] = []
    position = 0
    for match in _find_expressions(text):
        expression = match[1].strip()
        method = _METHOD.fullmatch(expression)
        if method is None:
            value = get_variable(scope, expression, text, extra, on_problem)
        else:
            if on_problem is not None:
                on_problem(scope, Failure("HIERA_METHOD_NOT_ALLOWED"))
            refuse_if(method[1] not in METHODS, "HIERA_UNKNOWN_METHOD", name=method[1])
            refuse_if(method[1] == "alias" and match[0] != text, "HIERA_ALIAS_IN_TEXT")
            value = METHODS[method[1]](scope, method[2] or method[3])
            if method[1] == "alias":
                return "" if value is MISSING else value
        pieces += [text[position : match.start()], "" if value is MISSING else to_ruby_s(value)]
        position = match.end()
    return "".join([*pieces, text[position:]])


def collect_variables(value: Value) -> frozenset[str] | None:
    """Return the names of the variables in a value, which determine its interpolated form.

    Returns:
        The names; None if the form also depends on a method, or on a variable that a match sets, such as `$1`.
    """
    if isinstance(value, list | dict):
        parts = [part for pair in iterate_items(value) for part in pair] if isinstance(value, dict) else value
        inner = [collect_variables(part) for part in parts]
        return None if None in inner else frozenset().union(*filter(None, inner))
    if type(value) is not str:
        return frozenset()
    names = set()
    for match in _find_expressions(value):
        expression = match[1].strip()
        if expression in _EMPTY:
            continue
        try:
            root = str(split_path(expression)[0])
        except Failure:
            return None
        if _METHOD.fullmatch(expression) or root.isdigit():
            return None
        names.add(root)
    return frozenset(names)


def get_variable(
    scope: Scope,
    name: str,
    text: str = "",
    extra: Mapping[str, Value] = _NO_VARIABLES,
    on_problem: ProblemHandler | None = None,
) -> Value:
    """Return the interpolated value of a variable or a dotted path; MISSING without one.

    Args:
        scope: The scope of the lookup.
        name: The name or the path.
        text: The text that contains it, for messages.
        extra: Further variables; see `interpolate`.
        on_problem: See `interpolate`.
    """
    if name in _EMPTY:
        return MISSING
    try:
        root, *path = split_path(name)
    except Failure:
        raise make_error("HIERA_INTERPOLATION_SYNTAX", text=text) from None
    override, defaults = scope.runtime.lookup_values
    overriding = {**override, **extra}
    if root in overriding:
        value = overriding[root]
    else:
        try:
            value = scope.runtime.names.read_named_variable(scope, str(root))
        except Failure as problem:
            if on_problem is None:
                raise
            on_problem(scope, Failure("HIERA_UNDEFINED_VARIABLE", **problem.arguments))
            value = None
        value = defaults.get(root) if value is None else value
    value = dig(value, path, name)
    looked_up, key = scope.runtime.looked_up, f"scope:{name}"
    refuse_if(key in looked_up, "INTERPOLATION_RECURSION", keys=", ".join(looked_up))
    looked_up.append(key)  # after an error, the function that began the lookup removes it (`lookup.find`)
    value = interpolate(scope, value, on_problem=on_problem, extra=extra)
    del looked_up[-1]
    return MISSING if value is None else value


# The methods by name; `lookup` adds those that look up another name.
METHODS: dict[str, Callable[[Any, str], Any]] = {"scope": get_variable, "literal": lambda scope, text: text}


# --- dotted paths


def split(name: str) -> list[Value]:
    """Return the parts of a dotted name: strings, and Integers for later whole numbers.

    The first part is always a string.

    Raises:
        PuppetError: The name is malformed (LOOKUP_KEY).
    """
    try:
        root, *path = split_path(name) or ("",)
    except Failure:
        raise make_error("LOOKUP_KEY", key=name) from None
    return [str(root), *path]


def dig(value: Value, path: list[Value], name: str) -> Value:
    """Return the part of a value to which keys and indices lead; MISSING if there is none.

    Args:
        value: The value.
        path: The keys and indices.
        name: The dotted name, for the message.

    Raises:
        PuppetError: A key is applied to a value without parts (DATA_TYPE_MISMATCH).
    """
    for step in path:
        if value is None or value is MISSING:
            return MISSING
        if type(value) is list and type(step) is int:
            value = value[step] if 0 <= step < len(value) else MISSING
        elif type(value) is dict:
            value = get(value, step, MISSING)
        else:
            raise make_error("DATA_TYPE_MISMATCH", actual=get_ruby_class(value), step=step, key=name)
    return value
