"""The stat cache of a running program, and when it is refreshed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program import stat_cache


@pytest.fixture
def run() -> Iterator[None]:
    stat_cache.begin()
    yield
    stat_cache.end()


@pytest.mark.usefixtures("run")
def test_places_are_what_the_system_says_of_them(tmp_path: Path) -> None:
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
        whole = os.path.join(tmp_path, path)
        for _ in range(2):
            assert stat_cache.resolve(whole) == os.path.realpath(whole)
            found = stat_cache.get_mode(whole)
            assert bool(found) == os.path.exists(os.path.realpath(whole)) or path.startswith("loop")
    assert stat_cache.resolve("/") == "/" and stat_cache.get_mode("/")


def test_what_a_run_knows_is_forgotten_at_its_end(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    stat_cache.begin()
    assert not stat_cache.get_mode(path)
    Path(path).write_text("now")
    assert not stat_cache.get_mode(path)
    stat_cache.invalidate()
    assert stat_cache.get_mode(path)
    stat_cache.end()
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


def test_a_program_that_is_run_may_have_written_a_file(tmp_path: Path) -> None:
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
