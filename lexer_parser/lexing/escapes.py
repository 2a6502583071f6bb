"""Escape sequences: the values of strings in quotes and of heredocs."""

from __future__ import annotations

import re

from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.reading import Reading

_SINGLE = LazyPattern(r"\\([\\'])")
_ESCAPE = LazyPattern(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|\r?\n|([\s\S]))", re.ASCII)
_DOUBLE = {"\\": "\\", "$": "$", "'": "'", '"': '"', "r": "\r", "n": "\n", "t": "\t", "s": " "}


def unescape_single(text: str) -> str:
    r"""The value of a single quoted string: `\\` and `\'` lose their backslash, all else stays."""
    return _SINGLE.sub(r"\1", text)


def unescape_double(text: str, lexer: Reading, start: int) -> str:
    """The value of a piece of a double quoted string; what is no escape sequence stays, with a warning."""

    def replace(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        if digits:
            return _character(digits, lexer, start + match.start(), match[0])
        letter = match[3]
        if letter is None:
            return ""
        value = _DOUBLE.get(letter)
        if value is None:
            _warn(letter, lexer, start + match.start())
            return match[0]
        return value

    return _ESCAPE.sub(replace, text)


def _character(digits: str, lexer: Reading, start: int, text: str) -> str:
    number = int(digits, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise lexer.fail("ILLEGAL_UNICODE_ESCAPE", start, start + len(text))
    return chr(number)


def _warn(letter: str, lexer: Reading, start: int) -> None:
    if letter == "u":
        lexer.warnings.append(lexer.fail("ILLEGAL_UNICODE_ESCAPE", start))
    else:
        lexer.warnings.append(lexer.fail("UNRECOGNIZED_ESCAPE", start, start + 2, character=letter))


def unescape_heredoc(text: str, escapes: str) -> str:
    """The value of heredoc text with the given escape sequences switched on."""
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        if digits:
            return chr(int(digits, 16)) if "u" in escapes and int(digits, 16) <= 0x10FFFF else match[0]
        letter = match[3]
        if letter is None:
            return "" if "L" in escapes else match[0]
        return _DOUBLE[letter] if letter == "\\" or (letter in escapes and letter in _DOUBLE) else match[0]

    return _ESCAPE.sub(replace, text)
