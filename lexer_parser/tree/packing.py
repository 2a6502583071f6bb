"""Conversion of syntax trees to plain tuples, for the cache, and back."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes

# The arguments of a constructor that are nodes, the last one first: the index, and the number of nodes in a list; -1 is
# a single node.
Gaps = tuple[tuple[int, int], ...]
# A node: the number of its class, the arguments of its constructor, and their gaps.
Row = tuple[int, tuple[Any, ...], Gaps]

_CLASSES: list[type[Any]] = sorted(
    (
        value
        for value in vars(nodes).values()
        if isinstance(value, type) and issubclass(value, nodes.Node) and value is not nodes.Program
    ),
    key=lambda node_class: node_class.__name__,
)
_NUMBERS = {node_class: number for number, node_class in enumerate(_CLASSES)}
_SINGLE = -1


def pack_tree(root: nodes.Node) -> tuple[list[Row], dict[nodes.Node, int]]:
    """Convert a tree to rows.

    Returns:
        The rows, children before their parents, and the index of each node among them.

    Raises:
        ValueError: It is not a tree: it contains a node twice, or a list contains values other than nodes.
    """
    rows: list[Row] = []
    places: dict[nodes.Node, int] = {}
    shared: dict[Gaps, Gaps] = {}  # equal gaps are stored once
    pending: list[tuple[nodes.Node, bool]] = [(root, False)]  # True after the children of a node
    while pending:
        node, has_children_packed = pending.pop()
        if not has_children_packed:
            pending.append((node, True))
            pending += [(child, False) for child in reversed(node.children())]
            continue
        if node in places:
            raise ValueError("a node occurs twice in the tree")
        places[node] = len(rows)
        arguments: list[Any] = [node.start, node.end]
        gaps: list[tuple[int, int]] = []
        for field in node.fields:
            value = getattr(node, field)
            if type(value) is list:
                if not all(isinstance(item, nodes.Node) for item in value):
                    raise ValueError("a list holds more than nodes")
                gaps.append((len(arguments), len(value)))
                value = None
            elif isinstance(value, nodes.Node):
                gaps.append((len(arguments), _SINGLE))
                value = None
            arguments.append(value)
        last_first = tuple(reversed(gaps))
        rows.append((_NUMBERS[type(node)], tuple(arguments), shared.setdefault(last_first, last_first)))
    return rows, places


def unpack_tree(rows: list[Row]) -> list[nodes.Node]:
    """Return the nodes of the rows, in their order; the last one is the root."""
    unpacked: list[nodes.Node] = []
    waiting: list[nodes.Node] = []  # nodes whose parents are still to come
    classes = _CLASSES
    for number, packed_arguments, gaps in rows:
        if gaps:
            arguments = list(packed_arguments)
            for index, count in gaps:
                if count == _SINGLE:
                    arguments[index] = waiting.pop()
                elif count:
                    arguments[index] = waiting[-count:]
                    del waiting[-count:]
                else:
                    arguments[index] = []
            node = classes[number](*arguments)
        else:
            node = classes[number](*packed_arguments)
        unpacked.append(node)
        waiting.append(node)
    return unpacked
