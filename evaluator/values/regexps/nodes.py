"""The tree of a regular expression in Ruby's syntax."""

from __future__ import annotations

from typing import Any


class Node:
    """A part of a pattern."""

    __slots__ = ()


class Char(Node):
    """One character; `icase`: compared without case."""

    __slots__ = ("icase", "text")

    def __init__(self, text: str, icase: bool = False) -> None:
        self.text = text
        self.icase = icase


class Dot(Node):
    """Any character; without `multiline` not a newline."""

    __slots__ = ("multiline",)

    def __init__(self, multiline: bool) -> None:
        self.multiline = multiline


class Range:
    """Characters from `first` to `last` in a set."""

    __slots__ = ("first", "last")

    def __init__(self, first: str, last: str) -> None:
        self.first = first
        self.last = last


class Named:
    """A named set of characters: kind "posix", "property" or "escape" (`\\w`), possibly negated."""

    __slots__ = ("charset", "kind", "name", "negated")

    def __init__(self, kind: str, name: str, negated: bool, charset: str) -> None:
        self.kind = kind
        self.name = name
        self.negated = negated
        self.charset = charset


class Set(Node):
    """A character class: what the operands of `&&` have in common; each a list of Range, Named and Set."""

    __slots__ = ("icase", "negated", "operands")

    def __init__(self, operands: list[list[Any]], negated: bool = False, icase: bool = False) -> None:
        self.operands = operands
        self.negated = negated
        self.icase = icase


class Escape(Node):
    """An escape that stands for a place or something larger: `A Z z G b B K R X ^ $`."""

    __slots__ = ("charset", "kind")

    def __init__(self, kind: str, charset: str = "d") -> None:
        self.kind = kind
        self.charset = charset


class Sequence(Node):
    """Parts that match one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: list[Node]) -> None:
        self.items = items


class Alternation(Node):
    """Branches of which the first that fits matches."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[Node]) -> None:
        self.branches = branches


class Group(Node):
    """A group that does not capture: opening "?:", "?>", "?=", "?!", "?<=", "?<!" or "?~"."""

    __slots__ = ("body", "opening")

    def __init__(self, opening: str, body: Node) -> None:
        self.opening = opening
        self.body = body


class Capture(Node):
    """A capturing group; number 0 when it does not capture because other groups have names."""

    __slots__ = ("body", "name", "number")

    def __init__(self, number: int, name: str | None) -> None:
        self.number = number
        self.name = name
        self.body: Node = Sequence([])


class Repeat(Node):
    """`body` from `least` to `most` times (None: any number); mode "", "?" (lazy) or "+" (possessive)."""

    __slots__ = ("body", "least", "mode", "most")

    def __init__(self, body: Node, least: int, most: int | None, mode: str) -> None:
        self.body = body
        self.least = least
        self.most = most
        self.mode = mode


class Reference(Node):
    """A back reference, a call (`\\g`) or the test of a conditional: by number or name."""

    __slots__ = ("icase", "target")

    def __init__(self, target: int | str, icase: bool = False) -> None:
        self.target = target
        self.icase = icase


class Call(Reference):
    """A call of a group, `\\g<name>`; target 0 is the whole expression."""

    __slots__ = ()


class Conditional(Node):
    """`(?(test)yes|no)`: a branch by whether a group took part."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, test: Reference, yes: Node, no: Node) -> None:
        self.test = test
        self.yes = yes
        self.no = no


class Pattern:
    """A whole expression: its tree, its capturing groups in order, and the numbers of each group name."""

    __slots__ = ("body", "calls", "captures", "names")

    def __init__(self, body: Node, captures: list[Capture], calls: bool) -> None:
        self.body = body
        self.calls = calls
        self.names: dict[str, list[int]] = {}
        named = [capture for capture in captures if capture.name is not None]
        for capture in captures:
            capture.number = 0
        self.captures = named or captures
        for number, capture in enumerate(self.captures, 1):
            capture.number = number
            if capture.name is not None:
                self.names.setdefault(capture.name, []).append(number)
