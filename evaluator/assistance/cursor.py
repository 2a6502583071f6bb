"""The position of the cursor: the tokens of unfinished text, and the resource body around its end.

This reads what users are typing, so it never fails. The parser decides whether an input is complete.
"""

from __future__ import annotations

import re
from itertools import pairwise

from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

KEYWORDS: dict[str, str] = {
    "and": "both sides are true",
    "case": "chooses by value: case $x { 'a', /b/: { … } default: { … } }",
    "class": "defines a class, class name(Type $parameter) { … }; or declares one, class { 'name': … }",
    "default": "the option for all other values",
    "define": "defines a resource type: define name(Type $parameter) { … }, declared like any resource",
    "else": "the branch when no condition holds",
    "elsif": "a further condition of `if`",
    "false": "the Boolean false",
    "function": "defines a function: function name(Type $x) >> Type { … }; its last expression is its value",
    "if": "if condition { … } elsif condition { … } else { … }; it has a value",
    "in": "tests for a string in a string, an element in an array, a key in a hash",
    "inherits": "the class that a class extends",
    "node": "code for a node: node 'name', /pattern/ { … }",
    "or": "at least one side is true",
    "true": "the Boolean true",
    "type": "names a type: type Port = Integer[1, 65535]",
    "undef": "no value",
    "unless": "unless condition { … } else { … }",
}
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


def match_brackets(tokens: list[CursorToken]) -> tuple[dict[int, int], list[int]]:
    """Return for each bracket of a pair the index of the other one, and those of open ones.

    A closing bracket that does not belong to the last open one is ignored.
    """
    partners: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind == "mark" and token.text in "([{":
            opened.append(index)
        elif token.kind == "mark" and opened and tokens[opened[-1]].text == _PAIRS.get(token.text):
            partners[index] = opened.pop()
            partners[partners[index]] = index
    return partners, opened


def list_outer_tokens(tokens: list[CursorToken]) -> list[CursorToken]:
    """Return the tokens outside all brackets, and the brackets that open there."""
    partners, _ = match_brackets(tokens)
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
        wants: "attribute" where the name of an attribute is expected, else "".
        used: The attributes that it has so far.
    """

    type_name: str
    title: str
    wants: str
    used: set[str]


def find_enclosing_body(tokens: list[CursorToken]) -> CursorBody | None:
    """Return the resource, defaults or override body in which the tokens end; None if there is none."""
    tokens = [token for token in tokens if token.kind != "comment"]
    partners, opened = match_brackets(tokens)
    if not opened or tokens[opened[-1]].text != "{":
        return None
    opening = opened[-1]
    type_name = _find_type_name(tokens[:opening], partners)
    if type_name is None:
        return None
    return _make_body(type_name, list_outer_tokens(tokens[opening + 1 :]))


def _find_type_name(before: list[CursorToken], partners: dict[int, int]) -> str | None:
    """Return the type named before `{`: `file`, `File` or `File[…]`."""
    index = len(before) - 1
    if index >= 0 and before[index].text == "]":
        index = partners.get(index, 0) - 1
    if (
        index < 0
        or before[index].kind != "name"
        or (before[index].text in KEYWORDS and before[index].text != "class")
    ):
        return None
    is_definition = index > 0 and before[index - 1].text in (
        "class",
        "define",
        "node",
        "function",
        "inherits",
        "type",
    )
    return None if is_definition else before[index].text


def _make_body(type_name: str, inside: list[CursorToken]) -> CursorBody:
    """Return the last body between braces; a semicolon separates the bodies.

    Args:
        type_name: The name before the braces; defaults and overrides have a capitalized one, and no titles.
        inside: The tokens from the opening brace to the cursor that are outside inner brackets.
    """
    start = max((index + 1 for index, token in enumerate(inside) if token.text == ";"), default=0)
    body = inside[start:]
    colon = next((index for index, token in enumerate(body) if token.text == ":"), None)
    title = body[0].text.strip("'\"") if colon and body[0].kind in ("single", "double", "name") else ""
    is_after_title = colon is not None or type_name[:1].isupper()
    wants = "attribute" if is_after_title and (not body or body[-1].text in (":", ",")) else ""
    used = {token.text for token, arrow in pairwise(body) if arrow.kind == "arrow"}
    return CursorBody(type_name.casefold().removeprefix("::"), title, wants, used)
