"""A Pygments lexer for Puppet that uses the language's own token tables.

It never fails: incomplete or wrong code is coloured as far as possible, because users see it while they type.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Token,
    Whitespace,
)

from lexer_parser.lexing.tokens import BLANKS, KEYWORDS, RULES
from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.elements import Fragment, Line

CONSTANTS = ("true", "false", "undef", "default")
WORD_OPERATORS = ("and", "or", "in")
STATEMENTS = (
    *("include", "require", "contain", "realize", "tag", "fail", "import", "break", "next", "return"),
    *("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"),
)

_RULES = dict(RULES)
_CODE = re.compile(
    rf"""
      (?P<blank>    [{BLANKS}\n]+ )
    | (?P<comment>  \#[^\n]* | /\*[\s\S]*?(?:\*/|\Z) )
    | (?P<heredoc>  @\([^)\n]*\)? )
    | (?P<double>   " )
    | (?P<single>   {_RULES["QUOTED"]} | '(?:[^'\\]|\\[\s\S])*'? )
    | (?P<variable> \$(?:(?:::)?(?:\w+::)*\w+)? )
    | (?P<type>     {_RULES["CLASSREF"]} )
    | (?P<word>     {_RULES["WORD"]} )
    | (?P<number>   0[xX][0-9A-Fa-f]+ | \d+(?:\.\d+)?(?:[eE]-?\d+)? )
    | (?P<brace>    [{{}}] )
    | (?P<mark>     [\[\](),;:.|?] )
    | (?P<operator> [=+]> | <<?\| | \|>>? | [-~]> | <[-~] | [=!]~ | [=!<>]= | << | >> | [-+*/%=<>!@~] )
    | (?P<other>    [A-Z]\w*+(?:::[A-Z]\w*+)*+ | . )  # a type's name that `::` follows is read once
    """,
    re.X,
)
_REGEXP = re.compile(r"/(?!\*)(?:[^/\n\\]|\\.)+/")
_HEREDOC = re.compile(r"@\(\s*+(\"?)([^:/\r\n\")]++)\1[^)\n]*+\)")
# The pieces of a string in double quotes, and of a heredoc, in which a quote is an ordinary character.
_IN_STRING = re.compile(r'[^"\\$]+|\\[\s\S]|\$\{|\$(?:::)?[a-z_]\w*(?:::\w+)*|"|[\s\S]')
# A quote directly after the opening quote belongs to the string if another quote follows.
_QUOTE_FIRST = re.compile(r'"(?=(?:\\\\)*+["$])')
_IN_TEXT = re.compile(r"[^\\$]+|\\[\s\S]|\$\{|\$(?:::)?[a-z_]\w*(?:::\w+)*|[\s\S]")
_TEMPLATE = re.compile(r"<%%|<%#[\s\S]*?(?:-?%>|\Z)|<%[-=]?|[^<]+|<")
_TEMPLATE_END = re.compile(r"-?%>")
_KINDS = {
    "blank": Whitespace,
    "single": String.Single,
    "type": Keyword.Type,
    "regexp": String.Regex,
    "mark": Punctuation,
    "operator": Operator,
    "other": Error,
}
# After these a slash divides; after anything else it may open a regular expression.
_OPERANDS = ("single", "double", "variable", "type", "number", "word", "regexp")

Piece = tuple[int, Any, str]  # the offset, the token type of Pygments, the text


class _HighlightRun(Record):
    """One run over a text, whose generators yield pieces from `offset` on and advance it.

    Attributes:
        text: The text.
        offset: The number of characters before the next piece.
        heredocs: The tag of each heredoc opened on the current line, and True if it interpolates.
        last: The kind of the last token; "interpolation" directly after `${`.
    """

    text: str
    offset: int = 0
    heredocs: list[tuple[str, bool]] = fresh(factory=list)
    last: str = ""

    def iterate_code(self, end: int, template: bool = False) -> Iterator[Piece]:
        """Yield code up to `end` or a template's closing tag.

        A string with interpolations is not nested code: it is left at each `${` and continued at the brace that closes
        it, the first one at which no brace of the interpolated code is open.
        """
        nested: list[int] = []  # for each open `${` the depth outside of it
        depth = 0  # the open braces since the last `${`
        while self.offset < end:
            if template and (close := _TEMPLATE_END.match(self.text, self.offset)):
                yield self._take(Comment.Preproc, close.group())
                return
            kind, text = self._match_next(end)
            ends_interpolation = text == "}" and not depth and bool(nested)
            if kind == "blank" and "\n" in text and self.heredocs:
                yield self._take(Whitespace, text[: text.index("\n") + 1])
                yield from self._iterate_heredocs(end)
            elif kind == "double" or ends_interpolation:
                yield self._take(String.Interpol if ends_interpolation else String.Double, text)
                depth = nested.pop() if ends_interpolation else depth
                is_interrupted = yield from self._iterate_string(end, _IN_STRING)
                if is_interrupted:
                    nested.append(depth)
                    depth = 0
                if is_interrupted or ends_interpolation:
                    continue  # the string has set `last`
            elif kind == "brace":
                depth = max(depth + (1 if text == "{" else -1), 0)
                yield self._take(Punctuation, text)
            else:
                yield self._take(self._find_token_type(kind, text), text)
            if kind not in ("blank", "comment"):
                self.last = kind

    def _match_next(self, end: int) -> tuple[str, str]:
        """Return the kind and the text of the next token."""
        if self.text[self.offset] == "/" and self.last not in _OPERANDS:
            regexp = _REGEXP.match(self.text, self.offset, end)
            if regexp:
                return "regexp", regexp.group()
        match = _CODE.match(self.text, self.offset, end)
        assert match is not None  # the last alternative takes anything
        return match.lastgroup or "", match.group()

    def _take(self, token: Any, text: str) -> Piece:
        """Return the piece with the next characters, and advance."""
        start = self.offset
        self.offset += len(text)
        return start, token, text

    def _find_token_type(self, kind: str, text: str) -> Any:
        """Return the token type of a kind of code."""
        match kind:
            case "comment":
                return Comment.Multiline if text.startswith("/*") else Comment.Single
            case "variable":
                return Name.Variable if len(text) > 1 else Error
            case "heredoc":
                tag = _HEREDOC.fullmatch(text)
                if tag:
                    self.heredocs.append((tag.group(2).strip(), bool(tag.group(1))))
                return String.Heredoc
            case "word":
                return self._find_word_type(text)
            case "number" if text.startswith(("0x", "0X")):
                return Number.Hex
            case "number":
                return Number.Float if "." in text or "e" in text.lower() else Number.Integer
        return _KINDS[kind]

    def _find_word_type(self, text: str) -> Any:
        """Return the token type of a word, which depends on the characters around it."""
        if self.last == "interpolation" and not self.text.startswith("(", self.offset + len(text)):
            return Name.Variable
        if text in CONSTANTS:
            return Keyword.Constant
        if text in WORD_OPERATORS:
            return Operator.Word
        end = self.offset + len(text)
        following = self.text[end : end + 40].lstrip(BLANKS)
        if following.startswith(("=>", "+>")):
            return Name.Attribute
        if text in KEYWORDS:
            return Keyword
        is_called = following.startswith("(") or self.text.startswith(".", self.offset - 1)
        if is_called or text in STATEMENTS:
            return Name.Function
        return Name.Class if following.startswith("{") else Name

    def _iterate_string(self, end: int, pattern: re.Pattern[str]) -> Generator[Piece, None, bool]:
        """Yield a string's text up to its closing quote; return True if it stops at `${` instead."""
        if pattern is _IN_STRING and _QUOTE_FIRST.match(self.text, self.offset, end):
            yield self._take(String.Double, '"')
        while self.offset < end:
            match = pattern.match(self.text, self.offset, end)
            assert match is not None
            text = match.group()
            if text == "${":
                self.last = "interpolation"
                yield self._take(String.Interpol, text)
                return True
            if text == '"' and pattern is _IN_STRING:
                yield self._take(String.Double, text)
                return False
            if text.startswith("$") and len(text) > 1:
                yield self._take(Name.Variable, text)
            elif text.startswith("\\"):
                yield self._take(String.Escape, text)
            else:
                yield self._take(String.Double if pattern is _IN_STRING else String.Heredoc, text)
        return False

    def _iterate_heredocs(self, end: int) -> Iterator[Piece]:
        """Yield the bodies of the heredocs that were opened on the last line."""
        waiting, self.heredocs = self.heredocs, []
        for tag, interpolated in waiting:
            close = re.compile(
                rf"^[{BLANKS}]*+(?:\|[{BLANKS}]*+)?(?:-[{BLANKS}]*+)?{re.escape(tag)}[{BLANKS}]*+$", re.M
            )
            end_line = close.search(self.text, self.offset, end)
            stop = end_line.start() if end_line else end
            if interpolated:
                yield from self._iterate_heredoc_text(stop)
            elif stop > self.offset:
                yield self._take(String.Heredoc, self.text[self.offset : stop])
            if end_line:
                yield self._take(String.Heredoc, end_line.group())

    def _iterate_heredoc_text(self, end: int) -> Iterator[Piece]:
        """Yield the text of a heredoc with the code in it."""
        while self.offset < end:
            is_interrupted = yield from self._iterate_string(end, _IN_TEXT)
            if is_interrupted:
                yield from self._iterate_interpolation(end)

    def _iterate_interpolation(self, end: int) -> Iterator[Piece]:
        """Yield the code of `${…}` in a heredoc, up to its brace."""
        depth, stop = 1, self.offset
        while stop < end and depth:
            depth += {"{": 1, "}": -1}.get(self.text[stop], 0)
            stop += 1
        closed = depth == 0
        yield from self.iterate_code(stop - 1 if closed else stop)
        if closed:
            yield self._take(String.Interpol, "}")

    def iterate_template(self) -> Iterator[Piece]:
        """Yield a template: text with tags."""
        while self.offset < len(self.text):
            match = _TEMPLATE.match(self.text, self.offset)
            assert match is not None
            text = match.group()
            if text.startswith("<%#"):
                yield self._take(Comment.Multiline, text)
            elif text.startswith("<%") and text != "<%%":
                yield self._take(Comment.Preproc, text)
                yield from self.iterate_code(len(self.text), template=True)
            else:
                yield self._take(Text, text)


