"""Running a cell again: what stands after it is evaluated again, in order, and compared with what it was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.catalog.export import line
from evaluator.session import remarks
from evaluator.session.cells import Cell, Outcome
from evaluator.session.evaluation import evaluate
from evaluator.session.explaining import explained
from evaluator.session.naming import attributed
from evaluator.session.program import Program
from evaluator.session.world import World


def follow(program: Program, before: list[Cell], later: Iterable[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Evaluates cells again after what a program holds, in silence; gives them anew, and those that differ now.

    before  cells that have been evaluated after those of the program
    One that no longer evaluates keeps its place and gives nothing but its error. Raises what stops it.
    """
    world, runtime = program.world, program.world.runtime
    again: list[Cell] = []
    different: list[Cell] = []
    receiver, runtime.on_log = runtime.on_log, None
    try:
        for old in later:
            cell = old.twin()
            try:
                evaluate(world, cell)
            except Exception as exception:
                assert cell.moment is not None
                cell.fail(attributed(explained(exception, runtime), program, [*before, *again], cell))
                world.drop(cell.moment)
            _compare(world, old, cell, different)
            again.append(cell)
    finally:
        runtime.on_log = receiver
    return again, different


def _compare(world: World, old: Cell, cell: Cell, different: list[Cell]) -> None:
    if shown(cell.outcome) != shown(old.outcome):
        different.append(cell)
    remarks.add(world, cell, lambda work, seconds: work())
    cell.settle()


def differing(before: Iterable[Cell], now: Iterable[Cell]) -> list[Cell]:
    """The cells that give something else than those that stood in their places."""
    former = {cell.rank: cell for cell in before}
    pairs = ((former.get(cell.rank), cell) for cell in now)
    return [
        cell
        for old, cell in pairs
        if old is not None and old is not cell and shown(old.outcome) != shown(cell.outcome)
    ]


def shown(outcome: Outcome) -> Any:
    """What a person sees of an outcome, but for the notes: value, type, log lines, change of the catalog, error.

    For comparison only: that another secret stands in the catalog is a change too.
    """
    change = outcome.change
    return (
        (outcome.text, outcome.type) if outcome.has_value else None,
        [(log.level, log.message) for log in outcome.logs],
        outcome.defined,
        [
            [line(resource, redact=False) for resource in change.added],
            [line(resource, redact=False) for resource in change.removed],
            [(line(before, redact=False), line(after, redact=False)) for before, after in change.changed],
            change.edges_added,
            change.edges_removed,
        ]
        if change
        else None,
        str(outcome.error) if outcome.error is not None else None,
    )
