"""The words of Ruby source: so much of the language's lexical form as the sources of resource types need.

Strings, regular expressions, heredocs and lists of words are read whole, whatever stands in them; what they
interpolate is read as source in turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LONGEST = 1_000_000  # characters of a source
MAX_INTERPOLATIONS = 20  # interpolations inside each other

Text = list["str | list[Token]"]  # the parts of a string: as they stand, or source that is interpolated


class Unreadable(Exception):
    """The source has a form that is not known here."""


class Token:
    """A word of the source.

    kind    "name", "constant", "variable" (@a, $a), "symbol", "label", "text", "regexp", "words", "number",
            "operator", "keyword" or "line" (the end of a line)
    value   its text; the parts of what can interpolate, the texts of a list of words
    flags   of a regular expression;  spaced  whether there are blanks before it
    """

    __slots__ = ("flags", "kind", "spaced", "value")

    def __init__(self, kind: str, value: str | list[str] | Text, spaced: bool, flags: str = "") -> None:
        self.kind: Final = kind
        self.value: Final = value
        self.spaced: Final = spaced
        self.flags: Final = flags

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
_VALUES = frozenset(
    {"self", "nil", "true", "false", "end", "super", "yield", "__FILE__"}
)  # ends of expressions
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SKIPPED = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
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
_PERCENT = re.compile(r"%([wWiIqQrs]?)([^\w\s])")
_CHARACTER = re.compile(r"\?(\\.|\S)(?!\w)")
_COMMENTED = re.compile(r"^=begin\b.*?^=end\b[^\n]*", re.M | re.S)
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "r": "\r", "0": "\0", "e": "\x1b", "a": "\a", "b": "\b"}


class Lexer:
    """Reads one source from a place to its end, or to the brace that closes an interpolation."""

    def __init__(self, text: str, place: int = 0, depth: int = 0) -> None:
        if len(text) > LONGEST or depth > MAX_INTERPOLATIONS:
            raise Unreadable
        self.text = text
        self.place = place
        self.depth = depth
        self.tokens: list[Token] = []
        self._heredocs: list[tuple[str, str, bool, Text]] = []  # that begin on this line

    def read(self) -> list[Token]:
        """The words up to the end. Raises Unreadable."""
        braces = 0
        while self.place < len(self.text):
            spaced = self._skip()
            if self.place >= len(self.text):
                break
            sign = self.text[self.place]
            if sign == "\n":
                self._line()
            elif sign == "}" and not braces and self.depth:
                return self.tokens
            elif not self._read_quoted(sign, spaced) and not self._read_word(spaced):
                found = _OPERATOR.match(self.text, self.place)
                if found is None:
                    raise Unreadable
                braces += (found[0] == "{") - (found[0] == "}")
                self._add("operator", found[0], spaced, found.end())
        if self.depth:
            raise Unreadable
        return self.tokens

    def _skip(self) -> bool:
        """Passes over blanks and comments; true when there are any."""
        start = self.place
        while True:
            at_line = self.place == 0 or self.text[self.place - 1] == "\n"
            found = (
                _SKIPPED.match(self.text, self.place)
                or _COMMENT.match(self.text, self.place)
                or (_COMMENTED.match(self.text, self.place) if at_line else None)
            )
            if at_line and re.compile(r"__END__\s*$", re.M).match(self.text, self.place):
                self.place = len(self.text)
            if found is None:
                return self.place > start
            self.place = found.end()

    def _add(self, kind: str, value: str | list[str] | Text, spaced: bool, end: int, flags: str = "") -> None:
        self.tokens.append(Token(kind, value, spaced, flags))
        self.place = end

    def _line(self) -> None:
        self._add("line", "\n", False, self.place + 1)
        for kind, word, plain, parts in self._heredocs:
            self._read_heredoc(kind, word, plain, parts)
        self._heredocs.clear()

    # --- where an operand may begin

    def _after_value(self) -> bool:
        """True when what stands before is a whole operand."""
        if not self.tokens:
            return False
        last = self.tokens[-1]
        if last.kind == "operator":
            return last.value in (")", "]", "}")
        if last.kind == "keyword":
            return last.value in _VALUES
        return last.kind not in ("line", "label")

    def _begins(self, spaced: bool, length: int) -> bool:
        """True when a sign that can also be an operator begins an operand."""
        if not self._after_value():
            return True
        name = self.tokens[-1].kind == "name"
        following = self.text[self.place + length : self.place + length + 1]
        return name and spaced and not following.isspace() and following != "="

    # --- words

    def _read_word(self, spaced: bool) -> bool:
        text, place = self.text, self.place
        found = _NAME.match(text, place)
        if found is None:
            found = _VARIABLE.match(text, place)
            if found is not None:
                self._add("variable", found[0], spaced, found.end())
                return True
            found = _NUMBER.match(text, place)
            if found is not None:
                self._add("number", found[0].replace("_", ""), spaced, found.end())
            return found is not None
        word, end = found[0], found.end()
        if text[end : end + 1] in ("?", "!") and text[end + 1 : end + 2] != "=":
            asks = self._last() == "?" or (text[end] == "?" and text[end + 1 : end + 2] == ":")
            if not asks:
                word, end = word + text[end], end + 1
        method = self._last() in (".", "&.", "def")
        if text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":" and self._last() not in (".", "&."):
            self._add("label", word, spaced, end + 1)
        elif word in KEYWORDS and not (method and word != "self"):
            self._add("keyword", word, spaced, end)
        else:
            self._add("constant" if word[0].isupper() else "name", word, spaced, end)
        return True

    def _last(self) -> str:
        last = self.tokens[-1] if self.tokens else None
        return str(last.value) if last is not None and last.kind in ("operator", "keyword") else ""

    # --- what is quoted

    def _read_quoted(self, sign: str, spaced: bool) -> bool:
        text, place = self.text, self.place
        if sign in "\"'`":
            parts = self._quoted(sign, sign, plain=sign == "'")
            labels = text[self.place : self.place + 1] == ":" and text[self.place + 1 : self.place + 2] != ":"
            if labels and self._begins_pair():
                self._add("label", _only(parts), spaced, self.place + 1)
                return True
            self._add("text", parts, spaced, self.place)
        elif sign == ":" and text[place + 1 : place + 2] in ("'", '"'):
            self.place += 1
            quote = text[self.place]
            self._add("symbol", _only(self._quoted(quote, quote, plain=quote == "'")), spaced, self.place)
        elif sign == ":" and (found := _SYMBOL.match(text, place)) is not None and text[place + 1] != ":":
            self._add("symbol", found[1] or found[2], spaced, found.end())
        elif sign == "/" and self._begins(spaced, 1):
            self._regexp("/", "/", spaced)
        elif sign == "%" and (found := _PERCENT.match(text, place)) and self._begins(spaced, 1):
            self._percent(found[1], found[2], found.end() - 1, spaced)
        elif sign == "<" and (found := _HEREDOC.match(text, place)) and self._begins(spaced, 2):
            parts = []
            self._heredocs.append((found[1], found[3] or found[4], found[2] == "'", parts))
            self._add("text", parts, spaced, found.end())
        elif sign == "?" and (found := _CHARACTER.match(text, place)) and not self._after_value():
            self._add("text", [found[1]], spaced, found.end())
        else:
            return False
        return True

    def _begins_pair(self) -> bool:
        """True where the key of a hash can stand."""
        last = next((token for token in reversed(self.tokens) if token.kind != "line"), None)
        return last is not None and last.kind == "operator" and last.value in ("{", ",", "(")

    def _percent(self, kind: str, opening: str, place: int, spaced: bool) -> None:
        self.place = place
        closing = _CLOSING.get(opening, opening)
        if kind == "r":
            self._regexp(opening, closing, spaced)
            return
        parts = self._quoted(opening, closing, plain=kind in ("w", "i", "q", "s"))
        if kind in ("w", "W", "i", "I"):
            self._add("words", _only(parts).split(), spaced, self.place)
        elif kind == "s":
            self._add("symbol", _only(parts), spaced, self.place)
        else:
            self._add("text", parts, spaced, self.place)

    def _regexp(self, opening: str, closing: str, spaced: bool) -> None:
        parts = self._quoted(opening, closing, plain=False, escapes=False)
        flags = re.compile("[imxounse]*").match(self.text, self.place)
        assert flags is not None
        self._add("regexp", parts, spaced, flags.end(), flags[0])

    def _quoted(self, opening: str, closing: str, plain: bool, escapes: bool = True) -> Text:
        """The parts of what stands between two signs; the place is then behind it. Raises Unreadable."""
        text = self.text
        parts: Text = []
        piece: list[str] = []
        nested = 0
        self.place += 1
        while self.place < len(text):
            sign = text[self.place]
            if sign == "\\":
                piece.append(
                    _escaped(text[self.place + 1 : self.place + 2], opening, closing, plain, escapes)
                )
                self.place += 2
                continue
            if sign == "#" and not plain and text[self.place + 1 : self.place + 2] == "{":
                self._interpolation(parts, piece)
                continue
            if sign == closing and not nested:
                self.place += 1
                return [*parts, "".join(piece)]
            if opening != closing:
                nested += (sign == opening) - (sign == closing)
            piece.append(sign)
            self.place += 1
        raise Unreadable

    def _interpolation(self, parts: Text, piece: list[str]) -> None:
        """Reads `#{…}` at the place: the text before it and its words become parts."""
        inner = Lexer(self.text, self.place + 2, self.depth + 1)
        parts += ["".join(piece), inner.read()]
        piece.clear()
        self.place = inner.place + 1

    def _read_heredoc(self, kind: str, word: str, plain: bool, parts: Text) -> None:
        """Reads the lines up to the word; its parts are what a text token holds that was made before."""
        indented = r"[ \t]*" if kind else ""
        ending = re.compile(rf"{indented}{re.escape(word)}[ \t\r]*$", re.M)
        start = self.place
        while self.place < len(self.text):
            if ending.match(self.text, self.place) is not None:
                body = self.text[start : self.place]
                self.place = (self.text.find("\n", self.place) + 1) or len(self.text)
                parts.append(_dedented(body) if kind == "~" else body)
                if not plain and "#{" in body:
                    parts.append([])  # what it says is not known before it runs
                return
            self.place = (self.text.find("\n", self.place) + 1) or len(self.text)
        raise Unreadable


def _only(parts: Text) -> str:
    """The text of what interpolates nothing. Raises Unreadable."""
    if any(type(part) is list for part in parts):
        raise Unreadable
    return "".join(str(part) for part in parts)


def _escaped(sign: str, opening: str, closing: str, plain: bool, escapes: bool) -> str:
    """What a backslash and the sign after it mean."""
    if not escapes:
        return sign if sign in (opening, closing) and sign in "/!,|" else "\\" + sign
    if plain:
        return sign if sign in ("\\", opening, closing) else "\\" + sign
    return "" if sign == "\n" else _ESCAPES.get(sign, sign)


def _dedented(body: str) -> str:
    lines = body.splitlines(keepends=True)
    margins = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    return "".join(line[min(margins, default=0) :] for line in lines)


# --- The shape of Ruby source: what stands between brackets, and between a word such as `do` and its `end`.


Parts = list["Token | Group"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENING = frozenset(
    {"def", "class", "module", "case", "begin", "do", "for", "if", "unless", "while", "until"}
)
_MODIFIERS = frozenset({"if", "unless", "while", "until", "rescue"})
_LOOPS = frozenset({"for", "while", "until"})
MAX_NESTING = 100
# after these an expression goes on in the next line
_GOING_ON = frozenset(
    (
        *("+", "-", "*", "/", "%", "**", "=", "==", "!=", "===", "=~", "!~", "<", ">", "<=", ">="),
        *("<=>", "&&", "||", "&", "|", "^", "<<", ">>", "=>", ",", ".", "&.", "::", "+=", "-="),
        *("||=", "&&=", "?", ":", "!", "->"),
    )
)


class Group:
    """What a bracket or an opening word holds, lines and all; `kind` is the bracket or the word."""

    __slots__ = ("kind", "parts", "spaced")

    def __init__(self, kind: str, spaced: bool) -> None:
        self.kind: Final = kind
        self.parts: Final[Parts] = []
        self.spaced: Final = spaced

    def __repr__(self) -> str:
        return f"{self.kind}{self.parts}"


def is_word(part: Token | Group | None, *words: str) -> bool:
    """True for an operator or keyword that is one of these."""
    return isinstance(part, Token) and part.kind in ("operator", "keyword") and part.value in words


def grouped(tokens: list[Token]) -> Parts:
    """The tokens with what is nested in groups. Raises Unreadable."""
    top = Group("", False)
    stack = [top]
    awaits_do = False
    for index, token in enumerate(tokens):
        parts = stack[-1].parts
        last = parts[-1] if parts else None
        if token.kind == "line":
            awaits_do = False
            if parts and not _goes_on(last, stack[-1]) and not _continued(tokens, index):
                parts.append(token)
            continue
        word = str(token.value) if token.kind in ("operator", "keyword") else ""
        if word in _BRACKETS or (word in _OPENING and not _modifies(word, last)):
            if word == "do" and awaits_do:
                awaits_do = False
                parts.append(Token("line", "\n", False))
                continue
            if len(stack) > MAX_NESTING:
                raise Unreadable
            group = Group(word, token.spaced)
            parts.append(group)
            stack.append(group)
            awaits_do = word in _LOOPS or (awaits_do and word in _BRACKETS)
        elif word in (")", "]", "}", "end"):
            if len(stack) == 1 or _BRACKETS.get(stack[-1].kind, "end") != word:
                raise Unreadable
            stack.pop()
        elif word in (";", "then"):
            parts.append(Token("line", "\n", False))
        else:
            parts.append(token)
    if len(stack) > 1:
        raise Unreadable
    return top.parts


def _modifies(word: str, last: Token | Group | None) -> bool:
    """True when `if` and its like follow a whole statement on its line, which they modify."""
    if word not in _MODIFIERS or last is None:
        return False
    if isinstance(last, Group):
        return True
    if last.kind == "keyword":
        return last.value in (
            "self",
            "nil",
            "true",
            "false",
            "return",
            "break",
            "next",
            "super",
            "redo",
            "retry",
        )
    return last.kind not in ("line", "operator", "label")


def _goes_on(last: Token | Group | None, group: Group) -> bool:
    """True when a statement is not complete at the end of its line."""
    if last is None or isinstance(last, Group) or last.kind == "line":
        return last is None or isinstance(last, Token)
    if last.kind == "operator" and last.value == "|" and group.kind in ("do", "{"):
        return not _ends_parameters(group)
    return (last.kind == "operator" and last.value in _GOING_ON) or (
        last.kind == "keyword" and last.value in ("and", "or", "not")
    )


def _ends_parameters(group: Group) -> bool:
    """True when the bar that stands last closes the parameters of a block."""
    bars = [index for index, part in enumerate(group.parts) if is_word(part, "|")]
    return len(bars) == 2 and bars[0] == 0


def _continued(tokens: list[Token], index: int) -> bool:
    """True when the next line begins with the dot of a call."""
    for token in tokens[index + 1 : index + 50]:
        if token.kind != "line":
            return token.kind == "operator" and token.value in (".", "&.")
    return False


def statements(parts: Parts) -> Iterator[Parts]:
    """The statements, which lines separate."""
    found: Parts = []
    for part in parts:
        if isinstance(part, Token) and part.kind == "line":
            if found:
                yield found
            found = []
        else:
            found.append(part)
    if found:
        yield found


def words(parts: Parts) -> Iterator[str]:
    """All names in the parts, however deep."""
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, Group):
            pending += part.parts
        elif part.kind in ("name", "constant", "symbol") and type(part.value) is str:
            yield part.value
