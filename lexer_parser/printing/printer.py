"""Puppet source in the style guide's layout: two spaces, arrows in a column, a comma behind the last of a list."""

from __future__ import annotations

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.printing.reader import Reader
from lexer_parser.printing.writer import Writer
from lexer_parser.tree import nodes


def format_source(source: str, dialect: Dialect, name: str | None = None) -> str:
    """A manifest in the style guide's layout, comments kept; `name` is the file that errors show.

    What is printed is read again: should it not be the same program, the source is given back as it is. Raises
    PuppetError as `parse`.
    """
    program = parse(source, name=name, dialect=dialect, validate=False)
    printed = format_program(program, dialect)
    try:
        same = parse(printed, dialect=dialect, validate=False) == program
    except PuppetError:
        same = False
    return printed if same else source


def format_program(program: nodes.Program, dialect: Dialect) -> str:
    """A manifest as source: `parse(format_program(parse(text)))` is the same tree as `parse(text)`.

    `dialect` is the one that it was read in. The tokens stay as they stand in the program's source, but for
    commas and semicolons at the end of lists. Comments keep their order and, where the layout lets them, their
    place; empty lines between statements and elements stay, several become one. Printing what is printed changes
    nothing.
    """
    return Writer(Reader(program, dialect)).write()
