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

VALUE_CHARACTERS = 300  # of a value in one line
MAX_ELEMENTS = 1000  # elements in one response, unless the request asks for fewer
Elements = Callable[[], Iterable[tuple[str, str, Any]]]  # of each: its name, an expression for it, its value


class VariableStore(Record):
    """The values that can be inspected while a program is stopped, by reference number.

    Attributes:
        _type_only: True if the front end shows the type in place of the value, so that the type includes both.
    """

    _type_only: bool
    _containers: list[Elements] = fresh(factory=list)  # the number of a container is its index, plus 1

    def add(self, list_elements: Elements) -> int:
        """Add a container with these elements, and return its reference number."""
        self._containers.append(list_elements)
        return len(self._containers)

    def add_variables(self, list_values: Callable[[], Mapping[str, Any]], sigil: str = "$") -> int:
        """Return a reference number for variables, or, without a sigil, for other named values."""
        return self.add(
            lambda: [
                (f"{sigil}{name}", f"${name}" if sigil else "", value)
                for name, value in list_values().items()
            ]
        )

    def list_variables(self, number: Any, start: int = 0, count: int = 0) -> list[dict[str, Any]]:
        """Return at most `count` elements with a reference number, from `start`; [] for others."""
        if not isinstance(number, int) or not 0 < number <= len(self._containers):
            return []
        end = start + (count or MAX_ELEMENTS)
        return [
            self.to_variable(name, expression, value)
            for name, expression, value in islice(self._containers[number - 1](), start, end)
        ]

    def to_variable(self, name: str, expression: str, value: Any) -> dict[str, Any]:
        """Return a variable as the protocol has it.

        Args:
            name: The name.
            expression: An expression with the same value; "" if there is none.
            value: The value; the variable refers to its elements by a number, 0 for none.
        """
        text = cut_columns(to_one_line(format_literal(value, VALUE_CHARACTERS)), VALUE_CHARACTERS)
        kind = to_one_line(get_general_type(value))
        number = (
            self.add(lambda: _iterate_elements(value, expression))
            if isinstance(value, list | dict) and value
            else 0
        )
        variable: dict[str, Any] = {
            "name": to_one_line(name),
            "value": text,
            "type": f"{text}  # {kind}" if self._type_only else kind,
            "evaluateName": to_one_line(expression),
            "variablesReference": number,
        }
        if number:
            variable["indexedVariables" if isinstance(value, list) else "namedVariables"] = len(value)
        return variable


def _iterate_elements(value: Any, expression: str) -> Iterable[tuple[str, str, Any]]:
    """Yield the elements of an array or a hash with their names and expressions."""
    pairs: Iterable[tuple[Any, Any]] = (
        enumerate(value) if isinstance(value, list) else values.iterate_items(value)
    )
    for key, part in pairs:
        name = values.format_literal(key, VALUE_CHARACTERS)
        # A large key is cut off, so its name cannot be used in an expression.
        if len(name) > VALUE_CHARACTERS:
            yield cut_columns(name, VALUE_CHARACTERS), "", part
        else:
            yield name, f"{expression}[{name}]" if expression else "", part


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


def parse_breakpoints(arguments: Mapping[str, Any]) -> list[Breakpoint]:
    """Return the breakpoints of a request, or raise KeyError, TypeError or ValueError."""
    rows = arguments.get("breakpoints") or [{"line": line} for line in arguments.get("lines", ())]
    return [
        Breakpoint(int(row["line"]), str(row.get("condition") or ""), str(row.get("logMessage") or ""))
        for row in rows
    ]


def shorten(words: str) -> str:
    """Return a message as printable text of a bounded length."""
    return to_printable(cut_columns(words[: MESSAGE_CHARACTERS + 1], MESSAGE_CHARACTERS))


# The front end receives these with `debugInfo`, and makes the same path of a cell: a hash with this seed, any number.
SEED = 0x50757070
PREFIX, SUFFIX = "cell-", ".pp"
_FACTOR, _ALL = 0x5BD1E995, 0xFFFFFFFF  # the multiplier of MurmurHash2, and 32 bits


class CellSources(Record):
    """The cells that front ends named by paths.

    Attributes:
        _code_of: Returns the code of a text, which is what runs.
        _cells: The text and the code of each cell, by its path.
    """

    _code_of: Callable[[str], str]
    _cells: dict[str, tuple[str, str]] = fresh(factory=dict)

    def add(self, text: str) -> str:
        """Add a cell and return its path."""
        path = f"{PREFIX}{hash_murmur2(text.encode('utf-8', 'surrogatepass'), SEED)}{SUFFIX}"
        self._cells[path] = text, self._code_of(text)
        return path

    def get(self, path: str) -> tuple[str | None, str | None]:
        """Return the text of a cell and the code in it; (None, None) if it is unknown."""
        return self._cells.get(path, (None, None))

    def find_path(self, key: str) -> str:
        """Return the path of a breakpoint key, which is a file or the code of a cell."""
        path = next((path for path, (_, code) in self._cells.items() if code == key), None)
        if path is not None:
            return path
        return key if os.path.isabs(key) and "\n" not in key else self.add(key)

    def to_protocol(self, source: Source) -> dict[str, Any]:
        """Return a source as the protocol has it."""
        path = os.path.abspath(source.path) if source.path is not None else self.find_path(source.text)
        return {"path": path, "name": os.path.basename(path), "sourceReference": 0}


def hash_murmur2(data: bytes, seed: int) -> int:
    """Return the 32-bit MurmurHash2 of bytes, with which front ends name cells."""
    end_of_words = len(data) & ~3
    digest = (seed ^ len(data)) & _ALL
    for start in range(0, end_of_words, 4):
        word = int.from_bytes(data[start : start + 4], "little") * _FACTOR & _ALL
        word = (word ^ word >> 24) * _FACTOR & _ALL
        digest = digest * _FACTOR & _ALL ^ word
    if end_of_words < len(data):
        digest = (digest ^ int.from_bytes(data[end_of_words:], "little")) * _FACTOR & _ALL
    digest = (digest ^ digest >> 13) * _FACTOR & _ALL
    return digest ^ digest >> 15
