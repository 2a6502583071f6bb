"""Inspection: cards of names, lists of names, and the hierarchy of types.

The hierarchy is read from the supertypes that the reference names for each type.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from evaluator.assistance.cursor import (
    KEYWORDS,
    CursorToken,
    find_enclosing_body,
    match_brackets,
    scan_tokens,
)
from evaluator.assistance.documentation import find_documentation, get_first_sentence
from evaluator.assistance.words import find_type, list_language_names, list_types
from evaluator.calling.registry import find_function
from evaluator.functions import list_function_names
from evaluator.resource_types import METAPARAMETERS
from evaluator.resource_types import list_names as resource_type_names
from evaluator.types import Type, find_builtin_type, list_builtin_names
from evaluator.values import Value
from lexer_parser.dialect import SWITCHES, Dialect
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.session.session import Session


def inspect(session: Session, source: str, cursor: int) -> Card | None:
    """Return the card of the name at `cursor`, or of the function around it.

    None is returned if there is neither.
    """
    tokens = [token for token in scan_tokens(source) if token.kind != "comment"]
    at = next(
        (i for i, token in enumerate(tokens) if token.start <= cursor <= token.end and _is_name(token)), None
    )
    found = None if at is None else _find_card_at(session, tokens, at)
    call = _find_enclosing_call(tokens, cursor)
    return found or (make_function_card(session, call) if call else None)


def _is_name(token: CursorToken) -> bool:
    return token.kind in ("name", "variable") and token.text != "$"


def _find_enclosing_call(tokens: list[CursorToken], cursor: int) -> str | None:
    before = [token for token in tokens if token.start < cursor]
    for opening in reversed(match_brackets(before)[1]):
        if before[opening].text == "(" and opening and before[opening - 1].kind == "name":
            return before[opening - 1].text
    return None


def _find_card_at(session: Session, tokens: list[CursorToken], at: int) -> Card | None:
    token = tokens[at]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    preceding = tokens[at - 1].text if at else ""
    if token.kind == "variable":
        return make_variable_card(session, token.text[1:])
    body = find_enclosing_body(tokens[:at])
    if body is not None and body.wants == "attribute" and following in ("=>", "+>", ""):
        for item in find_attributes(session, body):
            if item.text == token.text:
                return make_attribute_card(session, item, body.type_name)
    if following == "(" or preceding == ".":
        found = make_function_card(session, token.text)
        if found is not None:
            return found
    if following == "{" and preceding != "class":
        found = make_resource_type_card(session, token.text) or make_definition_card(session, token.text)
        return found or find_card(session, token.text)
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
        found = [make_variable_card(session, name[1:])]
    elif name[:1].isupper():
        found = [
            make_type_card(session, name),
            make_resource_type_card(session, name),
            make_definition_card(session, name),
        ]
    elif name in KEYWORDS or not name[:1].isalpha():
        found = [
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
        found = [maker(session, name) for maker in makers]
        found += make_language_cards(session, name)
        found += [make_variable_card(session, name)]
    cards = [card for card in found if card is not None]
    return cards or make_attribute_cards(session, name)


# --- Lists of names


def list_topics(session: Session) -> list[str]:
    """Return the names that the program defines and those of the language, except variables."""
    defined = session.runtime.state.definitions
    own = [*defined.classes, *defined.defines, *defined.functions]
    known = [*list_function_names(), *list_builtin_names(session.runtime.dialect), *resource_type_names()]
    return [*own, *known, *sorted(METAPARAMETERS), *list_language_names(), *SWITCHES]


def list_names(session: Session, table: str, text: str = "") -> list[Candidate]:
    """Return the functions or classes with a text in their name or description, by name.

    The case of letters does not matter. Modules are listed by their main class, or as `name::`; a text that begins
    with a module's name lists all of it.
    """
    wanted = text.lower()
    word = wanted if "::" in wanted else "::"  # without the name of a module, all modules are listed
    items = {item.text: item for item in _KINDS[table](session, word)}
    found = [
        Candidate(name, items[name].kind, _describe_item(session, table, items[name]))
        for name in sorted(items)
    ]
    return [item for item in found if wanted in item.text.lower() or wanted in item.words.lower()]


_KINDS = {"functions": find_functions, "classes": find_classes}


def _describe_item(session: Session, table: str, item: Candidate) -> str:
    """Return the first sentence about an item, with its origin if that is not Puppet itself."""
    own = find_documentation(session, table, item.text) if item.words else None
    if own is not None:
        sentence = get_first_sentence(own.comment[0])
        return f"{sentence} ({item.words})" if sentence else item.words
    known = find_function(item.text, session.runtime.dialect) if table == "functions" else None
    return get_first_sentence(known.words) if known is not None else item.words


# types whose instances are of types from several branches of the type tree
UNIONS = ("Data", "RichData", "Iterable", "NotUndef", "Optional", "Variant", "Init", "RichDataKey")


@memoize(owner="one result")
def read_hierarchy() -> dict[str, tuple[str, ...]]:
    """Return each type with the types right below it, in the order of the reference.

    A type is below the first of its supertypes that has a place itself, else below Any. A type without supertypes in
    the reference has no place.
    """
    types = [words for name in list_types() if (words := find_type(name)) and name not in UNIONS]
    placed = {words.name: words.under for words in types if words.under}
    found: dict[str, tuple[str, ...]] = {}
    for name, parents in placed.items():
        parent = next((one for one in parents if one in placed), "Any")
        found[parent] = (*found.get(parent, ()), name)
    return found


def find_types_of_value(value: Value, dialect: Dialect) -> set[str]:
    """Return the names of the types, in the hierarchy and UNIONS, that include a value."""
    return {name for name, known in _iterate_types(dialect) if known.instance(value)}


def find_supertypes(inner: Type, dialect: Dialect) -> set[str]:
    """Return the names of the types, in the hierarchy and UNIONS, that include all of a type.

    A type that accepts the type right above it, such as Enum without parameters, which accepts String, is no real part
    of that one. It is included only if `inner` is of that kind.
    """
    above = {
        name: find_builtin_type(outer, dialect) for outer, names in read_hierarchy().items() for name in names
    }
    found = set()
    for name, known in _iterate_types(dialect):
        outer = above.get(name)
        is_narrower = outer is None or not known.assignable(outer)
        if name == inner.simple_name or (is_narrower and known.assignable(inner)):
            found.add(name)
    return found


def _iterate_types(dialect: Dialect) -> Iterator[tuple[str, Type]]:
    for name in {name for names in read_hierarchy().values() for name in names} | {"Any", *UNIONS}:
        found = find_builtin_type(name, dialect)
        if found is not None:
            yield name, found
