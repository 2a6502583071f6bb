"""Cells below one that runs again: its own result comes first, then each cell that differs, and progress."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from kernels import start
from test_protocol import TIMEOUT

SLOW = "Integer[1, 200000].reduce |$sum, $n| { $sum + $n + $x }"


def send(client: BlockingKernelClient, code: str, cell_id: str) -> str:
    """Send a cell and return the identity of the request."""
    content = {"code": code, "silent": False, "store_history": True, "stop_on_error": False}
    content |= {"user_expressions": {}, "allow_stdin": False}
    message = client.session.msg("execute_request", content, metadata={"cellId": cell_id})
    client.shell_channel.send(message)
    return str(message["header"]["msg_id"])


def receive(client: BlockingKernelClient, request: str) -> list[tuple[float, str, dict[str, Any]]]:
    """Return the messages of a request with their times, until the kernel is idle."""
    found = []
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return found
        found.append((time.monotonic(), message["msg_type"], message["content"]))


def run(client: BlockingKernelClient, code: str, cell_id: str) -> list[tuple[float, str, dict[str, Any]]]:
    """Run a cell and return its messages."""
    return receive(client, send(client, code, cell_id))


def text(content: dict[str, Any]) -> str:
    """Return the plain text of a display."""
    return str(content.get("data", {}).get("text/plain", ""))


def displays(messages: list[tuple[float, str, dict[str, Any]]]) -> list[tuple[str, str, str]]:
    """Return the kind, the cell and the text of each display."""
    return [
        (kind, content["transient"]["display_id"], text(content))
        for _, kind, content in messages
        if "transient" in content
    ]


@pytest.fixture(scope="module")
def started() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    """A kernel that the tests share."""
    manager, client = start()
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel(
    started: tuple[KernelManager, BlockingKernelClient],
) -> tuple[KernelManager, BlockingKernelClient]:
    """A kernel with a cell that four slow ones read."""
    _, client = started
    run(client, "%reset", "reset")
    run(client, "$x = 1", "a")
    for number in range(4):
        run(client, f"$y{number} = {SLOW}", f"slow{number}")
    return started


def test_the_own_result_comes_first(kernel: tuple[KernelManager, BlockingKernelClient]) -> None:
    found = run(kernel[1], "$x = 2", "a")
    shown = displays(found)
    assert shown[0][:2] == ("display_data", "a") and shown[0][2] == "2"
    redrawn = [cell for kind, cell, _ in shown if kind == "update_display_data" and cell != "a"]
    assert redrawn == [f"slow{number}" for number in range(4)]  # each once
    kind, _, last = [one for one in shown if one[1] == "a"][-1]
    assert kind == "update_display_data" and last.startswith("2\n") and "4 cells evaluated again" in last
    times = {
        content["transient"]["display_id"]: at for at, _, content in found[::-1] if "transient" in content
    }
    assert times["a"] < times["slow0"] < times["slow3"]


def test_progress_is_displayed(kernel: tuple[KernelManager, BlockingKernelClient]) -> None:
    for number in range(4, 12):
        run(kernel[1], f"$y{number} = {SLOW}", f"slow{number}")
    shown = displays(run(kernel[1], "$x = 3", "a"))
    assert any("of 12 cells below are evaluated again" in words for _, cell, words in shown if cell == "a")
    assert "of 12 cells below" not in [words for _, cell, words in shown if cell == "a"][-1]


def test_what_is_interrupted_is_displayed_as_it_was(
    kernel: tuple[KernelManager, BlockingKernelClient],
) -> None:
    manager, client = kernel
    before = text(run(client, f"$y0 = {SLOW}", "slow0")[-1][2])
    request = send(client, "$x = 2", "a")
    found = []
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "status" and content["execution_state"] == "idle":
            break
        found.append((0.0, kind, content))
        if kind == "update_display_data" and content["transient"]["display_id"] == "slow0" and len(found) < 5:
            manager.interrupt_kernel()
    kinds = [kind for _, kind, _ in found]
    assert kinds.index("clear_output") < kinds.index("error")
    assert [words for _, cell, words in displays(found) if cell == "slow0"][-1] == before
    assert text(run(client, "$x", "last")[-1][2]) == "1"


def test_a_cell_that_is_run_meanwhile_comes_first(kernel: tuple[KernelManager, BlockingKernelClient]) -> None:
    _, client = kernel
    for number in range(4, 8):
        run(client, f"$y{number} = {SLOW}", f"slow{number}")
    first = send(client, "$x = 2", "a")
    while client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "update_display_data":
        pass  # until a cell below is known
    time.sleep(0.3)  # longer than between cells that are sent together
    second = send(client, "$x = 3", "a")
    redrawn = [cell for _, cell, _ in displays(receive(client, first)) if cell.startswith("slow")]
    assert redrawn != [f"slow{number}" for number in range(8)]  # the rest was not evaluated
    shown = displays(receive(client, second))
    assert [cell for _, cell, _ in shown if cell != "a"] == [f"slow{number}" for number in range(8)]
    assert text(run(client, "[$x, $y7 == $y0]", "last")[-1][2]) == "[3, true]"


def test_a_cell_above_that_is_run_meanwhile_keeps_its_position(
    kernel: tuple[KernelManager, BlockingKernelClient],
) -> None:
    _, client = kernel
    first = send(client, f"$y0 = {SLOW} + 1", "slow0")
    time.sleep(0.4)  # longer than between cells that are sent together
    second = send(client, "$x = 3", "a")
    receive(client, first)
    assert not any("runs before" in words for _, _, words in displays(receive(client, second)))
    listed = text(run(client, "%cells", "last")[-1][2]).splitlines()
    assert [line.split()[-1] for line in listed[:1]] == ["3"]
    assert text(run(client, "$y0 > $y1", "end")[-1][2]) == "true"
