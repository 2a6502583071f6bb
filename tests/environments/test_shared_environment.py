"""Sessions share the parsed files and types of their modules, and no data."""

from __future__ import annotations

import gc
import os
import weakref
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import stat_cache
from evaluator.program.environment import get_environment
from lexer_parser import memo
from tests.files import write_files


@pytest.fixture(autouse=True)
def trusted_stamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the stamp of a file also if the file was just written."""
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)


shares = pytest.mark.skipif(not memo.ENABLED, reason="nothing is stored")


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    return write_files(
        tmp_path,
        {
            "m/types/port.pp": "type M::Port = Integer[1, 10]",
            "m/types/ports.pp": "type M::Ports = Array[M::Port]",
            "m/types/tree.pp": "type M::Tree = Variant[Integer, Array[M::Tree]]",
            "m/manifests/init.pp": "class m (M::Ports $ports = [1]) { notice($ports) }",
        },
    )


def evaluate(modules: Path, source: str, **options: object) -> object:
    outcome = Session("puppet", modulepath=[modules], **options).run(source)  # type: ignore[arg-type]
    return str(outcome.error) if outcome.error is not None else outcome.value


@shares
def test_a_memoized_query_is_computed_again_if_a_file_that_it_read_has_changed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_text("1")
    computed: list[object] = []

    def compute() -> object:
        folder = stat_cache.resolve(f"{tmp_path}/a")
        stat_cache.get_stamp(f"{folder}/one")
        stat_cache.get_mode(f"{folder}/missing")
        computed.append(folder)
        return folder

    def run_query_twice() -> int:
        stat_cache.begin_run()
        for _ in range(2):
            assert stat_cache.memoize_query((tmp_path, "query"), compute) == os.path.realpath(tmp_path / "a")
        stat_cache.end_run()
        return len(computed)

    assert run_query_twice() == run_query_twice() == 1
    # The query has read neither this file nor the list of the folder.
    (tmp_path / "a" / "other").write_text("2")
    assert run_query_twice() == 1
    (tmp_path / "a" / "one").write_text("12")
    assert run_query_twice() == 2
    (tmp_path / "a" / "missing").write_text("now here")
    assert run_query_twice() == 3
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "a").symlink_to("b")
    assert run_query_twice() == 4
    (tmp_path / "c").mkdir()
    (tmp_path / "a").unlink()
    (tmp_path / "a").symlink_to("c")
    assert run_query_twice() == 5
    assert run_query_twice() == 5


@shares
def test_sessions_share_the_types_of_modules(modules: Path) -> None:
    first = Session("puppet", modulepath=[modules])
    second = Session("puppet", modulepath=[modules], node="other")
    assert first.run("[1] =~ M::Ports").value is second.run("[1] =~ M::Ports").value is True
    types = [session.run("M::Ports").value for session in (first, second)]
    assert types[0] is types[1]
    environment = first.runtime.environment
    assert environment is second.runtime.environment is get_environment(second.runtime.settings)
    assert "m::ports" in environment.aliases and "m::port" in environment.aliases


def test_a_recursive_type_is_shared(modules: Path) -> None:
    for _ in range(2):
        assert evaluate(modules, "[[1, [2]], 3] =~ M::Tree") is True
        assert evaluate(modules, "[['x']] =~ M::Tree") is False


def test_a_changed_file_of_a_type_is_read_again(modules: Path) -> None:
    assert evaluate(modules, "[11] =~ M::Ports") is False
    (modules / "m/types/port.pp").write_text("type M::Port = Integer[1, 20]")
    assert evaluate(modules, "[11] =~ M::Ports") is True
    (modules / "m/types/port.pp").unlink()
    assert evaluate(modules, "[11] =~ M::Ports") is False
    write_files(modules, {"m/types/port.pp": "type M::Port = String"})
    assert evaluate(modules, "['x'] =~ M::Ports") is True


def test_a_type_of_a_cell_hides_the_type_of_the_module(modules: Path) -> None:
    assert evaluate(modules, "type M::Port = String\n['x'] =~ M::Ports") is True
    assert evaluate(modules, "[1] =~ M::Ports") is True
    assert evaluate(modules, "type M::Port = String\n['x'] =~ M::Ports") is True


def test_a_define_of_a_module_hides_a_type_of_its_name(modules: Path) -> None:
    assert evaluate(modules, "1 =~ M::Port") is True
    write_files(modules, {"m/manifests/port.pp": "define m::port($p = 1) { notice($p) }"})
    for _ in range(2):
        assert evaluate(modules, "1 =~ M::Port") is False
        assert evaluate(modules, "[1] =~ M::Ports") is False
        assert evaluate(modules, "$x = M::Port\nm::port { 'x': }\nString($x)") == "M::Port"
        assert evaluate(
            modules, "M::Port { p => 2 }\nm::port { 'x': }\nM::Port['x'] -> Notify['y']\nnotify { 'y': }"
        )
        assert "expects a Resource value" in str(evaluate(modules, "function f(M::Port $p) { }\nf(1)"))


def test_a_type_that_a_shared_type_names_cannot_be_redefined(modules: Path) -> None:
    for _ in range(2):
        session = Session("puppet", modulepath=[modules])
        assert session.run("[1] =~ M::Ports").value is True
        assert "attempt to redefine" in str(session.run("type M::Port = String").error).lower()


def test_a_type_that_names_a_definition_of_one_session_is_not_shared(modules: Path) -> None:
    write_files(modules, {"m/types/mine.pp": "type M::Mine = Type[Other]"})
    defining = Session("puppet", modulepath=[modules])
    assert defining.run("define other() {}\nOther =~ M::Mine").value is True
    assert "m::mine" not in defining.runtime.environment.aliases


def test_a_shared_type_keeps_no_session_alive(modules: Path) -> None:
    session = Session("puppet", modulepath=[modules], facts={"secret": "x"})
    session.run("include m")
    program = weakref.ref(session.runtime)
    del session
    gc.collect()
    assert program() is None


def test_a_failed_cell_removes_no_shared_type(modules: Path) -> None:
    session = Session("puppet", modulepath=[modules])
    assert session.run("$x = [1] =~ M::Ports\nfail('no')").error is not None
    assert session.run("[1] =~ M::Ports").value is True
    assert session.run("[1] =~ M::Ports", cell_id="a").value is True
    assert session.undo()
    assert evaluate(modules, "[1] =~ M::Ports") is True


def test_data_is_shared_without_its_interpolation(modules: Path) -> None:
    write_files(modules, {"m/hiera.yaml": "version: 5\nhierarchy: [{ name: c, path: c.yaml }]"})
    write_files(modules, {"m/data/c.yaml": "m::who: 'on %{trusted.certname}'\n"})
    for node in ("a", "b"):
        assert evaluate(modules, "lookup('m::who')", node=node) == f"on {node}"
    write_files(modules, {"m/data/c.yaml": "m::who: 'at %{trusted.certname}'\n"})
    assert evaluate(modules, "lookup('m::who')", node="c") == "at c"
