"""Parts of the debug adapter protocol, and the paths by which front ends name cells."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from evaluator import values
from evaluator.debugger import Breakpoint
from lexer_parser.record import Record, fresh
from lexer_parser.source import Source
from puppet_kernel.rendering.escape import cut_columns, to_one_line, to_printable
from puppet_kernel.rendering.literals import format_literal
from puppet_kernel.rendering.views import get_general_type

VALUE_CHARACTERS = 300
MAX_ELEMENTS = 1000  # elements in one response, unless the request asks for fewer
Pairs = Callable[[], Iterable[tuple[str, str, Any]]]


class VariableStore(Record):
    """The values that can be inspected while a program is stopped, by reference number.

    Attributes:
        _type_only: True if the front end shows the type in place of the value, so that the type includes both.
    """

    _type_only: bool
    _held: list[Pairs] = fresh(factory=list)

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
        """Return at most `count` elements with a reference number, from `start`; [] for others."""
        if not isinstance(number, int) or not 0 < number <= len(self._held):
            return []
        end = start + (count or MAX_ELEMENTS)
        return [self.to_variable(*one) for one in islice(self._held[number - 1](), start, end)]

    def to_variable(self, name: str, written: str, value: Any) -> dict[str, Any]:
        """Return a variable as the protocol has it.

        Args:
            name: The name.
            written: An expression with the same value; "" if there is none.
            value: The value; the variable refers to its elements by a number, 0 for none.
        """
        shown = cut_columns(to_one_line(format_literal(value, VALUE_CHARACTERS)), VALUE_CHARACTERS)
        kind = to_one_line(get_general_type(value))
        inside = (
            self.add(lambda: _iterate_elements(value, written))
            if isinstance(value, list | dict) and value
            else 0
        )
        found: dict[str, Any] = {
            "name": to_one_line(name),
            "value": shown,
            "type": f"{shown}  # {kind}" if self._type_only else kind,
            "evaluateName": to_one_line(written),
            "variablesReference": inside,
        }
        if inside:
            found["indexedVariables" if isinstance(value, list) else "namedVariables"] = len(value)
        return found


def _iterate_elements(value: Any, written: str) -> Iterable[tuple[str, str, Any]]:
    """Yield the elements of an array or a hash."""
    pairs: Iterable[tuple[Any, Any]] = (
        enumerate(value) if isinstance(value, list) else values.iterate_items(value)
    )
    for key, part in pairs:
        name = values.format_literal(key, VALUE_CHARACTERS)
        # A large key is cut off, so its name cannot be used in an expression.
        if len(name) > VALUE_CHARACTERS:
            yield cut_columns(name, VALUE_CHARACTERS), "", part
        else:
            yield name, f"{written}[{name}]" if written else "", part


THREAD = 1  # a program has only one thread
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
    """Return the breakpoints of a request, or raise KeyError, TypeError or ValueError."""
    rows = given.get("breakpoints") or [{"line": line} for line in given.get("lines", ())]
    return [
        Breakpoint(int(row["line"]), str(row.get("condition") or ""), str(row.get("logMessage") or ""))
        for row in rows
    ]


def shorten(words: str) -> str:
    """Return a message as printable text of a bounded length."""
    return to_printable(cut_columns(words[: MESSAGE_CHARACTERS + 1], MESSAGE_CHARACTERS))


SEED = 0x50757070
PREFIX, SUFFIX = "cell-", ".pp"
_FACTOR, _ALL = 0x5BD1E995, 0xFFFFFFFF


class CellSources(Record):
    """The cells that front ends named by paths.

    Attributes:
        _code_of: Returns the code of a text, which is what runs.
        _known: The text and the code of each cell, by its path.
    """

    _code_of: Callable[[str], str]
    _known: dict[str, tuple[str, str]] = fresh(factory=dict)

    def add(self, text: str) -> str:
        """Add a cell and return its path."""
        path = f"{PREFIX}{hash_murmur2(text.encode('utf-8', 'surrogatepass'), SEED)}{SUFFIX}"
        self._known[path] = text, self._code_of(text)
        return path

    def get(self, path: str) -> tuple[str | None, str | None]:
        """Return the text of a cell and the code in it; (None, None) if it is unknown."""
        return self._known.get(path, (None, None))

    def find_path(self, key: str) -> str:
        """Return the path of a breakpoint key, which is a file or the code of a cell."""
        found = next((path for path, (_, code) in self._known.items() if code == key), None)
        if found is not None:
            return found
        return key if os.path.isabs(key) and "\n" not in key else self.add(key)

    def to_protocol(self, source: Source) -> dict[str, Any]:
        """Return a source as the protocol has it."""
        path = os.path.abspath(source.path) if source.path is not None else self.find_path(source.text)
        return {"path": path, "name": os.path.basename(path), "sourceReference": 0}


def hash_murmur2(data: bytes, seed: int) -> int:
    """Return the 32-bit MurmurHash2 of bytes, with which front ends name cells."""
    whole = len(data) & ~3
    found = (seed ^ len(data)) & _ALL
    for place in range(0, whole, 4):
        part = int.from_bytes(data[place : place + 4], "little") * _FACTOR & _ALL
        part = (part ^ part >> 24) * _FACTOR & _ALL
        found = found * _FACTOR & _ALL ^ part
    if whole < len(data):
        found = (found ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _ALL
    found = (found ^ found >> 13) * _FACTOR & _ALL
    return found ^ found >> 15
