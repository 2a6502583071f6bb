"""Explanations of expressions: matches with types, types within types, choices, calls, node definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.assistance.explain.branches import (
    Evaluate,
    explain_branches,
    explain_call,
    explain_node_definitions,
    format_value,
)
from evaluator.types.learner_wording import Explanation, explain_instance, explain_subtype
from evaluator.values import Value, is_type
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import expression_text

if TYPE_CHECKING:
    from evaluator.program.protocols import SessionProtocol

_RELATIONS = ("<", "<=", ">", ">=")


def explain_expression(session: SessionProtocol, source: str) -> Explanation | None:
    """Return why an expression has its value; None for a kind of expression without an explanation.

    Raises:
        PuppetError: The expression cannot be parsed, or evaluating its parts fails.
    """

    def evaluate(part: str) -> Value:
        outcome = session.look(part)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    if source.strip() == "node":
        return session.supervised(lambda: explain_node_definitions(session))
    node = parse(source, dialect=session.runtime.dialect, interactive=True).body
    while isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, nodes.Match):
        return _explain_match(session, node, source, evaluate)
    if isinstance(node, nodes.Comparison) and node.operator in _RELATIONS:
        return _explain_types(session, node, source, evaluate)
    if isinstance(node, nodes.Case | nodes.Selector):
        return explain_branches(session, node, source, evaluate)
    if isinstance(node, nodes.MethodCall) or (
        isinstance(node, nodes.Call) and isinstance(node.functor, nodes.Name)
    ):
        return explain_call(session, node, source, evaluate)
    return None


def _explain_match(
    session: SessionProtocol, node: nodes.Match, source: str, evaluate: Evaluate
) -> Explanation:
    """Explain `=~` and `!~`: a type and its parts, or a regular expression."""
    value, wanted = (
        evaluate(expression_text(node.left, source)),
        evaluate(expression_text(node.right, source)),
    )
    found = evaluate(expression_text(node, source))
    what = f"{expression_text(node, source)} is {format_value(found)}"
    if is_type(wanted):
        part = session.supervised(lambda: explain_instance(expression_text(node.left, source), value, wanted))
        return Explanation(what, found, "", [part])
    holds = found is (node.operator == "=~")
    words = (
        f"{format_value(wanted)} is found in it" if holds else f"{format_value(wanted)} finds nothing in it"
    )
    return Explanation(
        what, found, "", [Explanation(expression_text(node.left, source), holds, words, value=value)]
    )


def _explain_types(
    session: SessionProtocol, node: nodes.Comparison, source: str, evaluate: Evaluate
) -> Explanation | None:
    left, right = evaluate(expression_text(node.left, source)), evaluate(expression_text(node.right, source))
    if not is_type(left) or not is_type(right):
        return None
    narrow, wide = (left, right) if node.operator in ("<", "<=") else (right, left)
    found = session.supervised(lambda: explain_subtype(narrow, wide, node.operator in ("<", ">")))
    what = f"{expression_text(node, source)} is {format_value(found.holds)}"
    return Explanation(what, found.holds, found.words, found.parts)
