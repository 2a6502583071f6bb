"""Breakpoints: lines at which programs stop, or show a message and continue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from evaluator.debugger.frames import Frame
from evaluator.debugger.statements import DebuggedCode, Statement
from lexer_parser.errors import PuppetError

_ESCAPED = re.compile(r'[\\"$]')


class Breakpoint:
    """A line at which a program stops, or shows a message and continues.

    Attributes:
        condition: An expression that must be true; "" for always.
        message: "" for a stop; parts in braces are expressions: `n is {$n}`.
        statement: The statement of the line, as far as the source is known.
    """

    __slots__ = ("_condition", "_words", "condition", "line", "message", "statement")

    def __init__(self, line: int, condition: str = "", message: str = "") -> None:
        self.line = line
        self.condition = condition
        self.message = message
        self.statement: Statement | None = None
        self._condition = _Expression(condition)
        self._words = _Expression(_text_with_expressions(message))

    def holds(self, frame: Frame) -> tuple[bool, str]:
        """Return whether the condition holds in a frame, and a message; a condition that fails counts as true."""
        if not self.condition:
            return True, ""
        try:
            value = self._condition.value(frame)
        except PuppetError as problem:
            return True, f"the condition fails: {problem}"
        return value is not None and value is not False, ""

    def words(self, frame: Frame) -> str:
        """Return the message with the values of its expressions in a frame; or why they fail."""
        try:
            return str(self._words.value(frame))
        except PuppetError as problem:
            return f"{self.message} — this fails: {problem}"


class _Expression:
    """An expression that is evaluated repeatedly in frames of the same code."""

    __slots__ = ("_code", "_evaluate", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: DebuggedCode | None = None
        self._evaluate: Callable[[Frame], tuple[Any, Any]] | None = None

    def value(self, frame: Frame) -> Any:
        """Return its value in a frame. Raise PuppetError."""
        if self._evaluate is None or self._code is not frame.code:
            self._evaluate, self._code = frame.compile_expression(self._text), frame.code
        return self._evaluate(frame)[0]


def _text_with_expressions(message: str) -> str:
    """Return a message as a string literal of the language."""
    parts = (
        f"${{{part}}}" if is_expression else _ESCAPED.sub(r"\\\g<0>", part)
        for is_expression, part in _parts(message)
    )
    return f'"{"".join(parts)}"'


def _parts(message: str) -> Iterator[tuple[bool, str]]:
    """Yield the texts and expressions of a message; an expression that never ends is text."""
    begun = place = 0
    while (opened := message.find("{", place)) >= 0:
        depth, end = 1, opened + 1
        while depth and end < len(message):
            depth += {"{": 1, "}": -1}.get(message[end], 0)
            end += 1
        inside = message[opened + 1 : end - 1]
        place = opened + 1
        if not depth and inside.strip():
            yield False, message[begun:opened]
            yield True, inside
            begun = place = end
    yield False, message[begun:]
