"""Lines of fragments: how wide they are, and trees of them."""

from __future__ import annotations

from collections.abc import Sequence

from puppet_kernel.rendering.elements import Fragment, Line, Tree
from puppet_kernel.rendering.escape import one_line, width


def line_width(parts: Line) -> int:
    """The columns that a line takes on a terminal."""
    return sum(width(one_line(text)) for _, text in parts)


def trimmed(parts: Sequence[Fragment]) -> Line:
    """A line without the fragments at its end that hold only blanks."""
    end = len(parts)
    while end and not parts[end - 1][1].strip(" "):
        end -= 1
    return tuple(parts[:end])


def tree_lines(tree: Tree) -> list[Line]:
    """The label, and the branches drawn below it."""
    lines: list[Line] = [tree.label]
    stack = [(branch, "", i == 0) for i, branch in enumerate(reversed(tree.branches))]
    while stack:
        branch, indent, last = stack.pop()
        lines.append((("dim", indent + ("└─ " if last else "├─ ")), *branch.label))
        below = indent + ("   " if last else "│  ")
        stack += [(child, below, i == 0) for i, child in enumerate(reversed(branch.branches))]
    return lines
