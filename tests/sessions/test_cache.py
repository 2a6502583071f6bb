"""The cache of several processes: the same results, and no trust in files that others may have written."""

from __future__ import annotations

import errno
import marshal
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path

import pytest

from evaluator import Session, cache, resource_types
from evaluator.cache import DiskCache, folder, get_cache
from evaluator.fleet.compilation import ProcessExecutor
from evaluator.program import modules as module_files
from evaluator.program import source_cache
from evaluator.running import loader
from lexer_parser import memo
from tests.files import write_files
from tests.structure import ROOT

MODULE = {
    "manifests/init.pp": """\
class kit(Integer $size = 3, Enum['a', 'b'] $kind = 'a', String $given = "x${size}") {
  $list = [1, 2, 3].map |Integer $n| { $n * $size }
  $big = $list.filter |$n| { $n > 3 and $n =~ Integer[0, 100] }
  [$one, $two] = [1, 2]
  case $kind {
    /^(a)$/: { $found = $1 }
    Integer: { $found = 'i' }
    default: { $found = undef }
  }
  $odd = $size ? { 3 => { 'k' => [1, 2.5, default] }, default => {} }
  kit::part { 'p': size => $list[0], type => File['/x'] }
  file { '/x': ensure => file, content => kit::text($given, $one + $two), mode => '0644' }
  File <| title == '/x' |> { owner => 'root' }
  File { group => 'g' }
  Kit::Part['p'] -> File['/x']
  notice($big, $found, $odd, epp('kit/t.epp', { 'n' => 2 }), Class['kit'])
  kit_thing { 'one': level => 4 }
}
""",
    "manifests/part.pp": 'define kit::part(Kit::Size $size, Type $type) { notify { "${title}-${size}": } }\n',
    "functions/text.pp": 'function kit::text(String $a, Integer *$b) >> String { "${a}:${b}" }\n',
    "types/size.pp": "type Kit::Size = Integer[0, 10]\n",
    "templates/t.epp": "<%- | Integer $n | -%>\nn is <%= $n %>\n",
    "manifests/broken.pp": "class kit::broken {\n  $a = 1\n  $b = $a + 'no'\n}\n",
    "lib/puppet/type/kit_thing.rb": """\
Puppet::Type.newtype(:kit_thing) do
  newparam(:name, namevar: true)
  newproperty(:level)
end
""",
}


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A module path with one module."""
    return write_files(tmp_path / "modules" / "kit", MODULE).parent


@pytest.fixture
def cache_folder(tmp_path: Path) -> Path:
    """Return the folder of the cache."""
    return tmp_path / "caches" / "puppet-kernel"


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Separate the caches of this process from those of other tests."""
    clear_caches()
    yield
    clear_caches()


def clear_caches() -> None:
    """Empty the caches of this process, as in a new one."""
    source_cache._files.clear()
    memo.clear(get_cache, module_files._read_facts)


def run_in_new_session(
    modules: Path, cache_folder: Path | None, source: str = "include kit"
) -> tuple[object, ...]:
    """Return the results of a program as in a new process; the last is the list of warnings about the cache."""
    clear_caches()
    messages: list[str] = []
    session = Session(
        "puppet", modulepath=[modules], cache=None if cache_folder is None else str(cache_folder)
    )
    session.on_log = lambda line: messages.append(line.message)
    outcome = session.run(source)
    problem = outcome.error
    position = problem and problem.span and (problem.span.source.name, problem.span.line, problem.span.column)
    logs = [(line.level, line.message) for line in outcome.logs]
    cache_warnings = [message for message in messages if "cache" in message]
    return session.catalog().to_json(), logs, str(problem), position, cache_warnings


