"""What the front end can say is wrong: one row per issue, and the way to raise one.

The rows stand in the modules of this package, one for each part of the front end, and are read when something is
wrong for the first time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexer_parser.errors import Issue, PuppetError
from lexer_parser.lazy import lazy_module
from lexer_parser.memo import memoize
from lexer_parser.source import Source, Span

TABLES = ("syntax", "definitions", "expressions")
HINTS = ("lint",)

# What more input could mend, besides a syntax error at the end of input.
INCOMPLETE = frozenset(
    {
        "UNCLOSED_QUOTE",
        "UNCLOSED_MLCOMMENT",
        "HEREDOC_WITHOUT_TEXT",
        "HEREDOC_WITHOUT_END_TAGGED_LINE",
        "HEREDOC_UNCLOSED_PARENTHESIS",
        "EPP_UNBALANCED_EXPRESSION",
        "EPP_UNBALANCED_TAG",
        "EPP_UNBALANCED_COMMENT",
    }
)


def load_tables(package: str, tables: Iterable[str]) -> dict[str, Issue]:
    """The rows that modules of a package have in their `ROWS`, by code."""
    found: dict[str, Issue] = {}
    for table in tables:
        for row in lazy_module(f"{package}.{table}").ROWS:
            assert row.code not in found, f"two rows for {row.code}"
            found[row.code] = row
    return found


@memoize(owner="one result")
def load_rows() -> dict[str, Issue]:
    """All issues of the front end by code."""
    return load_tables(__name__, TABLES)


@memoize(owner="one result")
def load_hints() -> dict[str, Issue]:
    """What is allowed and hardly meant, by code: it stops nothing."""
    return load_tables(__name__, HINTS)


def make_hint(row: Issue, span: Span | None, **arguments: Any) -> PuppetError:
    """The PuppetError of something that is allowed and hardly meant; `arguments` fill the names of its row."""
    return PuppetError(
        *(row.code, row.template.format_map(arguments), span),
        help=row.help.format_map(arguments),
        arguments=arguments,
    )


def format_message(code: str, arguments: dict[str, Any]) -> str:
    """The text of an issue, in the released Puppet's words."""
    return load_rows()[code].template.format_map(arguments)


def error(code: str, span: Span | None = None, **arguments: Any) -> PuppetError:
    """The PuppetError of an issue; `arguments` fill the names of its template."""
    return PuppetError(code, format_message(code, arguments), span, arguments=arguments)


def make_syntax_error(code: str, source: Source, start: int, end: int, **arguments: Any) -> PuppetError:
    """The PuppetError of an issue of the lexer or grammar at a stretch of `source`."""
    found = error(code, Span(source, start, end), **arguments)
    found.incomplete = code in INCOMPLETE
    return found


class Misuse(Exception):
    """Raised by a grammar action: what it read fits the grammar but not the language.

    It knows the place as offsets only; the driver turns it into a PuppetError.
    """

    def __init__(self, code: str, start: int, end: int, **arguments: Any) -> None:
        super().__init__(code)
        self.code = code
        self.start = start
        self.end = end
        self.arguments = arguments
