"""Requests: each is validated and receives a reply, which may be an error reply."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Any

import traitlets

from puppet_kernel.jupyter.ipykernel_imports import Kernel
from puppet_kernel.jupyter.subshells import Subshells
from puppet_kernel.rendering.escape import to_printable

Handler = Callable[[Any, Any, dict[str, Any]], Coroutine[Any, Any, None]]

REQUEST, REPLY = "_request", "_reply"
# The required and the optional fields of a request, with the type of each.
REQUIRED: dict[str, dict[str, type]] = {
    "execute_request": {"code": str},
    "complete_request": {"code": str, "cursor_pos": int},
    "inspect_request": {"code": str, "cursor_pos": int},
    "is_complete_request": {"code": str},
    "history_request": {"hist_access_type": str},
    "comm_open": {"comm_id": str, "target_name": str},
    "delete_subshell_request": {"subshell_id": str},
}
OPTIONAL: dict[str, dict[str, type]] = {
    "execute_request": {
        "silent": bool,
        "store_history": bool,
        "user_expressions": dict,
        "allow_stdin": bool,
        "stop_on_error": bool,
    },
    "inspect_request": {"detail_level": int, "omit_sections": list},
    "history_request": {
        "output": bool,
        "raw": bool,
        "session": int,
        "start": int,
        "stop": int,
        "n": int,
        "pattern": str,
        "unique": bool,
    },
    "shutdown_request": {"restart": bool},
    "comm_info_request": {"target_name": str},
}
CELL_ID = "cellId"  # the field in the metadata of a request with the identity of its cell, a string
# Requests to the program, which all shells share.
PROGRAM_REQUESTS = ("execute_request", "complete_request", "inspect_request", "is_complete_request")
PATIENCE_SECONDS = 0.1  # how long a request of a subshell waits for its turn
JSON_TYPES = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array"}


class BadRequestError(Exception):
    """A request that violates the protocol, with a message that says how."""


class RobustKernel(Kernel):
    """A kernel that replies to every request; its streams are Channels, and it has no comms."""

    session = traitlets.Any()
    shell_stream = traitlets.Any()
    control_stream = traitlets.Any()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shell_handlers = RequestHandlers(self, {**self.shell_handlers, "comm_open": self.comm_open})
        self.control_handlers = RequestHandlers(self, self.control_handlers)
        self.subshells = Subshells(self)

    async def dispatch_shell(
        self, msg: list[Any], /, subshell_id: str | None = None, *, concurrent: bool = False
    ) -> None:
        """Handle a message of the shell channel, for the main shell or for a subshell.

        Args:
            msg: The frames of the message.
            subshell_id: The subshell; None for the main shell.
            concurrent: True if ipykernel handles the message during another one, whose status stays "busy".
        """
        self.shell_stream.take(msg)
        parsed = self._parse(msg)
        if parsed is None:
            return
        ident, parent = parsed
        self.set_parent(ident, parent, channel="shell")
        if not concurrent:
            self._publish_status("busy", "shell")
        kind, addressee = parent["header"]["msg_type"], parent["header"].get("subshell_id")
        aborting = self._aborting if subshell_id is None else self.subshells.is_aborting(subshell_id)
        if addressee != subshell_id and kind.endswith(REQUEST):  # there is no such subshell
            await self.answer(_refuse_subshell, self.shell_stream, ident, parent)
        elif aborting and kind == "execute_request":
            self._send_abort_reply(self.shell_stream, parent, ident)
        else:
            handler: Any = self.shell_handlers.get(kind)
            await handler(self.shell_stream, ident, parent)
        if not concurrent:
            self._publish_status_and_flush("idle", "shell", self.shell_stream)

    async def process_control(self, msg: list[Any]) -> None:
        """Handle a message of the control channel, beside those that wait.

        A request of the debugger may wait for the stopped program, and during that time an interrupt and a shutdown
        have to be handled.
        """
        self.control_stream.take(msg)
        parsed = self._parse(msg)
        if parsed is None:
            return
        ident, parent = parsed
        self.set_parent(ident, parent, channel="control")
        self._publish_status("busy", "control", parent)
        handler: Any = self.control_handlers.get(parent["header"]["msg_type"])
        await handler(self.control_stream, ident, parent)
        self._publish_status_and_flush("idle", "control", self.control_stream, parent)

    dispatch_control = process_control  # the base class handles the messages one by one

    def _parse(self, frames: list[Any]) -> tuple[Any, dict[str, Any]] | None:
        """Return the sender of a message and the message; None if it cannot be parsed.

        As in ipykernel, they are called `ident` and `parent`: the message is the parent of its replies.
        """
        try:
            ident, parts = self.session.feed_identities(frames, copy=False)
            parent = self.session.deserialize(parts, copy=False)
            if not isinstance(parent["header"]["msg_type"], str):
                raise BadRequestError("The type of a message must be a JSON string")
        except Exception:
            self.log.debug("a message cannot be read", exc_info=True)
            return None
        return ident, parent

    def _abort_queues(self, subshell_id: str | None = None) -> None:
        """Abort the requests that wait in the same shell, after an error."""
        if subshell_id is None:
            super()._abort_queues()
        else:
            self.subshells.abort(subshell_id)

    async def create_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Create a subshell and reply with its identity."""
        content = {"status": "ok", "subshell_id": self.subshells.create()}
        self.session.send(stream, "create_subshell_reply", content, parent, ident)

    async def delete_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Delete a subshell."""
        if not self.subshells.delete(parent["content"]["subshell_id"]):
            await _refuse_subshell(stream, ident, parent)
        self.session.send(stream, "delete_subshell_reply", {"status": "ok"}, parent, ident)

    async def list_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Reply with the identities of all subshells."""
        content = {"status": "ok", "subshell_id": self.subshells.identities}
        self.session.send(stream, "list_subshell_reply", content, parent, ident)

    async def comm_open(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Close a comm at once, since nothing here uses one."""
        content = {"comm_id": parent["content"]["comm_id"], "data": {}}
        self.send_response(self.iopub_socket, "comm_close", content)

    async def execute_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Run a cell, and count it unless it is silent."""
        content, metadata = parent["content"], parent["metadata"]
        started, silent = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}", content.get("silent", False)
        if not silent:
            self.execution_count += 1
            self._publish_execute_input(content["code"], parent, self.execution_count)
        reply = await self.do_execute(
            content["code"],
            silent,
            content.get("store_history", not silent),
            content.get("user_expressions"),
            self.stdin_socket is not None and content.get("allow_stdin", False),
            cell_meta=metadata,
            cell_id=metadata.get(CELL_ID),
        )
        self.session.send(stream, "execute_reply", reply, parent, ident, metadata={"started": started})
        if not silent and reply["status"] == "error" and content.get("stop_on_error", True):
            self._abort_queues(parent["header"].get("subshell_id"))

    async def history_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Reply with earlier inputs; arguments of other versions of the protocol are ignored."""
        fields = {**REQUIRED["history_request"], **OPTIONAL["history_request"]}
        parent["content"] = {name: value for name, value in parent["content"].items() if name in fields}
        await super().history_request(stream, ident, parent)

    async def shutdown_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Shut down, without a restart unless the request says so; a running cell is interrupted."""
        parent["content"].setdefault("restart", False)
        await super().shutdown_request(stream, ident, parent)
        self._send_interrupt_children()

    async def answer(self, handler: Handler | None, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Let a handler reply to a request; what it raises becomes an error reply."""
        kind = parent["header"]["msg_type"]
        try:
            if handler is None:
                raise BadRequestError(f"This kernel does not support {kind}")
            _validate(kind, parent)
            if kind in PROGRAM_REQUESTS and self.subshells.runs_in_this_thread:
                patience = None if kind == "execute_request" else PATIENCE_SECONDS
                await self.subshells.run_in_main_thread(partial(handler, stream, ident, parent), patience)
            else:
                await handler(stream, ident, parent)
        except (Exception, KeyboardInterrupt) as problem:
            self.log.debug("a %s failed", kind, exc_info=True)
            if kind.endswith(REQUEST) and self.session is not None:
                content = self.make_error_content(kind, problem)
                self.session.send(stream, kind.removesuffix(REQUEST) + REPLY, content, parent, ident)

    def make_error_content(self, kind: str, problem: BaseException) -> dict[str, Any]:
        """Return the content of the reply to a request that failed."""
        name, words = type(problem).__name__, to_printable(str(problem))
        content = {"status": "error", "ename": name, "evalue": words, "traceback": [f"{name}: {words}"]}
        return {**content, "execution_count": self.execution_count} if kind == "execute_request" else content


class RequestHandlers(dict[str, Handler]):
    """The handlers of a channel by message type; unknown requests receive an error reply.

    A message that is no request (a late `input_reply`, an unknown comm) is ignored.
    """

    def __init__(self, kernel: RobustKernel, handlers: dict[str, Handler]) -> None:
        super().__init__(handlers)
        self._kernel = kernel

    def get(self, kind: str, default: Any = None) -> Any:
        """Return the handler of a message type; there is one for every type."""
        handler = super().get(kind)

        async def answer(stream: Any, ident: Any, parent: dict[str, Any]) -> None:
            await self._kernel.answer(handler, stream, ident, parent)

        return answer


async def _refuse_subshell(stream: Any, ident: Any, parent: dict[str, Any]) -> None:
    """Raise BadRequestError for a subshell that does not exist."""
    identity = parent["header"].get("subshell_id") or parent["content"].get("subshell_id")
    raise BadRequestError(f"There is no subshell {identity}")


def _validate(kind: str, parent: dict[str, Any]) -> None:
    """Raise BadRequestError if a request lacks a field or a field has the wrong type.

    An optional field that is null is treated as missing.
    """
    content = parent["content"]
    if not isinstance(content, dict):
        raise BadRequestError(f"The content of {kind} must be an object")
    if not isinstance(parent["metadata"], dict):
        parent["metadata"] = {}
    if not isinstance(parent["metadata"].get(CELL_ID), str):
        parent["metadata"].pop(CELL_ID, None)  # an identity of another type cannot identify a cell
    required, optional = REQUIRED.get(kind, {}), OPTIONAL.get(kind, {})
    for name, type_ in required.items():
        if not _is_instance(content.get(name), type_):
            raise BadRequestError(f"{kind} needs {name}, a JSON {JSON_TYPES[type_]}")
    for name, type_ in optional.items():
        if content.get(name) is None:
            content.pop(name, None)
        elif not _is_instance(content[name], type_):
            raise BadRequestError(f"{name} of {kind} must be a JSON {JSON_TYPES[type_]}")


def _is_instance(value: Any, type_: type) -> bool:
    """Return True if a value has a type; unlike in Python, a boolean is no integer."""
    return isinstance(value, type_) and not (type_ is int and isinstance(value, bool))
