"""Strings in double quotes: escape sequences, and the variables and expressions between the pieces."""

from __future__ import annotations

import re
from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.reading import Reading
from lexer_parser.lexing.tokens import BLANKS, BRACKETS, LATER_KEYWORDS, NAMES_IN_TEXT, OPERATORS

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


# A `$` that no variable or `{` follows is an ordinary character.
ORDINARY_DOLLAR = r"\$(?!\{|(?:::)?\w)"
# So is a quote or a `$` where the text, or what follows such a `$`, begins, when another one comes behind it.
_STRETCH = r'(?:["$](?=(?:\\\\)*+["$]))?+[^"\\$]*+(?:\\[\s\S][^"\\$]*+)*+'
SEGMENT = LazyPattern(rf'({_STRETCH}(?:{ORDINARY_DOLLAR}{_STRETCH})*+)(?:("|\$\{{)|(?=\$))', re.ASCII)
LAST_DOLLAR = LazyPattern(rf"(?:{_STRETCH}{ORDINARY_DOLLAR})++", re.ASCII)
VARIABLE = LazyPattern(r"\$((?:::)?\w++(?:::\w++)*+)", re.ASCII)
SIMPLE_NAME = LazyPattern(
    r"[ \t]*+((?>(?:::)?[a-z_]\w*+(?:::[a-z_]\w*+)*+|[1-9][0-9]*|0))[ \t]*+\}", re.ASCII
)

BOOLEANS = frozenset(("true", "false"))
MARKS = frozenset(OPERATORS.values()) | {*BRACKETS, "DIV"}
NOT_READ = frozenset(("START", "OTHER", "DQPRE", "DQMID"))


def on_one_line(text: str) -> str:
    """A piece of source for a message: line ends and tabs as escape sequences."""
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


class Strings(Reading):
    """Reads strings in double quotes."""

    __slots__ = ()

    def unclosed_quote(self, after: str, start: int) -> PuppetError:
        """The error for a string without end, `after` being the text before `start`."""
        rest = self.text[start : start + 5]
        followed_by = f"{on_one_line(rest)}..." if rest else "<eof>"
        quoted = f'"{after}"' if after == "'" else f"'{after}'"
        return self.fail("UNCLOSED_QUOTE", start, after=quoted, followed_by=followed_by)

    def string(self, start: int, position: int, kind: str) -> int:
        """Reads on in a double quoted string from `position`; the token `kind` begins at `start`."""
        text = self.text
        while True:
            match = SEGMENT.match(text, position, self.end)
            if match is None:
                raise self.unclosed_string(position, kind)
            value, stop = match[1], match.end()
            if "\\" in value:
                value = unescape_double(value, self, match.start(1))
            if match[2] == '"':
                self.emit("STRING" if kind == "DQPRE" else "DQPOST", start, stop, value)
                if not self.frames:
                    self.string_token = None
                return stop
            self.emit(kind, start, stop, value)
            kind = "DQMID"
            if match[2]:
                position = self.interpolation(stop, self.string)
                if position < 0:
                    return stop
            else:
                position = self.variable(stop)
            start = position

    def unclosed_string(self, position: int, kind: str) -> PuppetError:
        """The error for a double quoted string without end."""
        last = LAST_DOLLAR.match(self.text, position, self.end)
        if last:
            return self.unclosed_quote("", last.end())
        if kind == "DQPRE":
            return self.unclosed_quote('"', position)
        after = self._inside(position) if self.text[position - 1] == "}" else str(self.tokens[-1][2])
        return self.unclosed_quote(after, position)

    def _inside(self, position: int) -> str:
        """What the released lexer has read last of a `${…}` that ends before `position`: a token, or blanks."""
        end = self.tokens[-1][1]
        tail = self.text[end : position - 1]
        if not tail:
            return self.read_last(end, 0)
        blanks = tail[len(tail.rstrip(BLANKS)) :]
        return "" if blanks == tail and self.types[-1] not in ("DQPRE", "DQMID") else blanks

    def read_last(self, end: int, first: int) -> str:
        """The text of the last token from the number `first` on that is no mark, if only marks are behind it."""
        for index in range(len(self.tokens) - 1, first - 1, -1):
            start, stop, _ = self.tokens[index]
            if stop != end or self.types[index] in NOT_READ:
                break
            if self.types[index] not in MARKS:
                text = self.text[start:stop]
                return text if text[-1:] not in ("'", '"') else text[-2:] if len(text) > 2 else text[-1]
            end = start
        return ""

    def variable(self, start: int) -> int:
        """Reads `$name` in a string."""
        match = VARIABLE.match(self.text, start, self.end)
        assert match is not None
        self.emit("VARIABLE", start, match.end(), match[1])
        return match.end()

    def interpolation(self, start: int, resume: Any) -> int:
        """Reads `name}` after `${`, or, giving -1, leaves what is in the braces to the loop."""
        match = SIMPLE_NAME.match(self.text, start, self.end)
        if match is None:
            self.frames.append((self.depth, len(self.types), resume))
            self.depth = 0
            return -1
        if match[1] in BOOLEANS:
            self.reject_boolean(match[1], match.start(1))
        self.emit("VARIABLE", match.start(1), match.end(1), match[1])
        return match.end()

    def reject_boolean(self, word: str, start: int) -> None:
        """Raises for `${true}`, where the released lexer fails in its own code; the specification has a variable."""
        if not self.dialect.interpolation:
            raise self.fail("BOOLEAN_AS_VARIABLE", start, start + len(word), name=word)

    def end_interpolation(self, start: int, width: int = 1) -> int:
        """Ends a `${…}` at its `}`, and reads on in the string around it; at the end of a text there is no `}`."""
        self.depth, first, resume = self.frames.pop()
        types = self.types
        single = len(types) == first + 1 or (len(types) > first and types[first + 1] in ("LBRACK", "DOT"))
        if single and types[first] == "BOOLEAN":
            self.reject_boolean(self.tokens[first][2], self.tokens[first][0])
        if len(types) == first + 1:
            if types[first] in NAMES_IN_TEXT:
                types[first] = "VARIABLE"
        elif len(types) > first and types[first + 1] in ("LBRACK", "DOT"):
            if not self.dialect.interpolation:
                if types[first] in NAMES_IN_TEXT:
                    types[first] = "VARIABLE"
            elif types[first] in LATER_KEYWORDS:
                types[first] = "NAME"
        return resume(start + width, start + width, "DQMID")
