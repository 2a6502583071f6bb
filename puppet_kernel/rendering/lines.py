"""Lines of fragments: how wide they are, how long ones are broken, and trees of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from puppet_kernel.rendering.elements import Fragment, Line, Tree
from puppet_kernel.rendering.escape import one_line, width

NARROWEST = 12  # columns of a table or a tree are never made narrower than that


def line_width(parts: Line) -> int:
    """The columns that a line takes on a terminal."""
    return sum(width(one_line(text)) for _, text in parts)


def trimmed(parts: Sequence[Fragment]) -> Line:
    """A line without the fragments at its end that hold only blanks."""
    end = len(parts)
    while end and not parts[end - 1][1].strip(" "):
        end -= 1
    return tuple(parts[:end])


def wrapped(parts: Line, columns: int, indent: str = "") -> list[Line]:
    """A line as lines of at most so many columns, broken at blanks; further ones begin with `indent`."""
    if line_width(parts) <= columns:
        return [parts]
    lines: list[list[Fragment]] = [[]]
    used = 0
    for blank, word in _words(parts, max(columns - len(indent), 1)):
        size = line_width(word)
        if used + len(blank) + size > columns and used > len(indent):
            lines.append([("", indent)] if indent else [])
            used, blank = len(indent), ""
        lines[-1] += [("", blank), *word] if blank else word
        used += len(blank) + size
    return [tuple(found) for found in lines]


def _words(parts: Line, longest: int) -> Iterator[tuple[str, Line]]:
    """The words of a line, each with the blank before it; longer ones come in pieces without."""
    blank = ""
    word: list[Fragment] = []
    for role, text in parts:
        first, *rest = one_line(text).split(" ")
        word += [(role, first)] if first else []
        for part in rest:
            yield from _pieces(blank, tuple(word), longest)
            blank, word = " ", [(role, part)] if part else []
    yield from _pieces(blank, tuple(word), longest)


def _pieces(blank: str, word: Line, longest: int) -> Iterator[tuple[str, Line]]:
    if line_width(word) <= longest:
        yield blank, word
        return
    for role, text in word:
        for start in range(0, len(text), longest):
            yield blank, ((role, text[start : start + longest]),)
            blank = ""


def broken(lines: Iterable[Line], columns: int | None, indent: str | None) -> list[Line]:
    """Lines of at most so many columns, see `wrapped`; without columns or an indent, the lines as they are."""
    if columns is None or indent is None:
        return list(lines)
    return [part for row in lines for part in wrapped(row, columns, indent)]


def tree_lines(tree: Tree, columns: int | None = None) -> list[Line]:
    """The label, and the branches drawn below it; where there are so many columns a long label is broken."""
    lines = broken([tree.label], columns, "")
    stack = [(branch, "", i == 0) for i, branch in enumerate(reversed(tree.branches))]
    while stack:
        branch, indent, last = stack.pop()
        below = indent + ("   " if last else "│  ")
        first = indent + ("└─ " if last else "├─ ")
        more = below + ("│  " if branch.branches else "")
        room = None if columns is None else max(columns - len(more), NARROWEST)
        for row in broken([branch.label], room, ""):
            lines.append((("dim", first), *row))
            first = more
        stack += [(child, below, i == 0) for i, child in enumerate(reversed(branch.branches))]
    return lines
