"""Damaged machines: processes killed at random moments, full disks, and too few files, processes, or bytes of memory.

Nothing that was reported as done may be lost; there is at most one warning, and no traceback.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from queue import Empty
from random import Random
from typing import NamedTuple

from puppet_kernel.user_files.history import InputHistory
from tests.files import write_files
from tests.kernel import kernels
from tests.structure import ROOT

COMMAND = (sys.executable, "-m", "puppet_kernel", "--modulepath", "modules")


def make_environment(folder: Path) -> dict[str, str]:
    """Write modules, and return the environment variables of processes whose files are in a folder."""
    modules = {f"m{n}/manifests/init.pp": f"class m{n} {{ notify {{ 'm{n}': }} }}\n" for n in range(5)}
    write_files(folder / "modules", modules)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    changed = {"XDG_CACHE_HOME": str(home / "cache"), "XDG_STATE_HOME": str(home / "state")}
    return os.environ | changed | {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def find_faults(output: str, complaints: str, expected: str) -> str:
    """Return what is wrong with the output of a command; "" if nothing is."""
    if "Traceback" in complaints or "INTERNAL" in complaints or "this is a bug in" in complaints:
        return f"it shows a traceback: {complaints[-500:]}"
    if complaints.lower().count("warning") > 1:
        return f"it shows more than one warning: {complaints[-500:]}"
    return "" if output == expected else f"it shows {output[-200:]!r}, {complaints[-500:]!r}"


# --- killed processes

SESSION = """
import sys
from evaluator import Session
from puppet_kernel.user_files.history import InputHistory
session = Session(modulepath=["modules"], cache="home/cache/puppet-kernel", interactive=True)
history = InputHistory("home/state/puppet-kernel/history")
for number in range(int(sys.argv[1])):
    source = f"include m{number % 5}\\n$v{number} = {number}"
    outcome = session.run(source, f"c{number}")
    assert outcome.error is None, outcome.error
    history.add(number + 1, f"# {sys.argv[2]} {source}")
    print(number, flush=True)