@pytest.fixture
def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function that forbids parsing files of modules and reading types in Ruby."""

    def forbid() -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("read again")

        monkeypatch.setattr(loader, "parse_bounded", refuse)
        monkeypatch.setattr(resource_types.sources, "read_ruby", refuse)
        monkeypatch.setattr(resource_types.sources, "read_generated", refuse)

    return forbid


@pytest.mark.parametrize(
    "source", ["include kit", "include kit::broken", "notice(kit::text('a'))\n$x = 1 + 'a'"]
)
def test_results_are_the_same_with_and_without_the_cache(
    modules: Path, cache_folder: Path, source: str
) -> None:
    first = run_in_new_session(modules, None, source)
    assert run_in_new_session(modules, cache_folder, source) == first  # which fills the cache
    assert run_in_new_session(modules, cache_folder, source) == first
    assert first[2] == "None" or "(file:" in str(first[2]) or first[3] is not None


def test_nothing_is_parsed_again(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None]
) -> None:
    first = run_in_new_session(modules, cache_folder)
    forbid_reading()
    assert run_in_new_session(modules, cache_folder) == first
    assert "read again" in str(run_in_new_session(modules, None)[2])


def test_no_code_is_compiled_again(
    modules: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evaluator.compiler.emitter import CodeEmitter

    compiled: list[str] = []

    compile_code = CodeEmitter._compile

    def compile_and_record(self: CodeEmitter, function: object) -> object:
        compiled.append(self.unit.filename)
        return compile_code(self, function)  # type: ignore[arg-type]

    monkeypatch.setattr(CodeEmitter, "_compile", compile_and_record)
    run_in_new_session(modules, cache_folder)
    filled = [name for name in compiled if "/kit/" in name]
    compiled.clear()
    run_in_new_session(modules, cache_folder)
    again = [Path(name).name for name in compiled if "/kit/" in name]
    # functions of a program, and code that depends on its own types, are compiled for each program
    assert len(filled) > len(again) and set(again) <= {"text.pp", "part.pp", "init.pp"} and len(again) <= 4


def test_the_processes_of_a_fleet_share_the_cache(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None]
) -> None:
    def compile_fleet(executor: Executor | None) -> object:
        clear_caches()
        session = Session("puppet", modulepath=[modules], cache=str(cache_folder))
        fleet = session.fleet({"n": "debian-12"}, executor, sources=["include kit"])
        return dict(fleet.catalogs), {node: str(error) for node, error in fleet.errors.items()}

    executor = ProcessExecutor(1)
    first = compile_fleet(executor)
    executor.shutdown()
    assert any(cache_folder.iterdir())
    forbid_reading()
    assert compile_fleet(None) == first  # in this process, since there is only one node
    shutil.rmtree(cache_folder)
    assert "read again" in str(compile_fleet(None))


def test_a_module_has_one_file_of_sources_and_one_of_types(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None]
) -> None:
    run_in_new_session(modules, cache_folder, "notice(kit::text('a', 1))")
    assert len(list(cache_folder.iterdir())) == 1
    first = run_in_new_session(modules, cache_folder)
    assert len(list(cache_folder.iterdir())) == 2
    forbid_reading()
    assert run_in_new_session(modules, cache_folder) == first
    assert run_in_new_session(modules, cache_folder, "notice(kit::text('a', 1))")[2] == "None"


def test_a_file_is_written_only_for_results_that_can_be_stored(modules: Path, cache_folder: Path) -> None:
    # the body depends on the type of an alias, of which each program has its own
    (modules / "kit" / "manifests" / "sized.pp").write_text("class kit::sized { notice(3 =~ Kit::Size) }")
    run_in_new_session(modules, cache_folder, "include kit::sized")
    run_in_new_session(modules, cache_folder)
    before = {path: path.stat().st_ino for path in cache_folder.iterdir()}
    run_in_new_session(modules, cache_folder, "include kit::sized")
    run_in_new_session(modules, cache_folder)
    assert {path: path.stat().st_ino for path in cache_folder.iterdir()} == before


def test_entries_of_two_processes_for_one_module_are_found(modules: Path, cache_folder: Path) -> None:
    one, other = DiskCache(str(cache_folder)), DiskCache(str(cache_folder))
    files = [str(modules / "kit" / "lib" / "puppet" / "type" / f"{name}.rb") for name in ("a", "b")]
    reads: list[str] = []
    for disk, path in zip((one, other), files, strict=True):
        assert disk.load_record(path, "thing", "text", lambda: reads.append("first")) is None
    assert (one.flush(), other.flush()) == (None, None)
    assert len(list(cache_folder.iterdir())) == 1
    third = DiskCache(str(cache_folder))
    for path in files:
        third.load_record(path, "thing", "text", lambda: reads.append("again"))
        third.load_record(path, "thing", "another text", lambda: reads.append("changed"))
    assert reads == ["first", "first", "changed", "changed"]


def test_a_file_that_becomes_too_long_is_started_again(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LONGEST", 100)
    for number in range(200):
        disk = DiskCache(str(cache_folder))
        disk.load_record(f"/m/lib/{number}", "thing", "text", lambda: None)
        disk.flush()
    (path,) = cache_folder.iterdir()
    assert 100 < path.stat().st_size < 2_000
    DiskCache(str(cache_folder)).load_record("/m/lib/199", "thing", "text", pytest.fail)


def test_changed_files_are_read_again(modules: Path, cache_folder: Path) -> None:
    run_in_new_session(modules, cache_folder)
    path = modules / "kit" / "functions" / "text.pp"
    path.write_text(path.read_text().replace("${a}:", "${a}!"))
    assert run_in_new_session(modules, cache_folder) == run_in_new_session(modules, None)
    thing = modules / "kit" / "lib" / "puppet" / "type" / "kit_thing.rb"
    thing.write_text(thing.read_text().replace("level", "depth"))
    assert "no parameter named 'level'" in str(run_in_new_session(modules, cache_folder)[2])


def test_code_is_reused_only_if_its_names_mean_the_same(modules: Path, cache_folder: Path) -> None:
    run_in_new_session(modules, cache_folder)
    other = "function notice(*$x) { fail('mine') }\ninclude kit"
    assert run_in_new_session(modules, cache_folder, other) == run_in_new_session(modules, None, other)


def test_another_version_of_the_program_finds_nothing(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in_new_session(modules, cache_folder)
    monkeypatch.setattr(folder, "_identify_program", lambda: ("another",))
    forbid_reading()
    assert "read again" in str(run_in_new_session(modules, cache_folder)[2])


PROGRAM_OF_UPGRADE = """
import os, shutil, sys, time
from evaluator import Session
from evaluator.cache import folder
root, modules, cache, change = sys.argv[1:]

