"""`python -m tests.reliability.faults [--first N] [--last N] [--step N] [--turn N]`: a fault at each file operation.

A child does what a person does: it runs a program from the command line, or starts a session, runs cells that load a
module, read files and data, and keeps each cell in the history. The n-th time that it opens, reads, writes, lists or
asks for a file, that fails: the disk is full, broken, or not permitted, or a write does only a part. No cell may be
lost, no traceback may be seen, and the session has to go on. A program whose own code cannot be read may only say so.
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
ASKED = {
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
    """Counts file operations, and lets one fail."""

    def __init__(self, place: int, kind: str) -> None:
        self.place = place
        self.kind = kind
        self.count = 0
        self.on = True
        self.what = ""

    def install(self) -> None:
        """From now on operations are counted."""
        for owner, names in ASKED.items():
            for name in names:
                setattr(owner, name, self._faulty(name, getattr(owner, name)))

    def _faulty(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*arguments: Any, **options: Any) -> Any:
            if not self.on:
                return function(*arguments, **options)
            self.count += 1
            if self.count != self.place:
                return function(*arguments, **options)
            self.what = f"{name} {str(arguments[0])[-60:]}"
            if self.kind == "short":
                if name == "write":
                    return function(arguments[0], arguments[1][:1])
                return function(*arguments, **options)
            number = getattr(errno, self.kind)
            raise OSError(
                number, os.strerror(number), *([arguments[0]] if isinstance(arguments[0], str) else [])
            )

        return operation


def prepare(folder: Path) -> None:
    """A module, data and facts."""
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


def session(faults: Faults) -> list[str]:
    """Run a session with its history and return its violations."""
    from puppet_kernel.rendering.text import render_plain
    from puppet_kernel.shell import Shell
    from puppet_kernel.user_files.history import InputHistory

    history = InputHistory("state/history")
    history.read()
    shell = Shell({"modulepath": ["modules"], "hiera_config": "hiera.yaml"}, guarded=True)
    wrong = []
    for number, source in enumerate(CELLS, 1):
        reply = shell.submit(source)
        text = render_plain(reply.element) if reply.element is not None else None
        history.add(number, source, text)
        if reply.error is not None:
            if reply.error.code == "INTERNAL_ERROR" and not faults.what.startswith(OWN_CODE):
                wrong.append(f"{source}: {reply.error}")
            again = shell.submit(source)
            if again.error is not None:
                wrong.append(f"{source} again: {again.error}")
    faults.on = False
    kept = [entry.source for entry in history.read_all() if entry.session == history.session]
    if kept != list(CELLS):
        wrong.append(f"the history has {len(kept)} of {len(CELLS)} cells")
    if "Notify[from m]" not in str(shell.session.catalog().summary()):
        wrong.append("the catalog lacks a resource")
    others = [entry.source for entry in InputHistory("state/history").read()]
    if history.warning is None and others != list(CELLS):
        wrong.append(f"the file has {len(others)} of {len(CELLS)} cells, and nobody says so")
    if len({source for source in others if source not in CELLS}) > 0:
        wrong.append("the file has what is no cell")
    return wrong


def command(faults: Faults) -> list[str]:
    """Run a program from the command line and return its violations."""
    from puppet_kernel.__main__ import main

    code = main(["--modulepath", "modules", "--hiera-config", "hiera.yaml", "-e", PROGRAM])
    faults.on = False
    own_code = faults.what.startswith(OWN_CODE)
    return [] if code in ((0, 1, 2, 70, 74) if own_code else (0, 1, 2)) else [f"exit code {code}"]


SCENES = {"command": command, "session": session}
# What is loaded before a scene begins; the one that finds less comes first. A command begins where our own code does:
# what Python cannot read before that, it tells itself. A session has started: to start is the other scene.
LOADED = {
    "command": ("puppet_kernel.__main__",),
    "session": ("puppet_kernel.user_files.history", "puppet_kernel.rendering.text", "puppet_kernel.shell"),
}


def child(scene: str, place: int, kind: str, answer: int) -> None:
    """Plays a scene with a fault, and writes [operations, the one that failed, what went wrong]."""
    faults = Faults(place, kind)
    faults.install()
    try:
        wrong = SCENES[scene](faults)
    except SystemExit as end:
        wrong = [] if end.code in (0, 1, 2) else [f"exit {end.code}"]
    except BaseException as problem:
        wrong = [f"{type(problem).__name__}: {problem}", traceback.format_exc()]
    faults.on = False
    os.write(answer, json.dumps([faults.count, faults.what, wrong]).encode())


def prepared(scene: str) -> None:
    """Loads what a scene begins with, once for all its forks."""
    for module in LOADED[scene]:
        importlib.import_module(module)


def played(scene: str, place: int, kind: str) -> tuple[int, str, list[str]]:
    """Return the violations of a scene in a process of its own, with a fault at one operation."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        source, answer = os.pipe()
        process = os.fork()
        if not process:
            try:
                os.chdir(folder)
                said = os.open("said", os.O_WRONLY | os.O_CREAT)
                os.dup2(said, 1)
                os.dup2(said, 2)
                os.environ["PYTHONPATH"] = str(ROOT)
                child(scene, place, kind, answer)
                sys.stdout.flush()
            finally:
                os._exit(0)
        os.close(answer)
        with os.fdopen(source, "rb") as told:
            text = told.read()
        os.waitpid(process, 0)
        said_text = (folder / "said").read_text(encoding="utf-8", errors="replace")
    if not text:
        # who cannot write at all ends at once, with the reason
        return 0, "", [] if "cannot write" in said_text else [f"died: {said_text[-300:]}"]
    count, what, wrong = json.loads(text)
    if "Traceback" in said_text:
        wrong.append(f"a traceback: {said_text[-600:]}")
    return count, what, wrong


def campaign(scene: str, first: int, last: int, step: int = 1, turn: int = 0) -> list[str]:
    """Run a scene with a fault at each n-th operation, one kind after the other, and return its violations.

    turn  which kind comes first: in so many campaigns as there are kinds, each operation meets all of them
    """
    prepared(scene)
    found = []
    for place in range(first, last + 1, step):
        kind = KINDS[(place // step + turn) % len(KINDS)]
        count, what, wrong = played(scene, place, kind)
        for each in wrong:
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
    parser.add_argument("--turn", type=int, default=None, help="0 to 3: which kind of fault comes first; all")
    parser.add_argument("--scene", choices=SCENES, default=None)
    options = parser.parse_args()
    wrong = []
    turns = range(len(KINDS)) if options.turn is None else [options.turn]
    for scene in [options.scene] if options.scene else SCENES:
        begun = time.monotonic()
        found = []
        for turn in turns:
            found += campaign(scene, options.first, options.last, options.step, turn)
        print(
            f"{scene}: {played(scene, 0, 'EIO')[0]} operations, {len(found)} faults, {time.monotonic() - begun:.0f} s"
        )
        wrong += found
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
