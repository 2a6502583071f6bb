"""A session: cells happen whole or not at all, can be taken back, run again and forgotten."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session
from tests.reliability.test_interrupts import MOST_SECONDS, run_interrupted

PROGRAM = """\
$port = 8080
function double(Integer $n) >> Integer { $n * 2 }
class web($port = 80) { notify { "web ${port}": } }
define site() { notify { "site ${title}": require => Class['web'] } }
class { 'web': port => double($port) }
site { ['a', 'b']: }
Notify['site a'] -> Notify['site b']
Notify <| title == 'site b' |> { message => 'last' }
notify { 'done': message => "on ${port}" }
"""
STATEMENTS = PROGRAM.splitlines()

FAILING = [
    "1 +",
    "$fresh = 1 $x = 1 + 'a'",
    "notify { 'kept?': } fail('no')",
    "class extra { } include extra include nosuch",
    "function g() { 1 } notify { 'done': }",
    "define late() { fail('late') } late { 'x': }",
    "Notify['nowhere'] { message => 'x' } fail('stop')",
]


def digest(session: Session) -> str:
    """Return everything that a user can see of a session, as text."""
    state = session.runtime.state
    names = {
        kind: sorted(getattr(state.definitions, kind))
        for kind in ("classes", "defines", "functions", "types")
    }
    seen = [
        session.catalog().summary(),
        json.dumps(session.catalog().to_json(), sort_keys=True, default=str),
        sorted((name, repr(value)) for name, value in state.top.variables.items()),
        sorted(state.classes),
        names,
        [cell.source for cell in session.cells],
    ]
    return repr(seen)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [({"dialect": "perl"}, "no dialect 'perl'"), ({"permissions": ["fly"]}, "no permission 'fly'")],
)
def test_what_does_not_exist_is_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Session(**arguments)


def started(**options: object) -> Session:
    session = Session("puppet", **options)  # type: ignore[arg-type]
    for statement in STATEMENTS:
        outcome = session.run(statement)
        assert outcome.error is None, outcome.error
    return session


def without_versions(catalog: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in catalog.items() if key not in ("version", "catalog_uuid")}


def test_a_program_in_cells_gives_the_catalog_of_the_program() -> None:
    whole = Session("puppet")
    assert whole.run(PROGRAM).error is None
    cells = Session("puppet", interactive=True)
    for statement in STATEMENTS:
        assert cells.run(statement).error is None
    assert cells.catalog().summary() == whole.catalog().summary()


@given(st.lists(st.booleans(), min_size=len(STATEMENTS) - 1, max_size=len(STATEMENTS) - 1))
@settings(max_examples=30, deadline=None)
def test_where_a_program_is_cut_makes_no_difference(cuts: list[bool]) -> None:
    cells = [STATEMENTS[0]]
    for statement, cut in zip(STATEMENTS[1:], cuts, strict=True):
        if cut:
            cells.append(statement)
        else:
            cells[-1] += "\n" + statement
    session = Session("puppet", interactive=True)
    for cell in cells:
        assert session.run(cell).error is None
    whole = Session("puppet")
    whole.run(PROGRAM)
    assert session.catalog().summary() == whole.catalog().summary()


@pytest.mark.parametrize("cell", FAILING)
def test_a_failed_cell_leaves_nothing(cell: str) -> None:
    session = started()
    before = digest(session)
    outcome = session.run(cell)
    assert outcome.error is not None
    assert digest(session) == before
    assert session.run("double($port)").text == "16160"


def test_undo_and_redo_are_opposites() -> None:
    session = started()
    digests = [digest(session)]
    while session.undo():
        digests.append(digest(session))
    assert len(digests) == len(STATEMENTS) + 1
    for wanted in reversed(digests[:-1]):
        assert session.redo()
        assert digest(session) == wanted
    assert not session.redo()


def test_a_new_cell_ends_redo() -> None:
    session = started()
    session.undo()
    session.run("1")
    assert not session.redo()


def test_reset_starts_again() -> None:
    session = started()
    session.reset()
    assert session.catalog().summary() == []
    assert session.run("$port = 1").error is None


def test_an_interrupt_leaves_nothing_and_is_quick() -> None:
    session = started()
    before = digest(session)
    outcome, seconds = run_interrupted(session, "$lost = 1 Integer[1, 1000000000].each |$x| { }", 0.3)
    assert outcome.error is not None and outcome.error.code == "INTERRUPTED"
    assert seconds < MOST_SECONDS
    assert digest(session) == before


def test_endless_recursion_is_an_error_of_the_program() -> None:
    session = Session("puppet")
    outcome = session.run("function f($x) { f($x) } f(1)")
    assert outcome.error is not None and outcome.error.code == "CALLS_TOO_DEEP"
    assert session.run("1 + 1").text == "2"


def test_recursion_goes_deep() -> None:
    source = "function sum($n) { if $n == 0 { 0 } else { sum($n - 1) + 1 } } sum(20000)"
    assert Session("puppet").run(source).text == "20000"


def test_a_shift_is_refused_before_it_is_made() -> None:
    for dialect in ("puppet", "spec"):
        assert Session(dialect).run("1 << 1000000000").error is not None


def test_late_log_lines_are_shown_once() -> None:
    session = Session("puppet", interactive=True)
    first = session.run("define d() { notice(\"in ${title}\") } d { 'a': }")
    assert [line.message for line in first.logs] == ["in a"]
    assert session.run("1").logs == []
    assert [line.message for line in session.run("d { 'b': }").logs] == ["in b"]


def test_what_is_missing_so_far_is_a_note_while_interactive() -> None:
    session = Session("puppet", interactive=True)
    outcome = session.run("notify { 'a': } Notify['a'] -> Notify['b']")
    assert outcome.error is None and outcome.notes
    assert session.run("notify { 'b': }").notes == []
    assert Session("puppet").run("notify { 'a': } Notify['a'] -> Notify['b']").error is not None


def test_what_a_cell_defines_has_the_name_that_was_written() -> None:
    session = Session(interactive=True)
    outcome = session.run("type My::PortRange = Integer[1, 2] class a { } function b::c() { }")
    assert outcome.defined == [("class", "a"), ("function", "b::c"), ("type", "My::PortRange")]


@pytest.mark.parametrize(
    ("source", "has_value"),
    [
        ("notice(1)", False),
        ("if true { notice(1) }", False),
        ("unless true { notice(1) } else { $a = 1 notice($a) }", False),
        ("case 1 { 1: { notice(1) } default: { if false { notice(2) } } }", False),
        ("if false { 5 }", True),
        ("if true { }", True),
        ("case 1 { }", True),
        ("if true { undef }", True),
        ("case 1 { 1: { notice(1) } default: { 2 } }", True),
        ("[1].each |$x| { notice($x) }", True),
    ],
)
def test_what_runs_for_its_effect_has_no_value(source: str, has_value: bool) -> None:
    assert Session().run(source).has_value is has_value
