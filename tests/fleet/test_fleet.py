"""A fleet is what its nodes are alone, whoever compiles it and whatever happens to the processes."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.facts import list_fact_sets, read_facts
from evaluator.fleet import Fleet, compile_nodes
from evaluator.fleet.compilation import CallFailed, InlineExecutor, ProcessExecutor
from evaluator.fleet.worker import compile_chunk
from evaluator.session.fleet_program import PortableProgram
from lexer_parser.errors import Note, PuppetError
from tests.fleet.programs import Deadly, after_deaths

TESTS = Path(__file__).parent.parent
GARAGE = TESTS / "environments" / "garage"
PROGRAM = [
    "define part($size = 1) { file { $title: mode => '0644', content => \"${size} of ${trusted['certname']}\" } }",
    """
    $family = $facts['os']['family']
    part { '/a': size => $facts['processors']['count'] }
    if $family == 'RedHat' { part { '/b': } } else { notify { 'n': message => $family } }
    """,
    "File <| title == '/a' |> { owner => 'root' }",
    "if $facts['os']['name'] == 'Fedora' { fail('no Fedora here') }",
]


def session(**settings: Any) -> Session:
    made = Session(facts="debian-12", **settings)
    for source in PROGRAM:
        assert made.run(source).error is None
    return made


def facts(count: int = 40) -> dict[str, dict[str, Any]]:
    sets = list_fact_sets()
    return {
        f"web{number}.example.com": read_facts(sets[number % len(sets)], f"web{number}.example.com")
        for number in range(count)
    }


def alone(node: str, known: dict[str, Any], **settings: Any) -> tuple[Any, str | None]:
    made = Session(node=node, facts=known, **settings)
    for source in PROGRAM:
        outcome = made.run(source)
        if outcome.error is not None:
            return None, str(outcome.error)
    return made.catalog().to_json(), None


def told(fleet: Fleet) -> dict[str, tuple[Any, str | None]]:
    errors = {node: (None, str(error)) for node, error in fleet.errors.items()}
    return {**{node: (catalog, None) for node, catalog in fleet.catalogs.items()}, **errors}


def notified(fleet: Fleet) -> list[str]:
    """The titles of the notifications, node by node."""
    return [
        resource["title"]
        for catalog in fleet.catalogs.values()
        for resource in catalog["resources"]
        if resource["type"] == "Notify"
    ]


@pytest.fixture(scope="module")
def expected() -> dict[str, tuple[Any, str | None]]:
    return {node: alone(node, known) for node, known in facts().items()}


def test_every_node_is_what_it_is_alone(expected: dict[str, Any]) -> None:
    given = facts()
    seen = []
    fleet = session().fleet(
        given, on_progress=lambda so_far: seen.append((so_far.result_count, so_far.seconds_left))
    )
    assert told(fleet) == expected
    assert list(fleet.catalogs) == [node for node in given if node not in fleet.errors]
    assert len(fleet.errors) == sum(known["os"]["name"] == "Fedora" for known in given.values()) > 0
    assert seen[-1] == (len(given), 0.0) and [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert all(seconds > 0 for seconds in fleet.seconds.values())


SHELF = {  # a module: which definitions a node loads, and what they find, depends on its facts
    "manifests/init.pp": "class shelf(Shelf::Size $size = shelf::size()) { include \"shelf::${facts['kind']}\" }",
    "manifests/a.pp": "class shelf::a(Integer $n = $shelf::size * 2) { shelf::book { 'x': n => $n } }",
    "manifests/b.pp": (
        "class shelf::b inherits shelf::a { shelf::book { 'y': n => 1 } Shelf::Book <| |> { mark => 'b' } }"
    ),
    "manifests/c.pp": "class shelf::c { if defined(Class['shelf::a']) or defined('shelf::b') { notify { 'b': } } }",
    "manifests/book.pp": (
        'define shelf::book(Shelf::Size $n, String $mark = "m${shelf::label($n)}") {'
        ' notify { "${title} ${mark}": message => [1, 2].map |$i| { $i + $n } } }'
    ),
    "manifests/d.pp": 'class shelf::d($v = shelf::make()) { notify { "size ${v.size}": } }',
    "functions/make.pp": (
        "function shelf::make() { if $facts['size'] == 2 { Shelf::Box({ size => 7 }) } else { [1] } }"
    ),
    "types/box.pp": "type Shelf::Box = Object[{ attributes => { size => Integer } }]",
    "functions/size.pp": (
        "function shelf::size(Enum[$facts['kind']] $kind = $facts['kind']) >> Integer { $facts['size'] }"
    ),
    "functions/label.pp": "function shelf::label(Shelf::Size $n) { case $n { 1: { 'one' } default: { \"<${n}>\" } } }",
    "types/size.pp": "type Shelf::Size = Integer[1, 10]",
}


def test_a_node_finds_nothing_of_the_node_before_in_the_files_of_modules(tmp_path: Path) -> None:
    for path, text in SHELF.items():
        place = tmp_path / "shelf" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    kinds = "abcabdacbd"
    nodes = {
        f"n{number}": {"kind": kind, "size": size}
        for number, (kind, size) in enumerate((kind, size) for size in (1, 2, 11, "x", 3) for kind in kinds)
    }
    for source in ("include shelf", "function shelf::label($n) { 'own' } include shelf"):
        made = Session("puppet", modulepath=[tmp_path], node="none", facts=nodes["n0"])
        assert made.run(source).error is None
        fleet = made.fleet(nodes, executor=InlineExecutor())
        for node, known in nodes.items():
            one = Session("puppet", modulepath=[tmp_path], node=node, facts=known)
            error = one.run(source).error
            assert str(fleet.errors.get(node)) == str(error)
            assert error is not None or fleet.catalogs[node] == one.catalog().to_json()
        assert 0 < len(fleet.errors) < len(nodes)


def test_errors_know_their_place_and_their_cell() -> None:
    fleet = session(interactive=True).fleet({"f": "fedora-41", "d": "debian-12"})
    error = fleet.errors["f"]
    assert "no Fedora here" in error.message
    assert error.span is not None and (error.span.line, error.span.source.label) == (1, "[4]")
    assert list(fleet.catalogs) == ["d"]


def test_a_cell_that_fails_here_is_left_out() -> None:
    made = Session(facts="debian-12", interactive=True)
    made.run("$x = 1", "one")
    made.run("notify { 'a': message => $x + 1 }", "two")
    made.run("$x = 'text'", "one")
    assert made.cells[1].outcome.error is not None
    fleet = made.fleet({"d": "debian-12"})
    assert not fleet.errors and notified(fleet) == []


def test_an_environment_and_its_nodes() -> None:
    nodes = {"web1.example.com": "debian-12", "db1.example.com": "rocky-9", "lonely": "debian-12"}
    fleet = Session(environment=GARAGE).fleet(nodes)
    for node, known in nodes.items():
        one = Session(environment=GARAGE, node=node, facts=known)
        assert one.beginning is not None and one.beginning.error is None
        assert fleet.catalogs[node] == one.catalog().to_json()
    assert not fleet.errors


def test_trusted_data_follows_the_node_and_keeps_what_was_given() -> None:
    made = Session(trusted={"extensions": {"pp_role": "web"}})
    made.run(
        "notify { \"${trusted['certname']} ${trusted['domain']} ${trusted['extensions']['pp_role']}\": }"
    )
    fleet = made.fleet({"a.example.com": {}, "b.test": {}})
    assert notified(fleet) == ["a.example.com example.com web", "b.test test web"]


def test_one_node_with_several_facts_keeps_its_name() -> None:
    made = Session(node="web1")
    made.run("node 'web1' { notify { \"x${facts['x']}\": } }\nnode default { notify { 'other': } }")
    fleet = made.fleet({"x=1": {"x": "1"}, "x=2": {"x": "2"}}, certname="web1")
    assert notified(fleet) == ["x1", "x2"]


def test_a_set_of_facts_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="there is no fact set 'beos'"):
        session().fleet({"a": "beos"})


def test_sensitive_values_stay_where_they_are() -> None:
    made = Session()
    made.run("notify { 'a': message => Sensitive('hush') }")
    assert "hush" not in str(made.fleet({"a": {}}).catalogs["a"])


# --- executors


def test_threads_give_the_same(expected: dict[str, Any]) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert told(session().fleet(facts(), executor)) == expected


def test_an_executor_that_breaks_or_was_shut_down_is_replaced(expected: dict[str, Any]) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    assert told(session().fleet(facts(), executor)) == expected


def test_a_pool_that_breaks_in_the_middle_costs_no_result(expected: dict[str, Any]) -> None:
    import multiprocessing

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        killed = []

        def kill(fleet: Fleet) -> None:
            if not killed:
                killed.extend(executor._processes)
                os.kill(killed[0], signal.SIGKILL)

        assert told(session().fleet(facts(), executor, on_progress=kill)) == expected
    assert killed


class Dying(ProcessExecutor):
    """Two processes, of which the first two that are given work die."""

    def __init__(self, folder: Path) -> None:
        super().__init__(2)
        self.folder = folder

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return super().submit(after_deaths, 2, self.folder, function, *arguments, **named)


def test_a_process_that_is_killed_costs_its_chunk_another_try(
    expected: dict[str, Any], tmp_path: Path
) -> None:
    executor = Dying(tmp_path)
    try:
        assert told(session().fleet(facts(), executor)) == expected
    finally:
        executor.shutdown(cancel_futures=True)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_node_that_ends_its_process_takes_no_other_along() -> None:
    nodes = {f"n{number}": {} for number in range(60)} | {"deadly": {}} | {"last": {}}
    fleet = compile_nodes(Deadly(), nodes)
    assert set(fleet.catalogs) == nodes.keys() - {"deadly"}
    error = fleet.errors["deadly"]
    assert error.code == "NODE_LOST"
    assert str(error) == "There is no catalog of deadly: its process ended (signal 9)"


def test_processes_end_with_the_fleet_even_when_it_is_interrupted() -> None:
    started: list[int] = []
    executor = ProcessExecutor(1)

    def stop(fleet: Fleet) -> None:
        started.extend(worker.process.child.pid for worker in executor.workers if worker.process is not None)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session().fleet(facts(), executor, on_progress=stop)
    executor.shutdown(cancel_futures=True)
    for number in started:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_a_call_that_raises_says_what() -> None:
    with ProcessExecutor(1) as executor, pytest.raises(CallFailed, match="ZeroDivisionError"):
        executor.submit(divmod, 1, 0).result()


@pytest.mark.slow
def test_dask_gives_the_same_though_a_worker_is_killed(
    expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # folders of tests that stand on the path may hold modules that are called like Python's own
    monkeypatch.setattr(sys, "path", [place for place in sys.path if Path(place).parent != TESTS])
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    killed: list[int] = []
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "120s"}),  # a busy machine starts slowly
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill(fleet: Fleet) -> None:
            if not killed:
                killed.extend(client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        assert told(session().fleet(facts(), client.get_executor(), on_progress=kill)) == expected
    assert killed


@pytest.mark.slow
def test_a_program_stays_as_large_as_it_is() -> None:
    program = pickle.dumps(
        PortableProgram(session().runtime.settings, [entry.cell for entry in session().cells])
    )
    nodes = [(node, node, known) for node, known in facts().items()]

    def objects() -> int:
        compile_chunk(program, nodes)
        gc.collect()
        return len(gc.get_objects())

    objects()
    before = objects()
    for _ in range(4):
        compile_chunk(program, nodes)
    assert objects() - before < 200


# --- what goes through a pickle


def test_an_error_is_read_back_as_it_was() -> None:
    outcome = Session().run("class a { }\n$x = 1\n$x = [type(1), 2]")
    error = outcome.error
    assert error is not None
    error.notes = (*error.notes, Note("a note", error.span))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is PuppetError
    assert (str(again), again.code, again.help, again.arguments) == (
        *(str(error), error.code, error.help),
        error.arguments,
    )
    assert [note.text for note in again.notes] == [note.text for note in error.notes]
    assert (again.span.line, again.span.column) == (error.span.line, error.span.column)


def test_an_error_about_values_is_read_back_with_their_texts() -> None:
    error = Session().run("Integer[1] + 1").error
    assert error is not None
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.arguments.keys() == error.arguments.keys()


@pytest.mark.parametrize(
    "source",
    [
        "1 + 1",
        "notify { 'a': message => Sensitive('hush') }",
        "[Integer[1], /a/, Sensitive('hush')]",
        "warning('w')\n$undefined",
        "class a { }\nfunction f() { 1 }",
        "realize(Notify['later'])",
        "1 + undef",
        "{ 'a' => [1, 2.5, true, undef] }",
    ],
)
def test_an_outcome_is_read_back_as_it_is_told(source: str) -> None:
    outcome = Session(interactive=True).run(source)
    content = pickle.dumps(outcome)
    again = pickle.loads(content)
    assert (again.text, again.type, again.defined) == (outcome.text, outcome.type, outcome.defined)
    assert (str(again.error), str(again.logs)) == (str(outcome.error), str(outcome.logs))
    assert list(map(str, again.notes)) == list(map(str, outcome.notes))
    assert [line.suggestion for line in again.logs] == [line.suggestion for line in outcome.logs]
    assert b"hush" not in content.replace(source.encode(), b"")


def test_the_value_of_an_outcome_is_read_back_when_it_is_data() -> None:
    made = Session()
    assert pickle.loads(pickle.dumps(made.run("{ 'a' => [1, 2.5, true, undef] }"))).value == {
        "a": [1, 2.5, True, None]
    }
    assert pickle.loads(pickle.dumps(made.run("Integer"))).value is None


def test_a_catalog_is_read_back_as_its_views() -> None:
    made = Session()
    made.run("@@notify { 'a': message => Sensitive('hush') }\nnotify { 'b': message => default }")
    catalog = made.catalog()
    content = pickle.dumps(catalog)
    again = pickle.loads(content)
    assert b"hush" not in content
    assert again.to_json() == catalog.to_json()
    assert again.to_json(rich_data=True) == catalog.to_json(rich_data=True)
    assert (again.summary(), again.exports()) == (catalog.summary(), catalog.exports())
