"""A command runs in the supervised thread; the thread that waits for it takes little CPU time.

An interrupt stops the supervised thread. Until then the waiting thread only notes it, so its own CPU time is the time
in which an interrupt has no effect.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial

import pytest

from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.shell import Shell
from tests.effort import exceeds, run_within

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

SECONDS = 0.25  # of CPU in the waiting thread
VALUES = {
    "doubled objects": "Integer[1, 50].reduce(1) |$m, $i| { Box([$m, $m]) }",
    "doubled arrays": "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }",
    "many arrays": "Integer[1, 20000].map |$i| { [$i, 'a'] }",
    "a long text": "String('x', '%20000000s')",
}
# inputs with a value, `$v`, for the commands that run code or change the session
INPUTS_BY_COMMAND = {
    "step": ("%step $v", "%step [$v, 1 + 1]"),
    "types": ("%types $v", "%types"),
    "both": ("%both [$v, '10' < '9']",),
    "diff": ("%diff node other", "%diff dialect", "%diff [1]"),
    "whatif": ("%whatif a=2",),
    "fleet": ("%fleet a=1,2", "%fleet Notify['a']"),
    "why": (
        "%why $v =~ Array[Integer]",
        "%why case $v { Integer: { 1 } default: { 2 } }",
        "%why join($v, 2)",
    ),
    "time": ("%time $v",),
    "lookup": ("%lookup nosuch",),
    "facts": ("%facts", "%facts a", "%facts nosuch"),
    "check": ("%check nosuch $v",),
    "debug": ("%debug $v",),
    "exported": ("%exported",),
}
# commands that use no value of a program, or only run programs
UNTESTED_COMMANDS = {
    "node",
    "environment",
    "modulepath",
    "hiera",
    "dialect",
    "limits",
    "run",
    "undo",
    "redo",
    "freeze",
    "stale",
    "reset",
    "break",
}


def test_every_mutating_command_is_in_a_table() -> None:
    assert {
        command.name for command in COMMANDS if command.mutates_session
    } == INPUTS_BY_COMMAND.keys() | UNTESTED_COMMANDS


@pytest.mark.parametrize("name", VALUES)
def test_the_waiting_thread_takes_little_cpu_time(name: str) -> None:
    facts = {"a": [["x"] * 50] * 50}
    shell = Shell({"facts": facts, "limits": {"max_seconds": 1}}, guarded=True)
    shell.submit("type Box = Object[{ attributes => { inner => Any } }]")
    assert shell.submit(f"$v = {VALUES[name]} notify {{ 'a': }}").error is None
    shell.submit("$v")  # `%types` shows the value of the last cell
    for sources in INPUTS_BY_COMMAND.values():
        for source in sources:
            run_within(SECONDS, partial(shell.submit, source), tries=1, clock=time.thread_time)


ENDLESS = "Integer[1, 1000000000000].any |$x| { false }"
SLOW = "Integer[1, 300000].any |$x| { false }"
# commands that run several programs, after slow cells
LONG_COMMANDS = (
    f"%both {ENDLESS}",
    f"%step [{ENDLESS}, {ENDLESS}]",
    f"%why case ({ENDLESS}) {{ ({ENDLESS}): {{ 1 }} }}",
    "%diff dialect",
    "%diff node other",
    "%whatif a=2,3",
    "%node other",
    "%facts debian-12",
    "%why Notify['a']",
)


@pytest.mark.parametrize("source", LONG_COMMANDS)
def test_an_interrupt_ends_all_programs_of_a_command(source: str) -> None:
    shell = Shell({"facts": {"a": 1}}, guarded=True)
    for cell in ("notify { 'a': }", *[f"$x{number} = {SLOW} notice(1)" for number in range(6)]):
        assert shell.submit(cell).error is None
    before = shell.session
    begun = time.process_time()

    def interrupt() -> None:
        while time.process_time() - begun < 0.02:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=interrupt)
    watcher.start()
    reply = shell.submit(source)
    watcher.join()
    assert not exceeds(time.process_time() - begun, 1.0)
    assert reply.error is not None and reply.error.code == "INTERRUPTED"
    assert shell.session is before and len(shell.session.cells) == 7
    assert shell.submit("1 + 1").error is None
