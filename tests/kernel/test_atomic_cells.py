"""The effects of a cell are atomic, including its display, whenever an interrupt arrives."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import KernelAndClient, execute, receive_reply, wait_for_signals

ENDLESS = "Integer[0, 9223372036854775806].each |$i| { $i }"
LARGE_VALUE = "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }"  # It has too many parts to be displayed.
# The value is computed in about 0.01 s and displayed in about 0.1 s.
DISPLAY_SECONDS = (0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08)


def interrupt_code(kernel: KernelAndClient, code: str, seconds: float) -> dict[str, Any]:
    """Interrupt code some seconds after it was sent, and return the content of its reply."""
    manager, client = kernel
    message = client.execute(code)
    time.sleep(seconds)
    os.kill(manager.provisioner.pid, signal.SIGINT)
    return receive_reply(client, message)["content"]  # type: ignore[no-any-return]


def get_status_after_interrupt(client: BlockingKernelClient, code: str) -> str:
    """Return the status of code after an interrupt; requests that wait are aborted first."""
    for _ in range(20):
        time.sleep(0.05)
        status: str = execute(client, code).reply["status"]
        if status != "aborted":
            break
    return status


@pytest.mark.parametrize("milliseconds", [0, 0, 0, 0, 0.2, 0.5, 1, 1, 2, 3, 5, 8, 13, 20])
def test_an_interrupt_shortly_after_the_request_is_not_lost(
    kernel: KernelAndClient, milliseconds: float
) -> None:
    assert interrupt_code(kernel, ENDLESS, milliseconds / 1000)["ename"] == "INTERRUPTED"
    assert get_status_after_interrupt(kernel[1], "1") == "ok"


def test_an_interrupt_between_cells_stops_no_cell(kernel: KernelAndClient) -> None:
    manager, client = kernel
    for _ in range(5):
        os.kill(manager.provisioner.pid, signal.SIGINT)
        wait_for_signals(client)
        assert execute(client, "1").reply["status"] == "ok"


@pytest.mark.parametrize("command", ["", "%time "])
def test_an_interrupt_of_a_display_rolls_back_the_cell(kernel: KernelAndClient, command: str) -> None:
    client, statuses = kernel[1], []
    for seconds in DISPLAY_SECONDS:
        execute(client, "%reset")
        reply = interrupt_code(kernel, f"{command}$kept = {LARGE_VALUE}", seconds)
        statuses.append(reply["status"])
        if reply["status"] == "error":
            assert reply["ename"] == "INTERRUPTED"
            assert get_status_after_interrupt(client, "$kept = 1") == "ok"
        else:
            wait_for_signals(client)
    assert "error" in statuses


def test_a_command_can_be_interrupted(kernel: KernelAndClient) -> None:
    client = kernel[1]
    execute(client, "%reset")
    lines = "\n".join(f"notify {{ 'n{i}': message => 'x' }}" for i in range(30_000))
    reply = interrupt_code(kernel, f"%format\n{lines}", 0.3)
    assert reply.get("ename") == "INTERRUPTED"
    assert get_status_after_interrupt(client, "2") == "ok"


def test_user_expressions_have_no_effects(kernel: KernelAndClient) -> None:
    client = kernel[1]
    execute(client, "%reset")
    execute(client, "$a = 1")
    execute(client, "$b = 2")
    execute(client, "%undo")
    execution = execute(
        client, "", user_expressions={"e": "$c = $a + 1", "n": "notify { 'x': }", "u": "%undo"}
    )
    expressions = execution.reply["user_expressions"]
    assert expressions["e"]["data"]["text/plain"] == "2"
    assert expressions["u"]["status"] == "error"
    assert "undone" not in execute(client, "%redo").text
    assert execute(client, "[$a, $b]").text == "[1, 2]"
    assert "empty" in execute(client, "%catalog").text
    assert execute(client, "$c = 1").reply["status"] == "ok"


def test_a_value_that_is_too_large_is_displayed_in_part(kernel: KernelAndClient) -> None:
    client = kernel[1]
    execute(client, "%reset")
    execute(client, "%limits max_memory 64000000")
    execution = execute(client, f"$kept = {LARGE_VALUE}")
    assert execution.reply["status"] == "ok"
    assert "…" in execution.text and len(execution.text) < 200_000
    assert execute(client, "$kept.length").text == "2"
    execute(client, "%limits max_memory default")
