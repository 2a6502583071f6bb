"""Completion: what can stand at the cursor, by the words before it and by what the session knows.

Nothing is evaluated or loaded: names come from the session's tables and from the files of the module path, keys
and methods from the values that variables hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from evaluator.assistance.candidates import (
    Item,
    about,
    all_variables,
    attribute_values,
    attributes,
    classes,
    data_types,
    functions,
    keys,
    keywords,
    resource_types,
    titles,
    types,
    variable_value,
    variables,
)
from evaluator.assistance.cursor import Token, enclosing_body, scan
from evaluator.assistance.receivers import ATTRIBUTES, kind_of, literal_kind, methods
from evaluator.functions import lookup

if TYPE_CHECKING:
    from evaluator.program.protocols import Session

__all__ = ["Completions", "Item", "about", "all_variables", "complete"]

DESCRIBED = 12  # so many candidates at most are described
CHECKED = 20_000  # characters; the fit of candidates into longer sources is not checked
CLASS_FUNCTIONS = ("include", "contain", "require", "inherits")


class Completions:
    """Candidates for the text from `start` to `end`, offsets of the source."""

    __slots__ = ("end", "items", "start")

    def __init__(self, start: int, end: int, items: Iterable[Item]) -> None:
        self.start = start
        self.end = end
        unique = {item.text: item for item in reversed(list(items))}
        self.items = sorted(unique.values(), key=lambda item: (item.text.casefold(), item.text))


def complete(session: Session, source: str, cursor: int) -> Completions:
    """The candidates at `cursor`, an offset in characters."""
    head = source[:cursor]
    tokens = scan(head)
    last = tokens[-1] if tokens and tokens[-1].end == cursor else None
    if last is not None and last.kind == "comment" and not head.endswith("*/"):
        return Completions(cursor, cursor, ())
    if last is not None and last.kind in ("single", "double") and _is_open(last):
        return _in_string(session, source, tokens, last)
    if last is not None and last.kind == "variable":
        return _answer(last.text, last.start, _variables(session, source, "$", last))
    word = last.text if last is not None and last.kind in ("name", "number") else ""
    before = [token for token in (tokens[:-1] if word else tokens) if token.kind != "comment"]
    found = _answer(word, cursor - len(word), _words(session, before, word))
    found.items = _fitting(session, head, found)
    return found


def _answer(word: str, start: int, items: Iterable[Item]) -> Completions:
    found = Completions(start, start + len(word), [item for item in items if item.text.startswith(word)])
    if len(found.items) <= DESCRIBED:
        for item in found.items:
            if item.kind == "function" and not item.words:
                item.words = _function_words(item.text)
    return found


def _function_words(name: str) -> str:
    """How a built-in function is called first of all, which takes the import of its family."""
    function = lookup(name)
    return function.usage[0] if function is not None else ""


def _fitting(session: Session, head: str, found: Completions) -> list[Item]:
    """The candidates without those that no program can go on with: `else` where there is no `if`.

    Where the text before the word can be right no more, all of them stay.
    """
    before = head[: found.start]
    if len(before) > CHECKED or not found.items or session.status(before).kind == "invalid":
        return found.items
    fits: dict[str, bool] = {}

    def fit(item: Item) -> bool:
        sort = item.text if item.kind in ("keyword", "module") else item.kind
        if sort not in fits:
            fits[sort] = session.status(before + item.text).kind != "invalid"
        return fits[sort]

    return [item for item in found.items if fit(item)]


def _is_open(token: Token) -> bool:
    body = re.sub(r"\\.", "", token.text[1:], flags=re.S)
    return not body.endswith(token.text[0])


# --- Strings


def _in_string(session: Session, source: str, tokens: list[Token], string: Token) -> Completions:
    if string.kind == "double":
        opening = string.text.rfind("${")
        if opening > string.text.rfind("}"):
            return _in_interpolation(session, source, string.start + opening + 2, string.end)
        dollar = re.search(r"\$[\w:]*\Z", string.text)
        if dollar:
            start = string.start + dollar.start()
            typed = Token("variable", dollar.group(), start)
            return _answer(dollar.group(), start, _variables(session, source, "$", typed))
    word = string.text[1:]
    before = [token for token in tokens[:-1] if token.kind != "comment"]
    offered = [item for item in _quoted(session, before, word) if _is_plain(item.text, string.text[0])]
    return _answer(word, string.start + 1, offered)


def _is_plain(text: str, quote: str) -> bool:
    """True for text that stands in a string as it is."""
    return not any(character in text for character in (quote, "\\", "\n", "$" if quote == '"' else quote))


def _in_interpolation(session: Session, source: str, start: int, cursor: int) -> Completions:
    inner = source[start:cursor]
    if re.fullmatch(r"[\w:]*", inner):
        return _answer(inner, start, _variables(session, source, "", Token("variable", inner, start)))
    head = "" if inner.startswith("$") else "$"
    found = complete(session, head + inner, len(head + inner))
    shift = start - len(head)
    return Completions(found.start + shift, found.end + shift, found.items)


def _quoted(session: Session, before: list[Token], word: str) -> Iterable[Item]:
    """What can stand in a string after these tokens: a key, a title or a class name."""
    if not before:
        return ()
    if before[-1].text == "[":
        found = keys(_value_before(session, before[:-1]))
        if found:
            return found
        if len(before) > 1 and before[-2].kind == "name":
            return titles(session, before[-2].text)
    if before[-1].text in CLASS_FUNCTIONS or [token.text for token in before[-2:]] == ["class", "{"]:
        return classes(session, word)
    body = enclosing_body(before)
    if body is not None and before[-1].kind == "arrow":
        return [Item(text, "value") for text in attribute_values(session, body, before[-2].text)]
    return ()


def _value_before(session: Session, before: list[Token]) -> Any:
    """The value of `$name['key']…` that ends these tokens; None when it cannot be told without evaluation."""
    wanted: list[str] = []
    while len(before) >= 3 and before[-1].text == "]" and before[-3].text == "[":
        wanted.insert(0, before[-2].text.strip("'\""))
        before = before[:-3]
    if not before or before[-1].kind != "variable":
        return None
    value = variable_value(session, before[-1].text[1:])
    for key in wanted:
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


# --- Names


def _variables(session: Session, source: str, sigil: str, typed: Token) -> Iterator[Item]:
    """The session's variables, and those that the source itself names."""
    word = typed.text.removeprefix("$")
    yield from variables(session, sigil, word)
    if not word.startswith("::"):
        for token in scan(source):
            if token.kind == "variable" and token.start != typed.start and token.text[1:2].isalpha():
                yield Item(sigil + token.text[1:], "variable")


