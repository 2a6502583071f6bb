"""Where the released Puppet stops in a text that is no JSON: it quotes the rest of the text from there.

What has no end or is not known is quoted from its beginning, and so is the outermost object with a fault in it, for an
object does not say what is wrong inside; an array quotes from the element, or from the character, that it cannot take.
"""

from __future__ import annotations

import re

_BLANK = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}|\\[^u\x00-\x1f])*"')
_NUMBER = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?![0-9])(?:\.[0-9]+(?:[Ee][+-]?[0-9]+)?(?![0-9Ee.-])|[Ee][+-]?[0-9]+(?![0-9Ee.-]))?"
)
_WORD = re.compile("null|true|false")
# words that JSON does not have, and how far before them the quotation begins
_REFUSED = {"NaN": 0, "Infinity": 1, "-Infinity": 0}
# what is nested more deeply is refused for that
_MOST = 100


class _Stopped(Exception):
    """An array, or a word, has said where the fault is."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def rest_at_fault(text: str) -> str:
    """The text from where its first fault is told; "" when that is the end."""
    start = _blank(text, 0)
    try:
        end = _value(text, start, 1)
    except _Stopped as stopped:
        return text[stopped.place :]
    return text[start if end is None else _blank(text, end) :]


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at


def _value(text: str, at: int, depth: int) -> int | None:
    """Where the value that begins here ends; None when it is none. Raises _Stopped."""
    for word, before in _REFUSED.items():
        if text.startswith(word, at):
            raise _Stopped(max(at - before, 0))
    begin = text[at : at + 1]
    if depth <= _MOST and begin in ("[", "{"):
        return (_array if begin == "[" else _object)(text, at, depth)
    found = _STRING.match(text, at) or _NUMBER.match(text, at) or _WORD.match(text, at)
    return found.end() if found is not None else None


def _array(text: str, at: int, depth: int) -> int:
    at = _blank(text, at + 1)
    if text.startswith("]", at):
        return at + 1
    while True:
        end = _value(text, at, depth + 1)
        if end is None:
            raise _Stopped(at)
        at = _blank(text, end)
        if text.startswith("]", at):
            return at + 1
        if not text.startswith(",", at):
            raise _Stopped(at)
        at = _blank(text, at + 1)


def _object(text: str, at: int, depth: int) -> int | None:
    at = _blank(text, at + 1)
    if text.startswith("}", at):
        return at + 1
    while True:
        name = _STRING.match(text, at)
        colon = _blank(text, name.end()) if name is not None else at
        if name is None or not text.startswith(":", colon):
            return None
        end = _value(text, _blank(text, colon + 1), depth + 1)
        if end is None:
            return None
        at = _blank(text, end)
        if text.startswith("}", at):
            return at + 1
        if not text.startswith(",", at):
            return None
        at = _blank(text, at + 1)
