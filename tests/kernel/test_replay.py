"""Cells below one that runs again: its own result comes first, then each cell that differs, and progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, KernelAndClient, send_code

SLOW = "Integer[1, 200000].reduce |$sum, $n| { $sum + $n + $x }"
Messages = list[tuple[str, dict[str, Any]]]  # The types and contents.


def send_cell(client: BlockingKernelClient, code: str, cell_id: str) -> str:
    """Send a cell and return the identity of the request."""
    return send_code(client, code, {"cellId": cell_id}, stop_on_error=False)


def receive_messages(
    client: BlockingKernelClient, request: str, on_message: Callable[[Messages], None] = lambda messages: None
) -> Messages:
    """Return the messages of a request until the kernel is idle.

    Args:
        on_message: A function that is called after each message with all messages so far.
    """
    messages: Messages = []
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return messages
        messages.append((message["msg_type"], message["content"]))
        on_message(messages)


def run_cell(client: BlockingKernelClient, code: str, cell_id: str) -> Messages:
    """Run a cell and return its messages."""
    return receive_messages(client, send_cell(client, code, cell_id))


def get_text(content: dict[str, Any]) -> str:
    """Return the plain text of a display."""
    return str(content.get("data", {}).get("text/plain", ""))


def list_displays(messages: Messages) -> list[tuple[str, str, str]]:
    """Return the kind, the cell and the text of each display."""
    return [
        (kind, content["transient"]["display_id"], get_text(content))
        for kind, content in messages
        if "transient" in content
    ]


@pytest.fixture
def slow_client(client: BlockingKernelClient) -> BlockingKernelClient:
    """Return the client of a kernel with a cell that four slow ones read."""
    run_cell(client, "%reset", "reset")
    run_cell(client, "$x = 1", "a")
    for number in range(4):
        run_cell(client, f"$y{number} = {SLOW}", f"slow{number}")
    return client


def test_the_result_of_the_cell_is_displayed_before_its_dependents(slow_client: BlockingKernelClient) -> None:
    displays = list_displays(run_cell(slow_client, "$x = 2", "a"))
    assert displays[0][:2] == ("display_data", "a") and displays[0][2] == "2"
    redrawn = [cell for kind, cell, _ in displays if kind == "update_display_data" and cell != "a"]
    assert redrawn == [f"slow{number}" for number in range(4)]  # Each is redrawn once.
    kind, _, last = [display for display in displays if display[1] == "a"][-1]
    assert kind == "update_display_data" and last.startswith("2\n") and "4 cells evaluated again" in last


def test_progress_is_displayed(slow_client: BlockingKernelClient) -> None:
    for number in range(4, 12):
        run_cell(slow_client, f"$y{number} = {SLOW}", f"slow{number}")
    displays = list_displays(run_cell(slow_client, "$x = 3", "a"))
    assert any("of 12 cells below are evaluated again" in text for _, cell, text in displays if cell == "a")
    assert "of 12 cells below" not in [text for _, cell, text in displays if cell == "a"][-1]


def test_an_interrupted_evaluation_restores_the_outputs(
    kernel: KernelAndClient, slow_client: BlockingKernelClient
) -> None:
    manager, client = kernel[0], slow_client
    before = get_text(run_cell(client, f"$y0 = {SLOW}", "slow0")[-1][1])
    request = send_cell(client, "$x = 2", "a")

    def interrupt(messages: Messages) -> None:
        kind, content = messages[-1]
        if (
            kind == "update_display_data"
            and content["transient"]["display_id"] == "slow0"
            and len(messages) < 5
        ):
            manager.interrupt_kernel()

    messages = receive_messages(client, request, interrupt)
    kinds = [kind for kind, _ in messages]
    assert kinds.index("clear_output") < kinds.index("error")
    assert [text for _, cell, text in list_displays(messages) if cell == "slow0"][-1] == before
    assert get_text(run_cell(client, "$x", "last")[-1][1]) == "1"


def test_a_cell_that_is_sent_meanwhile_runs_first(slow_client: BlockingKernelClient) -> None:
    client = slow_client
    for number in range(4, 8):
        run_cell(client, f"$y{number} = {SLOW}", f"slow{number}")
    first = send_cell(client, "$x = 2", "a")
    while client.get_iopub_msg(timeout=TIMEOUT)["msg_type"] != "update_display_data":
        pass  # Wait until a cell below is evaluated.
    time.sleep(0.3)  # Cells that are sent together follow each other sooner.
    second = send_cell(client, "$x = 3", "a")
    redrawn = [
        cell for _, cell, _ in list_displays(receive_messages(client, first)) if cell.startswith("slow")
    ]
    assert redrawn != [f"slow{number}" for number in range(8)]  # The other cells are not evaluated.
    displays = list_displays(receive_messages(client, second))
    assert [cell for _, cell, _ in displays if cell != "a"] == [f"slow{number}" for number in range(8)]
    assert get_text(run_cell(client, "[$x, $y7 == $y0]", "last")[-1][1]) == "[3, true]"


def test_a_cell_above_that_is_sent_meanwhile_does_not_move(
    slow_client: BlockingKernelClient,
) -> None:
    client = slow_client
    first = send_cell(client, f"$y0 = {SLOW} + 1", "slow0")
    time.sleep(0.4)  # Cells that are sent together follow each other sooner.
    second = send_cell(client, "$x = 3", "a")
    receive_messages(client, first)
    assert not any("runs before" in text for _, _, text in list_displays(receive_messages(client, second)))
    lines = get_text(run_cell(client, "%cells", "last")[-1][1]).splitlines()
    assert [line.split()[-1] for line in lines[:1]] == ["3"]
    assert get_text(run_cell(client, "$y0 > $y1", "end")[-1][1]) == "true"
