"""The body of a define runs again only if something that it read has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session
from evaluator.catalog import bodies, fixpoint, scopes
from evaluator.program import stat_cache
from tests.sessions import notebooks

pytestmark = pytest.mark.usefixtures("unhurried_notes")
# Each example compares about seven notebooks; `CHANGES_OF_READ_SETS` has a case for each condition of a repetition.
EXAMPLES = int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "20"))

# The cells of a notebook, each with its possible texts. Bodies read variables, classes, functions, types, resources,
# defaults, matches and data.
CELLS = [
    ["$x = 1", "$x = '1'", "$x = true", "$x = [1, {a => 1.0}]", "$x = [1, {a => 1}]", "notice(1)"],
    ["class c { $inner = 1 }", "class c($inner = 2) { notify { 'of c': } }", "class c { $other = 1 }"],
    ["include c", "class { 'c': noop => true }", ""],
    ['function f($p) { "one ${p}" }', 'function f($p) { "two ${p}" }', "function g() { 1 }"],
    ["type T = Any", "type T = Variant[U, Boolean]", "type T = String"],
    ["type U = Numeric", "type U = Collection", ""],
    ["Notify { loglevel => info }", "Notify { loglevel => debug }", "D { n => 5 }", ""],
    ["notify { 'a': }", "notify { 'a': message => 'text' }", "@notify { 'a': }", "notify { 'z': }", ""],
    ["'abc' =~ /(a)/", "'bbc' =~ /(b)/", ""],
    [
        'define d($n = $x) { notify { "d ${title}": message => "${n} ${x}" } }',
        'define d($n = $x) { notify { "d ${title}": message => "${n}" } @notify { "v ${title}": } }',
        "define d($n = 1) { notice($title) }",
    ],
    [
        "define e($v = $c::inner) { if defined(Notify['a']) { d { $title: n => f($v) } } else { d { $title: } } }",
        "define e(T $v = $x) { notify { \"e ${title}\": message => getvar('c::inner') } -> d { $title: } }",
        "define e() { include c notify { $title: message => $c::inner, noop => $noop } Notify[$title] -> Class['c'] }",
        "define e() { unless defined('$y') { notify { \"${title} ${1}\": } } if $title =~ /o(.)/ { d { $1: } } }",
        "define e() { Notify { loglevel => err } d { $title: } notify { $title: message => Notify[a][message] } }",
        "define e() { if tagged('t') { notify { 'tagged': } } notify { $title: alias => 'b' } d { $title: n => 3 } }",
        "define e() { $l = lookup('k', default_value => $x) notify { $title: message => $l, before => [Notify[a]] } }",
        "define e($v = 'o') { file { \"/${title}\": content => inline_epp('<%= $v %> <%= $x %>') } D <| |> }",
    ],
    [
        "e { ['one', 'two']: }",
        "e { 'one': tag => 't' } e { 'two': noop => true }",
        "e { 'one': } @e { 'two': }",
    ],
    ["e { 'three': }", "d { 'three': n => $x }", "d { 'one': }", "realize(E['two'])", "$y = 1"],
    [
        "D <| title == 'one' |> { n => 'collected' }",
        "E <| |> { noop => false }",
        "D <| n == 5 |> -> Notify['a']",
        "",
    ],
    [
        "Notify <| |> { message => 'of all' }",
        "d { 'last': }",
        "Notify['d one'] { message => 'overridden' }",
        "",
    ],
]

# By what a body reads: the cells of a notebook, and edits of which one changes it. If the read set lacked that, the
# notebook would differ from a new one.
CHANGES_OF_READ_SETS: dict[str, tuple[list[str], list[tuple[int, str]]]] = {
    "its define": (["define d() { notify { 'a': } }", "d { 't': }"], [(0, "define d() { notify { 'b': } }")]),
    "a parameter": (
        ["$x = 1", "define d($n) { notify { 'a': message => $n } }", "d { 't': n => $x }"],
        [(0, "$x = 2")],
    ),
    "a match": (
        ["'abc' =~ /(b)/", 'define d() { notify { "a ${1}": } }', "d { 't': }"],
        [(0, "'abc' =~ /(c)/")],
    ),
    "a variable": (
        ["$x = 1", "define d() { notify { 'a': message => $x } }", "d { 't': }"],
        [(0, "$x = '1'")],
    ),
    "a missing variable": (
        ["", "define d() { notify { 'a': message => getvar('x') } }", "d { 't': }"],
        [(0, "$x = 1")],
    ),
    "a variable that is missing when it is repeated": (
        ["$x = 1", "define d() { notify { 'a': message => getvar('y') } }", "d { 't': }", ""],
        [(0, "$x = 2"), (3, "$y = 1")],
    ),
    "a function": (
        ["function f() { 1 }", "define d() { notify { 'a': message => f() } }", "d { 't': }"],
        [(0, "function f() { 2 }")],
    ),
    "a type": (
        ["type T = Any", "define d() { notify { 'a': message => 5 =~ T } }", "d { 't': }"],
        [(0, "type T = String")],
    ),
    "a resource": (
        ["notify { 'r': }", "define d() { if defined(Notify['r']) { notify { 'a': } } }", "d { 't': }"],
        [(0, "")],
    ),
    "an attribute": (
        [
            "notify { 'r': message => 1 }",
            "define d() { notify { 'a': message => Notify['r']['message'] } }",
            "d { 't': }",
        ],
        [(0, "notify { 'r': message => 2 }")],
    ),
    "defaults": (
        ["Notify { loglevel => info }", "define d() { notify { 'a': } }", "d { 't': }"],
        [(0, "Notify { loglevel => err }")],
    ),
    "an alias that is free": (
        ["", "define d() { notify { 'a': alias => 'b' } }", "d { 't': }"],
        [(0, "notify { 'z': alias => 'b' }")],
    ),
    "nothing, but it logs": (
        ["$x = 1", "define d() { notice('n') notify { 'a': } }", "d { 't': }"],
        [(0, "$x = 2")],
    ),
    "nothing, but it changes what a resource is": (
        ["$x = 1", "define d() { @notify { 'a': } realize(Notify['a']) }", "d { 't': }"],
        [(0, "$x = 2")],
    ),
}


@pytest.fixture(autouse=True, scope="module")
def record_every_body() -> Iterator[None]:
    """Record the evaluation of every body, however quickly it runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bodies, "WORTHWHILE", 0)
        yield


