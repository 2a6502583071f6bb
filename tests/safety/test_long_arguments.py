"""Commands read their arguments in time proportional to their length, whatever they contain."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.shell import Shell
from tests.effort import exceeds

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

LENGTH = 20_000
SECONDS = 2.0  # of CPU; a scan that starts again at each character takes minutes
ARGUMENTS = {
    "blanks in brackets": f"A[{' ' * LENGTH}x",
    "blanks after brackets": f"A[x]{' ' * LENGTH}!",
    "blanks after a name": f"A{' ' * LENGTH}[",
    "quotes in brackets": f"A['{chr(39) * LENGTH}",
    "open brackets": "A[" * (LENGTH // 2),
    "colons": f"A{':' * LENGTH}!",
    "segments": f"{'Aa::' * (LENGTH // 4)}!",
    "options": f"{'--table ' * (LENGTH // 8)}x y",
    "signs of options": f"--table {'=' * LENGTH} x",
    "blanks before options": f"--table x{' ' * LENGTH}--for",
    "places": f"a{':1' * (LENGTH // 2)}!",
    "blanks in places": f"a:1{' ' * LENGTH}!",
    "digits": f"[{'1' * LENGTH}",
    "quotes": '"' * LENGTH + "'",
    "stars": "*a" * 40 + "!",
    "choices": f"a={'b,' * (LENGTH // 2)}",
    "equals": f"a{'=' * LENGTH}",
    "climbing": "../" * (LENGTH // 3),
    "arrows": "-> " * (LENGTH // 3),
    "a null": "a\0b",
    "controls": "\x1b[2J\x9b\u202e\ud800",
    "a home": "~/x $HOME ~root/x",
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_command_reads_a_long_argument_in_time(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    slow = []
    for command in COMMANDS:
        shell = Shell({"facts": {"a": 1}}, guarded=True)
        shell.submit("notify { 'a': }")
        start = time.process_time()
        reply = shell.submit(f"%{command.name} {ARGUMENTS[name]}")
        if exceeds(time.process_time() - start, SECONDS):
            slow.append(command.name)
        assert reply.error is None or reply.error.code != "INTERNAL_ERROR", reply.error
    assert not slow
    assert not list(tmp_path.iterdir())
