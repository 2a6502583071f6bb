"""Questions about parts of a regular expression."""

from __future__ import annotations

from typing import Any

from evaluator.values.regexp_nodes import (
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


def leaves(node: Node) -> list[Node]:
    """The nodes of a tree that compare characters."""
    found: list[Node] = []
    pending: list[Any] = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, (Char, Set, Reference)):
            found.append(item)
        elif isinstance(item, Sequence):
            pending.extend(item.items)
        elif isinstance(item, Alternation):
            pending.extend(item.branches)
        elif isinstance(item, Conditional):
            pending += [item.yes, item.no]
        elif isinstance(item, (Group, Capture, Repeat)):
            pending.append(item.body)
    return found


def captures_in(node: Node) -> bool:
    pending: list[Any] = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, Capture) and item.number:
            return True
        pending.extend(getattr(item, "items", None) or getattr(item, "branches", None) or ())
        if isinstance(item, (Group, Capture, Repeat)):
            pending.append(item.body)
    return False


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
