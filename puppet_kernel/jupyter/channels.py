"""The sockets of a kernel (`Channel`), and its messages as bytes (`KernelSession`).

Every thread may send on a channel, so that no message waits for another thread.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hmac import compare_digest
from inspect import isawaitable
from itertools import count
from typing import Any

import zmq

from puppet_kernel.jupyter.ipykernel_imports import (
    IOLoop,
    Session,
    adapt,
    json_default,
    protocol_version,
)
from puppet_kernel.jupyter.run_all import DELIMITER, read_date

SUBSCRIBED = 1  # the first byte of the message that reports a new subscription
_MORE, _LAST, _EVENTS, _READABLE = int(zmq.SNDMORE), 0, int(zmq.EVENTS), int(zmq.POLLIN)

# `zmq.Socket.send` examines options that nothing here uses: 0.9 µs instead of 0.4, for each of 40 frames of a cell.
_send: Any = zmq.backend.Socket.send  # Any: the declared overloads accept other kinds of messages

Receive = Callable[[list[Any]], Any]


class Channel:
    """A ZeroMQ socket that one event loop reads and every thread may send on.

    A socket may be used by several threads as long as only one uses it at a time. Its file descriptor signals new
    messages once, and any use of the socket may consume that signal; therefore the socket is polled after each use.

    Attributes:
        io_loop: The loop that reads the channel; `move_to_loop` replaces it.
    """

    def __init__(self, socket: Any, io_loop: IOLoop) -> None:
        self.socket = socket
        self.io_loop = io_loop
        self._lock = threading.Lock()
        self._receive: Receive | None = None
        self._reader = 0  # the thread of the loop
        self._tasks: set[Any] = set()  # holds the tasks, to which nothing else refers
        self.waiting: deque[list[Any]] = deque()  # the frames of messages that are not handled yet
        # The frames of messages that were read before the loop requested them.
        self._ahead: deque[list[Any]] = deque()

    def on_recv(self, receive: Receive, copy: bool = False) -> None:
        """Start to read: `receive` gets the frames of a message; the loop awaits its result."""
        self._receive = receive
        self.io_loop.add_callback(self._listen)

    def move_to_loop(self, io_loop: IOLoop, receive: Receive) -> None:
        """Let another loop read from now on and call `receive`; the former loop reads nothing."""
        with self._lock:
            former, self.io_loop = self.io_loop, io_loop
            self._receive, self._reader = receive, 0
        former.add_callback(self._stop_listening)
        io_loop.add_callback(self._listen)

    def _stop_listening(self) -> None:
        """Stop reading in the loop that runs, unless it has taken over again."""
        with self._lock:
            if IOLoop.current() is self.io_loop:
                return  # the loop has taken over again
        asyncio.get_running_loop().remove_reader(self.socket.FD)

    def _listen(self) -> None:
        """Read in the loop that runs, unless another one has taken over."""
        with self._lock:
            if IOLoop.current() is not self.io_loop:
                return  # another loop has taken over since
            self._reader = threading.get_ident()
        asyncio.get_running_loop().add_reader(self.socket.FD, self.flush)
        self.flush()

    def flush(self, flag: int = 0) -> None:
        """Read the messages that have arrived.

        The name and the flag are those of pyzmq's streams. These also send what waits; here such messages never wait.
        """
        if threading.get_ident() != self._reader:
            self.io_loop.add_callback(self.flush)
            return
        receive = self._receive
        while receive is not None and (frames := self._receive_frames()) is not None:
            self.waiting.append(frames)
            result = receive(frames)
            if isawaitable(result):
                task = asyncio.ensure_future(result)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def wait(self, seconds: float) -> bool:
        """Wait for a message; return True if one has arrived. Only for the thread that reads."""
        return threading.get_ident() == self._reader and bool(self.socket.poll(seconds * 1000, _READABLE))

    def read_ahead(self) -> list[list[Any]]:
        """Return the messages that the loop has not handled yet; any thread may call this."""
        with self._lock, suppress(zmq.ZMQError):
            while self.socket.getsockopt(_EVENTS) & _READABLE:
                self._ahead.append(self.socket.recv_multipart(zmq.NOBLOCK, copy=False))
        if self._ahead:
            self.io_loop.add_callback(self.flush)
        return [*self.waiting, *self._ahead]

    def take(self, frames: list[Any]) -> None:
        """Remove a message that is handled now, and those before it, from the waiting ones."""
        if any(waiting is frames for waiting in self.waiting):
            while self.waiting.popleft() is not frames:
                pass

    def _receive_frames(self) -> list[Any] | None:
        """Return the frames of the next message.

        None if there is none, the socket is closed, or another loop reads.
        """
        with self._lock:
            if threading.get_ident() == self._reader and self._ahead:
                return self._ahead.popleft()
            with suppress(zmq.ZMQError):
                if threading.get_ident() == self._reader and self.socket.getsockopt(_EVENTS) & _READABLE:
                    received: list[Any] = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
                    return received
        return None

    def send_multipart(self, parts: Sequence[bytes], copy: bool = True, **options: Any) -> None:
        """Send a message at once."""
        last = len(parts) - 1
        with self._lock:
            for index, part in enumerate(parts):
                _send(self.socket, part, _LAST if index == last else _MORE, copy)
            is_readable = self.socket.getsockopt(_EVENTS) & _READABLE
        if is_readable:
            self.io_loop.add_callback(self.flush)


def parse_subscription(frames: Sequence[Any]) -> bytes | None:
    """Return the topic of a subscription message; None for any other message."""
    frame = bytes(frames[0].buffer)
    return frame[1:] if frame[:1] == bytes([SUBSCRIBED]) else None


# --- messages as bytes


_VERSION = protocol_version.partition(".")[0] + "."
_PARTS = 5  # signature, header, parent header, metadata, content; buffers follow
_COPIED = 1 << 16  # bytes; longer messages are sent without a copy


def _encode_value(value: object) -> object:
    """Return a value that JSON lacks as one that it has: a date as text."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.isoformat().replace("+00:00", "Z")
    return json_default(value)  # loads libraries, which takes 25 ms


