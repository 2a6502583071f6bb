"""A folder that is swapped for a link, after the gate has decided: nothing is read or written where the link leads."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from evaluator.program import sandbox, stat_cache
from puppet_kernel.shell import Shell


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a folder in it; a file of the same name lies outside."""
    for name in ("work/inner", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.pp").write_text(f"notice('{name}')\n")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def swap(work: Path) -> None:
    """Somebody else puts a link in the place of the folder."""
    (work / "inner").rename(work / "before")
    (work / "inner").symlink_to(work.parent / "outside")


def test_nothing_is_written_where_the_link_leads(work: Path) -> None:
    def make() -> str:
        swap(work)
        return "stolen"

    with pytest.raises(NotADirectoryError):
        sandbox.save("inner/a.pp", make)
    assert (work.parent / "outside" / "a.pp").read_text() == "notice('outside')\n"
    assert (work / "before" / "a.pp").read_text() == "notice('work/inner')\n"


@pytest.mark.parametrize("source", ["file('{}/inner/a.pp')", "%load inner/a.pp", "%run inner/a.pp"])
def test_nothing_is_read_where_the_link_leads(
    work: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    reading = sandbox.open_file

    def late(place: str) -> object:
        swap(work)
        return reading(place)

    monkeypatch.setattr(sandbox, "open_file", late)
    reply = Shell({}, guarded=True).submit(source.format(work))
    assert reply.error is not None and "Not a directory" in reply.error.message
    assert not reply.next_input


def test_what_stays_is_read_and_written(work: Path) -> None:
    for path in ("inner/a.pp", "b.pp", "inner/../c.pp"):
        assert sandbox.save(path, lambda: "new")
        assert sandbox.read_named(path) == b"new"
    assert sorted(os.listdir(work / "inner")) == ["a.pp"]


def test_no_descriptor_is_left_open(work: Path) -> None:
    before = os.listdir("/proc/self/fd")
    for path in ("inner/a.pp", "inner/none/a.pp", "inner/a.pp/b", "inner", "/"):
        place = stat_cache.resolve(path)
        with suppress(OSError):
            sandbox.open_file(place).close()
        with suppress(OSError):
            sandbox.replace_file(place, b"")
    assert os.listdir("/proc/self/fd") == before