"""


def kill_sessions(folder: Path, seed: int, count: int) -> Iterator[str]:
    """Kill pairs of sessions with one history and one cache at random moments, and yield what is lost or damaged."""
    environment, chance = make_environment(folder), Random(seed)
    history = folder / "home" / "state" / "puppet-kernel" / "history"
    for round_number in range(count):
        if chance.random() < 0.2:
            shutil.rmtree(folder / "home" / "cache", ignore_errors=True)
        if history.exists() and history.stat().st_size > 500_000:
            history.unlink()
        names = [f"{seed}-{round_number}-{half}" for half in "ab"]  # two start at once
        sessions = [
            subprocess.Popen(
                [sys.executable, "-c", SESSION, "200", name],
                cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for name in names
        ]  # fmt: skip
        # Some are killed during their start, the others between their inputs.
        count_of_inputs = chance.choice((0, 1, chance.randrange(150)))
        output_so_far = "".join(sessions[0].stdout.readline() for _ in range(count_of_inputs))
        time.sleep(chance.uniform(0, 0.01 if output_so_far else 0.2))
        for name, session, output in zip(names, sessions, (output_so_far, ""), strict=True):
            session.send_signal(signal.SIGKILL)
            output += session.stdout.read()
            _, complaints = session.communicate()
            if complaints:
                yield f"{name}: {complaints[-500:]}"
            stored = {entry.source for entry in InputHistory(str(history)).read()}
            for line in output.splitlines(keepends=True):
                source = f"# {name} include m{int(line) % 5}\n$v{int(line)} = {int(line)}"
                if line.endswith("\n") and source not in stored:
                    yield f"{name}: input {int(line)} was reported as stored, and is lost"
    result = subprocess.run(
        [*COMMAND, "-e", "include m0\n'fine'"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    fault = find_faults(result.stdout, result.stderr, "'fine'\n")
    if fault:
        yield f"after all kills: {fault}"


# --- machines with little of something


class Machine(NamedTuple):
    """A way to run a command on a damaged machine: words before it, a limit, and environment variables."""

    words: tuple[str, ...] = ()
    limit: tuple[int, int] | None = None
    variables: tuple[tuple[str, str], ...] = ()

    def enter(self) -> Callable[[], None] | None:
        """Return a function that takes the limit into force in the process that calls it."""
        if self.limit is None:
            return None
        kind, amount = self.limit
        return lambda: resource.setrlimit(kind, (amount, amount))


def _mount(*commands: str) -> Machine:
    """Return a machine in which commands have mounted file systems, in a namespace of its own."""
    script = " && ".join([*commands, 'exec "$@"'])
    return Machine(words=("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"))


@cache
def can_mount() -> bool:
    """Return True if this system permits a user to mount file systems."""
    if shutil.which("unshare") is None:
        return False
    words = [*_mount("mount -t tmpfs none /mnt").words, "true"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


HOME_SIZES = (4, 8, 12, 16, 20, 24, 32, 48, 64)  # kilobytes: files and folders take at least four each
LIMITED = {
    "no byte can be written": Machine(limit=(resource.RLIMIT_FSIZE, 0)),
    "20 open files": Machine(limit=(resource.RLIMIT_NOFILE, 20)),
    "0.4 GB of memory": Machine(limit=(resource.RLIMIT_AS, 400_000_000)),
    "0.15 GB of memory": Machine(limit=(resource.RLIMIT_AS, 150_000_000)),
    "a home that cannot be written": Machine(
        variables=(("HOME", "/proc"), ("XDG_CACHE_HOME", ""), ("XDG_STATE_HOME", ""))
    ),
    "no home": Machine(
        variables=(("HOME", "/dev/null/home"), ("XDG_CACHE_HOME", ""), ("XDG_STATE_HOME", ""))
    ),
    "no folder for temporary files": Machine(variables=(("TMPDIR", "/dev/null/temporary"),)),
    "a cache that is a file": Machine(variables=(("XDG_CACHE_HOME", "/dev/null"),)),
}
MOUNTED = {
    "a read-only home": _mount("mount -t tmpfs -o ro none home"),
    "no /tmp": _mount(
        *("mount --bind . /mnt", "mount -t tmpfs none /tmp", 'mkdir -p "$PWD"', 'mount --bind /mnt "$PWD"'),
        *("mount -o remount,ro /tmp", "mount -t tmpfs -o ro none /var/tmp", 'cd "$PWD"'),
    ),
    **{f"a disk of {size} KB": _mount(f"mount -t tmpfs -o size={size}k none home") for size in HOME_SIZES},
}
if os.geteuid():  # root may start any number of processes
    LIMITED["one process"] = Machine(limit=(resource.RLIMIT_NPROC, 1))
BELOW_KERNELS = ("20 open files", "one process")  # kernels need more files and threads, and report that
PROGRAMS = {
    "include m0 include m1 include m2\n'fine'": "'fine'\n",
    "Integer[1, 100000].map |$i| { $i }.length": "100000\n",
    "fail('no')": "",
    "1 +": "",
}


def list_machines() -> dict[str, Machine]:
    """Return the machines that this system can imitate, by name."""
    mounted = MOUNTED if can_mount() else {}
    if any(
        path.is_relative_to("/tmp") for path in (ROOT, *map(Path, sys.path))
    ):  # the checkout would be hidden
        mounted = {name: machine for name, machine in mounted.items() if name != "no /tmp"}
    return LIMITED | mounted


def run_commands(folder: Path, name: str) -> Iterator[str]:
    """Run each program on a machine, and yield what is wrong."""
    machine, environment = list_machines()[name], make_environment(folder)
    for program, expected in PROGRAMS.items():
        result = subprocess.run(
            [*machine.words, *COMMAND, "-e", program],
            cwd=folder, env=environment | dict(machine.variables), preexec_fn=machine.enter(),
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        fault = find_faults(result.stdout, result.stderr, expected)
        refused = "The system starts no more processes" in result.stderr and name == "one process"
        if fault and not refused:
            yield f"{name}: {program!r}: {fault}"
    stray = {path.name for path in folder.iterdir()} - {"modules", "home"}
    if stray:
        yield f"{name}: there are files in the working folder: {stray}"


def run_kernel(folder: Path, name: str) -> str:
    """Run a cell in a kernel on a machine; return what is wrong, or ""."""
    machine, environment = list_machines()[name], make_environment(folder)
    kernel = kernels.make_manager()
    kernel.connection_file = str(folder / "connection.json")
    kernel.kernel_spec.argv[:0] = machine.words  # type: ignore[union-attr]  # it has one
    with open(folder / "log", "w+") as log:
        kernel.start_kernel(
            env=environment | dict(machine.variables), cwd=str(folder), stderr=log, preexec_fn=machine.enter()
        )
        client = kernel.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=30)
            reply = client.execute_interactive("'fine'", timeout=30, output_hook=lambda message: None)
            status, cause = reply["content"]["status"], reply["content"].get("evalue", "")
        except (RuntimeError, TimeoutError, Empty) as problem:
            status = "gone" if not kernel.is_alive() else f"{type(problem).__name__}: {problem}"
            cause = ""
        finally:
            client.stop_channels()
            kernel.shutdown_kernel(now=True)
            kernel.cleanup_resources()
        log.seek(0)
        complaints = log.read()
    fault = find_faults("", complaints, "")
    if status == "gone" and not complaints:
        return f"{name}: the kernel ends without a reason"
    permitted = ("ok", "error", "gone") if name in BELOW_KERNELS else ("ok",)
    return f"{name}: {fault or status} {cause}" if fault or status not in permitted else ""
