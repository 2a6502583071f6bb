"""Puppet source in the style guide's layout: two spaces, arrows in a column, a comma behind the last of a list."""

from __future__ import annotations

import re

from lexer_parser import nodes
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.printing.statements import StatementPrinter
from lexer_parser.printing.text import SourceText


def format_source(source: str, dialect: Dialect = PUPPET) -> str:
    """A manifest in the style guide's layout, comments kept; raises PuppetError as `parse` and `format_program`."""
    from lexer_parser.parsing import parse

    return format_program(parse(source, dialect=dialect, validate=False), dialect)


def format_program(program: nodes.Program, dialect: Dialect = PUPPET) -> str:
    """A program as source: `parse(format_program(parse(text)))` is the same tree as `parse(text)`.

    Literals stay as they stand in the program's source. Comments keep their order and, where the layout lets
    them, their place; empty lines between statements stay, several become one. Raises PuppetError for a program
    that is nested some hundred levels deep.
    """
    text = SourceText(program, dialect)
    printer = StatementPrinter(text)
    try:
        lines = printer.statements(program.body, "", len(text.text) + 1)
    except RecursionError:
        raise PuppetError("NESTING", "The program is nested too deeply to be printed") from None
    mark = re.compile(f"{text.heredoc}(\\d+){text.heredoc}")
    printed: list[str] = []
    for line in "\n".join(lines).split("\n"):
        numbers = [int(match[1]) for match in mark.finditer(line)]
        printed.append(mark.sub("", line).rstrip().replace(text.newline, "\n"))
        printed += [printer.heredocs[number] for number in numbers]
    return "\n".join(printed) + "\n" if printed != [""] else ""