@pytest.mark.parametrize("dialect", ["spec", "puppet7"])
def test_a_notebook_equals_a_new_one_after_edits(dialect: str) -> None:
    place = st.integers(0, len(CELLS) - 1)
    edit = place.flatmap(lambda index: st.tuples(st.just(index), st.sampled_from(CELLS[index])))

    @given(st.tuples(*map(st.sampled_from, CELLS)), st.lists(edit, min_size=1, max_size=8))
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(texts: tuple[str, ...], edits: list[tuple[int, str]]) -> None:
        session = Session(dialect, interactive=True)
        for index, text in [*enumerate(texts), *edits]:
            session.run(text, str(index), number=index)
            if index == len(texts) - 1 or (index, text) in edits:
                _compare_with_new(session, dialect)

    check()


@pytest.mark.parametrize(("texts", "edits"), CHANGES_OF_READ_SETS.values(), ids=CHANGES_OF_READ_SETS)
def test_a_change_of_the_read_set_runs_a_body_again(texts: list[str], edits: list[tuple[int, str]]) -> None:
    session = Session(interactive=True)
    for index, text in [*enumerate(texts), *edits]:
        session.run(text, str(index), number=index)
        _compare_with_new(session, "spec")


def _compare_with_new(session: Session, dialect: str) -> None:
    other = Session(dialect, interactive=True)
    outcomes = [other.run(cell.source, number=cell.number) for cell in session.cells]
    assert notebooks.describe_state(session) == notebooks.describe_state(other)
    assert [notebooks.get_visible_outcome(cell.outcome) for cell in session.cells] == [
        *map(notebooks.get_visible_outcome, outcomes)
    ]


