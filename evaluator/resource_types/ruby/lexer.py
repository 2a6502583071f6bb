"""A lexer of Ruby, for the sources of resource types, which also groups nested tokens.

Strings, regular expressions, heredocs and lists of words are single tokens; the source that they interpolate is
lexed in turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final, TypeVar

from lexer_parser.record import Record, fresh

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
        value: Its text; the parts of a string that can interpolate; the words of a list.
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
_OPERAND_KEYWORDS = frozenset({"self", "nil", "true", "false", "end", "super", "yield", "__FILE__"})
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BLANKS = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
_COMMENT = re.compile(r"#[^\n]*")
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
_BLOCK_COMMENT = re.compile(r"^=begin\b.*?^=end\b[^\n]*", re.M | re.S)
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


class RubyLexer:
    """A lexer of one source up to its end, or to the brace that closes an interpolation."""

    def __init__(self, text: str, position: int = 0, depth: int = 0) -> None:
        refuse_if(len(text) > MAX_LENGTH or depth > MAX_INTERPOLATIONS)
        self.text = text
        self.position = position
        self.depth = depth
        self.tokens: list[RubyToken] = []
        # The heredocs that begin on this line: its "-" or "~", its end word, True if it is raw, and the parts of its
        # token, which are added when the line ends.
        self._heredocs: list[tuple[str, str, bool, Text]] = []

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
        while True:
            at_line = self.position == 0 or self.text[self.position - 1] == "\n"
            match = (
                _BLANKS.match(self.text, self.position)
                or _COMMENT.match(self.text, self.position)
                or (_BLOCK_COMMENT.match(self.text, self.position) if at_line else None)
            )
            if at_line and re.compile(r"__END__\s*$", re.M).match(self.text, self.position):
                self.position = len(self.text)
            if match is None:
                return self.position > start
            self.position = match.end()

    def _add(self, kind: str, value: str | list[str] | Text, spaced: bool, end: int, flags: str = "") -> None:
        self.tokens.append(RubyToken(kind, value, spaced, flags))
        self.position = end

    def _end_line(self) -> None:
        """Add the token of a line break, then read the heredocs that begin on the line."""
        self._add("line", "\n", False, self.position + 1)
        for indent, end_word, plain, parts in self._heredocs:
            self._read_heredoc(indent, end_word, plain, parts)
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
            return last.value in _OPERAND_KEYWORDS
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
            )
            if is_label and self._begins_pair():
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
            parts = []
            self._heredocs.append((match[1], match[3] or match[4], match[2] == "'", parts))
            self._add("text", parts, spaced, match.end())
        elif character == "?" and (match := _CHARACTER.match(text, position)) and not self._follows_operand():
            self._add("text", [match[1]], spaced, match.end())
        else:
            return False
        return True

    def _begins_pair(self) -> bool:
        """Return whether the key of a hash can be here."""
        return self._get_last_sign() in ("{", ",", "(")

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

    def _read_heredoc(self, indent: str, end_word: str, plain: bool, parts: Text) -> None:
        """Read the lines of a heredoc up to its end word into the parts of its token."""
        blanks = r"[ \t]*" if indent else ""
        ending = re.compile(rf"{blanks}{re.escape(end_word)}[ \t\r]*$", re.M)
        start = self.position
        while self.position < len(self.text):
            if ending.match(self.text, self.position) is not None:
                body = self.text[start : self.position]
                self.position = (self.text.find("\n", self.position) + 1) or len(self.text)
                parts.append(_dedent(body) if indent == "~" else body)
                if not plain and "#{" in body:
                    parts.append([])  # an interpolation that is not evaluated
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


# --- groups: the tokens between brackets, and between a word such as `do` and its `end`


Parts = list["RubyToken | TokenGroup"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENING = frozenset(
    {"def", "class", "module", "case", "begin", "do", "for", "if", "unless", "while", "until"}
)
_MODIFIERS = frozenset({"if", "unless", "while", "until", "rescue"})
_LOOPS = frozenset({"for", "while", "until"})
MAX_NESTING = 100
# after these an expression continues in the next line
_CONTINUING = frozenset(
    (
        *("+", "-", "*", "/", "%", "**", "=", "==", "!=", "===", "=~", "!~", "<", ">", "<=", ">="),
        *("<=>", "&&", "||", "&", "|", "^", "<<", ">>", "=>", ",", ".", "&.", "::", "+=", "-="),
        *("||=", "&&=", "?", ":", "!", "->"),
    )
)


class TokenGroup(Record):
    """The tokens inside brackets, or of a statement such as `if`.

    `kind` is the bracket or the word.
    """

    kind: Final[str]
    spaced: Final[bool]
    parts: Parts = fresh(factory=list)

    def __repr__(self) -> str:
        return f"{self.kind}{self.parts}"


def is_group(part: RubyToken | TokenGroup | None, *kinds: str) -> bool:
    """Return whether a part is a group of one of these kinds."""
    return isinstance(part, TokenGroup) and part.kind in kinds


def is_word(part: RubyToken | TokenGroup | None, *words: str) -> bool:
    """Return whether a token is one of these operators or keywords."""
    return isinstance(part, RubyToken) and part.kind in ("operator", "keyword") and part.value in words


def group_tokens(tokens: list[RubyToken]) -> Parts:
    """Return the tokens, with nested ones in groups. Raises UnsupportedSyntax."""
    top = TokenGroup("", False)
    stack = [top]
    awaits_do = False  # True between the keyword of a loop and its `do`, which opens no group of its own
    for index, token in enumerate(tokens):
        parts = stack[-1].parts
        last = parts[-1] if parts else None
        if token.kind == "line":
            if parts and not _is_incomplete(last, stack[-1]) and not _continues_with_dot(tokens, index):
                awaits_do = False
                parts.append(token)
            continue
        word = str(token.value) if token.kind in ("operator", "keyword") else ""
        if word in _BRACKETS or (word in _OPENING and not _is_modifier(word, last)):
            if word == "do" and awaits_do:
                awaits_do = False
                parts.append(RubyToken("line", "\n", False))
                continue
            refuse_if(len(stack) > MAX_NESTING)
            group = TokenGroup(word, token.spaced)
            parts.append(group)
            stack.append(group)
            awaits_do = word in _LOOPS or (awaits_do and word in _BRACKETS)
        elif word in (")", "]", "}", "end"):
            refuse_if(len(stack) == 1 or _BRACKETS.get(stack[-1].kind, "end") != word, MalformedSource)
            stack.pop()
        elif word == "=" and token.spaced and _is_method_head(stack[-1]):
            stack.pop()  # the method has no `end`
        elif word in (";", "then"):
            parts.append(RubyToken("line", "\n", False))
        else:
            parts.append(token)
    refuse_if(len(stack) > 1, MalformedSource)
    return top.parts


def _is_method_head(group: TokenGroup) -> bool:
    """Return whether a group has only the name of a method and its parameters in parentheses."""
    parts = group.parts[:-1] if group.parts and is_group(group.parts[-1], "(") else group.parts
    return group.kind == "def" and (len(parts) == 1 or (len(parts) == 3 and is_word(parts[1], ".")))


def _is_modifier(word: str, last: RubyToken | TokenGroup | None) -> bool:
    """Return whether a word such as `if` modifies the statement before it on the line."""
    if word not in _MODIFIERS or last is None:
        return False
    if isinstance(last, TokenGroup):
        return True
    if last.kind == "keyword":
        return last.value in _OPERAND_KEYWORDS or last.value in ("return", "break", "next", "redo", "retry")
    return last.kind not in ("line", "operator", "label")


def _is_incomplete(last: RubyToken | TokenGroup | None, group: TokenGroup) -> bool:
    """Return whether a statement is incomplete at the end of its line."""
    if last is None or isinstance(last, TokenGroup) or last.kind == "line":
        return last is None or isinstance(last, RubyToken)
    if last.kind == "operator" and last.value == "|" and group.kind in ("do", "{"):
        return not _ends_block_parameters(group)
    return (last.kind == "operator" and last.value in _CONTINUING) or (
        last.kind == "keyword" and last.value in ("and", "or", "not")
    )


def _ends_block_parameters(group: TokenGroup) -> bool:
    """Return whether the last bar closes the parameters of a block."""
    bars = [index for index, part in enumerate(group.parts) if is_word(part, "|")]
    return len(bars) == 2 and bars[0] == 0


def _continues_with_dot(tokens: list[RubyToken], index: int) -> bool:
    """Return whether the next line begins with the dot of a call."""
    following = (token for token in tokens[index + 1 : index + 50] if token.kind != "line")
    return is_word(next(following, None), ".", "&.")


def split_statements(parts: Parts) -> Iterator[Parts]:
    """Yield the statements, which lines separate."""
    for is_line, group in groupby(parts, lambda part: isinstance(part, RubyToken) and part.kind == "line"):
        if not is_line:
            yield list(group)


def collect_names(parts: Parts) -> Iterator[str]:
    """Yield all names in the parts, at any depth."""
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, TokenGroup):
            pending += part.parts
        elif part.kind in ("name", "constant", "symbol") and type(part.value) is str:
            yield part.value
