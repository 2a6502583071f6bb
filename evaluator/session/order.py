"""The order of inputs: each has its place where it first ran, be it code or a question about the program.

The place of an input stays its own while it holds something there: code that is part of the program, a question that
was answered. What has failed or was taken back runs again at the end, as a person means who has mended what it lacked;
but when all is run again it comes right after the same input as before, and then it has its former place.
"""

from __future__ import annotations

from collections.abc import Iterable


class Place:
    """The place of an input.

    rank   grows with the order;  seen  the rank of the last cell that was part of the program when it first ran
    holds  it is no code, and was answered there;  about  the rank of the cell that it was about, 0 for none
    """

    __slots__ = ("about", "holds", "rank", "seen")

    def __init__(self, rank: int, seen: int) -> None:
        self.rank = rank
        self.seen = seen
        self.holds = False
        self.about = 0


class Order:
    """The places of all inputs that have an identity."""

    __slots__ = ("_behind", "_count", "_last", "_places")

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        self._behind: dict[tuple[str, str], Place] = {}  # of an input that ran right after another one
        self._last = ""
        self._count = 0

    def enter(self, identity: str | None, holds: bool, seen: int) -> Place:
        """The place of an input that runs now.

        holds  it is a cell of the program;  seen  the rank of the program's last cell
        """
        identity = identity or ""
        place = self._places.get(identity)
        if place is None or not (holds or place.holds or identity == self._last):
            place = self._behind.get((identity, self._last))
        if place is None:
            self._count += 1
            place = Place(self._count, seen)
            if identity:
                self._behind[identity, self._last] = place
        if identity:
            self._places[identity] = place
        self._last = identity
        return place

    def find(self, identity: str | None) -> Place | None:
        """The place that an input has; None for one that has none."""
        return self._places.get(identity or "")

    def forget(self, identities: Iterable[str]) -> None:
        """Inputs are gone: should they come again, they are new."""
        gone = set(identities)
        self._places = {name: place for name, place in self._places.items() if name not in gone}
        self._behind = {names: place for names, place in self._behind.items() if names[0] not in gone}
