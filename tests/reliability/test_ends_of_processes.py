"""Processes that a cell starts end with it, however the cell or its own process ends."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.fleet.compilation import ProcessExecutor
from evaluator.program import companions, lifetimes
from evaluator.program.companions import CompanionProcess, GuardedProcess
from evaluator.ruby import companion
from tests.reliability.processes import iterate_descendants, list_marked, wait_until_gone
from tests.reliability.test_interrupts import run_interrupted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
needs_ruby = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")

# Ruby code that could leave a process behind; each process runs for ten minutes
BODIES = {
    "a child": "spawn('sleep 600')",
    "a fork": "fork { sleep 600 }",
    "a busy fork": "fork { loop { } }",
    "a daemon": "fork { Process.setsid; fork { sleep 600 } }; sleep 0.1",
    "a daemon that ignores signals": "fork { Process.daemon; trap('TERM') { }; trap('HUP') { }; sleep 600 }; sleep 0.1",
    "a stopped child": "Process.kill(:STOP, fork { sleep 600 })",
    "a chain": "fork { fork { fork { sleep 600 }; sleep 600 }; exit! }; sleep 0.1",
    "a shell": "system('(sleep 600 &) ; setsid sleep 600 & exit 0')",
    "an end that forks": "at_exit { fork { sleep 600 } }",
    "a thread": "Thread.new { loop { } }",
    "a thread that forks": "Thread.new { loop { fork { sleep 600 }; sleep 0.02 } }; sleep 0.1",
    "forks without end": "fork { loop { Process.detach(fork { sleep 0.01 }) } }; sleep 0.1",
    "another program at the end": "at_exit { exec 'sleep 600' }",
    "a terminal": "require 'pty'; PTY.spawn('sleep 600')",
    "many": "20.times { fork { sleep 600 } }",
}  # fmt: skip
ENDINGS = ("", "; raise 'failed'", "; exit!", "; loop { }")


def test_what_a_lifetime_owns_ends_with_it() -> None:
    ended = []

    class Thing:
        def end(self) -> None:
            ended.append(self)
            raise OSError

    lifetime, things = lifetimes.Lifetime(), [Thing(), Thing(), Thing()]
    for thing in things:
        lifetimes.own(thing)
    lifetimes.disown(things[1])
    lifetime.end()
    assert ended == [things[2], things[0]]


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A text in the environment of all processes that a test starts, and of their descendants."""
    text = f"mark-of-{os.urandom(8).hex()}"
    monkeypatch.setenv("LC_MARK", text)
    yield text
    for process in list_marked(text):
        if process != os.getpid():
            os.kill(process, signal.SIGKILL)


@pytest.fixture(autouse=True)
def no_ruby_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion, "_LIBRARY", False)  # loading it takes long


def is_companion(process: int) -> bool:
    """Return True for the Ruby process that waits for the next program, and for its guardian."""
    return b"companion.rb" in Path(f"/proc/{process}/cmdline").read_bytes()


def find_left_over(mark: str) -> list[int]:
    """Wait until no processes of cells are left, and return those that are left after ten seconds."""
    deadline = time.monotonic() + 10
    while True:
        found = [one for one in list_marked(mark) if one != os.getpid() and not is_companion(one)]
        busy = [one for one in list_marked(mark) if is_companion(one) and [*iterate_descendants(one)][1:]]
        if not (found or busy) or time.monotonic() > deadline:
            return found + busy
        time.sleep(0.02)


def make_session(folder: Path) -> Session:
    functions = folder / "m" / "lib" / "puppet" / "functions" / "m"
    functions.mkdir(parents=True)
    for kind, ending in enumerate(ENDINGS):
        for number, body in enumerate(BODIES.values()):
            name = f"f{number}_{kind}"
            (functions / f"{name}.rb").write_text(
                f"Puppet::Functions.create_function(:'m::{name}') do\n  def {name}\n    {body}{ending}\n  end\nend\n"
            )
    return Session(modulepath=[folder], permissions=("ruby", "generate"), interactive=True)


@needs_ruby
def test_no_process_is_left_after_any_cell(tmp_path: Path, mark: str) -> None:
    session = make_session(tmp_path)
    for number, name in enumerate(BODIES):
        for kind, _ in enumerate(ENDINGS[:-1]):
            session.run(f"m::f{number}_{kind}()")
            assert not find_left_over(mark), (name, kind)
    assert session.run("1 + 1").text == "2"


