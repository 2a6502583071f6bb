"""The effects of a cell are atomic, its display included, whenever an interrupt arrives."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import start
from test_protocol import TIMEOUT, execute, settle

ENDLESS = "Integer[0, 9223372036854775806].each |$i| { $i }"
SHARED = "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }"  # of so many parts that nobody can show it


@pytest.fixture(scope="module")
def started() -> Iterator[tuple[Any, BlockingKernelClient]]:
    kernel, client = start()
    yield kernel, client
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


def stopped(started: Any, code: str, seconds: float) -> dict[str, Any]:
    """The reply to code that is interrupted so many seconds after it was sent."""
    kernel, client = started
    message = client.execute(code)
    time.sleep(seconds)
    os.kill(kernel.provisioner.pid, signal.SIGINT)
    while True:
        reply = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == message:
            return reply["content"]


def after_interrupt(client: BlockingKernelClient, code: str) -> str:
    """How the next code ends that is sent after an interrupt: what is on its way until then is aborted."""
    for _ in range(20):
        time.sleep(0.05)
        status: str = execute(client, code).reply["status"]
        if status != "aborted":
            break
    return status


@pytest.mark.parametrize("milliseconds", [0, 0, 0, 0, 0.2, 0.5, 1, 1, 2, 3, 5, 8, 13, 20])
def test_no_interrupt_is_lost_in_the_first_moments(started: Any, milliseconds: float) -> None:
    assert stopped(started, ENDLESS, milliseconds / 1000)["ename"] == "INTERRUPTED"
    assert after_interrupt(started[1], "1") == "ok"


def test_an_interrupt_between_cells_stops_none(started: Any) -> None:
    kernel, client = started
    for _ in range(5):
        os.kill(kernel.provisioner.pid, signal.SIGINT)
        settle(client)
        assert execute(client, "1").reply["status"] == "ok"


@pytest.mark.parametrize("code", [SHARED, f"%time {SHARED}"])
def test_a_display_is_interrupted_and_the_cell_has_not_happened(started: Any, code: str) -> None:
    client = started[1]
    execute(client, "%reset")
    begun = time.monotonic()
    reply = stopped(started, f"{code.replace(SHARED, '')} $kept = {SHARED}", 0.3)
    took = time.monotonic() - begun
    if reply["status"] == "ok":
        pytest.skip(f"it was shown before the interrupt came, in {took:.2f} s")
    assert reply["ename"] == "INTERRUPTED"
    assert after_interrupt(client, "$kept = 1") == "ok"


def test_a_command_can_be_interrupted(started: Any) -> None:
    client = started[1]
    execute(client, "%reset")
    lines = "\n".join(f"notify {{ 'n{i}': message => 'x' }}" for i in range(30_000))
    reply = stopped(started, f"%format\n{lines}", 0.3)
    assert reply.get("ename") == "INTERRUPTED"
    assert after_interrupt(client, "2") == "ok"


def test_user_expressions_leave_no_trace(started: Any) -> None:
    client = started[1]
    execute(client, "%reset")
    execute(client, "$a = 1")
    execute(client, "$b = 2")
    execute(client, "%undo")
    told = execute(client, "", user_expressions={"e": "$c = $a + 1", "n": "notify { 'x': }", "u": "%undo"})
    found = told.reply["user_expressions"]
    assert found["e"]["data"]["text/plain"] == "2"
    assert found["u"]["status"] == "error"
    assert "undone" not in execute(client, "%redo").text
    assert execute(client, "[$a, $b]").text == "[1, 2]"
    assert "empty" in execute(client, "%catalog").text
    assert execute(client, "$c = 1").reply["status"] == "ok"


def test_what_is_too_large_to_be_shown_is_shown_in_part(started: Any) -> None:
    client = started[1]
    execute(client, "%reset")
    execute(client, "%limits max_memory 64000000")
    answer = execute(client, f"$kept = {SHARED}")
    assert answer.reply["status"] == "ok"
    assert "…" in answer.text and len(answer.text) < 200_000
    assert execute(client, "$kept.length").text == "2"
    execute(client, "%limits max_memory default")
