"""The cost of a cell is proportional to its changes, counted in operations instead of time."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from evaluator import Session, catalog
from evaluator.catalog import collectors, finalization, fixpoint, queries
from evaluator.catalog.fixpoint_result import FixedPoint
from evaluator.catalog.model import CatalogResource
from evaluator.catalog.queries import QueryTest, TagsOf
from evaluator.program import state
from evaluator.session import evaluation
from evaluator.session.program_state import Savepoint

Work = Counter[str]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Counts of operations: resources checked, tested and copied, entries of tables moved, cells parsed."""
    found: Work = Counter()

    def count(owner: Any, name: str, weight: Callable[..., int] = lambda *arguments: 1) -> None:
        original = getattr(owner, name)

        def count_and_call(*arguments: Any, **named: Any) -> Any:
            found[name] += weight(*arguments)
            return original(*arguments, **named)

        monkeypatch.setattr(owner, name, count_and_call)

    count(fixpoint, "check_resources", len)
    count(catalog, "compute_fixed_point")
    compile_query = queries.compile_query

    def compile_counting_query(*arguments: Any) -> QueryTest:
        test = compile_query(*arguments)

        def count_and_test(resource: CatalogResource, tags_of: TagsOf) -> bool:
            found["tests"] += 1
            return test(resource, tags_of)

        return count_and_test

    monkeypatch.setattr(collectors, "compile_query", compile_counting_query)
    count(CatalogResource, "copy")
    count(state, "_extend", lambda table, part: len(part))
    for function_name in ("_remove_end", "_discard_end"):
        count(state, function_name, lambda table, length: len(table) - length)
    count(evaluation, "parse_text")
    assert finalization.check_resources is not vars(fixpoint)["check_resources"]
    return found


def measure_work(session: Session, work: Work, *cells: str) -> Work:
    """Run cells and return the counts of their operations."""
    session.catalog()
    work.clear()
    for cell in cells:
        outcome = session.run(cell)
        assert outcome.error is None, outcome.error
    return Counter({name: count for name, count in work.items() if count})


def make_large_session(
    resources: int = 0, cells: int = 0, collectors: int = 0, interactive: bool = True
) -> Session:
    session = Session("puppet", interactive=interactive)
    for number in range(cells):
        session.run(f"$v{number} = {number}" if number % 2 else f"notify {{ 'cell {number}': }}")
    session.run(f'Integer[1, {resources}].each |$i| {{ notify {{ "n${{i}}": }} }}')
    for number in range(collectors):
        session.run(f"Notify <| title == 'n{number}' |> {{ message => 'x' }}")
    return session


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("text", ["1 + 1", "notice('x')", "[1, 2].map |$x| { $x }"])
def test_a_cell_that_changes_nothing_costs_only_its_parse(text: str, interactive: bool, work: Work) -> None:
    session = make_large_session(500, 100, 10, interactive)
    assert set(measure_work(session, work, text)) <= {"parse_text"}


@pytest.mark.parametrize("size", [10, 1000])
def test_the_cost_of_a_variable_is_constant(size: int, work: Work) -> None:
    costs = measure_work(make_large_session(size, size // 10, interactive=False), work, "$new = 1")
    assert costs == {"parse_text": 1, "_extend": 1}


@pytest.mark.parametrize("size", [10, 1000])
def test_the_cost_of_a_resource_is_constant(size: int, work: Work) -> None:
    costs = measure_work(make_large_session(size, size // 10, interactive=False), work, "notify { 'new': }")
    assert costs == {"parse_text": 1, "_extend": 1, "check_resources": 1}


@pytest.mark.parametrize("size", [10, 1000])
def test_the_cost_of_an_arrow_is_constant(size: int, work: Work) -> None:
    costs = measure_work(
        make_large_session(size, interactive=False), work, "Notify['n1'] -> notify { 'new': }"
    )
    assert (costs["copy"], costs["check_resources"], costs["compute_fixed_point"]) == (1, 2, 0)


def test_collectors_test_only_new_resources_of_their_type(work: Work) -> None:
    session = make_large_session(300, collectors=5, interactive=False)
    assert measure_work(session, work, "notify { 'new': }")["tests"] == 5
    assert measure_work(session, work, "file { '/new': }")["tests"] == 0
    assert measure_work(session, work, "Notify <| title == 'n7' |> { message => 'y' }")["tests"] < 2 * 6 * 302
    assert measure_work(session, work, "File <| title == '/new' |> { mode => '0600' }")["tests"] < 2 * (
        6 * 302 + 1
    )


def test_the_cost_of_undo_follows_the_cell(work: Work) -> None:
    session = make_large_session(500, 100)
    session.run("notify { 'new': } $new = 1")
    work.clear()
    assert session.undo()
    assert work["_remove_end"] + work["_discard_end"] <= 2 * 3  # for the cell, and for its fixed point
    session.catalog()
    assert not work["compute_fixed_point"]
    work.clear()
    assert session.redo()
    session.catalog()
    assert work["_extend"] <= 2 * 3 and not work["compute_fixed_point"]


def test_the_cost_of_a_failed_cell_follows_its_work(work: Work) -> None:
    session = make_large_session(500, 100, interactive=False)
    work.clear()
    assert session.run("notify { 'new': } fail('no')").error is not None
    assert work["_remove_end"] + work["_discard_end"] == 1 and not work["compute_fixed_point"]


def test_run_all_evaluates_no_unchanged_cell(work: Work) -> None:
    session = Session("puppet", interactive=True)
    texts = {str(number): f"notify {{ 'n{number}': }}" for number in range(50)}
    for name, text in texts.items():
        session.run(text, name)
    work.clear()
    for name, text in texts.items():
        assert session.run(text, name).error is None
    assert not work["parse_text"]


def count_objects(kind: type) -> int:
    gc.collect()
    return sum(isinstance(one, kind) for one in gc.get_objects())


@pytest.mark.parametrize("text", ["notify { 'a': message => \"${x}\" }", "$time = Timestamp()"])
def test_the_entries_of_old_edits_are_freed(text: str) -> None:
    session = Session("puppet", interactive=True)
    session.run("$x = 0", "above")
    session.run(text, "below")
    numbers = []
    for number in range(1, 101):
        session.run(f"$x = {number}", "above")
        if number in (50, 100):
            numbers.append(count_objects(Savepoint))
    assert numbers[0] == numbers[1]


def test_superseded_fixed_points_are_freed(work: Work) -> None:
    session = Session("puppet", interactive=True)
    session.run(
        """
        define d() { Integer[1, 40].each |$i| { notify { "n${i}": message => "${getvar("v${i}")}" } } }
        d { 'a': }
        """
    )
    before = count_objects(FixedPoint)
    work.clear()
    for number in range(1, 21):
        session.run(f"$v{number} = {number}")
    assert work["compute_fixed_point"] == 20
    assert count_objects(FixedPoint) <= before + 4


def test_a_dropped_session_is_freed_without_a_garbage_collection() -> None:
    session = Session("puppet", interactive=True)
    session.on_log = print
    session.run("define d() { notify { $title: } } d { 'a': } $x = [1].map |$i| { $i }")
    session.undo()
    reference = weakref.ref(session)
    gc.disable()
    try:
        del session
        assert reference() is None
    finally:
        gc.enable()
