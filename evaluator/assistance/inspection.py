"""Inspection: the cards of the name at the cursor or of a given name, and lists of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.assistance.candidates import Candidate, find_attributes, find_classes, find_functions
from evaluator.assistance.cards import (
    Card,
    make_attribute_card,
    make_attribute_cards,
    make_definition_card,
    make_function_card,
    make_language_cards,
    make_metaparameter_card,
    make_resource_type_card,
    make_rule_card,
    make_type_card,
    make_variable_card,
)
from evaluator.assistance.cursor import CursorToken, find_enclosing_body, match_brackets, scan_tokens
from evaluator.assistance.documentation import find_documentation, get_first_sentence
from evaluator.assistance.words import list_language_names
from evaluator.assistance.words.statements import KEYWORDS
from evaluator.calling.registry import find_function
from evaluator.functions import list_function_names
from evaluator.resource_types import METAPARAMETERS
from evaluator.resource_types import list_names as list_resource_types
from evaluator.types import list_builtin_names
from lexer_parser.dialect import SWITCHES

if TYPE_CHECKING:
    from evaluator.session.session import Session


def inspect(session: Session, source: str, cursor: int) -> Card | None:
    """Return the card of the name at `cursor`, or of the function around it.

    None is returned if there is neither.
    """
    tokens = [token for token in scan_tokens(source) if token.kind != "comment"]
    index = next(
        (
            index
            for index, token in enumerate(tokens)
            if token.start <= cursor <= token.end and token.kind in ("name", "variable") and token.text != "$"
        ),
        None,
    )
    card = None if index is None else _find_card_at(session, tokens, index)
    function = _find_enclosing_call(tokens, cursor)
    return card or (make_function_card(session, function) if function else None)


def _find_enclosing_call(tokens: list[CursorToken], cursor: int) -> str | None:
    """Return the function in whose parentheses the cursor is, by name; None without one."""
    before = [token for token in tokens if token.start < cursor]
    for opening in reversed(match_brackets(before).unclosed):
        if before[opening].text == "(" and opening and before[opening - 1].kind == "name":
            return before[opening - 1].text
    return None


def _find_card_at(session: Session, tokens: list[CursorToken], index: int) -> Card | None:
    """Return the card of a token, a name whose meaning the tokens around it show."""
    token = tokens[index]
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    preceding = tokens[index - 1].text if index else ""
    if token.kind == "variable":
        return make_variable_card(session, token.text[1:])
    body = find_enclosing_body(tokens[:index])
    if body is not None and body.expects_attribute and following in ("=>", "+>", ""):
        for item in find_attributes(session, body):
            if item.text == token.text:
                return make_attribute_card(session, item, body.type_name)
    if following == "(" or preceding == ".":
        card = make_function_card(session, token.text)
        if card is not None:
            return card
    if following == "{" and preceding != "class":
        return (
            make_resource_type_card(session, token.text)
            or make_definition_card(session, token.text)
            or find_card(session, token.text)
        )
    return find_card(session, token.text)


def find_card(session: Session, name: str) -> Card | None:
    """Return the most likely card of a name, or None."""
    return next(iter(find_cards(session, name)), None)


def find_cards(session: Session, name: str) -> list[Card]:
    """Return the cards of everything with a name, in the order of likelihood.

    That may be a variable, a keyword or operator, a class or define, a resource type, a function, a metaparameter,
    a rule of the dialects or a data type.
    """
    if name.startswith("$") and name[1:].removeprefix("::")[:1].isidentifier():
        candidates = [make_variable_card(session, name[1:])]
    elif name[:1].isupper():
        candidates = [
            make_type_card(session, name),
            make_resource_type_card(session, name),
            make_definition_card(session, name),
        ]
    elif name in KEYWORDS or not name[:1].isalpha():
        candidates = [
            *make_language_cards(session, name),
            make_function_card(session, name),
            make_definition_card(session, name),
        ]
    else:
        makers = (
            make_definition_card,
            make_resource_type_card,
            make_function_card,
            make_metaparameter_card,
            make_rule_card,
        )
        candidates = [maker(session, name) for maker in makers]
        candidates += make_language_cards(session, name)
        candidates += [make_variable_card(session, name)]
    return [card for card in candidates if card is not None] or make_attribute_cards(session, name)


# --- Lists of names


def list_topics(session: Session) -> list[str]:
    """Return the names that the program defines and those of the language, except variables."""
    definitions = session.runtime.state.definitions
    own = [*definitions.classes, *definitions.defines, *definitions.functions]
    builtin = [*list_function_names(), *list_builtin_names(session.runtime.dialect), *list_resource_types()]
    return [*own, *builtin, *sorted(METAPARAMETERS), *list_language_names(), *SWITCHES]


def list_names(session: Session, table: str, text: str = "") -> list[Candidate]:
    """Return the functions or classes with a text in their name or description, by name.

    The case of letters does not matter. Modules are listed by their main class, or as `name::`; a text that begins
    with a module's name lists all of it.
    """
    lowered = text.lower()
    word = lowered if "::" in lowered else "::"  # without the name of a module, all modules are listed
    items = {item.text: item for item in _FINDERS[table](session, word)}
    described = [
        Candidate(name, items[name].kind, _describe_item(session, table, items[name]))
        for name in sorted(items)
    ]
    return [item for item in described if lowered in item.text.lower() or lowered in item.words.lower()]


_FINDERS = {"functions": find_functions, "classes": find_classes}


def _describe_item(session: Session, table: str, item: Candidate) -> str:
    """Return the first sentence about an item, with its origin if that is not Puppet itself."""
    # The candidates of built-in functions have no words.
    own = find_documentation(session, table, item.text) if item.words else None
    if own is not None:
        sentence = get_first_sentence(own.comment.words)
        return f"{sentence} ({item.words})" if sentence else item.words
    builtin = find_function(item.text, session.runtime.dialect) if table == "functions" else None
    return get_first_sentence(builtin.words) if builtin is not None else item.words
