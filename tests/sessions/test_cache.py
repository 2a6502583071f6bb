"""The cache across processes: the same results, and nothing believed that somebody else may have written."""

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

from evaluator import Session, resource_types
from evaluator.cache import cache, folder, get_cache
from evaluator.cache.cache import DiskCache
from evaluator.fleet.compilation import ProcessExecutor
from evaluator.program import modules as module_files
from evaluator.program import source_cache
from evaluator.running import loader
from lexer_parser import memo
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
    for name, text in MODULE.items():
        path = tmp_path / "modules" / "kit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "modules"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder of the cache."""
    return tmp_path / "caches" / "puppet-kernel"


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Caches of this process belong to one test."""
    forget()
    yield
    forget()


def forget() -> None:
    """From now on it is as in a new process."""
    source_cache._files.clear()
    memo.clear(get_cache, module_files._read_facts)


def ran(modules: Path, place: Path | None, source: str = "include kit") -> tuple[object, ...]:
    """Everything that a program shows, as in a new process; the last are the warnings about the cache."""
    forget()
    told: list[str] = []
    session = Session("puppet", modulepath=[modules], cache=None if place is None else str(place))
    session.on_log = lambda line: told.append(line.message)
    outcome = session.run(source)
    problem = outcome.error
    where = problem and problem.span and (problem.span.source.name, problem.span.line, problem.span.column)
    logs = [(line.level, line.message) for line in outcome.logs]
    about = [message for message in told if "cache" in message]
    return session.catalog().to_json(), logs, str(problem), where, about


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Called, it forbids to parse files of modules and to interpret types."""

    def forbid() -> None:
        def refused(*_: object, **__: object) -> None:
            raise AssertionError("it was read again")

        monkeypatch.setattr(loader, "parse_bounded", refused)
        monkeypatch.setattr(resource_types.sources, "read_ruby", refused)
        monkeypatch.setattr(resource_types.sources, "read_generated", refused)

    return forbid


@pytest.mark.parametrize(
    "source", ["include kit", "include kit::broken", "notice(kit::text('a'))\n$x = 1 + 'a'"]
)
def test_results_are_the_same_without_and_with_what_is_kept(modules: Path, place: Path, source: str) -> None:
    first = ran(modules, None, source)
    assert ran(modules, place, source) == first  # which fills it
    assert ran(modules, place, source) == first
    assert first[2] == "None" or "(file:" in str(first[2]) or first[3] is not None


def test_nothing_is_parsed_again(modules: Path, place: Path, unread: Callable[[], None]) -> None:
    first = ran(modules, place)
    unread()
    assert ran(modules, place) == first
    assert "read again" in str(ran(modules, None)[2])


