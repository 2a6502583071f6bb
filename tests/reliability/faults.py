"""`python -m tests.reliability.faults [--first N] [--last N] [--step N] [--first-kind N]`: faults of file operations.

A child process runs a program from the command line, or a session with cells that load a module and read files and
data, each of which it adds to the history. Its n-th file operation fails: the disk is full or broken, access is not
permitted, or a write is partial. No cell may be lost, no traceback may be shown, and the session has to continue. A
process that cannot read its own code may only report that.
"""

from __future__ import annotations

import argparse
import builtins
import errno
import importlib.machinery
import io
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KINDS = ("ENOSPC", "EIO", "EACCES", "short")
FILE_FUNCTIONS = {
    os: ("open", "read", "write", "pread", "fstat", "stat", "lstat", "listdir", "scandir", "mkdir", "readlink"),
    builtins: ("open",),
    io: ("open", "open_code"),
    importlib.machinery.SourceFileLoader: ("get_data",),
}  # fmt: skip
CELLS = (
    "$a = 1",
    "include m",
    "$b = lookup('key')",
    "$c = file('m/motd')",
    "notify { 'n': message => epp('m/t.epp') }",
    "$d = loadyaml('data.yaml', {})",
    "notice(glob('*').length)",
    "%facts facts.yaml",
    "%cells",
)
OWN_CODE = ("get_data", "open_code")
PROGRAM = "include m notice(lookup('key')) file('m/motd')"


class Faults:
    """A counter of file operations, one of which fails.

    Attributes:
        place: The number of the operation that fails; 0 for none.
        kind: One of `KINDS`.
        is_active: False once the scene has ended.
        failed_operation: The operation that has failed."""

    def __init__(self, place: int, kind: str) -> None:
        self.place = place
        self.kind = kind
        self.count = 0
        self.is_active = True
        self.failed_operation = ""

    def install(self) -> None:
        """Replace the functions of `FILE_FUNCTIONS`, to count their calls."""
        for owner, names in FILE_FUNCTIONS.items():
            for name in names:
                setattr(owner, name, self._make_faulty(name, getattr(owner, name)))

    def _make_faulty(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*arguments: Any, **options: Any) -> Any:
            if not self.is_active:
                return function(*arguments, **options)
            self.count += 1
            if self.count != self.place:
                return function(*arguments, **options)
            self.failed_operation = f"{name} {str(arguments[0])[-60:]}"
            if self.kind == "short":
                if name == "write":
                    return function(arguments[0], arguments[1][:1])
                return function(*arguments, **options)
            number = getattr(errno, self.kind)
            raise OSError(
                number, os.strerror(number), *([arguments[0]] if isinstance(arguments[0], str) else [])
            )

        return operation