def upgrade():
    name = os.path.join(root, "evaluator", "compiler", "literals.py")
    if change == "edit":
        with open(name, "a") as file:
            file.write("# another version")
    elif change == "replace":
        status = os.stat(name)
        shutil.copy(name, name + "~")
        os.replace(name + "~", name)
        os.utime(name, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "clock":
        now = time.time()
        time.time = lambda: now - 3600

messages = []
session = Session("puppet", modulepath=[modules], cache=cache)
session.on_log = lambda line: messages.append(line.message)
if change != "late":
    upgrade()
assert session.run("include kit").error is None
change = "edit"
upgrade()
assert session.run("include kit::other").error is None
print(len(os.listdir(cache)) if os.path.isdir(cache) else 0, messages)
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["none", "edit", "replace", "clock", "late"])
def test_a_process_that_started_before_an_upgrade_uses_no_cache(
    modules: Path, cache_folder: Path, tmp_path: Path, change: str
) -> None:
    (modules / "kit" / "manifests" / "other.pp").write_text("class kit::other { }")
    for package in ("evaluator", "lexer_parser"):
        shutil.copytree(ROOT / package, tmp_path / package)  # with compiled files
    time.sleep(0.02)  # files have coarser times than the clock
    command = [
        sys.executable,
        "-c",
        PROGRAM_OF_UPGRADE,
        str(tmp_path),
        str(modules),
        str(cache_folder),
        change,
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    count, _, warnings = result.stdout.partition(" ")
    assert (int(count) > 0) == (change in ("none", "late"))
    assert warnings.count("the cache is off: the program has changed since this process began") == 1


@pytest.mark.parametrize("days", [-4000, 4000])
def test_a_clock_that_jumps_loses_no_entry(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None], days: int
) -> None:
    first = run_in_new_session(modules, cache_folder)
    for path in cache_folder.iterdir():
        os.utime(path, (time.time() + days * 86400,) * 2)
    (cache_folder / ".unfinished").write_bytes(b"half")
    os.utime(cache_folder / ".unfinished", (time.time() + days * 86400,) * 2)
    forbid_reading()
    assert run_in_new_session(modules, cache_folder) == first
    assert all(
        abs(path.stat().st_mtime - time.time()) < 99 for path in cache_folder.iterdir() if path.name[0] != "."
    )
    folder.CacheFolder(str(cache_folder)).make_room()
    assert not (cache_folder / ".unfinished").exists()


def cut_in_half(content: bytes) -> bytes:
    """Return the first half of a content."""
    return content[: len(content) // 2]


def flip_a_bit(content: bytes) -> bytes:
    """Return a content with one changed bit near its end."""
    return content[:-5] + bytes([content[-5] ^ 1]) + content[-4:]


@pytest.mark.parametrize("damage", [cut_in_half, flip_a_bit, lambda _: b"", lambda _: b"x" * 100])
def test_a_damaged_file_is_created_again_with_one_warning(
    modules: Path, cache_folder: Path, damage: Callable[[bytes], bytes]
) -> None:
    first = run_in_new_session(modules, cache_folder)
    for path in cache_folder.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    assert run_in_new_session(modules, cache_folder) == (
        *first[:-1],
        [f"a damaged file in the cache {cache_folder} is created again"],
    )
    assert run_in_new_session(modules, cache_folder) == first


def test_the_content_of_another_file_counts_as_damage(modules: Path, cache_folder: Path) -> None:
    first = run_in_new_session(modules, cache_folder)
    paths = sorted(cache_folder.iterdir())
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    assert run_in_new_session(modules, cache_folder) == (
        *first[:-1],
        [f"a damaged file in the cache {cache_folder} is created again"],
    )
    assert run_in_new_session(modules, cache_folder) == first


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777])
def test_a_folder_that_others_may_enter_is_not_used(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None], mode: int
) -> None:
    first = run_in_new_session(modules, cache_folder)
    cache_folder.chmod(mode)
    assert run_in_new_session(modules, cache_folder) == (
        *first[:-1],
        [f"the cache is off: {cache_folder} is accessible to other users"],
    )
    forbid_reading()
    assert "read again" in str(run_in_new_session(modules, cache_folder)[2])


