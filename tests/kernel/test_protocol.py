"""Cases that the general suite omits: silence, counters, streams, errors, interrupts, cells that run again."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import start

TIMEOUT = 60  # only a test that fails takes so long


class Answer:
    """The reply to an execution and the messages that came with it."""

    def __init__(self, reply: dict[str, Any], messages: list[dict[str, Any]]) -> None:
        self.reply = reply
        self.messages = messages

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    def stream(self, name: str) -> str:
        return "".join(content["text"] for content in self.of("stream") if content["name"] == name)

    @property
    def text(self) -> str:
        shown = self.of("execute_result") + self.of("display_data")
        return shown[0]["data"]["text/plain"] if shown else ""


def execute(
    client: BlockingKernelClient,
    code: str,
    metadata: dict[str, Any] | None = None,
    on_stream: Callable[[], object] = lambda: None,
    **options: Any,
) -> Answer:
    """Runs code and waits until it is over; `on_stream` is called with each message of text that comes."""
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": False,
    }
    content |= {"stop_on_error": True, **options}
    message = client.session.msg("execute_request", content, metadata=metadata or {})
    client.shell_channel.send(message)
    wanted, messages = message["header"]["msg_id"], []
    while True:
        seen = client.get_iopub_msg(timeout=TIMEOUT)
        if seen["parent_header"].get("msg_id") != wanted:
            continue
        if seen["msg_type"] == "status" and seen["content"]["execution_state"] == "idle":
            break
        messages.append(seen)
        if seen["msg_type"] == "stream":
            on_stream()
    while True:
        reply = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == wanted:
            return Answer(reply["content"], messages)


def ask(client: BlockingKernelClient, kind: str, **content: Any) -> dict[str, Any]:
    message = client.session.msg(kind, content)
    client.shell_channel.send(message)
    while True:
        reply = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            return reply["content"]


def settle(client: BlockingKernelClient) -> None:
    """Wait until the kernel has noticed every signal that was sent: none can be meant for the next cell."""
    ask(client, "kernel_info_request")


@pytest.fixture(autouse=True)
def fresh(client: BlockingKernelClient) -> None:
    execute(client, "%reset", store_history=False)


def test_log_levels_go_to_their_streams(client: BlockingKernelClient) -> None:
    answer = execute(client, "notice('n') info('i') warning('w') err('e') 1")
    assert answer.stream("stdout") == "Notice: n\nInfo: i\n"
    assert answer.stream("stderr").splitlines()[0].startswith("Error: e")
    assert answer.of("execute_result")[0]["data"]["text/plain"] == "1"


def test_a_warning_is_a_display_in_its_place(client: BlockingKernelClient) -> None:
    answer = execute(client, "notice('first') warning('<b>') notice('last')")
    kinds = [message["msg_type"] for message in answer.messages if message["msg_type"] != "status"]
    assert kinds == ["execute_input", "stream", "display_data", "stream"]
    data = answer.of("display_data")[0]["data"]
    assert data["text/plain"] == "Warning: <b>"
    assert "&lt;b&gt;" in data["text/html"]
    assert execute(client, "warning('w')", silent=True).of("display_data") == []


def test_of_many_warnings_the_most_are_text(client: BlockingKernelClient) -> None:
    answer = execute(client, 'Integer[1, 500].each |$i| { warning("w${i}") }')
    assert len(answer.of("display_data")) == 50
    assert len(answer.stream("stderr").splitlines()) == 450


def test_many_log_lines_arrive_in_order_and_in_few_messages(client: BlockingKernelClient) -> None:
    answer = execute(client, "Integer[1, 5000].each |$i| { notice($i) }")
    assert answer.stream("stdout") == "".join(f"Notice: {i}\n" for i in range(1, 5001))
    assert len(answer.of("stream")) < 100


def test_log_lines_arrive_while_the_program_runs(client: BlockingKernelClient) -> None:
    message = client.execute("notice('first') Integer[1, 300000].each |$i| { $i + 1 } notice('last')")
    arrived = []
    while True:
        seen = client.get_iopub_msg(timeout=TIMEOUT)
        if seen["parent_header"].get("msg_id") != message:
            continue
        if seen["msg_type"] == "stream":
            arrived.append((seen["content"]["text"], time.monotonic()))
        if seen["msg_type"] == "status" and seen["content"]["execution_state"] == "idle":
            break
    client.get_shell_msg(timeout=TIMEOUT)
    assert [text for text, _ in arrived] == ["Notice: first\n", "Notice: last\n"]
    assert arrived[1][1] > arrived[0][1]


def test_an_error_is_one_message_with_code_wording_and_place(client: BlockingKernelClient) -> None:
    answer = execute(client, "$a = 1\n$a = 2")
    (content,) = answer.of("error")
    assert content["ename"] == "ILLEGAL_REASSIGNMENT"
    assert content["evalue"] == "Cannot reassign variable '$a'"
    assert any("2 │" in text and "$a = 2" in text for text in content["traceback"])
    assert answer.reply["status"] == "error"
    assert answer.reply["traceback"] == content["traceback"]
    assert not answer.of("stream")


def test_a_failed_cell_leaves_no_trace(client: BlockingKernelClient) -> None:
    execute(client, "$gone = 1 fail('x')")
    assert "$gone" not in ask(client, "complete_request", code="$go", cursor_pos=3)["matches"]


def test_silent_shows_nothing_and_counts_nothing(client: BlockingKernelClient) -> None:
    before = execute(client, "1").reply["execution_count"]
    answer = execute(client, "notice('x') 2", silent=True, store_history=False)
    assert [message["msg_type"] for message in answer.messages if message["msg_type"] != "status"] == []
    assert execute(client, "1").reply["execution_count"] == before + 1


def test_cells_are_told_apart_without_store_history(client: BlockingKernelClient) -> None:
    """nbval runs notebooks so: what errors call a cell is its place all the same."""
    execute(client, "notify { 'twice': }", store_history=False)
    execute(client, " \n", store_history=False)  # which front ends that count do not run
    (problem,) = execute(client, "notify { 'twice': }", store_history=False).of("error")
    first, second = re.findall(r"\[(\d+)\], line: 1", problem["evalue"])
    assert int(second) == int(first) + 1


def test_without_store_history_the_counter_stays(client: BlockingKernelClient) -> None:
    before = execute(client, "1").reply["execution_count"]
    execute(client, "'not kept'", store_history=False)
    assert execute(client, "1").reply["execution_count"] == before + 1
    history = ask(client, "history_request", hist_access_type="tail", n=10, output=False, raw=True)["history"]
    assert "'not kept'" not in [entry[2] for entry in history]


def test_user_expressions_are_values_and_change_nothing(client: BlockingKernelClient) -> None:
    answer = execute(
        client, "$x = 20", user_expressions={"good": "$x + 1", "bad": "1 + undef", "set": "$y = 1"}
    )
    told = answer.reply["user_expressions"]
    assert told["good"]["data"]["text/plain"] == "21"
    assert told["bad"]["status"] == "error"
    assert execute(client, "$y = 2").reply["status"] == "ok"


def test_after_an_error_waiting_cells_are_aborted(client: BlockingKernelClient) -> None:
    first = client.execute("Integer[1, 5000000].each |$i| { $i + 1 } fail('x')")
    second = client.execute("1")
    statuses = {}
    while len(statuses) < 2:
        reply = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") in (first, second):
            statuses[reply["parent_header"]["msg_id"]] = reply["content"]["status"]
    assert statuses == {first: "error", second: "aborted"}


def test_an_interrupt_ends_the_program_and_nothing_else() -> None:
    kernel, client = start()
    try:
        execute(client, "$kept = 1")
        answer = execute(
            client,
            "notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }",
            on_stream=lambda: os.kill(kernel.provisioner.pid, signal.SIGINT),
        )
        assert answer.of("error")[0]["ename"] == "INTERRUPTED"
        for _ in range(20):
            kernel.interrupt_kernel()  # an idle kernel does not mind
        settle(client)
        assert execute(client, "$kept").text == "1"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_completion_tells_kinds_and_places(client: BlockingKernelClient) -> None:
    answer = ask(client, "complete_request", code="$x = camelc", cursor_pos=11)
    assert (answer["matches"], answer["cursor_start"], answer["cursor_end"]) == (["camelcase"], 5, 11)
    assert answer["metadata"]["_jupyter_types_experimental"][0]["type"] == "function"


def test_inspection_gives_text_and_html(client: BlockingKernelClient) -> None:
    answer = ask(client, "inspect_request", code="join([1], ", cursor_pos=10, detail_level=0)
    assert answer["found"]
    assert answer["data"]["text/plain"].startswith("join(")
    assert "<pre" in answer["data"]["text/html"]
    assert not ask(client, "inspect_request", code="1", cursor_pos=1, detail_level=0)["found"]


def test_is_complete_indents(client: BlockingKernelClient) -> None:
    answer = ask(client, "is_complete_request", code="class a {\n  if true {")
    assert answer == {"status": "incomplete", "indent": "    "}


def test_data_that_cannot_be_sent_is_spelled_out(client: BlockingKernelClient) -> None:
    answer = execute(client, '"a\\u{1B}[31mb\\u{202E}"')
    assert answer.text == '"a\\u{1B}[31mb\\u{202E}"'
    assert execute(client, 'notice("a\\u{1B}[2J")').stream("stdout") == "Notice: a\\e[2J\n"
    assert execute(client, "notice('x', \"\\uD800\")").reply["status"] in ("ok", "error")


def test_html_is_escaped(client: BlockingKernelClient) -> None:
    shown = execute(client, "'<script>alert(1)</script>'").of("execute_result")[0]["data"]["text/html"]
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


def test_the_same_cell_gives_the_same_bytes(client: BlockingKernelClient) -> None:
    code = "notify { ['a', 'b']: message => 'x' }"
    first = execute(client, code).of("execute_result")[0]["data"]
    execute(client, "%reset")
    assert execute(client, code).of("execute_result")[0]["data"] == first


def test_running_a_cell_again_replaces_it_and_updates_its_dependents(client: BlockingKernelClient) -> None:
    execute(client, "$port = 80", {"cellId": "one"})
    shown = execute(client, "$port + 1", {"cellId": "two"}).of("display_data")[0]
    assert shown["transient"] == {"display_id": "two"}
    answer = execute(client, "$port = 90", {"cellId": "one"})
    assert answer.reply["status"] == "ok"
    (update,) = answer.of("update_display_data")
    assert update["transient"] == {"display_id": "two"}
    assert update["data"]["text/plain"].startswith("91")


def test_a_deleted_cell_vanishes(client: BlockingKernelClient) -> None:
    execute(client, "$gone = 1", {"cellId": "three"})
    answer = execute(client, "$gone = 2", {"cellId": "four", "deletedCells": ["three"]})
    assert answer.reply["status"] == "ok"


def test_the_kernel_as_released() -> None:
    kernel, client = start("puppet-released")
    try:
        assert execute(client, "%dialect").text.startswith("puppet:")
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_quit_asks_the_front_end_to_leave(client: BlockingKernelClient) -> None:
    assert execute(client, "%quit").reply["payload"] == [{"source": "ask_exit", "keepkernel": False}]
