"""The tokens and the rules that recognize them, and the state of the lexer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from lexer_parser import issues, operators
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import memoize
from lexer_parser.record import Record
from lexer_parser.source import Source

# --- The names of tokens, and the sets of them that decide between two readings

_KEYWORDS = (
    "and attr case class default define else elsif function if in inherits node or private type undef unless"
)
KEYWORDS = {word: word.upper() for word in _KEYWORDS.split()} | {"true": "BOOLEAN", "false": "BOOLEAN"}
# The functions that may be called without parentheses.
_FUNCTIONS = "require realize include contain tag debug info notice warning err fail import break next return"
STATEMENT_FUNCTIONS = frozenset(_FUNCTIONS.split())

# The tokens of keywords that may be names of attributes.
ATTRIBUTE_KEYWORDS = frozenset(KEYWORDS.values()) - {"BOOLEAN"}

# Marks that are not operators on values.
_MARKS = {
    "=>": "FARROW",
    ",": "COMMA",
    ":": "COLON",
    "]": "RBRACK",
    ")": "RPAREN",
    "=": "EQUALS",
    "|": "PIPE",
    ";": "SEMIC",
    "->": "IN_EDGE",
    "~>": "IN_EDGE_SUB",
    "<-": "OUT_EDGE",
    "<~": "OUT_EDGE_SUB",
    "+>": "PARROW",
    "+=": "APPENDS",
    "-=": "DELETES",
    "<|": "LCOLLECT",
    "<<|": "LLCOLLECT",
    "|>": "RCOLLECT",
    "|>>": "RRCOLLECT",
    "~": "TILDE",
    "@": "AT",
    "@@": "ATAT",
}
_SPECIAL = ("/", "[")  # operators that the rules SPECIAL and OPENING match
OPERATORS = _MARKS | {
    row.text: row.token for row in operators.OPERATORS if not row.text.isalpha() and row.text not in _SPECIAL
}

# The brackets that open and close, each with the text of the closing one.
OPENERS = {"LBRACE": "}", "SELBRACE": "}", "LPAREN": ")", "WSLPAREN": ")", "LBRACK": "]", "LISTSTART": "]"}
CLOSING = {"RBRACE": "}", "RPAREN": ")", "RBRACK": "]"}

# Names and marks whose token depends only on their text.
PLAIN = KEYWORDS | OPERATORS

BLANKS = (
    " \t\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)

# After these tokens a slash is a division; after all others it may begin a regular expression.
_BEFORE_DIVISION = (
    "RPAREN RBRACK RCOLLECT RRCOLLECT NAME CLASSREF NUMBER STRING BOOLEAN DQPOST HEREDOC REGEX VARIABLE WORD"
)
BEFORE_DIVISION = frozenset(_BEFORE_DIVISION.split())

# After these tokens a brace on a new line may begin a hash, in a dialect in which a program may be a list of values.
BEFORE_HASH = BEFORE_DIVISION - {"NAME", "WORD"} | {"RBRACE"}

# The keywords of definitions that are not values, and the tokens between these keywords and the bodies.
DEFINING = frozenset(("CLASS", "DEFINE", "NODE", "FUNCTION"))
IN_HEADING = frozenset(
    (
        *OPENERS,
        "NAME",
        "CLASSREF",
        "INHERITS",
        "STRING",
        "COMMA",
        "DOT",
        "NUMBER",
        "REGEX",
        "RSHIFT",
        "DEFAULT",
    )
)
MOST_EXAMINED = 100  # tokens before a bracket that are examined for the heading of a definition

# Keywords that the specification does not define.
LATER_KEYWORDS = frozenset(("ATTR", "FUNCTION", "PRIVATE", "TYPE"))

# The kinds of a first token in `${…}` that is the name of a variable.
NAMES_IN_TEXT = frozenset(KEYWORDS.values()) | {"NAME", "WORD", "NUMBER"}

# --- The rules that recognize tokens

COMMENT = r"#[^\n]*|/\*[\s\S]*?\*/"
SKIPPED = r"[ \t\r\n]*+(?:(?:\#[^\n]*+|/\*[\s\S]*?\*/)[ \t\r\n]*+)*+"


def make_longest_match_pattern(texts: Iterable[str]) -> str:
    """Return a regular expression that matches the longest of the texts that is possible at a position."""
    rests_by_first: dict[str, list[str]] = {}  # the rests of the texts, by their first character
    for text in texts:
        rests_by_first.setdefault(text[0], []).append(text[1:])
    alone = "".join(first for first, rests in rests_by_first.items() if rests == [""])  # begin no longer text
    choices = [f"[{re.escape(alone)}]"] if alone else []
    for first, rests in rests_by_first.items():
        if first not in alone:
            more = make_longest_match_pattern(filter(None, rests))
            choices.append(re.escape(first) + (f"(?:{more})?" if "" in rests else f"(?:{more})"))
    return "|".join(choices)


# A colon before another one joins the segments of a name, and `@(` begins a heredoc.
_OPERATOR = (
    make_longest_match_pattern(mark for mark in OPERATORS if mark[0] not in ":@") + r"|:(?!:)|@(?!\()@?"
)

# The rules in the order in which they are tried: a WORD is one that is no NAME, and OTHER is the rest.
# A quote directly after the opening quote belongs to the string if another quote follows.
RULES = (
    ("NAME", r"[a-z]\w*+(?:::[a-z]\w*+)*+(?!-+\w|::_)"),
    ("OPERATOR", _OPERATOR),
    ("QUOTED", r"'(?:'(?:\\\\)*+'|[^'\\]*+(?:\\[\s\S][^'\\]*+)*+')"),
    ("VARIABLE", r"\$(?:::)?\w++(?:::\w++)*+"),
    ("BRACE", r"[{}]"),
    ("OPENING", r"[\[(]"),
    ("TEXT", r'"(?:[^"\\$]++"|"(?!(?:\\\\)*+["$]))'),
    ("SPECIAL", r'["/]|@\('),
    ("CLASSREF", r"(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+(?!::)"),
    ("NUMBER", r"(?>[1-9][0-9]*|0)(?![\w.]|[^\x00-\x7f])"),
    ("WORD", r"(?:::)?[a-z_]\w*+(?:-++\w++)*+(?:::[a-z_]\w*+(?:-++\w++)*+)*+"),
    ("END", r"\Z"),
    ("OTHER", r"[\s\S]"),
)

# In a template the end of a tag takes precedence over the operators that it resembles.
TEMPLATE_RULES = {
    "OPERATOR": f"(?!-?%>)(?:{dict(RULES)['OPERATOR']})",
    "SPECIAL": f"-?%>|{dict(RULES)['SPECIAL']}",
}

# For dialects in which names have no hyphens.
STRICT_RULES = {
    "NAME": r"[a-z]\w*+(?:::[a-z]\w*+)*+(?!::_)",
    "WORD": r"(?:::)?[a-z_]\w*+(?:::[a-z_]\w*+)*+",
}

# A word that is a name, though it begins with `::`.
ABSOLUTE_NAME = r"::[a-z]\w*+(?:::[a-z]\w*+)*+"


@memoize(unbounded_because="two for each dialect")
def compile_master_pattern(dialect: Dialect, template: bool) -> re.Pattern[str]:
    """Return the master pattern of a dialect: the rules as alternatives, behind what is skipped."""
    special = (STRICT_RULES if dialect.strict_names else {}) | (TEMPLATE_RULES if template else {})
    rules = "|".join(f"(?P<t_{name}>{special.get(name, rule)})" for name, rule in RULES)
    return re.compile(f"{SKIPPED}(?:{rules})", re.ASCII)


# --- The state of the lexer

Token = tuple[int, int, Any]  # start, end, value


class StringForm(Record):
    """A form of strings with interpolations: in double quotes, or the text of a heredoc.

    Attributes:
        segment: Matches text up to an interpolation or the end of the string. The first group is the text. The second
            one is what follows: `${`, or the end of the string; it is None before `$name`.
        unescape: Returns the value of a segment that contains backslashes; it receives its offset, too.
    """

    segment: re.Pattern[str] | LazyPattern
    unescape: Callable[[str, LexerState, int], str]


class LexerState:
    """The state of one run of the lexer; `scan` fills `types`, `tokens` and `warnings`.

    Attributes:
        source: The source, for errors.
        dialect: The dialect in which it is written.
        text: The text that is read: that of the source, or the text of a heredoc without its margin.
        template: True if the text is a template.
        pattern: The master pattern.
        position: The offset at which `scan` begins.
        end: The offset at which it stops: the end of the text or, on a line with the header of a heredoc, of this line.
        after_heredocs: The offset at which it goes on from there: behind the texts of the heredocs whose headers the
            line has. None on other lines.
        types: The names of the tokens; the first one is START.
        tokens: The start, end and value of each token.
        warnings: What the text contains that is allowed and probably a mistake.
        error: The error at which reading ended.
        rejected: The first error of a text that can be parsed all the same.
        depth: The number of open braces, inside `${…}` without those around it.
        suspended: The strings around the `${…}` that is read, the outermost first: of each the depth of braces outside
            it, the index of the first token inside its `${…}`, and its form.
        string_token: The index of the first token of the outermost open string, None outside strings.
        open_tag: Of a template, the beginning of the tag whose code is read, such as "<%="; "" outside of tags.
    """

    __slots__ = (
        "after_heredocs",
        "depth",
        "dialect",
        "end",
        "error",
        "open_tag",
        "pattern",
        "position",
        "rejected",
        "source",
        "string_token",
        "suspended",
        "template",
        "text",
        "tokens",
        "types",
        "warnings",
    )

    def __init__(
        self, source: Source, dialect: Dialect, text: str | None = None, template: bool = False
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.text = source.text if text is None else text
        self.template = template
        self.pattern = compile_master_pattern(dialect, template)
        self.position = 0
        self.end = len(self.text)
        self.after_heredocs: int | None = None
        self.types: list[str] = ["START"]
        self.tokens: list[Token] = [(0, 0, None)]
        self.warnings: list[PuppetError] = []
        self.error: PuppetError | None = None
        self.rejected: PuppetError | None = None
        self.depth = 0
        self.suspended: list[tuple[int, int, StringForm]] = []
        self.string_token: int | None = None
        self.open_tag = ""

    def scan(self) -> None:
        """Read from `position` to the end of the text."""
        raise NotImplementedError

    def emit(self, kind: str, start: int, end: int, value: Any) -> None:
        """Add a token."""
        self.types.append(kind)
        self.tokens.append((start, end, value))

    def make_error(self, code: str, start: int, end: int | None = None, **arguments: Any) -> PuppetError:
        """Return the PuppetError for an issue at an offset of this text."""
        return issues.make_syntax_error(code, self.source, start, start if end is None else end, **arguments)

    def refuse_if(
        self, condition: object, code: str, start: int, end: int | None = None, **arguments: Any
    ) -> None:
        """Raise the PuppetError for an issue at an offset of this text if a condition is true."""
        if condition:
            raise self.make_error(code, start, end, **arguments)
