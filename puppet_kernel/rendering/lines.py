"""Lines of fragments: their width, breaking of long ones, and trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from puppet_kernel.rendering.elements import Fragment, Line, Tree
from puppet_kernel.rendering.escape import measure_width, to_one_line

NARROWEST = 12  # columns of a table or a tree are never made narrower than that


def measure_line(parts: Line) -> int:
    """Return the number of terminal columns of a line."""
    return sum(measure_width(to_one_line(text)) for _, text in parts)


def trim_line(parts: Sequence[Fragment]) -> Line:
    """Return a line without blank fragments at its end."""
    end = len(parts)
    while end and not parts[end - 1][1].strip(" "):
        end -= 1
    return tuple(parts[:end])


def wrap_line(parts: Line, columns: int, indent: str = "") -> list[Line]:
    """Return a line broken at blanks into lines of at most `columns`; later ones are indented."""
    if measure_line(parts) <= columns:
        return [parts]
    lines: list[list[Fragment]] = [[]]
    used = 0
    for blank, word in _words(parts, max(columns - len(indent), 1)):
        size = measure_line(word)
        if used + len(blank) + size > columns and used > len(indent):
            lines.append([("", indent)] if indent else [])
            used, blank = len(indent), ""
        lines[-1] += [("", blank), *word] if blank else word
        used += len(blank) + size
    return [tuple(found) for found in lines]


def _words(parts: Line, longest: int) -> Iterator[tuple[str, Line]]:
    """Yield the words of a line, each with the blank before it; longer ones in pieces."""
    blank = ""
    word: list[Fragment] = []
    for role, text in parts:
        first, *rest = to_one_line(text).split(" ")
        word += [(role, first)] if first else []
        for part in rest:
            yield from _pieces(blank, tuple(word), longest)
            blank, word = " ", [(role, part)] if part else []
    yield from _pieces(blank, tuple(word), longest)


def _pieces(blank: str, word: Line, longest: int) -> Iterator[tuple[str, Line]]:
    if measure_line(word) <= longest:
        yield blank, word
        return
    for role, text in word:
        for start in range(0, len(text), longest):
            yield blank, ((role, text[start : start + longest]),)
            blank = ""


def break_lines(lines: Iterable[Line], columns: int | None, indent: str | None) -> list[Line]:
    """Return lines of at most `columns`, see `wrap_line`.

    Without columns or an indent unchanged.
    """
    if columns is None or indent is None:
        return list(lines)
    return [part for row in lines for part in wrap_line(row, columns, indent)]


def make_tree_lines(tree: Tree, columns: int | None = None) -> list[Line]:
    """Return the label with the branches drawn below it; long labels are broken at `columns`."""
    lines = break_lines([tree.label], columns, "")
    stack = [(branch, "", i == 0) for i, branch in enumerate(reversed(tree.branches))]
    while stack:
        branch, indent, last = stack.pop()
        below = indent + ("   " if last else "│  ")
        first = indent + ("└─ " if last else "├─ ")
        more = below + ("│  " if branch.branches else "")
        room = None if columns is None else max(columns - len(more), NARROWEST)
        for row in break_lines([branch.label], room, ""):
            lines.append((("dim", first), *row))
            first = more
        stack += [(child, below, i == 0) for i, child in enumerate(reversed(branch.branches))]
    return lines
