"""Running a known cell again: what it provided is withdrawn, and what depends on it is evaluated after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.session.dependencies import Provided
from evaluator.session.explaining import explained

if TYPE_CHECKING:
    from evaluator.session.cells import Cell, Moment
    from evaluator.session.session import Session


def replace(session: Session, before: Moment, index: int, cell: Cell) -> Moment:
    """The moment in which `cell` takes the place of the cell at `index`.

    The cell goes to the end of the order, and the cells that depend on it go, in their order, after it. Raises
    what the cell raises; a dependent that no longer evaluates is withdrawn and says why.
    """
    old = before.cells[index]
    others, dependents = _split(before.cells[index + 1 :], old.provided)
    moment = replay(session, session.start_of(before, index), others)
    moment = session.extend(moment, cell)
    for dependent in dependents:
        moment = _again(session, moment, dependent, cell)
    return moment


def without(session: Session, before: Moment, gone: set[str]) -> Moment:
    """The moment in which the cells with these identities, and what depends on them, are gone."""
    index = min(i for i, cell in enumerate(before.cells) if cell.cell_id in gone)
    withdrawn = Provided()
    kept = []
    for cell in before.cells[index:]:
        if cell.cell_id in gone or (cell.mentions is not None and cell.mentions.depend_on(withdrawn)):
            withdrawn.add(cell.provided)
        else:
            kept.append(cell)
    return replay(session, session.start_of(before, index), kept)


def _split(cells: tuple[Cell, ...], changed: Provided) -> tuple[list[Cell], list[Cell]]:
    """Cells that do not depend on what changed, and those that do, directly or through each other."""
    others: list[Cell] = []
    dependents: list[Cell] = []
    affected = Provided(changed.variables, changed.words, changed.resources)
    for cell in cells:
        if cell.mentions is not None and cell.mentions.depend_on(affected):
            dependents.append(cell)
            affected.add(cell.provided)
        else:
            others.append(cell)
    return others, dependents


def replay(session: Session, moment: Moment, cells: list[Cell]) -> Moment:
    """Evaluates cells again without showing anything: their results are what they were."""
    for cell in cells:
        with session.silence():
            moment = session.extend(moment, session.twin(cell))
    return moment


def _again(session: Session, moment: Moment, dependent: Cell, cause: Cell) -> Moment:
    twin = session.twin(dependent)
    cause.outcome.updated.append(twin)
    try:
        with session.silence(twin):
            moment = session.extend(moment, twin)
        cause.outcome.notes.append(f"cell {dependent.number} depends on this one and was evaluated again")
    except KeyboardInterrupt:
        raise
    except Exception as exception:
        twin.outcome.error = explained(exception, session.runtime)
        cause.outcome.notes.append(
            f"cell {dependent.number} depends on this one and was withdrawn: {twin.outcome.error}"
        )
    return moment
