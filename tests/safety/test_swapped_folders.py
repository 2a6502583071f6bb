"""A folder that is replaced by a link after the sandbox has permitted it: nothing is read or written at its target."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from evaluator.program import sandbox, stat_cache
from puppet_kernel.shell import Shell


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with a folder in it; a folder outside has a file of the same name."""
    for name in ("work/inner", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.pp").write_text(f"notice('{name}')\n")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def swap(work: Path) -> None:
    """Replace the folder by a link to the folder outside."""
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
    open_file = sandbox.open_file

    def open_after_swap(path: str) -> object:
        swap(work)
        return open_file(path)

    monkeypatch.setattr(sandbox, "open_file", open_after_swap)
    reply = Shell({}, guarded=True).submit(source.format(work))
    assert reply.error is not None and "Not a directory" in reply.error.message
    assert not reply.next_input


def test_a_folder_that_is_not_swapped_is_read_and_written(work: Path) -> None:
    for path in ("inner/a.pp", "b.pp", "inner/../c.pp"):
        assert sandbox.save(path, lambda: "new")
        assert sandbox.read_named(path) == b"new"
    assert sorted(os.listdir(work / "inner")) == ["a.pp"]


def test_no_descriptor_is_left_open(work: Path) -> None:
    before = os.listdir("/proc/self/fd")
    for path in ("inner/a.pp", "inner/none/a.pp", "inner/a.pp/b", "inner", "/"):
        resolved = stat_cache.resolve(path)
        with suppress(OSError):
            sandbox.open_file(resolved).close()
        with suppress(OSError):
            sandbox.replace_file(resolved, b"")
    assert os.listdir("/proc/self/fd") == before
