"""The order of inputs: each has its place where it first ran, be it code or a question about the program.

The place of an input stays its own once it held something there: code that was part of the program, a question that
was answered. What has failed runs again at the end, as a person means who has mended what it lacked; but when all is
run again it comes right after the same input as before, and then it has its former place.

When all begins anew, places are given anew, in the order in which inputs run again; but what stood above the input
that said so stays above it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.session.cells import Cell

UNDO, REDO = "undo", "redo"
SETS = "sets"
_ROOM = 1 << 40  # ranks between two inputs that stay where they are when all begins anew


class Place:
    """The place of an input.

    rank   grows with the order;  seen  the rank of the last cell that it sees when it is a question
    holds  it held something there
    did    what its input did to the program when it ran last, in order: a cell that it gave, UNDO, REDO or SETS
    typed  its input ran as the last of all when it was new, or is a step that runs once more right away
    """

    __slots__ = ("did", "holds", "rank", "seen", "typed")

    def __init__(self, rank: int, seen: int) -> None:
        self.rank = rank
        self.seen = min(seen, rank - 1)
        self.holds = False
        self.did: list[Cell | str] = []
        self.typed = False

    @property
    def steps(self) -> bool:
        """Whether its input took a step back or forth."""
        return UNDO in self.did or REDO in self.did

    def give(self, cell: Cell | None) -> None:
        """This is the cell that its input gives now, if any."""
        self.did = [*(one for one in self.did if isinstance(one, str)), *([] if cell is None else [cell])]


class Order:
    """The places of all inputs that have an identity.

    begun  the rank of the input with which all began anew last, 0 while there is none
    """

    __slots__ = ("_behind", "_last", "_parts", "_places", "_ranks", "begun")

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        self._behind: dict[tuple[str, str], Place] = {}  # of an input that ran right after another one
        self._last = ""
        self._ranks = [0]  # the last one given in each part
        self._parts: dict[str, int] = {}  # of inputs that have no place since all began anew
        self.begun = 0

    def enter(self, identity: str | None, seen: int) -> Place:
        """The place of an input that runs now.

        seen  the rank of the program's last cell
        """
        identity = identity or ""
        place = self._places.get(identity)
        if place is None or not (place.holds or identity == self._last):
            place = self._behind.get((identity, self._last))
        if place is not None:
            place.typed = identity == self._last and place.steps
            if place.rank == self.begun:
                self.begun = 0  # unless all begins anew with it once more
        else:
            part = self._parts.get(identity, len(self._ranks) - 1)
            self._ranks[part] += 1
            place = Place(self._ranks[part], seen)
            place.typed = part == len(self._ranks) - 1
            if identity:
                self._behind[identity, self._last] = place
        if identity:
            self._places[identity] = place
        self._last = identity
        return place

    def keep(self, place: Place, anew: bool) -> None:
        """The code at a place is part of the program now, as it was before or anew; what stands behind it sees it."""
        if anew and place.rank < self._ranks[-1]:
            for other in self._places.values():
                if other.seen < place.rank < other.rank:
                    other.seen = place.rank
        place.holds = True

    def history(self, place: Place, cells: Iterable[Cell]) -> tuple[list[Cell], list[Cell]]:
        """What the inputs above a place give when they run in order, and what of it steps have taken back there.

        cells  those of the program: of an input without an identity nothing else is known
        """
        since = self.begun if self.begun < place.rank else 0
        # the input with which all begins anew may give something as well, or say that no longer
        above = [one for one in self._places.values() if since <= one.rank < place.rank]
        did: list[tuple[int, Iterable[Cell | str]]] = [(one.rank, one.did) for one in (*above, place)]
        did += [(one.rank, [one]) for one in cells if not one.cell_id and since <= one.rank < place.rank]
        done: list[Cell] = []
        undone: list[Cell] = []
        for deed in (deed for _, deeds in sorted(did, key=lambda known: known[0]) for deed in deeds):
            if not isinstance(deed, str):
                done.append(deed)
            if deed == UNDO and done:
                undone.append(done.pop())
            elif deed == REDO and undone:
                done.append(undone.pop())
            elif deed not in (UNDO, REDO):
                undone.clear()
        return done, undone

    def find(self, identity: str | None) -> Place | None:
        """The place that an input has; None for one that has none."""
        return self._places.get(identity or "")

    def forget(self, identities: Iterable[str]) -> None:
        """Inputs are gone: should they come again, they are new."""
        gone = set(identities)
        self._places = {name: place for name, place in self._places.items() if name not in gone}
        self._behind = {names: place for names, place in self._behind.items() if names[0] not in gone}

    def reach(self, rank: int, back: bool) -> float:
        """The rank up to which cells are spoken of that change with the one of a rank.

        back  it has come back: a step below it takes it back once more when all is run again
        Likewise all begins anew there with the input with which it has.
        """
        ends = [place.rank for place in self._places.values() if place.steps] if back else []
        return min((end for end in (*ends, self.begun) if end > rank), default=inf)

    def begin_anew(self, place: Place, others: Iterable[int]) -> dict[int, int]:
        """All begins anew with the input at a place: only this one, and others, stay where they are.

        others  their ranks. Gives the ranks that these inputs have from now on, by those that they had.
        """
        bounds = sorted({place.rank, *others})
        ranks = {bound: number * _ROOM for number, bound in enumerate(bounds, 1)}
        # an input that has not run since the last time stands behind what has
        stood = {name: (part + 1) * _ROOM - 1 for name, part in self._parts.items()}
        stood |= {name: known.rank for name, known in self._places.items()}
        stay = {name: known for name, known in self._places.items() if known.rank in ranks}
        self._parts = {name: bisect_left(bounds, rank) for name, rank in stood.items() if name not in stay}
        self._places = stay
        self._behind.clear()
        for known in {place, *stay.values()}:
            known.rank = ranks[known.rank]
            known.seen = known.rank - 1
            known.give(None)
        self._ranks = [0, *ranks.values()]
        self.begun = place.rank
        return ranks
