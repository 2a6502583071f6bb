"""Questions about parts of a regular expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.values.regexps.nodes import (
    Alternation,
    Capture,
    Char,
    Conditional,
    Dot,
    Escape,
    Group,
    Node,
    Reference,
    Repeat,
    Sequence,
    Set,
)


def nodes_of(node: Node) -> Iterator[Node]:
    """A node and everything in it."""
    pending: list[Any] = [node]
    while pending:
        item = pending.pop()
        yield item
        if isinstance(item, Sequence):
            pending.extend(item.items)
        elif isinstance(item, Alternation):
            pending.extend(item.branches)
        elif isinstance(item, Conditional):
            pending += [item.yes, item.no]
        elif isinstance(item, (Group, Capture, Repeat)):
            pending.append(item.body)


def leaves(node: Node) -> list[Node]:
    """The nodes of a tree that compare characters."""
    return [item for item in nodes_of(node) if isinstance(item, (Char, Set, Reference))]


def looked_behind(node: Node, negated: bool) -> bool:
    """True when Ruby can look behind for a node: of one length, and of nothing that looks ahead or back."""
    shortest, longest = widths(node)
    return shortest == longest and not any(
        (isinstance(item, Group) and item.opening not in ("?:", "?<=", "?<!"))
        or (isinstance(item, Escape) and item.kind in "zZRX")
        or isinstance(item, (Reference, Conditional))
        or (negated and isinstance(item, Capture) and item.number > 0)
        for item in nodes_of(node)
    )


def widths(node: Node) -> tuple[int, int | None]:
    """The least and the greatest number of characters that a node matches; None: no greatest."""
    if isinstance(node, (Char, Dot, Set)):
        return 1, 1
    if isinstance(node, Sequence):
        found = [widths(item) for item in node.items]
        most = [width[1] for width in found]
        return sum(width[0] for width in found), None if None in most else sum(m or 0 for m in most)
    if isinstance(node, Alternation):
        found = [widths(branch) for branch in node.branches]
        most = [width[1] for width in found]
        return min(width[0] for width in found), None if None in most else max(m or 0 for m in most)
    if isinstance(node, Repeat):
        shortest, longest = widths(node.body)
        if node.most is None or longest is None:
            return shortest * node.least, None
        return shortest * node.least, longest * node.most
    if isinstance(node, Capture) or (isinstance(node, Group) and node.opening in ("?:", "?>")):
        return widths(node.body)
    if isinstance(node, Escape):
        return (1, 2) if node.kind == "R" else (1, None) if node.kind == "X" else (0, 0)
    return (0, 0) if isinstance(node, Group) and node.opening != "?~" else (0, None)


def written_out(node: Node) -> int:
    """How many characters and sets a node has when its repetitions are written out, as the engine does.

    What is repeated and repeats something itself counts once more: the engine goes through it again in each round.
    """
    return _written_out(node)[0]


def _written_out(node: Node) -> tuple[int, bool]:
    """The same, and whether something in it is repeated."""
    if isinstance(node, Repeat):
        size, repeats = _written_out(node.body)
        return (max(node.least, 1) + repeats) * size, True
    parts: Iterable[Node] = ()
    if isinstance(node, Sequence):
        parts = node.items
    elif isinstance(node, Alternation):
        parts = node.branches
    elif isinstance(node, Conditional):
        parts = (node.yes, node.no)
    elif isinstance(node, (Group, Capture)):
        parts = (node.body,)
    else:
        return 1, False
    found = list(map(_written_out, parts))
    return sum(size for size, _ in found), any(repeats for _, repeats in found)
