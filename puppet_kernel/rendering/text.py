"""View elements as plain text, and as text with ANSI colours."""

from __future__ import annotations

from collections.abc import Iterable

from puppet_kernel.rendering.elements import Element, Line
from puppet_kernel.rendering.escape import printable
from puppet_kernel.rendering.layout import layout

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
    "warning": "1;33",
    "note": "34",
    "help": "1;32",
    "added": "32",
    "removed": "31",
    "changed": "33",
}
LIMIT = 10_000_000


def plain(element: Element, columns: int = 100) -> str:
    """An element as text without colours."""
    return cut("\n".join(plain_line(parts) for parts in layout(element, columns)))


def plain_line(parts: Line) -> str:
    """One line of fragments as text."""
    return "".join([printable(text) for _, text in parts])


def ansi(element: Element, columns: int = 100, highlight: bool = False) -> str:
    """An element as text with colours for a terminal."""
    return cut("\n".join(ansi_line(parts) for parts in layout(element, columns, highlight)))


def ansi_line(parts: Iterable[tuple[str, str]]) -> str:
    """One line of fragments with SGR sequences; each fragment that opens one closes it."""
    drawn = []
    for role, text in parts:
        code = SGR.get(role)
        drawn.append(f"\x1b[{code}m{printable(text)}\x1b[0m" if code and text else printable(text))
    return "".join(drawn)


def cut(text: str) -> str:
    """`text` no longer than the limit for output."""
    if len(text) <= LIMIT:
        return text
    return f"{text[:LIMIT]}\n… ({len(text) - LIMIT:,} more characters)"
