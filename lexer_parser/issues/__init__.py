"""The issues of the parser: one row per issue, and the functions that make errors of them.

The rows are in the modules of this package, one for each part of the parser. They are loaded with the first error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

from lexer_parser.errors import Issue, PuppetError
from lexer_parser.memo import memoize
from lexer_parser.source import Source, Span

# The modules with the issues of the parser, and with those of the linter.
TABLES = ("syntax", "definitions", "expressions")
HINTS = ("lint",)

# Errors that more input could correct, besides a syntax error at the end of input.
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
    """Return the `ROWS` of modules of a package, by code."""
    rows: dict[str, Issue] = {}
    for table in tables:
        for row in import_module(f"{package}.{table}").ROWS:
            assert row.code not in rows, f"two rows for {row.code}"
            rows[row.code] = row
    return rows


@memoize(unbounded_because="one result")
def load_rows() -> dict[str, Issue]:
    """Return all issues of the parser by code."""
    return load_tables(__name__, TABLES)


@memoize(unbounded_because="one result")
def load_hints() -> dict[str, Issue]:
    """Return the issues of the linter by code: they stop nothing."""
    return load_tables(__name__, HINTS)


def make_hint(row: Issue, span: Span | None, **arguments: object) -> PuppetError:
    """Return the PuppetError of something that is allowed and hardly meant; `arguments` fill its row."""
    return PuppetError(
        row.code,
        row.template.format_map(arguments),
        span,
        help=row.help.format_map(arguments),
        arguments=arguments,
    )


def format_message(code: str, arguments: Mapping[str, object]) -> str:
    """Return the message of an issue, in the wording of released Puppet."""
    return load_rows()[code].template.format_map(arguments)


def make_error(code: str, span: Span | None = None, **arguments: object) -> PuppetError:
    """Return the PuppetError of an issue; `arguments` fill its template."""
    return PuppetError(code, format_message(code, arguments), span, arguments=arguments)


def make_syntax_error(code: str, source: Source, start: int, end: int, **arguments: object) -> PuppetError:
    """Return the PuppetError of an issue of the lexer or grammar from `start` to `end` of `source`."""
    error = make_error(code, Span(source, start, end), **arguments)
    error.incomplete = code in INCOMPLETE
    error.placeless = not load_rows()[code].place
    return error


class Misuse(Exception):
    """The error of a grammar action: the input matches the grammar but not the language.

    It has its position as offsets only; the driver converts it to a PuppetError.
    """

    def __init__(self, code: str, start: int, end: int, **arguments: object) -> None:
        super().__init__(code)
        self.code = code
        self.start = start
        self.end = end
        self.arguments = arguments
