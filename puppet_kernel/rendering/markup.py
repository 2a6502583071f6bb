"""HTML and SVG in pieces: all text goes through `escape`, a tag is made only by `tag`."""

from __future__ import annotations

import html
from collections.abc import Iterable

from puppet_kernel.rendering.escape import printable

EMPTY = ("img",)  # these have no end tag


class Markup(str):
    """HTML that is already escaped."""

    __slots__ = ()


def joined(parts: Iterable[Markup], glue: str = "") -> Markup:
    """Pieces of HTML as one."""
    return Markup(glue.join(parts))


def escape(text: str) -> Markup:
    """Text as HTML: markup characters, control characters and what confuses the eye are spelled out."""
    return Markup(html.escape(printable(text)))


def tag(kind: str, /, *children: str, **attributes: str) -> Markup:
    """An element; a child that is no Markup is escaped, and so is every attribute's value."""
    told = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items() if value)
    if kind in EMPTY:
        return Markup(f"<{kind}{told}>")
    inner = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{kind}{told}>{inner}</{kind}>")
