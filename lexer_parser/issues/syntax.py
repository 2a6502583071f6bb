"""The messages of the lexer and the parser."""

from __future__ import annotations

from typing import Any

from lexer_parser.errors import Issue, IssueTable, PuppetError
from lexer_parser.source import Source, Span

NUMBER_ISSUES = (
    Issue("INVALID_OCTAL_NUMBER", "Not a valid octal number {value}"),
    Issue("INVALID_HEX_NUMBER", "Not a valid hex number {value}"),
    Issue("INVALID_DECIMAL_NUMBER", "Not a valid decimal number {value}"),
    Issue("ILLEGAL_NUMBER", "Illegal number '{value}'"),
)

HEREDOC_ISSUES = (
    Issue("HEREDOC_UNCLOSED_PARENTHESIS", "Unclosed parenthesis after '@(' followed by '{followed_by}'"),
    Issue("HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text"),
    Issue("HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line"),
    Issue("HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])"),
    Issue(
        "HEREDOC_INVALID_ESCAPE",
        "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'",
    ),
    Issue("HEREDOC_MULTIPLE_AT_ESCAPES", "An escape char for @() may only appear once. Got '{escapes}'"),
    Issue("HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag"),
)

TEMPLATE_ISSUES = (
    Issue(
        "EPP_UNBALANCED_EXPRESSION", "Unbalanced embedded expression - opening <% and reaching end of input"
    ),
    Issue("EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag."),
    Issue("EPP_UNBALANCED_COMMENT", "Reaching end after opening <%# without seeing %>"),
)

GRAMMAR_ISSUES = (
    Issue("SYNTAX_ERROR", "Syntax error at '{token}'"),
    Issue("UNEXPECTED_END", "Syntax error at end of input"),
    Issue("NOT_VIRTUAL", "Virtual (@) can only be applied to a Resource Expression"),
    Issue("NOT_EXPORTED", "Exported (@@) can only be applied to a Resource Expression"),
    Issue("UNTITLED_APPEND", "Syntax error resource body without title or hash with +>"),
    Issue(
        "RESOURCE_WITHOUT_TITLE",
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
    ),
    Issue("NOT_A_RESOURCE", "Expression is not valid as a resource, resource-default, or resource-override"),
    Issue(
        "ARGUMENTS_WITHOUT_PARENTHESES",
        "attempt to pass argument list to the function '{name}' which cannot be called without parentheses",
    ),
    Issue("ILLEGAL_COMMA_LIST", "illegal comma separated argument list"),
    Issue("CLASS_NOT_ALLOWED_HERE", "'class' keyword not allowed at this location"),
    Issue("QUOTED_NAME", "A quoted string is not valid as a name here"),
)

SYNTAX_ISSUES = IssueTable(
    Issue(
        "ILLEGAL_BOM",
        "Illegal {format} Byte Order mark at beginning of input: [{bytes}] - remove these from the puppet source",
    ),
    Issue("ILLEGAL_CLASS_REFERENCE", "Illegal {kind} reference"),
    Issue("ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name"),
    Issue("UNCLOSED_QUOTE", "Unclosed quote after {after} followed by '{followed_by}'"),
    Issue("UNCLOSED_MLCOMMENT", "Unclosed multiline comment"),
    Issue("INVALID_REGEXP", "{reason}: /{pattern}/"),
    Issue("REGEXP_OPTIONS", "Options are not allowed after a regular expression"),
    Issue("BOOLEAN_AS_VARIABLE", "The boolean '{name}' in an interpolation is not the name of a variable"),
    Issue("UNRECOGNIZED_ESCAPE", "Unrecognized escape sequence '\\{character}'", "warning"),
    Issue(
        "ILLEGAL_UNICODE_ESCAPE",
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} or was > 10ffff",
        "warning",
    ),
    *NUMBER_ISSUES,
    *HEREDOC_ISSUES,
    *TEMPLATE_ISSUES,
    *GRAMMAR_ISSUES,
)

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


def syntax_error(code: str, source: Source, start: int, end: int, **arguments: Any) -> PuppetError:
    """The PuppetError for an issue of the lexer or parser at a stretch of `source`."""
    error = SYNTAX_ISSUES.error(code, Span(source, start, end), **arguments)
    error.incomplete = code in INCOMPLETE
    return error
