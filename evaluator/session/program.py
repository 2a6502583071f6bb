"""The cells of a session in their order, and the way back and forth between what they have been."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

from evaluator.program.state import StateDelta
from evaluator.session.cells import Cell
from evaluator.session.order import UNDO
from evaluator.session.world import Moment, World


class Branch:
    """Cells taken off the end of a program, with what they had made.

    aside  they did not give way to what has run: that was a step of its own kind, see `steps`
    """

    __slots__ = ("aside", "cells", "tail")

    def __init__(self, cells: list[Cell], tail: StateDelta | None = None) -> None:
        self.cells = cells
        self.tail = tail
        self.aside = False


class Program:
    """Cells in order, and the world that they have made.

    A step back or forth exchanges the cells from a place on for others, with what each of them had made: it costs what
    they changed, and nothing is evaluated.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.cells: list[Cell] = []
        self.ailing: dict[int, Cell] = {}  # those that failed and may come back by themselves, by their ranks
        self._places: dict[str, int] = {}
        self._past: list[tuple[int, Branch]] = []
        self._future: list[tuple[int, Branch]] = []

    def find(self, cell_id: str | None) -> Cell | None:
        """The cell of an identity; None when there is none."""
        place = self._places.get(cell_id or "")
        return None if place is None else self.cells[place]

    def index(self, rank: int) -> int:
        """Where the cell of a rank stands, or where a new one would."""
        if not self.cells or self.cells[-1].rank < rank:
            return len(self.cells)
        return bisect_left(self.cells, rank, key=lambda cell: cell.rank)

    def shared(self, cells: list[Cell]) -> int:
        """How many cells are, from the beginning on, what others are; they are called by the same numbers then."""
        count = 0
        for cell, other in zip(self.cells, cells, strict=False):
            if (cell.rank, cell.source, cell.name) != (other.rank, other.source, other.name):
                break
            cell.call(other.number)
            count += 1
        return count

    def moment(self, index: int) -> Moment:
        """The moment before the cell at a place; now, where there is none. Raises what settling raises."""
        found = self.cells[index].moment if index < len(self.cells) else self.world.moment()
        assert found is not None
        return found

    @property
    def rank(self) -> int:
        """That of the last cell; 0 when there is none."""
        return self.cells[-1].rank if self.cells else 0

    @contextmanager
    def until(self, rank: int) -> Iterator[None]:
        """While it lasts, the program is what stands up to a rank. Raises what settling raises."""
        index = self.index(rank + 1)
        later = self.cells[index:]
        if not later:
            yield
            return
        assert later[0].moment is not None
        self.world.settled()
        with self.world.aside(later[0].moment):
            self._drop(index)
            try:
                yield
            finally:
                self._add(later)

    def _add(self, cells: list[Cell]) -> None:
        places = enumerate(cells, len(self.cells))
        self._places |= {cell.cell_id: place for place, cell in places if cell.cell_id}
        self.cells += cells
        self.ailing |= {cell.rank: cell for cell in cells if cell.may_come_back}

    def take_off(self, index: int) -> Branch:
        """Takes off the cells from a place on."""
        cells = self.cells[index:]
        if not cells:
            return Branch(cells)
        assert cells[0].moment is not None
        branch = Branch(cells, self.world.cut(cells[0].moment))
        self._drop(index)
        return branch

    def _drop(self, index: int) -> None:
        for cell in self.cells[index:]:
            self._places.pop(cell.cell_id or "", None)
            self.ailing.pop(cell.rank, None)
        del self.cells[index:]

    def put_on(self, branch: Branch) -> None:
        """Puts back the cells that were taken off here."""
        self.world.enter()
        if branch.tail is not None:
            self.world.put_back(branch.tail)
        self._add(branch.cells)

    def exchange(self, former: Branch, cells: list[Cell]) -> None:
        """The cells that were taken off give way to others, which have been evaluated here; this can be taken back."""
        self._past.append((len(self.cells), former))
        self._future.clear()
        self._add(cells)

    def step(self, step: str) -> Cell | None:
        """Takes back the last exchange, or makes the one again that was taken back last.

        Gives the cell that it was about, None when there is none.
        """
        source, target = (self._past, self._future) if step == UNDO else (self._future, self._past)
        if source and source[-1][1].aside:
            self._straighten()
        return self._step(source, target)

    def step_to(self, cells: list[Cell]) -> bool:
        """Makes the step, back or forth, after which the program is that of these cells; false when there is none."""
        wanted = [(cell.rank, cell.source, cell.name) for cell in cells if cell.source]
        for source, target in ((self._past, self._future), (self._future, self._past)):
            index, branch = source[-1] if source else (0, Branch([]))
            found = (*self.cells[:index], *branch.cells)
            if source and wanted == [(cell.rank, cell.source, cell.name) for cell in found if cell.source]:
                self._step(source, target)
                return True
        return False

    def set_aside(self) -> None:
        """The last exchange was a step; the way back does not lead over what it took from the program."""
        if self._past:
            self._past[-1][1].aside = bool(self._past[-1][1].cells)

    def _straighten(self) -> None:
        """From now on the way back is that of cells which have run in their order, once each."""
        self._past[:] = [(index, Branch([])) for index, cell in enumerate(self.cells) if cell.source]
        self._future.clear()

    def _step(self, source: list[tuple[int, Branch]], target: list[tuple[int, Branch]]) -> Cell | None:
        if not source:
            return None
        index, branch = source.pop()
        former = self.take_off(index)
        former.aside = branch.aside
        target.append((index, former))
        self.put_on(branch)
        newer, older = (former, branch) if target is self._future else (branch, former)
        return next(iter(newer.cells or older.cells), None)
