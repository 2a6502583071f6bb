"""A fleet has the same catalogs as its nodes alone, with any executor."""

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
from tests.fleet.programs import KillingProgram, call_after_kills

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


def make_session(**settings: Any) -> Session:
    """Return a session of the program."""
    session = Session(facts="debian-12", **settings)
    for source in PROGRAM:
        assert session.run(source).error is None
    return session


def make_facts(count: int = 40) -> dict[str, dict[str, Any]]:
    """Return the facts of nodes, with the bundled systems in turn."""
    sets = list_fact_sets()
    return {
        f"web{number}.example.com": read_facts(sets[number % len(sets)], f"web{number}.example.com")
        for number in range(count)
    }


def compile_alone(node: str, node_facts: dict[str, Any], **settings: Any) -> tuple[Any, str | None]:
    """Return the catalog of a node that is compiled in a session of its own, or its error."""
    session = Session(node=node, facts=node_facts, **settings)
    for source in PROGRAM:
        outcome = session.run(source)
        if outcome.error is not None:
            return None, str(outcome.error)
    return session.catalog().to_json(), None


def collect_results(fleet: Fleet) -> dict[str, tuple[Any, str | None]]:
    """Return the catalog or the error of each node."""
    errors = {node: (None, str(error)) for node, error in fleet.errors.items()}
    return {**{node: (catalog, None) for node, catalog in fleet.catalogs.items()}, **errors}


def list_notifications(fleet: Fleet) -> list[str]:
    """Return the titles of the notifications, node by node."""
    return [
        resource["title"]
        for catalog in fleet.catalogs.values()
        for resource in catalog["resources"]
        if resource["type"] == "Notify"
    ]


@pytest.fixture(scope="module")
def expected_results() -> dict[str, tuple[Any, str | None]]:
    """Return the results of all nodes that are compiled alone."""
    return {node: compile_alone(node, node_facts) for node, node_facts in make_facts().items()}


def test_every_node_has_the_same_catalog_as_alone(expected_results: dict[str, Any]) -> None:
    nodes = make_facts()
    progress = []
    fleet = make_session().fleet(
        nodes, on_progress=lambda fleet: progress.append((fleet.result_count, fleet.seconds_left))
    )
    assert collect_results(fleet) == expected_results
    assert list(fleet.catalogs) == [node for node in nodes if node not in fleet.errors]
    assert len(fleet.errors) == sum(node_facts["os"]["name"] == "Fedora" for node_facts in nodes.values()) > 0
    assert progress[-1] == (len(nodes), 0.0) and [count for count, _ in progress] == sorted(
        count for count, _ in progress
    )
    assert all(seconds > 0 for seconds in fleet.seconds.values())


