"""A kernel without sockets, threads and ipykernel: a message comes after the other, and answers go to a function."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import traitlets

PROTOCOL = "5.3"
Content = dict[str, Any]
# the kinds of requests and the arguments that a kernel's method gets for each, with what counts for one that is missing
ASKED: dict[str, Content] = {
    "complete": {"code": "", "cursor_pos": 0},
    "inspect": {"code": "", "cursor_pos": 0, "detail_level": 0, "omit_sections": ()},
    "is_complete": {"code": ""},
}


class Session:
    """Makes messages: what is sent goes, as JSON, to a receiver.

    receive  gets each message as text
    """

    def __init__(self, receive: Callable[[str], object]) -> None:
        self._receive = receive

    def send(
        self,
        stream: str,
        kind: str,
        content: Content,
        parent: Content,
        ident: object = None,
        *rest: object,
        metadata: Content | None = None,
    ) -> None:
        """Sends a message on a channel, as the answer to another."""
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": parent["header"]["session"],
            "username": "kernel",
            "date": datetime.now(UTC).isoformat(),
            "version": PROTOCOL,
        }
        message = {
            "channel": stream,
            "header": header,
            "parent_header": parent["header"],
            "metadata": metadata or {},
            "content": content,
            "buffers": [],
        }
        self._receive(as_json(message))


def as_json(message: Content) -> str:
    """A message as JSON that every reader takes: numbers that JSON does not have are texts."""
    try:
        return json.dumps(message, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(message, default=str), parse_constant=str))


class Afterwards:
    """What is to be done when a message has been answered: what elsewhere a loop does, when there is time."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], object]] = []

    def add_callback(self, function: Callable[..., object], *arguments: object) -> None:
        """Keeps a call for later."""
        self._waiting.append(lambda: function(*arguments))

    def run(self) -> None:
        """Does what waits."""
        while self._waiting:
            self._waiting.pop(0)()


class Kernel(traitlets.HasTraits):
    """What ipykernel's class of this name does for a kernel that derives from it."""

    do_execute: Callable[..., Any]
    do_history: Callable[..., Any]
    kernel_info: Content

    def __init__(self, *, session: Session) -> None:
        super().__init__()
        self.session = session
        self.iopub_socket = "iopub"
        self.io_loop = Afterwards()
        self.execution_count = 0
        self.log = logging.getLogger("puppet_kernel")
        self._parent: Content = {}
        self.shell_handlers: dict[str, Any] = {
            **{f"{kind}_request": self._question(kind) for kind in ASKED},
            "execute_request": self.execute_request,
            "history_request": self.history_request,
            "kernel_info_request": self.kernel_info_request,
            "comm_info_request": self.comm_info_request,
        }
        self.control_handlers: dict[str, Any] = {}

    def get_parent(self, channel: str | None = None) -> Content:
        """The request that is being answered."""
        return self._parent

    def send_response(self, stream: str, kind: str, content: Content) -> None:
        """Sends a message that belongs to the request that is being answered."""
        self.session.send(stream, kind, content, self._parent)

    async def handle(self, message: Content) -> None:
        """Answers a message, busy until that is done."""
        self._parent = message
        handler: Any = self.shell_handlers.get(message["header"]["msg_type"])
        self.send_response("iopub", "status", {"execution_state": "busy"})
        await handler(message.get("channel", "shell"), None, message)
        self.send_response("iopub", "status", {"execution_state": "idle"})
        self.io_loop.run()

    def _question(self, kind: str) -> Any:
        """The handler for a kind of request that a method answers with the content of the reply."""

        async def handler(stream: str, ident: object, parent: Content) -> None:
            arguments = {name: parent["content"].get(name, missing) for name, missing in ASKED[kind].items()}
            content = await getattr(self, f"do_{kind}")(**arguments)
            self.session.send(stream, f"{kind}_reply", content, parent, ident)

        return handler

    async def execute_request(self, stream: str, ident: object, parent: Content) -> None:
        """Runs a cell, which has a number unless it is silent."""
        content, metadata = parent["content"], parent["metadata"]
        silent = content.get("silent", False)
        if not silent:
            self.execution_count += 1
            told = {"code": content["code"], "execution_count": self.execution_count}
            self.send_response("iopub", "execute_input", told)
        reply = await self.do_execute(
            content["code"],
            silent,
            content.get("store_history", not silent),
            content.get("user_expressions"),
            allow_stdin=False,  # there is no channel on which to ask
            cell_meta=metadata,
            cell_id=metadata.get("cellId"),
        )
        self.session.send(stream, "execute_reply", reply, parent, ident)

    async def history_request(self, stream: str, ident: object, parent: Content) -> None:
        """Tells of inputs so far."""
        self.session.send(stream, "history_reply", await self.do_history(**parent["content"]), parent, ident)

    async def kernel_info_request(self, stream: str, ident: object, parent: Content) -> None:
        """Tells what the kernel is; what other kernels do in threads, this one does not."""
        content = {"status": "ok", **self.kernel_info, "debugger": False, "supported_features": []}
        self.session.send(stream, "kernel_info_reply", content, parent, ident)

    async def comm_info_request(self, stream: str, ident: object, parent: Content) -> None:
        """There are no comms."""
        self.session.send(stream, "comm_info_reply", {"status": "ok", "comms": {}}, parent, ident)
