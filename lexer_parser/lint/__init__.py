"""The linter: it finds what is allowed in a program and hardly meant.

It looks at the tree of a program without evaluating it. The caller passes what is known of the variables. What it finds
are `PuppetError`s that stop nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lexer_parser import issues
from lexer_parser.diagnostics.rules import RuleMatch
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lint.context import LintContext
from lexer_parser.lint.rules import LAST_EXPRESSION, RULES
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes


def find_hints(
    body: nodes.Node, source: Source, dialect: Dialect, values: Mapping[str, object] | None = None
) -> list[PuppetError]:
    """Return the hints for a program in the order of its source text.

    Args:
        body: The tree of the program.
        source: The source it was parsed from.
        dialect: The dialect it is written in.
        values: The values of variables that were set before the program, by name.
    """
    found = [
        issues.make_hint(issues.load_hints()[code], Span(source, *match.span), **match.words)
        for code, match in _matches(LintContext(body, source, dialect, values or {}), body)
        if match.span is not None
    ]
    return sorted(found, key=lambda hint: hint.span.start if hint.span is not None else 0)


def _matches(lint: LintContext, body: nodes.Node) -> Iterator[tuple[str, RuleMatch]]:
    """Yield the matches of all rules with the code of their issue."""
    for node in nodes.walk(body):
        for rule in RULES.rules_for(type(node)):
            for match in rule.matches(lint, node):
                yield rule.message, match
    last = body.statements[-1] if isinstance(body, nodes.Block) and body.statements else body
    if isinstance(last, nodes.Name):
        for match in LAST_EXPRESSION.matches(lint, last):
            yield LAST_EXPRESSION.message, match
