"""The tokens around a syntax error, as the tests of rules see them.

`advice` makes a `TokenContext` for an error; the tests in `syntax_tests`, and those that `when` makes, read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.strings import read_template_start
from lexer_parser.lexing.tokens import CLOSING, OPENERS
from lexer_parser.source import Source, Span

VALUES = frozenset(
    ["NAME", "WORD", "CLASSREF", "VARIABLE", "NUMBER", "STRING", "BOOLEAN", "UNDEF", "DEFAULT"]
)
VALUE_ENDS = VALUES | {"DQPOST", "REGEX", "RPAREN", "RBRACK", "RBRACE"}
VALUE_STARTS = VALUES | {"DQPRE", "LISTSTART", "LBRACE"}
CONDITIONALS = ("IF", "ELSIF", "UNLESS")
DEFINING = ("CLASS", "DEFINE", "FUNCTION")
BODY_KEYWORDS = frozenset((*DEFINING, *CONDITIONALS, "NODE", "INHERITS", "TYPE"))
LONGEST_WORD = 30  # characters of a token that a sentence quotes

# The positions of the tokens around the error, by their names in messages and in `when`.
RELATIVE = {"before3": -3, "before2": -2, "before": -1, "here": 0, "after": 1, "after2": 2}


class TokenContext:
    """The tokens of a source and the token at which the parser stopped.

    The words are scanned as released Puppet does, which suffices to recognize mistakes in either dialect.

    Attributes:
        kinds: The name of each token in the grammar.
        triples: The start, end and value of each token.
        index: The index of the token that the grammar rejected; one past the last token at the end of input.
        expected: The names of the tokens that the grammar expected.
        open: The indexes of the brackets that are open before the error.
        suspect: The first brace that a wrongly indented brace closes, or None.
    """

    def __init__(
        self, source: Source, offset: int | None, epp: bool = False, expected: Iterable[str] = ()
    ) -> None:
        lexer = Lexer(source, PUPPET)
        if epp:
            read_template_start(lexer)
        lexer.run()
        self.source = source
        self.text = source.text
        self.kinds, self.triples = lexer.types[:-1], lexer.tokens[:-1]  # the last one is `$end` or `ERROR`
        self.expected = frozenset(expected)
        self.index = len(self.kinds)
        if offset is not None:
            starts = [start for start, _, _ in self.triples]
            self.index = next((i for i, start in enumerate(starts) if start >= offset), len(starts))
        self.open, self.suspect = self._find_brackets()

    def _find_brackets(self) -> tuple[list[int], int | None]:
        """Return the values of `open` and `suspect`."""
        open_, suspect = [], None
        for index in range(self.index):
            kind = self.kinds[index]
            if kind in OPENERS:
                open_.append(index)
            elif kind in CLOSING and open_ and OPENERS[self.kinds[open_[-1]]] == CLOSING[kind]:
                opener = open_.pop()
                if suspect is None and kind == "RBRACE" and self.indent_of(index) < self.indent_of(opener):
                    suspect = opener
        return open_, suspect

    # --- Tokens by index

    def indent_of(self, index: int) -> int:
        """Return the indentation, in characters, of the line of a token."""
        line = self.source.line(self.line_of(index))
        return len(line) - len(line.lstrip())

    def line_of(self, index: int) -> int:
        """Return the number of the line on which a token begins."""
        return self.source.position(self.triples[index][0])[0]

    def text_of(self, index: int) -> str:
        """Return the source text of a token."""
        start, end, _ = self.triples[index]
        return self.text[start:end]

    def note_at(self, index: int, text: str) -> Note:
        """Return a note at a token."""
        start, end, _ = self.triples[index]
        return Note(text, Span(self.source, start, end))

    # --- Tokens relative to the error

    def kind(self, relative: int) -> str:
        """Return the name of a token, counted from the one at the error; "" beyond the ends."""
        index = self.index + relative
        return self.kinds[index] if 0 <= index < len(self.kinds) else ""

    def word(self, relative: int) -> str:
        """Return the source text of a token, counted from the one at the error; "" beyond the ends."""
        index = self.index + relative
        return self.text_of(index) if 0 <= index < len(self.kinds) else ""

    @property
    def rest(self) -> str:
        """The source text from the error on."""
        return self.text[self.triples[self.index][0] :] if self.index < len(self.triples) else ""

    @property
    def is_adjacent(self) -> bool:
        """True if nothing separates the token at the error from the token before it."""
        return 0 < self.index < len(self.triples) and (
            self.triples[self.index - 1][1] == self.triples[self.index][0]
        )

    def begins_line(self, relative: int) -> bool:
        """Return True if only blanks and a hyphen precede a token on its line."""
        start = self.triples[self.index + relative][0]
        return not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip(" \t-")

    # --- The brackets around the error

    @property
    def opener(self) -> str:
        """The name of the innermost open bracket, "" if none is open."""
        return self.kinds[self.open[-1]] if self.open else ""

    @property
    def before_opener(self) -> str:
        """The name of the token before the innermost open bracket, "" if there is none."""
        return self.kinds[self.open[-1] - 1] if self.open and self.open[-1] else ""

    @property
    def braces(self) -> str:
        """The role of the innermost open braces: "resource", "hash", "selector", "case", "body" or ""."""
        return self.role_of(self.open[-1]) if self.open else ""

    def role_of(self, opener: int) -> str:
        """Return the role of the braces that open at a token."""
        if self.kinds[opener] == "SELBRACE":
            return "selector"
        if self.kinds[opener] != "LBRACE":
            return ""
        before = self.kinds[opener - 1] if opener else ""
        if before == "CLASS":
            return "resource"
        keyword = self.keyword_before(opener)
        if keyword == "CASE":
            return "case"
        if keyword in BODY_KEYWORDS or before in ("ELSE", "PIPE", "COLON"):
            return "body"
        return "resource" if before in ("NAME", "CLASSREF", "RBRACK", "VARIABLE", "AT", "ATAT") else "hash"

    def keyword_before(self, index: int) -> str:
        """Return the keyword that begins the statement whose braces open at a token, or ""."""
        depth = 0
        for i in range(index - 1, -1, -1):
            kind = self.kinds[i]
            if kind == "RBRACE" and depth == 0:
                return ""  # It closes the statement before.
            if kind in CLOSING:
                depth += 1
            elif kind in OPENERS:
                depth -= 1
                if depth < 0:
                    return ""
            elif depth == 0:
                if kind in BODY_KEYWORDS or kind == "CASE":
                    return kind
                if kind in ("SEMIC", "EQUALS", "FARROW", "COLON"):
                    return ""
        return ""

    def list_outer(self, begin: int, end: int) -> list[int]:
        """Return the indices of the tokens from `begin` up to `end` that are outside brackets."""
        outer, depth = [], 0
        for index in range(begin, min(end, len(self.kinds))):
            if self.kinds[index] in CLOSING:
                depth -= 1
            if depth == 0:
                outer.append(index)
            if self.kinds[index] in OPENERS:
                depth += 1
        return outer

    @property
    def keyword(self) -> str:
        """The keyword that begins the statement at the error, "" if there is none."""
        return self.keyword_before(self.index)

    @property
    def kinds_inside(self) -> list[str]:
        """The names of the tokens directly inside the innermost open brackets, up to the error."""
        begin = self.open[-1] + 1 if self.open else 0
        return [self.kinds[index] for index in self.list_outer(begin, self.index)]

    @property
    def is_in_parameters(self) -> bool:
        """True in the parentheses of a definition."""
        return self.opener in ("LPAREN", "WSLPAREN") and (self.keyword_before(self.open[-1]) in DEFINING)


class TokenWords(dict[str, object]):
    """The words that every message can use: `{before}` is the token before the error.

    A prefix changes the form: `{short_before}`, `{lower_here}`, `{capitalized_here}`. `{value}` is the value of the
    token at the error, without its quotes.
    """

    def __init__(self, tokens: TokenContext) -> None:
        super().__init__()
        self._tokens = tokens

    def __missing__(self, name: str) -> str:
        if name == "value":
            return str(self._tokens.triples[self._tokens.index][2])
        form, _, position = name.rpartition("_")
        return FORMS[form](self._tokens.word(RELATIVE[position]))


def shorten(text: str) -> str:
    """Return a token as a sentence quotes it: its first line, at most 30 characters."""
    first = text.partition("\n")[0]
    return first if len(text) <= LONGEST_WORD and first == text else first[: LONGEST_WORD - 3] + "…"


FORMS: dict[str, Callable[[str], str]] = {
    "": str,
    "short": shorten,
    "lower": str.lower,
    "capitalized": str.capitalize,
}
Condition = Callable[[TokenContext], bool]
Kinds = str | Iterable[str]


def when(
    also: Condition | None = None,
    *,
    marks: Kinds = (),
    inside: Kinds = (),
    opener: Kinds = (),
    keyword: Kinds = (),
    **kinds: Kinds,
) -> Condition:
    """Return a test of the tokens around the error, for which all arguments are conditions.

    Args:
        also: An additional condition, which is tested last.
        marks: The possible source texts of the token at the error.
        inside: The possible roles of the innermost braces, see `TokenContext.braces`.
        opener: The possible names of the innermost open bracket.
        keyword: The possible keywords at the beginning of the statement with the error.
        **kinds: The possible names of tokens, by the position of the token: `here`, `before`, `after2` … Several names
            are separated by spaces.
    """
    near = [(RELATIVE[position], _to_set(names)) for position, names in kinds.items()]
    texts, roles, openers, keywords = map(_to_set, (marks, inside, opener, keyword))

    def test(tokens: TokenContext) -> bool:
        return (
            all(tokens.kind(relative) in names for relative, names in near)
            and (not texts or tokens.word(0) in texts)
            and (not openers or tokens.opener in openers)
            and (not roles or tokens.braces in roles)
            and (not keywords or tokens.keyword in keywords)
            and (also is None or also(tokens))
        )

    return test


def _to_set(names: Kinds) -> frozenset[str]:
    return frozenset(names.split() if isinstance(names, str) else names)
