"""The stages of a notebook: from an input that sets facts, node or the like to the next, settings are the same.

The program that a person has is that of the last stage: all cells ran with its settings. What stands in an earlier
stage is shown as it is there when it runs again, in a session with the settings of that stage, which is made only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

from evaluator import Session
from evaluator.session.cells import Cell, Outcome
from evaluator.session.order import SETS, Place

NOWHERE = float("inf")

Open = Callable[[dict[str, Any]], Session]


class Stage:
    """A part of the notebook.

    since     the rank of the input that it begins with;  changed  the settings that this input gave
    settings  the keyword arguments of a Session in this stage;  session  one with them, or None while nobody asks
    """

    __slots__ = ("changed", "session", "settings", "since")

    def __init__(
        self, since: int, changed: dict[str, Any], settings: dict[str, Any], session: Session | None = None
    ) -> None:
        self.since = since
        self.changed = changed
        self.settings = settings
        self.session = session


class Stages:
    """All stages in order, and session and settings of the one in which an input runs.

    make  makes a session with settings
    """

    def __init__(self, settings: dict[str, Any], make: Open) -> None:
        self._make = make
        self.session = make(settings)
        self.settings = settings
        self._all = [Stage(0, {}, settings, self.session)]
        self._did: list[Cell | str] = []  # by the running input when it ran before
        self._begun = 0  # the rank of the running input, once it has begun a stage
        self._given: dict[str, Any] = {}  # what was set last

    @property
    def _last(self) -> Session:
        session = self._all[-1].session
        assert session is not None
        return session

    def enter(self, cell_id: str | None) -> Place:
        """The place of an input that runs now."""
        self._begun = 0
        place = self._last.enter(cell_id)
        self._did, place.did = place.did, []
        return place

    def leave(self, place: Place) -> None:
        """The input at a place has not happened: what it did before is what it did last."""
        place.did = self._did

    def reset(self, place: Place) -> None:
        """The program begins anew with the input at a place; what was set stays set, from its place on."""
        last, order = self._last, self._last.order
        last.reset()
        last.order = order
        ranks = order.begin_anew(place, [stage.since for stage in self._all[1:]])
        for stage in self._all:
            stage.since = ranks.get(stage.since, 0)
            stage.session = last if stage is self._all[-1] else None

    def amend(self, **changed: Any) -> None:
        """Sets something from now on that needs no other session."""
        last = self._all[-1]
        self.settings = {**last.settings, **changed}
        self._all[-1] = Stage(last.since, {**last.changed, **changed}, self.settings, last.session)

    # --- in a place

    @contextmanager
    def seen_from(self, place: Place) -> Iterator[list[Cell]]:
        """While it lasts, session and settings are those at a place; gives the cells that change with what is set.

        A session that takes the place of the one there, see `turn`, begins a new stage.
        """
        index = self._before(place.rank)
        stage, updated = self._all[index], list[Cell]()
        session = self._session(index)
        self.session, self.settings = session, stage.settings
        try:
            with session.until(place.seen):
                yield updated
            if self.session is not session:
                own = stage.changed if stage.since == place.rank else {}
                begun = Stage(place.rank, {**own, **self._given}, self.settings, self.session)
                updated += self._exchange(place.rank, begun)
                self._begun = place.rank
                place.did.append(SETS)
        finally:
            self.session, self.settings = self._last, self._all[-1].settings

    def turn(self, changed: dict[str, Any], session: Session) -> None:
        """There are other settings from this place on, with a session in which what stands before it ran."""
        self.session, self.settings = session, {**self.settings, **changed}
        self._given = changed

    def close(self, place: Place) -> list[Cell]:
        """An input has run; when it sets nothing any more, its stage ends. Gives the cells that change with that."""
        return [] if place.rank == self._begun else self._end(place)

    def _end(self, place: Place) -> list[Cell]:
        if all(stage.since != place.rank for stage in self._all):
            return []
        updated = self._exchange(place.rank, None)
        self.session, self.settings = self._last, self._all[-1].settings
        return updated

    def run(self, place: Place, work: Callable[[Session], Outcome]) -> Outcome:
        """Runs code in its stage, and without a word in the last one; the outcome tells of the cells of both."""
        index = max(number for number, stage in enumerate(self._all) if stage.since <= place.rank)
        before = self._last.cells if index < len(self._all) - 1 else []
        outcome = work(self._session(index))
        if outcome.error is not None or index == len(self._all) - 1:
            return outcome
        stage, since = self._all[index], self._all[index + 1].since
        assert stage.session is not None
        self._last.step = None
        found = self._last.become([*stage.session.cells, *self._cells(since)])
        updated = [cell for cell in found.updated if cell.rank >= self._all[-1].since]
        if not updated:
            return outcome
        end = self._last.order.reach(place.rank, all(cell.rank != place.rank for cell in before))
        return outcome.told([*outcome.updated, *updated], [cell for cell in updated if cell.rank < end])

    def home(self, cell_id: str | None) -> Session:
        """The session in which a cell is shown."""
        place = self._last.order.find(cell_id)
        since = [stage for stage in self._all if place is None or stage.since <= place.rank]
        return since[-1].session or self._last

    def forget(self, cell_ids: Sequence[str]) -> list[Cell]:
        """Withdraws inputs; gives the cells of the last stage that change with that. Raises what stops it."""
        places = [self._last.order.find(cell_id) for cell_id in cell_ids]
        updated = [cell for place in places if place is not None for cell in self._end(place)]
        return [*updated, *self._last.forget(cell_ids).updated]

    # --- what a person sees of the program may become old

    def now(self) -> tuple[Session, list[Cell]]:
        """The program of this moment; see `changed`."""
        return self._last, self._last.cells

    def changed(self, since: tuple[Session, list[Cell]], place: Place) -> float:
        """The first rank from which on the program is no more what it was, before the input at a place ran."""
        session, cells = since
        if session is not self._last:
            return place.rank
        now = self._last.cells
        if now[: len(cells)] == cells:
            return now[len(cells)].rank if len(now) > len(cells) else NOWHERE
        pairs = zip_longest(cells, now)
        return min(cell.rank for cell in next(pair for pair in pairs if pair[0] is not pair[1]) if cell)

    # --- sessions

    def _before(self, rank: int) -> int:
        """Which stage an input stands in; one that begins a stage stands in the one before."""
        ranks = [
            stage.since for stage in self._all if stage.since < rank or rank == stage.since == self._begun
        ]
        return len(ranks) - 1

    def _session(self, index: int) -> Session:
        """The session of a stage, with the cells that stand up to its end."""
        stage, last = self._all[index], self._last
        if stage.session is None:
            stage.session = self._make(stage.settings)
            stage.session.order = last.order
        if stage.session is not last:
            stage.session.become(self._cells(0, self._all[index + 1].since))
        return stage.session

    def _cells(self, since: int, until: int | None = None) -> list[Cell]:
        """The cells of the last stage from one rank on, up to another one."""
        return [
            cell for cell in self._last.cells if since <= cell.rank and (until is None or cell.rank < until)
        ]

    def _exchange(self, rank: int, stage: Stage | None) -> list[Cell]:
        """Puts a stage where the one was that the same input began, or none; gives the cells of the last that change.

        What follows gets its settings anew. Raises what stops it, and then nothing has changed.
        """
        former = self._last
        stages = [known for known in self._all if known.since < rank] + ([] if stage is None else [stage])
        for later in self._all:
            if later.since > rank:
                settings = {**stages[-1].settings, **later.changed}
                stages.append(Stage(later.since, later.changed, settings))
        last = stages[-1]
        session = last.session or self._make(last.settings)
        found = session.become(former.cells)
        last.session = session
        for known in stages:
            if known is not last and known.session is former:
                known.session = None
            if known.session is not None:
                known.session.order = former.order
        self._all = stages
        return [cell for cell in found.updated if cell.rank >= last.since]
