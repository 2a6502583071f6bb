"""Source text, and positions in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from lexer_parser.record import Record

# The file name in messages about a template that is a String of the program.
INLINE_TEMPLATE = "inlined-epp-text"


class Source(Record):
    """A source text, which converts offsets to lines and columns.

    Offsets count characters from 0, lines and columns count from 1.

    Attributes:
        text: The text.
        name: The path shown as `file:` in messages; None for a text without a file, `INLINE_TEMPLATE` for a template
            that is a String.
        label: A label that distinguishes texts without a name, such as `[4]` for a cell.
    """

    text: str
    name: str | None = None
    label: str = ""
    _line_starts: list[int] | None = None

    @property
    def path(self) -> str | None:
        """The path of the file; None for text that is from no file."""
        return None if self.name == INLINE_TEMPLATE else self.name

    @property
    def line_starts(self) -> list[int]:
        """The offset at which each line begins; computed once, on first use."""
        if self._line_starts is None:
            starts, offset = [0], self.text.find("\n")
            while offset >= 0:
                starts.append(offset + 1)
                offset = self.text.find("\n", offset + 1)
            self._line_starts = starts
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column."""
        return self.line_starts[line - 1] + column - 1

    def line(self, number: int) -> str:
        """Return the text of a line without its line end."""
        starts = self.line_starts
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


class Span:
    """A range of a source: `start` inclusive, `end` exclusive, both offsets in characters."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = max(start, end)

    @property
    def line(self) -> int:
        """The line on which the span begins."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column at which the span begins."""
        return self.source.position(self.start)[1]

    def __repr__(self) -> str:
        return f"Span({self.source.name!r}, {self.start}, {self.end})"


def replace_parts(text: str, replaced: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with some parts replaced: the start and end of each, and its replacement."""
    pieces, done = list[str](), 0
    for start, end, new in sorted(replaced):
        pieces += text[done:start], new
        done = end
    return "".join([*pieces, text[done:]])
