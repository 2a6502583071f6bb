"""Inspection: the card of the name at the cursor, and the cards of a name that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.assistance.candidates import attributes
from evaluator.assistance.cards import (
    Card,
    attribute_card,
    attribute_cards,
    definition_card,
    function_card,
    language_cards,
    metaparameter_card,
    resource_type_card,
    rule_card,
    type_card,
    variable_card,
)
from evaluator.assistance.cursor import KEYWORDS, Token, enclosing_body, scan

if TYPE_CHECKING:
    from evaluator.program.protocols import Session

__all__ = ["Card", "inspect", "named_card", "named_cards"]


def inspect(session: Session, source: str, cursor: int) -> Card | None:
    """The card of the name at `cursor`, or of the function around it; None when there is neither."""
    tokens = [token for token in scan(source) if token.kind != "comment"]
    at = next(
        (i for i, token in enumerate(tokens) if token.start <= cursor <= token.end and _names(token)), None
    )
    if at is not None:
        found = _card_at(session, tokens, at)
        if found is not None:
            return found
    call = _enclosing_call(tokens, cursor)
    return function_card(session, call) if call else None


def _names(token: Token) -> bool:
    return token.kind in ("name", "variable") and token.text != "$"


def _enclosing_call(tokens: list[Token], cursor: int) -> str | None:
    stack: list[str | None] = []
    previous: Token | None = None
    for token in tokens:
        if token.start >= cursor:
            break
        if token.kind == "mark" and token.text in "([{":
            called = token.text == "(" and previous is not None and previous.kind == "name"
            stack.append(previous.text if called and previous is not None else None)
        elif token.kind == "mark" and token.text in ")]}" and stack:
            stack.pop()
        previous = token
    return next((name for name in reversed(stack) if name), None)


def _card_at(session: Session, tokens: list[Token], at: int) -> Card | None:
    token = tokens[at]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    preceding = tokens[at - 1].text if at else ""
    if token.kind == "variable":
        return variable_card(session, token.text[1:])
    body = enclosing_body(tokens[:at])
    if body is not None and body.wants == "attribute" and following in ("=>", "+>", ""):
        for item in attributes(session, body):
            if item.text == token.text:
                return attribute_card(session, item, body.type_name)
    if following == "(" or preceding == ".":
        found = function_card(session, token.text)
        if found is not None:
            return found
    if following == "{" and preceding != "class":
        found = resource_type_card(session, token.text) or definition_card(session, token.text)
        return found or named_card(session, token.text)
    return named_card(session, token.text)


def named_card(session: Session, name: str) -> Card | None:
    """The likeliest card of a name, or None."""
    return next(iter(named_cards(session, name)), None)


def named_cards(session: Session, name: str) -> list[Card]:
    """The cards of whatever bears a name.

    That may be a variable, a keyword or operator, a class or define, a resource type, a function, a metaparameter,
    a rule of the dialects or a data type, in the order of what is likeliest meant.
    """
    if name.startswith("$") and name[1:].removeprefix("::")[:1].isidentifier():
        found = [variable_card(session, name[1:])]
    elif name[:1].isupper():
        found = [type_card(session, name), resource_type_card(session, name), definition_card(session, name)]
    elif name in KEYWORDS or not name[:1].isalpha():
        found = [*language_cards(session, name), function_card(session, name), definition_card(session, name)]
    else:
        makers = (definition_card, resource_type_card, function_card, metaparameter_card, rule_card)
        found = [maker(session, name) for maker in makers]
        found += language_cards(session, name)
        found += [variable_card(session, name)]
    cards = [card for card in found if card is not None]
    return cards or attribute_cards(session, name)