def test_a_folder_or_file_of_somebody_else_is_not_used(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in_new_session(modules, cache_folder)
    forbid_reading()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert "read again" in str(run_in_new_session(modules, cache_folder)[2])
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    assert run_in_new_session(modules, cache_folder)[2] == "None"
    for path in cache_folder.iterdir():
        path.chmod(0o666)
    assert "read again" in str(run_in_new_session(modules, cache_folder)[2])


def test_links_are_not_followed(
    modules: Path, cache_folder: Path, forbid_reading: Callable[[], None]
) -> None:
    run_in_new_session(modules, cache_folder)
    for path in list(cache_folder.iterdir()):
        path.rename(cache_folder.parent / path.name)
        path.symlink_to(cache_folder.parent / path.name)
    forbid_reading()
    assert "read again" in str(run_in_new_session(modules, cache_folder)[2])
    cache_folder.rename(cache_folder.parent / "elsewhere")
    cache_folder.symlink_to(cache_folder.parent / "elsewhere")
    assert "the cache is off" in str(run_in_new_session(modules, cache_folder)[-1])


def test_a_folder_in_place_of_a_file_is_neither_read_nor_left_open(cache_folder: Path) -> None:
    cache_files = folder.CacheFolder(str(cache_folder))
    cache_files.put("one", 1)
    (cache_folder / "one").unlink()
    (cache_folder / "one").mkdir()
    before = os.listdir("/proc/self/fd")
    assert [cache_files.get("one") for _ in range(5)] == [None] * 5
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_read_only_folder_causes_one_warning(
    modules: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    first = run_in_new_session(modules, None)
    open_file = os.open

    def refuse_to_create(path: str, flags: int, *arguments: int, **more: int) -> int:
        if flags & os.O_CREAT and "dir_fd" in more:
            raise OSError(code, os.strerror(code))
        return open_file(path, flags, *arguments, **more)

    monkeypatch.setattr(os, "open", refuse_to_create)
    assert run_in_new_session(modules, cache_folder) == (
        *first[:-1],
        [f"the cache is off: {cache_folder}: {os.strerror(code)}"],
    )
    assert not list(cache_folder.iterdir())


def test_a_file_in_place_of_the_folder_causes_one_warning(modules: Path, cache_folder: Path) -> None:
    cache_folder.parent.mkdir()
    cache_folder.write_text("mine")
    first = run_in_new_session(modules, None)
    assert run_in_new_session(modules, cache_folder) == (
        *first[:-1],
        [f"the cache is off: {cache_folder}: Not a directory"],
    )
    assert cache_folder.read_text() == "mine"


def test_the_least_recently_used_files_are_removed(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = folder.CacheFolder(str(cache_folder))
    for number in range(20):
        first.put(f"{number:02}", "x" * 1000)
        os.utime(cache_folder / f"{number:02}", (number, number))
    unfinished = cache_folder / ".0011223344556677"
    unfinished.write_bytes(b"half")
    os.utime(unfinished, (1, 1))
    monkeypatch.setattr(folder, "ROOM", 15_000)
    assert folder.CacheFolder(str(cache_folder)).get("03") is not None  # which marks it as used
    folder.CacheFolder(str(cache_folder)).put("20", "x")
    names = sorted(path.name for path in cache_folder.iterdir())
    assert names == ["03", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"]


def test_only_the_owner_may_read_the_cache(modules: Path, cache_folder: Path) -> None:
    run_in_new_session(modules, cache_folder)
    assert cache_folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in cache_folder.iterdir()} == {0o600}


def test_processes_write_at_the_same_time(modules: Path, cache_folder: Path) -> None:
    code = (
        "import sys; from evaluator import Session\n"
        "session = Session('puppet', modulepath=[sys.argv[1]], cache=sys.argv[2])\n"
        "lines = []; session.on_log = lines.append\n"
        "for _ in range(5):\n"
        "    session.reset(); outcome = session.run('include kit'); assert outcome.error is None\n"
        "    assert not [line for line in lines if 'cache' in line.message], lines\n"
    )
    command = [sys.executable, "-c", code, str(modules), str(cache_folder)]
    processes = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    assert not [path for path in cache_folder.iterdir() if path.name.startswith(".")]
    assert run_in_new_session(modules, cache_folder) == run_in_new_session(modules, None)


def test_a_result_that_cannot_be_serialized_fails_no_program(
    modules: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_in_new_session(modules, None)

    def raise_recursion_error(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(marshal, "dumps", raise_recursion_error)
    assert run_in_new_session(modules, cache_folder, "include kit")[:3] == first[:3]