def test_no_code_is_compiled_again(modules: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evaluator.compiler.emitter import CodeEmitter

    compiled: list[str] = []

    known = CodeEmitter._compile

    def noted(self: CodeEmitter, function: object) -> object:
        compiled.append(self.unit.filename)
        return known(self, function)  # type: ignore[arg-type]

    monkeypatch.setattr(CodeEmitter, "_compile", noted)
    ran(modules, place)
    filled = [name for name in compiled if "/kit/" in name]
    compiled.clear()
    ran(modules, place)
    again = [Path(name).name for name in compiled if "/kit/" in name]
    # the functions of a program and what depends on its own types are compiled for each program
    assert len(filled) > len(again) and set(again) <= {"text.pp", "part.pp", "init.pp"} and len(again) <= 4


def test_the_processes_of_a_fleet_keep_and_find_it_too(
    modules: Path, place: Path, unread: Callable[[], None]
) -> None:
    def compiled(executor: Executor | None) -> object:
        forget()
        session = Session("puppet", modulepath=[modules], cache=str(place))
        found = session.fleet({"n": "debian-12"}, executor, sources=["include kit"])
        return dict(found.catalogs), {node: str(error) for node, error in found.errors.items()}

    executor = ProcessExecutor(1)
    first = compiled(executor)
    executor.shutdown()
    assert any(place.iterdir())
    unread()
    assert compiled(None) == first  # in this process, since there is one node only
    shutil.rmtree(place)
    assert "read again" in str(compiled(None))


def test_a_module_has_one_file_of_sources_and_one_of_types(
    modules: Path, place: Path, unread: Callable[[], None]
) -> None:
    ran(modules, place, "notice(kit::text('a', 1))")
    assert len(list(place.iterdir())) == 1
    first = ran(modules, place)
    assert len(list(place.iterdir())) == 2
    unread()
    assert ran(modules, place) == first
    assert ran(modules, place, "notice(kit::text('a', 1))")[2] == "None"


def test_a_file_is_written_only_for_results_that_can_be_stored(modules: Path, place: Path) -> None:
    # the body depends on the type of an alias, which each program has its own of
    (modules / "kit" / "manifests" / "sized.pp").write_text("class kit::sized { notice(3 =~ Kit::Size) }")
    ran(modules, place, "include kit::sized")
    ran(modules, place)
    before = {path: path.stat().st_ino for path in place.iterdir()}
    ran(modules, place, "include kit::sized")
    ran(modules, place)
    assert {path: path.stat().st_ino for path in place.iterdir()} == before


def test_what_two_processes_add_to_a_module_is_found(modules: Path, place: Path) -> None:
    one, other = DiskCache(str(place)), DiskCache(str(place))
    files = [str(modules / "kit" / "lib" / "puppet" / "type" / f"{name}.rb") for name in ("a", "b")]
    reads: list[str] = []
    for disk, path in zip((one, other), files, strict=True):
        assert disk.load_record(path, "thing", "text", lambda: reads.append("first")) is None
    assert (one.flush(), other.flush()) == (None, None)
    assert len(list(place.iterdir())) == 1
    third = DiskCache(str(place))
    for path in files:
        third.load_record(path, "thing", "text", lambda: reads.append("again"))
        third.load_record(path, "thing", "another text", lambda: reads.append("changed"))
    assert reads == ["first", "first", "changed", "changed"]


def test_a_file_that_becomes_too_long_begins_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LONGEST", 100)
    for number in range(200):
        disk = DiskCache(str(place))
        disk.load_record(f"/m/lib/{number}", "thing", "text", lambda: None)
        disk.flush()
    (path,) = place.iterdir()
    assert 100 < path.stat().st_size < 2_000
    DiskCache(str(place)).load_record("/m/lib/199", "thing", "text", pytest.fail)


def test_what_has_changed_is_read_anew(modules: Path, place: Path) -> None:
    ran(modules, place)
    path = modules / "kit" / "functions" / "text.pp"
    path.write_text(path.read_text().replace("${a}:", "${a}!"))
    assert ran(modules, place) == ran(modules, None)
    thing = modules / "kit" / "lib" / "puppet" / "type" / "kit_thing.rb"
    thing.write_text(thing.read_text().replace("level", "depth"))
    assert "no parameter named 'level'" in str(ran(modules, place)[2])


def test_code_counts_where_names_mean_the_same(modules: Path, place: Path) -> None:
    ran(modules, place)
    other = "function notice(*$x) { fail('mine') }\ninclude kit"
    assert ran(modules, place, other) == ran(modules, None, other)


def test_another_version_finds_nothing(
    modules: Path, place: Path, unread: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(modules, place)
    monkeypatch.setattr(folder, "_identify_program", lambda: ("another",))
    unread()
    assert "read again" in str(ran(modules, place)[2])


UPGRADED = """
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

told = []
session = Session("puppet", modulepath=[modules], cache=cache)
session.on_log = lambda line: told.append(line.message)
if change != "late":
    upgrade()
assert session.run("include kit").error is None
change = "edit"
upgrade()
assert session.run("include kit::other").error is None
print(len(os.listdir(cache)) if os.path.isdir(cache) else 0, told)
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["none", "edit", "replace", "clock", "late"])
def test_a_process_that_began_before_an_upgrade_uses_no_cache(
    modules: Path, place: Path, tmp_path: Path, change: str
) -> None:
    (modules / "kit" / "manifests" / "other.pp").write_text("class kit::other { }")
    for package in ("evaluator", "lexer_parser"):
        shutil.copytree(ROOT / package, tmp_path / package)  # with what is compiled
    time.sleep(0.02)  # files have coarser times than the clock
    words = [sys.executable, "-c", UPGRADED, str(tmp_path), str(modules), str(place), change]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    count, _, warnings = done.stdout.partition(" ")
    assert (int(count) > 0) == (change in ("none", "late"))
    assert warnings.count("the cache is off: the program has changed since this process began") == 1


@pytest.mark.parametrize("days", [-4000, 4000])
def test_a_clock_that_jumps_costs_nothing(
    modules: Path, place: Path, unread: Callable[[], None], days: int
) -> None:
    first = ran(modules, place)
    for path in place.iterdir():
        os.utime(path, (time.time() + days * 86400,) * 2)
    (place / ".unfinished").write_bytes(b"half")
    os.utime(place / ".unfinished", (time.time() + days * 86400,) * 2)
    unread()
    assert ran(modules, place) == first
    assert all(
        abs(path.stat().st_mtime - time.time()) < 99 for path in place.iterdir() if path.name[0] != "."
    )
    folder.CacheFolder(str(place)).make_room()
    assert not (place / ".unfinished").exists()


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    return content[:-5] + bytes([content[-5] ^ 1]) + content[-4:]


@pytest.mark.parametrize("damage", [cut, flipped, lambda _: b"", lambda _: b"x" * 100])
def test_what_is_damaged_is_made_anew_with_one_warning(
    modules: Path, place: Path, damage: Callable[[bytes], bytes]
) -> None:
    first = ran(modules, place)
    for path in place.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    assert ran(modules, place) == (*first[:-1], [f"a damaged file in the cache {place} is created again"])
    assert ran(modules, place) == first


def test_the_content_of_another_file_is_damage(modules: Path, place: Path) -> None:
    first = ran(modules, place)
    paths = sorted(place.iterdir())
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    assert ran(modules, place) == (*first[:-1], [f"a damaged file in the cache {place} is created again"])
    assert ran(modules, place) == first


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777])
def test_a_folder_that_others_may_enter_is_not_used(
    modules: Path, place: Path, unread: Callable[[], None], mode: int
) -> None:
    first = ran(modules, place)
    place.chmod(mode)
    assert ran(modules, place) == (*first[:-1], [f"the cache is off: {place} is accessible to other users"])
    unread()
    assert "read again" in str(ran(modules, place)[2])


def test_a_folder_or_file_of_somebody_else_is_not_used(
    modules: Path, place: Path, unread: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(modules, place)
    unread()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert "read again" in str(ran(modules, place)[2])
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    assert ran(modules, place)[2] == "None"
    for path in place.iterdir():
        path.chmod(0o666)
    assert "read again" in str(ran(modules, place)[2])


def test_links_are_not_followed(modules: Path, place: Path, unread: Callable[[], None]) -> None:
    ran(modules, place)
    for path in list(place.iterdir()):
        path.rename(place.parent / path.name)
        path.symlink_to(place.parent / path.name)
    unread()
    assert "read again" in str(ran(modules, place)[2])
    place.rename(place.parent / "elsewhere")
    place.symlink_to(place.parent / "elsewhere")
    assert "the cache is off" in str(ran(modules, place)[-1])


def test_a_folder_in_the_place_of_a_file_is_not_read_and_not_left_open(place: Path) -> None:
    kept = folder.CacheFolder(str(place))
    kept.put("one", 1)
    (place / "one").unlink()
    (place / "one").mkdir()
    before = os.listdir("/proc/self/fd")
    assert [kept.get("one") for _ in range(5)] == [None] * 5
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_folder_that_cannot_be_written_costs_one_warning(
    modules: Path, place: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    first = ran(modules, None)
    opened = os.open

    def full(path: str, flags: int, *arguments: int, **more: int) -> int:
        if flags & os.O_CREAT and "dir_fd" in more:
            raise OSError(code, os.strerror(code))
        return opened(path, flags, *arguments, **more)

    monkeypatch.setattr(os, "open", full)
    assert ran(modules, place) == (*first[:-1], [f"the cache is off: {place}: {os.strerror(code)}"])
    assert not list(place.iterdir())


def test_a_place_that_is_no_folder_costs_one_warning(modules: Path, place: Path) -> None:
    place.parent.mkdir()
    place.write_text("mine")
    first = ran(modules, None)
    assert ran(modules, place) == (*first[:-1], [f"the cache is off: {place}: Not a directory"])
    assert place.read_text() == "mine"


def test_what_was_of_use_longest_ago_makes_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = folder.CacheFolder(str(place))
    for number in range(20):
        first.put(f"{number:02}", "x" * 1000)
        os.utime(place / f"{number:02}", (number, number))
    torn = place / ".0011223344556677"
    torn.write_bytes(b"half")
    os.utime(torn, (1, 1))
    monkeypatch.setattr(folder, "ROOM", 15_000)
    assert folder.CacheFolder(str(place)).get("03") is not None  # which is of use
    folder.CacheFolder(str(place)).put("20", "x")
    left = sorted(path.name for path in place.iterdir())
    assert left == ["03", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"]


def test_only_the_owner_may_read_it(modules: Path, place: Path) -> None:
    ran(modules, place)
    assert place.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}


def test_processes_write_at_the_same_time(modules: Path, place: Path) -> None:
    code = (
        "import sys; from evaluator import Session\n"
        "session = Session('puppet', modulepath=[sys.argv[1]], cache=sys.argv[2])\n"
        "told = []; session.on_log = told.append\n"
        "for _ in range(5):\n"
        "    session.reset(); outcome = session.run('include kit'); assert outcome.error is None\n"
        "    assert not [line for line in told if 'cache' in line.message], told\n"
    )
    words = [sys.executable, "-c", code, str(modules), str(place)]
    running = [subprocess.Popen(words, cwd=ROOT) for _ in range(3)]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    assert not [path for path in place.iterdir() if path.name.startswith(".")]
    assert ran(modules, place) == ran(modules, None)


def test_what_cannot_be_written_down_fails_no_program(
    modules: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ran(modules, None)

    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(marshal, "dumps", too_deep)
    assert ran(modules, place, "include kit")[:3] == first[:3]
