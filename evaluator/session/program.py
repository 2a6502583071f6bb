"""The cells of a session in their order, and the way back and forth between what they have been."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

from evaluator.program.state import Tail
from evaluator.session.cells import Cell
from evaluator.session.world import Moment, World


class Branch:
    """Cells taken off the end of a program, with what they had made."""

    __slots__ = ("cells", "tail")

    def __init__(self, cells: list[Cell], tail: Tail | None = None) -> None:
        self.cells = cells
        self.tail = tail


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

    def undo(self) -> Cell | None:
        """Takes back the last exchange; gives the cell that it was about, None when there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> Cell | None:
        """Makes the exchange again that was taken back last; gives its cell, None when there is none."""
        return self._step(self._future, self._past)

    def _step(self, source: list[tuple[int, Branch]], target: list[tuple[int, Branch]]) -> Cell | None:
        if not source:
            return None
        index, branch = source.pop()
        former = self.take_off(index)
        target.append((index, former))
        self.put_on(branch)
        newer, older = (former, branch) if target is self._future else (branch, former)
        return next(iter(newer.cells or older.cells), None)
