"""Advice about errors of lexer, grammar and validation: the likely mistake, and its fix.

`add_advice` is called where an error leaves the parser or validation; nothing here runs for a correct program. The
first rule that recognizes a mistake decides. If no rule does, the help of the issue is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexer_parser.diagnostics import Advice, Rule, RuleMatch, source_rules, syntax_rules
from lexer_parser.diagnostics.tokens import TokenContext, TokenWords
from lexer_parser.errors import PuppetError
from lexer_parser.issues import load_rows
from lexer_parser.source import Source


def add_advice(
    error: PuppetError, source: Source | None = None, epp: bool = False, expected: Iterable[str] = ()
) -> PuppetError:
    """Add help, a suggestion and secondary places to an error that has no help yet.

    Args:
        error: The error of the lexer, the grammar or validation. Its message does not change.
        source: The source that was parsed, for errors without a place.
        epp: True if the source is a template.
        expected: The names of the tokens that the grammar expected.

    Returns:
        The same error.
    """
    if error.help is not None:
        return error
    if source is None and error.span is not None:
        source = error.span.source
    advice = find_advice(error, source, epp, expected) if source is not None else None
    if advice is not None:
        error.help = advice.help
        error.suggestion = error.suggestion or advice.fix or None
        error.notes = (*error.notes, *advice.notes)
    elif error.code in load_rows():
        error.help = load_rows()[error.code].help.format_map(error.arguments)
    return error


def find_advice(error: PuppetError, source: Source, epp: bool, expected: Iterable[str]) -> Advice | None:
    """Return the advice of the first rule that recognizes a mistake, None if no rule does."""
    span = error.span
    if error.code in syntax_rules.RULES:
        offset, subject = (None, syntax_rules.END_OF_INPUT) if span is None else (span.start, error.code)
        tokens = TokenContext(source, offset, epp, expected)
        return _advise(syntax_rules.RULES.first(subject, tokens), TokenWords(tokens))
    if span is None:
        return None
    site = source_rules.ErrorSite(error, source, span)
    return _advise(source_rules.RULES.first(error.code, site), {"text": site.text, **error.arguments})


def _advise(rule_and_match: tuple[Rule[...], RuleMatch] | None, words: dict[str, Any]) -> Advice | None:
    """Return the advice of the rule that recognized a mistake, if one did."""
    if rule_and_match is None:
        return None
    rule, match = rule_and_match
    return rule.advise(match, words)
