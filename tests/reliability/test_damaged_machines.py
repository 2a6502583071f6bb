"""On a damaged machine nothing that was reported as done is lost; there is at most one warning, and no traceback."""

from __future__ import annotations

import builtins
import errno
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from evaluator import Session
from evaluator.issues import make_error
from evaluator.session import stack_threads, supervisor
from puppet_kernel import __main__, process
from puppet_kernel.user_files.history import InputHistory
from tests.kernel import kernels
from tests.reliability import machines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and mounts of Linux")
QUICK = ("20 open files", "0.4 GB of memory", "no byte can be written", "a disk of 16 KB")
# Commands fill disks of all sizes; a kernel writes less, and later.
WITHOUT_KERNEL = {f"a disk of {size} KB" for size in machines.HOME_SIZES[1::2]}
MACHINES = [*machines.LIMITED, *machines.MOUNTED]


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MACHINES]
)
def test_commands_on_a_damaged_machine(name: str, tmp_path: Path) -> None:
    if name not in machines.list_machines():
        pytest.skip("needs the permission to mount, and a checkout outside of /tmp")
    assert not [*machines.run_commands(tmp_path, name)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MACHINES if name not in WITHOUT_KERNEL])
def test_a_kernel_on_a_damaged_machine(name: str, tmp_path: Path) -> None:
    if name not in machines.list_machines():
        pytest.skip("needs the permission to mount, and a checkout outside of /tmp")
    assert not machines.run_kernel(tmp_path, name)


def test_two_sessions_are_killed_on_an_empty_cache(tmp_path: Path) -> None:
    assert not [*machines.kill_sessions(tmp_path, 26, 4)]


@pytest.mark.slow
def test_24_sessions_are_killed(tmp_path: Path) -> None:
    assert not [*machines.kill_sessions(tmp_path, 8, 12)]  # pairs


def test_an_input_is_in_the_history_once_its_reply_is_sent(tmp_path: Path) -> None:
    sources = [f"$v{number} = {number}" for number in range(12)]
    for first in range(0, len(sources), 4):
        kernel, client = kernels.start_kernel(state=tmp_path)
        for source in sources[first : first + 4]:
            client.execute(source)
        for _ in range(4):
            client.get_shell_msg(timeout=30)
        kernel.signal_kernel(signal.SIGKILL)
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
        kernel.cleanup_resources()
    history = InputHistory(str(tmp_path / "puppet-kernel" / "history"))
    assert [entry.source for entry in history.read()] == sources


def test_the_log_of_a_kernel_reports_once_that_the_history_is_off(tmp_path: Path) -> None:
    with open(tmp_path / "log", "w+") as log:
        kernel, client = kernels.start_kernel(state="/dev/null", folder=tmp_path, log=log)
        kinds: list[str] = []
        for _ in range(3):
            reply = client.execute_interactive(
                "1 + 1", timeout=30, output_hook=lambda message: kinds.append(message["msg_type"])
            )
            assert reply["content"]["status"] == "ok"
        assert "stream" not in kinds, "outputs do not depend on the machine"
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
        kernel.cleanup_resources()
        log.seek(0)
        assert log.read() == "history is off: /dev/null/puppet-kernel/history: Not a directory\n"


@pytest.mark.parametrize(
    "problem",
    [
        OSError(errno.EMFILE, "Too many open files", "/a/file"),
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EROFS, "Read-only file system", "/a/file"),
        MemoryError(),
        RuntimeError("can't start new thread"),
        make_error("PROCESS_LIMIT", reason="no thread can be started"),
    ],
)
def test_a_refusal_of_the_system_is_not_reported_as_a_bug(
    problem: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    with mock.patch.object(__main__, "_dispatch", side_effect=problem):
        assert __main__.main([]) == __main__.INTERNAL_ERROR
    complaints = capsys.readouterr().err
    assert complaints.startswith("puppet-repl: the system does not provide what puppet-repl needs: ")
    assert ("/a/file" in complaints) == bool(getattr(problem, "filename", None))


@pytest.mark.parametrize(("size", "count"), [(110, 3_000_000), (150, 30_000_000), (400, 30_000_000)])
def test_a_program_without_memory_ends_with_an_error(size: int, count: int, tmp_path: Path) -> None:
    machine = machines.Machine(limit=(resource.RLIMIT_AS, size * 1_000_000))
    result = subprocess.run(
        [*machines.COMMAND, "-e", f"Integer[1, {count}].map |$x| {{ [$x, $x] }}.length"],
        cwd=tmp_path, env=machines.make_environment(tmp_path), preexec_fn=machine.enter(),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert result.stderr.startswith("error[MEMORY_REFUSED]: The system has no more memory for this program")
    assert "Traceback" not in result.stderr and result.returncode == 1


LONG = "Integer[1, 20000000].each |$x| { if $x == 8000000 { break() } }"


@pytest.mark.parametrize(
    "refusal", [ImportError("failed to map segment"), OSError(errno.ENOMEM), MemoryError()]
)
def test_memory_refused_to_the_supervisor_does_not_end_a_program(refusal: BaseException) -> None:
    imported = builtins.__import__
    attempts = 0

    def refuse(name: str, *rest: Any) -> ModuleType:  # Any: the arguments of `__import__`
        nonlocal attempts
        if name != "ctypes":
            return imported(name, *rest)
        attempts += 1
        raise refusal

    session = Session()
    with (
        mock.patch.object(supervisor, "_POLLS_OF_LONG_PROGRAM", 1),
        mock.patch("builtins.__import__", refuse),
    ):
        outcome = session.run(LONG)
    assert outcome.error is None and attempts == 1


def test_a_check_of_the_limits_without_memory_is_repeated() -> None:
    results = iter([0, MemoryError(), MemoryError()])

    def measure() -> int:
        result = next(results, 0)
        if isinstance(result, BaseException):
            raise result
        return result

    with mock.patch.object(supervisor, "measure_memory", measure):
        outcome = Session().run(LONG)
    assert outcome.error is None and next(results, None) is None


def test_the_next_program_waits_for_the_stack_of_the_last_one() -> None:
    start, refusals = stack_threads.PooledThread._start, iter([False, False])
    with mock.patch.object(
        stack_threads.PooledThread, "_start", lambda thread: next(refusals, True) and start(thread)
    ):
        thread = stack_threads.PooledThread(1000)
    assert next(refusals, None) is None
    result = threading.Event()
    thread.submit(result.set)
    assert result.wait(10)
    thread.submit(None)


def test_the_history_of_a_process_without_memory(tmp_path: Path) -> None:
    history = InputHistory(str(tmp_path / "history"))
    with mock.patch.object(InputHistory, "_find_last_session", side_effect=MemoryError):
        history.add(1, "$a = 1")
    assert history.warning is not None and "Cannot allocate memory" in history.warning
    assert [entry.source for entry in history.read_all()] == ["$a = 1"]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [((20, 500), (64, 500)), ((100, 100), (100, 100)), ((20, 40), None)],
)
def test_a_kernel_reserves_the_files_that_it_opens(
    limits: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    code = (
        "import resource, sys; from puppet_kernel import process;"
        "process.reserve_open_files(64); print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    result = subprocess.run(
        [sys.executable, "-c", code], preexec_fn=limit, capture_output=True, text=True, check=False
    )
    if expected is None:
        assert "Too many open files" in result.stderr
    else:
        assert result.stdout.split() == [*map(str, expected)], result.stderr
    assert process.reserve_open_files(1) is None
