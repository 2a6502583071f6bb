"""Cases that the general suite omits: silence, counters, streams, errors, interrupts, cells that run again."""

from __future__ import annotations

import os
import re
import signal

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import TIMEOUT, execute, get_reply, open_kernel, wait_for_signals

pytestmark = pytest.mark.usefixtures("new_session")


def test_log_levels_go_to_their_streams(client: BlockingKernelClient) -> None:
    execution = execute(client, "notice('n') info('i') warning('w') err('e') 1")
    assert execution.join_stream("stdout") == "Notice: n\nInfo: i\n"
    assert execution.join_stream("stderr").splitlines()[0].startswith("Error: e")
    assert execution.get_contents("execute_result")[0]["data"]["text/plain"] == "1"


def test_a_warning_is_a_display_between_the_other_log_lines(client: BlockingKernelClient) -> None:
    execution = execute(client, "notice('first') warning('<b>') notice('last')")
    kinds = [message["msg_type"] for message in execution.messages if message["msg_type"] != "status"]
    assert kinds == ["execute_input", "stream", "display_data", "stream"]
    data = execution.get_contents("display_data")[0]["data"]
    assert data["text/plain"] == "Warning: <b>"
    assert "&lt;b&gt;" in data["text/html"]
    assert execute(client, "warning('w')", silent=True).get_contents("display_data") == []


def test_the_number_of_warnings_that_are_displays_is_limited(client: BlockingKernelClient) -> None:
    execution = execute(client, 'Integer[1, 500].each |$i| { warning("w${i}") }')
    assert len(execution.get_contents("display_data")) == 50
    assert len(execution.join_stream("stderr").splitlines()) == 450


def test_many_log_lines_arrive_in_order_and_in_few_messages(client: BlockingKernelClient) -> None:
    execution = execute(client, "Integer[1, 5000].each |$i| { notice($i) }")
    assert execution.join_stream("stdout") == "".join(f"Notice: {i}\n" for i in range(1, 5001))
    assert len(execution.get_contents("stream")) < 100


def test_log_lines_arrive_while_the_program_runs(client: BlockingKernelClient) -> None:
    request = client.execute("notice('first') Integer[1, 300000].each |$i| { $i + 1 } notice('last')")
    texts, replied = [], []
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "stream":
            texts.append(message["content"]["text"])
            replied.append(client.shell_channel.msg_ready())
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            break
    client.get_shell_msg(timeout=TIMEOUT)
    assert texts == ["Notice: first\n", "Notice: last\n"]
    assert not replied[0]


def test_an_error_is_one_message_with_code_text_and_position(client: BlockingKernelClient) -> None:
    execution = execute(client, "$a = 1\n$a = 2")
    (content,) = execution.get_contents("error")
    assert content["ename"] == "ILLEGAL_REASSIGNMENT"
    assert content["evalue"] == "Cannot reassign variable '$a'"
    assert any("2 │" in text and "$a = 2" in text for text in content["traceback"])
    assert execution.reply["status"] == "error"
    assert execution.reply["traceback"] == content["traceback"]
    assert not execution.get_contents("stream")


def test_a_failed_cell_leaves_no_trace(client: BlockingKernelClient) -> None:
    execute(client, "$gone = 1 fail('x')")
    assert "$gone" not in get_reply(client, "complete_request", code="$go", cursor_pos=3)["matches"]


def test_a_silent_execution_has_no_output_and_is_not_counted(client: BlockingKernelClient) -> None:
    before = execute(client, "1").reply["execution_count"]
    execution = execute(client, "notice('x') 2", silent=True, store_history=False)
    assert [message["msg_type"] for message in execution.messages if message["msg_type"] != "status"] == []
    assert execute(client, "1").reply["execution_count"] == before + 1


def test_cells_have_different_numbers_without_store_history(client: BlockingKernelClient) -> None:
    """As nbval runs notebooks; errors name a cell by its number."""
    execute(client, "notify { 'twice': }", store_history=False)
    execute(client, " \n", store_history=False)  # Front ends that count cells do not send empty ones.
    (problem,) = execute(client, "notify { 'twice': }", store_history=False).get_contents("error")
    first, second = re.findall(r"\[(\d+)\], line: 1", problem["evalue"])
    assert int(second) == int(first) + 1


def test_without_store_history_the_counter_does_not_increase(client: BlockingKernelClient) -> None:
    before = execute(client, "1").reply["execution_count"]
    execute(client, "'not kept'", store_history=False)
    assert execute(client, "1").reply["execution_count"] == before + 1
    reply = get_reply(client, "history_request", hist_access_type="tail", n=10, output=False, raw=True)
    assert "'not kept'" not in [entry[2] for entry in reply["history"]]


