"""The base class of the nodes of the syntax tree, and its metaclass.

A class declares its fields as annotations; `_NodeMeta` derives from them `fields`, the slots and the constructor, which
takes `start`, `end` and the fields in this order. `dataclasses` is not used: its import and set-up cost more than the
rest of the start of `puppet-repl -e`.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any, ClassVar, dataclass_transform

from lexer_parser.memo import memoize

# The annotations of fields that hold no nodes; the others hold a node, a list of nodes or None.
_PLAIN = frozenset({"bool", "float", "int", "str", "str | None"})


@memoize(owner="one for each number of fields")
def _make_constructor_template(count: int) -> FunctionType:
    """Return an `__init__` that sets `start`, `end` and so many fields, called _0, _1, …"""
    names = ("start", "end", *(f"_{number}" for number in range(count)))
    body = "".join(f"\n    self.{name} = {name}" for name in names)
    made: dict[str, FunctionType] = {}
    exec(f"def __init__(self, {', '.join(names)}):{body}", made)
    return made["__init__"]


def _make_constructor(fields: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    """Return an `__init__` that sets `start`, `end` and the fields; the last fields have the defaults.

    A parse makes nodes most of the time, and a loop over the fields would take three times as long. Putting
    the names into existing code takes 0.3 ms of the start, compiling it for each class 1.5 ms.
    """
    code = _make_constructor_template(len(fields)).__code__
    names = {f"_{number}": field for number, field in enumerate(fields)}
    code = code.replace(
        co_names=tuple(names.get(name, name) for name in code.co_names),
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
    )
    return FunctionType(code, {}, "__init__", defaults)


@dataclass_transform(eq_default=False)
class _NodeMeta(type):
    """The metaclass that derives a class of nodes from its annotations, unless it declares `__slots__` itself."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _NodeMeta:
        if "__slots__" not in body:
            annotations: dict[str, str] = body.get("__annotations__", {})
            fields = tuple(annotations)
            defaults = tuple(body.pop(field) for field in fields if field in body)
            body |= {
                "__slots__": fields,
                "fields": fields,
                "inner": tuple(field for field in fields if annotations[field] not in _PLAIN),
                "__init__": _make_constructor(fields, defaults),
            }
        return super().__new__(cls, name, bases, body)


class Node(metaclass=_NodeMeta):
    """A node of the tree.

    `fields` names what is compared, in source order; `inner` those of them that hold nodes, which are walked.
    """

    __slots__ = ("end", "start")
    fields: ClassVar[tuple[str, ...]] = ()
    inner: ClassVar[tuple[str, ...]] = ()

    start: int
    end: int

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
