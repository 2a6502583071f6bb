"""The usual layout of Puppet code: two blanks per level, aligned arrows, one blank where one belongs.

Lines stay lines, and what is aligned by hand stays so. Strings, heredocs and comments stay as they are. What
comes out means what went in: when the syntax trees differ, which would be a mistake of this module, the text
comes back unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lexer_parser import PUPPET, comments, parse, to_pn, tokenize
from lexer_parser.dialect import Dialect

INDENT = "  "
OPENING = frozenset(["LBRACE", "SELBRACE", "LBRACK", "LISTSTART", "LPAREN", "WSLPAREN"])
CLOSING = frozenset(["RBRACE", "RBRACK", "RPAREN"])
ARROWS = frozenset(["FARROW", "PARROW"])
EDGES = frozenset(["IN_EDGE", "IN_EDGE_SUB", "OUT_EDGE", "OUT_EDGE_SUB"])
SPACED = ARROWS | frozenset(
    ["EQUALS", "ISEQUAL", "NOTEQUAL", "MATCH", "NOMATCH", "LESSEQUAL", "GREATEREQUAL", "QMARK", *EDGES]
)
LEADING = frozenset(["DOT", "AND", "OR"])
CONTINUED = SPACED - ARROWS | frozenset(["PLUS", "TIMES", "DIV", "MODULO", "AND", "OR", "IN"])
BEFORE_BRACE = frozenset(["NAME", "VARIABLE", "CLASSREF", "RPAREN", "RBRACK", "PIPE", "ELSE"])


class Piece:
    """A token or comment: its kind, its text, and where it stands."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, start: int, end: int, text: str) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text


class Bracket:
    """An open bracket.

    indent  the level of the line that opened it;  line  that line's number
    titled  a title stands on a line of its own, so what follows stands one level deeper
    body    counts the resource bodies in it, so that only arrows of one body are aligned
    """

    __slots__ = ("body", "indent", "line", "titled")

    def __init__(self, indent: int, line: int) -> None:
        self.indent = indent
        self.line = line
        self.titled = False
        self.body = 0


class Row:
    """A line laid out: its level and text; `arrow` is where in the text an arrow is to be aligned, or -1."""

    __slots__ = ("arrow", "group", "level", "text")

    def __init__(self, level: int, text: str, arrow: int, group: tuple[int, int]) -> None:
        self.level = level
        self.text = text
        self.arrow = arrow
        self.group = group


def format_source(source: str, name: str | None = None, dialect: Dialect = PUPPET) -> str:
    """`source` in the usual layout. Raises PuppetError when it does not parse."""
    before = to_pn(parse(source, name=name, dialect=dialect))
    formatted = _Layout(source, dialect).text()
    try:
        same = to_pn(parse(formatted, name=name, dialect=dialect)) == before
    except Exception:
        same = False
    return formatted if same else source


def pieces(source: str, dialect: Dialect) -> list[Piece]:
    """Tokens and comments in order; a string with interpolation is one piece, and so is a heredoc's text."""
    found: list[Piece] = []
    depth, start, skipped = 0, 0, 0
    for kind, _, first, last in tokenize(source, dialect=dialect):
        if first < skipped or last == first:
            continue
        if kind == "SUBLOCATE":
            end = source.find("\n", last)
            skipped = len(source) if end < 0 else end
            found.append(Piece("HEREDOC_TEXT", first, skipped, source[first:skipped]))
        elif kind == "DQPRE":
            depth += 1
            start = first if depth == 1 else start
        elif kind == "DQPOST":
            depth -= 1
            if depth == 0:
                found.append(Piece("STRING", start, last, source[start:last]))
        elif depth == 0:
            found.append(Piece(kind, first, last, source[first:last]))
    found += [Piece("COMMENT", first, last, source[first:last]) for first, last, _ in comments(source)]
    return sorted(found, key=lambda piece: piece.start)


