"""Starting the kernel: sockets, threads and the loop that serves them until a front end shuts the kernel down."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zmq
from jupyter_core.paths import jupyter_runtime_dir
from tornado.ioloop import IOLoop

from puppet_kernel.cli.options import parse
from puppet_kernel.cli.session_options import read_session_settings
from puppet_kernel.jupyter.channels import Channel, subscription
from puppet_kernel.jupyter.kernel import PuppetKernel
from puppet_kernel.jupyter.parts import (
    ControlThread,
    Heartbeat,
    ParentPollerUnix,
    Session,
    json_default,
)

LINGER = 1000  # milliseconds in which what was sent may leave before a socket is closed
# How long the first front end may take to subscribe to what is shown, before it is answered at all: it connects each of
# its channels when it finds it open, in any order, and may ask for a cell whose outputs would reach nobody.
ALONE_SECONDS = 0.25
# channel -> type of its socket; the heartbeat has a thread and a context of its own
CHANNELS = {"shell": zmq.ROUTER, "stdin": zmq.ROUTER, "control": zmq.ROUTER, "iopub": zmq.XPUB}
FRESH = {"transport": "tcp", "ip": "127.0.0.1", "signature_scheme": "hmac-sha256"}


def launch(arguments: list[str]) -> int:
    """Starts the kernel for `-f CONNECTION_FILE [--dialect NAME]` and serves until it is shut down."""
    place = arguments.index("-f")
    options = parse(arguments[:place] + arguments[place + 2 :])
    PuppetKernel.settings = read_session_settings(options)
    connection = Connection(arguments[place + 1] if place + 1 < len(arguments) else "")
    try:
        asyncio.set_event_loop(asyncio.new_event_loop())
        Server(connection).serve()
    finally:
        connection.forget()
    return 0


class Connection:
    """Where a front end finds the kernel, and the key that both sign with; read from a file, or made and written."""

    def __init__(self, name: str) -> None:
        self.path = _found(name)
        self._is_own = not self.path.exists()
        self.told: dict[str, Any] = {}
        if self._is_own:
            self.told = {**FRESH, "key": os.urandom(16).hex()}
        else:
            self.told = json.loads(self.path.read_text(encoding="utf-8"))
        self.transport, self.ip = (
            str(self.told.get("transport", "tcp")),
            str(self.told.get("ip", "127.0.0.1")),
        )
        self.curve = {
            "curve_publickey": _bytes(self.told.get("curve_publickey")),
            "curve_secretkey": _bytes(self.told.get("curve_secretkey")),
        }

    def port(self, channel: str) -> int:
        """The port of a channel; 0 for any."""
        return int(self.told.get(f"{channel}_port") or 0)

    def bind(self, channel: str, socket: Any) -> None:
        """Lets the socket of a channel listen."""
        socket.linger = LINGER
        if self.curve["curve_secretkey"] is not None:
            socket.curve_secretkey = self.curve["curve_secretkey"]
            socket.curve_publickey = self.curve["curve_publickey"]
            socket.curve_server = True
        place, port = f"{self.transport}://{self.ip}", self.port(channel)
        if self.transport == "ipc":
            port = port or self._free()
            socket.bind(f"{place}-{port}")
        elif port:
            socket.bind(f"{place}:{port}")
        else:
            port = socket.bind_to_random_port(place)
        self.told[f"{channel}_port"] = port

    def _free(self) -> int:
        """The first number that no socket in the file system has."""
        port = 1
        while Path(f"{self.ip}-{port}").exists():
            port += 1
        return port

    def write(self, before: dict[str, Any]) -> None:
        """Writes what was chosen here, when something was."""
        if self._is_own:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._is_own or self.told != before:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(self.told, file, indent=2)

    def forget(self) -> None:
        """Removes a file that was made here."""
        if self._is_own:
            self.path.unlink(missing_ok=True)


class Server:
    """The kernel with all that it listens on."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.context: Any = zmq.Context()
        before = dict(connection.told)
        self.sockets = {name: self.context.socket(kind) for name, kind in CHANNELS.items()}
        for name, socket in self.sockets.items():
            if CHANNELS[name] == zmq.ROUTER:
                socket.router_handover = 1  # a front end that comes again takes the place of what it was
            connection.bind(name, socket)
        address = connection.transport, connection.ip, connection.port("hb")
        self.heartbeat = Heartbeat(zmq.Context(), address, **connection.curve)
        connection.told["hb_port"] = self.heartbeat.port
        connection.write(before)
        told = connection.told
        self.session = Session(
            key=str(told.get("key", "")).encode(),
            signature_scheme=str(told.get("signature_scheme", FRESH["signature_scheme"])),
            username="kernel",
        )
        self.session.pack = Packer(self.session.session, self.session.pack)
        self.control = ControlThread(daemon=True)
        self.loop = IOLoop.current()
        self._has_begun = False
        self.iopub: Any = Channel(self.sockets["iopub"], self.control.io_loop)
        self.kernel = self._kernel()

    def _kernel(self) -> PuppetKernel:
        kernel = PuppetKernel.instance(
            session=self.session,
            control_stream=Channel(self.sockets["control"], self.control.io_loop),
            shell_stream=Channel(self.sockets["shell"], self.loop),
            control_thread=self.control,
            iopub_socket=self.iopub,
            stdin_socket=self.sockets["stdin"],
            log=logging.getLogger("puppet_kernel"),
        )
        told = self.connection.told
        kernel.record_ports({name: told[name] for name in told if name.endswith("_port")})
        return kernel

    def serve(self) -> None:
        """Answers until somebody shuts the kernel down, or the process is gone that started it."""
        parent = int(os.environ.get("JPY_PARENT_PID") or 0)
        if parent > 1 and sys.platform != "win32":
            ParentPollerUnix(parent_pid=parent).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for thread in (self.heartbeat, self.control):
            thread.start()
        self.loop.call_later(ALONE_SECONDS, self._begin)
        self.iopub.on_recv(self._welcome)
        try:
            self.loop.start()
        finally:
            self._close()

    def _begin(self) -> None:
        """Begins to answer, once."""
        if not self._has_begun:
            self._has_begun = True
            self.kernel.start()

    def _welcome(self, frames: list[Any]) -> None:
        """Tells who has subscribed that everything reaches him from now on."""
        topic = subscription(frames)
        if topic is not None:
            self.loop.add_callback(self._begin)
            content = {"subscription": topic.decode("utf-8", "replace")}
            self.session.send(self.iopub, "iopub_welcome", content, ident=topic or None)

    def _close(self) -> None:
        self.heartbeat.context.term()
        self.kernel.subshells.close()
        self.control.stop()
        self.control.join()
        for socket in self.sockets.values():
            socket.close()
        self.context.term()


