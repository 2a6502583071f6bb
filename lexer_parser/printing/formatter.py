"""The formatter: Puppet source in the style guide's layout.

Two spaces of indentation, arrows in a column, a comma behind the last element of a list.
"""

from __future__ import annotations

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.printing.layout import (
    BETWEEN,
    EVERYWHERE,
    NOWHERE,
    LineBreak,
    PrintPosition,
    SourceLayout,
    indent_further,
)
from lexer_parser.printing.reader import UnitReader
from lexer_parser.tree import nodes


class SourceWriter:
    """The writer of one program, unit after unit."""

    def __init__(self, units: UnitReader) -> None:
        self.units = units
        self.layout = SourceLayout(units)
        self.place = PrintPosition()
        self.printed: list[str] = []
        self.pending: list[str] = []  # the texts of heredocs that begin on the next line

    def write(self) -> str:
        """Return the formatted text."""
        units, layout = self.units, self.layout
        layout.lay_out_program()
        special = {*units.brackets, *units.heredocs, *units.multiline, *units.gaps, *layout.chains}
        printed, breaks, pads = self.printed, layout.breaks, layout.pads
        for unit, sep in enumerate(units.separators):
            if breaks[unit] is None and unit not in special and unit not in pads:
                printed.append(sep)
                printed.append(units.texts[unit])
            else:
                self._write_gap(unit)
                if unit in special:
                    self._write_unit(unit)
                else:
                    printed.append(units.texts[unit])
        self._write_comments(len(units.texts), LineBreak(0, 0, EVERYWHERE if printed else BETWEEN))
        self._write_line_end(0)
        return "".join(printed)

    def _write_gap(self, unit: int) -> None:
        """Write what precedes a unit: a line end with comments, or a separator."""
        begun = self.layout.breaks[unit] or self._make_continuation(unit)
        if begun is None:
            pad = self.layout.pads.get(unit, 0)
            self.place.shift += pad
            self.printed.append(self.units.separators[unit] + " " * pad)
            return
        blank = self._write_comments(unit, begun) and unit in self.units.blanks and not begun.closing
        self._write_line_end(begun.indent, blank)
        self.place.indent, self.place.base = begun.indent, begun.base
        self.place.shift = begun.indent - len(self.units.separators[unit]) - self.layout.widths[unit]

    def _make_continuation(self, unit: int) -> LineBreak | None:
        """Return the break for an unplanned line end: behind a comment, or before a multi-line unit."""
        several = self.pending and unit in self.units.multiline
        if not several and not self.units.has_comment_line(unit):
            return None
        base = self.place.base
        return LineBreak(base if unit in self.units.at_base else indent_further(base), base)

    def _write_comments(self, unit: int, begun: LineBreak) -> bool:
        """Write the comments before a unit; return whether an empty line may follow."""
        indent = indent_further(begun.indent) if begun.closing else begun.indent
        blank = begun.blanks == EVERYWHERE
        trailing = True
        for comment in self.units.gaps.get(unit, ()):
            trailing = trailing and comment.trailing
            if trailing:
                self.printed.append(f" {comment.text}")
                trailing = comment.text[0] != "#"
            else:
                self._write_line_end(indent, blank and comment.blank)
                self.printed.append(comment.text)
                blank = begun.blanks != NOWHERE
        return blank

    def _write_line_end(self, indent: int, blank: bool = False) -> None:
        """End the line, with the texts of its heredocs behind it, and begin another one."""
        if self.printed:
            self.printed.append("\n")
            self.printed += [f"{text}\n" for text in self.pending]
            self.pending = []
            if blank:
                self.printed.append("\n")
        self.printed.append(" " * indent)

    def _write_unit(self, unit: int) -> None:
        """Write a unit, and lay out the brackets and chains that begin with it."""
        for chain in self.layout.chains.get(unit, ()):
            self.layout.lay_out_chain(chain, unit, self.place)
        text = self.units.texts[unit]
        self.printed.append(text)
        if unit in self.units.multiline:
            self.place.shift = len(text) - text.rindex("\n") - 1 - self.layout.widths[unit + 1]
        self.pending += self.units.heredocs.get(unit, ())
        bracket = self.units.brackets.get(unit)
        if bracket is not None:
            self.layout.lay_out_bracket(bracket, self.place)


def format_source(source: str, dialect: Dialect, name: str | None = None) -> str:
    """Return a manifest in the style guide's layout, with its comments.

    The result is parsed again: should it not be the same program, the source is returned unchanged.

    Args:
        source: The manifest.
        dialect: The dialect in which it is written.
        name: The file that errors show.

    Raises:
        PuppetError: The manifest has a syntax error.
    """
    program = parse(source, name=name, dialect=dialect, validate=False)
    printed = format_program(program, dialect)
    try:
        same = parse(printed, dialect=dialect, validate=False) == program
    except PuppetError:
        same = False
    return printed if same else source


def format_program(program: nodes.Program, dialect: Dialect) -> str:
    """Return a program as source: `parse(format_program(parse(text)))` is the same tree as `parse(text)`.

    `dialect` is the one in which it was parsed. Tokens stay as they are in the program's source, except commas and
    semicolons at the end of lists. Comments keep their order and, where the layout allows it, their position; empty
    lines between statements and elements stay, several become one. Formatting is idempotent.
    """
    return SourceWriter(UnitReader(program, dialect)).write()
