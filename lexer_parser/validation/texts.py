"""Checks of texts that say what they are: `@(END:json)`, `@(END:pp)`, `@(END:epp)`, `@(END:base64)`."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lexing.tokens import BLANKS
from lexer_parser.tree import nodes
from lexer_parser.validation.walk import InvalidText, Parse, Walk

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?![0-9])")
FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++(?:[Ee][+-]?[0-9]++)?|[Ee][+-]?[0-9]++)(?![0-9Ee.-])")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}|\\[^u\x00-\x1f])*"')
IGNORED = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*", re.DOTALL)
OPEN_COMMENT = re.compile(r"//[^\n]*\Z|/\*.*\Z", re.DOTALL)
NO_BLANKS = str.maketrans("", "", BLANKS + "\n")
LINE_END = re.compile(r"\r?\n")
WORDS = ("null", "true", "false")
MAX_DEPTH = 100
MAX_MESSAGE = 100
# What the released Puppet's JSON parser puts before "unexpected token".
VALUE, ARRAY, NOT_A_NUMBER, INFINITY, MINUS_INFINITY = 859, 451, 225, 232, 249


class InvalidJson(Exception):
    """Says why, in the words of the released Puppet's JSON parser; `rest` is the text that it cannot take, if any."""

    def __init__(self, message: str, rest: str | None = None) -> None:
        super().__init__(message)
        self.rest = rest