def _words(session: Session, before: list[Token], word: str) -> Iterable[Item]:
    """What a bare word after these tokens can be."""
    previous = before[-1].text if before else ""
    if previous == "." and len(before) > 1:
        return _methods(session, before[:-1], word)
    if previous in CLASS_FUNCTIONS:
        return classes(session, word)
    if previous == "[" and not word and len(before) > 1:
        return _in_brackets(session, before[:-1])
    body = enclosing_body(before)
    if body is not None:
        if body.wants == "attribute":
            return [item for item in attributes(session, body) if item.text not in body.used]
        if before[-1].kind == "arrow":
            offered = attribute_values(session, body, before[-2].text)
            return [
                *(Item(text, "value") for text in offered if text.isidentifier()),
                *_expression(session, word),
            ]
    return _expression(session, word)


def _expression(session: Session, word: str) -> Iterator[Item]:
    if not word:
        return
    if word.removeprefix("::")[:1].isupper():
        yield from types(session, word)
        return
    yield from keywords()
    yield from functions(session, word)
    yield from resource_types(session, word)


def _in_brackets(session: Session, before: list[Token]) -> Iterable[Item]:
    """What can come first in the brackets behind a hash, a type or a reference."""
    found = [item for item in keys(_value_before(session, before)) if _is_plain(item.text, "'")]
    if found or before[-1].kind != "name":
        return [Item(f"'{item.text}'", item.kind, item.words) for item in found]
    name = before[-1].text
    if name == "Class":
        return classes(session)
    if name in ("Integer", "Float", "Timestamp", "Timespan", "String", "Collection"):
        return [Item("default", "keyword", "an open side of the range")]
    if name in (
        "Array",
        "Hash",
        "Iterable",
        "Iterator",
        "NotUndef",
        "Optional",
        "Sensitive",
        "Tuple",
        "Type",
        "Variant",
    ):
        return data_types(session)
    named = [item for item in titles(session, name) if _is_plain(item.text, "'")]
    return [Item(f"'{item.text}'", item.kind, item.words) for item in named]


def _methods(session: Session, receiver: list[Token], word: str) -> Iterable[Item]:
    """The functions that suit the value before a dot, all of them where it cannot be told."""
    value = _value_before(session, receiver)
    kind = kind_of(value) if value is not None else literal_kind(receiver)
    suiting = methods(kind)
    named = [Item(name, "attribute", f"of a {kind}") for name in ATTRIBUTES.get(kind, ())]
    items = functions(session, word)
    if suiting is None:
        return [*named, *items]
    return [*named, *(item for item in items if item.words or item.text in suiting)]
