"""Clients other than JupyterLab, with their own order of requests, and with invalid messages.

Each request has its reply, and its outputs between busy and idle; the kernel logs nothing.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from kernels import TIMEOUT, start_kernel

ABORTED_SECONDS = 0.05  # After an error, requests that arrive within about this time are aborted.
LONG_CODE = "Integer[1, 800000].each |$x| { }"  # The next requests arrive while it runs.
BUSY, IDLE = "busy", "idle"
MISSING = "deleted"  # A marker for fields that are removed.


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelManager]:
    """Yield the manager of a kernel that must not write to its log."""
    path = tmp_path_factory.mktemp("log") / "log.txt"
    with path.open("w") as log:
        manager, client = start_kernel(log=log)
        client.stop_channels()
        yield manager
        manager.shutdown_kernel(now=True)
    assert path.read_text() == ""


@pytest.fixture
def client(kernel: KernelManager) -> Iterator[BlockingKernelClient]:
    """Yield a new client of the kernel."""
    client = kernel.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=TIMEOUT)
    yield client
    client.stop_channels()


def send(
    client: BlockingKernelClient,
    kind: str,
    content: Any,
    *,
    metadata: Any = None,
    header: dict[str, Any] | None = None,
    channel: str = "shell",
) -> str:
    """Send a message with any parts, and return its identity."""
    session = client.session
    fields = {**session.msg(kind)["header"], **(header or {})}
    fields = {name: value for name, value in fields.items() if value is not MISSING}
    parts = [json.dumps(part, default=str).encode("ascii") for part in (fields, {}, metadata or {}, content)]
    getattr(client, f"{channel}_channel").socket.send_multipart([b"<IDS|MSG>", session.sign(parts), *parts])
    return str(fields.get("msg_id"))


def receive_reply(
    client: BlockingKernelClient, identity: str, channel: str = "shell"
) -> tuple[dict[str, Any], list[str]]:
    """Return the content of the reply to a request, and the types or states of its other messages."""
    kinds: list[str] = []
    while IDLE not in kinds:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") == identity:
            kinds.append(message["content"].get("execution_state", message["msg_type"]))
    while True:
        reply = getattr(client, f"get_{channel}_msg")(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == identity:
            return reply["content"], kinds


def execute(
    client: BlockingKernelClient, code: str, metadata: Any = None, **content: Any
) -> tuple[Any, list[str]]:
    """Run a cell; return the content of its reply, and the types or states of its other messages."""
    return receive_reply(
        client, send(client, "execute_request", {"code": code, **content}, metadata=metadata)
    )


@pytest.mark.parametrize(
    "metadata",
    [
        *({"cellId": value} for value in (1, 1.5, True, ["a"], {"a": 1}, None, "", "\ud800", "a\0b")),
        *({"tags": value} for value in (3, {"a": 1}, [1, None], "parameters")),
        *({"deletedCells": value} for value in ("abc", [1, None, ["a"]], {"a": 1}, 3)),
        {"cellId": "same", "deletedCells": ["same"]},
        "text",
        [1],
    ],
    ids=ascii,
)
def test_metadata_of_any_type_is_accepted(client: BlockingKernelClient, metadata: Any) -> None:
    reply, kinds = execute(client, "1 + 1", metadata)
    assert reply["status"] == "ok" and kinds[:2] == [BUSY, "execute_input"] and len(kinds) == 4


@pytest.mark.parametrize(
    "header",
    [
        *({"date": value} for value in (MISSING, "yesterday", 5)),
        *({"session": value} for value in (MISSING, 5, "\ud800")),
        *({"username": MISSING}, {"version": MISSING}, {"version": "9.9"}, {"subshell_id": None}),
    ],
    ids=ascii,
)
def test_headers_with_missing_or_odd_fields_are_accepted(
    client: BlockingKernelClient, header: dict[str, Any]
) -> None:
    identity = send(client, "execute_request", {"code": "1 + 1"}, header=header)
    assert receive_reply(client, identity)[0]["status"] == "ok"


@pytest.mark.parametrize("channel", ["shell", "control"])
@pytest.mark.parametrize("value", [MISSING, None, 5, ["execute_request"]], ids=ascii)
def test_messages_without_a_type_are_dropped(client: BlockingKernelClient, channel: str, value: Any) -> None:
    send(client, "execute_request", {"code": "1"}, header={"msg_type": value}, channel=channel)
    identity = send(client, "kernel_info_request", {}, channel=channel)
    reply, kinds = receive_reply(client, identity, channel)
    assert reply["status"] == "ok" and kinds == [BUSY, IDLE]


@pytest.mark.parametrize("kind", ["\ud800", 'a"b\\', "", "\n", 'a", "msg_type": "b'])
def test_an_odd_type_of_message_gets_an_error(client: BlockingKernelClient, kind: str) -> None:
    reply, _ = receive_reply(client, send(client, f"{kind}_request", {}))
    assert reply["status"] == "error"


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ({"hist_access_type": "range", "session": 0, "start": 5, "stop": 2}, 0),
        ({"hist_access_type": "range", "session": 10**30, "start": 1}, 0),
        ({"hist_access_type": "range", "start": 10**30, "stop": 10**31}, 0),
        ({"hist_access_type": "tail", "n": -1}, 0),
        ({"hist_access_type": "tail", "n": 10**30, "since": "a later version of the protocol"}, None),
        ({"hist_access_type": "tail", "n": None}, None),
        ({"hist_access_type": "search", "pattern": "\ud800", "n": 1}, 0),
        ({"hist_access_type": "search", "pattern": "**[*", "n": -5}, 0),
    ],
    ids=ascii,
)
def test_odd_ranges_of_the_history_are_accepted(
    client: BlockingKernelClient, content: dict[str, Any], count: int | None
) -> None:
    execute(client, "1 + 1", store_history=True)
    reply, _ = receive_reply(client, send(client, "history_request", content))
    assert reply["status"] == "ok"
    assert bool(reply["history"]) if count is None else len(reply["history"]) == count


@pytest.mark.parametrize(
    ("silent", "store", "stop", "code"),
    list(itertools.product(*[(False, True)] * 3, ["1", "fail('x')", "", "%vars", "%nothing"])),
)
def test_silent_store_history_and_stop_on_error_can_be_combined(
    client: BlockingKernelClient, silent: bool, store: bool, stop: bool, code: str
) -> None:
    fails = code in ("fail('x')", "%nothing")
    while execute(client, "1", silent=True)[0]["status"] == "aborted":  # An earlier cell has failed.
        time.sleep(ABORTED_SECONDS)
    busy = send(client, "execute_request", {"code": LONG_CODE})
    options = {"silent": silent, "store_history": store, "stop_on_error": stop}
    expressions = {"a": "1 + 1", "b": "fail('e')", "\ud800": "1"}
    first = send(client, "execute_request", {"code": code, "user_expressions": expressions, **options})
    second = send(client, "execute_request", {"code": "'next'"})
    number = receive_reply(client, busy)[0]["execution_count"]
    reply, kinds = receive_reply(client, first)
    outputs = {"1": ["execute_result"], "": [], "%vars": ["display_data"]}.get(code, ["error"])
    assert kinds == ([BUSY, IDLE] if silent else [BUSY, "execute_input", *outputs, IDLE])
    assert reply["status"] == ("error" if fails else "ok")
    assert reply["execution_count"] == number + (not silent)
    if not fails:
        statuses = {name: result["status"] for name, result in reply["user_expressions"].items()}
        assert statuses == {"a": "ok", "b": "error", "\ud800": "ok"}
    reply, kinds = receive_reply(client, second)
    if fails and stop and not silent:
        assert reply["status"] == "aborted" and kinds == [BUSY, IDLE]
    else:
        assert reply["execution_count"] == number + 1 + (store and not silent)


def test_two_clients_share_one_kernel(kernel: KernelManager, client: BlockingKernelClient) -> None:
    """Each client receives its own outputs in order, and both share one program."""
    other = kernel.blocking_client()
    other.start_channels()
    other.wait_for_ready(timeout=TIMEOUT)
    try:
        requests = [
            (
                sender,
                send(
                    sender,
                    "execute_request",
                    {"code": f"notice({number}) {number}"},
                    metadata={"cellId": name},
                ),
            )
            for number in range(8)
            for name, sender in ((f"mine {number}", client), (f"yours {number}", other))
        ]
        for sender, identity in requests:
            assert receive_reply(sender, identity)[1] == [
                BUSY,
                "execute_input",
                "stream",
                "display_data",
                IDLE,
            ]
        assert execute(client, "$shared = 1")[0]["status"] == "ok"
        assert execute(other, "$shared")[0]["status"] == "ok"
    finally:
        other.stop_channels()


CELL = "vscode-notebook-cell:/home/me/a%20b.ipynb#W0sZmlsZQ%3D%3D"
CONVERSATIONS: dict[str, list[tuple[str, str, dict[str, Any], dict[str, Any], list[str]]]] = {
    "Visual Studio Code": [
        ("control", "kernel_info_request", {}, {}, []),
        ("shell", "kernel_info_request", {}, {}, []),
        ("shell", "comm_info_request", {"target_name": "jupyter.widget"}, {}, []),
        ("shell", "execute_request", {"code": "1", "silent": True, "store_history": False}, {}, []),
        ("control", "debug_request", {"type": "request", "seq": 1, "command": "debugInfo"}, {}, []),
        (
            "shell",
            "execute_request",
            {"code": "'cell'", "silent": False, "store_history": True, "stop_on_error": False},
            {"cellId": CELL, "trusted": True, "deletedCells": [], "recordTiming": True},
            ["execute_input", "display_data"],
        ),
        ("shell", "complete_request", {"code": "noti", "cursor_pos": 4}, {}, []),
    ],
    "nbclient and Papermill": [
        ("shell", "kernel_info_request", {}, {}, []),
        (
            "shell",
            "execute_request",
            {"code": "# a remark", "allow_stdin": False, "stop_on_error": False},
            {},
            ["execute_input"],
        ),
        ("shell", "execute_request", {"code": "notice(1)"}, {}, ["execute_input", "stream"]),
    ],
    "jupyter console": [
        ("shell", "kernel_info_request", {}, {}, []),
        ("shell", "history_request", {"hist_access_type": "tail", "n": 1000, "raw": True}, {}, []),
        ("shell", "is_complete_request", {"code": "class a {\n"}, {}, []),
        (
            "shell",
            "execute_request",
            {"code": "1", "allow_stdin": True, "user_expressions": {}, "store_history": True},
            {},
            ["execute_input", "execute_result"],
        ),
        ("shell", "inspect_request", {"code": "notice", "cursor_pos": 6, "detail_level": 0}, {}, []),
    ],
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_of_a_client_has_its_replies(client: BlockingKernelClient, name: str) -> None:
    for channel, kind, content, metadata, expected in CONVERSATIONS[name]:
        identity = send(client, kind, content, metadata=metadata, channel=channel)
        reply, kinds = receive_reply(client, identity, channel)
        assert reply.get("status", "ok") in ("ok", "incomplete") and reply.get("success", True)
        assert kinds == [BUSY, *expected, IDLE]


def test_a_cell_that_is_cut_and_pasted_below_moves_below(client: BlockingKernelClient) -> None:
    execute(client, "%reset")
    execute(client, "$cut = 1", {"cellId": "cut"})
    execute(client, "$stays = 2", {"cellId": "stays"})
    reply, _ = execute(client, "$cut = 1", {"cellId": "cut", "deletedCells": ["cut"]})
    assert reply["status"] == "ok"
    reply, _ = execute(client, "%cells", user_expressions={"both": "[$cut, $stays]"})
    assert reply["user_expressions"]["both"]["data"]["text/plain"] == "[1, 2]"


def test_a_cell_can_be_split_and_merged_again(client: BlockingKernelClient) -> None:
    execute(client, "%reset")
    execute(client, "$one = 1\n$two = 2", {"cellId": "whole"})
    assert execute(client, "$one = 1", {"cellId": "whole"})[0]["status"] == "ok"
    assert execute(client, "$two = 2", {"cellId": "part"})[0]["status"] == "ok"
    merged = {"cellId": "whole", "deletedCells": ["part"]}
    assert execute(client, "$one = 1\n$two = 2", merged)[0]["status"] == "ok"
    reply, _ = execute(client, "", user_expressions={"all": "[$one, $two]"})
    assert reply["user_expressions"]["all"]["data"]["text/plain"] == "[1, 2]"
