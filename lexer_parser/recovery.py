"""Where reading can go on after a syntax error: the statement around it, told by the layout."""

from __future__ import annotations

from lexer_parser.slips.place import CLOSING, OPENING, Place
from lexer_parser.source import Source

STATEMENT_STARTS = frozenset(
    (
        "NAME",
        "CLASSREF",
        "VARIABLE",
        "AT",
        "ATAT",
        "IF",
        "UNLESS",
        "CASE",
        "CLASS",
        "DEFINE",
        "FUNCTION",
        "NODE",
        "TYPE",
        "WORD",
    )
)


def statement_around(source: Source, offset: int) -> tuple[int, int]:
    """Where the statement that holds `offset` begins, and where the next one or the end of its body does.

    Brackets cannot be trusted around a syntax error, so the layout decides: a statement begins on a line of its
    own, and goes on as long as the lines are indented deeper, and until as many brackets are closed as opened.
    An empty stretch when it cannot be told.
    """
    place = Place(source, offset)
    begin = statement_start(place)
    if begin is None:
        return offset, offset
    start = place.tokens[begin][0]
    indent, line, open_ = place.indent(begin), place.line(begin), 0
    for index in range(begin, len(place.kinds)):
        kind = place.kinds[index]
        if index > place.index and place.line(index) != line:
            depth = place.indent(index)
            goes_on = kind in CLOSING and depth == indent
            if (
                open_ == 0
                and not goes_on
                and depth <= indent
                and (kind in CLOSING or kind in STATEMENT_STARTS)
            ):
                return start, place.tokens[index][0]
        line = place.line(index)
        open_ += (kind in OPENING) - (kind in CLOSING)
        if open_ < 0:
            return (start, place.tokens[index][0]) if index > place.index else (start, start)
    return start, len(source.text) if open_ == 0 else start


def statement_start(place: Place) -> int | None:
    """The token that begins the statement in the innermost body around the error; None when there is none."""
    bodies = [opener for opener in place.open if place.role(opener) == "body"]
    first = bodies[-1] + 1 if bodies else 0
    depth, begin, begin_line = 0, None, 0
    for index in range(first, min(place.index + 1, len(place.kinds))):
        kind = place.kinds[index]
        if kind in CLOSING:
            depth -= 1
        if depth == 0 and kind in STATEMENT_STARTS and place.line(index) != begin_line:
            on_new_line = index == first or place.line(index - 1) != place.line(index)
            if on_new_line and (begin is None or place.indent(index) <= place.indent(begin)):
                begin, begin_line = index, place.line(index)
        if kind in OPENING:
            depth += 1
    return begin