def write_files(folder: Path) -> None:
    """Write a module, data and facts."""
    for name, text in {
        "modules/m/manifests/init.pp": "class m { notify { 'from m': } }\n",
        "modules/m/files/motd": "hello\n",
        "modules/m/templates/t.epp": "<%= 1 + 1 %>\n",
        "hiera.yaml": "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n",
        "data/common.yaml": "key: value\n",
        "data.yaml": "a: 1\n",
        "facts.yaml": "fact: 1\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run_session(faults: Faults) -> list[str]:
    """Run a session with its history and return its violations."""
    from puppet_kernel.rendering.text import render_plain
    from puppet_kernel.shell import Shell
    from puppet_kernel.user_files.history import InputHistory

    history = InputHistory("state/history")
    history.read()
    shell = Shell({"modulepath": ["modules"], "hiera_config": "hiera.yaml"}, guarded=True)
    violations = []
    for number, source in enumerate(CELLS, 1):
        reply = shell.submit(source)
        text = render_plain(reply.element) if reply.element is not None else None
        history.add(number, source, text)
        if reply.error is not None:
            if reply.error.code == "INTERNAL_ERROR" and not faults.failed_operation.startswith(OWN_CODE):
                violations.append(f"{source}: {reply.error}")
            again = shell.submit(source)
            if again.error is not None:
                violations.append(f"{source} again: {again.error}")
    faults.is_active = False
    stored = [entry.source for entry in history.read_all() if entry.session == history.session]
    if stored != list(CELLS):
        violations.append(f"the history has {len(stored)} of {len(CELLS)} cells")
    if "Notify[from m]" not in str(shell.session.catalog().summary()):
        violations.append("the catalog lacks a resource")
    others = [entry.source for entry in InputHistory("state/history").read()]
    if history.warning is None and others != list(CELLS):
        violations.append(f"the file has {len(others)} of {len(CELLS)} cells, without a warning")
    if len({source for source in others if source not in CELLS}) > 0:
        violations.append("the file has inputs that are not cells")
    return violations


def run_command(faults: Faults) -> list[str]:
    """Run a program from the command line and return its violations."""
    from puppet_kernel.__main__ import main

    code = main(["--modulepath", "modules", "--hiera-config", "hiera.yaml", "-e", PROGRAM])
    faults.is_active = False
    own_code = faults.failed_operation.startswith(OWN_CODE)
    return [] if code in ((0, 1, 2, 70, 74) if own_code else (0, 1, 2)) else [f"exit code {code}"]


SCENES = {"command": run_command, "session": run_session}
# Modules that are loaded before a scene begins. The command loads the rest itself, so that its imports meet faults, too
# (before that, Python itself reports a fault). The session begins after its imports.
LOADED = {
    "command": ("puppet_kernel.__main__",),
    "session": ("puppet_kernel.user_files.history", "puppet_kernel.rendering.text", "puppet_kernel.shell"),
}


def run_scene(scene: str, place: int, kind: str, answer: int) -> None:
    """Run a scene with a fault, and write [number of operations, failed operation, violations] to a pipe."""
    faults = Faults(place, kind)
    faults.install()
    try:
        violations = SCENES[scene](faults)
    except SystemExit as end:
        violations = [] if end.code in (0, 1, 2) else [f"exit {end.code}"]
    except BaseException as problem:
        violations = [f"{type(problem).__name__}: {problem}", traceback.format_exc()]
    faults.is_active = False
    os.write(answer, json.dumps([faults.count, faults.failed_operation, violations]).encode())


def load_modules(scene: str) -> None:
    """Load the modules of a scene, once for all forks."""
    for module in LOADED[scene]:
        importlib.import_module(module)


def run_with_fault(scene: str, place: int, kind: str) -> tuple[int, str, list[str]]:
    """Run a scene in a new process with a fault; return the number of operations, the failed one, and violations."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        source, answer = os.pipe()
        process = os.fork()
        if not process:
            try:
                os.chdir(folder)
                output = os.open("output", os.O_WRONLY | os.O_CREAT)
                os.dup2(output, 1)
                os.dup2(output, 2)
                os.environ["PYTHONPATH"] = str(ROOT)
                run_scene(scene, place, kind, answer)
                sys.stdout.flush()
            finally:
                os._exit(0)
        os.close(answer)
        with os.fdopen(source, "rb") as pipe:
            answer_text = pipe.read()
        os.waitpid(process, 0)
        output_text = (folder / "output").read_text(encoding="utf-8", errors="replace")
    if not answer_text:
        # a process that cannot write ends at once, with the reason
        return 0, "", [] if "cannot write" in output_text else [f"died: {output_text[-300:]}"]
    count, what, violations = json.loads(answer_text)
    if "Traceback" in output_text:
        violations.append(f"a traceback: {output_text[-600:]}")
    return count, what, violations


def campaign(scene: str, first: int, last: int, step: int = 1, first_kind: int = 0) -> list[str]:
    """Run a scene with a fault at each n-th operation, one kind after the other, and return its violations.

    Args:
        first_kind: The index of the kind for the first operation. Campaigns with all of them try each kind of fault at
            each operation.
    """
    load_modules(scene)
    found = []
    for place in range(first, last + 1, step):
        kind = KINDS[(place // step + first_kind) % len(KINDS)]
        count, what, violations = run_with_fault(scene, place, kind)
        for each in violations:
            found.append(f"{scene}, operation {place} ({what}), {kind}: {each}")
            print(found[-1], file=sys.stderr, flush=True)
        if count and count < place:
            break
    return found


def main() -> int:
    """Run all scenes; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=500)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first-kind", type=int, default=None, help="0 to 3 (default: all)")
    parser.add_argument("--scene", choices=SCENES, default=None)
    options = parser.parse_args()
    violations = []
    first_kinds = range(len(KINDS)) if options.first_kind is None else [options.first_kind]
    for scene in [options.scene] if options.scene else SCENES:
        start = time.monotonic()
        found = []
        for first_kind in first_kinds:
            found += campaign(scene, options.first, options.last, options.step, first_kind)
        print(
            f"{scene}: {run_with_fault(scene, 0, 'EIO')[0]} operations, {len(found)} faults,"
            f" {time.monotonic() - start:.0f} s"
        )
        violations += found
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
