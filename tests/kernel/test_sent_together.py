"""The cells that a front end sent together are found in the queue of requests."""

import json
from types import SimpleNamespace
from typing import Any

from puppet_kernel.jupyter.run_all import DELIMITER, CellsSentTogether

HEADER = {"msg_type": "execute_request", "date": "2026-01-01T00:00:00+00:00"}


def make_frames(header: dict[str, str], cell_id: str) -> list[Any]:
    """Return the parts of a message as ZeroMQ receives them."""
    parts = (header, {}, {"cellId": cell_id}, {})  # no list, which would take the address that the test wants
    return [
        SimpleNamespace(buffer=part)
        for part in (DELIMITER, b"", *(json.dumps(part).encode() for part in parts))
    ]


def test_a_message_at_the_address_of_an_earlier_one_is_read() -> None:
    channel: Any = SimpleNamespace(
        waiting=[make_frames({"msg_type": "comm_info_request"}, "")], flush=lambda: None
    )
    together, request = CellsSentTogether(), {"header": HEADER, "metadata": {"cellId": "a"}}
    assert together.begin(request, channel) == []
    address = id(channel.waiting.pop())
    messages = {id(frames): frames for frames in (make_frames(HEADER, "b") for _ in range(1000))}
    channel.waiting = [messages.get(address) or messages.popitem()[1]]
    assert together.end(channel) == ["a", "b"]
