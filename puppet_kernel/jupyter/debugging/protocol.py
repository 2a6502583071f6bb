"""Parts of the debug adapter protocol: capabilities, breakpoints, output events, and values as variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from evaluator import values
from evaluator.debugger import Breakpoint
from puppet_kernel.rendering.escape import clip, one_line, printable
from puppet_kernel.rendering.literals import literal
from puppet_kernel.rendering.views import general_type

VALUE_CHARACTERS = 300
MAX_ELEMENTS = 1000  # in one response, unless the request says fewer
Pairs = Callable[[], Iterable[tuple[str, str, Any]]]


class VariableStore:
    """The values that can be inspected while a program is stopped, by reference number.

    Args:
        type_only: True if the front end shows the type in place of the value, so that the type includes both.
    """

    def __init__(self, type_only: bool) -> None:
        self._type_only = type_only
        self._held: list[Pairs] = []

    def add(self, pairs: Pairs) -> int:
        """Return a reference number for elements: (name, expression for it, value) of each."""
        self._held.append(pairs)
        return len(self._held)

    def add_variables(self, given: Callable[[], Mapping[str, Any]], sigil: str = "$") -> int:
        """Return a reference number for variables, or, without a sigil, for other named values."""
        return self.add(
            lambda: [
                (f"{sigil}{name}", f"${name}" if sigil else "", value) for name, value in given().items()
            ]
        )

    def list_variables(self, number: Any, start: int = 0, count: int = 0) -> list[dict[str, Any]]:
        """Return the elements with a reference number, at most `count` from `start`.

        None for an unknown number.
        """
        if not isinstance(number, int) or not 0 < number <= len(self._held):
            return []
        end = start + (count or MAX_ELEMENTS)
        return [self.to_variable(*one) for one in islice(self._held[number - 1](), start, end)]

    def to_variable(self, name: str, written: str, value: Any) -> dict[str, Any]:
        """Return a variable: its value as written, its type, and the reference number of its elements (0 for none)."""
        shown = clip(one_line(literal(value, VALUE_CHARACTERS)), VALUE_CHARACTERS)
        kind = one_line(general_type(value))
        inside = (
            self.add(lambda: _iterate_elements(value, written))
            if isinstance(value, list | dict) and value
            else 0
        )
        found: dict[str, Any] = {
            "name": one_line(name),
            "value": shown,
            "type": f"{shown}  # {kind}" if self._type_only else kind,
            "evaluateName": one_line(written),
            "variablesReference": inside,
        }
        if inside:
            found["indexedVariables" if isinstance(value, list) else "namedVariables"] = len(value)
        return found


def _iterate_elements(value: Any, written: str) -> Iterable[tuple[str, str, Any]]:
    """Yield the elements of an array or a hash."""
    pairs: Iterable[tuple[Any, Any]] = enumerate(value) if isinstance(value, list) else values.items(value)
    for key, part in pairs:
        name = values.literal(key, VALUE_CHARACTERS)
        if len(name) > VALUE_CHARACTERS:  # of a large key there is the beginning, which names nothing
            yield clip(name, VALUE_CHARACTERS), "", part
        else:
            yield name, f"{written}[{name}]" if written else "", part


THREAD = 1  # programs have one
ERRORS = "error"
MESSAGE_CHARACTERS = 10_000
CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsExceptionInfoRequest": True,
    "supportsModulesRequest": True,
    "exceptionBreakpointFilters": [
        {
            "filter": ERRORS,
            "label": "Errors",
            "description": "Stop at the error that ends a program",
            "default": False,
        }
    ],
}


def parse_breakpoints(given: Mapping[str, Any]) -> list[Breakpoint]:
    """Return the breakpoints of a request.

    A malformed one raises KeyError, TypeError or ValueError.
    """
    rows = given.get("breakpoints") or [{"line": line} for line in given.get("lines", ())]
    return [
        Breakpoint(int(row["line"]), str(row.get("condition") or ""), str(row.get("logMessage") or ""))
        for row in rows
    ]


def make_breakpoints_body(points: Sequence[Breakpoint], path: str) -> dict[str, Any]:
    """Return the body of the response with the positions of breakpoints."""
    return {
        "breakpoints": [
            {
                "id": number,
                "verified": point.statement is not None,
                "line": point.line if point.statement is None else point.statement.line,
                "source": {"path": path},
            }
            for number, point in enumerate(points)
        ]
    }


def make_output_body(words: str, line: int, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of the event that shows the message of a log point."""
    return {
        "category": "console",
        "output": f"{printable(clip(words, MESSAGE_CHARACTERS))}\n",
        "line": line,
        "source": dict(source),
    }
