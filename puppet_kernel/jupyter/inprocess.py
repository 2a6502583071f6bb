"""A kernel without sockets, threads and ipykernel, for browsers.

It handles one message after the other, and calls a function with each reply.
"""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import traitlets

from lexer_parser.record import Record, fresh

PROTOCOL = "5.3"
Content = dict[str, Any]
# the kinds of requests, and for each the arguments of the kernel's method with their default values
REQUEST_ARGUMENTS: dict[str, Content] = {
    "complete": {"code": "", "cursor_pos": 0},
    "inspect": {"code": "", "cursor_pos": 0, "detail_level": 0, "omit_sections": ()},
    "is_complete": {"code": ""},
}


class InProcessSession(Record):
    """A replacement for jupyter_client's `Session`: it passes messages as JSON to a function."""

    _receive: Callable[[str], object]

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
        """Send a message on a channel, as the reply to another.

        The signature is that of jupyter_client; `ident` and `rest` matter only for sockets.
        """
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
        self._receive(to_json(message))


def to_json(message: Content) -> str:
    """Return a message as JSON; numbers that JSON lacks become strings."""
    try:
        return json.dumps(message, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(message, default=str), parse_constant=str))


class CallbackQueue(Record):
    """A replacement for the event loop: callbacks run after the reply to the current message."""

    _waiting: list[Callable[[], object]] = fresh(factory=list)

    def add_callback(self, function: Callable[..., object], *arguments: object) -> None:
        """Add a call to the queue."""
        self._waiting.append(lambda: function(*arguments))

    def run(self) -> None:
        """Run all calls of the queue."""
        while self._waiting:
            self._waiting.pop(0)()


class DirectChannel:
    """A replacement for `Channel` on which no request ever waits."""

    waiting = ()

    def flush(self) -> None:
        """Return at once: there is nothing to read."""

    def read_ahead(self) -> tuple[()]:
        """Return no request."""
        return ()

    def wait(self, seconds: float) -> bool:
        """Return False: no request arrives while another one is handled."""
        return False


class InProcessKernel(traitlets.HasTraits):
    """A replacement for ipykernel's `Kernel`, with the part that our kernel needs."""

    do_execute: Callable[..., Any]
    do_history: Callable[..., Any]
    execute_request: Callable[..., Any]
    kernel_info: Content

    def __init__(self, *, session: InProcessSession) -> None:
        super().__init__()
        self.session = session
        self.iopub_socket = "iopub"
        self.stdin_socket = None
        self.shell_stream = DirectChannel()
        self.io_loop = CallbackQueue()
        self.execution_count = 0
        self.log = logging.getLogger("puppet_kernel")
        self._parent: Content = {}
        self.shell_handlers: dict[str, Any] = {
            **{f"{kind}_request": self._make_handler(kind) for kind in REQUEST_ARGUMENTS},
            "execute_request": self.execute_request,
            "history_request": self.history_request,
            "kernel_info_request": self.kernel_info_request,
            "comm_info_request": self.comm_info_request,
        }
        self.control_handlers: dict[str, Any] = {}

    def get_parent(self, channel: str | None = None) -> Content:
        """Return the request that is being handled."""
        return self._parent

    def send_response(self, stream: str, kind: str, content: Content) -> None:
        """Send a message that belongs to the request that is being handled."""
        self.session.send(stream, kind, content, self._parent)

    async def handle(self, message: Content) -> None:
        """Handle a message; the status is busy meanwhile."""
        self._parent = message
        # `RobustKernel` replaces the table by one that has a handler for every type
        handler: Any = self.shell_handlers.get(message["header"]["msg_type"])
        self.send_response("iopub", "status", {"execution_state": "busy"})
        await handler(message.get("channel", "shell"), None, message)
        self.send_response("iopub", "status", {"execution_state": "idle"})
        self.io_loop.run()

    def _make_handler(self, kind: str) -> Any:
        """Return the handler for requests that one method of the kernel answers."""

        async def handler(stream: str, ident: object, parent: Content) -> None:
            arguments = {
                name: parent["content"].get(name, missing)
                for name, missing in REQUEST_ARGUMENTS[kind].items()
            }
            content = await getattr(self, f"do_{kind}")(**arguments)
            self.session.send(stream, f"{kind}_reply", content, parent, ident)

        return handler

    def _publish_execute_input(self, code: str, parent: Content, execution_count: int) -> None:
        self.send_response("iopub", "execute_input", {"code": code, "execution_count": execution_count})

    def _abort_queues(self) -> None:
        """Abort nothing, because no request ever waits."""

    async def history_request(self, stream: str, ident: object, parent: Content) -> None:
        """Reply with earlier inputs."""
        self.session.send(stream, "history_reply", await self.do_history(**parent["content"]), parent, ident)

    async def kernel_info_request(self, stream: str, ident: object, parent: Content) -> None:
        """Reply with the description of the kernel.

        It lacks the features that other kernels run in threads.
        """
        content = {"status": "ok", **self.kernel_info, "debugger": False, "supported_features": []}
        self.session.send(stream, "kernel_info_reply", content, parent, ident)

    async def comm_info_request(self, stream: str, ident: object, parent: Content) -> None:
        """Reply that there are no comms."""
        self.session.send(stream, "comm_info_reply", {"status": "ok", "comms": {}}, parent, ident)
