"""The formatter: Puppet source in the style guide's layout.

Two spaces of indentation, arrows in a column, a comma after the last element of a list. `SourceLayout` decides which
brackets and chains of operations are broken into lines, and where; `SourceWriter` prints the source and requests these
decisions when it reaches the opening bracket or the first operand.

Everything is named by the number of its unit. A unit is what is never broken: a token, a string, or the header of a
heredoc, with the comma behind it (`reader`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from operator import add

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.printing.marks import OperationChain, find_last_part
from lexer_parser.printing.reader import Bracket, UnitReader
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

WIDTH = 140  # columns; longer lines are broken
WIDTH_OF_PARAMETERS = 80  # columns of the head of a definition with its parameters
STEP = 2  # columns of one level of indentation
DEEPEST = 120  # columns: deeper nesting is not indented further, so that the text stays as long as the source
# Where empty lines stay: nowhere, only after comments, or also before them.
NOWHERE, BETWEEN, EVERYWHERE = 0, 1, 2
# The kinds of brackets with a comma after the last element, and those that may join the brackets around them: `([`.
COMMAS = frozenset(("array", "hash", "call", "parameters", "selector"))
HUGGED = frozenset(("array", "hash"))


class LineBreak(Record):
    """The beginning of a line.

    Attributes:
        indent: Its indentation.
        base: The indentation of the statement or element to which it belongs.
        blanks: NOWHERE, BETWEEN or EVERYWHERE: where empty lines before it stay.
        closing: True at a closing bracket.
    """

    indent: int
    base: int
    blanks: int = NOWHERE
    closing: bool = False


class BodyUnits(Record):
    """The units that begin the parts of a resource body."""

    title: int
    attributes: list[int] = fresh(factory=list)


class PrintPosition:
    """The position of the printer on its line.

    Attributes:
        indent: The indentation of the line.
        base: The indentation of the statement or element to which the line belongs.
        shift: What to add to `SourceLayout.widths` of a unit to obtain the column after the unit before it.
    """

    __slots__ = ("base", "indent", "shift")

    def __init__(self) -> None:
        self.indent = self.base = self.shift = 0


class SourceLayout:
    """The layout of a source, in tables by unit.

    Sums up to each unit are computed before anything is printed: a difference of two is the width, or the number of
    forced breaks, of a range of units. So a decision takes time proportional to the elements it is about.

    Attributes:
        breaks: The line that begins at a unit, None if it continues a line; filled as the printer proceeds.
        pads: The blanks to add before an arrow or a name; filled as the printer proceeds.
        chains: The chains of operations that begin with a unit.
        widths: The sum of the widths of all units before a unit, with the separators before them. A multi-line unit
            counts with its first line.
        forced: The number of breaks before a unit that a comment or the author's line ends require.
    """

    def __init__(self, units: UnitReader) -> None:
        self.units = units
        self.texts = units.texts
        self.breaks: list[LineBreak | None] = [None] * (len(units.texts) + 1)
        self.pads: dict[int, int] = {}
        self.chains = self._collect_chains()
        lengths = list(map(add, map(len, units.separators), map(len, units.texts)))
        for unit in units.multiline:
            lengths[unit] = len(units.separators[unit]) + units.texts[unit].index("\n")
        self.widths: list[int] = [0, *accumulate(lengths)]
        self._multiline = sorted(units.multiline)
        # By multi-line unit: how often, up to it, the line from the end of one such unit to the next one is too long.
        self._long_lines = [
            0,
            *accumulate(
                self._width_behind(unit, following) > WIDTH for unit, following in pairwise(self._multiline)
            ),
        ]
        self.forced = self._count_forced()

    def _collect_chains(self) -> dict[int, list[OperationChain]]:
        """Return the chains of operations by their first unit, and set their `units` and `broken`."""
        chains: dict[int, list[OperationChain]] = {}
        lines = self.units.line_starts
        for chain in self.units.marks.chains:
            chain.units = [self.units.unit_at(operator) for operator in chain.operators]
            chain.broken = any(unit in lines or unit + 1 in lines for unit in chain.units)
            chains.setdefault(self.units.unit_at(chain.start), []).append(chain)
        return chains

    def _count_forced(self) -> list[int]:
        """Return the number of forced breaks before each unit and before the end."""
        flags = [0] * (len(self.texts) + 1)
        for unit in self.units.gaps:
            flags[unit] = self.units.has_comment_line(unit)
        for chains in self.chains.values():
            for chain in chains:
                if chain.broken:
                    flags[chain.units[0]] = 1
        for bracket in self.units.brackets.values():
            if _FORCED[bracket.kind](self, bracket):
                flags[bracket.open + 1] = 1
        return [0, *accumulate(flags)]

    # --- Queries

    def is_forced(self, first: int, last: int) -> bool:
        """Return whether a line must end before one of the units from `first` to `last`."""
        return self.forced[last + 1] > self.forced[first]

    def fits(self, first: int, last: int, position: PrintPosition) -> bool:
        """Return whether no line of the units from `first` to `last` is too long.

        With multi-line units among them, these are the line up to the first of those, the lines between two, and the
        line behind the last.
        """
        begin, end = bisect_left(self._multiline, first), bisect_right(self._multiline, last)
        if begin == end:
            return self.widths[last + 1] + position.shift <= WIDTH
        return (
            self.widths[self._multiline[begin] + 1] + position.shift <= WIDTH
            and self._long_lines[begin] == self._long_lines[end - 1]
            and self._width_behind(self._multiline[end - 1], last) <= WIDTH
        )

    def _width_behind(self, unit: int, last: int) -> int:
        """Return the width of the last line of a multi-line unit with all units up to another one."""
        text = self.texts[unit]
        return len(text) - text.rindex("\n") - 1 + self.widths[last + 1] - self.widths[unit + 1]

    def is_open(self, bracket: Bracket) -> bool:
        """Return whether the author began a line behind the opening bracket."""
        return bracket.close > bracket.open + 1 and bracket.open + 1 in self.units.line_starts

    def _has_open_parameters(self, bracket: Bracket) -> bool:
        """Return whether parameters have their own lines: in the source, or for a long head."""
        # The head begins with the keyword, two units before the parenthesis, and ends with the closing one.
        head = self._width(bracket.open - 2, bracket.close) + 1
        return self.is_open(bracket) or (bracket.close > bracket.open + 1 and head > WIDTH_OF_PARAMETERS)

    def _is_open_resource(self, bracket: Bracket) -> bool:
        """Return whether a resource has several bodies or attributes, or one on its own line."""
        first, *others = _split_bodies(bracket)
        if others or len(first.attributes) != 1:
            return bool(others or first.attributes)
        return not self.units.line_starts.isdisjoint((first.attributes[0], bracket.close))

    # --- Decisions

    def lay_out_bracket(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out the contents of brackets, if they do not fit on one line; the opening bracket is printed."""
        if self.is_forced(bracket.open + 1, bracket.close) or not self.fits(
            bracket.open + 1, bracket.close, position
        ):
            _LAYOUTS[bracket.kind](self, bracket, position)

    def lay_out_chain(self, chain: OperationChain, first: int, position: PrintPosition) -> None:
        """Lay out operations from a unit on: lines begin with arrows of relationships, and end with other operators."""
        last = self.units.last_unit_of(find_last_part(chain.last))
        # Operations with an operand that must be broken stay together, except relationships.
        is_forced = self.is_forced(chain.units[0], last)
        must_break = chain.relationship if is_forced else not self.fits(first, last, position)
        if not chain.broken and not must_break:
            return
        for operator in chain.units:
            if chain.relationship:
                self.breaks[operator] = LineBreak(position.base, position.base)
            else:
                self.breaks[operator + 1] = LineBreak(indent_further(position.base), position.base)

    def _break_before(self, items: list[int], indent: int) -> None:
        """Begin a line at each element."""
        blanks = BETWEEN
        for item in items:
            self.breaks[item] = LineBreak(indent, indent, blanks)
            blanks = EVERYWHERE

    def _break_before_closing(self, bracket: Bracket, position: PrintPosition) -> None:
        """Begin a line at the closing bracket."""
        blanks = EVERYWHERE if bracket.close > bracket.open + 1 else BETWEEN
        self.breaks[bracket.close] = LineBreak(position.indent, position.base, blanks, closing=True)

    def _lay_out_list(self, bracket: Bracket, position: PrintPosition) -> None:
        """Begin a line at each element, except for a single unit and for hugging brackets."""
        items = bracket.items()
        alone = bracket.close == bracket.open + 2 and not self.is_forced(bracket.open + 1, bracket.close)
        if alone or self._is_hugging(bracket, items, position):
            return
        self._break_before_closing(bracket, position)
        if not items:
            return
        self._break_before(items, indent_further(position.indent))
        if bracket.kind == "parameters":
            self._align_names(bracket, items)
        self._align_arrows(bracket, items)
        if bracket.kind in COMMAS:
            self._put_mark_behind(bracket.close - 1, ",")

    def _is_hugging(self, bracket: Bracket, items: list[int], position: PrintPosition) -> bool:
        """Return whether the last element is a list whose brackets join these ones: `([`, `])`."""
        inner = self.units.brackets.get(items[-1]) if items else None
        return (
            inner is not None
            and inner.close == bracket.close - 1
            and inner.kind in HUGGED
            and (bracket.kind in ("call", "method") or len(items) == 1)
            and not self.is_forced(bracket.open + 1, inner.open)
            and not self.is_forced(bracket.close, bracket.close)
            and self.fits(bracket.open + 1, inner.open, position)
        )

    # --- Columns

    def _align_arrows(self, bracket: Bracket, items: list[int]) -> None:
        """Align the arrows of elements, but for those behind a multi-line key."""
        columns = {
            arrow: self._width(item, arrow) + self.pads.get(arrow - 1, 0)
            for item, arrow, _ in self._iterate_elements(bracket, items)
            if arrow is not None and not self.is_forced(item + 1, arrow)
        }
        self._pad_to_widest(columns)

    def _iterate_elements(self, bracket: Bracket, items: list[int]) -> Iterator[tuple[int, int | None, int]]:
        """Yield for each element its first unit, its first arrow or None, the unit behind it."""
        arrows = iter([*bracket.arrows, bracket.close])
        arrow = next(arrows)
        for item, stop in zip(items, [*items[1:], bracket.close], strict=True):
            while arrow < item:
                arrow = next(arrows)
            yield item, arrow if arrow < stop else None, stop

    def _align_names(self, bracket: Bracket, items: list[int]) -> None:
        """Keep the names of parameters in one column behind their types, if the author put them there."""
        names = {}
        for item, arrow, stop in self._iterate_elements(bracket, items):
            name = (stop if arrow is None else arrow) - 1
            if name > item and self.units.separators[name]:
                names[name] = self._width(item, name)
                if self.is_forced(item + 1, name):
                    return
        if len({self.units.source_column(name) for name in names}) == 1:
            self._pad_to_widest(names)

    def _align_assignments(self, starts: list[int]) -> None:
        """Keep the equals signs of consecutive assignments in one column, if they are in one."""
        run: dict[int, int] = {}
        run_column = None
        for start in starts:
            if start + 1 not in self.units.assignments or start in self.units.multiline:
                run_column = None
                continue
            column = self.units.source_column(start + 1)
            if column != run_column:
                self._pad_to_widest(run)
                run, run_column = {}, column
            run[start + 1] = self._width(start, start + 1)
        self._pad_to_widest(run)

    def _pad_to_widest(self, columns: dict[int, int]) -> None:
        """Pad units to the widest column."""
        width = max(columns.values(), default=0)
        self.pads.update((unit, width - column) for unit, column in columns.items() if column < width)

    def _width(self, first: int, last: int) -> int:
        """Return the width from the beginning of one unit to that of another on its line."""
        return self.widths[last + 1] - len(self.texts[last]) - self.widths[first + 1] + len(self.texts[first])

    def _put_mark_behind(self, unit: int, mark: str) -> None:
        """Put a mark behind a unit in place of the one it has.

        `widths` keeps the old length: nothing follows the mark on its line.
        """
        self.texts[unit] = self.texts[unit].rstrip(",;") + mark

    def _lay_out_parenthesis(self, bracket: Bracket, position: PrintPosition) -> None:
        """Begin lines behind and before parentheses where a comment or the author requires one."""
        if self.is_forced(bracket.open + 1, bracket.open + 1) or self.is_forced(bracket.close, bracket.close):
            self._break_before([bracket.open + 1], indent_further(position.indent))
            self._break_before_closing(bracket, position)

    def lay_out_statements(self, bracket: Bracket, indent: int) -> None:
        """Begin a line at each statement of a body or of the whole program."""
        self._break_before(bracket.starts, indent)
        self._align_assignments(bracket.starts)

    def _lay_out_block(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out the statements of a body, indented from the statement that it belongs to."""
        position.indent = position.base
        self._lay_out_lambda(bracket, position)

    def _lay_out_lambda(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out the statements of a lambda, indented from its line."""
        self.lay_out_statements(bracket, indent_further(position.indent))
        self._break_before_closing(bracket, position)

    def _lay_out_case(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out the options of a `case`; the values of one too long for a line begin lines."""
        self._lay_out_block(bracket, position)
        indent = indent_further(position.indent)
        start = bracket.starts[0] if bracket.starts else 0
        values = []
        for unit, mark in bracket.punctuation:
            if mark == ",":
                values.append(unit)
                continue
            if indent + self._width(start, unit) > WIDTH - len("{}"):
                for value in values:
                    self.breaks[value] = LineBreak(indent, indent)
            values = []
            # the first unit of the option after the one whose block begins at `unit`
            start = min(self.units.brackets[unit].close + 1, bracket.close)

    # --- Resources

    def _lay_out_attributes(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out the attributes of defaults, an override or a collector."""
        self._lay_out_attribute_list(
            bracket, bracket.items(), indent_further(position.indent), ending=",", stop=bracket.close
        )
        self._break_before_closing(bracket, position)

    def _lay_out_attribute_list(
        self, bracket: Bracket, items: list[int], indent: int, *, ending: str, stop: int
    ) -> None:
        """Begin a line at each attribute, and put a mark behind the last one.

        Args:
            bracket: The brackets around them.
            items: The units that begin the attributes.
            indent: Their indentation.
            ending: The mark.
            stop: The unit behind the last attribute.
        """
        if items:
            self._break_before(items, indent)
            self._put_mark_behind(stop - 1, ending)
            self._align_arrows(bracket, items)

    def _lay_out_resource(self, bracket: Bracket, position: PrintPosition) -> None:
        """Lay out a title with its attributes, or several titles on lines of their own."""
        bodies = _split_bodies(bracket)
        self._break_before_closing(bracket, position)
        indent = indent_further(position.indent)
        has_several = len(bodies) > 1
        if not has_several and not self.units.has_comment_line(bracket.open + 1):
            self._lay_out_attribute_list(
                bracket, bodies[0].attributes, indent, ending=",", stop=bracket.close
            )
            return
        titles = [body.title for body in bodies]
        self._break_before(titles, indent)
        stops = [*titles[1:], bracket.close]
        are_short = has_several and self._align_titles(bodies, stops, indent)
        ending = ";" if has_several else ","
        for body, stop in zip(bodies, stops, strict=True):
            if body.attributes and not are_short:
                self._lay_out_attribute_list(
                    bracket, body.attributes, indent_further(indent), ending=ending, stop=stop
                )
            elif has_several:
                self._put_mark_behind(stop - 1, ending)

    def _align_titles(self, bodies: list[BodyUnits], stops: list[int], indent: int) -> bool:
        """Align the first attributes if each body is on one line; return whether they are."""
        columns, longest = {}, 0
        for body, stop in zip(bodies, stops, strict=True):
            is_broken = any(unit in self.units.line_starts for unit in body.attributes)
            if not body.attributes or is_broken or self.is_forced(body.title + 1, stop - 1):
                return False
            first = body.attributes[0]
            columns[first] = self._width(body.title, first)
            longest = max(longest, self.widths[stop] - self.widths[first])
        if indent + max(columns.values()) + longest > WIDTH:
            return False
        self._pad_to_widest(columns)
        return True


# Whether a line must begin behind the opening bracket, and the layout of the contents, by the kind of brackets.
_FORCED: dict[str, Callable[[SourceLayout, Bracket], bool]] = {
    **dict.fromkeys(
        ("array", "access", "hash", "selector", "call", "method", "pipe", "paren"),
        SourceLayout.is_open,
    ),
    "parameters": SourceLayout._has_open_parameters,
    **dict.fromkeys(("block", "case"), lambda layout, bracket: bool(bracket.starts)),
    "lambda": lambda layout, bracket: len(bracket.starts) > 1 or layout.is_open(bracket),
    "resource": SourceLayout._is_open_resource,
    "attributes": lambda layout, bracket: len(bracket.items()) > 1 or layout.is_open(bracket),
}
_LAYOUTS: dict[str, Callable[[SourceLayout, Bracket, PrintPosition], None]] = {
    **dict.fromkeys(
        ("array", "access", "hash", "selector", "call", "method", "parameters", "pipe"),
        SourceLayout._lay_out_list,
    ),
    "paren": SourceLayout._lay_out_parenthesis,
    "block": SourceLayout._lay_out_block,
    "lambda": SourceLayout._lay_out_lambda,
    "case": SourceLayout._lay_out_case,
    "resource": SourceLayout._lay_out_resource,
    "attributes": SourceLayout._lay_out_attributes,
}


def indent_further(indent: int) -> int:
    """Return the indentation one level further in."""
    return min(indent + STEP, DEEPEST)


def _split_bodies(bracket: Bracket) -> list[BodyUnits]:
    """Return the bodies of a resource."""
    bodies = [BodyUnits(bracket.open + 1)]
    for unit, mark in bracket.punctuation:
        attributes = bodies[-1].attributes
        if mark == ";":
            if attributes[-1:] == [unit]:  # the unit is the next title, not an attribute
                attributes.pop()
            if unit < bracket.close:
                bodies.append(BodyUnits(unit))
            continue
        if mark == ":":
            attributes.clear()  # commas in the title, which may be a node definition with several names
        if unit < bracket.close:
            attributes.append(unit)
    return bodies


class SourceWriter:
    """The writer of one program, unit after unit."""

    def __init__(self, units: UnitReader) -> None:
        self.units = units
        self.layout = SourceLayout(units)
        self.position = PrintPosition()
        self.printed: list[str] = []
        self.pending: list[str] = []  # the texts of heredocs that begin on the next line

    def write(self) -> str:
        """Return the formatted text."""
        units, layout = self.units, self.layout
        layout.lay_out_statements(layout.units.root, 0)
        # All other units continue a line, and nothing is laid out at them.
        special = {*units.brackets, *units.heredocs, *units.multiline, *units.gaps, *layout.chains}
        printed, breaks, pads = self.printed, layout.breaks, layout.pads
        for unit, separator in enumerate(units.separators):
            if breaks[unit] is None and unit not in special and unit not in pads:
                printed.append(separator)
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
        line_break = self.layout.breaks[unit] or self._make_continuation(unit)
        if line_break is None:
            pad = self.layout.pads.get(unit, 0)
            self.position.shift += pad
            self.printed.append(self.units.separators[unit] + " " * pad)
            return
        may_be_empty = self._write_comments(unit, line_break)
        is_empty = may_be_empty and unit in self.units.blanks and not line_break.closing
        self._write_line_end(line_break.indent, with_empty_line=is_empty)
        self.position.indent, self.position.base = line_break.indent, line_break.base
        self.position.shift = line_break.indent - len(self.units.separators[unit]) - self.layout.widths[unit]

    def _make_continuation(self, unit: int) -> LineBreak | None:
        """Return the break for an unplanned line end: behind a comment, or before a multi-line unit."""
        # The texts of heredocs follow the next line end, which must not be one inside a unit.
        is_behind_heredoc = self.pending and unit in self.units.multiline
        if not is_behind_heredoc and not self.units.has_comment_line(unit):
            return None
        base = self.position.base
        return LineBreak(base if unit in self.units.at_base else indent_further(base), base)

    def _write_comments(self, unit: int, line_break: LineBreak) -> bool:
        """Write the comments before a unit; return whether an empty line may follow."""
        indent = indent_further(line_break.indent) if line_break.closing else line_break.indent
        may_be_empty = line_break.blanks == EVERYWHERE
        is_trailing = True  # the comment stays on the line of the unit before it
        for comment in self.units.gaps.get(unit, ()):
            is_trailing = is_trailing and comment.trailing
            if is_trailing:
                self.printed.append(f" {comment.text}")
                is_trailing = not comment.text.startswith("#")
            else:
                self._write_line_end(indent, with_empty_line=may_be_empty and comment.blank)
                self.printed.append(comment.text)
                may_be_empty = line_break.blanks != NOWHERE
        return may_be_empty

    def _write_line_end(self, indent: int, *, with_empty_line: bool = False) -> None:
        """End the line, with the texts of its heredocs behind it, and begin another one."""
        if self.printed:
            self.printed.append("\n")
            self.printed += [f"{text}\n" for text in self.pending]
            self.pending = []
            if with_empty_line:
                self.printed.append("\n")
        self.printed.append(" " * indent)

    def _write_unit(self, unit: int) -> None:
        """Write a unit, and lay out the brackets and chains that begin with it."""
        for chain in self.layout.chains.get(unit, ()):
            self.layout.lay_out_chain(chain, unit, self.position)
        text = self.units.texts[unit]
        self.printed.append(text)
        if unit in self.units.multiline:
            self.position.shift = len(text) - text.rindex("\n") - 1 - self.layout.widths[unit + 1]
        self.pending += self.units.heredocs.get(unit, ())
        bracket = self.units.brackets.get(unit)
        if bracket is not None:
            self.layout.lay_out_bracket(bracket, self.position)


def format_source(source: str, dialect: Dialect, name: str | None = None) -> str:
    """Return a manifest in the style guide's layout, with its comments.

    The result is parsed again: should it not be the same program, the source is returned unchanged.

    Args:
        source: The manifest.
        dialect: The dialect in which it is written.
        name: The file name in errors.

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
