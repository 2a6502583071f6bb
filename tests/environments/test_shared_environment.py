"""What sessions share of their modules, and that nothing of one session reaches another."""

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


@pytest.fixture(autouse=True)
def trusted_stamps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stamp of a file that was just written prove that it has not changed."""
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)


shares = pytest.mark.skipif(not memo.ENABLED, reason="nothing is stored")


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    write(tmp_path, "m/types/port.pp", "type M::Port = Integer[1, 10]")
    write(tmp_path, "m/types/ports.pp", "type M::Ports = Array[M::Port]")
    write(tmp_path, "m/types/tree.pp", "type M::Tree = Variant[Integer, Array[M::Tree]]")
    write(tmp_path, "m/manifests/init.pp", "class m (M::Ports $ports = [1]) { notice($ports) }")
    return tmp_path


def write(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def value(modules: Path, source: str, **options: object) -> object:
    outcome = Session("puppet", modulepath=[modules], **options).run(source)  # type: ignore[arg-type]
    return str(outcome.error) if outcome.error is not None else outcome.value


@shares
def test_an_answer_is_computed_again_when_a_place_has_changed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one").write_text("1")
    computed: list[object] = []

    def answer() -> object:
        folder = stat_cache.resolve(f"{tmp_path}/a")
        stat_cache.get_stamp(f"{folder}/one")
        stat_cache.get_mode(f"{folder}/missing")
        computed.append(folder)
        return folder

    def ask() -> int:
        stat_cache.begin_run()
        for _ in range(2):
            assert stat_cache.memoize_query((tmp_path, "query"), answer) == os.path.realpath(tmp_path / "a")
        stat_cache.end_run()
        return len(computed)

    assert ask() == ask() == 1
    (tmp_path / "a" / "other").write_text("2")  # nobody has looked at it, nor at the list of the folder
    assert ask() == 1
    (tmp_path / "a" / "one").write_text("12")
    assert ask() == 2
    (tmp_path / "a" / "missing").write_text("now here")
    assert ask() == 3
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "a").symlink_to("b")
    assert ask() == 4
    (tmp_path / "c").mkdir()
    (tmp_path / "a").unlink()
    (tmp_path / "a").symlink_to("c")
    assert ask() == 5
    assert ask() == 5


@shares
def test_sessions_share_the_types_of_modules(modules: Path) -> None:
    first = Session("puppet", modulepath=[modules])
    second = Session("puppet", modulepath=[modules], node="other")
    assert first.run("[1] =~ M::Ports").value is second.run("[1] =~ M::Ports").value is True
    found = [one.run("M::Ports").value for one in (first, second)]
    assert found[0] is found[1]
    environment = first.runtime.environment
    assert environment is second.runtime.environment is get_environment(second.runtime.settings)
    assert "m::ports" in environment.aliases and "m::port" in environment.aliases


def test_a_recursive_type_is_shared(modules: Path) -> None:
    for _ in range(2):
        assert value(modules, "[[1, [2]], 3] =~ M::Tree") is True
        assert value(modules, "[['x']] =~ M::Tree") is False


def test_a_changed_file_is_seen(modules: Path) -> None:
    assert value(modules, "[11] =~ M::Ports") is False
    (modules / "m/types/port.pp").write_text("type M::Port = Integer[1, 20]")
    assert value(modules, "[11] =~ M::Ports") is True
    (modules / "m/types/port.pp").unlink()
    assert value(modules, "[11] =~ M::Ports") is False
    write(modules, "m/types/port.pp", "type M::Port = String")
    assert value(modules, "['x'] =~ M::Ports") is True


def test_a_definition_of_a_cell_comes_first(modules: Path) -> None:
    assert value(modules, "type M::Port = String\n['x'] =~ M::Ports") is True
    assert value(modules, "[1] =~ M::Ports") is True
    assert value(modules, "type M::Port = String\n['x'] =~ M::Ports") is True


def test_a_define_of_a_module_comes_before_a_type_of_its_name(modules: Path) -> None:
    assert value(modules, "1 =~ M::Port") is True
    write(modules, "m/manifests/port.pp", "define m::port($p = 1) { notice($p) }")
    for _ in range(2):
        assert value(modules, "1 =~ M::Port") is False
        assert value(modules, "[1] =~ M::Ports") is False
        assert value(modules, "$x = M::Port\nm::port { 'x': }\nString($x)") == "M::Port"
        assert value(
            modules, "M::Port { p => 2 }\nm::port { 'x': }\nM::Port['x'] -> Notify['y']\nnotify { 'y': }"
        )
        assert "expects a Resource value" in str(value(modules, "function f(M::Port $p) { }\nf(1)"))


def test_a_type_that_a_shared_one_names_exists_already(modules: Path) -> None:
    for _ in range(2):
        session = Session("puppet", modulepath=[modules])
        assert session.run("[1] =~ M::Ports").value is True
        assert "attempt to redefine" in str(session.run("type M::Port = String").error).lower()


def test_a_type_that_names_what_only_one_session_has_is_not_shared(modules: Path) -> None:
    write(modules, "m/types/mine.pp", "type M::Mine = Type[Other]")
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


def test_a_failed_cell_takes_no_shared_type_back(modules: Path) -> None:
    session = Session("puppet", modulepath=[modules])
    assert session.run("$x = [1] =~ M::Ports\nfail('no')").error is not None
    assert session.run("[1] =~ M::Ports").value is True
    assert session.run("[1] =~ M::Ports", cell_id="a").value is True
    assert session.undo()
    assert value(modules, "[1] =~ M::Ports") is True


def test_data_is_shared_and_its_interpolation_is_not(modules: Path) -> None:
    write(modules, "m/hiera.yaml", "version: 5\nhierarchy: [{ name: c, path: c.yaml }]")
    write(modules, "m/data/c.yaml", "m::who: 'on %{trusted.certname}'\n")
    for node in ("a", "b"):
        assert value(modules, "lookup('m::who')", node=node) == f"on {node}"
    write(modules, "m/data/c.yaml", "m::who: 'at %{trusted.certname}'\n")
    assert value(modules, "lookup('m::who')", node="c") == "at c"
