"""The position of the cursor: the tokens of unfinished text, and the resource body around its end.

This reads what users are typing, so it never fails. The parser decides whether an input is complete.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from evaluator.assistance.words.statements import KEYWORDS
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

_TOKENS = LazyPattern(
    r"""
      (?P<comment> \#[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<single>  '(?:[^'\\]++|\\.)*+(?:'|\\?\Z) )
    | (?P<double>  "(?:[^"\\]++|\\.)*+(?:"|\\?\Z) )
    | (?P<variable> \$(?:::)?(?:\w+(?:::\w+)*(?:::)?)? )
    | (?P<name>    (?:::)?[^\W\d]\w*(?:::\w*)* )
    | (?P<number>  \d\w*(?:\.\d\w*)? )
    | (?P<arrow>   [=+]> )
    | (?P<mark>    [^\s\w] )
    """,
    re.X | re.S,
)
_PAIRS = {")": "(", "]": "[", "}": "{"}


class CursorToken:
    """A token of a text that may be unfinished; `kind` is the name of a group of `_TOKENS`."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = start + len(text)


def scan_tokens(text: str) -> list[CursorToken]:
    """Return the tokens of a text, comments included."""
    return [
        CursorToken(match.lastgroup or "", match.group(), match.start()) for match in _TOKENS.finditer(text)
    ]


class Brackets(NamedTuple):
    """The brackets among some tokens, by their indexes.

    Attributes:
        partners: The other bracket of the pair, for each bracket that has one.
        unclosed: The opening brackets without a partner, the innermost last.
    """

    partners: dict[int, int]
    unclosed: list[int]


def match_brackets(tokens: list[CursorToken]) -> Brackets:
    """Return the brackets. A closing one that does not match the last unclosed one is ignored."""
    partners: dict[int, int] = {}
    unclosed: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind == "mark" and token.text in "([{":
            unclosed.append(index)
        elif token.kind == "mark" and unclosed and tokens[unclosed[-1]].text == _PAIRS.get(token.text):
            partners[index] = unclosed.pop()
            partners[partners[index]] = index
    return Brackets(partners, unclosed)


def list_outer_tokens(tokens: list[CursorToken]) -> list[CursorToken]:
    """Return the tokens outside all brackets, and the brackets that open there."""
    partners = match_brackets(tokens).partners
    outer, index = [], 0
    while index < len(tokens):
        outer.append(tokens[index])
        index = partners.get(index, index) + 1
    return outer


# --- Resource bodies


class CursorBody(Record):
    """The resource body around the cursor.

    Attributes:
        type_name: The resource type in lower case.
        title: The literal title, or "".
        expects_attribute: True if the name of an attribute is expected at the cursor.
        used: The attributes that it has so far.
    """

    type_name: str
    title: str
    expects_attribute: bool
    used: set[str]


def find_enclosing_body(tokens: list[CursorToken]) -> CursorBody | None:
    """Return the resource, defaults or override body in which the tokens end; None if there is none."""
    tokens = [token for token in tokens if token.kind != "comment"]
    brackets = match_brackets(tokens)
    if not brackets.unclosed or tokens[brackets.unclosed[-1]].text != "{":
        return None
    opening = brackets.unclosed[-1]
    type_name = _find_type_name(tokens[:opening], brackets.partners)
    if type_name is None:
        return None
    return _make_body(type_name, list_outer_tokens(tokens[opening + 1 :]))


def _find_type_name(before: list[CursorToken], partners: dict[int, int]) -> str | None:
    """Return the type before `{`: `file`, `File` or `File[…]`; None for any other code."""
    index = len(before) - 1
    if index in partners and before[index].text == "]":
        index = partners[index] - 1
    if index < 0 or before[index].kind != "name":
        return None
    is_statement = before[index].text in KEYWORDS and before[index].text != "class"
    is_definition = index > 0 and before[index - 1].text in (
        "class",
        "define",
        "node",
        "function",
        "inherits",
        "type",
    )
    return None if is_statement or is_definition else before[index].text


def _make_body(type_name: str, inside: list[CursorToken]) -> CursorBody:
    """Return the last body between braces; a semicolon separates the bodies.

    Args:
        type_name: The name before the braces; defaults and overrides have a capitalized one, and no titles.
        inside: The tokens from the opening brace to the cursor that are outside inner brackets.
    """
    start = max((index + 1 for index, token in enumerate(inside) if token.text == ";"), default=0)
    body = inside[start:]
    has_title = any(token.text == ":" for token in body)
    title = body[0].text.strip("'\"") if has_title and body[0].kind in ("single", "double", "name") else ""
    is_after_title = has_title or type_name[:1].isupper()
    expects_attribute = is_after_title and (not body or body[-1].text in (":", ","))
    used = {token.text for token, arrow in pairwise(body) if arrow.kind == "arrow"}
    return CursorBody(type_name.casefold().removeprefix("::"), title, expects_attribute, used)
