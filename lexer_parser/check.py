"""All that is wrong with a text at once: after a syntax error reading goes on at the next statement."""

from __future__ import annotations

from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.parsing import parse
from lexer_parser.slips.place import CLOSING, OPENING, Place
from lexer_parser.source import Source, Span
from lexer_parser.validator import validate

MOST_ERRORS = 10
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
# A statement taken out may leave a value last that was not.
CONSEQUENCES = frozenset(("IDEM_EXPRESSION_NOT_LAST", "IDEM_NOT_ALLOWED_LAST"))


def check(source: str, name: str | None = None, dialect: Dialect = PUPPET) -> list[PuppetError]:
    """The errors of a manifest in the order of the text, ten at most; empty when there is none.

    The statement that holds a syntax error is taken out and the rest is read again. An error that may only be a
    consequence of one before is left out. Validation looks at what could be read.
    """
    original = Source(source, name)
    text, read_to = source, 0
    found: list[PuppetError] = []
    while len(found) < MOST_ERRORS:
        try:
            program = parse(text, name=name, dialect=dialect, validate=False)
        except PuppetError as error:
            start = error.span.start if error.span is not None else len(text)
            if found and (error.span is None or start < read_to):
                return found
            found.append(in_original(error, original))
            begin, read_to = statement_around(Source(text, name), start)
            if error.span is None or read_to <= begin:
                return found
            text = text[:begin] + blank(text[begin:read_to]) + text[read_to:]
            continue
        static = [
            in_original(diagnostic.error, original)
            for diagnostic in validate(program, dialect, file=name)
            if diagnostic.severity == "error" and not (found and diagnostic.error.code in CONSEQUENCES)
        ]
        return sorted(found + static, key=offset_of)[:MOST_ERRORS]
    return found


def offset_of(error: PuppetError) -> int:
    """Where an error stands."""
    return error.span.start if error.span is not None else 0


def in_original(error: PuppetError, original: Source) -> PuppetError:
    """The error with its places in the text as it was given."""
    holders: tuple[PuppetError | Note, ...] = (error, *error.notes)
    for holder in holders:
        if holder.span is not None:
            holder.span = Span(original, holder.span.start, holder.span.end)
    return error


def blank(text: str) -> str:
    """Blanks in the place of a text, its lines kept."""
    return "".join(character if character == "\n" else " " for character in text)


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