@pytest.fixture
def count_bodies(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function that returns how many bodies have run since its last call."""
    names: list[str] = []
    run = scopes.run_body

    def run_body(scope: Any, running: Any, evaluate: Callable[[], object]) -> None:
        if scope.runtime.dialect.name == "spec":  # not for a note about another dialect
            names.append(scope.name)
        run(scope, running, evaluate)

    def count() -> int:
        number = len(names)
        names.clear()
        return number

    monkeypatch.setattr(fixpoint, "run_body", run_body)
    return count


def test_only_bodies_that_read_a_changed_name_run_again(count_bodies: Callable[[], int]) -> None:
    session = Session(interactive=True)
    texts = [
        "$x = 1",
        "$y = 1",
        "class c { $inner = $y }",
        "include c",
        'define reads_x() { notify { "x ${title}": message => $x } }',
        'define reads_inner() { notify { "inner ${title}": message => $c::inner } }',
        "reads_x { ['a', 'b']: } reads_inner { ['a', 'b', 'c']: }",
        "Reads_x <| title == 'a' |> { noop => true }",
    ]
    for index, text in enumerate(texts):
        session.run(text, str(index))
    count_bodies()
    for index, text, expected in [
        ("0", "$x = 2", 3),  # of two resources, one also with the attribute that the collector sets
        ("1", "$y = 2", 3),
        ("3", "include 'c'", 0),
        ("7", "Reads_x <| title == 'b' |> { noop => true }", 1),
        ("0", "$x = 2 # the same value", 0),
    ]:
        session.run(text, index)
        assert count_bodies() == expected, text
        _compare_with_new(session, "spec")
        count_bodies()


def test_bodies_run_when_a_file_has_changed(
    tmp_path: Path, count_bodies: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        stat_cache, "_YOUNG_NANOSECONDS", 0
    )  # the stamps of files that were just written prove nothing
    (tmp_path / "m" / "files").mkdir(parents=True)
    text = tmp_path / "m" / "files" / "text"
    text.write_text("former")
    session = Session(modulepath=[tmp_path], interactive=True)
    session.run("$x = 1", "above")
    session.run("define d() { notify { $title: message => file('m/first', 'm/text') } }", "define")
    session.run("d { ['a', 'b']: }", "use")
    session.run("D <| title == 'b' |> { noop => true }", "collector")
    count_bodies()
    session.run("$x = 2", "above")
    assert count_bodies() == 0
    for path in (text, text.with_name("first")):
        path.write_text(f"in {path.name}")
        session.run(f"$x = '{path.name}'", "above")
        assert count_bodies() == 3
        assert {session.catalog().resources["notify", name].parameters["message"] for name in "ab"} == {
            f"in {path.name}"
        }


def test_a_changed_file_is_noticed_after_bodies_that_are_not_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m" / "files").mkdir(parents=True)
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)
    text = tmp_path / "m" / "files" / "text"
    text.write_text("former")
    session = Session(modulepath=[tmp_path], interactive=True)
    session.run("define kept() { notify { $title: message => file('m/text') } }", "kept")
    session.run("kept { 'a': }", "use kept")
    session.run("$x = 1", "between")
    monkeypatch.setattr(bodies, "WORTHWHILE", 1000)
    session.run('define quick() { notify { "${title} ${x}": } }', "quick")
    session.run("quick { 'b': }", "use quick")
    session.run("Quick <| |> { noop => true }", "collector")
    text.write_text("now")
    session.run("$x = 2", "between")
    assert session.catalog().resources["notify", "a"].parameters["message"] == "now"
