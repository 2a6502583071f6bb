"""Which brackets and chains of operations are opened up, and where their lines begin and arrows stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from operator import add

from lexer_parser.printing.marks import Chain, finish
from lexer_parser.printing.reader import Bracket, Reader

WIDTH = 140
WIDTH_OF_PARAMETERS = 80
STEP = 2
DEEPEST = 120  # what is nested deeper is not indented further, so that the text stays as long as the source
NOWHERE, BETWEEN, EVERYWHERE = 0, 1, 2  # where empty lines stay: behind comments only, or before them too
COMMAS = frozenset(("array", "hash", "call", "parameters", "selector"))
HUGGED = frozenset(("array", "hash"))


class Break:
    """A line that begins: its indentation, the one of what it belongs to, where empty lines stay.

    `closing` is true where it ends what is in brackets.
    """

    __slots__ = ("base", "blanks", "closing", "indent")

    def __init__(self, indent: int, base: int, blanks: int = NOWHERE, closing: bool = False) -> None:
        self.indent = indent
        self.base = base
        self.blanks = blanks
        self.closing = closing


class Place:
    """Where the printer is: the indentation of its line, the one of the statement or element, and `shift`.

    `shift` makes a column of a sum of widths.
    """

    __slots__ = ("base", "indent", "shift")

    def __init__(self) -> None:
        self.indent = self.base = self.shift = 0


class Layout:
    """Fills `breaks` and `pads` (blanks before arrows) by the number of the unit, as the printer comes by.

    What must be broken is known before: `forced` counts it up to each unit. So is the width of each stretch on one
    line, and every decision takes the time of the elements it is about.
    """

    def __init__(self, units: Reader) -> None:
        self.units = units
        self.texts = units.texts
        units.line_starts.update(units.behind_heredocs())
        count = len(units.texts)
        self.breaks: list[Break | None] = [None] * (count + 1)
        self.pads: dict[int, int] = {}
        self.chains = self._chains()
        lengths = list(map(add, map(len, units.seps), map(len, units.texts)))
        for unit in units.several:
            lengths[unit] = len(units.seps[unit]) + units.texts[unit].index("\n")
        self.widths: list[int] = [0, *accumulate(lengths)]
        self._several = sorted(units.several)
        self._long = [0, *accumulate(map(self._is_long, self._several, self._several[1:]))]
        self.forced = self._count_forced(count)

    def _chains(self) -> dict[int, list[Chain]]:
        """The chains of operations by their first unit, with units for offsets."""
        found: dict[int, list[Chain]] = {}
        lines = self.units.line_starts
        for chain in self.units.marks.chains:
            chain.operators = operators = [self.units.at(operator) for operator in chain.operators]
            chain.broken = any(unit in lines or unit + 1 in lines for unit in operators)
            found.setdefault(self.units.at(chain.start), []).append(chain)
        return found

    def _count_forced(self, count: int) -> list[int]:
        flags = [0] * (count + 1)
        for unit in self.units.gaps:
            flags[unit] = self.units.commented(unit)
        for chains in self.chains.values():
            for chain in chains:
                if chain.broken:
                    flags[chain.operators[0]] = 1
        for bracket in self.units.brackets.values():
            if _FORCED[bracket.kind](self, bracket):
                flags[bracket.open + 1] = 1
        return [0, *accumulate(flags)]

    # --- Questions

    def is_forced(self, first: int, last: int) -> bool:
        """Whether a line must end before one of the units from `first` to `last`."""
        return self.forced[last + 1] > self.forced[first]

    def fits(self, first: int, last: int, place: Place) -> bool:
        """Whether no line of the units from `first` to `last` is too long; what is before them is printed."""
        begin, end = bisect_left(self._several, first), bisect_right(self._several, last)
        if begin == end:
            return self.widths[last + 1] + place.shift <= WIDTH
        return (
            self.widths[self._several[begin] + 1] + place.shift <= WIDTH
            and self._long[begin] == self._long[end - 1]
            and self._behind(self._several[end - 1], last) <= WIDTH
        )

    def _is_long(self, unit: int, following: int) -> bool:
        """Whether the line is too long that begins in one unit of several lines and ends in the next one."""
        return self._behind(unit, following) > WIDTH

    def _behind(self, unit: int, last: int) -> int:
        """The width of the last line of a unit of several lines with all behind it up to another unit."""
        text = self.texts[unit]
        return len(text) - text.rindex("\n") - 1 + self.widths[last + 1] - self.widths[unit + 1]

    def is_open(self, bracket: Bracket) -> bool:
        """Whether the author began a line behind the opening bracket."""
        return bracket.close > bracket.open + 1 and bracket.open + 1 in self.units.line_starts

    def _parameters_are_open(self, bracket: Bracket) -> bool:
        head = self._width(bracket.open - 2, bracket.close) + 1
        return self.is_open(bracket) or (bracket.close > bracket.open + 1 and head > WIDTH_OF_PARAMETERS)

    def _block_is_open(self, bracket: Bracket) -> bool:
        return bool(bracket.starts)

    def _lambda_is_open(self, bracket: Bracket) -> bool:
        return len(bracket.starts) > 1 or self.is_open(bracket)

    def _resource_is_open(self, bracket: Bracket) -> bool:
        attributes = _bodies(bracket)[0][1:]
        if len(attributes) != 1 or self._is_several(bracket):
            return bool(attributes) or self._is_several(bracket)
        return attributes[0] in self.units.line_starts or bracket.close in self.units.line_starts

    def _is_several(self, bracket: Bracket) -> bool:
        return any(mark == ";" and unit < bracket.close for unit, mark in bracket.cuts)

    def _attributes_are_open(self, bracket: Bracket) -> bool:
        return len(bracket.items()) > 1 or self.is_open(bracket)

    # --- Decisions

    def open(self, bracket: Bracket, place: Place) -> None:
        """Lays out what is in brackets, if it is not on one line; the opening one is printed."""
        if self.is_forced(bracket.open + 1, bracket.close) or not self.fits(
            bracket.open + 1, bracket.close, place
        ):
            _LAYOUTS[bracket.kind](self, bracket, place)

    def chain(self, chain: Chain, first: int, place: Place) -> None:
        """Lays out operations from a unit on: relationships begin lines with the arrow, others end them with it."""
        last = self.units.last_of(finish(chain.last))
        forced = self.is_forced(chain.operators[0], last)
        if not chain.broken and (not chain.relationship if forced else self.fits(first, last, place)):
            return
        for operator in chain.operators:
            if chain.relationship:
                self.breaks[operator] = Break(place.base, place.base)
            else:
                self.breaks[operator + 1] = Break(deeper(place.base), place.base)

    def _lines(self, items: list[int], indent: int) -> None:
        """Begins a line at each element."""
        blanks = BETWEEN
        for item in items:
            self.breaks[item] = Break(indent, indent, blanks)
            blanks = EVERYWHERE

    def _closed(self, bracket: Bracket, place: Place) -> None:
        """Begins the line of the closing bracket."""
        blanks = EVERYWHERE if bracket.close > bracket.open + 1 else BETWEEN
        self.breaks[bracket.close] = Break(place.indent, place.base, blanks, closing=True)

    def _list(self, bracket: Bracket, place: Place) -> None:
        items = bracket.items()
        alone = bracket.close == bracket.open + 2 and not self.is_forced(bracket.open + 1, bracket.close)
        if alone or self._hugs(bracket, items, place):
            return
        self._closed(bracket, place)
        if not items:
            return
        self._lines(items, deeper(place.indent))
        if bracket.kind == "parameters":
            self._align_names(bracket, items)
        self._align(bracket, items)
        if bracket.kind in COMMAS:
            self._end(bracket.close - 1, ",")

    def _hugs(self, bracket: Bracket, items: list[int], place: Place) -> bool:
        """Whether the last element is a list whose brackets stand at the same places as these ones."""
        inner = self.units.brackets.get(items[-1]) if items else None
        return (
            inner is not None
            and inner.close == bracket.close - 1
            and inner.kind in HUGGED
            and (bracket.kind in ("call", "method") or len(items) == 1)
            and not self.is_forced(bracket.open + 1, inner.open)
            and not self.is_forced(bracket.close, bracket.close)
            and self.fits(bracket.open + 1, inner.open, place)
        )

    # --- Columns

    def _align(self, bracket: Bracket, items: list[int]) -> None:
        """Puts the arrows of elements in one column, but for those behind a key of several lines."""
        columns = {
            arrow: self._width(item, arrow) + self.pads.get(arrow - 1, 0)
            for item, arrow, _ in self._arrows(bracket, items)
            if arrow is not None and not self.is_forced(item + 1, arrow)
        }
        self._pad(columns)

    def _arrows(self, bracket: Bracket, items: list[int]) -> Iterator[tuple[int, int | None, int]]:
        """Of each element its first unit, its first arrow and the unit behind it."""
        arrows = iter([*bracket.arrows, bracket.close])
        arrow = next(arrows)
        for item, stop in zip(items, [*items[1:], bracket.close], strict=True):
            while arrow < item:
                arrow = next(arrows)
            yield item, arrow if arrow < stop else None, stop

    def _align_names(self, bracket: Bracket, items: list[int]) -> None:
        """Keeps the names of parameters in one column behind their types, if their author put them there."""
        names = {}
        for item, arrow, stop in self._arrows(bracket, items):
            name = (stop if arrow is None else arrow) - 1
            if name > item and self.units.seps[name]:
                names[name] = self._width(item, name)
                if self.is_forced(item + 1, name):
                    return
        if len({self.units.column(name) for name in names}) == 1:
            self._pad(names)

    def _align_assignments(self, starts: list[int]) -> None:
        """Keeps the equals signs of assignments that follow each other in one column, if they are in one."""
        run: dict[int, int] = {}
        kept = None
        for start in starts:
            if start + 1 not in self.units.assignments or start in self.units.several:
                kept = None
                continue
            column = self.units.column(start + 1)
            if column != kept:
                self._pad(run)
                run, kept = {}, column
            run[start + 1] = self._width(start, start + 1)
        self._pad(run)

    def _pad(self, columns: dict[int, int]) -> None:
        """Pads units to the widest column."""
        width = max(columns.values(), default=0)
        self.pads.update((unit, width - column) for unit, column in columns.items() if column < width)

    def _width(self, first: int, last: int) -> int:
        """The width from the beginning of one unit to that of another on its line."""
        return self.widths[last + 1] - len(self.texts[last]) - self.widths[first + 1] + len(self.texts[first])

    def _end(self, unit: int, mark: str) -> None:
        """Puts a mark behind a unit in the place of the one it has."""
        self.texts[unit] = self.texts[unit].rstrip(",;") + mark

    def _paren(self, bracket: Bracket, place: Place) -> None:
        if self.is_forced(bracket.open + 1, bracket.open + 1) or self.is_forced(bracket.close, bracket.close):
            self._lines([bracket.open + 1], deeper(place.indent))
            self._closed(bracket, place)

    def root(self) -> None:
        """Lays out a whole program."""
        self._statements(self.units.root, 0)

    def _statements(self, bracket: Bracket, indent: int) -> None:
        self._lines(bracket.starts, indent)
        self._align_assignments(bracket.starts)

    def _block(self, bracket: Bracket, place: Place) -> None:
        """The statements of a body, indented from the statement that it belongs to."""
        place.indent = place.base
        self._lambda(bracket, place)

    def _lambda(self, bracket: Bracket, place: Place) -> None:
        self._statements(bracket, deeper(place.indent))
        self._closed(bracket, place)

    def _case(self, bracket: Bracket, place: Place) -> None:
        self._block(bracket, place)
        indent = deeper(place.indent)
        start = bracket.starts[0] if bracket.starts else 0
        values = []
        for unit, mark in bracket.cuts:
            if mark == ",":
                values.append(unit)
                continue
            if indent + self._width(start, unit) > WIDTH - STEP:
                for value in values:
                    self.breaks[value] = Break(indent, indent)
            values = []
            start = self._behind_block(bracket, unit)

    def _behind_block(self, bracket: Bracket, unit: int) -> int:
        """The first unit of the option behind the one whose block begins at `unit`."""
        return min(self.units.brackets[unit].close + 1, bracket.close)

    # --- Resources

    def _attributes(self, bracket: Bracket, place: Place) -> None:
        self._list_of_attributes(bracket, bracket.items(), deeper(place.indent), ",", bracket.close)
        self._closed(bracket, place)

    def _list_of_attributes(
        self, bracket: Bracket, items: list[int], indent: int, ending: str, stop: int
    ) -> None:
        if items:
            self._lines(items, indent)
            self._end(stop - 1, ending)
            self._align(bracket, items)

    def _resource(self, bracket: Bracket, place: Place) -> None:
        """A title with its attributes, or several titles on lines of their own."""
        bodies = _bodies(bracket)
        self._closed(bracket, place)
        indent = deeper(place.indent)
        if len(bodies) == 1 and not self.units.commented(bracket.open + 1):
            self._list_of_attributes(bracket, bodies[0][1:], indent, ",", bracket.close)
            return
        self._lines([body[0] for body in bodies], indent)
        stops = [*(body[0] for body in bodies[1:]), bracket.close]
        short = len(bodies) > 1 and self._align_titles(bodies, stops, indent)
        for body, stop in zip(bodies, stops, strict=True):
            ending = ";" if len(bodies) > 1 else ","
            if short:
                self._end(stop - 1, ending)
            elif len(body) > 1:
                self._list_of_attributes(bracket, body[1:], deeper(indent), ending, stop)
            elif len(bodies) > 1:
                self._end(stop - 1, ";")

    def _align_titles(self, bodies: list[list[int]], stops: list[int], indent: int) -> bool:
        """Whether all bodies are on a line each; if so, puts their first attributes in one column."""
        columns, longest = {}, 0
        for body, stop in zip(bodies, stops, strict=True):
            if len(body) == 1 or any(unit in self.units.line_starts for unit in body[1:]):
                return False
            if self.is_forced(body[0] + 1, stop - 1):
                return False
            columns[body[1]] = self._width(body[0], body[1])
            longest = max(longest, self.widths[stop] - self.widths[body[1]])
        if indent + max(columns.values()) + longest > WIDTH:
            return False
        self._pad(columns)
        return True


_FORCED: dict[str, Callable[[Layout, Bracket], bool]] = {
    **dict.fromkeys(
        ("array", "access", "hash", "selector", "call", "method", "pipe", "paren"),
        Layout.is_open,
    ),
    "parameters": Layout._parameters_are_open,
    **dict.fromkeys(("block", "case"), Layout._block_is_open),
    "lambda": Layout._lambda_is_open,
    "resource": Layout._resource_is_open,
    "attributes": Layout._attributes_are_open,
}
_LAYOUTS: dict[str, Callable[[Layout, Bracket, Place], None]] = {
    **dict.fromkeys(
        ("array", "access", "hash", "selector", "call", "method", "parameters", "pipe"), Layout._list
    ),
    "paren": Layout._paren,
    "block": Layout._block,
    "lambda": Layout._lambda,
    "case": Layout._case,
    "resource": Layout._resource,
    "attributes": Layout._attributes,
}


def deeper(indent: int) -> int:
    """The indentation of what is inside."""
    return min(indent + STEP, DEEPEST)


def _bodies(bracket: Bracket) -> list[list[int]]:
    """The bodies of a resource: of each the unit of its title and those of its attributes."""
    bodies = [[bracket.open + 1]]
    for unit, mark in bracket.cuts:
        if mark == ";":
            if bodies[-1][-1] == unit:  # no attribute, but the next title
                bodies[-1].pop()
            bodies.append([unit])
        elif unit < bracket.close:
            bodies[-1].append(unit)
    return bodies[:-1] if bodies[-1] == [bracket.close] else bodies
