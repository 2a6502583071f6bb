"""Clients that are no JupyterLab: what they send in their own order, and what no client should send.

Each request has its reply and its outputs between busy and idle, and nothing of it is in the kernel's log.
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
from kernels import start

TIMEOUT = 60  # only a test that fails takes so long
ABORTED_SECONDS = 0.05  # about so long after an error what comes is not run
LASTING = "Integer[1, 800000].each |$x| { }"  # meanwhile what is asked next arrives
BUSY, IDLE = "busy", "idle"
DELETED = "deleted"  # stands for a field that is not there


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelManager]:
    """A kernel in whose log nothing may stand in the end."""
    path = tmp_path_factory.mktemp("log") / "log.txt"
    with path.open("w") as log:
        kernel, client = start(log=log)
        client.stop_channels()
        yield kernel
        kernel.shutdown_kernel(now=True)
    assert path.read_text() == ""


@pytest.fixture
def client(running: KernelManager) -> Iterator[BlockingKernelClient]:
    """A client that has just come."""
    found = running.blocking_client()
    found.start_channels()
    found.wait_for_ready(timeout=TIMEOUT)
    yield found
    found.stop_channels()


def send(
    client: BlockingKernelClient,
    kind: str,
    content: Any,
    *,
    metadata: Any = None,
    header: dict[str, Any] | None = None,
    channel: str = "shell",
) -> str:
    """Send a message of any parts and return its identity."""
    session = client.session
    head = {**session.msg(kind)["header"], **(header or {})}
    head = {name: value for name, value in head.items() if value is not DELETED}
    parts = [json.dumps(part, default=str).encode("ascii") for part in (head, {}, metadata or {}, content)]
    getattr(client, f"{channel}_channel").socket.send_multipart([b"<IDS|MSG>", session.sign(parts), *parts])
    return str(head.get("msg_id"))


def heard(
    client: BlockingKernelClient, wanted: str, channel: str = "shell"
) -> tuple[dict[str, Any], list[str]]:
    """The content of the reply to a request, and the kinds of what came on the other channel, statuses by name."""
    seen: list[str] = []
    while IDLE not in seen:
        found = client.get_iopub_msg(timeout=TIMEOUT)
        if found["parent_header"].get("msg_id") == wanted:
            seen.append(found["content"].get("execution_state", found["msg_type"]))
    while True:
        reply = getattr(client, f"get_{channel}_msg")(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == wanted:
            return reply["content"], seen


def execute(
    client: BlockingKernelClient, code: str, metadata: Any = None, **content: Any
) -> tuple[Any, list[str]]:
    """Run a cell and return its reply and the messages before it."""
    return heard(client, send(client, "execute_request", {"code": code, **content}, metadata=metadata))


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
def test_metadata_of_any_type(client: BlockingKernelClient, metadata: Any) -> None:
    reply, seen = execute(client, "1 + 1", metadata)
    assert reply["status"] == "ok" and seen[:2] == [BUSY, "execute_input"] and len(seen) == 4


@pytest.mark.parametrize(
    "header",
    [
        *({"date": value} for value in (DELETED, "yesterday", 5)),
        *({"session": value} for value in (DELETED, 5, "\ud800")),
        *({"username": DELETED}, {"version": DELETED}, {"version": "9.9"}, {"subshell_id": None}),
    ],
    ids=ascii,
)
def test_headers_with_little_in_them(client: BlockingKernelClient, header: dict[str, Any]) -> None:
    wanted = send(client, "execute_request", {"code": "1 + 1"}, header=header)
    assert heard(client, wanted)[0]["status"] == "ok"


@pytest.mark.parametrize("channel", ["shell", "control"])
@pytest.mark.parametrize("value", [DELETED, None, 5, ["execute_request"]], ids=ascii)
def test_what_has_no_type_is_dropped(client: BlockingKernelClient, channel: str, value: Any) -> None:
    send(client, "execute_request", {"code": "1"}, header={"msg_type": value}, channel=channel)
    wanted = send(client, "kernel_info_request", {}, channel=channel)
    reply, seen = heard(client, wanted, channel)
    assert reply["status"] == "ok" and seen == [BUSY, IDLE]


@pytest.mark.parametrize("kind", ["\ud800", 'a"b\\', "", "\n", 'a", "msg_type": "b'])
def test_a_type_that_cannot_be_written_is_answered(client: BlockingKernelClient, kind: str) -> None:
    reply, _ = heard(client, send(client, f"{kind}_request", {}))
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
def test_odd_ranges_of_history(
    client: BlockingKernelClient, content: dict[str, Any], count: int | None
) -> None:
    execute(client, "1 + 1", store_history=True)
    reply, _ = heard(client, send(client, "history_request", content))
    assert reply["status"] == "ok"
    assert bool(reply["history"]) if count is None else len(reply["history"]) == count


@pytest.mark.parametrize(
    ("silent", "store", "stop", "code"),
    list(itertools.product(*[(False, True)] * 3, ["1", "fail('x')", "", "%vars", "%nothing"])),
)
def test_silence_history_and_stopping(
    client: BlockingKernelClient, silent: bool, store: bool, stop: bool, code: str
) -> None:
    fails = code in ("fail('x')", "%nothing")
    while execute(client, "1", silent=True)[0]["status"] == "aborted":  # by what failed before
        time.sleep(ABORTED_SECONDS)
    busy = send(client, "execute_request", {"code": LASTING})
    options = {"silent": silent, "store_history": store, "stop_on_error": stop}
    asked = {"a": "1 + 1", "b": "fail('e')", "\ud800": "1"}
    first = send(client, "execute_request", {"code": code, "user_expressions": asked, **options})
    second = send(client, "execute_request", {"code": "'next'"})
    number = heard(client, busy)[0]["execution_count"]
    reply, seen = heard(client, first)
    shown = {"1": ["execute_result"], "": [], "%vars": ["display_data"]}.get(code, ["error"])
    assert seen == ([BUSY, IDLE] if silent else [BUSY, "execute_input", *shown, IDLE])
    assert reply["status"] == ("error" if fails else "ok")
    assert reply["execution_count"] == number + (not silent)
    if not fails:
        answers = {name: answer["status"] for name, answer in reply["user_expressions"].items()}
        assert answers == {"a": "ok", "b": "error", "\ud800": "ok"}
    reply, seen = heard(client, second)
    if fails and stop and not silent:
        assert reply["status"] == "aborted" and seen == [BUSY, IDLE]
    else:
        assert reply["execution_count"] == number + 1 + (store and not silent)


def test_two_clients_of_one_kernel(running: KernelManager, client: BlockingKernelClient) -> None:
    """Each hears what it asked for as its own, in its order; the program is one."""
    other = running.blocking_client()
    other.start_channels()
    other.wait_for_ready(timeout=TIMEOUT)
    try:
        asked = [
            (
                one,
                send(
                    one, "execute_request", {"code": f"notice({number}) {number}"}, metadata={"cellId": name}
                ),
            )
            for number in range(8)
            for name, one in ((f"mine {number}", client), (f"yours {number}", other))
        ]
        for one, wanted in asked:
            assert heard(one, wanted)[1] == [BUSY, "execute_input", "stream", "display_data", IDLE]
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
def test_a_conversation(client: BlockingKernelClient, name: str) -> None:
    for channel, kind, content, metadata, expected in CONVERSATIONS[name]:
        wanted = send(client, kind, content, metadata=metadata, channel=channel)
        reply, seen = heard(client, wanted, channel)
        assert reply.get("status", "ok") in ("ok", "incomplete") and reply.get("success", True)
        assert seen == [BUSY, *expected, IDLE]


def test_a_cell_cut_and_pasted_below_stands_below(client: BlockingKernelClient) -> None:
    execute(client, "%reset")
    execute(client, "$cut = 1", {"cellId": "cut"})
    execute(client, "$stays = 2", {"cellId": "stays"})
    reply, _ = execute(client, "$cut = 1", {"cellId": "cut", "deletedCells": ["cut"]})
    assert reply["status"] == "ok"
    reply, _ = execute(client, "%cells", user_expressions={"both": "[$cut, $stays]"})
    assert reply["user_expressions"]["both"]["data"]["text/plain"] == "[1, 2]"


def test_a_cell_that_is_split_and_merged_again(client: BlockingKernelClient) -> None:
    execute(client, "%reset")
    execute(client, "$one = 1\n$two = 2", {"cellId": "whole"})
    assert execute(client, "$one = 1", {"cellId": "whole"})[0]["status"] == "ok"
    assert execute(client, "$two = 2", {"cellId": "part"})[0]["status"] == "ok"
    merged = {"cellId": "whole", "deletedCells": ["part"]}
    assert execute(client, "$one = 1\n$two = 2", merged)[0]["status"] == "ok"
    reply, _ = execute(client, "", user_expressions={"all": "[$one, $two]"})
    assert reply["user_expressions"]["all"]["data"]["text/plain"] == "[1, 2]"
