"""View elements: the few shapes that describe all output.

A fragment is a pair (role, text); a role is a meaning ("string", "error", "dim"), never a colour. A line is a tuple of
fragments. Text in fragments is raw: the medium escapes it when it draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from lexer_parser.record import Record

Fragment = tuple[str, str]
Line = tuple[Fragment, ...]
Edge = tuple[str, str, str, str]  # of a Graph: source, target, kind and reason

_Item = TypeVar("_Item")
_Key = TypeVar("_Key")

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
    "code",  # code within prose, in backquotes
    "words",  # prose, in the font of the page
    "variable",
    "comment",
    "error",
    "mark",  # the marks below the place of an error
    "warning",
    "note",
    "help",
    "added",
    "removed",
    "changed",
)


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Return lists of the items by key; a key has the place of its first item."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def count_characters(parts: Iterable[Fragment]) -> int:
    """Return the number of characters of a line."""
    return sum(len(text) for _, text in parts)


def make_line(*parts: str | Fragment) -> Line:
    """Return a line of fragments; a bare string is a fragment without role."""
    return tuple(("", part) if isinstance(part, str) else part for part in parts)


def make_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a text, each as one fragment."""
    return tuple((("", part),) if part else () for part in text.split("\n"))


class TextElement:
    """Preformatted lines: Puppet code, log lines, anything with its own layout.

    Attributes:
        lines: The lines.
        aside: A remark that a wide page shows at the right, such as the type of a value.
        fold: The beginning of continuation lines; None for lines that are never broken.
    """

    def __init__(self, *lines: Line, aside: str = "", fold: str | None = None) -> None:
        self.lines = lines
        self.aside = aside
        self.fold = fold


class Code(Record):
    """Puppet source with highlighting; `fold` permits to break long lines."""

    source: str
    fold: bool = False


class Paragraphs(Record):
    """Sentences that are wrapped to the width; `code` is in backquotes."""

    text: str


class Mark(Record):
    """A marked range of a source; `primary` is the position of the error, others explain it."""

    span: Any
    label: str = ""
    primary: bool = True


class Excerpt(Record):
    """Lines of one source with marked ranges; `name` is shown above if there is one."""

    marks: Sequence[Mark]
    name: str | None = None


class Table:
    """A table of lines; `header` may be empty.

    Attributes:
        rows: The rows of cells, each cell a line.
        header: The titles of the columns.
        written: The lines of the displayed value, which a page folds below the table.
    """

    def __init__(
        self, rows: Iterable[Sequence[Line]], header: Sequence[str] = (), written: Sequence[Line] = ()
    ) -> None:
        self.rows = [tuple(row) for row in rows]
        self.header = tuple(header)
        self.written = tuple(written)


class Tree(Record):
    """A label with branches; `open` is False if a medium that folds should close it."""

    label: Line
    branches: Sequence[Tree] = ()
    open: bool = True


class Fold(Record):
    """A label for content that can be opened; media that cannot open it omit closed content."""

    label: Line
    inside: Element
    open: bool = False


class Graph(Record):
    """Nodes with containment and order.

    Attributes:
        nodes: The label of each node, in the order of creation.
        inside: The container of each contained node.
        edges: The relationships; the kind is "before", "notify" or "auto", the reason for example "require, line 3".
        cycles: Groups of nodes that wait for each other, in the order of the cycle.
        counts: The contents of closed nodes: "3 File, 1 Service".
        titles: Additional information about nodes.
        labels: The text in the box of a node, if it differs from the name.
        defines: Nodes that contain others but are not classes.
        added: New nodes.
        implied: Edges that follow from others and are not drawn.
        numbers: The number of each node in the order of application.
        remarks: Lines to show below.
    """

    nodes: Sequence[str]
    inside: dict[str, str]
    edges: Sequence[Edge]
    cycles: Sequence[Sequence[str]] = ()
    counts: Mapping[str, str] = MappingProxyType({})
    titles: Mapping[str, str] = MappingProxyType({})
    labels: Mapping[str, str] = MappingProxyType({})
    defines: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    implied: tuple[Edge, ...] = ()
    numbers: Mapping[str, int] = MappingProxyType({})
    remarks: tuple[NoteElement, ...] = ()

    def list_contents(self) -> dict[str, list[str]]:
        """Return the nodes in each container, in order; under "" those without one."""
        return group_by(self.nodes, lambda node: self.inside.get(node, ""))

    def iterate_containers(self, node: str) -> Iterator[str]:
        """Yield the containers of a node, the innermost first."""
        while node in self.inside:
            node = self.inside[node]
            yield node


class NoteElement(Record):
    """A remark below a result: `kind` is "help", "note", "hint", "warning" or "error"."""

    kind: str
    text: str
    label: str = ""


class Group:
    """Elements one below the other; `spaced` adds a blank line between them."""

    def __init__(self, *children: Element, spaced: bool = False) -> None:
        self.children = children
        self.spaced = spaced


class Tabs(Group):
    """Elements with labels, of which a medium that folds shows one at a time."""

    def __init__(self, *labelled: tuple[str, Element]) -> None:
        super().__init__(
            *(Group(TextElement(make_line(("title", label))), element) for label, element in labelled),
            spaced=True,
        )
        self.labelled = labelled


Element = TextElement | Code | Paragraphs | Excerpt | Table | Tree | Fold | Graph | NoteElement | Group
