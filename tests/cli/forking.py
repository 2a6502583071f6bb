"""`puppet-repl` in forks of a process that has loaded it, which saves 0.1 s for each.

A fork has the state of a process that has just started. Other tests start the command as users do.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.structure import ROOT

Result = subprocess.CompletedProcess[str]
Repl = Callable[..., Result]  # the fixture `repl`

# The server imports the modules that its children imported, so that no later child imports them again.
_SERVER = """
import importlib, json, os, signal, sys
from contextlib import suppress
from puppet_kernel.__main__ import main
for line in sys.stdin:
    arguments, folder, environment, stdin, stdout, stderr, imported = json.loads(line)
    child = os.fork()
    if not child:
        signal.alarm(60)  # ends a child that hangs
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        os.dup2(os.open(stdin, os.O_RDONLY), 0)
        for number, path in enumerate((stdout, stderr), 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        status = main(arguments)
        with open(imported, "w") as names:
            names.write(" ".join(sys.modules))
        sys.exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with suppress(OSError), open(imported) as names:
        for name in {*names.read().split()} - {*sys.modules}:
            with suppress(ImportError):
                importlib.import_module(name)
    print(status, flush=True)
"""


@cache
def start_server() -> subprocess.Popen[str]:
    """Return the process that has loaded the command."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    atexit.register(process.communicate)
    return process


def run_repl(
    arguments: list[str], folder: Path, stdin: str = "", environment: Mapping[str, str] = os.environ
) -> Result:
    """Run `puppet-repl` in a working folder and return its exit code and output."""
    process = start_server()
    assert process.stdin is not None and process.stdout is not None
    with TemporaryDirectory() as files_folder:
        files = [Path(files_folder, name) for name in ("stdin", "stdout", "stderr", "modules")]
        files[0].write_text(stdin, encoding="utf-8")
        request = [arguments, str(folder), dict(environment), *map(str, files)]
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        status = int(process.stdout.readline())
        stdout, stderr = (file.read_text(encoding="utf-8") for file in files[1:3])
    return subprocess.CompletedProcess(arguments, status, stdout, stderr)
