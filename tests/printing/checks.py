"""The properties of everything that is printed."""

import re

from lexer_parser import PUPPET, Dialect, PuppetError, find_comments, parse
from lexer_parser.printing.layout import format_program


def check(source: str, dialect: Dialect = PUPPET, refused: bool = False) -> str | None:
    """The source as it is printed: its tree and comments stay, and printed again it stays the same.

    Gives None for what does not parse, if that is expected.
    """
    try:
        program = parse(source, dialect=dialect, validate=False)
    except PuppetError:
        if refused:
            return None
        raise
    printed = format_program(program, dialect)
    again = parse(printed, dialect=dialect, validate=False)
    assert again == program, printed
    assert words(printed, dialect) == words(source, dialect), printed
    assert format_program(again, dialect) == printed
    return printed


def words(source: str, dialect: Dialect) -> list[str]:
    """The comments, in order."""
    return [re.sub(r"\s+", " ", text).strip() for *_, text in find_comments(source, dialect)]
