"""Compiled files are cached in the process, and never outlive the content of the file."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.compiler.emitter import CodeEmitter
from evaluator.program import sandbox, source_cache, stat_cache


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    return tmp_path


def write(root: Path, name: str, text: str, *, age: float = 100) -> None:
    """Write a file with a modification time `age` seconds ago; its change time cannot be set."""
    path = root / "m" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    then = path.stat().st_mtime - age
    os.utime(path, (then, then))


def make_session(root: Path, **options: object) -> Session:
    """Return a session with a module path."""
    return Session("puppet", modulepath=[str(root)], **options)  # type: ignore[arg-type]


def run_and_list_messages(session: Session, source: str = "include m") -> list[str]:
    outcome = session.run(source)
    assert outcome.error is None, outcome.error
    return [line.message for line in outcome.logs]


def test_the_same_content_is_parsed_and_compiled_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "manifests/init.pp", "class m { m::d { 'a': } }")
    write(root, "manifests/d.pp", "define m::d(Integer $x = 1 + 1) { notice($x) }")
    compiled: list[str] = []
    finish = CodeEmitter.compile_definition

    def count_and_compile(emitter: CodeEmitter, function: ast.FunctionDef) -> object:
        compiled.append(emitter.unit.filename)
        return finish(emitter, function)

    monkeypatch.setattr(CodeEmitter, "compile_definition", count_and_compile)
    session = make_session(root)
    assert run_and_list_messages(session) == ["2"]
    assert len([name for name in compiled if str(root) in name]) == 3
    compiled.clear()
    monkeypatch.setattr("evaluator.running.loader.parse_bounded", None)
    session.reset()
    assert run_and_list_messages(session) == ["2"]
    assert run_and_list_messages(make_session(root)) == ["2"]
    assert compiled and not [name for name in compiled if str(root) in name]


def test_a_change_with_the_same_size_and_time_is_noticed(root: Path) -> None:
    write(root, "manifests/init.pp", "class m { notice('one') }")
    path = root / "m" / "manifests" / "init.pp"
    before = path.stat()
    session = make_session(root)
    assert run_and_list_messages(session) == ["one"]
    with path.open("r+") as file:
        file.write("class m { notice('two') }")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    session.reset()
    assert run_and_list_messages(session) == ["two"]
    assert run_and_list_messages(make_session(root)) == ["two"]


def test_an_old_file_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "manifests/init.pp", "class m { notice('one') }")
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)
    assert run_and_list_messages(make_session(root)) == ["one"]
    monkeypatch.setattr(sandbox, "read_source", None)
    assert run_and_list_messages(make_session(root)) == ["one"]
    monkeypatch.undo()
    write(root, "manifests/init.pp", "class m { notice('three') }")
    assert run_and_list_messages(make_session(root)) == ["three"]


def test_each_session_resolves_names_itself(root: Path) -> None:
    write(root, "manifests/init.pp", "class m { notice(size('abc'), upcase('x').size, m::f(1)) }")
    write(root, "functions/f.pp", 'function m::f(Optional[M::T] $x) { "f${x}" }')
    write(root, "types/t.pp", "type M::T = Integer")
    own = "function size($x) { 'own' }"
    assert run_and_list_messages(make_session(root)) == ["3 1 f1"]
    assert run_and_list_messages(make_session(root), f"{own} include m") == ["own own f1"]
    assert run_and_list_messages(make_session(root)) == ["3 1 f1"]
    write(root, "types/t.pp", "type M::T = String")
    outcome = make_session(root).run("include m")
    assert "expects a M::T = String value, got Integer" in str(outcome.error)
    write(root, "types/t.pp", "type M::T = Numeric")
    assert run_and_list_messages(make_session(root)) == ["3 1 f1"]


def test_the_settings_of_each_session_are_respected(root: Path) -> None:
    write(root, "manifests/init.pp", "class m { notice('1234567890' + 1) }")
    assert run_and_list_messages(make_session(root, strict="warning"))[-1] == "1234567891"
    assert "was automatically coerced" in str(make_session(root).run("include m").error)
    outcome = make_session(root, limits={"max_source_length": 10}).run("include m")
    assert outcome.error is not None and "max_source_length" in str(outcome.error)
    spec = Session("spec", modulepath=[str(root)])
    assert run_and_list_messages(spec)[-1] == "1234567891"


def test_a_function_that_hides_a_built_in_one_and_undo(root: Path) -> None:
    write(root, "manifests/init.pp", "class m { m::d { 'a': } }")
    write(root, "manifests/d.pp", "define m::d { notice(abs(-1)) }")
    session = make_session(root)
    assert run_and_list_messages(session) == ["1"]
    session.undo()
    assert run_and_list_messages(session, "function abs($x) { 'mine' }\ninclude m") == ["mine"]
    session.undo()
    assert run_and_list_messages(session) == ["1"]


def test_templates_are_cached_by_their_text(root: Path) -> None:
    write(root, "templates/t.epp", "<%= 1 + 1 %>")
    source = "notice(epp('m/t.epp'))"
    assert run_and_list_messages(make_session(root), source) == ["2"]
    write(root, "templates/t.epp", "<%= 1 + 2 %>")
    assert run_and_list_messages(make_session(root), source) == ["3"]


def test_errors_in_cached_code_have_positions(root: Path) -> None:
    write(root, "manifests/init.pp", 'class m {\n  $x = 1\n  [1].each |$v| {\n    fail("no ${v}")\n  }\n}')
    first, second = (make_session(root).run("include m").error for _ in range(2))
    assert str(first) == str(second)
    assert "line: 4" in str(second)


def test_the_size_of_the_cache_is_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_cache, "_files", {})
    monkeypatch.setattr(source_cache, "_unused_characters", 1000)
    monkeypatch.setattr(source_cache, "MOST_FILES", 5)
    for number in range(20):
        write(root, f"manifests/c{number}.pp", f"class m::c{number} {{ }} # {'x' * 10 * number}")
        run_and_list_messages(make_session(root), f"include m::c{number}")
        texts = [file.text for file in source_cache._files.values()]
        assert len(texts) <= 5 and sum(map(len, texts)) <= 1000
    assert source_cache._unused_characters == 1000 - sum(
        len(file.text) for file in source_cache._files.values()
    )
