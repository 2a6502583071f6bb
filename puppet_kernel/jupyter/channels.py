"""Sockets that every thread may send on at once, so that no message waits for a thread of its own to send it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from inspect import isawaitable
from typing import Any

import zmq
from tornado.ioloop import IOLoop

SUBSCRIBED = 1  # begins the message that tells of a new subscription
_MORE, _LAST, _EVENTS, _READABLE = int(zmq.SNDMORE), 0, int(zmq.EVENTS), int(zmq.POLLIN)

Receive = Callable[[list[Any]], Any]


class Channel:
    """A socket with what a kernel asks of a stream: one loop reads it, every thread sends on it.

    A socket of ZeroMQ may be used by several threads as long as only one does so at a time. Its descriptor tells of
    news once, which whoever uses the socket may take away: so it is asked for more after each use.

    io_loop  the loop that reads; another one can take over, see `read_in`
    """

    def __init__(self, socket: Any, io_loop: IOLoop) -> None:
        self.socket = socket
        self.io_loop = io_loop
        self._lock = threading.Lock()
        self._receive: Receive | None = None
        self._reader = 0  # the thread of the loop
        self._tasks: set[Any] = set()  # which nobody else holds

    def on_recv(self, receive: Receive, copy: bool = False) -> None:
        """Begins to read: `receive` is called with the frames of each message, and awaited by the loop."""
        self._receive = receive
        self.io_loop.add_callback(self._listen)

    def read_in(self, io_loop: IOLoop, receive: Receive) -> None:
        """From now on another loop reads, and calls `receive`; the one before reads no further message."""
        with self._lock:
            former, self.io_loop = self.io_loop, io_loop
            self._receive, self._reader = receive, 0
        former.add_callback(self._leave)
        io_loop.add_callback(self._listen)

    def _leave(self) -> None:
        with self._lock:
            if IOLoop.current() is self.io_loop:
                return  # it has taken over again
        asyncio.get_running_loop().remove_reader(self.socket.FD)

    def _listen(self) -> None:
        with self._lock:
            if IOLoop.current() is not self.io_loop:
                return  # another one has taken over since
            self._reader = threading.get_ident()
        asyncio.get_running_loop().add_reader(self.socket.FD, self.flush)
        self.flush()

    def flush(self, flag: int = 0) -> None:
        """Reads what has come; what is sent never waits."""
        if threading.get_ident() != self._reader:
            self.io_loop.add_callback(self.flush)
            return
        receive = self._receive
        while receive is not None and (frames := self._received()) is not None:
            result = receive(frames)
            if isawaitable(result):
                task = asyncio.ensure_future(result)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _received(self) -> list[Any] | None:
        """The frames of the next message; None when there is none, no socket any more, or another reader."""
        with self._lock:
            try:
                if threading.get_ident() == self._reader and self.socket.getsockopt(_EVENTS) & _READABLE:
                    found: list[Any] = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
                    return found
            except zmq.ZMQError:
                pass
        return None

    def send_multipart(self, parts: Sequence[bytes], copy: bool = True, **options: Any) -> None:
        """Sends a message, at once."""
        send, last = self.socket.send, len(parts) - 1
        with self._lock:
            for place, part in enumerate(parts):
                send(part, _LAST if place == last else _MORE, copy=copy)
            more = self.socket.getsockopt(_EVENTS) & _READABLE
        if more:
            self.io_loop.add_callback(self.flush)


def subscription(frames: Sequence[Any]) -> bytes | None:
    """The topic that somebody has subscribed to; None when the message tells something else."""
    told = bytes(frames[0].buffer)
    return told[1:] if told[:1] == bytes([SUBSCRIBED]) else None
