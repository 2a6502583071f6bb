"""Subshells answer requests that do not need the program while a cell runs; other requests wait for their turn."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, KernelAndClient, execute, start_kernel

from puppet_kernel.jupyter.channels import KernelSession
from puppet_kernel.jupyter.subshells import Subshells

ENDLESS = "notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }"


class SubshellFrontEnd:
    """A front end that sends requests to any shell and collects the replies.

    Attributes:
        messages: All messages so far that are not replies.
    """

    def __init__(self, kernel: Any, client: BlockingKernelClient) -> None:
        self.kernel = kernel
        self.client = client
        self._replies: dict[str, Any] = {}
        self.messages: list[Any] = []

    def send(self, kind: str, content: dict[str, Any] | None = None, shell: str | None = None) -> str:
        """Send a request to a shell, by default the main one, and return its identity."""
        message = self.client.session.msg(kind, content or {})
        if shell is not None:
            message["header"]["subshell_id"] = shell
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def wait_for_reply(self, request: str, seconds: float = TIMEOUT) -> Any:
        """Return the content of the reply to a request."""
        end = time.monotonic() + seconds
        while request not in self._replies:
            message = self.client.get_shell_msg(timeout=max(end - time.monotonic(), 0.01))
            self._replies[message["parent_header"]["msg_id"]] = message["content"]
        return self._replies.pop(request)

    def get_reply(self, kind: str, content: dict[str, Any] | None = None, shell: str | None = None) -> Any:
        """Send a request to a shell, by default the main one, and return the content of the reply."""
        return self.wait_for_reply(self.send(kind, content, shell))

    def get_control_reply(self, kind: str, content: dict[str, Any] | None = None) -> Any:
        """Send a request on the control channel, and return the content of the reply."""
        message = self.client.session.msg(kind, content or {})
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply["content"]

    def wait_for_message(self, kind: str, request: str) -> Any:
        """Return the content of the next message of a type that a request caused."""
        while True:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            self.messages.append(message)
            if message["msg_type"] == kind and message["parent_header"].get("msg_id") == request:
                return message["content"]

    def interrupt(self) -> None:
        """Interrupt the kernel with a signal."""
        os.kill(self.kernel.provisioner.pid, signal.SIGINT)


@pytest.fixture(scope="module")
def front_end(kernel: KernelAndClient) -> SubshellFrontEnd:
    """Return a front end of the shared kernel."""
    return SubshellFrontEnd(*kernel)


@pytest.fixture
def shell(front_end: SubshellFrontEnd) -> Iterator[str]:
    """Yield the identity of a new subshell."""
    # Requests right after a failed cell are aborted; a reply of the main shell shows that it continues.
    assert front_end.get_reply("kernel_info_request")["status"] == "ok"
    identity = front_end.get_control_reply("create_subshell_request")["subshell_id"]
    yield identity
    assert front_end.get_control_reply("delete_subshell_request", {"subshell_id": identity})["status"] == "ok"


def make_execution(code: str) -> dict[str, Any]:
    """Return the content of a request that runs code."""
    return {"code": code, "silent": False}


def test_the_kernel_reports_that_it_has_subshells(front_end: SubshellFrontEnd) -> None:
    assert "kernel subshells" in front_end.get_reply("kernel_info_request")["supported_features"]


def test_a_message_without_a_delimiter_is_for_the_main_shell() -> None:
    subshells = Subshells(SimpleNamespace(session=KernelSession(key=b"secret")))
    assert subshells._read_identity([zmq.Frame(b"text")]) is None


def test_subshells_are_created_listed_and_deleted(front_end: SubshellFrontEnd) -> None:
    assert front_end.get_control_reply("list_subshell_request") == {"status": "ok", "subshell_id": []}
    shells = [front_end.get_control_reply("create_subshell_request")["subshell_id"] for _ in range(3)]
    assert front_end.get_control_reply("list_subshell_request")["subshell_id"] == shells
    assert [
        front_end.get_reply("execute_request", make_execution("1"), shell)["status"] for shell in shells
    ] == ["ok"] * 3
    for shell in shells:
        assert (
            front_end.get_control_reply("delete_subshell_request", {"subshell_id": shell})["status"] == "ok"
        )
        assert (
            front_end.get_control_reply("delete_subshell_request", {"subshell_id": shell})["status"]
            == "error"
        )
    assert front_end.get_control_reply("list_subshell_request")["subshell_id"] == []
    assert execute(front_end.client, "1 + 1").text == "2"


@pytest.mark.parametrize("kind", ["execute_request", "kernel_info_request", "complete_request"])
def test_requests_to_a_missing_subshell_are_refused(front_end: SubshellFrontEnd, kind: str) -> None:
    content = {"code": "1", "cursor_pos": 1}
    assert front_end.get_reply(kind, content, "nobody")["evalue"] == "There is no subshell nobody"
    identity = front_end.get_control_reply("create_subshell_request")["subshell_id"]
    assert front_end.get_reply(kind, content, "nobody")["status"] == "error"
    front_end.get_control_reply("delete_subshell_request", {"subshell_id": identity})
    assert front_end.get_reply(kind, content, identity)["status"] == "error"


def test_shells_share_one_program(front_end: SubshellFrontEnd, shell: str) -> None:
    execute(front_end.client, "%reset")
    assert front_end.get_reply("execute_request", make_execution("$x = 5"), shell)["status"] == "ok"
    assert execute(front_end.client, "$x").text == "5"
    completion = front_end.get_reply("complete_request", {"code": "$x", "cursor_pos": 2}, shell)
    assert "$x" in completion["matches"]
    assert front_end.get_reply("inspect_request", {"code": "$x", "cursor_pos": 1}, shell)["found"]
    assert front_end.get_reply("is_complete_request", {"code": "class a {"}, shell)["status"] == "incomplete"
    request = front_end.send("execute_request", make_execution("notice('here') $x + 1"), shell)
    assert front_end.wait_for_message("stream", request)["text"] == "Notice: here\n"
    assert front_end.wait_for_message("execute_result", request)["data"]["text/plain"] == "6"


# Type and content of requests that are sent while a cell runs, and fields of the replies.
REQUESTS_WITH_FIELDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("kernel_info_request", {}, {"status": "ok"}),
    ("history_request", {"hist_access_type": "tail", "n": 1}, {"status": "ok"}),
    ("comm_info_request", {}, {"status": "ok", "comms": {}}),
    ("connect_request", {}, {"status": "ok"}),
    ("complete_request", {"code": "camelc", "cursor_pos": 6}, {"status": "ok", "matches": []}),
    ("inspect_request", {"code": "notice", "cursor_pos": 2}, {"status": "ok", "found": False}),
    ("is_complete_request", {"code": "1"}, {"status": "unknown"}),
    ("execute_request", {"code": 1}, {"status": "error"}),
    ("unknown_request", {}, {"status": "error"}),
]


def test_requests_are_answered_while_a_cell_runs(front_end: SubshellFrontEnd, shell: str) -> None:
    running = front_end.send("execute_request", make_execution(ENDLESS))
    front_end.wait_for_message("stream", running)
    replies = []
    try:
        for kind, content, expected in REQUESTS_WITH_FIELDS:
            reply = front_end.get_reply(kind, content, shell)
            replies.append({name: reply[name] for name in expected})
    finally:
        front_end.interrupt()  # Otherwise all other tests of this kernel wait.
    assert replies == [expected for _, _, expected in REQUESTS_WITH_FIELDS]
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"


def test_log_lines_belong_to_the_cell_that_wrote_them(front_end: SubshellFrontEnd, shell: str) -> None:
    front_end.messages.clear()
    running = front_end.send(
        "execute_request",
        make_execution("Integer[1, 40].each |$i| { Integer[1, 20000].each |$k| { } notice($i) }"),
    )
    front_end.wait_for_message("stream", running)
    for _ in range(30):
        assert front_end.get_reply("kernel_info_request", {}, shell)["status"] == "ok"
    assert front_end.wait_for_reply(running)["status"] == "ok"
    after = front_end.send("kernel_info_request")
    front_end.wait_for_message("status", after)
    streams = [message for message in front_end.messages if message["msg_type"] == "stream"]
    assert len(streams) > 1
    assert {message["parent_header"]["msg_id"] for message in streams} == {running}


def test_a_cell_of_a_subshell_waits_for_its_turn(front_end: SubshellFrontEnd, shell: str) -> None:
    running = front_end.send("execute_request", make_execution(ENDLESS))
    front_end.wait_for_message("stream", running)
    waiting = front_end.send("execute_request", make_execution("'its turn'"), shell)
    time.sleep(0.3)
    assert not front_end.client.shell_channel.msg_ready()
    front_end.interrupt()
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"
    assert front_end.wait_for_reply(waiting)["status"] == "ok"


def test_a_cell_of_a_subshell_is_interrupted_and_the_main_shell_waits(
    front_end: SubshellFrontEnd, shell: str
) -> None:
    running = front_end.send("execute_request", make_execution(ENDLESS), shell)
    front_end.wait_for_message("stream", running)
    waiting = front_end.send("execute_request", make_execution("2"))
    time.sleep(0.2)
    front_end.interrupt()
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"
    assert front_end.wait_for_reply(waiting)["status"] == "ok"
    running = front_end.send("execute_request", make_execution(ENDLESS), shell)
    front_end.wait_for_message("stream", running)
    assert front_end.get_control_reply("interrupt_request")["status"] == "ok"
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"


def test_an_error_aborts_waiting_cells_of_the_same_shell_only(
    front_end: SubshellFrontEnd, shell: str
) -> None:
    other = front_end.get_control_reply("create_subshell_request")["subshell_id"]
    running = front_end.send("execute_request", make_execution(ENDLESS))
    front_end.wait_for_message("stream", running)
    failing = front_end.send("execute_request", make_execution("fail('no')"), shell)
    aborted = [front_end.send("execute_request", make_execution("1"), shell) for _ in range(3)]
    apart = front_end.send("execute_request", make_execution("1"), other)
    time.sleep(0.2)
    front_end.interrupt()
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"
    assert front_end.wait_for_reply(failing)["status"] == "error"
    assert [front_end.wait_for_reply(request)["status"] for request in aborted] == ["aborted"] * 3
    assert front_end.wait_for_reply(apart)["status"] == "ok"
    assert front_end.get_reply("execute_request", make_execution("1"), shell)["status"] == "ok"
    front_end.get_control_reply("delete_subshell_request", {"subshell_id": other})


def test_a_deleted_subshell_finishes_its_cell(front_end: SubshellFrontEnd) -> None:
    shell = front_end.get_control_reply("create_subshell_request")["subshell_id"]
    running = front_end.send("execute_request", make_execution(ENDLESS), shell)
    front_end.wait_for_message("stream", running)
    assert front_end.get_control_reply("delete_subshell_request", {"subshell_id": shell})["status"] == "ok"
    assert front_end.get_control_reply("list_subshell_request")["subshell_id"] == []
    front_end.interrupt()
    assert front_end.wait_for_reply(running)["ename"] == "INTERRUPTED"
    assert execute(front_end.client, "3").text == "3"


@pytest.mark.parametrize("code", ["1", ENDLESS])
def test_a_kernel_with_subshells_shuts_down_without_errors(
    code: str, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel, client = start_kernel()
    new_front_end = SubshellFrontEnd(kernel, client)
    shells = [new_front_end.get_control_reply("create_subshell_request")["subshell_id"] for _ in range(2)]
    for shell in shells:
        new_front_end.get_reply("kernel_info_request", {}, shell)
    running = new_front_end.send("execute_request", make_execution(code), shells[0])
    new_front_end.wait_for_message("execute_input", running)
    if code == ENDLESS:
        new_front_end.interrupt()
        new_front_end.wait_for_reply(running)
    assert new_front_end.get_control_reply("shutdown_request", {"restart": False})["status"] == "ok"
    start = time.monotonic()
    while kernel.is_alive() and time.monotonic() - start < TIMEOUT:
        time.sleep(0.05)
    has_ended = not kernel.is_alive()
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    assert has_ended
    assert "Traceback" not in capfd.readouterr().err
