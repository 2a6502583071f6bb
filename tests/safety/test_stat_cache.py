"""The stat cache of a running program, and when it is refreshed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import stat_cache


@pytest.fixture
def active_run() -> Iterator[None]:
    """A run of a program, during which the cache is used."""
    stat_cache.begin_run()
    yield
    stat_cache.end_run()


@pytest.mark.usefixtures("active_run")
def test_paths_resolve_as_the_system_resolves_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "file").write_text("x")
    (tmp_path / "to_b").symlink_to("a/b")
    (tmp_path / "a" / "b" / "up").symlink_to("..")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "broken").symlink_to("/no/such/place")
    for path in (
        *("a/file", "to_b", "to_b/up/file", "to_b/../file", "a//file", "a/./file", "a/", "none/at/all"),
        *("loop", "loop/x", "broken", "broken/x", "a/file/x", "..", "", "a/b/up/up", "d/" * 200),
    ):
        absolute = os.path.join(tmp_path, path)
        for _ in range(2):
            assert stat_cache.resolve(absolute) == os.path.realpath(absolute)
            mode = stat_cache.get_mode(absolute)
            assert bool(mode) == os.path.exists(os.path.realpath(absolute)) or path.startswith("loop")
    assert stat_cache.resolve("/") == "/" and stat_cache.get_mode("/")


def test_the_cache_of_a_run_ends_with_it(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    stat_cache.begin_run()
    assert not stat_cache.get_mode(path)
    Path(path).write_text("now")
    assert not stat_cache.get_mode(path)
    stat_cache.invalidate()
    assert stat_cache.get_mode(path)
    stat_cache.end_run()
    Path(path).unlink()
    assert not stat_cache.get_mode(path)
    stat_cache.invalidate()
    assert not stat_cache.get_mode(path)


def test_the_next_cell_sees_new_files(tmp_path: Path) -> None:
    manifests = tmp_path / "m" / "manifests"
    manifests.mkdir(parents=True)
    session = Session("puppet", modulepath=[str(tmp_path)])
    assert session.run("include m").error is not None
    (manifests / "init.pp").write_text("class m { notify { 'here': } }")
    assert session.run("include m").error is None


def test_a_started_program_invalidates_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "made"
    session = Session("puppet", permissions=["generate", "files"])
    source = f"""
      $before = find_file('{path}')
      generate('/bin/sh', '-c', 'echo yes > {path}')
      [$before, file('{path}')]
    """
    outcome = session.run(source)
    assert outcome.error is None
    assert outcome.value == [None, "yes\n"]


@pytest.fixture
def examined_paths(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a list of the paths that the cache examines; folders are watched from the first run on."""
    paths: list[str] = []
    examine = stat_cache._get_stamp

    def record(path: str) -> stat_cache.Stamp | None:
        paths.append(path)
        return examine(path)

    monkeypatch.setattr(stat_cache, "_get_stamp", record)
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)
    monkeypatch.setattr(stat_cache, "_LEAST_QUIET_RUNS", 0)
    monkeypatch.setattr(stat_cache, "_watch", stat_cache._FolderWatch())
    yield paths
    stat_cache._watch.end()


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
@pytest.mark.parametrize("kind", ["new", "removed", "moved", "linked", "mode", "forked", "unrelated"])
def test_watched_folders_are_not_examined_until_something_changes(
    kind: str, tmp_path: Path, examined_paths: list[str]
) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "one").write_text("1")

    def query() -> list[str]:
        stat_cache.begin_run()
        names = stat_cache.memoize_query(
            (tmp_path, kind), lambda: [name for name, _ in stat_cache.list_entries(str(folder))]
        )
        stat_cache.end_run()
        examined_paths.clear()
        stat_cache.begin_run()
        again = stat_cache.memoize_query((tmp_path, kind), list)
        stat_cache.end_run()
        return names if names == again else [*names, "differs"]

    def is_cached() -> bool:
        """Return True if a query examines nothing; others may change the temporary folder meanwhile."""
        return any(query() == ["one"] and not examined_paths for _ in range(200))

    for _ in range(3):
        assert query() == ["one"]
    if not stat_cache._watch._devices.get(os.stat(folder).st_dev):
        pytest.skip("the file system of the temporary folder may be that of several machines")
    assert is_cached()
    if kind == "new":
        (folder / "two").write_text("2")
        assert query() == ["one", "two"]
    elif kind == "removed":
        (folder / "one").unlink()
        assert query() == []
    elif kind == "moved":
        (tmp_path / "a").rename(tmp_path / "c")
        assert query() == []
    elif kind == "linked":
        (tmp_path / "c" / "b").mkdir(parents=True)
        (tmp_path / "a").rename(tmp_path / "d")
        (tmp_path / "a").symlink_to("c")
        assert query() == []
    elif kind == "mode":
        (tmp_path / "a").chmod(0o700)
        assert query() == ["one"]
    elif kind == "forked":
        child = os.fork()
        if not child:
            stat_cache.begin_run()
            os._exit(bool(stat_cache._watch.stamps))
        assert os.waitpid(child, 0)[1] == 0
        assert is_cached()
    else:
        (tmp_path / "a" / "other").write_text("")
        assert query() == ["one"]
