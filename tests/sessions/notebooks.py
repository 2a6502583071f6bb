"""Random notebooks: cells that refer to each other in every way, and actions of a user."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import strategies as st

from evaluator import Session
from evaluator.session import stack_threads, supervisor
from evaluator.session.cell import Outcome
from evaluator.session.comparison import get_visible_parts

# Each text reads or changes what others define, also without a name: defaults, match variables, computed names.
TEXTS = [
    "$x = 1",
    "$x = 'two'",
    "$x = undef",
    "$y = $x",
    "$y = getvar('x')",
    '"${x} and ${y}"',
    "1 == '1'",
    "if 'abc' =~ /(b)(.)/ { $1 }",
    "'xyz' =~ /(z)/",
    "$1",
    "notify { 'a': }",
    "notify { 'a': message => \"x is ${x}\" }",
    "notify { 'b': }",
    "@notify { 'v': }",
    "realize(Notify['v'])",
    "notify { 'c': require => Notify['a'] }",
    "Notify['a'] -> Notify['b']",
    "Notify['a'] -> Notify['b'] ~> notify { 'e': }",
    "Notify <| title == 'a' |> -> Notify['b']",
    "Notify { message => 'default' }",
    "Notify { message => $x, noop => true }",
    "Notify['a'] { message => 'overridden' }",
    "Notify <| title == 'a' |> { message => 'collected' }",
    "Notify <| noop == true |> { message => 'collected as well' }",
    "Notify <| |>",
    "Notify['a']['message']",
    'define d($n = 1) { notify { "in ${title}": message => "${n} ${x}" } notice($title) }',
    "define d() { notice(f(1)) }",
    "d { 'p': }",
    "d { 'q': n => 2 }",
    "class c { $inner = 3 notify { 'of c': } }",
    "class c($inner = $x) { notice($inner) }",
    "include c",
    "$n = 'c' include $n",
    "$c::inner",
    "class sub inherits c { Notify['of c'] { message => 'from sub' } } include sub",
    "function f($p) { [$p, $x] }",
    'function f(T $p) { "${p}" }',
    "f(1)",
    "f('text')",
    "type T = Integer",
    "type T = Variant[U, String]",
    "type U = Float",
    "1 =~ T",
    "node default { notice('default') }",
    "node other { notify { 'other': } }",
    "node localhost { notify { 'here': message => $x } }",
    "tag('x')",
    "Notify <| tag == 'x' |> { message => 'tagged' }",
    "inline_epp('<%= $x %>')",
    "defined(Notify['a'])",
    # finalization: arrows inside of bodies, metaparameters of containers, aliases, attributes that bodies read
    "d { 'm': noop => true }",
    "class { 'c': schedule => 'daily' }",
    "schedule { 'daily': }",
    "class k { contain c } include k",
    "define e() { Notify['a'] -> notify { \"e ${title}\": } }",
    'define e() { notify { "e ${title}": alias => "alias ${title}" } }',
    "e { ['one', 'two']: }",
    "Notify['e one'] ~> Notify['alias two']",
    "notify { 'g': before => [Notify['a'], Notify['e two']] }",
    "Notify <| |> -> D['p']",
    "define g() { notify { \"g ${title}\": message => Notify['a']['message'] } } g { 'one': }",
    # collectors that set defaults, and defaults that no collector sets
    "file { '/f': } File { mode => '0600' }",
    "File <| |> { owner => 'root' }",
    "class h { Notify { message => 'of h' } Notify <| title == 'b' |> { noop => true } notify { 'of h': } } include h",
    "define o() { Notify { loglevel => err } Notify <| title == a |> { tag => t } notify { $title: } } o { one: }",
    "define i() { include h File { owner => 'i' } file { \"/${title}\": } } i { 'one': }",
    "notice($x)",
    "fail('no')",
    "$z = 1 fail('late')",
    "1 +",
    "",
    "# a remark",
]
IDS = ["one", "two", "three", "four", "five", "six", "seven"]

text = st.sampled_from(TEXTS)
operation = st.one_of(
    st.tuples(st.just("run"), st.sampled_from(IDS), text),
    st.tuples(st.just("run"), st.sampled_from(IDS), text),
    st.tuples(st.just("run"), st.sampled_from(IDS), text),
    st.tuples(st.just("new"), text),
    st.tuples(st.just("stopped"), st.sampled_from(IDS), text, st.integers(1, 4000)),
    st.tuples(st.just("again"), st.integers(0, 6)),
    st.tuples(st.just("forget"), st.lists(st.sampled_from(IDS), max_size=2)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


def perform(session: Session, step: Any) -> None:
    """Perform an action of a user."""
    match step:
        case ("run", cell_id, source):
            session.run(source, cell_id, number=IDS.index(cell_id))
        case ("new", source):
            session.run(source, number=len(IDS) + len(session.cells))
        case ("stopped", cell_id, source, number):
            before = [cell.source for cell in session.cells]
            with interrupt_at_call(number):
                outcome = session.run(source, cell_id, number=IDS.index(cell_id))
            if outcome.error is not None and outcome.error.code == "INTERRUPTED":
                assert [cell.source for cell in session.cells] == before
        case ("again", place):
            cells = session.cells
            if cells:
                cell = cells[place % len(cells)]
                session.run(cell.source, cell.cell_id, number=cell.number)
        case ("forget", ids):
            session.forget(ids)
        case ("undo",):
            session.undo()
        case ("redo",):
            session.redo()


@contextmanager
def interrupt_at_call(number: int) -> Iterator[None]:
    """Interrupt the functions that a supervisor runs at the n-th call of a Python function."""
    run = supervisor.Supervisor.run
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        if not stack_threads.is_unstoppable(frame):
            count += 1
            if count == number:
                sys.settrace(None)
                raise supervisor.Interrupted

    def run_traced(supervisor: Any, function: Callable[[], Any], *seconds: float) -> Any:
        def work() -> Any:
            sys.settrace(trace)
            try:
                return function()
            finally:
                sys.settrace(None)

        return run(supervisor, work, *seconds)

    supervisor.Supervisor.run = run_traced  # type: ignore[method-assign]
    try:
        yield
    finally:
        supervisor.Supervisor.run = run  # type: ignore[method-assign]


def describe_state(session: Session) -> Any:
    """Return the state of a session without its cells."""
    state = session.runtime.state
    return (
        session.catalog().summary(),
        [repr(edge) for edge in session.catalog().edges],
        [(name, repr(value)) for name, value in state.top.variables.items()],
        list(state.classes),
        [list(getattr(state.definitions, kind)) for kind in ("classes", "defines", "functions", "types")],
        [edge for resource in session.catalog().resources.values() for edge in _relations(resource)],
    )


def _relations(resource: Any) -> list[str]:
    names = ("before", "notify", "require", "subscribe")
    return [f"{resource} {name} {resource.parameters[name]}" for name in names if name in resource.parameters]


def get_visible_outcome(outcome: Outcome) -> Any:
    """Return the parts of an outcome that a user sees."""
    return get_visible_parts(outcome.evaluation), outcome.notes
