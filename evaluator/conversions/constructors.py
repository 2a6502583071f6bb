"""Constructors: what makes the values of a type, dispatched by signatures as functions are.

A constructor is declared by its signatures as the released Puppet lists them when no one fits. In a type's text
`Name = Type` names that type for the constructor's other texts, as in `Formats = Variant[String, Array[String]]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from evaluator.errors import Failure
from evaluator.functions.registry import Function, Overload
from evaluator.functions.signatures import Parameter, Signature

# a parameter: the text of its type, its name, "" or "?", and its Type where that is not what the text says
ParameterRow = tuple[Any, ...]

_NAMING = re.compile(r"\b([A-Z]\w*) = ")
_OPENING = "[{("
_CLOSING = "]})"


class Constructor:
    """Makes values: `constructor(args)` calls the body of the first signature that takes the arguments.

    name  as errors call it: `new_timespan`;  rows  pairs of parameter rows and the Python function for them
    """

    def __init__(self, name: str, *rows: tuple[Sequence[ParameterRow], Callable[..., Any]]) -> None:
        self.name = name
        self.rows = rows
        self._function: Function | None = None

    @property
    def function(self) -> Function:
        """The Function that dispatch errors are described from; made when first needed."""
        if self._function is None:
            self._function = Function(self.name, "conversions", "puppet", "")
            names = _named_types(row[0] for parameters, _ in self.rows for row in parameters)
            for parameters, body in self.rows:
                signature = _signature(self.name, [_parameter(row, names) for row in parameters])
                self._function.overloads.append(Overload(signature, body, False, ""))
        return self._function

    def __call__(self, args: Sequence[Any]) -> Any:
        """Makes a value. Raises Failure when no signature takes the arguments."""
        for overload in self.function.overloads:
            if _fits(overload.signature, args):
                return overload.body(*args)
        self.refuse(args)

    def refuse(self, args: Sequence[Any]) -> NoReturn:
        """Raises the Failure that says why no signature takes the arguments."""
        from evaluator.functions.mismatch import describe_call

        raise Failure(describe_call(self.function, None, args, None))


def _signature(name: str, parameters: list[Parameter]) -> Signature:
    found = Signature(f"{name}()")
    found.parameters = tuple(parameters)
    found.min = sum(parameter.mode == "" for parameter in parameters)
    found.max = len(parameters)
    return found


def _parameter(row: ParameterRow, names: dict[str, Any]) -> Parameter:
    text, name, mode, *types = row
    found = Parameter(text, name, mode)
    found._type = types[0] if types else _type(text, names)
    return found


def _fits(signature: Signature, args: Sequence[Any]) -> bool:
    return (
        signature.min <= len(args) <= len(signature.parameters)
        # an argument list may be shorter than the parameters
        and all(
            parameter.type.instance(arg) for parameter, arg in zip(signature.parameters, args, strict=False)
        )
    )


# --- Types of signatures


def _named_types(texts: Any) -> dict[str, Any]:
    """The types that texts name by `Name = Type`, by name."""
    from evaluator.types import TypeAlias

    names: dict[str, Any] = {}
    for text in texts:
        for match in _NAMING.finditer(text):
            definition = _bare(text[match.end() : _end(text, match.end())])
            names[match[1]] = TypeAlias(match[1], partial(_parse, definition, names))
    return names


def _bare(text: str) -> str:
    """A text with only the names of `Name = Type`."""
    match = _NAMING.search(text)
    while match is not None:
        text = text[: match.start()] + match[1] + text[_end(text, match.end()) :]
        match = _NAMING.search(text)
    return text


def _end(text: str, start: int) -> int:
    """Where the type that begins at `start` ends."""
    depth = 0
    position = start
    while position < len(text):
        char = text[position]
        if char == "/":
            position = text.index("/", position + 1)
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        if depth < 0 or (char == "," and not depth):
            break
        position += 1
    return position


def _parse(text: str, names: dict[str, Any]) -> Any:
    from evaluator.types import parse_type

    return parse_type(text, resolve=names.get)


def _type(text: str, names: dict[str, Any]) -> Any:
    bare = _bare(text)
    return names[bare] if bare in names else _parse(bare, names)