# A module. The definitions that a node loads, and those that they refer to, depend on its facts.
SHELF = {
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


def test_a_node_is_independent_of_definitions_loaded_for_other_nodes(tmp_path: Path) -> None:
    for path, text in SHELF.items():
        file = tmp_path / "shelf" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    kinds = "abcabdacbd"
    nodes = {
        f"n{number}": {"kind": kind, "size": size}
        for number, (kind, size) in enumerate((kind, size) for size in (1, 2, 11, "x", 3) for kind in kinds)
    }
    for source in ("include shelf", "function shelf::label($n) { 'own' } include shelf"):
        session = Session("puppet", modulepath=[tmp_path], node="none", facts=nodes["n0"])
        assert session.run(source).error is None
        fleet = session.fleet(nodes, executor=InlineExecutor())
        for node, node_facts in nodes.items():
            alone = Session("puppet", modulepath=[tmp_path], node=node, facts=node_facts)
            error = alone.run(source).error
            assert str(fleet.errors.get(node)) == str(error)
            assert error is not None or fleet.catalogs[node] == alone.catalog().to_json()
        assert 0 < len(fleet.errors) < len(nodes)


def test_errors_have_their_position_and_their_cell() -> None:
    fleet = make_session(interactive=True).fleet({"f": "fedora-41", "d": "debian-12"})
    error = fleet.errors["f"]
    assert "no Fedora here" in error.message
    assert error.span is not None and (error.span.line, error.span.source.label) == (1, "[4]")
    assert list(fleet.catalogs) == ["d"]


def test_a_cell_that_fails_in_the_session_is_excluded() -> None:
    session = Session(facts="debian-12", interactive=True)
    session.run("$x = 1", "one")
    session.run("notify { 'a': message => $x + 1 }", "two")
    session.run("$x = 'text'", "one")
    assert session.cells[1].outcome.error is not None
    fleet = session.fleet({"d": "debian-12"})
    assert not fleet.errors and list_notifications(fleet) == []


def test_nodes_of_an_environment_have_the_same_catalogs_as_alone() -> None:
    nodes = {"web1.example.com": "debian-12", "db1.example.com": "rocky-9", "lonely": "debian-12"}
    fleet = Session(environment=GARAGE).fleet(nodes)
    for node, node_facts in nodes.items():
        alone = Session(environment=GARAGE, node=node, facts=node_facts)
        assert alone.beginning is not None and alone.beginning.error is None
        assert fleet.catalogs[node] == alone.catalog().to_json()
    assert not fleet.errors


def test_trusted_data_has_the_name_of_the_node_and_the_extensions_of_the_session() -> None:
    session = Session(trusted={"extensions": {"pp_role": "web"}})
    session.run(
        "notify { \"${trusted['certname']} ${trusted['domain']} ${trusted['extensions']['pp_role']}\": }"
    )
    fleet = session.fleet({"a.example.com": {}, "b.test": {}})
    assert list_notifications(fleet) == ["a.example.com example.com web", "b.test test web"]


def test_one_node_may_have_several_sets_of_facts() -> None:
    session = Session(node="web1")
    session.run("node 'web1' { notify { \"x${facts['x']}\": } }\nnode default { notify { 'other': } }")
    fleet = session.fleet({"x=1": {"x": "1"}, "x=2": {"x": "2"}}, certname="web1")
    assert list_notifications(fleet) == ["x1", "x2"]


def test_an_unknown_set_of_facts_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no fact set 'beos'"):
        make_session().fleet({"a": "beos"})


def test_sensitive_values_are_redacted() -> None:
    session = Session()
    session.run("notify { 'a': message => Sensitive('hush') }")
    assert "hush" not in str(session.fleet({"a": {}}).catalogs["a"])


def test_an_executor_with_threads_has_the_same_results(expected_results: dict[str, Any]) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert collect_results(make_session().fleet(make_facts(), executor)) == expected_results


def test_an_executor_that_was_shut_down_is_replaced(expected_results: dict[str, Any]) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    assert collect_results(make_session().fleet(make_facts(), executor)) == expected_results


def test_no_result_is_lost_if_a_pool_breaks(expected_results: dict[str, Any]) -> None:
    import multiprocessing

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        killed = []

        def kill(fleet: Fleet) -> None:
            if not killed:
                killed.extend(executor._processes)
                os.kill(killed[0], signal.SIGKILL)

        assert (
            collect_results(make_session().fleet(make_facts(), executor, on_progress=kill))
            == expected_results
        )
    assert killed


class KillingExecutor(ProcessExecutor):
    """An executor of two processes, of which the first two with work are killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(2)
        self.folder = folder

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return super().submit(call_after_kills, 2, self.folder, function, *arguments, **named)


def test_the_nodes_of_a_killed_process_are_compiled_again(
    expected_results: dict[str, Any], tmp_path: Path
) -> None:
    executor = KillingExecutor(tmp_path)
    try:
        assert collect_results(make_session().fleet(make_facts(), executor)) == expected_results
    finally:
        executor.shutdown(cancel_futures=True)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_node_that_kills_its_process_is_the_only_one_without_catalog() -> None:
    nodes = {f"n{number}": {} for number in range(60)} | {"deadly": {}} | {"last": {}}
    fleet = compile_nodes(KillingProgram(), nodes)
    assert set(fleet.catalogs) == nodes.keys() - {"deadly"}
    error = fleet.errors["deadly"]
    assert error.code == "NODE_LOST"
    assert str(error) == "There is no catalog of deadly: its process ended (signal 9)"


def test_processes_are_ended_if_the_fleet_is_interrupted() -> None:
    process_ids: list[int] = []
    executor = ProcessExecutor(1)

    def stop(fleet: Fleet) -> None:
        process_ids.extend(
            worker.process.child.pid for worker in executor.workers if worker.process is not None
        )
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_session().fleet(make_facts(), executor, on_progress=stop)
    executor.shutdown(cancel_futures=True)
    for number in process_ids:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_the_exception_of_a_call_is_reported() -> None:
    with ProcessExecutor(1) as executor, pytest.raises(CallFailed, match="ZeroDivisionError"):
        executor.submit(divmod, 1, 0).result()


@pytest.mark.slow
def test_dask_has_the_same_results_if_a_worker_is_killed(
    expected_results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Folders of tests in the path may contain modules with the names of standard modules.
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if Path(folder).parent != TESTS])
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

        fleet = make_session().fleet(make_facts(), client.get_executor(), on_progress=kill)
        assert collect_results(fleet) == expected_results
    assert killed


@pytest.mark.slow
def test_compiling_nodes_does_not_leak_objects() -> None:
    program = pickle.dumps(
        PortableProgram(make_session().runtime.settings, [entry.cell for entry in make_session().cells])
    )
    nodes = [(node, node, node_facts) for node, node_facts in make_facts().items()]

    def count_objects() -> int:
        compile_chunk(program, nodes)
        gc.collect()
        return len(gc.get_objects())

    count_objects()
    before = count_objects()
    for _ in range(4):
        compile_chunk(program, nodes)
    assert count_objects() - before < 200


def test_a_pickled_error_is_restored() -> None:
    outcome = Session().run("class a { }\n$x = 1\n$x = [type(1), 2]")
    error = outcome.error
    assert error is not None
    error.notes = (*error.notes, Note("a note", error.span))
    restored = pickle.loads(pickle.dumps(error))
    assert type(restored) is PuppetError
    assert (str(restored), restored.code, restored.help, restored.arguments) == (
        *(str(error), error.code, error.help),
        error.arguments,
    )
    assert [note.text for note in restored.notes] == [note.text for note in error.notes]
    assert (restored.span.line, restored.span.column) == (error.span.line, error.span.column)


def test_a_pickled_error_has_the_texts_of_its_values() -> None:
    error = Session().run("Integer[1] + 1").error
    assert error is not None
    restored = pickle.loads(pickle.dumps(error))
    assert str(restored) == str(error)
    assert restored.arguments.keys() == error.arguments.keys()


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
def test_a_pickled_outcome_is_displayed_equally(source: str) -> None:
    outcome = Session(interactive=True).run(source)
    content = pickle.dumps(outcome)
    restored = pickle.loads(content)
    assert (restored.text, restored.type, restored.defined) == (outcome.text, outcome.type, outcome.defined)
    assert (str(restored.error), str(restored.logs)) == (str(outcome.error), str(outcome.logs))
    assert list(map(str, restored.notes)) == list(map(str, outcome.notes))
    assert [line.suggestion for line in restored.logs] == [line.suggestion for line in outcome.logs]
    assert b"hush" not in content.replace(source.encode(), b"")


def test_a_pickled_outcome_has_its_value_if_that_is_data() -> None:
    session = Session()
    assert pickle.loads(pickle.dumps(session.run("{ 'a' => [1, 2.5, true, undef] }"))).value == {
        "a": [1, 2.5, True, None]
    }
    assert pickle.loads(pickle.dumps(session.run("Integer"))).value is None


def test_a_pickled_catalog_has_equal_views() -> None:
    session = Session()
    session.run("@@notify { 'a': message => Sensitive('hush') }\nnotify { 'b': message => default }")
    catalog = session.catalog()
    content = pickle.dumps(catalog)
    restored = pickle.loads(content)
    assert b"hush" not in content
    assert restored.to_json() == catalog.to_json()
    assert restored.to_json(rich_data=True) == catalog.to_json(rich_data=True)
    assert (restored.summary(), restored.exports()) == (catalog.summary(), catalog.exports())
