"""The one module that escapes text for a terminal or a page, and that makes tags.

Data may contain escape sequences that rewrite the screen, overrides that reverse the reading order, and lone surrogates
that no encoding can represent. They are displayed as a Puppet string would write them.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import combining, east_asian_width

from lexer_parser.memo import memoize

_NAMED = {"\x1b": "\\e", "\r": "\\r", "\x07": "\\a", "\x08": "\\b", "\x00": "\\0", "\x7f": "\\u{7F}"}
_RANGES = (
    (0x00, 0x1F),  # C0
    (0x7F, 0x9F),  # DEL and C1
    (0x061C, 0x061C),  # bidirectional controls
    (0x200B, 0x200F),  # zero width and marks
    (0x2028, 0x202E),  # line and paragraph separators, embeddings and overrides
    (0x2060, 0x2069),  # invisible operators, isolates
    (0xD800, 0xDFFF),  # surrogates
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xFFFE, 0xFFFF),  # no characters
    (0xE0000, 0xE007F),  # tags
)
_JOINER = "\u200d"  # joins the parts of an emoji sequence
_HARMLESS = f"\n\t{_JOINER}"  # characters of the ranges that are not escaped

COLUMNS = 100  # the width of views where no terminal determines it


@memoize(unbounded_because="one result")
def _make_table() -> dict[int, str]:
    """Return the table of `str.translate` that escapes the characters of the ranges."""
    codes = [code for first, last in _RANGES for code in range(first, last + 1)]
    return {code: _NAMED.get(chr(code), f"\\u{{{code:X}}}") for code in codes if chr(code) not in _HARMLESS}


def to_printable(text: str) -> str:
    """Return a text with control characters, bidirectional controls and surrogates escaped.

    Newlines and tabs stay. Ordinary text is returned unchanged, and fast.
    """
    # `isprintable` is False for all of these ranges except the harmless ones.
    return text if text.isprintable() else text.translate(_make_table())


def to_one_line(text: str) -> str:
    """Return a text on one line, with the same characters escaped, and newlines and tabs."""
    return to_printable(text).replace("\n", "\\n").replace("\t", "\\t")


def measure_width(text: str) -> int:
    """Return the number of terminal columns of a printable text."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(character) or character == _JOINER else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def cut_columns(text: str, columns: int) -> str:
    """Return a text cut to a number of columns, with `…` at the cut."""
    if measure_width(text) <= columns:
        return text
    width, end = 0, 0
    for end, character in enumerate(text):  # noqa: B007
        width += measure_width(character)
        if width > columns - 1:
            break
    return text[:end] + "…"


class Markup(str):
    """HTML that is already escaped."""

    __slots__ = ()


def join(parts: Iterable[Markup], glue: str = "") -> Markup:
    """Return pieces of HTML as one."""
    return Markup(glue.join(parts))


def escape(text: str) -> Markup:
    """Return text as HTML, with markup, control characters and confusing characters escaped."""
    # As `html.escape` does, whose module has tables that take 1.5 ms to load.
    text = to_printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Markup(text.replace('"', "&quot;").replace("'", "&#x27;"))


def make_tag(kind: str, /, *children: str, **attributes: str) -> Markup:
    """Return an HTML element, without empty attributes; all but Markup is escaped."""
    attribute_text = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items() if value)
    content = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{kind}{attribute_text}>{content}</{kind}>")
