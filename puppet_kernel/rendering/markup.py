"""HTML and SVG in pieces: only `escape` makes text, and only `tag` makes tags."""

from __future__ import annotations

import html
from collections.abc import Iterable

from puppet_kernel.rendering.escape import printable

EMPTY = ("img",)  # these have no end tag


class Markup(str):
    """HTML that is already escaped."""

    __slots__ = ()


def join(parts: Iterable[Markup], glue: str = "") -> Markup:
    """Return pieces of HTML as one."""
    return Markup(glue.join(parts))


def escape(text: str) -> Markup:
    """Return text as HTML, with markup, control characters and confusing characters escaped."""
    return Markup(html.escape(printable(text)))


def tag(kind: str, /, *children: str, **attributes: str) -> Markup:
    """Return an HTML element; children other than Markup, and all attributes, are escaped."""
    told = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items() if value)
    if kind in EMPTY:
        return Markup(f"<{kind}{told}>")
    inner = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{kind}{told}>{inner}</{kind}>")
