"""The history of inputs: its entries, across sessions, with several writers, damaged, and unavailable."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import ROOT, execute, get_reply, open_kernel

from puppet_kernel.user_files.history import InputHistory


def get_history(client: BlockingKernelClient, kind: str, **more: Any) -> list[Any]:
    """Return the entries of a history request.

    Args:
        kind: `range`, `tail` or `search`.
        more: Other fields of the request.
    """
    return get_reply(client, "history_request", hist_access_type=kind, **more)["history"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the history file."""
    return tmp_path / "puppet-kernel" / "history"


def test_failed_inputs_are_recorded_and_empty_ones_are_not(client: BlockingKernelClient) -> None:
    first = execute(client, "fail('kept')").reply["execution_count"]
    execute(client, " \n ")
    execute(client, "$s = Sensitive('hunter2')")
    execute(client, "'silent'", silent=True)
    execute(client, "40 + 2")
    assert [entry[2] for entry in get_history(client, "range", session=0, start=first)] == [
        "fail('kept')",
        "40 + 2",
    ]
    (entry,) = get_history(client, "tail", n=1, output=True)
    assert entry[2] == ["40 + 2", "42"]
    assert get_history(client, "tail", n=0) == []


def test_the_history_contains_the_inputs_of_former_kernels(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        with open_kernel(state=tmp_path) as (_, client):
            execute(client, f"'kernel {number}'")
            last = get_history(client, "tail", n=10)
            previous = get_history(client, "range", session=-1, start=1)
            absolute = get_history(client, "range", session=1, start=1, stop=2)
            matches = get_history(client, "search", pattern="*kernel ?*", n=2, unique=True)
    assert last == [[1, 1, "'kernel 1'"], [2, 1, "'kernel 2'"], [3, 1, "'kernel 3'"]]
    assert previous == [[2, 1, "'kernel 2'"]]
    assert absolute == [[1, 1, "'kernel 1'"]]
    assert [entry[2] for entry in matches] == ["'kernel 2'", "'kernel 3'"]
    file = tmp_path / "puppet-kernel" / "history"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_terminals_and_kernels_share_the_history(path: Path) -> None:
    terminal, kernel = InputHistory(str(path)), InputHistory(str(path))
    terminal.add(0, "at the prompt")
    kernel.add(1, "in a cell")
    terminal.add(0, "again")
    assert {entry.source for entry in kernel.search()} == {"at the prompt", "in a cell", "again"}
    assert [entry.source for entry in kernel.read_range(0, 1, None)] == ["in a cell"]
    assert [json.loads(text) for text in path.read_text().splitlines()] == [
        "at the prompt",
        [1, 1, "in a cell"],
        "again",
    ]


def test_an_incomplete_line_does_not_affect_other_lines(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text('"first"\n[1, 2, "torn')
    history = InputHistory(str(path))
    history.add(1, "next")
    assert [entry.source for entry in InputHistory(str(path)).search()] == ["first", "next"]


@pytest.mark.parametrize("line", ["\xff", "[" * 5000, "[1]", "7", '[1, "2", "x"]', "null", ""])
def test_damaged_lines_are_skipped(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b'"before"\n' + line.encode("latin-1") + b'\n"after"\n')
    assert [entry.source for entry in InputHistory(str(path)).search()] == ["before", "after"]


def test_inputs_that_cannot_be_written_are_available_in_their_session(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.symlink_to("elsewhere")
    history = InputHistory(str(path))
    history.add(1, "1 + 1")
    assert [(entry.session, entry.number, entry.source) for entry in history.read_range(0, 1, None)] == [
        (1, 1, "1 + 1")
    ]
    assert history.warning
    assert not (path.parent / "elsewhere").exists()


def test_concurrent_writers_lose_no_entries(path: Path) -> None:
    code = (
        "import sys\nfrom puppet_kernel.user_files.history import InputHistory\nhistory = InputHistory(sys.argv[1])\n"
        "for number in range(1, 101): history.add(number, sys.argv[2] * 2000)"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path), letter], cwd=ROOT) for letter in "abcd"
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    entries = InputHistory(str(path)).search()
    assert len(entries) == 400
    assert len({entry.session for entry in entries}) == 4
    assert len({(entry.session, entry.source) for entry in entries}) == 4


@pytest.mark.parametrize("appended", ["", '[9, 1, "other"]\n', '[9, 1, "oth'])
def test_a_session_gets_a_number_after_sessions_that_started_since_the_search(
    path: Path, appended: str
) -> None:
    InputHistory(path).search_last_session()
    assert not path.exists(), "nothing was added yet"
    InputHistory(path).add(1, "first")
    history = InputHistory(path)
    history.search_last_session()
    with path.open("a") as file:
        file.write(appended)
    history.add(1, "own")
    assert history.session == (10 if appended else 2)


def test_only_the_end_of_a_long_file_is_read(path: Path) -> None:
    path.parent.mkdir(parents=True)
    lines = [f'[{number // 8_000 + 1}, {number % 8_000 + 1}, "1 + {number}"]\n' for number in range(40_000)]
    path.write_text("".join(lines))
    path.chmod(0o600)
    history = InputHistory(path)
    history.add(1, "own")
    assert history.session == 6
    entries = history.read()
    assert len(entries) == 10_000
    assert (entries[0].source, entries[-1].source) == ("1 + 30001", "own")


def test_a_file_that_was_emptied_since_the_search_is_used(path: Path) -> None:
    InputHistory(path).add(1, "first")
    history = InputHistory(path)
    history.search_last_session()
    path.write_text("")
    history.add(1, "own")
    assert [entry.source for entry in InputHistory(path).read()] == ["own"]
