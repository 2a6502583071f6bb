"""Checks of the properties of all printed source."""

import re

from lexer_parser import PUPPET, Dialect, PuppetError, find_comments, parse
from lexer_parser.printing.layout import format_program


def check_printed(source: str, dialect: Dialect = PUPPET, may_be_invalid: bool = False) -> str | None:
    """Check the printed form of a source, and return it.

    It must have the same tree and the same comments, and printing it again must not change it.

    Args:
        may_be_invalid: Return None for a source that does not parse, instead of raising the error.
    """
    try:
        program = parse(source, dialect=dialect, validate=False)
    except PuppetError:
        if may_be_invalid:
            return None
        raise
    printed = format_program(program, dialect)
    reparsed = parse(printed, dialect=dialect, validate=False)
    assert reparsed == program, printed
    assert list_comments(printed, dialect) == list_comments(source, dialect), printed
    assert format_program(reparsed, dialect) == printed
    return printed


def can_parse(source: str) -> bool:
    """Return whether a source has no syntax error in the released language."""
    try:
        parse(source, validate=False, dialect=PUPPET)
    except PuppetError:
        return False
    return True


def list_comments(source: str, dialect: Dialect) -> list[str]:
    """Return the comments of a source in their order, with single blanks."""
    return [re.sub(r"\s+", " ", text).strip() for *_, text in find_comments(source, dialect)]
