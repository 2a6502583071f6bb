"""Subshells: what does not need the program is answered while a cell runs, and what does has its turn."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import start
from test_protocol import TIMEOUT, execute

ENDLESS = "notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }"


class Front:
    """A front end: it asks on any shell, and collects the replies."""

    def __init__(self, kernel: Any, client: BlockingKernelClient) -> None:
        self.kernel = kernel
        self.client = client
        self._replies: dict[str, Any] = {}
        self.seen: list[Any] = []

    def send(self, kind: str, content: dict[str, Any] | None = None, shell: str | None = None) -> str:
        """Send a request to a shell, by default the main one, and return its identity."""
        message = self.client.session.msg(kind, content or {})
        if shell is not None:
            message["header"]["subshell_id"] = shell
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def reply(self, request: str, seconds: float = TIMEOUT) -> Any:
        """The content of the reply to a request."""
        end = time.monotonic() + seconds
        while request not in self._replies:
            found = self.client.get_shell_msg(timeout=max(end - time.monotonic(), 0.01))
            self._replies[found["parent_header"]["msg_id"]] = found["content"]
        return self._replies.pop(request)

    def ask(self, kind: str, content: dict[str, Any] | None = None, shell: str | None = None) -> Any:
        """The content of the reply to what is asked of a shell."""
        return self.reply(self.send(kind, content, shell))

    def control(self, kind: str, content: dict[str, Any] | None = None) -> Any:
        """The content of the reply to what is asked on the control channel."""
        message = self.client.session.msg(kind, content or {})
        self.client.control_channel.send(message)
        while True:
            found = self.client.get_control_msg(timeout=TIMEOUT)
            if found["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return found["content"]

    def until(self, kind: str, request: str) -> Any:
        """The next message of a kind that a request caused."""
        while True:
            found = self.client.get_iopub_msg(timeout=TIMEOUT)
            self.seen.append(found)
            if found["msg_type"] == kind and found["parent_header"].get("msg_id") == request:
                return found["content"]

    def interrupt(self) -> None:
        os.kill(self.kernel.provisioner.pid, signal.SIGINT)


@pytest.fixture(scope="module")
def started() -> Iterator[Front]:
    kernel, client = start()
    yield Front(kernel, client)
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


@pytest.fixture
def shell(started: Front) -> Iterator[str]:
    # what is asked right after a cell has failed is not run: the main shell says when it goes on
    assert started.ask("kernel_info_request")["status"] == "ok"
    identity = started.control("create_subshell_request")["subshell_id"]
    yield identity
    assert started.control("delete_subshell_request", {"subshell_id": identity})["status"] == "ok"


def run(code: str) -> dict[str, Any]:
    return {"code": code, "silent": False}


def test_the_kernel_says_that_it_has_them(started: Front) -> None:
    assert "kernel subshells" in started.ask("kernel_info_request")["supported_features"]


def test_they_are_made_listed_and_ended(started: Front) -> None:
    assert started.control("list_subshell_request") == {"status": "ok", "subshell_id": []}
    made = [started.control("create_subshell_request")["subshell_id"] for _ in range(3)]
    assert started.control("list_subshell_request")["subshell_id"] == made
    assert [started.ask("execute_request", run("1"), shell)["status"] for shell in made] == ["ok"] * 3
    for shell in made:
        assert started.control("delete_subshell_request", {"subshell_id": shell})["status"] == "ok"
        assert started.control("delete_subshell_request", {"subshell_id": shell})["status"] == "error"
    assert started.control("list_subshell_request")["subshell_id"] == []
    assert execute(started.client, "1 + 1").text == "2"


@pytest.mark.parametrize("kind", ["execute_request", "kernel_info_request", "complete_request"])
def test_what_is_asked_of_one_that_is_not_there_is_refused(started: Front, kind: str) -> None:
    content = {"code": "1", "cursor_pos": 1}
    assert started.ask(kind, content, "nobody")["evalue"] == "There is no subshell nobody"
    identity = started.control("create_subshell_request")["subshell_id"]
    assert started.ask(kind, content, "nobody")["status"] == "error"
    started.control("delete_subshell_request", {"subshell_id": identity})
    assert started.ask(kind, content, identity)["status"] == "error"


def test_the_program_is_one(started: Front, shell: str) -> None:
    execute(started.client, "%reset")
    assert started.ask("execute_request", run("$x = 5"), shell)["status"] == "ok"
    assert execute(started.client, "$x").text == "5"
    found = started.ask("complete_request", {"code": "$x", "cursor_pos": 2}, shell)
    assert "$x" in found["matches"]
    assert started.ask("inspect_request", {"code": "$x", "cursor_pos": 1}, shell)["found"]
    assert started.ask("is_complete_request", {"code": "class a {"}, shell)["status"] == "incomplete"
    request = started.send("execute_request", run("notice('here') $x + 1"), shell)
    assert started.until("stream", request)["text"] == "Notice: here\n"
    assert started.until("execute_result", request)["data"]["text/plain"] == "6"


# what is asked while a cell runs, and what the reply holds
BESIDE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
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


def test_all_is_answered_beside_a_cell_that_runs(started: Front, shell: str) -> None:
    running = started.send("execute_request", run(ENDLESS))
    started.until("stream", running)
    replies = []
    try:
        for kind, content, expected in BESIDE:
            reply = started.ask(kind, content, shell)
            replies.append({name: reply[name] for name in expected})
    finally:
        started.interrupt()  # else all other tests of this kernel would wait
    assert replies == [expected for _, _, expected in BESIDE]
    assert started.reply(running)["ename"] == "INTERRUPTED"


def test_log_lines_belong_to_the_cell_that_wrote_them(started: Front, shell: str) -> None:
    """Also those of a cell beside which others ask."""
    started.seen.clear()
    running = started.send(
        "execute_request", run("Integer[1, 40].each |$i| { Integer[1, 20000].each |$k| { } notice($i) }")
    )
    started.until("stream", running)
    for _ in range(30):
        assert started.ask("kernel_info_request", {}, shell)["status"] == "ok"
    assert started.reply(running)["status"] == "ok"
    after = started.send("kernel_info_request")
    started.until("status", after)
    streams = [message for message in started.seen if message["msg_type"] == "stream"]
    assert len(streams) > 1
    assert {message["parent_header"]["msg_id"] for message in streams} == {running}


def test_a_cell_of_a_subshell_waits_for_its_turn(started: Front, shell: str) -> None:
    running = started.send("execute_request", run(ENDLESS))
    started.until("stream", running)
    waiting = started.send("execute_request", run("'its turn'"), shell)
    time.sleep(0.3)
    assert waiting not in started._replies
    started.interrupt()
    assert started.reply(running)["ename"] == "INTERRUPTED"
    assert started.reply(waiting)["status"] == "ok"


def test_a_cell_of_a_subshell_is_interrupted_and_the_main_shell_waits(started: Front, shell: str) -> None:
    running = started.send("execute_request", run(ENDLESS), shell)
    started.until("stream", running)
    waiting = started.send("execute_request", run("2"))
    time.sleep(0.2)
    started.interrupt()
    assert started.reply(running)["ename"] == "INTERRUPTED"
    assert started.reply(waiting)["status"] == "ok"
    running = started.send("execute_request", run(ENDLESS), shell)
    started.until("stream", running)
    assert started.control("interrupt_request")["status"] == "ok"
    assert started.reply(running)["ename"] == "INTERRUPTED"


def test_an_error_aborts_what_waits_in_the_same_shell_only(started: Front, shell: str) -> None:
    other = started.control("create_subshell_request")["subshell_id"]
    running = started.send("execute_request", run(ENDLESS))
    started.until("stream", running)
    failing = started.send("execute_request", run("fail('no')"), shell)
    aborted = [started.send("execute_request", run("1"), shell) for _ in range(3)]
    apart = started.send("execute_request", run("1"), other)
    time.sleep(0.2)
    started.interrupt()
    assert started.reply(running)["ename"] == "INTERRUPTED"
    assert started.reply(failing)["status"] == "error"
    assert [started.reply(request)["status"] for request in aborted] == ["aborted"] * 3
    assert started.reply(apart)["status"] == "ok"
    assert started.ask("execute_request", run("1"), shell)["status"] == "ok"
    started.control("delete_subshell_request", {"subshell_id": other})


def test_a_subshell_ends_after_what_it_was_asked(started: Front) -> None:
    shell = started.control("create_subshell_request")["subshell_id"]
    running = started.send("execute_request", run(ENDLESS), shell)
    started.until("stream", running)
    assert started.control("delete_subshell_request", {"subshell_id": shell})["status"] == "ok"
    assert started.control("list_subshell_request")["subshell_id"] == []
    started.interrupt()
    assert started.reply(running)["ename"] == "INTERRUPTED"
    assert execute(started.client, "3").text == "3"


@pytest.mark.parametrize("code", ["1", ENDLESS])
def test_a_kernel_with_subshells_shuts_down_in_order(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    kernel, client = start()
    front = Front(kernel, client)
    shells = [front.control("create_subshell_request")["subshell_id"] for _ in range(2)]
    for shell in shells:
        front.ask("kernel_info_request", {}, shell)
    running = front.send("execute_request", run(code), shells[0])
    front.until("execute_input", running)
    if code == ENDLESS:
        front.interrupt()
        front.reply(running)
    assert front.control("shutdown_request", {"restart": False})["status"] == "ok"
    begun = time.monotonic()
    while kernel.is_alive() and time.monotonic() - begun < TIMEOUT:
        time.sleep(0.05)
    ended = not kernel.is_alive()
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    assert ended
    assert "Traceback" not in capfd.readouterr().err