def test_user_expressions_have_values_and_no_effects(client: BlockingKernelClient) -> None:
    execution = execute(
        client, "$x = 20", user_expressions={"good": "$x + 1", "bad": "1 + undef", "set": "$y = 1"}
    )
    expressions = execution.reply["user_expressions"]
    assert expressions["good"]["data"]["text/plain"] == "21"
    assert expressions["bad"]["status"] == "error"
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


def test_an_interrupt_ends_the_program_and_not_the_kernel() -> None:
    with open_kernel() as (kernel, client):
        execute(client, "$kept = 1")
        execution = execute(
            client,
            "notice('it runs') Integer[0, 9223372036854775806].each |$i| { $i }",
            on_stream=lambda: os.kill(kernel.provisioner.pid, signal.SIGINT),
        )
        assert execution.get_contents("error")[0]["ename"] == "INTERRUPTED"
        for _ in range(20):
            kernel.interrupt_kernel()  # An idle kernel ignores it.
        wait_for_signals(client)
        assert execute(client, "$kept").text == "1"


def test_a_completion_has_types_and_positions(client: BlockingKernelClient) -> None:
    completion = get_reply(client, "complete_request", code="$x = camelc", cursor_pos=11)
    assert completion["matches"] == ["camelcase"]
    assert (completion["cursor_start"], completion["cursor_end"]) == (5, 11)
    assert completion["metadata"]["_jupyter_types_experimental"][0]["type"] == "function"


def test_an_inspection_has_text_and_html(client: BlockingKernelClient) -> None:
    inspection = get_reply(client, "inspect_request", code="join([1], ", cursor_pos=10, detail_level=0)
    assert inspection["found"]
    assert inspection["data"]["text/plain"].startswith("join(")
    assert "<pre" in inspection["data"]["text/html"]
    assert not get_reply(client, "inspect_request", code="1", cursor_pos=1, detail_level=0)["found"]


def test_an_incomplete_input_is_indented(client: BlockingKernelClient) -> None:
    reply = get_reply(client, "is_complete_request", code="class a {\n  if true {")
    assert reply == {"status": "incomplete", "indent": "    "}


def test_control_characters_are_escaped(client: BlockingKernelClient) -> None:
    execution = execute(client, '"a\\u{1B}[31mb\\u{202E}"')
    assert execution.text == '"a\\u{1B}[31mb\\u{202E}"'
    assert execute(client, 'notice("a\\u{1B}[2J")').join_stream("stdout") == "Notice: a\\e[2J\n"
    assert execute(client, "notice('x', \"\\uD800\")").reply["ename"] == "ILLEGAL_UNICODE_ESCAPE"


def test_html_is_escaped(client: BlockingKernelClient) -> None:
    (result,) = execute(client, "'<script>alert(1)</script>'").get_contents("execute_result")
    html = result["data"]["text/html"]
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_the_same_cell_has_the_same_output(client: BlockingKernelClient) -> None:
    code = "notify { ['a', 'b']: message => 'x' }"
    first = execute(client, code).get_contents("execute_result")[0]["data"]
    execute(client, "%reset")
    assert execute(client, code).get_contents("execute_result")[0]["data"] == first


def test_running_a_cell_again_replaces_it_and_updates_its_dependents(client: BlockingKernelClient) -> None:
    execute(client, "$port = 80", {"cellId": "one"})
    display = execute(client, "$port + 1", {"cellId": "two"}).get_contents("display_data")[0]
    assert display["transient"] == {"display_id": "two"}
    execution = execute(client, "$port = 90", {"cellId": "one"})
    assert execution.reply["status"] == "ok"
    (update,) = execution.get_contents("update_display_data")
    assert update["transient"] == {"display_id": "two"}
    assert update["data"]["text/plain"].startswith("91")


def test_a_deleted_cell_is_removed_from_the_program(client: BlockingKernelClient) -> None:
    execute(client, "$gone = 1", {"cellId": "three"})
    execution = execute(client, "$gone = 2", {"cellId": "four", "deletedCells": ["three"]})
    assert execution.reply["status"] == "ok"


def test_the_released_kernel_has_the_dialect_puppet() -> None:
    with open_kernel("puppet-released") as (_, client):
        assert execute(client, "%dialect").text.startswith("puppet:")


def test_quit_requests_the_front_end_to_exit(client: BlockingKernelClient) -> None:
    assert execute(client, "%quit").reply["payload"] == [{"source": "ask_exit", "keepkernel": False}]
