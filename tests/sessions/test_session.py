"""A session: cells are transactions, which can be undone, repeated and forgotten."""

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
    "notify { 'lost': } fail('no')",
    "class extra { } include extra include nosuch",
    "function g() { 1 } notify { 'done': }",
    "define late() { fail('late') } late { 'x': }",
    "Notify['nowhere'] { message => 'x' } fail('stop')",
]


def describe_session(session: Session) -> str:
    """Return the visible state of a session as text."""
    state = session.runtime.state
    names = {
        kind: sorted(getattr(state.definitions, kind))
        for kind in ("classes", "defines", "functions", "types")
    }
    parts = [
        session.catalog().summary(),
        json.dumps(session.catalog().to_json(), sort_keys=True, default=str),
        sorted((name, repr(value)) for name, value in state.top.variables.items()),
        sorted(state.classes),
        names,
        [cell.source for cell in session.cells],
    ]
    return repr(parts)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [({"dialect": "perl"}, "no dialect 'perl'"), ({"permissions": ["fly"]}, "no permission 'fly'")],
)
def test_unknown_dialects_and_permissions_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Session(**arguments)


def start_session(**options: object) -> Session:
    session = Session("puppet", **options)  # type: ignore[arg-type]
    for statement in STATEMENTS:
        outcome = session.run(statement)
        assert outcome.error is None, outcome.error
    return session


def without_versions(catalog: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in catalog.items() if key not in ("version", "catalog_uuid")}


def test_a_program_in_cells_has_the_catalog_of_the_program() -> None:
    whole = Session("puppet")
    assert whole.run(PROGRAM).error is None
    cells = Session("puppet", interactive=True)
    for statement in STATEMENTS:
        assert cells.run(statement).error is None
    assert cells.catalog().summary() == whole.catalog().summary()


@given(st.lists(st.booleans(), min_size=len(STATEMENTS) - 1, max_size=len(STATEMENTS) - 1))
@settings(max_examples=30, deadline=None)
def test_the_division_into_cells_does_not_change_the_catalog(cuts: list[bool]) -> None:
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
    session = start_session()
    before = describe_session(session)
    outcome = session.run(cell)
    assert outcome.error is not None
    assert describe_session(session) == before
    assert session.run("double($port)").text == "16160"


def test_undo_and_redo_are_opposites() -> None:
    session = start_session()
    digests = [describe_session(session)]
    while session.undo():
        digests.append(describe_session(session))
    assert len(digests) == len(STATEMENTS) + 1
    for expected in reversed(digests[:-1]):
        assert session.redo()
        assert describe_session(session) == expected
    assert not session.redo()


def test_a_new_cell_ends_redo() -> None:
    session = start_session()
    session.undo()
    session.run("1")
    assert not session.redo()


def test_reset_starts_again() -> None:
    session = start_session()
    session.reset()
    assert session.catalog().summary() == []
    assert session.run("$port = 1").error is None


def test_an_interrupted_cell_leaves_nothing() -> None:
    session = start_session()
    before = describe_session(session)
    outcome, seconds = run_interrupted(session, "$lost = 1 Integer[1, 1000000000].each |$x| { }", 0.3)
    assert outcome.error is not None and outcome.error.code == "INTERRUPTED"
    assert seconds < MOST_SECONDS
    assert describe_session(session) == before


def test_endless_recursion_is_a_puppet_error() -> None:
    session = Session("puppet")
    outcome = session.run("function f($x) { f($x) } f(1)")
    assert outcome.error is not None and outcome.error.code == "CALLS_TOO_DEEP"
    assert session.run("1 + 1").text == "2"


def test_recursion_may_be_deep() -> None:
    source = "function sum($n) { if $n == 0 { 0 } else { sum($n - 1) + 1 } } sum(20000)"
    assert Session("puppet").run(source).text == "20000"


def test_a_huge_shift_is_refused() -> None:
    for dialect in ("puppet", "spec"):
        assert Session(dialect).run("1 << 1000000000").error is not None


def test_log_lines_of_deferred_code_are_shown_once() -> None:
    session = Session("puppet", interactive=True)
    first = session.run("define d() { notice(\"in ${title}\") } d { 'a': }")
    assert [line.message for line in first.logs] == ["in a"]
    assert session.run("1").logs == []
    assert [line.message for line in session.run("d { 'b': }").logs] == ["in b"]


def test_a_missing_resource_is_a_note_in_interactive_sessions() -> None:
    session = Session("puppet", interactive=True)
    outcome = session.run("notify { 'a': } Notify['a'] -> Notify['b']")
    assert outcome.error is None and outcome.notes
    assert session.run("notify { 'b': }").notes == []
    assert Session("puppet").run("notify { 'a': } Notify['a'] -> Notify['b']").error is not None


def test_definitions_are_listed_as_they_were_written() -> None:
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
def test_statements_that_run_for_their_effect_have_no_value(source: str, has_value: bool) -> None:
    assert Session().run(source).has_value is has_value
