"""Every request gets its reply: a request that is not as it should be, or that fails inside, an error reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import traitlets

from puppet_kernel.jupyter.parts import Kernel
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
# a program is one sequence of cells: what a subshell ran beside it would have to wait for it
SUBSHELLS = ("create_subshell_request", "delete_subshell_request", "list_subshell_request")
WORDS = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array"}


class BadRequestError(Exception):
    """A request that is not as the protocol has it; the message says what is wrong."""


class AnsweringKernel(Kernel):
    """A kernel that leaves no request without a reply, and that has no comms. Its streams are Channels."""

    shell_stream = traitlets.Any()
    control_stream = traitlets.Any()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shell_handlers = Handlers(self, {**self.shell_handlers, "comm_open": self.comm_open})
        self.control_handlers = Handlers(self, self.control_handlers)

    async def comm_open(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Nobody here knows what the comm is for, so it is closed at once."""
        content = {"comm_id": parent["content"]["comm_id"], "data": {}}
        self.send_response(self.iopub_socket, "comm_close", content)

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
            if kind in SUBSHELLS:
                raise BadRequestError("This kernel has no subshells")
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


def _check(kind: str, parent: dict[str, Any]) -> None:
    """Raises BadRequestError for a request that lacks something or holds what means nothing.

    What may be missing and is null counts as missing.
    """
    content = parent["content"]
    if not isinstance(content, dict):
        raise BadRequestError(f"The content of {kind} is no object")
    if not isinstance(parent["metadata"], dict):
        parent["metadata"] = {}
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
