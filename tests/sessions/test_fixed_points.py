"""The incremental fixed point equals one computed from scratch, and deferred code runs once where that is proven."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session, catalog
from evaluator.catalog import fixpoint
from evaluator.catalog.fixpoint_result import CURRENT, OUTDATED, FixedPoint
from evaluator.program.definitions import Definition
from evaluator.session import dialect_notes
from tests.sessions import notebooks

EXAMPLES = int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "25"))

# Defines that read, declare and change what other defines and cells declare.
TEXTS = [
    *notebooks.TEXTS,
    "define e($n = 1) { notify { \"e ${title}\": message => \"${n} ${facts['os']['name']}\" } }",
    'define e($n = 1) { d { "of ${title}": } notice("e ${title}") }',
    'define e($n = $y) { @notify { "v ${title}": } }',
    "define e($n = 1) { notify { 'a': message => $n } }",
    "define e($n = 1) { notify { \"e ${title}\": alias => 'b' } }",
    'define e($n = 1) { notify { "e ${title}": message => Notify["a"]["message"] } }',
    'define e($n = 1) { notify { "e ${title}": message => "${c::inner}" } }',
    'define e($n = 1) { if defined(Notify["a"]) { notify { "e ${title}": } } }',
    'define e($n = 1) { [1, 2].each |$x| { notify { "e ${title} ${x}": message => "${y}" } } }',
    'define e($n = 1) { notify { "e ${title}": message => f(1) } }',
    'define e($n = 1) { include c notify { "e ${title}": } }',
    'define e($n = 1) { notify { "e ${title}": require => Notify["b"] } }',
    "define e($n = 1) { if 'abc' =~ /(b)/ { notify { \"e ${title}\": message => $1 } } }",
    'define e($n = 1) { user { "e ${title}": name => "e" } }',
    'define e($n = 1) { file { "/${title}/": } }',
    "define e($n = 1) { notify { \"e ${title}\": message => \"${tagged('c')} ${getvar('y')}\" } }",
    'define e($n = 1) { if defined("\\$y") and defined(C) { notify { "e ${title}": } } }',
    'define e($n = 1) { Notify { noop => true } notify { "e ${title}": } Notify <| title == "a" |> }',
    'define e($n = 1) { Notify <| title == "b" |> { message => $n } Notify <| |> -> file { "/e${title}": } }',
    'define e($n = 1) { contain c tag("t${n}") create_resources(d, { "d ${title}" => { n => $n } }) }',
    'define e($n = 1) { notify { "e ${title}": } -> Notify["a"] Notify["b"] { message => $n } }',
    "Notify <| |> -> File <| |>",
    "File <| |> ~> E <| title == 'p' |>",
    "e { 'p': }",
    "e { 'q': n => 2 }",
    "e { ['r', 's']: }",
    "@e { 'virtual': }",
    "E['p'] -> Notify['a']",
    "Notify['e p'] -> E['q']",
    "Notify['e p'] { message => 'over' }",
    "e { 't': noop => true }",
    "e { 'u': require => D['p'] }",
    "notify { 'e p': }",
    "notify { 'e q': alias => 'e r' }",
    "user { 'e': }",
    "file { '/p': }",
    "define user($n = 1) { }",
    "E { n => 5 }",
    "class late { e { 'in class': } } include late",
    "realize(E['virtual'])",
    "function join($x) { 'mine' }",
    "D <| |> { n => 7 }",
]
# Collectors that find resources of defines, or defines before their bodies run.
COLLECTORS = [
    "Notify <| |> { noop => true }",
    "Notify <| title != 'a' |> { tag => 'x' }",
    "Notify <| tag == 'x' |> { message => 'of x' }",
    "Notify <| tag == 'e' |> { message => 'of e' }",
    "Notify <| message == 'of e' |> { loglevel => 'err' }",
    "Notify <| noop == true |> { message => 'no-op' }",
    "Notify <| |> { require => Notify['a'] }",
    "Notify <| title == 'e p' |> { before => Notify['b'] }",
    "Notify <| |>",
    "@notify { 'shy': tag => 'x' }",
    "E <| |> { n => 7 }",
    "E <| title == 'p' |> { n => 8 }",
    "E <| n == 2 |> { noop => true }",
    "E <| |> { require => Notify['b'] }",
    "E <| |> -> Notify['b']",
    "D <| |> { noop => false }",
    "User <| |> { name => 'z' }",
    *(text for text in TEXTS if "<|" in text),
]
DEFINED = st.tuples(
    *(st.sampled_from([text for text in TEXTS if text.startswith(f"define {name}(")]) for name in "de"),
    st.sampled_from([text for text in TEXTS if text.startswith(("d {", "e {"))]),
)


@pytest.fixture(autouse=True)
def without_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the comparison with the other dialect, which takes time."""
    monkeypatch.setattr(dialect_notes, "may_differ", lambda state, entry: False)


