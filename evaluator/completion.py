"""Completion: what can stand at the cursor, by the words before it and by what the session knows.

Nothing is evaluated: names come from the session's tables, keys from the values that variables hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from evaluator import values
from evaluator.cursor import KEYWORDS, Body, Token, enclosing_body, scan

DESCRIBED = 12  # so many candidates at most are described
CLASS_FUNCTIONS = ("include", "contain", "require", "inherits")


class Item:
    """A candidate: the text that replaces, its kind ("variable", "function", …) and a few words about it."""

    __slots__ = ("kind", "text", "words")

    def __init__(self, text: str, kind: str, words: str = "") -> None:
        self.text = text
        self.kind = kind
        self.words = words

    def __iter__(self) -> Iterator[str]:
        return iter((self.text, self.kind, self.words))


class Completions:
    """Candidates for the text from `start` to `end`, offsets of the source."""

    __slots__ = ("end", "items", "start")

    def __init__(self, start: int, end: int, items: Iterable[Item]) -> None:
        self.start = start
        self.end = end
        unique = {item.text: item for item in reversed(list(items))}
        self.items = sorted(unique.values(), key=lambda item: (item.text.casefold(), item.text))


def complete(session: Any, source: str, cursor: int) -> Completions:
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
    before = tokens[:-1] if word else tokens
    return _answer(word, cursor - len(word), _words(session, before, word))


def _answer(word: str, start: int, items: Iterable[Item]) -> Completions:
    found = Completions(start, start + len(word), [item for item in items if item.text.startswith(word)])
    if len(found.items) <= DESCRIBED:
        for item in found.items:
            if item.kind == "function" and not item.words:
                item.words = _function_words(item.text)
    return found


def _function_words(name: str) -> str:
    """The first signature of a built-in function, which takes the import of its family."""
    from evaluator.functions import lookup

    function = lookup(name)
    return function.signatures[0] if function is not None else ""


def _is_open(token: Token) -> bool:
    body = re.sub(r"\\.", "", token.text[1:], flags=re.S)
    return not body.endswith(token.text[0])


# --- Strings


def _in_string(session: Any, source: str, tokens: list[Token], string: Token) -> Completions:
    before = tokens[:-1]
    if string.kind == "double":
        opening = string.text.rfind("${")
        if opening > string.text.rfind("}"):
            return _in_interpolation(session, source, string.start + opening + 2, string.end)
        dollar = re.search(r"\$[\w:]*\Z", string.text)
        if dollar:
            start = string.start + dollar.start()
            return _answer(
                dollar.group(), start, _variables(session, source, "$", Token("variable", "", start))
            )
    word = string.text[1:]
    return _answer(word, string.start + 1, _quoted(session, before))


def _in_interpolation(session: Any, source: str, start: int, cursor: int) -> Completions:
    inner = source[start:cursor]
    name = re.fullmatch(r"[\w:]*", inner)
    if name:
        return _answer(inner, start, _variables(session, source, "", Token("variable", inner, start)))
    head = "" if inner.startswith("$") else "$"
    found = complete(session, head + inner, len(head + inner))
    shift = start - len(head)
    return Completions(found.start + shift, found.end + shift, found.items)


def _quoted(session: Any, before: list[Token]) -> Iterable[Item]:
    """What can stand in a string after these tokens: a key, a title or a class name."""
    if not before:
        return ()
    if before[-1].text == "[":
        value = _value_before(session, before[:-1])
        if isinstance(value, dict):
            return [Item(key, "key", about(value[key])) for key in value if isinstance(key, str)]
        if len(before) > 1 and before[-2].kind == "name":
            return titles(session, before[-2].text)
    if before[-1].text in CLASS_FUNCTIONS or [token.text for token in before[-2:]] == ["class", "{"]:
        return _classes(session)
    body = enclosing_body(before)
    if body is not None and before[-1].kind == "arrow":
        return [Item(text, "value") for text in _attribute_values(session, body, before[-2].text)]
    return ()


def _value_before(session: Any, before: list[Token]) -> Any:
    """The value of `$name['key']…` that ends these tokens; None when it cannot be told without evaluation."""
    keys: list[str] = []
    while len(before) >= 3 and before[-1].text == "]" and before[-3].text == "[":
        keys.insert(0, before[-2].text.strip("'\""))
        before = before[:-3]
    if not before or before[-1].kind != "variable":
        return None
    value = variable_value(session, before[-1].text[1:])
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


# --- Names


def variable_value(session: Any, name: str) -> Any:
    """The value of a variable, plain or qualified, as the top scope sees it; None when there is none."""
    return dict(all_variables(session)).get(name.removeprefix("::"))


def all_variables(session: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of the top scope's variables, then of every evaluated class's, qualified."""
    state = session.runtime.state
    yield from state.top.variables.items()
    for class_name, scope in state.classes.items():
        if scope is not state.top:
            for name, value in scope.variables.items():
                yield f"{class_name}::{name}", value


