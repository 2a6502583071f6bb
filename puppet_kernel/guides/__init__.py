"""The guides, pages of Markdown that `%help NAME` and `puppet-repl --help NAME` show.

They use a part of Markdown: headings, paragraphs, lists of one level, tables, fenced code, links, `code`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import memoize
from puppet_kernel.rendering.elements import Element, Group, Line, Paragraphs, Table, TextElement, make_line
from puppet_kernel.rendering.layout import mark_up

GUIDES = (
    *("cells", "safety", "dialects", "debugger", "repositories", "fleets"),
    *("site", "notebooks-as-tests", "exercises", "limits"),
)
_LINK = LazyPattern(r"\[([^\]]+)\]\([^)]+\)")
_ITEM = LazyPattern(r"(\*|\d+\.) ")
NOT_RUN = LazyPattern(r"  # not run$")  # a mark for the tests of the guides, which readers do not see


@memoize(unbounded_because="one for each guide")
def read_guide(name: str) -> str:
    """Return the Markdown of a guide; the name is one of GUIDES."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")


def render_guide(name: str) -> Element:
    """Return a guide as a view element."""
    return Group(*map(_parse_block, _split_blocks(read_guide(name))), spaced=True)


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each block: blank lines separate blocks, except within fenced code."""
    block: list[str] = []
    is_code = False
    for row in text.split("\n"):
        if row.startswith("```"):
            is_code = not is_code
        if row.strip() or is_code:
            block.append(row)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parse_block(block: list[str]) -> Element:
    """Return the element that the lines of a block describe."""
    first = block[0]
    if first.startswith("#"):
        return TextElement(make_line(("title", first.lstrip("# "))))
    if first.startswith("```"):
        return TextElement(*(make_line(("code", f"    {NOT_RUN.sub('', row)}")) for row in block[1:-1]))
    if first.startswith("|"):
        texts = (row.strip().strip("|").split("|") for row in block)
        header, _, *rows = ([_LINK.sub(r"\1", cell.strip()) for cell in row] for row in texts)
        cells: list[tuple[Line, ...]] = [tuple(map(mark_up, row)) for row in rows]
        return Table(cells, tuple(header))
    if _ITEM.match(first):
        return Group(*(Paragraphs(_join_rows(item)) for item in _split_items(block)))
    return Paragraphs(_join_rows(block))


def _split_items(block: list[str]) -> list[list[str]]:
    """Return the lines of each item of a list."""
    items: list[list[str]] = []
    for row in block:
        if not items or _ITEM.match(row):
            items.append([])
        items[-1].append(row)
    return items


def _join_rows(rows: list[str]) -> str:
    """Return the text of a paragraph on one line, without emphasis and link addresses."""
    words = _LINK.sub(r"\1", " ".join(row.strip() for row in rows))
    words = re.sub(r"^\* ", "• ", words)
    return re.sub(r"(?<![\w*`])\*([^*`]+)\*(?![\w*])", r"\1", words)
