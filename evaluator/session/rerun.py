"""Running a cell again: what stands after it is evaluated again, in order, and compared with what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from evaluator.catalog.export import format_resource
from evaluator.program import stat_cache
from evaluator.running.runtime import Runtime
from evaluator.session import remarks
from evaluator.session.cells import Cell, Outcome
from evaluator.session.evaluation import evaluate
from evaluator.session.explaining import explained
from evaluator.session.naming import attributed
from evaluator.session.program import Branch, Program
from evaluator.session.unchanged import same_data
from evaluator.session.world import World

Followed = tuple[list[Cell], list[Cell]]  # cells that were evaluated again, and those that differ now
Run = Callable[[Callable[[], Any]], Any]


def follow(program: Program, before: list[Cell], later: Iterable[Cell]) -> Followed:
    """Evaluates cells again after what a program holds, in silence; gives them anew, and those that differ now.

    before  cells that have been evaluated after those of the program
    One that no longer evaluates keeps its place and gives nothing but its error; where that may be a fault of the
    machine, which passes, it is evaluated once more. Raises what stops it.
    """
    world = program.world
    again: list[Cell] = []
    different: list[Cell] = []
    with _in_silence(world.runtime):
        for old in later:
            cell = _evaluated(program, [*before, *again], old)
            if cell.may_come_back and old.outcome.error is None:
                stat_cache.invalidate()
                cell = _evaluated(program, [*before, *again], old)
            _compare(world, old, cell, different)
            again.append(cell)
    return again, different


def renew(program: Program, index: int, wanted: list[Cell], run: Run) -> Followed:
    """Evaluates cells in place of those from a place on; this can be taken back. Gives what `follow` gives.

    run  calls a function where it is limited and can be stopped. Raises what stops it, and then nothing has changed.
    """
    runtime = program.world.runtime
    manner, moment = runtime.transient_state, program.moment(index)
    former = program.take_off(index)
    try:
        again, different = run(lambda: follow(program, [], wanted))
    except BaseException:
        runtime.transient_state = manner
        program.world.drop(moment)
        program.put_on(former)
        raise
    for cell in again:
        cell.manner = runtime.settings
    if former.cells:
        program.exchange(former, again)
    else:
        for cell in again:
            program.exchange(Branch([]), [cell])
    return again, different


def recover(program: Program, rank: int, run: Run) -> Followed:
    """Cells before a rank that failed come back, with what stands after them, when the cause is mended by now.

    As with `renew`.
    """
    index = run(lambda: _recovered(program, rank))
    return ([], []) if index is None else renew(program, index, program.cells[index:], run)


def _recovered(program: Program, rank: int) -> int | None:
    """Where the first cell before a rank stands that may come back and evaluates now. The program stays as it is."""
    for known, cell in sorted(program.ailing.items()):
        if known < rank:
            with _in_silence(program.world.runtime), program.until(known - 1):
                if _evaluated(program, [], cell).outcome.error is None:
                    return program.index(known)
    return None


def _evaluated(program: Program, since: list[Cell], old: Cell) -> Cell:
    """A cell anew after those of a program and others; or it has its error, and nothing is there of it."""
    world, cell = program.world, old.twin()
    try:
        evaluate(world, cell)
    except Exception as exception:
        assert cell.moment is not None
        cell.fail(attributed(explained(exception, world.runtime), program, since, cell))
        world.drop(cell.moment)
    return cell


@contextmanager
def _in_silence(runtime: Runtime) -> Iterator[None]:
    """While it lasts, nobody is told the log lines."""
    receiver, runtime.on_log = runtime.on_log, None
    try:
        yield
    finally:
        runtime.on_log = receiver


def _compare(world: World, old: Cell, cell: Cell, different: list[Cell]) -> None:
    if differ(old.outcome, cell.outcome):
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
        if old is not None and old is not cell and differ(old.outcome, cell.outcome)
    ]


def differ(one: Outcome, other: Outcome) -> bool:
    """Whether a person sees something else of an outcome than of another one."""
    same = same_data(one.value, other.value) if one.has_value and other.has_value else None
    return same is False or shown(one, same is None) != shown(other, same is None)


def shown(outcome: Outcome, valued: bool = True) -> Any:
    """What a person sees of an outcome, but for the notes: value, type, log lines, change of the catalog, error.

    valued  with what is seen of the value
    For comparison only: that another secret stands in the catalog is a change too.
    """
    change = outcome.change
    return (
        (outcome.text, outcome.type) if valued and outcome.has_value else None,
        [(log.level, log.message) for log in outcome.logs],
        outcome.defined,
        [
            [format_resource(resource, redact=False) for resource in change.added],
            [format_resource(resource, redact=False) for resource in change.removed],
            [
                (format_resource(before, redact=False), format_resource(after, redact=False))
                for before, after in change.changed
            ],
            change.edges_added,
            change.edges_removed,
        ]
        if change
        else None,
        str(outcome.error) if outcome.error is not None else None,
    )