@contextmanager
def compute_from_scratch(always: bool) -> Iterator[None]:
    """Compute each fixed point from scratch within this context, if `always` is true."""
    find_freshness = FixedPoint.find_freshness
    if always:
        FixedPoint.find_freshness = lambda self, state: (  # type: ignore[method-assign]
            CURRENT if find_freshness(self, state) == CURRENT else OUTDATED
        )
    try:
        yield
    finally:
        FixedPoint.find_freshness = find_freshness  # type: ignore[method-assign]


def describe_step(session: Session, outcome: Any) -> Any:
    change = outcome.change
    order = (
        [
            [resource.reference for resource in change.added],
            [resource.reference for resource in change.removed],
            [after.reference for _, after in change.changed],
        ]
        if change
        else None
    )
    return (
        notebooks.get_visible_outcome(outcome),
        order,
        notebooks.describe_state(session),
        session.catalog().to_json(),
    )


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("texts", [TEXTS, TEXTS + 6 * COLLECTORS], ids=["defines", "collectors"])
def test_the_incremental_fixed_point_equals_one_from_scratch(
    texts: list[str], dialect: str, interactive: bool
) -> None:
    @given(DEFINED, st.lists(st.sampled_from(texts), max_size=12))
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(defined: tuple[str, ...], chosen: list[str]) -> None:
        one, other = (Session(dialect, interactive=interactive) for _ in range(2))
        for text in (*defined, *chosen):
            with compute_from_scratch(False):
                incremental = describe_step(one, one.run(text))
            with compute_from_scratch(True):
                from_scratch = describe_step(other, other.run(text))
            assert incremental == from_scratch

    check()


ROUNDS = [
    "define e($n = 1) { Notify <| title == 'b' |> { message => $n } } e { 'x': }",
    "Notify <| noop == true |> { message => 2 }",
    "Notify <| |> { noop => true }",
]