class Stray(Exception):
    """Between two tokens is a `/` that begins no comment, or a comment that does not end."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class JsonCheck:
    """Reads a JSON text for its errors only; nesting is limited, so recursion is safe."""

    def __init__(self, text: str) -> None:
        self.text = text

    def check(self) -> None:
        """Raises InvalidJson unless the text is one JSON value."""
        try:
            start = self.skip(0)
            end = self.value(start, 0)
            if end is None:
                raise self.error(VALUE, start)
            end = self.skip(end)
        except Stray as stray:
            raise self.error(VALUE, stray.offset) from None
        if end < len(self.text):
            raise self.error(VALUE, end)

    def error(self, code: int, offset: int) -> InvalidJson:
        """The error whose message shows the text from `offset` on."""
        rest = self.text[offset:] if offset >= 0 else ""
        return InvalidJson(f"{code}: unexpected token at '{rest}'", rest)

    def skip(self, offset: int) -> int:
        """Past blanks and comments; a comment that does not end hides the rest. Raises Stray."""
        end = IGNORED.match(self.text, offset).end()  # type: ignore[union-attr]
        if self.text.startswith("/", end):
            raise Stray(len(self.text) if OPEN_COMMENT.match(self.text, end) else end + 1)
        return end

    def value(self, start: int, depth: int) -> int | None:
        """The end of the value at `start`; None when there is none."""
        text = self.text
        if text.startswith("[", start):
            return self.array(start, self.deeper(depth))
        if text.startswith("{", start):
            return self.object(start, self.deeper(depth))
        for word, code, offset in (
            ("NaN", NOT_A_NUMBER, start),
            ("Infinity", INFINITY, start - 1),
            ("-Infinity", MINUS_INFINITY, start),
        ):
            if text.startswith(word, start):
                raise self.error(code, offset)
        for word in WORDS:
            if text.startswith(word, start):
                return start + len(word)
        match = STRING.match(text, start) or FLOAT.match(text, start) or INTEGER.match(text, start)
        return match.end() if match else None

    def deeper(self, depth: int) -> int:
        """The next depth; raises when it is too deep."""
        if depth == MAX_DEPTH:
            raise InvalidJson(f"nesting of {depth + 1} is too deep")
        return depth + 1

    def array(self, start: int, depth: int) -> int:
        """The end of an array, which raises its own error."""
        try:
            return self.elements(start, depth)
        except Stray as stray:
            raise self.error(ARRAY, stray.offset) from None

    def elements(self, start: int, depth: int) -> int:
        """The end of the array at `start`."""
        offset = self.skip(start + 1)
        if self.text.startswith("]", offset):
            return offset + 1
        while True:
            end = self.value(offset, depth)
            if end is None:
                raise self.error(ARRAY, offset)
            offset = self.skip(end)
            if self.text.startswith("]", offset):
                return offset + 1
            if not self.text.startswith(",", offset):
                raise self.error(ARRAY, offset)
            offset = self.skip(offset + 1)

    def object(self, start: int, depth: int) -> int | None:
        """The end of an object; None when it is malformed, which whatever holds it reports."""
        try:
            return self.members(start, depth)
        except Stray:
            return None

    def members(self, start: int, depth: int) -> int | None:
        """The end of the object at `start`; None when it is malformed."""
        offset = self.skip(start + 1)
        if self.text.startswith("}", offset):
            return offset + 1
        while True:
            key = STRING.match(self.text, offset)
            colon = self.skip(key.end()) if key else offset
            if not key or not self.text.startswith(":", colon):
                return None
            end = self.value(self.skip(colon + 1), depth)
            if end is None:
                return None
            offset = self.skip(end)
            if self.text.startswith("}", offset):
                return offset + 1
            if not self.text.startswith(",", offset):
                return None
            offset = self.skip(offset + 1)


def json_error(text: str) -> str | None:
    """What is wrong with a JSON text."""
    try:
        JsonCheck(text).check()
    except InvalidJson as error:
        return 'Cannot parse invalid JSON string. "' + LINE_END.sub(r"\\n", str(error)[:MAX_MESSAGE]) + '"'
    return None


def program_error(text: str, parse: Parse, dialect: Dialect, epp: bool) -> str | None:
    """What is wrong with a manifest or a template."""
    try:
        parse(text, dialect=dialect, epp=epp)
    except PuppetError as error:
        return f'"{error}"'
    return None


def base64_error(text: str) -> str | None:
    """What is wrong with a Base64 text; blanks are allowed."""
    packed = text.translate(NO_BLANKS)
    data = packed.encode(errors="surrogatepass")
    try:
        decoded = binascii.a2b_base64(data, strict_mode=True)
        if binascii.b2a_base64(decoded, newline=False).decode() == packed:
            return None
    except binascii.Error:
        pass
    # The released Puppet tells the two causes apart by the length alone.
    reason = "padding is not correct"
    if len(data) % 3 == 0:
        reason = "contains letters outside strict base 64 range (or whitespace)"
    return f"Cannot parse invalid Base64 string - {reason}"


CHECKERS: dict[str, Callable[[str, Parse, Dialect], str | None]] = {
    "json": lambda text, parse, dialect: json_error(text),
    "pp": lambda text, parse, dialect: program_error(text, parse, dialect, epp=False),
    "epp": lambda text, parse, dialect: program_error(text, parse, dialect, epp=True),
    "base64": lambda text, parse, dialect: base64_error(text),
}


def invalid(syntax: str, text: str, parse: Parse, dialect: Dialect) -> tuple[str, str] | None:
    """The issue code and detail for a text of `syntax`, None when it is well formed or the syntax is unknown.

    `a+json` is checked as JSON when nothing is known about `a+json` as a whole.
    """
    name = syntax
    while name not in CHECKERS and "+" in name:
        name = name.partition("+")[2]
    detail = CHECKERS[name](text, parse, dialect) if name in CHECKERS else None
    return (f"ILLEGAL_{name.upper()}", detail) if detail is not None else None


def check_text(walk: Walk, syntax: str, node: nodes.String) -> None:
    """Checks the text of a heredoc; what is wrong ends validation."""
    found = invalid(syntax, node.value, walk.parse, walk.dialect)
    if found is not None:
        code, detail = found
        walk.report(code, node, syntax=syntax, detail=detail)
        raise InvalidText
