"""For each type of message: its reply, and that the kernel is idle afterwards.

A message that violates the protocol gets an error, and the kernel continues.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, open_kernel, send_and_wait

from puppet_kernel.jupyter.kernel import PuppetKernel

CODE = {"code": "1 + 1"}
CODE_WITH_CURSOR = {"code": "file { 'x': ensure => 1 }", "cursor_pos": 14}

# Channel, type and content of a message, and fields of the reply; None if there is no reply.
ROWS: list[tuple[str, str, Any, dict[str, Any] | None]] = [
    ("shell", "execute_request", CODE, {"status": "ok"}),
    ("shell", "execute_request", {"code": "fail('no')"}, {"status": "error", "ename": "FAILED"}),
    ("shell", "execute_request", {"code": ""}, {"status": "ok"}),
    ("shell", "execute_request", {"code": "1", "silent": True}, {"status": "ok"}),
    ("shell", "execute_request", {"code": "%nothing"}, {"status": "error"}),
    ("shell", "execute_request", {"code": "'\ud800'"}, {}),
    ("shell", "execute_request", {}, {"status": "error", "ename": "BadRequestError"}),
    ("shell", "execute_request", {"code": 1}, {"status": "error"}),
    ("shell", "execute_request", {"code": "1", "silent": "no"}, {"status": "error"}),
    ("shell", "execute_request", {"code": "1", "user_expressions": [1]}, {"status": "error"}),
    ("shell", "execute_request", {"code": "1", "user_expressions": {"a": 1}}, {"status": "ok"}),
    ("shell", "execute_request", {"code": "1", "user_expressions": None}, {"status": "ok"}),
    ("shell", "execute_request", [], {"status": "error"}),
    ("shell", "complete_request", {"code": "camelc", "cursor_pos": 6}, {"matches": ["camelcase"]}),
    ("shell", "complete_request", {"code": "camelc", "cursor_pos": 600}, {"status": "ok"}),
    ("shell", "complete_request", {"code": "camelc", "cursor_pos": -5}, {"status": "ok"}),
    ("shell", "complete_request", {"code": "camelc"}, {"status": "error"}),
    ("shell", "complete_request", {"code": None, "cursor_pos": 1}, {"status": "error"}),
    ("shell", "inspect_request", CODE_WITH_CURSOR, {"status": "ok", "found": True}),
    ("shell", "inspect_request", {**CODE_WITH_CURSOR, "detail_level": 1}, {"status": "ok", "found": True}),
    ("shell", "inspect_request", {"code": "1", "cursor_pos": 99}, {"status": "ok", "found": False}),
    ("shell", "inspect_request", {"code": "x"}, {"status": "error"}),
    ("shell", "is_complete_request", CODE, {"status": "complete"}),
    ("shell", "is_complete_request", {"code": "class a {"}, {"status": "incomplete", "indent": "  "}),
    ("shell", "is_complete_request", {"code": "1 )"}, {"status": "invalid"}),
    ("shell", "is_complete_request", {}, {"status": "error"}),
    ("shell", "history_request", {"hist_access_type": "tail", "n": 2}, {"status": "ok"}),
    ("shell", "history_request", {"hist_access_type": "range", "session": 0, "start": 1}, {"status": "ok"}),
    ("shell", "history_request", {"hist_access_type": "search", "pattern": "*"}, {"status": "ok"}),
    ("shell", "history_request", {"hist_access_type": "range", "session": -99}, {"history": []}),
    (
        "shell",
        "history_request",
        {"hist_access_type": "search", "pattern": "1*", "unique": True},
        {"status": "ok"},
    ),
    ("shell", "history_request", {"hist_access_type": "search", "pattern": 1}, {"status": "error"}),
    ("shell", "history_request", {"hist_access_type": "other"}, {"status": "error"}),
    ("shell", "history_request", {"hist_access_type": "tail", "n": "2"}, {"status": "error"}),
    ("shell", "history_request", {}, {"status": "error"}),
    ("shell", "comm_info_request", {}, {"status": "ok", "comms": {}}),
    ("shell", "comm_info_request", {"target_name": "x"}, {"status": "ok", "comms": {}}),
    ("shell", "comm_info_request", [], {"status": "error"}),
    ("shell", "comm_open", {"comm_id": "a", "target_name": "b", "data": {}}, None),
    ("shell", "comm_open", {}, None),
    ("shell", "comm_open", [], None),
    ("shell", "comm_msg", {}, None),
    ("shell", "comm_close", [], None),
    ("shell", "comm_info_request", {"target_name": 1}, {"status": "error"}),
    ("shell", "kernel_info_request", [], {"status": "error"}),
    ("shell", "connect_request", [], {"status": "error"}),
    ("shell", "is_complete_request", {"code": 1}, {"status": "error"}),
    ("shell", "inspect_request", {**CODE_WITH_CURSOR, "detail_level": "high"}, {"status": "error"}),
    ("shell", "comm_msg", {"comm_id": "a", "data": {}}, None),
    ("shell", "comm_close", {"comm_id": "a", "data": {}}, None),
    ("shell", "kernel_info_request", {}, {"status": "ok", "implementation": "puppet-kernel"}),
    ("shell", "connect_request", {}, {"status": "ok"}),
    ("shell", "interrupt_request", {}, {"status": "ok"}),
    ("shell", "input_reply", {"value": "x"}, None),
    ("shell", "unknown_request", {}, {"status": "error"}),
    ("shell", "unknown", {}, None),
    ("control", "kernel_info_request", {}, {"status": "ok"}),
    ("control", "interrupt_request", {}, {"status": "ok"}),
    ("control", "debug_request", {"seq": 3, "command": "debugInfo"}, {"success": True, "request_seq": 3}),
    ("control", "debug_request", {}, {"success": False}),
    ("control", "usage_request", {}, {}),
    ("control", "list_subshell_request", {}, {"status": "ok", "subshell_id": []}),
    ("control", "create_subshell_request", {}, {"status": "ok"}),
    ("control", "create_subshell_request", [], {"status": "error"}),
    ("control", "list_subshell_request", [], {"status": "error"}),
    ("control", "delete_subshell_request", {"subshell_id": 1}, {"status": "error"}),
    ("control", "delete_subshell_request", {}, {"status": "error"}),
    ("control", "delete_subshell_request", {"subshell_id": "a"}, {"status": "error"}),
    ("control", "execute_request", CODE, {"status": "ok"}),
    ("control", "complete_request", {"code": "camelc", "cursor_pos": 6}, {"matches": ["camelcase"]}),
    ("control", "history_request", {"hist_access_type": "tail", "n": 1}, {"status": "ok"}),
    ("control", "connect_request", {}, {"status": "ok"}),
    ("control", "comm_info_request", {}, {"status": "ok", "comms": {}}),
    ("control", "debug_request", [], {"status": "error"}),
    ("control", "usage_request", [], {"status": "error"}),
    ("control", "interrupt_request", [], {"status": "error"}),
    ("shell", "shutdown_request", {"restart": "no"}, {"status": "error"}),
    ("control", "shutdown_request", {"restart": "no"}, {"status": "error"}),
    ("control", "shutdown_request", [], {"status": "error"}),
    ("control", "unknown_request", {}, {"status": "error"}),
]


def exchange(client: BlockingKernelClient, channel: str, kind: str, content: Any) -> tuple[Any, list[Any]]:
    """Send a message; return the content of the reply or None, and the outputs until the kernel is idle."""
    message = client.session.msg(kind)
    # The session would refuse content that is not a dictionary, unless it is encoded.
    message["content"] = json.dumps(content).encode("ascii")
    identity = message["header"]["msg_id"]
    socket = getattr(client, f"{channel}_channel")
    socket.send(message)
    outputs = []
    while True:
        output = client.get_iopub_msg(timeout=TIMEOUT)
        if output["parent_header"].get("msg_id") == identity:
            outputs.append(output)
            if output["content"].get("execution_state") == "idle":
                break
    if not kind.endswith("_request"):
        return None, outputs
    while True:
        reply = socket.get_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == identity:
            assert reply["msg_type"] == kind.replace("_request", "_reply")
            return reply["content"], outputs


@pytest.mark.parametrize(("channel", "kind", "content", "expected"), ROWS)
def test_a_message_has_its_reply(
    client: BlockingKernelClient, channel: str, kind: str, content: Any, expected: dict[str, Any] | None
) -> None:
    reply, _ = exchange(client, channel, kind, content)
    if expected is not None:
        assert expected.items() <= reply.items()
    if reply is not None and reply.get("status") == "error":
        assert {"ename", "evalue", "traceback"} <= reply.keys()
    time.sleep(0.05 if kind == "execute_request" else 0)  # After an error, waiting requests are aborted.
    assert exchange(client, "shell", "is_complete_request", CODE)[0] == {"status": "complete"}


def test_each_type_of_message_has_a_row() -> None:
    of_comms = {"comm_open", "comm_msg", "comm_close"}
    on_shell = {kind for channel, kind, *_ in ROWS if channel == "shell"}
    on_any_channel = {kind for _, kind, *_ in ROWS}
    assert {*PuppetKernel.msg_types, *of_comms, "input_reply"} <= on_shell
    assert set(PuppetKernel.control_msg_types) <= on_any_channel


def test_an_unknown_comm_is_closed(client: BlockingKernelClient) -> None:
    _, outputs = exchange(client, "shell", "comm_open", {"comm_id": "a", "target_name": "b", "data": {}})
    assert [message["content"] for message in outputs if message["msg_type"] == "comm_close"] == [
        {"comm_id": "a", "data": {}}
    ]


def test_metadata_of_a_wrong_type_is_ignored(client: BlockingKernelClient) -> None:
    message = client.session.msg("execute_request", {**CODE, "silent": False})
    message["metadata"] = []
    assert send_and_wait(client, message)["content"]["status"] == "ok"


def test_the_reply_has_the_time_when_the_cell_started(client: BlockingKernelClient) -> None:
    message = client.session.msg("execute_request", {**CODE, "silent": False})
    started = send_and_wait(client, message)["metadata"]["started"]
    assert message["header"]["date"] <= datetime.fromisoformat(started) <= datetime.now(UTC)


def test_a_request_of_the_former_protocol_is_adapted(client: BlockingKernelClient) -> None:
    message = client.session.msg("complete_request", {"line": "camelc", "text": "camelc", "cursor_pos": 6})
    message["header"]["version"] = "4.1"
    assert send_and_wait(client, message)["content"]["matches"] == ["camelcase"]


@pytest.mark.parametrize("content", [{"restart": False}, {}])
def test_the_kernel_replies_before_it_ends(content: dict[str, Any]) -> None:
    with open_kernel() as (_, client):
        message = client.session.msg("shutdown_request", content)
        client.control_channel.send(message)
        reply = client.get_control_msg(timeout=TIMEOUT)
        assert reply["parent_header"]["msg_id"] == message["header"]["msg_id"]
        assert reply["content"] == {"status": "ok", "restart": False}