@pytest.mark.parametrize(
    ("last", "message"), [("notify { 'b': }", 1), ("define f() { notify { 'b': } } f { 'y': }", 2)]
)
def test_a_collector_of_deferred_code_begins_in_a_later_round(last: str, message: int) -> None:
    """It finds resources of the program later than the others do, and resources of bodies together with them."""
    session, one_program = Session(), Session()
    for cell in (*ROUNDS, last):
        session.run(cell)
    one_program.run("\n".join((*ROUNDS, last)))
    assert f"Notify[b] {{ message => {message}, noop => true }}" in one_program.catalog().summary()
    assert session.catalog().summary() == one_program.catalog().summary()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts of evaluated bodies of defines, and of computed fixed points."""
    found: Counter[str] = Counter()
    for owner, name in ((fixpoint, "_evaluate_define"), (catalog, "compute_fixed_point")):
        original = getattr(owner, name)

        def count_and_call(
            *arguments: Any, original: Any = original, name: str = name, **options: Any
        ) -> Any:
            found[name] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, count_and_call)
    return found


DEFINES = """
define inner($n) { notify { "inner ${title}": message => "${n} on ${facts['os']['name']}" } }
define outer($n = 1, $list = ['a', 'b']) {
  $twice = $n * 2
  $list.each |$item| { inner { "${title} ${item}": n => $twice } }
  notice("made ${title}")
}
"""


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        ("$x = 1", 0),
        ("1 + 1", 0),
        ("notify { 'new': }", 0),
        ("outer { 'new': }", 3),
        ("class c { $y = 1 notify { 'c': } } include c", 0),
        ("Outer['1'] -> notify { 'new': }", 0),
        ("define other() { }", 0),
        ("$twice = 1", 0),
        ("$item = 1", 0),
        ("function join($x) { 'mine' }", 0),
    ],
)
@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("collectors", ["", "Notify <| title != 'a' |> { tag => 'x' } Outer <| |>"])
def test_deferred_code_does_not_run_again_for_unrelated_cells(
    text: str, bodies: int, interactive: bool, collectors: str, work: Counter[str]
) -> None:
    session = Session("puppet", interactive=interactive)
    session.run(DEFINES + collectors)
    session.run('Integer[1, 20].each |$i| { outer { "$i": } }')
    assert work["_evaluate_define"] == 60
    work.clear()
    outcome = session.run(text)
    assert outcome.error is None
    assert (work["_evaluate_define"], work["compute_fixed_point"]) == (bodies, 0)
    assert session.undo() and session.redo()
    session.catalog()
    assert (work["_evaluate_define"], work["compute_fixed_point"]) == (bodies * 2, 0)


@pytest.mark.parametrize(
    "text",
    [
        "$seen = 1",
        "notify { 'seen': }",
        "class seen { }",
        "Notify { message => 'default' }",
        "notify { 'inner 1 a': }",
        "Notify['inner 1 a'] { message => 'over' }",
        "Inner <| |> { n => 'collected' }",
        "tag('x')",
    ],
)
def test_a_cell_that_deferred_code_may_read_recomputes_the_fixed_point(text: str, work: Counter[str]) -> None:
    session = Session("puppet", interactive=True)
    reader = "define reader() { [getvar('seen'), defined(Notify['seen']), defined('seen')] }"
    session.run(f"{DEFINES} {reader} outer {{ '1': }} reader {{ '1': }}")
    work.clear()
    session.run(text)
    assert work["compute_fixed_point"] == 1


@pytest.mark.parametrize("recomputed", [1, 3, 6])
def test_an_edit_above_cells_that_recompute_the_fixed_point(recomputed: int, work: Counter[str]) -> None:
    session = Session("puppet", interactive=True)
    cells = [DEFINES, *(f"outer {{ '{n}': }}" for n in range(1, 5)), "notify { 'edited': }"]
    for number, cell in enumerate(cells):
        session.run(cell, f"c{number}")
    for number in range(recomputed):
        session.run(f"Outer <| title == '{number % 4 + 1}' |> {{ n => {number} }}", f"late {number}")
    for message in ("first", "second"):
        work.clear()
        session.run(f"notify {{ 'edited': message => '{message}' }}", "c5")
        assert work["compute_fixed_point"] == recomputed  # none for the state before the edited cell
        assert session.run("Notify['edited']['message']").value == message
    other = Session("puppet", interactive=True)
    for outcome in session.cells:
        other.run(outcome.source)
    assert describe_step(session, session.run("1")) == describe_step(other, other.run("1"))


def test_an_edited_define_is_evaluated_again(work: Counter[str]) -> None:
    session = Session("puppet7", interactive=True)  # where an unknown variable is undef
    session.run('define inner() { notify { "inner ${title}": } }', "1")
    session.run("define outer() { inner { $title: } }", "2")
    session.run("outer { 'o': }", "3")
    session.run('define inner() { notify { "inner ${title} ${late}": } }', "1")
    session.run("$late = 'later'", "4")
    assert "Notify[inner o later]" in session.catalog().summary()


def test_of_equal_log_lines_that_of_the_new_resource_is_shown() -> None:
    """The new define runs between two others, one of which has logged the same before."""
    session = Session("puppet")
    session.run(
        "define d() { notice('like') notice($title) }\ndefine e() { d { \"of ${title}\": } notice($title) }"
    )
    session.run("e { 'p': }")
    with compute_from_scratch(True):
        assert [line.message for line in session.run("d { 'q': }").logs] == ["like", "q"]


def test_resources_of_deferred_code_are_last() -> None:
    session = Session("puppet")
    for text in (DEFINES, "outer { 'a': }", "notify { 'b': }", "outer { 'c': }", "notify { 'd': }"):
        assert session.run(text).error is None
    one_program = Session("puppet")
    one_program.run(f"{DEFINES} outer {{ 'a': }} notify {{ 'b': }} outer {{ 'c': }} notify {{ 'd': }}")
    assert session.catalog().summary() == one_program.catalog().summary()
    assert [*map(repr, session.catalog().edges)] == [*map(repr, one_program.catalog().edges)]


@pytest.mark.usefixtures("fresh_heap")  # all objects are examined
@pytest.mark.parametrize("ends", ["fail('no')", "1"])
def test_definitions_of_dropped_cells_are_freed(ends: str) -> None:
    session = Session("puppet", interactive=True)
    session.run("define stored { } stored { 'k': }")

    def count_definitions() -> int:
        gc.collect()
        return sum(type(thing) is Definition for thing in gc.get_objects())

    found = []
    for number in range(4):
        session.look(f"define d{number} {{ notify {{ $title: }} }} d{number} {{ 'a': }} {ends}")
        found.append(count_definitions())
    assert found == found[:1] * 4, "only definitions of the last cell may exist"


def test_read_sets_survive_a_view_of_an_earlier_state() -> None:
    session = Session("puppet7", interactive=True)  # where an unknown variable is undef
    session.run("define first { } first { 'f': }")
    session.run('define d { notify { $title: message => "${later}" } } d { "n": }')
    with session.view(session.cells[0].cell.key):
        assert session.catalog().summary() == []
    session.run("$later = 2")
    assert "Notify[n] { message => '2' }" in session.catalog().summary()


def test_a_collector_in_a_relationship_finds_resources_in_the_order_of_one_evaluation(
    work: Counter[str],
) -> None:
    session = Session("puppet", interactive=True)
    session.run("define d { notify { \"in ${title}\": } } d { ['q', 'r']: }")
    session.run("Notify <| |> -> D['late']")
    work.clear()
    outcome = session.run("notify { 'top': }")
    assert not work["_evaluate_define"]
    assert [one.subject[0] for one in outcome.pending] == [
        f"Could not find resource 'D[late]' for relationship from '{source}'"
        for source in ("Notify[top]", "Notify[in q]", "Notify[in r]")
    ]


def test_an_unmatched_node_stays_pending_after_undo() -> None:
    """Undo once lost the note about the node; `number` is the one that a front end displays beside a cell."""
    session = Session("spec", interactive=True)
    session.run("realize(Notify['v'])", "two", number=1)
    session.run("$y = getvar('x')", number=7)
    session.run("node other { notify { 'other': } }", "one", number=0)
    session.run("$1", "four", number=3)
    session.run("$y = getvar('x')", session.cells[1].cell_id, number=7)
    session.undo()
    pending = session.run("notice($x)", "five", number=4).pending
    assert ["node statement" in str(one) for one in pending] == [True, False]


def test_a_scope_whose_collector_failed_may_not_override() -> None:
    session, override = Session("spec"), "Notify['e p'] { message => 'over' }"
    session.run('define e() { notify { "e ${title}": } }')
    session.run("e { 'p': }")
    assert session.run(override).error is None, "the attribute has no value yet"
    assert session.run("Notify <| |> { require => Notify['missing'] }").error is not None
    error = session.run(override).error
    assert error is not None and error.code == "ONLY_SUBCLASSES_OVERRIDE"


def test_relationships_with_a_resource_that_becomes_real_are_new() -> None:
    for texts in (
        ["@notify { 'a': } notify { 'b': before => Notify['a'] }"],
        ["@notify { 'a': }", "define d() { notify { 'b': before => Notify['a'] } } d { 'x': }"],
    ):
        session = Session("spec", interactive=True)
        for text in texts:
            session.run(text)
        change = session.run("Notify <| |> { message => 'text' }").change
        assert [*map(repr, change.edges_added)] == ["Notify[b] -before-> Notify[a]"]
        assert not change.edges_removed


# Two cells that make the finalized state a separate copy, which the third cell extends.
SEPARATE = (
    "define d { } d { 'a': noop => true } file { ['/a', '/b']: } class k { } include k",
    "notify { 'x': }",
    "notify { 'y': }",
)


@pytest.mark.parametrize(
    "texts",
    [
        ["notify { 'z': }"],
        ["class c { contain k } include c"],
        ["File['/a'] { mode => '0600' }", "File['/a'] -> File['/b']"],
        ["File <| title == '/a' |> { mode => '0600' }"],
        ["define e { File['/a'] { mode => '0600' } } e { 'e': }"],
        ["File <| |> -> Notify['x']", "file { '/c': }"],
        ["define e { File['/a'] -> File['/b'] } e { 'e': }", "notify { 'z': }", "File['/b'] -> Notify['x']"],
        ["File['/a'] -> File['/b']", "File['/a'] -> File['/b']"],
        ["define e { notify { 'e': } } e { 'e': noop => true }"],
        ["$c = [] -> File <| |>", "$c -> Notify['x']"],
    ],
    ids=" ; ".join,
)
def test_each_reason_to_finalize_again_is_found(texts: list[str]) -> None:
    shown = []
    for always in (True, False):
        session = Session("puppet")
        with compute_from_scratch(always):
            outcomes = [session.run(text) for text in (*SEPARATE, *texts)]
            shown.append(([str(outcome.error) for outcome in outcomes], session.catalog().to_json()))
    assert shown[0] == shown[1]