@needs_ruby
@pytest.mark.slow
# An interrupt between `open` and the block that closes the file leaves that to the destructor.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_process_is_left_after_an_interrupted_cell(tmp_path: Path, mark: str) -> None:
    session = make_session(tmp_path)
    chance = random.Random(26)
    for number, name in enumerate(BODIES):
        outcome, _ = run_interrupted(session, f"m::f{number}_3()", chance.uniform(0, 0.4), time.monotonic)
        assert outcome.error is not None and outcome.error.code == "INTERRUPTED", name
        assert not find_left_over(mark), name
    assert session.run("1 + 1").text == "2"


@pytest.mark.parametrize(
    "script",
    ["'sleep 600 & echo 1'", "'setsid sleep 600 & echo 1'", "'(setsid setsid sleep 600 &) ; exit 1'", "'kill -9 $$'"],
)  # fmt: skip
def test_no_process_is_left_after_generate(script: str, tmp_path: Path, mark: str) -> None:
    session = Session(permissions=["generate"], interactive=True)
    outcome = session.run(f"generate('/bin/sh', '-c', {script})")
    assert (outcome.error is None) == script.endswith("echo 1'")
    assert not wait_until_gone(mark, os.getpid())


PROGRAM = """
    import sys
    from evaluator import Session
    session = Session(modulepath=[sys.argv[1]], permissions=("ruby", "generate"), interactive=True)
    print(session.run(sys.argv[2]).error)
"""
CELLS = (
    "generate('/bin/sleep', '600')",
    "generate('/bin/sh', '-c', 'sleep 600 & setsid sleep 600 & wait')",
    *(f"m::f{number}_3()" for number in range(len(BODIES))),
)


@needs_ruby
@pytest.mark.slow
def test_no_process_is_left_when_the_process_of_a_session_is_killed(tmp_path: Path, mark: str) -> None:
    make_session(tmp_path)
    chance = random.Random(26)
    for cell, number in zip(CELLS, cycle([signal.SIGKILL, signal.SIGTERM]), strict=False):
        command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(tmp_path), cell]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.2, 0.8))
            process.send_signal(number)
        assert not wait_until_gone(mark, os.getpid()), cell


# --- guardians


