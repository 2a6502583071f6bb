"""View elements: the few shapes in which everything a person sees is described.

A fragment is a pair (role, text); a role names a meaning ("string", "error", "dim"), never a colour. A line
is a tuple of fragments. Text in fragments is raw: the medium escapes it when it draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Fragment = tuple[str, str]
Line = tuple[Fragment, ...]

ROLES = (
    "",  # plain
    "dim",
    "strong",
    "title",
    "string",
    "number",
    "keyword",
    "type",
    "name",
    "code",  # code among words, in backquotes
    "words",  # for people, in the letters of the page
    "variable",
    "comment",
    "error",
    "mark",  # under the place of an error
    "warning",
    "note",
    "help",
    "added",
    "removed",
    "changed",
)


def line(*parts: str | Fragment) -> Line:
    """A line of fragments; a bare string is a fragment without role."""
    return tuple(("", part) if isinstance(part, str) else part for part in parts)


def lines_of(text: str, role: str = "") -> tuple[Line, ...]:
    """The lines of a text, each one fragment."""
    return tuple(((role, part),) if part else () for part in text.split("\n"))


class Text:
    """Preformatted lines: Puppet code, log lines, anything whose layout is its own.

    aside  a remark that a wide page shows at the right, such as the type of a value
    fold   what the further lines of a long one begin with; None for lines that stay whole
    """

    __slots__ = ("aside", "fold", "lines")

    def __init__(self, *lines: Line, aside: str = "", fold: str | None = None) -> None:
        self.lines = lines
        self.aside = aside
        self.fold = fold


class Code:
    """Source text with its Puppet highlighting; `fold` lets long lines go on below."""

    __slots__ = ("fold", "source")

    def __init__(self, source: str, fold: bool = False) -> None:
        self.source = source
        self.fold = fold


class Paragraphs:
    """Sentences for people, folded to the width; `code` in them stands in backquotes."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Mark:
    """A marked range of a source: `primary` is the place of the error, others explain it by their `label`."""

    __slots__ = ("label", "primary", "span")

    def __init__(self, span: Any, label: str = "", primary: bool = True) -> None:
        self.span = span
        self.label = label
        self.primary = primary


class Excerpt:
    """Lines of one source with marked ranges; `name` is told above when there is one."""

    __slots__ = ("marks", "name")

    def __init__(self, marks: Sequence[Mark], name: str | None = None) -> None:
        self.marks = tuple(marks)
        self.name = name


class Table:
    """Rows of cells, each cell a line; `header` may be empty.

    `written` are the lines of the value that it shows, which a page has folded below it.
    """

    __slots__ = ("header", "rows", "written")

    def __init__(
        self, rows: Iterable[Sequence[Line]], header: Sequence[str] = (), written: Sequence[Line] = ()
    ) -> None:
        self.rows = [tuple(row) for row in rows]
        self.header = tuple(header)
        self.written = tuple(written)


class Tree:
    """A label with branches; `open` says whether a medium that folds shows them at first."""

    __slots__ = ("branches", "label", "open")

    def __init__(self, label: Line, branches: Sequence[Tree] = (), open: bool = True) -> None:
        self.label = label
        self.branches = tuple(branches)
        self.open = open


class Fold:
    """A label that stands for what is inside; `open` says whether it is seen at first.

    Where nothing can be opened, what is not open is left out.
    """

    __slots__ = ("inside", "label", "open")

    def __init__(self, label: Line, inside: Element, open: bool = False) -> None:
        self.label = label
        self.inside = inside
        self.open = open


class Graph:
    """Things, what contains what, and what comes before what.

    nodes    label of each node, in the order in which they come to be
    inside   node -> the node that contains it
    edges    (from, to, kind, reason): kind is "before", "notify" or "auto", reason a short text: "require, line 3"
    cycles   groups of nodes that wait for each other, along the way round
    counts   closed nodes -> what is in them: "3 File, 1 Service";  titles  node -> what else is known of it
    labels   node -> what its box shows when that is not its name
    defines  nodes that are no classes but contain others;  added  nodes that are new
    implied  edges that follow from others and are not drawn;  numbers  node -> its number when applied
    remarks  lines to show below
    """

    __slots__ = (
        *("added", "counts", "cycles", "defines", "edges", "implied", "inside", "labels", "nodes"),
        *("numbers", "remarks", "titles"),
    )

    def __init__(
        self,
        nodes: Sequence[str],
        inside: dict[str, str],
        edges: Sequence[tuple[str, str, str, str]],
        cycles: Sequence[Sequence[str]] = (),
    ) -> None:
        self.nodes = tuple(nodes)
        self.inside = dict(inside)
        self.edges = tuple(edges)
        self.cycles = tuple(map(tuple, cycles))
        self.counts: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.defines: frozenset[str] = frozenset()
        self.added: frozenset[str] = frozenset()
        self.implied: tuple[tuple[str, str, str, str], ...] = ()
        self.remarks: tuple[Note, ...] = ()


class Note:
    """A remark under a result: `kind` is "help", "note", "hint", "warning" or "error"."""

    __slots__ = ("kind", "label", "text")

    def __init__(self, kind: str, text: str, label: str = "") -> None:
        self.kind = kind
        self.text = text
        self.label = label


class Group:
    """Elements one below the other; `spaced` leaves a blank line between them."""

    __slots__ = ("children", "spaced")

    def __init__(self, *children: Element, spaced: bool = False) -> None:
        self.children = children
        self.spaced = spaced


class Tabs(Group):
    """Elements of which a medium that folds shows one at a time, each under its label."""

    __slots__ = ("labelled",)

    def __init__(self, *labelled: tuple[str, Element]) -> None:
        parts = [Group(Text(line(("title", label))), element) for label, element in labelled]
        super().__init__(*parts, spaced=True)
        self.labelled = labelled


Element = Text | Code | Paragraphs | Excerpt | Table | Tree | Fold | Graph | Note | Group
