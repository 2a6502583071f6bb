"""Why an expression gives what it gives: matches with types, types within types, choices, calls, node definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.assistance.because import Because
from evaluator.assistance.choosing import Evaluate, called, choice, node_definition
from evaluator.assistance.fitting import fit, within
from evaluator.values import is_type, literal
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from lexer_parser.tree.extent import text

if TYPE_CHECKING:
    from evaluator.program.protocols import Session

_RELATIONS = ("<", "<=", ">", ">=")


def reason(session: Session, source: str) -> Because | None:
    """Why an expression gives what it gives; None for a kind of expression that has no reasons.

    Raises PuppetError for what cannot be read, and what evaluating its parts raises.
    """

    def evaluate(part: str) -> Any:
        outcome = session.look(part)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    if source.strip() == "node":
        return node_definition(session)
    node = parse(source, dialect=session.runtime.dialect, interactive=True).body
    while isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, nodes.Match):
        return _match(node, source, evaluate)
    if isinstance(node, nodes.Comparison) and node.operator in _RELATIONS:
        return _types(node, source, evaluate)
    if isinstance(node, nodes.Case | nodes.Selector):
        return choice(node, source, session.runtime.dialect, evaluate)
    if isinstance(node, nodes.MethodCall) or (
        isinstance(node, nodes.Call) and isinstance(node.functor, nodes.Name)
    ):
        return called(session, node, source, evaluate)
    return None


def _match(node: nodes.Match, source: str, evaluate: Evaluate) -> Because:
    """`=~` and `!~`: a type and its parts, or a regular expression."""
    value, wanted = evaluate(text(node.left, source)), evaluate(text(node.right, source))
    found = evaluate(text(node, source))
    shown = f"{text(node, source)} is {literal(found)}"
    if is_type(wanted):
        return Because(shown, found, "", [fit(text(node.left, source), value, wanted)])
    holds = found is (node.operator == "=~")
    words = f"{literal(wanted)} is found in it" if holds else f"{literal(wanted)} finds nothing in it"
    return Because(shown, found, "", [Because(text(node.left, source), holds, words, value=value)])


def _types(node: nodes.Comparison, source: str, evaluate: Evaluate) -> Because | None:
    left, right = evaluate(text(node.left, source)), evaluate(text(node.right, source))
    if not is_type(left) or not is_type(right):
        return None
    narrow, wide = (left, right) if node.operator in ("<", "<=") else (right, left)
    found = within(narrow, wide, node.operator in ("<", ">"))
    shown = f"{text(node, source)} is {literal(found.holds)}"
    return Because(shown, found.holds, found.words, found.parts)