def test_a_command_that_cannot_be_started_is_reported_as_usual(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        CompanionProcess([str(tmp_path / "none")])
    with pytest.raises(PermissionError):
        CompanionProcess([str(tmp_path)])
    with pytest.raises(ValueError, match="null byte"):
        CompanionProcess(["/bin/echo", "\0"])


@pytest.mark.parametrize(("code", "status"), [("exit 3", 3), ("kill -9 $$", -9), ("kill -15 $$", -15)])
def test_a_command_ends_with_its_own_status(code: str, status: int) -> None:
    with CompanionProcess(["/bin/sh", "-c", code]) as program:
        assert b"".join(program.chunks(9)) == b"" and program.status(9) == status


@pytest.mark.parametrize("environment", [{"A": "b=c", "É": "\udcff"}, {}])
def test_a_command_has_its_environment_and_the_mark_of_its_guardian(
    environment: dict[str, str],
) -> None:
    with CompanionProcess(["/usr/bin/env"], environment=environment) as program:
        *lines, mark = b"".join(program.chunks(9)).splitlines()
    assert lines == [os.fsencode(f"{name}={value}") for name, value in environment.items()]
    assert mark.startswith(b"PUPPET_KERNEL_GUARD=")


def test_descendants_end_and_the_command_does_not(mark: str) -> None:
    code = "setsid sleep 600 & sleep 600 & while read line; do echo $line; done"
    with CompanionProcess(["/bin/sh", "-c", code], has_input=True) as program:
        program.send(b"1")
        assert program.receive(9) == b"1"
        assert program.end_descendants()
        program.send(b"2")
        assert program.receive(9) == b"2"
        assert len(wait_until_gone(mark, os.getpid(), 0.2)) == 2, "the command and its guardian"
    assert not wait_until_gone(mark, os.getpid())


def test_many_processes_end_in_time_of_their_number(mark: str) -> None:
    program = CompanionProcess(["/bin/sh", "-c", "for i in $(seq 500); do sleep 600 & done; echo 1; wait"])
    next(program.chunks(30))
    deadline = time.monotonic() + 10
    while len(list_marked(mark)) <= 500:  # a new process is not listed yet
        assert time.monotonic() < deadline
    os.close(program._socket.detach())  # as if the owner had died
    assert not wait_until_gone(mark, os.getpid())
    program.end()


def test_a_killed_guardian_takes_its_command_along(mark: str) -> None:
    program = GuardedProcess(["/bin/sleep", "600"])
    program.child.kill()
    assert not wait_until_gone(mark, os.getpid())
    program.end()


def test_processes_of_a_killed_guardian_are_killed(mark: str) -> None:
    code = (
        "setsid sh -c 'sleep 600 & sleep 600' & setsid setsid sleep 600 & sleep 0.1; kill -9 $PPID; sleep 600"
    )
    with CompanionProcess(["/bin/sh", "-c", code]) as program:
        program.child.wait(9)
        assert len(wait_until_gone(mark, os.getpid(), 0.2)) >= 3, "no longer descendants of the guardian"
    assert not wait_until_gone(mark, os.getpid())


def test_a_command_ends_if_its_owner_dies_before_it_is_reported_as_started(mark: str) -> None:
    owner, end = socket.socketpair()
    command = ["/bin/sh", "-c", "sleep 600 & setsid sleep 600 & wait"]
    script = [sys.executable, "-I", "-S", companions._GUARDIAN_FILE, str(end.fileno()), "", "", *command]
    with owner, end, subprocess.Popen(script, pass_fds=[end.fileno()], stderr=subprocess.DEVNULL):
        owner.sendall(f"LC_MARK={mark}\0\0".encode())
        end.close()
        owner.close()
    assert not wait_until_gone(mark, os.getpid())


@pytest.mark.parametrize("number", ["STOP", "TSTP", "TERM", "INT", "HUP", "USR1", "ALRM"])
def test_a_command_cannot_stop_or_end_its_guardian(number: str, mark: str) -> None:
    code = f"setsid sleep 600 & kill -{number} $PPID; while read line; do echo $line; done"
    with CompanionProcess(["/bin/sh", "-c", code], has_input=True) as program:
        program.send(b"1")
        assert program.receive(9) == b"1"
        assert program.end_descendants()
        assert len(wait_until_gone(mark, os.getpid(), 0.2)) == 2, "the command and its guardian"
        program.send(b"2")
        assert program.receive(9) == b"2"
        if number == "STOP":
            program.child.send_signal(signal.SIGSTOP)
        start = time.monotonic()
    assert not wait_until_gone(mark, os.getpid())
    assert time.monotonic() - start < companions._KILL_SECONDS


def test_a_stopped_guardian_ends_with_its_owner(mark: str) -> None:
    code = (
        "import os, time; from evaluator.program.companions import GuardedProcess;"
        " kept = GuardedProcess(['/bin/sh', '-c', 'setsid sleep 600 & sleep 0.2; kill -STOP $PPID; wait']);"
        " time.sleep(0.6); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert not wait_until_gone(mark, os.getpid())


def test_a_command_that_stops_its_guardian_again_and_again_ends(mark: str) -> None:
    code = "setsid sleep 600 & while true; do kill -STOP $PPID; done"
    with CompanionProcess(["/bin/sh", "-c", code]):
        time.sleep(0.1)
        start = time.monotonic()
    assert not wait_until_gone(mark, os.getpid())
    assert time.monotonic() - start < companions._KILL_SECONDS


def test_the_signals_that_a_guardian_ignores_end_a_command(mark: str) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        with CompanionProcess(["/bin/sh", "-c", f"kill -{int(number)} $$; sleep 600"]) as program:
            assert program.status(9) == -number


def test_a_guardian_that_does_not_react_is_killed(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluator.program.companions._KILL_SECONDS", 0.2)
    program = GuardedProcess(["/bin/sleep", "600"])
    monkeypatch.setattr(program.child, "send_signal", lambda number: None)
    os.kill(program.child.pid, signal.SIGSTOP)
    assert not program.end_descendants()
    program.end()
    assert not wait_until_gone(mark, os.getpid())


def test_a_program_that_nobody_refers_to_ends(mark: str) -> None:
    GuardedProcess(["/bin/sleep", "600"])
    assert not wait_until_gone(mark, os.getpid())


def test_the_processes_of_a_fleet_end_with_their_executor_and_with_this_process(mark: str) -> None:
    executor = ProcessExecutor(2)
    executor.submit(os.getpid).result(30)
    executor.submit(time.sleep, 600)
    executor.shutdown(cancel_futures=True)
    assert not wait_until_gone(mark, os.getpid())
    code = (
        "import os, time; from evaluator.fleet.compilation import ProcessExecutor; pool = ProcessExecutor(1);"
        " pool.submit(os.getpid).result(); pool.submit(time.sleep, 600); time.sleep(0.2); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert not wait_until_gone(mark, os.getpid())


@pytest.mark.slow
def test_the_processes_that_check_files_end_with_their_parent(mark: str, tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"m{number}.pp").write_text("".join(f"$a{line} = {line}\n" for line in range(1000)))
    command = [sys.executable, "-m", "puppet_kernel", "--check", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while len(list_marked(mark)) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert not wait_until_gone(mark, os.getpid(), 2)
