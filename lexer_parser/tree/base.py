"""The base class of the nodes of the syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lexer_parser.record import Record

# The annotations of fields that hold no nodes; the others hold a node, a list of nodes or None.
_PLAIN = frozenset({"bool", "float", "int", "str", "str | None"})


class Node(Record):
    """A node of the tree, whose constructor takes `start`, `end` and the fields of its class.

    `fields` names what is compared, in source order; `inner` those of them that hold nodes, which are walked.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    inner: ClassVar[tuple[str, ...]] = ()

    start: int
    end: int

    def __init_subclass__(cls) -> None:
        if "fields" not in vars(cls):
            cls.fields = tuple(cls.record_fields)[2:]
            cls.inner = tuple(field for field in cls.fields if cls.__annotations__[field] not in _PLAIN)

    def __eq__(self, other: object) -> bool:
        pending: list[tuple[object, object]] = [(self, other)]
        while pending:
            left, right = pending.pop()
            if type(left) is not type(right):
                return False
            if isinstance(left, Node):
                pending.extend((getattr(left, field), getattr(right, field)) for field in left.fields)
            elif isinstance(left, list) and isinstance(right, list):
                if len(left) != len(right):
                    return False
                pending.extend(zip(left, right, strict=True))
            elif left != right:
                return False
        return True

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        inner = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.fields)
        return f"{type(self).__name__}({inner})"

    def children(self) -> list[Node]:
        """Return the direct child nodes in source order."""
        found: list[Node] = []
        for field in self.inner:
            value = getattr(self, field)
            if type(value) is list:
                found += value
            elif value is not None:
                found.append(value)
        return found


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and all nodes below it, parents before children, in source order, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += current.children()[::-1]
