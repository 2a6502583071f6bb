"""Checks of heredocs that name a syntax, as in `@(END:json)`: JSON, Puppet, EPP, Base64.

`check_text` is the rule of validation, for a text that is known before the program runs; the compiled program calls
`find_syntax_error` for a text that is interpolated. Both report the first error only, in the words of the released
Puppet. JSON has a parser here, which stdlib's functions about JSON use as well.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from contextlib import suppress

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lexing.tokens import BLANKS
from lexer_parser.tree import nodes
from lexer_parser.validation.walk import Diagnostic, InvalidHeredocText, ParseFunction, ValidationWalk

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?![0-9])")
FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++(?:[Ee][+-]?[0-9]++)?|[Ee][+-]?[0-9]++)(?![0-9Ee.-])")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}|\\[^u\x00-\x1f])*"')
IGNORED = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*", re.DOTALL)
OPEN_COMMENT = re.compile(r"//[^\n]*\Z|/\*.*\Z", re.DOTALL)
NO_BLANKS = str.maketrans("", "", BLANKS + "\n")
LINE_END = re.compile(r"\r?\n")
WORDS = ("null", "true", "false")
MAX_DEPTH = 100  # nested arrays and objects
MAX_MESSAGE = 100  # characters of the message about JSON that are shown
# The numbers that the released Puppet's JSON parser writes before "unexpected token", by what it has been reading.
VALUE_CODE, ARRAY_CODE, NOT_A_NUMBER_CODE, INFINITY_CODE, MINUS_INFINITY_CODE = 859, 451, 225, 232, 249


class InvalidJsonError(Exception):
    """An error in the words of the released Puppet's JSON parser.

    Attributes:
        rest: The unexpected text, up to the end; None if the error is not about a text.
    """

    def __init__(self, message: str, rest: str | None = None) -> None:
        super().__init__(message)
        self.rest = rest


class UnexpectedTokenError(Exception):
    """A token in the wrong place, a `/` that begins no comment, or a comment without end."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class JsonChecker:
    """A parser of JSON that only finds errors; nesting is limited, so recursion is safe."""

    def __init__(self, text: str) -> None:
        self.text = text

    def check(self) -> None:
        """Raise InvalidJsonError unless the text is one JSON value."""
        try:
            start = self.skip_ignored(0)
            end = self.skip_value(start, 0)
            if end is None:
                raise self.make_error(VALUE_CODE, start)
            end = self.skip_ignored(end)
        except UnexpectedTokenError as unexpected:
            raise self.make_error(VALUE_CODE, unexpected.offset) from None
        if end < len(self.text):
            raise self.make_error(VALUE_CODE, end)

    def make_error(self, code: int, offset: int) -> InvalidJsonError:
        """Return the error whose message shows the text from an offset on.

        Args:
            code: One of VALUE_CODE, ARRAY_CODE, NOT_A_NUMBER_CODE, INFINITY_CODE, MINUS_INFINITY_CODE.
            offset: The offset; -1 shows no text.
        """
        rest = self.text[offset:] if offset >= 0 else ""
        return InvalidJsonError(f"{code}: unexpected token at '{rest}'", rest)

    def skip_ignored(self, offset: int) -> int:
        """Return the offset behind blanks and comments; an unclosed comment hides the rest."""
        end = IGNORED.match(self.text, offset).end()  # type: ignore[union-attr]
        if self.text.startswith("/", end):
            raise UnexpectedTokenError(len(self.text) if OPEN_COMMENT.match(self.text, end) else end + 1)
        return end

    def skip_value(self, start: int, depth: int) -> int | None:
        """Return the end of the value at `start`; None if there is none.

        Args:
            start: The offset of the value.
            depth: The number of arrays and objects around it.
        """
        text = self.text
        if text.startswith(("[", "{"), start):
            return self.skip_collection(start, depth + 1)
        for word, code, offset in (
            ("NaN", NOT_A_NUMBER_CODE, start),
            ("Infinity", INFINITY_CODE, start - 1),  # the released Puppet shows the character before it, too
            ("-Infinity", MINUS_INFINITY_CODE, start),
        ):
            if text.startswith(word, start):
                raise self.make_error(code, offset)
        for word in WORDS:
            if text.startswith(word, start):
                return start + len(word)
        match = STRING.match(text, start) or FLOAT.match(text, start) or INTEGER.match(text, start)
        return match.end() if match else None

    def skip_collection(self, start: int, depth: int) -> int | None:
        """Return the end of an array or object; None for a malformed object.

        What is around the object reports the error, while an array raises its own.
        """
        if depth > MAX_DEPTH:
            raise InvalidJsonError(f"nesting of {depth} is too deep")
        is_array = self.text[start] == "["
        try:
            return self.skip_items(start, depth, "]" if is_array else "}")
        except UnexpectedTokenError as unexpected:
            if is_array:
                raise self.make_error(ARRAY_CODE, unexpected.offset) from None
            return None

    def skip_items(self, start: int, depth: int, closing: str) -> int:
        """Return the end of the array or object at `start`."""
        offset = self.skip_ignored(start + 1)
        if self.text.startswith(closing, offset):
            return offset + 1
        while True:
            if closing == "}":
                key = STRING.match(self.text, offset)
                colon = self.skip_ignored(key.end()) if key else offset
                if not key or not self.text.startswith(":", colon):
                    raise UnexpectedTokenError(offset)
                offset = self.skip_ignored(colon + 1)
            end = self.skip_value(offset, depth)
            if end is None:
                raise UnexpectedTokenError(offset)
            offset = self.skip_ignored(end)
            if self.text.startswith(closing, offset):
                return offset + 1
            if not self.text.startswith(",", offset):
                raise UnexpectedTokenError(offset)
            offset = self.skip_ignored(offset + 1)