class _Layout:
    """Lays out one source, line by line."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.pieces = pieces(source, dialect)
        self.stack: list[Bracket] = []
        self.kept: list[Bracket] = []  # all brackets, so that `id` tells them apart
        self.previous = ""  # the kind of the last token
        self.rows: list[Row | str] = []

    def text(self) -> str:
        """The source laid out; it ends in one newline."""
        offset, place, inside = 0, 0, 0
        for text in self.source.split("\n"):
            first, end = place, offset + len(text)
            while place < len(self.pieces) and self.pieces[place].start <= end:
                place += 1
            mine = self.pieces[first:place]
            if offset < inside or (mine and mine[0].kind == "HEREDOC_TEXT"):
                self.rows.append(text)
                self._track(mine, 0)
            else:
                self._lay(mine)
            inside = max([inside, *(piece.end for piece in mine)])
            offset = end + 1
        return "\n".join(self._written()).strip("\n") + "\n"

    def _lay(self, mine: list[Piece]) -> None:
        if not mine:
            if not self.rows or self.rows[-1] != "":
                self.rows.append("")
            return
        level = self._level(mine)
        goes_on = self.previous in CONTINUED or mine[0].kind in LEADING
        arrow, group = self._arrow(mine)
        text = mine[0].text.split("\n")[0]
        place = -1
        for before, piece in pairwise(mine):
            if piece is arrow:
                place = len(text)
            text += _gap(before, piece, self.source[before.end : piece.start]) + piece.text.split("\n")[0]
        self.rows.append(Row(level + goes_on, text.rstrip(), place, group))
        self._track(mine, level)

    def _level(self, mine: list[Piece]) -> int:
        closing = next((i for i, piece in enumerate(mine) if piece.kind not in CLOSING), len(mine))
        if closing:
            return self.stack[-min(closing, len(self.stack))].indent if self.stack else 0
        return self.stack[-1].indent + 1 + self.stack[-1].titled if self.stack else 0

    def _arrow(self, mine: list[Piece]) -> tuple[Piece | None, tuple[int, int]]:
        """The only arrow of the line that stands in the bracket in which the line begins."""
        depth = 0
        arrows = []
        for piece in mine:
            depth += (piece.kind in OPENING) - (piece.kind in CLOSING)
            if piece.kind in ARROWS and depth == 0:
                arrows.append(piece)
        if len(arrows) != 1 or not self.stack:
            return None, (0, 0)
        return arrows[0], (id(self.stack[-1]), self.stack[-1].body)

    def _track(self, mine: list[Piece], level: int) -> None:
        """Follows the brackets of a line."""
        number = len(self.rows)
        code = [piece for piece in mine if piece.kind not in ("COMMENT", "HEREDOC_TEXT")]
        for i, piece in enumerate(code):
            self.previous = piece.kind
            if piece.kind in OPENING:
                self.stack.append(Bracket(level, number))
                self.kept.append(self.stack[-1])
            elif piece.kind in CLOSING and self.stack:
                level = min(level, self.stack.pop().indent)
            elif piece.kind == "SEMIC" and self.stack:
                self.stack[-1].titled = False
                self.stack[-1].body += 1
            elif piece.kind == "COLON" and i == len(code) - 1 and self.stack and self.stack[-1].line < number:
                self.stack[-1].titled = True

    def _written(self) -> Iterator[str]:
        widest: dict[tuple[int, int], int] = {}
        for row in self.rows:
            if isinstance(row, Row) and row.arrow >= 0:
                widest[row.group] = max(widest.get(row.group, 0), row.arrow)
        for row in self.rows:
            if isinstance(row, str):
                yield row
            elif row.arrow >= 0:
                name, rest = row.text[: row.arrow], row.text[row.arrow :]
                yield f"{INDENT * row.level}{name:<{widest[row.group]}}{rest}"
            else:
                yield INDENT * row.level + row.text


def _gap(before: Piece, piece: Piece, blanks: str) -> str:
    """What stands between two pieces of a line."""
    if piece.kind in ("COMMA", "SEMIC"):
        return ""
    if piece.kind in ARROWS or before.kind in ARROWS:
        return " "
    wanted = (
        before.kind in ("COMMA", "COLON")
        or before.kind in SPACED
        or piece.kind in SPACED
        or piece.kind == "COMMENT"
        or (before.kind == "RBRACE" and piece.kind in ("ELSE", "ELSIF"))
        or (piece.kind == "LBRACE" and before.kind in BEFORE_BRACE)
    )
    return blanks or (" " if wanted else "")