class Packer:
    """Writes the parts of messages as JSON; the header that the answers to one request carry is written once.

    own    the identity of the kernel's own session, whose headers are all different
    plain  what packs anything, however strange
    """

    def __init__(self, own: str, plain: Callable[[Any], bytes]) -> None:
        self._own = own
        self._plain = plain
        self._encode = json.JSONEncoder(default=json_default, ensure_ascii=False, allow_nan=False).encode
        self._escaped = json.JSONEncoder(default=json_default, allow_nan=False).encode
        self._last: tuple[Any, bytes] = None, b""

    def __call__(self, part: Any) -> bytes:
        """A part of a message as bytes."""
        header, packed = self._last
        if part is header:
            return packed
        try:
            packed = self._encode(part).encode()
        except UnicodeEncodeError:  # half of a character, as JSON can name it and UTF-8 cannot
            packed = self._escaped(part).encode()
        except (TypeError, ValueError):
            return self._plain(part)
        if isinstance(part, dict) and "msg_id" in part and part.get("session") != self._own:
            self._last = part, packed
        return packed


def _found(name: str) -> Path:
    """The connection file of a name: as it is, or in the folder where Jupyter keeps them."""
    given = Path(name or f"kernel-{os.getpid()}.json")
    runtime = Path(jupyter_runtime_dir()) / given
    return given if given.exists() or given.parent != Path() else runtime


def _bytes(key: Any) -> bytes | None:
    return key.encode() if isinstance(key, str) else None