def _variables(session: Any, source: str, sigil: str, typed: Token) -> Iterator[Item]:
    word = typed.text.removeprefix("$")
    absolute = "::" if word.startswith("::") else ""
    qualified = "::" in word.removeprefix("::")
    for name, value in all_variables(session):
        if qualified or "::" not in name:
            yield Item(f"{sigil}{absolute}{name}", "variable", about(value))
    if not absolute:
        for token in scan(source):
            if token.kind == "variable" and token.start != typed.start and token.text[1:2].isalpha():
                yield Item(sigil + token.text[1:], "variable")


def about(value: Any) -> str:
    """A few words about a value: its literal, or its kind and size. Sensitive stays hidden."""
    if isinstance(value, list | dict):
        return f"{values.label(value)}, {len(value)} {'element' if len(value) == 1 else 'elements'}"
    if isinstance(value, str):
        return values.literal(value if len(value) <= 40 else value[:39] + "…")
    return values.literal(value)


def _words(session: Any, before: list[Token], word: str) -> Iterable[Item]:
    """What a bare word after these tokens can be."""
    previous = before[-1].text if before else ""
    if previous == "." and len(before) > 1:
        return functions(session)
    if previous in CLASS_FUNCTIONS:
        return _classes(session)
    body = enclosing_body(before)
    if body is not None:
        if body.wants == "attribute":
            return [item for item in attributes(session, body) if item.text not in body.used]
        if before[-1].kind == "arrow":
            offered = [
                text for text in _attribute_values(session, body, before[-2].text) if text.isidentifier()
            ]
            return [*(Item(text, "value") for text in offered), *_expression(session, word)]
    return _expression(session, word)


def _expression(session: Any, word: str) -> Iterator[Item]:
    if not word:
        return
    if word[:1].isupper():
        yield from types(session)
        return
    yield from (Item(text, "keyword", words) for text, words in KEYWORDS.items())
    yield from functions(session)
    yield from resource_types(session)


def functions(session: Any) -> Iterator[Item]:
    """The built-in functions and those that the program defines."""
    from evaluator.functions import names

    for name in names():
        yield Item(name, "function")
    for name in session.runtime.state.definitions.functions:
        yield Item(name, "function", "defined here")


def resource_types(session: Any) -> Iterator[Item]:
    """The names before `{` of a resource: built-in resource types and defines."""
    from evaluator.resource_types import NAMES, facts

    for name in NAMES:
        yield Item(name, "resource type", facts(name).words)
    for name in session.runtime.state.definitions.defines:
        yield Item(name, "define", "defined here")


def types(session: Any) -> Iterator[Item]:
    """Upper-case names: data types, type aliases, references to resource types and defines."""
    from evaluator.types import names

    for name in names(session.runtime.dialect):
        yield Item(name, "type")
    for name in session.runtime.state.definitions.types:
        yield Item(
            "::".join(part[:1].upper() + part[1:] for part in name.split("::")), "type", "defined here"
        )
    for item in resource_types(session):
        yield Item("::".join(part.capitalize() for part in item.text.split("::")), item.kind, item.words)


def _classes(session: Any) -> Iterator[Item]:
    for name in session.runtime.state.definitions.classes:
        yield Item(name, "class", "defined here")


def titles(session: Any, type_name: str) -> Iterator[Item]:
    """The titles of the catalog's resources of a type."""
    if type_name == "Class":
        yield from _classes(session)
    for kind, title in session.runtime.state.catalog.resources:
        if kind == type_name.casefold():
            yield Item(title, "title", f"{type_name}['{title}']")


# --- Resource bodies


def attributes(session: Any, body: Body) -> Iterator[Item]:
    """The attributes that a body's resource can have, with a few words."""
    for parameter in _parameters(session, body):
        yield Item(parameter.name, "parameter", "optional" if parameter.default else "required")
    for name, attribute in _facts(session, body).items():
        yield Item(name, "attribute", attribute.words)


def _parameters(session: Any, body: Body) -> Iterable[Any]:
    definitions = session.runtime.state.definitions
    if body.type_name == "class":
        definition = definitions.classes.get(body.title.removeprefix("::"))
    else:
        definition = definitions.defines.get(body.type_name)
    return definition.parameters if definition is not None else ()


def _facts(session: Any, body: Body) -> dict[str, Any]:
    """What is known of the attributes of a body's resource, by name."""
    from evaluator import resource_types

    if resource_types.exists(body.type_name):
        return resource_types.attributes(body.type_name)
    known = body.type_name == "class" or body.type_name in session.runtime.state.definitions.defines
    return resource_types.metaparameters() if known else {}


def _attribute_values(session: Any, body: Body, name: str) -> Iterable[str]:
    attribute = _facts(session, body).get(name)
    return [value for value in attribute.values if not value.startswith("/")] if attribute is not None else ()
