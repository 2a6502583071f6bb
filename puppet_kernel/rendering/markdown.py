"""View elements as Markdown that reads well as it is, and notebooks (nbformat 4.5).

Words are escaped, so that they contain no markup, HTML or mathematics; code is unchanged between its fences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from lexer_parser.lazy import LazyPattern
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Excerpt,
    Fold,
    Graph,
    Group,
    Line,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    Tree,
)
from puppet_kernel.rendering.escape import to_one_line
from puppet_kernel.rendering.layout import mark_up
from puppet_kernel.rendering.text import RICH_LIMIT, render_cut, render_plain, render_plain_line

WORDS = {"", "code", "dim", "words"}  # the roles of prose
_Block = tuple[str | None, str]  # the language of code ("" for any), or None for Markdown; the text
# Characters with a meaning anywhere in Markdown. A backslash is written as an entity, because two before a bracket
# begin a formula.
_INLINE = LazyPattern(r"[\\`*<$~|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)|\](?=[(\[:])")
# Characters with a meaning at the start of a line.
_FIRST = LazyPattern(r"^(\d*)(?=[#+>=.)-])")
_TICKS = LazyPattern(r"`+")


def render_markdown(element: Element) -> str:
    """Return an element as Markdown; past the limit of a rich view, a part of its plain text."""
    blocks = [
        text if language is None else make_fence(text, language)
        for language, text in _render_blocks(element)
        if text
    ]
    markdown = "\n\n".join(blocks)
    return markdown if len(markdown) <= RICH_LIMIT else make_fence(render_cut(element))


def make_fence(text: str, language: str = "") -> str:
    """Return a text between fences that are longer than any sequence of backquotes in it."""
    fence = "`" * max(3, _measure_longest(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def format_words(text: str) -> str:
    """Return a line of text without markup."""
    return _FIRST.sub(r"\1\\", _INLINE.sub(r"\\\g<0>", to_one_line(text)).replace(r"\\", "&#92;"))


def format_code(text: str) -> str:
    """Return a text as code among words."""
    code = to_one_line(text)
    ticks = "`" * (_measure_longest(code) + 1)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{blank}{code}{blank}{ticks}" if code else ""


def _measure_longest(text: str) -> int:
    """Return the length of the longest sequence of backquotes."""
    return max(map(len, _TICKS.findall(text)), default=0)


def _render_blocks(element: Element) -> Iterable[_Block]:
    """Yield the blocks of an element; adjacent lines of one kind are one block."""
    if not isinstance(element, Group):
        return [_RENDERERS[type(element)](element)]
    blocks: list[_Block] = []
    for child in element.children:
        for language, text in _render_blocks(child):
            if blocks and not element.spaced and language is not None and blocks[-1][0] == language:
                text = f"{blocks.pop()[1]}\n{text}"
            blocks.append((language, text))
    return blocks


def _render_preformatted(element: Element) -> _Block:
    return "", render_plain(element)


def _render_puppet(element: TextElement | Code) -> _Block:
    """Return code or lines; values and resources among them are Puppet code."""
    is_puppet = (
        isinstance(element, Code)
        or element.aside
        or any(role == "type" for parts in element.lines for role, _ in parts)
    )
    return "puppet" if is_puppet else "", render_plain(element)


def _render_note(element: NoteElement) -> _Block:
    label = f"**{format_words(element.label)}:** " if element.label else ""
    return None, (label + _render_rows(element.text)).strip()


def _render_rows(text: str) -> str:
    """Return lines of words that stay lines; two blanks at the end of a line break it."""
    return "  \n".join(_render_line(mark_up(row.strip())) for row in text.split("\n"))


def _render_line(parts: Line) -> str:
    """Return a line of words, with text in backquotes as code."""
    return "".join(
        format_code(text.strip("`")) if role == "code" else format_words(text) for role, text in parts
    )


def _render_table(element: Table) -> _Block:
    """Return a table of Markdown; its rows are filled up to the widest one."""
    count = max(map(len, (element.header, *element.rows)))
    rows = [[format_words(title) for title in element.header], ["---"] * count]
    rows += [[_render_cell(cell, is_name=not i) for i, cell in enumerate(row)] for row in element.rows]
    return None, "\n".join(f"| {' | '.join([*row, *[''] * (count - len(row))])} |" for row in rows)


def _render_cell(parts: Line, is_name: bool) -> str:
    """Return a cell of a table: words, or code with escaped bars."""
    if is_name or not WORDS.issuperset(role for role, _ in parts):
        return format_code(render_plain_line(parts).strip()).replace("|", "\\|")
    return "".join(
        format_code(text.strip("`")).replace("|", "\\|") if role == "code" else format_words(text)
        for role, text in parts
    )


_RENDERERS: dict[type, Callable[[Any], _Block]] = {
    TextElement: _render_puppet,
    Code: _render_puppet,
    Excerpt: _render_preformatted,
    Graph: _render_preformatted,
    Paragraphs: lambda element: (None, _render_rows(element.text)),
    NoteElement: _render_note,
    Table: _render_table,
    Tree: _render_preformatted,
    Fold: _render_preformatted,
}


Cell = dict[str, Any]


def make_cell(name: str, kind: str, source: str, metadata: dict[str, Any] | None = None) -> Cell:
    """Return a "code" or "markdown" cell that has not run; `name` is its id."""
    cell = {
        "id": name,
        "cell_type": kind,
        "metadata": metadata or {},
        "source": source.splitlines(keepends=True),
    }
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def make_notebook(cells: Iterable[Cell], kernel: str = "puppet") -> dict[str, Any]:
    """Return a notebook of cells for a kernel."""
    kernelspec = {"display_name": "Puppet", "language": "puppet", "name": kernel}
    language = {"file_extension": ".pp", "mimetype": "text/x-puppet", "name": "puppet"}
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": kernelspec, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def to_text(data: dict[str, Any]) -> str:
    """Return a notebook as the text of a file."""
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
