"""A lexer of Ruby, for the sources of resource types.

Strings, regular expressions, heredocs and lists of words are single tokens; the source that they interpolate is
lexed in turn.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

from lexer_parser.record import Record

_T = TypeVar("_T")

MAX_LENGTH = 1_000_000  # characters of a source
MAX_INTERPOLATIONS = 20  # nesting depth of interpolations

Text = list["str | list[RubyToken]"]  # a string: literal parts and interpolated tokens


class UnsupportedSyntax(Exception):
    """Raised for source in a form that this reader does not support."""


class MalformedSource(UnsupportedSyntax):
    """Raised for source that Ruby cannot parse: quotes, brackets or ends do not match."""


class RubyToken(Record):
    """A token of the source.

    Attributes:
        kind: "name", "constant", "variable" (@a, $a), "symbol", "label", "text", "regexp", "words", "number",
            "operator", "keyword" or "line" (the end of a line).
        value: The parts of a "text" or "regexp", a list of "words", a string for other kinds.
        flags: The flags of a regular expression.
        spaced: True if spaces precede it.
    """

    kind: Final[str]
    value: Final[str | list[str] | Text]
    spaced: Final[bool]
    flags: Final[str] = ""

    def __repr__(self) -> str:
        return f"{self.kind}:{self.value!r}"


KEYWORDS = frozenset(
    (
        *("alias", "and", "begin", "break", "case", "class", "def", "do", "else", "elsif", "end"),
        *("ensure", "false", "for", "if", "in", "module", "next", "nil", "not", "or", "redo"),
        *("rescue", "retry", "return", "self", "super", "then", "true", "undef", "unless", "until"),
        *("when", "while", "yield", "__FILE__"),
    )
)
# Keywords that end an operand, so that an operator may follow.
OPERAND_KEYWORDS = frozenset({"self", "nil", "true", "false", "end", "super", "yield", "__FILE__"})
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_IGNORED = re.compile(
    r"""(?:
        [ \t\r\f\v] | \\\r?\n              # blanks, and line breaks behind a backslash
        | \#[^\n]*                         # comments
        | ^=begin\b.*?^=end\b[^\n]*        # block comments
        | ^__END__[ \t\r\f\v]*(?:\n.*)?\Z  # data behind the program
    )*+""",
    re.M | re.S | re.X,
)
_NAME = re.compile(r"[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*")
_VARIABLE = re.compile(r"@{1,2}[A-Za-z_]\w*|\$(?:\w+|-\w|[!@&`'+~=/\\,;.<>_*$?:\"])")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
_OPERATOR = re.compile(
    r"\*\*=|<=>|===|\.\.\.|<<=|>>=|&&=|\|\|=|\*\*|==|!=|>=|<=|&&|\|\||=~|!~|\.\.|::|->|=>|<<|>>|&\."
    r"|\+=|-=|\*=|/=|%=|\|=|&=|\^=|[-+*/%=<>!&|^~?:,.()\[\]{};]"
)
_SYMBOL = re.compile(r":(?:([A-Za-z_]\w*(?:[?!](?!=)|=(?![=~>]))?)|(\[\]=?|[-+*/<>!~%]|==|<=>|=~|<<))")
_HEREDOC = re.compile(r"<<([~-]?)(?:(['\"`])(.+?)\2|([A-Z_a-z]\w*))")
_PERCENT = re.compile(r"%([wWiIqQrsx]?)([^\w\s])")
_CHARACTER = re.compile(r"\?(\\.|\S)(?!\w)")
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "r": "\r", "0": "\0", "e": "\x1b", "a": "\a", "b": "\b"}


def refuse_if(condition: object, kind: type[UnsupportedSyntax] = UnsupportedSyntax) -> None:
    """Raise an exception if a condition is true."""
    if condition:
        raise kind


def require_kind(value: object, kind: type[_T]) -> _T:
    """Return a value; raise UnsupportedSyntax if it is of another class."""
    if not isinstance(value, kind):
        raise UnsupportedSyntax
    return value


class PendingHeredoc(Record):
    """A heredoc whose lines follow the end of the current line.

    Attributes:
        indent: "-" if blanks may precede the end word, "~" if the lines lose their indentation too; else "".
        end_word: The word that ends it.
        plain: True if nothing is interpolated.
        parts: The parts of its token, which are added when its lines are read.
    """

    indent: str
    end_word: str
    plain: bool
    parts: Text


class RubyLexer:
    """A lexer of one source up to its end, or to the brace that closes an interpolation."""

    def __init__(self, text: str, position: int = 0, depth: int = 0) -> None:
        refuse_if(len(text) > MAX_LENGTH or depth > MAX_INTERPOLATIONS)
        self.text = text
        self.position = position
        self.depth = depth
        self.tokens: list[RubyToken] = []
        self._heredocs: list[PendingHeredoc] = []

    def read(self) -> list[RubyToken]:
        """Return the tokens up to the end. Raises UnsupportedSyntax."""
        braces = 0
        while self.position < len(self.text):
            spaced = self._skip()
            if self.position >= len(self.text):
                break
            character = self.text[self.position]
            if character == "\n":
                self._end_line()
            elif character == "}" and not braces and self.depth:
                return self.tokens
            elif not self._read_quoted(character, spaced) and not self._read_word(spaced):
                match = require_kind(_OPERATOR.match(self.text, self.position), re.Match)
                braces += (match[0] == "{") - (match[0] == "}")
                self._add("operator", match[0], spaced, match.end())
        refuse_if(self.depth)
        return self.tokens

    def _skip(self) -> bool:
        """Skip blanks and comments; return whether there are any."""
        start = self.position
        self.position = require_kind(_IGNORED.match(self.text, start), re.Match).end()
        return self.position > start

    def _add(self, kind: str, value: str | list[str] | Text, spaced: bool, end: int, flags: str = "") -> None:
        self.tokens.append(RubyToken(kind, value, spaced, flags))
        self.position = end

    def _end_line(self) -> None:
        """Add the token of a line break, then read the heredocs that begin on the line."""
        self._add("line", "\n", spaced=False, end=self.position + 1)
        for heredoc in self._heredocs:
            self._read_heredoc(heredoc)
        self._heredocs.clear()

    # --- where an operand may begin

    def _follows_operand(self) -> bool:
        """Return whether the previous token ends an operand."""
        if not self.tokens:
            return False
        last = self.tokens[-1]
        if last.kind == "operator":
            return last.value in (")", "]", "}")
        if last.kind == "keyword":
            return last.value in OPERAND_KEYWORDS
        return last.kind not in ("line", "label")

    def _begins_operand(self, spaced: bool, length: int) -> bool:
        """Return whether characters that can also be an operator begin an operand here.

        They do behind an operator. Behind a name they begin an argument if a space precedes and none follows: `a /b/`.

        Args:
            spaced: True if spaces precede them.
            length: Their number.
        """
        if not self._follows_operand():
            return self._get_last_sign() != "def"  # else they are the name of a method
        is_after_name = self.tokens[-1].kind == "name" or self._get_last_sign() in ("super", "yield")
        following = self.text[self.position + length : self.position + length + 1]
        return is_after_name and spaced and not following.isspace() and following != "="

    # --- names and numbers

    def _read_word(self, spaced: bool) -> bool:
        """Read a name, keyword, label, variable or number; return False if none begins here."""
        text, position = self.text, self.position
        match = _NAME.match(text, position)
        if match is None:
            match = _VARIABLE.match(text, position)
            if match is not None:
                self._add("variable", match[0], spaced, match.end())
                return True
            match = _NUMBER.match(text, position)
            if match is not None:
                self._add("number", match[0].replace("_", ""), spaced, match.end())
            return match is not None
        word, end, last = match[0], match.end(), self._get_last_sign()
        sign, following = text[end : end + 1], text[end + 1 : end + 2]
        # the sign belongs to the name unless it is an operator: `a ? b : c`, `a != b`
        if (sign == "!" and following != "=") or (
            sign == "?" and following not in ("=", ":") and last != "?"
        ):
            word, end = word + sign, end + 1
        if text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":" and last not in (".", "&."):
            self._add("label", word, spaced, end + 1)
        elif word in KEYWORDS and (word == "self" or last not in (".", "&.", "::", "def")):
            self._add("keyword", word, spaced, end)
        else:
            self._add("constant" if word[0].isupper() else "name", word, spaced, end)
        return True

    def _get_last_sign(self) -> str:
        """Return the previous token if it is an operator or keyword, else ""; ends of lines do not count."""
        last = next((token for token in reversed(self.tokens) if token.kind != "line"), None)
        return str(last.value) if last is not None and last.kind in ("operator", "keyword") else ""

    # --- quoted tokens

    def _read_quoted(self, character: str, spaced: bool) -> bool:
        """Read a string, symbol, regexp, list or heredoc; return False if none begins here.

        A quote or colon begins one anywhere; other characters only where they are no operator.

        Args:
            character: The character at the position.
            spaced: True if spaces precede it.
        """
        text, position = self.text, self.position
        if character in "\"'`":
            parts = self._read_parts(character, character, plain=character == "'")
            is_label = (
                text[self.position : self.position + 1] == ":"
                and text[self.position + 1 : self.position + 2] != ":"
                and self._get_last_sign() in ("{", ",", "(")  # where the key of a hash can be
            )
            if is_label:
                self._add("label", _get_plain_text(parts), spaced, self.position + 1)
                return True
            self._add("text", parts, spaced, self.position)
        elif character == ":" and text[position + 1 : position + 2] in ("'", '"'):
            self.position += 1
            quote = text[self.position]
            self._add("text", self._read_parts(quote, quote, plain=quote == "'"), spaced, self.position)
        elif (
            character == ":"
            and (match := _SYMBOL.match(text, position)) is not None
            and text[position + 1] != ":"
        ):
            self._add("symbol", match[1] or match[2], spaced, match.end())
        elif character == "/" and self._begins_operand(spaced, 1):
            self._read_regexp("/", "/", spaced)
        elif (
            character == "%" and (match := _PERCENT.match(text, position)) and self._begins_operand(spaced, 1)
        ):
            self._read_percent_literal(match[1], match[2], match.end() - 1, spaced)
        elif (
            character == "<" and (match := _HEREDOC.match(text, position)) and self._begins_operand(spaced, 2)
        ):
            heredoc = PendingHeredoc(match[1], match[3] or match[4], match[2] == "'", [])
            self._heredocs.append(heredoc)
            self._add("text", heredoc.parts, spaced, match.end())
        elif character == "?" and (match := _CHARACTER.match(text, position)) and not self._follows_operand():
            self._add("text", [match[1]], spaced, match.end())
        else:
            return False
        return True

    def _read_percent_literal(self, kind: str, opening: str, position: int, spaced: bool) -> None:
        self.position = position
        closing = _CLOSING.get(opening, opening)
        if kind == "r":
            self._read_regexp(opening, closing, spaced)
            return
        parts = self._read_parts(opening, closing, plain=kind in ("w", "i", "q", "s"))
        if kind in ("w", "W", "i", "I"):
            self._add("words", _get_plain_text(parts).split(), spaced, self.position)
        elif kind == "s":
            self._add("symbol", _get_plain_text(parts), spaced, self.position)
        else:
            self._add("text", parts, spaced, self.position)

    def _read_regexp(self, opening: str, closing: str, spaced: bool) -> None:
        parts = self._read_parts(opening, closing, plain=False, escapes=False)
        flags = require_kind(re.compile("[imxounse]*").match(self.text, self.position), re.Match)
        self._add("regexp", parts, spaced, flags.end(), flags[0])

    def _read_parts(self, opening: str, closing: str, plain: bool, escapes: bool = True) -> Text:
        """Read the parts between two characters, and move behind the second.

        Args:
            opening: The first character, at the position.
            closing: The second character; if it differs from the first one, pairs of them may be nested.
            plain: True if nothing is interpolated and only these characters are escaped.
            escapes: False for a regular expression, in which other escapes stay as they are.

        Raises:
            UnsupportedSyntax: The second character is missing.
        """
        text = self.text
        parts: Text = []
        piece: list[str] = []
        nested = 0
        self.position += 1
        while self.position < len(text):
            character = text[self.position]
            if character == "\\":
                piece.append(
                    _unescape(text[self.position + 1 : self.position + 2], opening, closing, plain, escapes)
                )
                self.position += 2
                continue
            if character == "#" and not plain and text[self.position + 1 : self.position + 2] == "{":
                self._read_interpolation(parts, piece)
                continue
            if character == closing and not nested:
                self.position += 1
                return [*parts, "".join(piece)]
            if opening != closing:
                nested += (character == opening) - (character == closing)
            piece.append(character)
            self.position += 1
        raise MalformedSource

    def _read_interpolation(self, parts: Text, piece: list[str]) -> None:
        """Read `#{…}`: add the text before it and its tokens to the parts."""
        inner = RubyLexer(self.text, self.position + 2, self.depth + 1)
        parts += ["".join(piece), inner.read()]
        piece.clear()
        self.position = inner.position + 1

    def _read_heredoc(self, heredoc: PendingHeredoc) -> None:
        """Read the lines of a heredoc up to its end word into the parts of its token."""
        blanks = r"[ \t]*" if heredoc.indent else ""
        ending = re.compile(rf"{blanks}{re.escape(heredoc.end_word)}[ \t\r]*$", re.M)
        start = self.position
        while self.position < len(self.text):
            if ending.match(self.text, self.position) is not None:
                body = self.text[start : self.position]
                self.position = (self.text.find("\n", self.position) + 1) or len(self.text)
                heredoc.parts.append(_dedent(body) if heredoc.indent == "~" else body)
                if not heredoc.plain and "#{" in body:
                    heredoc.parts.append([])  # an interpolation that is not evaluated
                return
            self.position = (self.text.find("\n", self.position) + 1) or len(self.text)
        raise UnsupportedSyntax


def _get_plain_text(parts: Text) -> str:
    """Return the text of a string without interpolations. Raises UnsupportedSyntax."""
    refuse_if(any(type(part) is list for part in parts))
    return "".join(str(part) for part in parts)


def _unescape(character: str, opening: str, closing: str, plain: bool, escapes: bool) -> str:
    """Return the text that a backslash and the character after it mean; see `_read_parts`."""
    if not escapes:
        return character if character in (opening, closing) and character in "/!,|" else "\\" + character
    if plain:
        return character if character in ("\\", opening, closing) else "\\" + character
    return "" if character == "\n" else _ESCAPES.get(character, character)


def _dedent(body: str) -> str:
    lines = body.splitlines(keepends=True)
    margins = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    return "".join(line[min(margins, default=0) :] for line in lines)
