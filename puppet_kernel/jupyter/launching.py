"""The start of a kernel: its sockets, its threads, and the loop until a shutdown."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from itertools import count
from pathlib import Path
from typing import Any

import zmq

from puppet_kernel import process
from puppet_kernel.cli.options import parse
from puppet_kernel.cli.session_options import read_session_settings
from puppet_kernel.jupyter.channels import Channel, KernelSession, parse_subscription
from puppet_kernel.jupyter.ipykernel_imports import (
    ControlThread,
    Heartbeat,
    IOLoop,
    ParentPollerUnix,
)
from puppet_kernel.jupyter.kernel import PuppetKernel

# The number of files that a kernel has open at the same time, most of them sockets: 38 with one client. If no file is
# available, ZeroMQ waits for ever.
OPEN_FILES = 64
LINGER = 1000  # milliseconds in which messages may still be sent before a socket is closed
# How long the kernel waits for the first front end to subscribe to outputs before it sends any reply. A front end
# connects its channels in any order as it finds them open, and may request a cell before it can receive outputs.
SUBSCRIPTION_SECONDS = 0.25
# The type of the socket of each channel; the heartbeat has a thread and a context of its own.
CHANNELS = {"shell": zmq.ROUTER, "stdin": zmq.ROUTER, "control": zmq.ROUTER, "iopub": zmq.XPUB}
DEFAULTS = {"transport": "tcp", "ip": "127.0.0.1", "signature_scheme": "hmac-sha256"}


def launch(arguments: list[str]) -> int:
    """Start the kernel for `-f CONNECTION_FILE [OPTION …]`; return 0 after its shutdown."""
    index = arguments.index("-f")
    options = parse(arguments[:index] + arguments[index + 2 :])
    process.reserve_open_files(OPEN_FILES)
    process.save_address_space()
    PuppetKernel.settings = read_session_settings(options)
    connection = Connection(arguments[index + 1] if index + 1 < len(arguments) else "")
    try:
        asyncio.set_event_loop(asyncio.new_event_loop())
        process.freeze_loaded_modules()
        KernelServer(connection).serve()
    finally:
        connection.remove()
    return 0


class Connection:
    """The addresses and the key of a connection file, which is written if it does not exist.

    Attributes:
        path: The connection file.
        settings: The content of the connection file.
        transport: "tcp" or "ipc".
        ip: The address, or for "ipc" the prefix of a path.
        curve: The keys for encrypted sockets, as keyword arguments; each is None without encryption.
    """

    def __init__(self, name: str) -> None:
        self.path = _find_connection_file(name)
        self._is_own = not self.path.exists()
        self.settings: dict[str, Any] = (
            {**DEFAULTS, "key": os.urandom(16).hex()}
            if self._is_own
            else json.loads(self.path.read_text(encoding="utf-8"))
        )
        self.transport = str(self.settings.get("transport", DEFAULTS["transport"]))
        self.ip = str(self.settings.get("ip", DEFAULTS["ip"]))
        self.curve = {
            "curve_publickey": _encode(self.settings.get("curve_publickey")),
            "curve_secretkey": _encode(self.settings.get("curve_secretkey")),
        }

    def get_port(self, channel: str) -> int:
        """Return the port of a channel; 0 for any free port."""
        return int(self.settings.get(f"{channel}_port") or 0)

    def bind(self, channel: str, socket: Any) -> None:
        """Bind the socket of a channel."""
        socket.linger = LINGER
        if self.curve["curve_secretkey"] is not None:
            socket.curve_secretkey = self.curve["curve_secretkey"]
            socket.curve_publickey = self.curve["curve_publickey"]
            socket.curve_server = True
        address, port = f"{self.transport}://{self.ip}", self.get_port(channel)
        if self.transport == "ipc":
            port = port or next(number for number in count(1) if not Path(f"{self.ip}-{number}").exists())
            socket.bind(f"{address}-{port}")
        elif port:
            socket.bind(f"{address}:{port}")
        else:
            port = socket.bind_to_random_port(address)
        self.settings[f"{channel}_port"] = port

    def write(self, before: dict[str, Any]) -> None:
        """Write the connection file if it is new, or its content differs from that before."""
        if self._is_own:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._is_own or self.settings != before:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(self.settings, file, indent=2)

    def remove(self) -> None:
        """Remove a connection file that was created here."""
        if self._is_own:
            self.path.unlink(missing_ok=True)


class KernelServer:
    """The kernel with its sockets and threads."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.context: Any = zmq.Context()
        before = dict(connection.settings)
        self.sockets = {name: self.context.socket(kind) for name, kind in CHANNELS.items()}
        for name, socket in self.sockets.items():
            if CHANNELS[name] == zmq.ROUTER:
                socket.router_handover = 1  # a front end that reconnects replaces its former connection
            connection.bind(name, socket)
        address = connection.transport, connection.ip, connection.get_port("hb")
        self.heartbeat = Heartbeat(zmq.Context(), address, **connection.curve)
        connection.settings["hb_port"] = self.heartbeat.port
        connection.write(before)
        settings = connection.settings
        self.session = KernelSession(
            key=str(settings.get("key", "")).encode(),
            signature_scheme=str(settings.get("signature_scheme", DEFAULTS["signature_scheme"])),
            username="kernel",
        )
        self.control = ControlThread(daemon=True)
        self.loop = IOLoop.current()
        self._has_started = False
        self.iopub: Any = Channel(self.sockets["iopub"], self.control.io_loop)
        self.kernel = self._make_kernel()

    def _make_kernel(self) -> PuppetKernel:
        """Return the kernel, with channels on the sockets."""
        kernel = PuppetKernel.instance(
            session=self.session,
            ident=self.session.session,
            control_stream=Channel(self.sockets["control"], self.control.io_loop),
            shell_stream=Channel(self.sockets["shell"], self.loop),
            control_thread=self.control,
            iopub_socket=self.iopub,
            stdin_socket=self.sockets["stdin"],
            log=logging.getLogger("puppet_kernel"),
        )
        settings = self.connection.settings
        kernel.record_ports({name: settings[name] for name in settings if name.endswith("_port")})
        return kernel

    def serve(self) -> None:
        """Serve until somebody shuts the kernel down, or the process that started it is gone."""
        parent = int(os.environ.get("JPY_PARENT_PID") or 0)
        if parent > 1 and sys.platform != "win32":
            ParentPollerUnix(parent_pid=parent).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the kernel starts and sets its own handler
        for thread in (self.heartbeat, self.control):
            thread.start()
        self.loop.call_later(SUBSCRIPTION_SECONDS, self._start_kernel)
        self.iopub.on_recv(self._welcome)
        try:
            self.loop.start()
        finally:
            self._close()

    def _start_kernel(self) -> None:
        """Start to answer requests, once."""
        if not self._has_started:
            self._has_started = True
            self.kernel.start()

    def _welcome(self, frames: list[Any]) -> None:
        """Confirm a subscription: from now on the subscriber receives all messages."""
        topic = parse_subscription(frames)
        if topic is not None:
            self.loop.add_callback(self._start_kernel)
            content = {"subscription": topic.decode("utf-8", "replace")}
            self.session.send(self.iopub, "iopub_welcome", content, ident=topic or None)

    def _close(self) -> None:
        """Stop the threads and close the sockets."""
        self.heartbeat.context.term()
        self.kernel.subshells.close()
        self.control.stop()
        self.control.join()
        for socket in self.sockets.values():
            socket.close()
        self.context.term()


def _find_connection_file(name: str) -> Path:
    """Return the connection file of a name: as it is, or in Jupyter's runtime directory."""
    path = Path(name or f"kernel-{os.getpid()}.json")
    if path.exists() or path.parent != Path():
        return path
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(jupyter_runtime_dir()) / path


def _encode(key: Any) -> bytes | None:
    return key.encode() if isinstance(key, str) else None
