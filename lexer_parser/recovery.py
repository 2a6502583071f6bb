"""Where reading can go on after a syntax error: the statement around it, told by the layout."""

from __future__ import annotations

from lexer_parser.slips.place import CLOSING, OPENING, Place
from lexer_parser.source import Source

CONTINUATIONS = ("else", "elsif")
DEFINING = frozenset(("CLASS", "DEFINE", "FUNCTION"))
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
    An empty stretch when it cannot be told. In the parameters of a definition it is only the parameter at fault.
    """
    place = Place(source, offset)
    parameter = parameter_around(place)
    if parameter is not None:
        return parameter
    begin = statement_start(place)
    if begin is None:
        return offset, offset
    start = place.tokens[begin][0]
    indent, line = place.indent(begin), place.line(begin)
    open_: list[str] = []  # what closes the open brackets
    for index in range(begin, len(place.kinds)):
        kind = place.kinds[index]
        if index > place.index and place.line(index) != line:
            depth = place.indent(index)
            goes_on = kind in CLOSING and depth == indent
            if (
                not open_
                and not goes_on
                and depth <= indent
                and (kind in CLOSING or kind in STATEMENT_STARTS)
            ):
                return start, place.tokens[index][0]
        line = place.line(index)
        if kind in OPENING:
            open_.append(OPENING[kind])
        elif kind in CLOSING and not open_:
            return (start, place.tokens[index][0]) if index > place.index else (start, start)
        elif kind in CLOSING and CLOSING[kind] in open_:  # one of another kind is left over
            while open_.pop() != CLOSING[kind]:
                pass
    return start, start if open_ else len(source.text)


def is_left_over(source: Source, offset: int) -> bool:
    """Whether an error behind another may be its trace only.

    Such are the end of the text, the `else` of an `if` that was taken out, and a closing bracket where the text has
    more of its kind than opening ones.
    """
    text = source.text
    if offset >= len(text) or text.startswith(CONTINUATIONS, offset):
        return True
    bracket = text[offset]
    if bracket not in CLOSING.values():
        return False
    kinds = Place(source, None).kinds
    opened, closed = (sum(table.get(kind) == bracket for kind in kinds) for table in (OPENING, CLOSING))
    return opened < closed


def parameter_around(place: Place) -> tuple[int, int] | None:
    """Where the faulty parameter of a definition and the next line of its list begin.

    None when the error is not in such a list, or when its parameters are not on lines of their own.
    """
    lists = [opener for opener in place.open if place.kinds[max(opener - 2, 0)] in DEFINING]
    if not lists or place.kinds[lists[-1]] == "LBRACE":
        return None
    if place.open[-1] == lists[-1] and place.kind(0) == "LBRACE":
        return None  # the list is not closed before the body begins
    depth, starts = 0, []
    for index in range(lists[-1] + 1, min(place.index + 1, len(place.kinds))):
        kind = place.kinds[index]
        depth -= kind in CLOSING
        if depth == 0 and kind not in CLOSING and place.line(index) != place.line(index - 1):
            starts.append(index)
        depth += kind in OPENING
    if starts and starts[-1] == place.index and place.kind(-1) != "COMMA":
        starts.pop()  # it is the parameter before that lacks something
    if not starts:
        return None
    start, indent = place.tokens[starts[-1]][0], place.indent(starts[-1])
    end = start
    while (end := place.text.find("\n", end) + 1) > 0:
        line = place.text[end:].partition("\n")[0]
        depth = len(line) - len(line.lstrip())
        if line.strip() and (depth < indent or (depth == indent and line[depth] not in ")]}")):
            return start, end
    return None


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
