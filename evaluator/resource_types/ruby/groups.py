"""The shape of Ruby source: what stands between brackets, and between a word such as `do` and its `end`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evaluator.resource_types.ruby.tokens import Token, Unreadable

Parts = list["Token | Group"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENING = frozenset(
    {"def", "class", "module", "case", "begin", "do", "for", "if", "unless", "while", "until"}
)
_MODIFIERS = frozenset({"if", "unless", "while", "until", "rescue"})
_LOOPS = frozenset({"for", "while", "until"})
_DEEPEST = 100
# after these an expression goes on in the next line
_GOING_ON = frozenset(
    (
        *("+", "-", "*", "/", "%", "**", "=", "==", "!=", "===", "=~", "!~", "<", ">", "<=", ">="),
        *("<=>", "&&", "||", "&", "|", "^", "<<", ">>", "=>", ",", ".", "&.", "::", "+=", "-="),
        *("||=", "&&=", "?", ":", "!", "->"),
    )
)


class Group:
    """What a bracket or an opening word holds, lines and all; `kind` is the bracket or the word."""

    __slots__ = ("kind", "parts", "spaced")

    def __init__(self, kind: str, spaced: bool) -> None:
        self.kind: Final = kind
        self.parts: Final[Parts] = []
        self.spaced: Final = spaced

    def __repr__(self) -> str:
        return f"{self.kind}{self.parts}"


def is_word(part: Token | Group | None, *words: str) -> bool:
    """True for an operator or keyword that is one of these."""
    return isinstance(part, Token) and part.kind in ("operator", "keyword") and part.value in words


def grouped(tokens: list[Token]) -> Parts:
    """The tokens with what is nested in groups. Raises Unreadable."""
    top = Group("", False)
    stack = [top]
    awaits_do = False
    for index, token in enumerate(tokens):
        parts = stack[-1].parts
        last = parts[-1] if parts else None
        if token.kind == "line":
            awaits_do = False
            if parts and not _goes_on(last, stack[-1]) and not _continued(tokens, index):
                parts.append(token)
            continue
        word = str(token.value) if token.kind in ("operator", "keyword") else ""
        if word in _BRACKETS or (word in _OPENING and not _modifies(word, last)):
            if word == "do" and awaits_do:
                awaits_do = False
                parts.append(Token("line", "\n", False))
                continue
            if len(stack) > _DEEPEST:
                raise Unreadable
            group = Group(word, token.spaced)
            parts.append(group)
            stack.append(group)
            awaits_do = word in _LOOPS or (awaits_do and word in _BRACKETS)
        elif word in (")", "]", "}", "end"):
            if len(stack) == 1 or _BRACKETS.get(stack[-1].kind, "end") != word:
                raise Unreadable
            stack.pop()
        elif word in (";", "then"):
            parts.append(Token("line", "\n", False))
        else:
            parts.append(token)
    if len(stack) > 1:
        raise Unreadable
    return top.parts


def _modifies(word: str, last: Token | Group | None) -> bool:
    """True when `if` and its like follow a whole statement on its line, which they modify."""
    if word not in _MODIFIERS or last is None:
        return False
    if isinstance(last, Group):
        return True
    if last.kind == "keyword":
        return last.value in (
            "self",
            "nil",
            "true",
            "false",
            "return",
            "break",
            "next",
            "super",
            "redo",
            "retry",
        )
    return last.kind not in ("line", "operator", "label")


def _goes_on(last: Token | Group | None, group: Group) -> bool:
    """True when a statement is not complete at the end of its line."""
    if last is None or isinstance(last, Group) or last.kind == "line":
        return last is None or isinstance(last, Token)
    if last.kind == "operator" and last.value == "|" and group.kind in ("do", "{"):
        return not _ends_parameters(group)
    return (last.kind == "operator" and last.value in _GOING_ON) or (
        last.kind == "keyword" and last.value in ("and", "or", "not")
    )


def _ends_parameters(group: Group) -> bool:
    """True when the bar that stands last closes the parameters of a block."""
    bars = [index for index, part in enumerate(group.parts) if is_word(part, "|")]
    return len(bars) == 2 and bars[0] == 0


def _continued(tokens: list[Token], index: int) -> bool:
    """True when the next line begins with the dot of a call."""
    for token in tokens[index + 1 : index + 50]:
        if token.kind != "line":
            return token.kind == "operator" and token.value in (".", "&.")
    return False


def statements(parts: Parts) -> Iterator[Parts]:
    """The statements, which lines separate."""
    found: Parts = []
    for part in parts:
        if isinstance(part, Token) and part.kind == "line":
            if found:
                yield found
            found = []
        else:
            found.append(part)
    if found:
        yield found


def words(parts: Parts) -> Iterator[str]:
    """All names in the parts, however deep."""
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, Group):
            pending += part.parts
        elif part.kind in ("name", "constant", "symbol") and type(part.value) is str:
            yield part.value
