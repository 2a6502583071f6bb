"""The history file: its bounds, its lock, and the folders of history and cache."""

from __future__ import annotations

import fcntl
import os
import pwd
from pathlib import Path
from threading import Thread

import pytest

from puppet_kernel.user_files import find_cache_folder, history
from puppet_kernel.user_files.history import InputHistory, find_history_file


def test_the_end_of_a_large_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = InputHistory(str(tmp_path / "history"))
    for number in range(100):
        written.add(0, f"notice({number:03})")
    monkeypatch.setattr(history, "MAX_BYTES", 75)  # five lines, and a part of the one before
    other = InputHistory(written.path)
    assert [entry.source for entry in other.read()] == [f"notice({number:03})" for number in range(95, 100)]
    assert other.damage is None and other.warning is None


def test_the_history_of_a_session_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_ENTRIES", 3)
    monkeypatch.setattr(history, "MAX_ENTRY_SIZE", 10)
    written = InputHistory(str(tmp_path / "history"))
    for number in range(1, 6):
        written.add(number, f"notice({number})")
    written.add(6, "notice(60.)")
    assert [entry.source for entry in written.read_all()] == [f"notice({number})" for number in (3, 4, 5)]


def test_a_writer_waits_for_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "history"
    writer = Thread(target=InputHistory(str(path)).add, args=(0, "notice(1)"))
    with path.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        path.chmod(0o600)
        writer.start()
        writer.join(0.1)
        assert writer.is_alive()
    writer.join(60)
    assert InputHistory(str(path)).read()[0].source == "notice(1)"


@pytest.mark.parametrize("value", ["", "relative", "./x", "../x", None])
def test_relative_folders_in_the_environment_are_ignored(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    assert find_history_file() == f"{tmp_path}/.local/state/puppet-kernel/history"
    assert find_cache_folder() == f"{tmp_path}/.cache/puppet-kernel"


@pytest.mark.parametrize("home", [".", "", "somewhere", "..", None])
def test_a_relative_home_is_replaced_by_that_of_the_account(
    home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    monkeypatch.chdir(tmp_path)
    account = pwd.getpwuid(os.geteuid()).pw_dir
    assert find_cache_folder() == f"{account}/.cache/puppet-kernel"
    assert find_history_file() == f"{account}/.local/state/puppet-kernel/history"

    def fail(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", fail)
    assert find_cache_folder() == "/dev/null/.cache/puppet-kernel", "a path that cannot be a folder"
