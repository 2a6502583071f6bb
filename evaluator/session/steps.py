"""Steps back and forth: what was done last is taken back, and what was taken back last is done again.

Who types a step means what was done last, an edit of a cell far above, say. A step that stands in a notebook, with
others below it or run once more, is part of it: it takes back what the inputs above it give when they run in order, or
gives that again, however often all is run and whatever was done in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from evaluator.session.cells import Cell, Outcome
from evaluator.session.order import REDO, UNDO, Order, Place
from evaluator.session.program import Program
from evaluator.session.worker import Supervisor


class Stepping:
    """The part of a session that steps back and forth.

    step  the cell that was changed last; None when what ran last changed nothing
    """

    step: Cell | None
    order: Order
    _program: Program
    guard: Callable[[], Supervisor]
    become: Callable[[Iterable[Cell]], Outcome]

    def undo(self, place: Place | None = None) -> bool:
        """Takes back what was run last; false when there is nothing to take back.

        place  of the input that says so, where that is known
        """
        return self._take(UNDO, place)

    def redo(self, place: Place | None = None) -> bool:
        """Brings back what was taken back last; false when there is nothing. As with `undo`."""
        return self._take(REDO, place)

    def _take(self, step: str, place: Place | None) -> bool:
        with self.guard():
            if place is None:
                self.step = self._program.step(step)
            elif place.typed:
                self.step = self._program.step(step)
                # what stood where the step stands now is no step further
                while self.step is not None and any(cell.rank == place.rank for cell in self._program.cells):
                    self.step = self._program.step(step)
                place.did.append(step)
            else:
                done, undone = self.order.history(place, self._program.cells)
                standing = {one.rank for one in self._program.cells if one.source}
                given = [one for one in done if one.rank in standing] if step == UNDO else undone
                cell = given[-1] if given else None
                if cell is not None:
                    self._set(cell, stands=step == REDO)
                self.step = cell
                place.did.append(step)
            return self.step is not None

    def _set(self, cell: Cell, stands: bool) -> None:
        """Makes a cell part of the program or not, in its place. Raises what stops it: nothing has changed then."""
        known = self._program.cells
        others = [one for one in known if one.rank != cell.rank]
        if stands == any(one.rank == cell.rank and one.source for one in known):
            return
        wanted = sorted([*others, cell], key=lambda one: one.rank) if stands else others
        if not self._program.step_to(wanted):
            self.become(wanted)
            self._program.set_aside()

    def restore(self, cells: list[Cell]) -> None:
        """Makes the program what it was a step before. Raises what stops it."""
        if not self._program.step_to(cells):
            self.become(cells)
