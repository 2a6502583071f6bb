"""Python's audit events of programs and commands: no process, no socket, no path outside, no write."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Runs in a process of its own, since an audit hook stays.
PROGRAM = r"""
import json
import os
import sys
import threading

sys.path.insert(0, sys.argv[1])
from puppet_kernel.shell import Shell
from tests.safety.programs import generate_inputs

work = os.getcwd()
code = [os.path.realpath(path) for path in (sys.argv[1], sys.prefix, sys.base_prefix, os.path.dirname(os.__file__))]
code += [os.path.realpath(path) for path in sys.path if path and os.path.isdir(path)]
code += [f"/proc/{os.getpid()}/statm", f"/proc/{os.getpid()}/mounts", "/usr/share/zoneinfo"]
violations, watching = [], threading.Event()


def hook(event, arguments):
    if not watching.is_set():
        return
    if event.startswith(("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system")):
        violations.append((event, str(arguments)[:200]))
    if event == "open" and arguments[2] & os.O_PATH:
        return  # such a descriptor only names a folder: nothing can be read or listed by it
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        violations.append(("write", str(arguments[0])[:200]))
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes)):
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if not any(path == root or path.startswith(root + "/") for root in (work, *code)):
            violations.append((event, path))


sys.addaudithook(hook)
count = 0
for parity, dialect in enumerate(("spec", "puppet")):
    modules = [os.path.join(work, "modules")]
    settings = {"dialect": dialect, "facts": {}, "modulepath": modules, "limits": {"max_collection_size": 100_000}}
    shell = Shell(settings, guarded=True)
    watching.set()
    for source in generate_inputs(parity):
        reply = shell.submit(source)
        shell.complete(source, len(source))
        shell.inspect(source, len(source))
        count += 1
        if reply.action == "quit" or len(shell.session.cells) > 20:
            shell.submit("%reset")
    watching.clear()
print(json.dumps([count, violations]))
"""


def test_programs_and_commands_touch_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "modules" / "m" / "manifests").mkdir(parents=True)
    (tmp_path / "modules" / "m" / "manifests" / "init.pp").write_text("class m { }\n")
    result = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM, str(ROOT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    count, violations = json.loads(result.stdout.splitlines()[-1])
    assert count > 1000 and not violations, violations[:20]
