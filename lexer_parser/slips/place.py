"""The tokens around a syntax error, as the rules look at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.templates import begin
from lexer_parser.source import Source, Span

OPENING = {"LBRACE": "}", "SELBRACE": "}", "LPAREN": ")", "WSLPAREN": ")", "LBRACK": "]", "LISTSTART": "]"}
CLOSING = {"RBRACE": "}", "RPAREN": ")", "RBRACK": "]"}
VALUES = frozenset(
    ("NAME", "WORD", "CLASSREF", "VARIABLE", "NUMBER", "STRING", "BOOLEAN", "UNDEF", "DEFAULT")
)
VALUE_ENDS = VALUES | {"DQPOST", "REGEX", "RPAREN", "RBRACK", "RBRACE"}
VALUE_STARTS = VALUES | {"DQPRE", "LISTSTART", "LBRACE"}
BODY_KEYWORDS = frozenset(
    ("CLASS", "DEFINE", "FUNCTION", "NODE", "IF", "ELSIF", "UNLESS", "INHERITS", "TYPE")
)


class Advice:
    """What a rule says: a line of help, perhaps a near word, and places worth a look."""

    __slots__ = ("help", "notes", "suggestion")

    def __init__(self, help: str, suggestion: str | None = None, notes: tuple[Note, ...] = ()) -> None:
        self.help = help
        self.suggestion = suggestion
        self.notes = notes


class Place:
    """The tokens of a source and the one in the way; `index` is one past the last at the end of input."""

    def __init__(
        self, source: Source, offset: int | None, epp: bool = False, expected: Iterable[str] = ()
    ) -> None:
        lexer = Lexer(source, PUPPET)  # its words are enough to tell slips in either dialect
        if epp:
            begin(lexer)
        lexer.run()
        self.source = source
        self.text = source.text
        self.kinds = lexer.types
        self.tokens = lexer.tokens
        self.expected = frozenset(expected)
        if self.kinds and self.kinds[-1] in ("$end", "ERROR"):
            self.kinds, self.tokens = self.kinds[:-1], self.tokens[:-1]
        self.index = len(self.kinds)
        if offset is not None:
            starts = [start for start, _, _ in self.tokens]
            self.index = next((i for i, start in enumerate(starts) if start >= offset), len(starts))
        self.open, self.suspect = self.brackets()

    def brackets(self) -> tuple[list[int], int | None]:
        """The brackets open before the error, and the first brace that a wrongly indented one closes."""
        open_, suspect = [], None
        for index in range(self.index):
            kind = self.kinds[index]
            if kind in OPENING:
                open_.append(index)
            elif kind in CLOSING and open_ and OPENING[self.kinds[open_[-1]]] == CLOSING[kind]:
                opener = open_.pop()
                if suspect is None and kind == "RBRACE" and self.indent(index) < self.indent(opener):
                    suspect = opener
        return open_, suspect

    def indent(self, index: int) -> int:
        """How far the line of a token is indented."""
        line = self.source.line(self.line(index))
        return len(line) - len(line.lstrip())

    def line(self, index: int) -> int:
        """The line on which a token begins."""
        return self.source.position(self.tokens[index][0])[0]

    def kind(self, relative: int) -> str:
        """The name of a token counted from the one in the way, "" beyond the ends."""
        index = self.index + relative
        return self.kinds[index] if 0 <= index < len(self.kinds) else ""

    def word(self, relative: int) -> str:
        """The source text of a token counted from the one in the way, "" beyond the ends."""
        index = self.index + relative
        return self.at(index) if 0 <= index < len(self.kinds) else ""

    def at(self, index: int) -> str:
        """The source text of a token."""
        start, end, _ = self.tokens[index]
        return self.text[start:end]

    def value(self, relative: int) -> Any:
        """The value of a token counted from the one in the way."""
        return self.tokens[self.index + relative][2]

    def here(self) -> str:
        """The text from the error on."""
        return self.text[self.tokens[self.index][0] :] if self.index < len(self.tokens) else ""

    def adjacent(self) -> bool:
        """Tells whether nothing stands between the token in the way and the one before."""
        return 0 < self.index < len(self.tokens) and (
            self.tokens[self.index - 1][1] == self.tokens[self.index][0]
        )

    def note(self, text: str, index: int) -> Note:
        """A note at a token."""
        start, end, _ = self.tokens[index]
        return Note(text, Span(self.source, start, end))

    @property
    def opener(self) -> str:
        """The kind of the innermost open bracket, "" when none is."""
        return self.kinds[self.open[-1]] if self.open else ""

    def braces(self) -> str:
        """What the innermost open braces are: "resource", "hash", "selector", "case", "body" or ""."""
        return self.role(self.open[-1]) if self.open else ""

    def role(self, opener: int) -> str:
        """What the braces that open at a token are."""
        if self.kinds[opener] == "SELBRACE":
            return "selector"
        if self.kinds[opener] != "LBRACE":
            return ""
        before = self.kinds[opener - 1] if opener else ""
        if before == "CLASS":
            return "resource"
        head = self.head(opener)
        if head == "CASE":
            return "case"
        if head in BODY_KEYWORDS or before in ("ELSE", "PIPE", "COLON"):
            return "body"
        return "resource" if before in ("NAME", "CLASSREF", "RBRACK", "VARIABLE", "AT", "ATAT") else "hash"

    def head(self, index: int) -> str:
        """The keyword that begins the statement whose braces open at a token, "" when there is none."""
        depth = 0
        for i in range(index - 1, -1, -1):
            kind = self.kinds[i]
            if kind == "RBRACE" and depth == 0:
                return ""  # of the statement before
            if kind in CLOSING:
                depth += 1
            elif kind in OPENING:
                depth -= 1
                if depth < 0:
                    return ""
            elif depth == 0:
                if kind in BODY_KEYWORDS or kind == "CASE":
                    return kind
                if kind in ("SEMIC", "EQUALS", "FARROW", "COLON"):
                    return ""
        return ""

    def since_opening(self) -> list[str]:
        """The kinds of the tokens directly in the innermost open brackets, up to the one in the way."""
        kinds, depth = [], 0
        for i in range(self.open[-1] + 1 if self.open else 0, self.index):
            kind = self.kinds[i]
            if kind in CLOSING:
                depth -= 1
            if depth == 0:
                kinds.append(kind)
            if kind in OPENING:
                depth += 1
        return kinds
