"""The formatter: Puppet source in the style guide's layout.

Two spaces of indentation, arrows in a column, a comma behind the last element of a list.
"""

from __future__ import annotations

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.printing.layout import BETWEEN, EVERYWHERE, NOWHERE, Break, Layout, Place, deeper
from lexer_parser.printing.reader import Reader
from lexer_parser.tree import nodes


class Writer:
    """Writes one program."""

    def __init__(self, units: Reader) -> None:
        self.units = units
        self.layout = Layout(units)
        self.place = Place()
        self.printed: list[str] = []
        self.pending: list[str] = []  # the texts of heredocs that begin on the next line

    def write(self) -> str:
        """The whole text."""
        units, layout = self.units, self.layout
        layout.root()
        special = {*units.brackets, *units.heredocs, *units.several, *units.gaps, *layout.chains}
        printed, breaks, pads = self.printed, layout.breaks, layout.pads
        for unit, sep in enumerate(units.seps):
            if breaks[unit] is None and unit not in special and unit not in pads:
                printed.append(sep)
                printed.append(units.texts[unit])
            else:
                self._begin(unit)
                if unit in special:
                    self._unit(unit)
                else:
                    printed.append(units.texts[unit])
        self._comments(len(units.texts), Break(0, 0, EVERYWHERE if printed else BETWEEN))
        self._new_line(0)
        return "".join(printed)

    def _begin(self, unit: int) -> None:
        """Writes what stands before a unit: a line end with comments, or a separator."""
        begun = self.layout.breaks[unit] or self._continuation(unit)
        if begun is None:
            pad = self.layout.pads.get(unit, 0)
            self.place.shift += pad
            self.printed.append(self.units.seps[unit] + " " * pad)
            return
        blank = self._comments(unit, begun) and unit in self.units.blanks and not begun.closing
        self._new_line(begun.indent, blank)
        self.place.indent, self.place.base = begun.indent, begun.base
        self.place.shift = begun.indent - len(self.units.seps[unit]) - self.layout.widths[unit]

    def _continuation(self, unit: int) -> Break | None:
        """The line that begins where none should, behind a comment or before what holds line ends itself."""
        several = self.pending and unit in self.units.several
        if not several and not self.units.commented(unit):
            return None
        base = self.place.base
        return Break(base if unit in self.units.at_base else deeper(base), base)

    def _comments(self, unit: int, begun: Break) -> bool:
        """Writes the comments before a unit; tells whether an empty line may follow."""
        indent = deeper(begun.indent) if begun.closing else begun.indent
        blank = begun.blanks == EVERYWHERE
        trailing = True
        for comment in self.units.gaps.get(unit, ()):
            trailing = trailing and comment.trailing
            if trailing:
                self.printed.append(f" {comment.text}")
                trailing = comment.text[0] != "#"
            else:
                self._new_line(indent, blank and comment.blank)
                self.printed.append(comment.text)
                blank = begun.blanks != NOWHERE
        return blank

    def _new_line(self, indent: int, blank: bool = False) -> None:
        """Ends the line, with the texts of its heredocs behind it, and begins another one."""
        if self.printed:
            self.printed.append("\n")
            self.printed += [f"{text}\n" for text in self.pending]
            self.pending = []
            if blank:
                self.printed.append("\n")
        self.printed.append(" " * indent)

    def _unit(self, unit: int) -> None:
        """Writes a unit, and has what begins with it laid out."""
        for chain in self.layout.chains.get(unit, ()):
            self.layout.chain(chain, unit, self.place)
        text = self.units.texts[unit]
        self.printed.append(text)
        if unit in self.units.several:
            self.place.shift = len(text) - text.rindex("\n") - 1 - self.layout.widths[unit + 1]
        self.pending += self.units.heredocs.get(unit, ())
        bracket = self.units.brackets.get(unit)
        if bracket is not None:
            self.layout.open(bracket, self.place)


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
