"""View elements as plain text, and as text with ANSI colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from puppet_kernel.rendering.elements import Element, Line
from puppet_kernel.rendering.escape import COLUMNS, to_printable
from puppet_kernel.rendering.layout import lay_out_element, wrap_line

SGR = {
    "dim": "2",
    "strong": "1",
    "title": "1",
    "string": "32",
    "number": "36",
    "keyword": "35",
    "type": "34",
    "name": "",
    "code": "36",
    "variable": "33",
    "comment": "2",
    "error": "1;31",
    "mark": "1;31",
    "warning": "1;33",
    "note": "34",
    "help": "1;32",
    "added": "32",
    "removed": "31",
    "changed": "33",
}
# Notebooks show an error on a red background, light or dark, so each colour has its own background, and all other text
# has no colour.
NOTEBOOK_SGR = {
    **dict.fromkeys(("strong", "title", "mark", "help"), "1"),
    "dim": "2",
    "error": "1;38;2;255;255;255;48;2;176;32;32",
    "warning": "1;38;2;255;255;255;48;2;138;84;0",
}
LIMIT = 10_000_000  # characters of text
RICH_LIMIT, CUT_LIMIT = 1_000_000, 125_000  # characters of HTML or Markdown, and of the text in place of more


def render_plain(
    element: Element, columns: int = COLUMNS, *, folded: bool = False, wrap_labels: bool = False
) -> str:
    """Return an element as text without colours.

    Args:
        element: The element.
        columns: The width.
        folded: True to break every wider line between words, also values and code.
        wrap_labels: True to also break lines of text and labels, see `lay_out_element`.
    """
    return cut_text(
        "\n".join(
            render_plain_line(parts)
            for parts in _render_rows(element, columns, folded=folded, wrap_labels=wrap_labels)
        )
    )


def render_cut(element: Element) -> str:
    """Return the beginning of an element as plain text, if a rich view would be too large."""
    return f"{render_plain(element)[:CUT_LIMIT]}\n… (cut: too large for a rich view)"


def render_plain_line(parts: Line) -> str:
    """Return one line of fragments as text."""
    return "".join([to_printable(text) for _, text in parts])


def render_ansi(
    element: Element,
    columns: int = COLUMNS,
    highlight: bool = False,
    *,
    folded: bool = False,
    wrap_labels: bool = False,
) -> str:
    """Return an element as text with colours for a terminal; see `render_plain`."""
    rows = _render_rows(element, columns, highlight, folded=folded, wrap_labels=wrap_labels)
    return cut_text("\n".join(render_ansi_line(parts) for parts in rows))


def _render_rows(
    element: Element, columns: int, highlight: bool = False, *, folded: bool, wrap_labels: bool = False
) -> list[Line]:
    rows = lay_out_element(element, columns, highlight, wrap_labels)
    return [row for parts in rows for row in wrap_line(parts, columns)] if folded else rows


def render_ansi_lines(element: Element) -> list[str]:
    """Return an element as the lines of an error in a notebook, none too wide."""
    rows = _render_rows(element, COLUMNS, folded=True)
    return cut_text("\n".join(render_ansi_line(row, NOTEBOOK_SGR) for row in rows)).split("\n")


def render_ansi_line(parts: Iterable[tuple[str, str]], palette: Mapping[str, str] = SGR) -> str:
    """Return one line of fragments with SGR sequences; each fragment closes what it opens."""
    drawn = []
    for role, text in parts:
        code = palette.get(role)
        drawn.append(f"\x1b[{code}m{to_printable(text)}\x1b[0m" if code and text else to_printable(text))
    return "".join(drawn)


def cut_text(text: str) -> str:
    """Return a text no longer than the limit for output."""
    if len(text) <= LIMIT:
        return text
    return f"{text[:LIMIT]}\n… ({len(text) - LIMIT:,} more characters)"
