"""Where a person wants programs to stop, or to tell something on their way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from evaluator.debugger.frames import Frame
from evaluator.debugger.layout import Code, Statement
from lexer_parser.errors import PuppetError

_ESCAPED = re.compile(r'[\\"$]')


class Breakpoint:
    """A line at which a program stops, or tells a message and goes on, when the condition holds; "" for always.

    message    "" for a stop; what stands in braces in it are expressions: `n is {$n}`
    statement  the one that is meant, as far as the source is known
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
        """Whether the condition does in a frame, and what is to be said; one that fails holds."""
        if not self.condition:
            return True, ""
        try:
            value = self._condition.value(frame)
        except PuppetError as problem:
            return True, f"the condition fails: {problem}"
        return value is not None and value is not False, ""

    def words(self, frame: Frame) -> str:
        """The message, with the values that its expressions have in a frame; or why they have none."""
        try:
            return str(self._words.value(frame))
        except PuppetError as problem:
            return f"{self.message} — this fails: {problem}"


class _Expression:
    """An expression, evaluated again and again in frames of the same code."""

    __slots__ = ("_code", "_evaluate", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: Code | None = None
        self._evaluate: Callable[[Frame], tuple[Any, Any]] | None = None

    def value(self, frame: Frame) -> Any:
        """What it gives in a frame. Raises PuppetError."""
        if self._evaluate is None or self._code is not frame.code:
            self._evaluate, self._code = frame.prepared(self._text), frame.code
        return self._evaluate(frame)[0]


def _text_with_expressions(message: str) -> str:
    """A message as the string that the language makes of it."""
    parts = (
        f"${{{part}}}" if is_expression else _ESCAPED.sub(r"\\\g<0>", part)
        for is_expression, part in _parts(message)
    )
    return f'"{"".join(parts)}"'


def _parts(message: str) -> Iterator[tuple[bool, str]]:
    """The texts and expressions of a message. Braces within an expression belong to it; one that never ends is text."""
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
