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

# The positions of the tokens around the error, by their names in messages and in `when`: 0 is the token at the error.
RELATIVE = {"before3": -3, "before2": -2, "before": -1, "here": 0, "after": 1, "after2": 2}


class TokenContext:
    """The tokens of a source and the token at which the parser stopped.

    The words are scanned as released Puppet does, which suffices to recognize mistakes in either dialect.

    Attributes:
        kinds, starts, ends, values: Of each token the name in the grammar, the offset, the offset behind it, the value.
        index: The index of the token that the grammar rejected; one past the last token at the end of input.
        expected: The names of the tokens that the grammar expected.
        open_brackets: The indexes of the brackets that are open before the error.
        suspect: The index of the first opening brace whose closing brace is indented less than it; None if there is
            none.
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
        tokens = lexer.tokens[:-1]  # the last one is `$end` or `ERROR`
        self.kinds = lexer.types[:-1]
        self.starts = [start for start, _, _ in tokens]
        self.ends = [end for _, end, _ in tokens]
        self.values = [value for _, _, value in tokens]
        self.expected = frozenset(expected)
        # The offsets are not sorted, since the text of a heredoc is read before the rest of the line of its header.
        self.index = next(
            (i for i, start in enumerate(self.starts) if offset is not None and start >= offset), len(tokens)
        )
        self.open_brackets: list[int] = []
        self.suspect: int | None = None
        self._find_brackets()

    def _find_brackets(self) -> None:
        """Set `open_brackets` and `suspect`."""
        for index in range(self.index):
            kind = self.kinds[index]
            if kind in OPENERS:
                self.open_brackets.append(index)
            elif kind in CLOSING and OPENERS.get(self.opener_kind) == CLOSING[kind]:
                opener = self.open_brackets.pop()
                if (
                    self.suspect is None
                    and kind == "RBRACE"
                    and self.indent_of(index) < self.indent_of(opener)
                ):
                    self.suspect = opener

    # --- Tokens by index

    def indent_of(self, index: int) -> int:
        """Return the indentation, in characters, of the line of a token."""
        line = self.source.line(self.line_of(index))
        return len(line) - len(line.lstrip())

    def line_of(self, index: int) -> int:
        """Return the number of the line on which a token begins."""
        return self.source.position(self.starts[index])[0]

    def text_of(self, index: int) -> str:
        """Return the source text of a token."""
        return self.text[self.starts[index] : self.ends[index]]

    def note_at(self, index: int, text: str) -> Note:
        """Return a note at a token."""
        return Note(text, Span(self.source, self.starts[index], self.ends[index]))

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
        return self.text[self.starts[self.index] :] if self.index < len(self.starts) else ""

    @property
    def is_adjacent(self) -> bool:
        """True if nothing separates the token at the error from the token before it."""
        return 0 < self.index < len(self.starts) and self.ends[self.index - 1] == self.starts[self.index]

    def begins_line(self, relative: int) -> bool:
        """Return True if only blanks and a hyphen precede a token on its line."""
        start = self.starts[self.index + relative]
        return not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip(" \t-")

    # --- The brackets around the error

    @property
    def opener_kind(self) -> str:
        """The name of the innermost open bracket, "" if none is open."""
        return self.kinds[self.open_brackets[-1]] if self.open_brackets else ""

    @property
    def kind_before_opener(self) -> str:
        """The name of the token before the innermost open bracket, "" if there is none."""
        has_token_before = self.open_brackets and self.open_brackets[-1] > 0
        return self.kinds[self.open_brackets[-1] - 1] if has_token_before else ""

    @property
    def role(self) -> str:
        """The role of the innermost open bracket, see `role_of`; "" if none is open."""
        return self.role_of(self.open_brackets[-1]) if self.open_brackets else ""

    def role_of(self, opener: int) -> str:
        """Return the role of the braces that open at a token.

        It is "resource", "hash", "selector", "case" or "body"; "" for other brackets.
        """
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
                return ""  # it closes the statement before
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
        begin = self.open_brackets[-1] + 1 if self.open_brackets else 0
        return [self.kinds[index] for index in self.list_outer(begin, self.index)]

    @property
    def is_in_parameters(self) -> bool:
        """True in the parentheses of a definition."""
        is_parenthesis = self.opener_kind in ("LPAREN", "WSLPAREN")
        return is_parenthesis and self.keyword_before(self.open_brackets[-1]) in DEFINING


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
            return str(self._tokens.values[self._tokens.index])
        form, _, position = name.rpartition("_")
        return FORMS[form](self._tokens.word(RELATIVE[position]))


def shorten(text: str) -> str:
    """Return a token as a sentence quotes it: its first line, shortened to `LONGEST_WORD`."""
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
        inside: The possible roles of the innermost braces, see `TokenContext.role_of`.
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
            and (not openers or tokens.opener_kind in openers)
            and (not roles or tokens.role in roles)
            and (not keywords or tokens.keyword in keywords)
            and (also is None or also(tokens))
        )

    return test


def _to_set(names: Kinds) -> frozenset[str]:
    """Return the names that an argument of `when` lists, in a string or a collection."""
    return frozenset(names.split() if isinstance(names, str) else names)
