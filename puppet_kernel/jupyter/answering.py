"""Every request gets its reply: a request that is not as it should be, or that fails inside, an error reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import traitlets

from puppet_kernel.jupyter.parts import Kernel
from puppet_kernel.jupyter.subshells import Subshells
from puppet_kernel.rendering.escape import printable

Handler = Callable[[Any, Any, dict[str, Any]], Awaitable[None]]

REQUEST, REPLY = "_request", "_reply"
# what a request must hold, and what it may hold, with the type of each
NEEDED: dict[str, dict[str, type]] = {
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
OF_CELLS = "cellId"  # in the metadata of a request: the identity of its cell, a text
# what asks the program, which is one for all shells
OF_THE_PROGRAM = ("execute_request", "complete_request", "inspect_request", "is_complete_request")
PATIENCE_SECONDS = 0.1  # so long a question of a subshell waits for its turn
WORDS = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array"}


class BadRequestError(Exception):
    """A request that is not as the protocol has it; the message says what is wrong."""


class AnsweringKernel(Kernel):
    """A kernel that leaves no request without a reply, and that has no comms. Its streams are Channels.

    A program is one for all shells.
    """

    session = traitlets.Any()
    shell_stream = traitlets.Any()
    control_stream = traitlets.Any()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shell_handlers = Handlers(self, {**self.shell_handlers, "comm_open": self.comm_open})
        self.control_handlers = Handlers(self, self.control_handlers)
        self.subshells = Subshells(self)

    async def dispatch_shell(
        self, msg: list[Any], /, subshell_id: str | None = None, *, concurrent: bool = False
    ) -> None:
        """Answers a message of the shell channel, for the main shell or for a subshell."""
        read = self._read(msg)
        if read is None:
            return
        ident, parent = read
        self.set_parent(ident, parent, channel="shell")
        if not concurrent:
            self._publish_status("busy", "shell")
        kind, wanted = parent["header"]["msg_type"], parent["header"].get("subshell_id")
        aborting = self._aborting if subshell_id is None else self.subshells.aborting(subshell_id)
        if wanted != subshell_id and kind.endswith(REQUEST):
            await self.answered(_no_subshell, self.shell_stream, ident, parent)
        elif aborting and kind == "execute_request":
            self._send_abort_reply(self.shell_stream, parent, ident)
        else:
            handler: Any = self.shell_handlers.get(kind)
            await handler(self.shell_stream, ident, parent)
        if not concurrent:
            self._publish_status_and_flush("idle", "shell", self.shell_stream)

    async def process_control(self, msg: list[Any]) -> None:
        """Answers a message of the control channel."""
        read = self._read(msg)
        if read is None:
            return
        ident, parent = read
        self.set_parent(ident, parent, channel="control")
        self._publish_status("busy", "control")
        handler: Any = self.control_handlers.get(parent["header"]["msg_type"])
        await handler(self.control_stream, ident, parent)
        self._publish_status_and_flush("idle", "control", self.control_stream)

    def _read(self, frames: list[Any]) -> tuple[Any, dict[str, Any]] | None:
        """Who sent a message, and the message; None for what nobody can answer, as nothing says what it is."""
        try:
            ident, parts = self.session.feed_identities(frames, copy=False)
            parent = self.session.deserialize(parts, copy=False)
            if not isinstance(parent["header"]["msg_type"], str):
                raise BadRequestError("The type of a message is a JSON string")
        except Exception:
            self.log.debug("a message cannot be read", exc_info=True)
            return None
        return ident, parent

    def _abort_queues(self, subshell_id: str | None = None) -> None:
        """After an error what was asked of the same shell by then is not run."""
        if subshell_id is None:
            super()._abort_queues()
        else:
            self.subshells.abort(subshell_id)

    async def create_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Makes a subshell; tells its identity."""
        content = {"status": "ok", "subshell_id": self.subshells.create()}
        self.session.send(stream, "create_subshell_reply", content, parent, ident)

    async def delete_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Ends a subshell."""
        if not self.subshells.delete(parent["content"]["subshell_id"]):
            await _no_subshell(stream, ident, parent)
        self.session.send(stream, "delete_subshell_reply", {"status": "ok"}, parent, ident)

    async def list_subshell_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Tells the identities of all subshells."""
        content = {"status": "ok", "subshell_id": self.subshells.identities}
        self.session.send(stream, "list_subshell_reply", content, parent, ident)

    async def comm_open(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Nobody here knows what the comm is for, so it is closed at once."""
        content = {"comm_id": parent["content"]["comm_id"], "data": {}}
        self.send_response(self.iopub_socket, "comm_close", content)

    async def history_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Tells of inputs; what another version of the protocol may ask besides means nothing."""
        known = {**NEEDED["history_request"], **OPTIONAL["history_request"]}
        parent["content"] = {name: value for name, value in parent["content"].items() if name in known}
        await super().history_request(stream, ident, parent)

    async def shutdown_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Ends; for good where the request does not tell."""
        parent["content"].setdefault("restart", False)
        await super().shutdown_request(stream, ident, parent)

    async def answered(
        self, handler: Handler | None, stream: Any, ident: Any, parent: dict[str, Any]
    ) -> None:
        """Lets a handler answer a request; whatever it raises becomes the reply."""
        kind = parent["header"]["msg_type"]
        try:
            if handler is None:
                raise BadRequestError(f"This kernel knows no {kind}")
            _check(kind, parent)
            if kind in OF_THE_PROGRAM and self.subshells.are_here:
                patience = None if kind == "execute_request" else PATIENCE_SECONDS
                await self.subshells.in_turn(partial(handler, stream, ident, parent), patience)
            else:
                await handler(stream, ident, parent)
        except (Exception, KeyboardInterrupt) as problem:
            self.log.debug("a %s failed", kind, exc_info=True)
            if kind.endswith(REQUEST) and self.session is not None:
                content = self.failure(kind, problem)
                self.session.send(stream, kind.removesuffix(REQUEST) + REPLY, content, parent, ident)

    def failure(self, kind: str, problem: BaseException) -> dict[str, Any]:
        """The content of the reply to a request that could not be done."""
        name, words = type(problem).__name__, printable(str(problem))
        content = {"status": "error", "ename": name, "evalue": words, "traceback": [f"{name}: {words}"]}
        return {**content, "execution_count": self.execution_count} if kind == "execute_request" else content


class Handlers(dict[str, Handler]):
    """The handlers of a channel by the type of their messages; every one of them answers, and so does what is unknown.

    A kind that is no request (an `input_reply` that comes too late, a comm nobody knows) is heard and dropped.
    """

    def __init__(self, kernel: AnsweringKernel, handlers: dict[str, Handler]) -> None:
        super().__init__(handlers)
        self._kernel = kernel

    def get(self, kind: str, default: Any = None) -> Any:
        """The handler of a kind of message; there is one for each."""
        handler = super().get(kind)

        async def answer(stream: Any, ident: Any, parent: dict[str, Any]) -> None:
            await self._kernel.answered(handler, stream, ident, parent)

        return answer


async def _no_subshell(stream: Any, ident: Any, parent: dict[str, Any]) -> None:
    """Refuses what is asked of a subshell that is not there."""
    wanted = parent["header"].get("subshell_id") or parent["content"].get("subshell_id")
    raise BadRequestError(f"There is no subshell {wanted}")


def _check(kind: str, parent: dict[str, Any]) -> None:
    """Raises BadRequestError for a request that lacks something or holds what means nothing.

    What may be missing and is null counts as missing.
    """
    content = parent["content"]
    if not isinstance(content, dict):
        raise BadRequestError(f"The content of {kind} is no object")
    if not isinstance(parent["metadata"], dict):
        parent["metadata"] = {}
    if not isinstance(parent["metadata"].get(OF_CELLS), str):
        parent["metadata"].pop(OF_CELLS, None)  # of no type that tells cells apart
    needed, optional = NEEDED.get(kind, {}), OPTIONAL.get(kind, {})
    for name, type_ in needed.items():
        if not _is(content.get(name), type_):
            raise BadRequestError(f"{kind} needs {name}, a JSON {WORDS[type_]}")
    for name, type_ in optional.items():
        if content.get(name) is None:
            content.pop(name, None)
        elif not _is(content[name], type_):
            raise BadRequestError(f"{name} of {kind} is a JSON {WORDS[type_]}")


def _is(value: Any, type_: type) -> bool:
    """True for a value of a type; a boolean is no integer."""
    return isinstance(value, type_) and not (type_ is int and isinstance(value, bool))
