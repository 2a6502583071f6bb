"""Completion: the candidates at the cursor.

They depend on the tokens before the cursor and the names that the session knows. The sections below `complete` find
the candidates inside a string, for a bare word, and after a dot.

Nothing is evaluated or loaded: names come from the session's tables and from the files of the module path, keys
and methods from the values of variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from evaluator.assistance.candidates import (
    Candidate,
    find_attribute_values,
    find_attributes,
    find_classes,
    find_data_types,
    find_defined_functions,
    find_functions,
    find_keys,
    find_resource_types,
    find_titles,
    find_types,
    find_variable,
    find_variables,
    list_keywords,
)
from evaluator.assistance.cursor import CursorToken, find_enclosing_body, match_brackets, scan_tokens
from evaluator.assistance.words.methods import METHODS
from evaluator.functions import find_function, list_function_names
from evaluator.types import infer_outline
from evaluator.values import Value
from lexer_parser.dialect import PUPPET

if TYPE_CHECKING:
    from evaluator.session.session import Session

MOST_DESCRIBED = 12  # candidates; the functions in a longer list are not described by their usage
LONGEST_CHECKED = 20_000  # characters; whether candidates can follow is not checked in longer sources
BEFORE_CLASS = ("include", "contain", "require", "inherits")  # words that the name of a class follows


class Completions:
    """The candidates that replace the text from `start` to `end`, offsets in characters.

    Of several candidates with the same text, the first is kept.
    """

    def __init__(self, start: int, end: int, items: Iterable[Candidate]) -> None:
        self.start = start
        self.end = end
        unique = {item.text: item for item in reversed(list(items))}
        self.items = sorted(unique.values(), key=lambda item: (item.text.casefold(), item.text))


def complete(session: Session, source: str, cursor: int) -> Completions:
    """Return the candidates at `cursor`, an offset in characters."""
    head = source[:cursor]
    tokens = scan_tokens(head)
    last = tokens[-1] if tokens and tokens[-1].end == cursor else None
    if last is not None and last.kind == "comment" and not head.endswith("*/"):  # the cursor is inside of it
        return Completions(cursor, cursor, ())
    if last is not None and last.kind in ("single", "double") and _is_open(last):
        return _complete_in_string(session, source, tokens, last)
    if last is not None and last.kind == "variable":
        return _make_completions(last.text, last.start, _complete_variable(session, source, "$", last))
    word = last.text if last is not None and last.kind in ("name", "number") else ""
    before = [token for token in (tokens[:-1] if word else tokens) if token.kind != "comment"]
    completions = _make_completions(word, cursor - len(word), _complete_word(session, before, word))
    completions.items = _keep_valid(session, head, completions)
    return completions


def _make_completions(word: str, start: int, items: Iterable[Candidate]) -> Completions:
    """Return the candidates that begin with a word, which begins at `start`.

    Functions without a description are described by their usage if the candidates are few.
    """
    completions = Completions(
        start, start + len(word), [item for item in items if item.text.startswith(word)]
    )
    if len(completions.items) <= MOST_DESCRIBED:
        for item in completions.items:
            if item.kind == "function" and not item.words:
                function = find_function(item.text)  # which imports the module of the function
                item.words = function.usage[0] if function is not None else ""
    return completions


def _keep_valid(session: Session, head: str, completions: Completions) -> list[Candidate]:
    """Return the candidates with which a program can continue: no `else` without an `if`.

    If the text before the word is a syntax error already, all of them are returned.
    """
    before, items = head[: completions.start], completions.items
    if len(before) > LONGEST_CHECKED or not items or session.status(before).kind == "invalid":
        return items
    is_valid_by_role: dict[str, bool] = {}

    def can_follow(item: Candidate) -> bool:
        """Return True if a program can continue with the item: one of each role is tried."""
        role = item.text if item.kind in ("keyword", "module") else item.kind
        if role not in is_valid_by_role:
            is_valid_by_role[role] = session.status(before + item.text).kind != "invalid"
        return is_valid_by_role[role]

    return [item for item in items if can_follow(item)]


def _is_open(token: CursorToken) -> bool:
    """Return True for a string without its closing quote."""
    return not re.sub(r"\\.", "", token.text[1:], flags=re.S).endswith(token.text[0])


# --- Strings


def _complete_in_string(
    session: Session, source: str, tokens: list[CursorToken], string: CursorToken
) -> Completions:
    """Return the candidates in an open string, which is the last token.

    In double quotes these may be variables, `$name` or `${name}`. Otherwise the tokens before the string show what it
    is: a key, a title, a class or the value of an attribute.
    """
    if string.kind == "double":
        opening = string.text.rfind("${")
        if opening > string.text.rfind("}"):
            start = string.start + opening + len("${")
            return _complete_in_interpolation(session, source, start, string.end)
        dollar = re.search(r"\$[\w:]*\Z", string.text)
        if dollar:
            start = string.start + dollar.start()
            typed = CursorToken("variable", dollar.group(), start)
            return _make_completions(dollar.group(), start, _complete_variable(session, source, "$", typed))
    word = string.text[1:]
    before = [token for token in tokens[:-1] if token.kind != "comment"]
    offered = [
        item for item in _complete_string(session, before, word) if _is_plain(item.text, string.text[0])
    ]
    return _make_completions(word, string.start + 1, offered)


def _is_plain(text: str, quote: str) -> bool:
    """Return True for text that needs no escape in a string."""
    return set(text).isdisjoint(('"', "$", "\\", "\n") if quote == '"' else ("'", "\\", "\n"))


def _complete_in_interpolation(session: Session, source: str, start: int, cursor: int) -> Completions:
    """Return the candidates in `${…}`, whose code begins at `start`.

    A single name is that of a variable: `${name` is completed as a variable without its sigil, and `${name['k` as the
    expression `$name['k`, whose offsets are shifted by the sigil.
    """
    inner = source[start:cursor]
    if re.fullmatch(r"[\w:]*", inner):
        return _make_completions(
            inner, start, _complete_variable(session, source, "", CursorToken("variable", inner, start))
        )
    sigil = "" if inner.startswith("$") else "$"
    expression = sigil + inner
    completions = complete(session, expression, len(expression))
    shift = start - len(sigil)
    return Completions(completions.start + shift, completions.end + shift, completions.items)


def _complete_string(session: Session, before: list[CursorToken], word: str) -> Iterable[Candidate]:
    """Return the candidates inside a string after these tokens: keys, titles or class names."""
    if not before:
        return ()
    if before[-1].text == "[":
        keys = find_keys(_find_value_before(session, before[:-1]))
        if keys:
            return keys
        if len(before) > 1 and before[-2].kind == "name":
            return find_titles(session, before[-2].text)
    if before[-1].text in BEFORE_CLASS or [token.text for token in before[-2:]] == ["class", "{"]:
        return find_classes(session, word)
    body = find_enclosing_body(before)
    if body is not None and before[-1].kind == "arrow":
        return [Candidate(text, "value") for text in find_attribute_values(session, body, before[-2].text)]
    return ()


def _find_value_before(session: Session, before: list[CursorToken]) -> Value:
    """Return the value of `$name['key']…` that ends these tokens; None for other code."""
    path: list[str] = []
    while len(before) >= 3 and before[-1].text == "]" and before[-3].text == "[":
        path.insert(0, before[-2].text.strip("'\""))
        before = before[:-3]
    if not before or before[-1].kind != "variable":
        return None
    value = find_variable(session, before[-1].text[1:])
    for key in path:
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


# --- Names


def _complete_variable(session: Session, source: str, sigil: str, typed: CursorToken) -> Iterator[Candidate]:
    """Yield the session's variables, and those that the source itself names.

    Args:
        session: The session.
        source: The text that is completed.
        sigil: The text to insert before each name, "$" or "".
        typed: The variable at the cursor, which does not count as a name in the source.
    """
    word = typed.text.removeprefix("$")
    yield from find_variables(session, sigil, word)
    if not word.startswith("::"):
        for token in scan_tokens(source):
            if token.kind == "variable" and token.start != typed.start and token.text[1:2].isalpha():
                yield Candidate(sigil + token.text[1:], "variable")


def _complete_word(session: Session, before: list[CursorToken], word: str) -> Iterable[Candidate]:
    """Return the candidates for a bare word after these tokens."""
    previous = before[-1].text if before else ""
    if previous == "." and len(before) > 1:
        return _complete_method(session, before[:-1], word)
    if previous in BEFORE_CLASS:
        return find_classes(session, word)
    if previous == "[" and not word and len(before) > 1:
        return _complete_in_brackets(session, before[:-1])
    body = find_enclosing_body(before)
    if body is not None:
        if body.expects_attribute:
            return [item for item in find_attributes(session, body) if item.text not in body.used]
        if before[-1].kind == "arrow":
            offered = find_attribute_values(session, body, before[-2].text)
            return [
                *(Candidate(text, "value") for text in offered if text.isidentifier()),
                *_complete_expression(session, word),
            ]
    return _complete_expression(session, word)


def _complete_expression(session: Session, word: str) -> Iterator[Candidate]:
    """Yield the names that can begin an expression; none before a letter is typed."""
    if not word:
        return
    if word.removeprefix("::")[:1].isupper():
        yield from find_types(session, word)
        return
    yield from list_keywords()
    yield from find_functions(session, word)
    yield from find_resource_types(session, word)


_TYPES_WITH_BOUNDS = ("Integer", "Float", "Timestamp", "Timespan", "String", "Collection")
_TYPES_WITH_TYPES = (
    *("Array", "Hash", "Iterable", "Iterator", "NotUndef"),
    *("Optional", "Sensitive", "Tuple", "Type", "Variant"),
)


def _complete_in_brackets(session: Session, before: list[CursorToken]) -> Iterable[Candidate]:
    """Return the candidates right after the bracket behind a hash, a type or a reference."""
    keys = [item for item in find_keys(_find_value_before(session, before)) if _is_plain(item.text, "'")]
    if keys or before[-1].kind != "name":
        return [Candidate(f"'{item.text}'", item.kind, item.words) for item in keys]
    name = before[-1].text
    if name == "Class":
        return find_classes(session)
    if name in _TYPES_WITH_BOUNDS:
        return [Candidate("default", "keyword", "no bound on this side")]
    if name in _TYPES_WITH_TYPES:
        return find_data_types(session)
    titles = [item for item in find_titles(session, name) if _is_plain(item.text, "'")]
    return [Candidate(f"'{item.text}'", item.kind, item.words) for item in titles]


def _complete_method(session: Session, receiver: list[CursorToken], word: str) -> Iterable[Candidate]:
    """Return the attributes of the value before a dot, and the functions that accept it.

    Functions of the program and of modules may accept any value. If the kind of the value is not known, all built-in
    functions are returned.
    """
    value = _find_value_before(session, receiver)
    kind = find_kind(value) if value is not None else find_literal_kind(receiver)
    accepting = find_methods(kind)
    return [
        *(Candidate(name, "attribute", f"of a {kind}") for name in ATTRIBUTES.get(kind, ())),
        *(
            Candidate(name, "function")
            for name in list_function_names()
            if accepting is None or name in accepting
        ),
        *find_defined_functions(session, word),
    ]


# --- The kind of the value before a dot


# The kinds of values of which `METHODS` lists the functions.
KINDS = (
    *("String", "Integer", "Float", "Boolean", "Undef", "Regexp", "Array", "Hash", "Iterator", "Binary"),
    *("Sensitive", "SemVer", "SemVerRange", "Timespan", "Timestamp", "URI", "Type", "Deferred", "Error"),
)
ATTRIBUTES = {
    "URI": ("scheme", "userinfo", "host", "port", "path", "query", "fragment"),
    "Error": ("message", "msg", "kind", "details", "issue_code"),
}
_LITERAL_KINDS = {"single": "String", "double": "String", "number": "Integer"}
_KEYWORD_KINDS = {"true": "Boolean", "false": "Boolean", "undef": "Undef"}


def find_kind(value: Value) -> str:
    """Return the kind of a value, one of KINDS; "" for others."""
    name = infer_outline(value, PUPPET).simple_name
    return name if name in KINDS else ""


def find_literal_kind(tokens: list[CursorToken]) -> str:
    """Return the kind of the literal that ends some tokens; "" if it is none, or unknown."""
    last = tokens[-1]
    if last.kind == "number" and "." in last.text:
        return "Float"
    if last.kind in _LITERAL_KINDS:
        return _LITERAL_KINDS[last.kind]
    if last.kind == "name":
        return _KEYWORD_KINDS.get(last.text, "Type" if last.text[:1].isupper() else "")
    opening = match_brackets(tokens).partners.get(len(tokens) - 1) if last.text in ("]", "}") else None
    if opening is None:
        return ""
    before = tokens[opening - 1] if opening else None
    if last.text == "}":  # of a hash only after these tokens; after others, braces may enclose a body
        return "Hash" if before is not None and before.text in ("=", "(", "[", ",", "=>") else ""
    if before is not None and before.kind == "name" and before.text[:1].isupper():
        return "Type"
    # brackets directly behind a value access a part of it, whose kind is unknown
    is_access = (
        before is not None
        and before.end == tokens[opening].start
        and (before.kind in ("name", "variable", "single", "double") or before.text in ")]}")
    )
    return "" if is_access else "Array"


def find_methods(kind: str) -> set[str] | None:
    """Return the built-in functions that accept a kind of value; None for an unknown kind."""
    if kind not in METHODS:
        return None
    # functions that iterate accept types, too: Integer[1, 3] is a range
    kinds = (kind, "Any", *(("Iterator",) if kind == "Type" else ()))
    return {name for accepted_kind in kinds for name in METHODS[accepted_kind].split()}