class KernelSession(Session):
    """A Session whose messages have the same content, made of prepared parts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._encode = json.JSONEncoder(default=_encode_value, ensure_ascii=False, allow_nan=False).encode
        self._encode_ascii = json.JSONEncoder(default=_encode_value, allow_nan=False).encode
        self._signer = self.auth
        self._parent: tuple[Any, bytes] = {}, b"{}"  # the header that replies share, and its bytes
        self._numbers = count()
        self._common = {"username": self.username, "session": self.session}

    def _check_packers(self) -> None:
        """Check nothing: what the base class packs as a test would load libraries for dates."""

    def send(
        self,
        stream: Any,
        msg_or_type: Any,
        content: Any = None,
        parent: Any = None,
        ident: Any = None,
        buffers: Any = None,
        track: bool = False,
        header: Any = None,
        metadata: Any = None,
    ) -> dict[str, Any] | None:
        """Send a message and return it; see `Session.send`, which takes twice as long."""
        if buffers or track:
            return super().send(stream, msg_or_type, content, parent, ident, buffers, track, header, metadata)
        message = (
            msg_or_type
            if isinstance(msg_or_type, dict)
            else self.msg(msg_or_type, content, parent, header, metadata)
        )
        frames = self.serialize(message, ident)
        stream.send_multipart(frames, copy=sum(map(len, frames)) < _COPIED)
        return message

    def msg_header(self, msg_type: str) -> dict[str, Any]:
        """Return the header of a new message."""
        identity = f"{self._common['session']}_{self.pid}_{next(self._numbers)}"
        return {
            "msg_id": identity,
            "msg_type": msg_type,
            **self._common,
            "date": datetime.now(UTC),
            "version": protocol_version,
        }

    def msg(
        self,
        msg_type: str,
        content: dict[str, Any] | None = None,
        parent: dict[str, Any] | None = None,
        header: dict[str, Any] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return a message as nested dictionaries; see `Session.msg`."""
        header = self.msg_header(msg_type) if header is None else header
        return {
            "header": header,
            "msg_id": header["msg_id"],
            "msg_type": header["msg_type"],
            "parent_header": (parent.get("header") or parent) if parent else {},
            "content": {} if content is None else content,
            "metadata": {} if metadata is None else metadata,
        }

    def serialize(self, msg: dict[str, Any], ident: list[bytes] | bytes | None = None) -> list[bytes]:
        """Return the frames of a message; see `Session.serialize`."""
        content = msg["content"]
        parts = (
            self._pack_header(msg["header"]),
            self._pack_parent(msg["parent_header"]),
            self._pack(msg["metadata"]) if msg["metadata"] else b"{}",
            content if isinstance(content, bytes) else self._pack(content),
        )
        idents = ident if isinstance(ident, list) else [] if ident is None else [ident]
        return [*idents, DELIMITER, self._sign(parts), *parts]

    def deserialize(self, msg_list: list[Any], content: bool = True, copy: bool = True) -> dict[str, Any]:
        """Return the message of frames; see `Session.deserialize`.

        Its dates need a library that takes 10 ms to load.

        Raises:
            ValueError: The signature of the message is wrong, or was used before.
            TypeError: It is not a message.
        """
        frames = [bytes(part if copy else part.buffer) for part in msg_list[:_PARTS]]
        if len(frames) < _PARTS:
            raise TypeError(f"A message has at least {_PARTS} parts")
        if self._signer is not None:
            self._check_signature(frames, is_final=content)
        header, parent, metadata = (json.loads(part.decode("utf-8", "replace")) for part in frames[1:4])
        header["date"] = read_date(header.get("date")) or header.get("date")
        message = {
            "header": header,
            "msg_id": header["msg_id"],
            "msg_type": header["msg_type"],
            "parent_header": parent,
            "metadata": metadata,
            "content": json.loads(frames[4].decode("utf-8", "replace")) if content else frames[4],
            "buffers": [memoryview(part if copy else part.buffer) for part in msg_list[_PARTS:]],
        }
        is_current = str(header.get("version")).startswith(_VERSION)
        adapted: dict[str, Any] = message if is_current else adapt(message)
        return adapted

    def _check_signature(self, frames: list[bytes], is_final: bool) -> None:
        """Raise ValueError unless a message is signed with our key, for the first time.

        Args:
            frames: The signature, and the frames that it signs.
            is_final: True if the message is handled now.
        """
        signature, *signed = frames
        if signature in self.digest_history:
            raise ValueError("A message was received twice")
        if is_final:
            self._add_digest(signature)
        if not compare_digest(signature, self._sign(signed)):
            raise ValueError("A message is not signed with the key of this kernel")

    def _sign(self, parts: Sequence[bytes]) -> bytes:
        """Return the signature of the parts of a message; nothing without a key."""
        if self._signer is None:
            return b""
        signer = self._signer.copy()
        signer.update(b"".join(parts))
        return bytes(signer.hexdigest().encode())

    def _pack_header(self, header: dict[str, Any]) -> bytes:
        """Return a header of our own; only the type of a reply can contain what JSON escapes."""
        values = header | {"date": _encode_value(header["date"])}
        if not header["msg_type"].isidentifier():
            return self._pack(values)
        return ("{" + ", ".join([f'"{name}": "{value}"' for name, value in values.items()]) + "}").encode()

    def _pack_parent(self, header: dict[str, Any]) -> bytes:
        """Return the header of a request, packed once for its replies; for any thread."""
        packed = self._parent
        if header is not packed[0]:
            packed = self._parent = header, self._pack(header)
        return packed[1]

    def _pack(self, part: Any) -> bytes:
        """Return a part of a message as JSON."""
        try:
            return self._encode(part).encode()
        except UnicodeEncodeError:  # a lone surrogate, which JSON can express and UTF-8 cannot
            return self._encode_ascii(part).encode()
        except (TypeError, ValueError):
            packed: bytes = self.pack(part)
            return packed