def find_json_error(text: str) -> str | None:
    """Return the error of a JSON text, None if it is valid."""
    try:
        JsonChecker(text).check()
    except InvalidJsonError as error:
        return 'Cannot parse invalid JSON string. "' + LINE_END.sub(r"\\n", str(error)[:MAX_MESSAGE]) + '"'
    return None


def find_program_error(text: str, parse: ParseFunction, dialect: Dialect, epp: bool) -> PuppetError | None:
    """Return the error of a manifest or a template, None if it is valid."""
    try:
        parse(text, dialect=dialect, epp=epp)
    except PuppetError as error:
        return error
    return None


def find_base64_error(text: str) -> str | None:
    """Return the error of a Base64 text, in which blanks are allowed; None if it is valid."""
    without_blanks = text.translate(NO_BLANKS)
    data = without_blanks.encode(errors="surrogatepass")
    with suppress(binascii.Error):
        decoded = binascii.a2b_base64(data, strict_mode=True)
        if binascii.b2a_base64(decoded, newline=False).decode() == without_blanks:
            return None
    # The released Puppet distinguishes the two causes only by the length.
    reason = "padding is not correct"
    if len(data) % 3 == 0:
        reason = "contains letters outside strict base 64 range (or whitespace)"
    return f"Cannot parse invalid Base64 string - {reason}"


# The function that returns the error of a text, by the name of the syntax: the PuppetError of a program, the message of
# other texts, None for a valid text.
CHECKERS: dict[str, Callable[[str, ParseFunction, Dialect], str | PuppetError | None]] = {
    "json": lambda text, parse, dialect: find_json_error(text),
    "pp": lambda text, parse, dialect: find_program_error(text, parse, dialect, epp=False),
    "epp": lambda text, parse, dialect: find_program_error(text, parse, dialect, epp=True),
    "base64": lambda text, parse, dialect: find_base64_error(text),
}


def find_syntax_error(syntax: str, text: str, parse: ParseFunction, dialect: Dialect) -> PuppetError | None:
    """Return the error of a text of `syntax`; None if it is valid or the syntax unknown.

    `a+json` is checked as JSON, because there is no checker for `a+json` as a whole. If the text is a program with
    several errors, these are the `related` errors of the result.
    """
    name = syntax
    while name not in CHECKERS and "+" in name:
        name = name.partition("+")[2]
    cause = CHECKERS[name](text, parse, dialect) if name in CHECKERS else None
    if cause is None:
        return None
    error = issues.make_error(
        f"ILLEGAL_{name.upper()}", syntax=syntax, detail=cause if isinstance(cause, str) else f'"{cause}"'
    )
    error.related = getattr(cause, "related", ())
    return error


def check_text(walk: ValidationWalk, syntax: str, node: nodes.String) -> None:
    """Check the text of a heredoc; an error in it ends validation."""
    error = find_syntax_error(syntax, node.value, walk.parse, walk.dialect)
    if error is not None:
        error.span = walk.span(node)
        walk.diagnostics.append(Diagnostic(error, "error"))
        raise InvalidHeredocText