class PuppetLexer(Lexer):
    """A Pygments lexer for manifests, and with the option `epp=True` for EPP templates."""

    name = "Puppet (puppet-kernel)"
    aliases: ClassVar[list[str]] = ["puppet-kernel"]
    filenames: ClassVar[list[str]] = ["*.pp", "*.epp"]
    url = "https://www.puppet.com/docs/puppet/latest/lang_visual_index.html"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.epp = bool(options.get("epp"))

    def get_tokens_unprocessed(self, text: str) -> Iterator[Piece]:
        """Yield (offset, token type, text) for all of `text`."""
        run = _HighlightRun(text)
        return run.iterate_template() if self.epp else run.iterate_code(len(text))


# The role of each token type, in the order in which they are tried: a type precedes the more general one.
_ROLES = (
    (Comment.Preproc, "keyword"),
    (Comment, "comment"),
    (String.Escape, "number"),
    (String.Interpol, "keyword"),
    (String, "string"),
    (Number, "number"),
    (Keyword.Type, "type"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Variable, "variable"),
    (Name.Class, "type"),
    (Name.Function, "strong"),
    (Error, "error"),
    (Token, ""),
)


def highlight_lines(source: str) -> list[Line]:
    """Return the lines of Puppet code as fragments with roles."""
    lines: list[list[Fragment]] = [[]]
    for _, token, text in PuppetLexer().get_tokens_unprocessed(source):
        role = next(role for kind, role in _ROLES if token in kind)
        for i, part in enumerate(text.split("\n")):
            if i:
                lines.append([])
            if part:
                lines[-1].append((role, part))
    return [tuple(parts) for parts in lines]
