"""Recovery after a syntax error: the statement around the error, found by the layout."""

from __future__ import annotations

from lexer_parser.diagnostics.tokens import CLOSING, OPENING, TokenContext
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


def find_statement(source: Source, offset: int) -> tuple[int, int]:
    """Return the start of the statement around `offset`, and the start of the next one or the end of its body.

    Brackets cannot be trusted around a syntax error, so the layout decides: a statement begins on a line of its
    own, and continues as long as the lines are indented deeper, and until as many brackets are closed as opened.
    If that does not determine the statement, the range is empty. In the parameters of a definition it is only the
    parameter at fault.
    """
    tokens = TokenContext(source, offset)
    parameter = find_parameter(tokens)
    if parameter is not None:
        return parameter
    begin = find_statement_start(tokens)
    if begin is None:
        return offset, offset
    start = tokens.triples[begin][0]
    indent, line = tokens.indent_of(begin), tokens.line_of(begin)
    open_: list[str] = []  # what closes the open brackets
    for index in range(begin, len(tokens.kinds)):
        kind = tokens.kinds[index]
        if index > tokens.index and tokens.line_of(index) != line:
            depth = tokens.indent_of(index)
            goes_on = kind in CLOSING and depth == indent
            if (
                not open_
                and not goes_on
                and depth <= indent
                and (kind in CLOSING or kind in STATEMENT_STARTS)
            ):
                return start, tokens.triples[index][0]
        line = tokens.line_of(index)
        if kind in OPENING:
            open_.append(OPENING[kind])
        elif kind in CLOSING and not open_:
            return (start, tokens.triples[index][0]) if index > tokens.index else (start, start)
        elif kind in CLOSING and CLOSING[kind] in open_:  # one of another kind is left over
            while open_.pop() != CLOSING[kind]:
                pass
    return start, start if open_ else len(source.text)


def is_consequence(source: Source, offset: int) -> bool:
    """Return True if an error after another may be only a consequence of it.

    Such are the end of the text, the `else` of an `if` that was taken out, and a closing bracket where the text has
    more of its kind than opening ones.
    """
    text = source.text
    if offset >= len(text) or text.startswith(CONTINUATIONS, offset):
        return True
    bracket = text[offset]
    if bracket not in CLOSING.values():
        return False
    kinds = TokenContext(source, None).kinds
    opened, closed = (sum(table.get(kind) == bracket for kind in kinds) for table in (OPENING, CLOSING))
    return opened < closed


def find_parameter(tokens: TokenContext) -> tuple[int, int] | None:
    """Return the start of the faulty parameter of a definition, and of the next line of its list.

    None is returned if the error is not in such a list, or if the parameters are not on lines of their own.
    """
    lists = [opener for opener in tokens.open if tokens.kinds[max(opener - 2, 0)] in DEFINING]
    if not lists or tokens.kinds[lists[-1]] == "LBRACE":
        return None
    if tokens.open[-1] == lists[-1] and tokens.kind(0) == "LBRACE":
        return None  # the list is not closed before the body begins
    depth, starts = 0, []
    for index in range(lists[-1] + 1, min(tokens.index + 1, len(tokens.kinds))):
        kind = tokens.kinds[index]
        depth -= kind in CLOSING
        if depth == 0 and kind not in CLOSING and tokens.line_of(index) != tokens.line_of(index - 1):
            starts.append(index)
        depth += kind in OPENING
    if starts and starts[-1] == tokens.index and tokens.kind(-1) != "COMMA":
        starts.pop()  # it is the parameter before that lacks something
    if not starts:
        return None
    start, indent = tokens.triples[starts[-1]][0], tokens.indent_of(starts[-1])
    end = start
    while (end := tokens.text.find("\n", end) + 1) > 0:
        line = tokens.text[end:].partition("\n")[0]
        depth = len(line) - len(line.lstrip())
        if line.strip() and (depth < indent or (depth == indent and line[depth] not in ")]}")):
            return start, end
    return None


def find_statement_start(tokens: TokenContext) -> int | None:
    """Return the token that begins the statement in the innermost body around the error, or None."""
    bodies = [opener for opener in tokens.open if tokens.role_of(opener) == "body"]
    first = bodies[-1] + 1 if bodies else 0
    depth, begin, begin_line = 0, None, 0
    for index in range(first, min(tokens.index + 1, len(tokens.kinds))):
        kind = tokens.kinds[index]
        if kind in CLOSING:
            depth -= 1
        if depth == 0 and kind in STATEMENT_STARTS and tokens.line_of(index) != begin_line:
            on_new_line = index == first or tokens.line_of(index - 1) != tokens.line_of(index)
            if on_new_line and (begin is None or tokens.indent_of(index) <= tokens.indent_of(begin)):
                begin, begin_line = index, tokens.line_of(index)
        if kind in OPENING:
            depth += 1
    return begin
