"""The cells of a session in their order, and the way back and forth between what they have been."""

from __future__ import annotations

from evaluator.program.state import Tail
from evaluator.session.cells import Cell
from evaluator.session.world import World


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
        self._places: dict[str, int] = {}
        self._past: list[tuple[int, Branch]] = []
        self._future: list[tuple[int, Branch]] = []

    def place(self, cell_id: str | None) -> int:
        """Where the cell of an identity stands, or where a new one would."""
        return self._places.get(cell_id or "", len(self.cells))

    def _add(self, cells: list[Cell]) -> None:
        places = enumerate(cells, len(self.cells))
        self._places |= {cell.cell_id: place for place, cell in places if cell.cell_id}
        self.cells += cells

    def take_off(self, index: int) -> Branch:
        """Takes off the cells from a place on."""
        cells = self.cells[index:]
        if not cells:
            return Branch(cells)
        assert cells[0].moment is not None
        branch = Branch(cells, self.world.cut(cells[0].moment))
        del self.cells[index:]
        for cell in cells:
            self._places.pop(cell.cell_id or "", None)
        return branch

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

    def undo(self) -> bool:
        """Takes back the last exchange; false when there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> bool:
        """Makes the exchange again that was taken back last; false when there is none."""
        return self._step(self._future, self._past)

    def _step(self, source: list[tuple[int, Branch]], target: list[tuple[int, Branch]]) -> bool:
        if not source:
            return False
        index, branch = source.pop()
        target.append((index, self.take_off(index)))
        self.put_on(branch)
        return True
