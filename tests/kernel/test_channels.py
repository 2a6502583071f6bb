"""Channels: any thread sends, one event loop reads, and no message is lost."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.session import Session
from tornado.ioloop import IOLoop

from puppet_kernel.jupyter.channels import Channel, KernelSession, parse_subscription

THREADS, MESSAGES = 4, 200


@pytest.fixture
def sockets() -> Iterator[tuple[zmq.Socket[bytes], zmq.Socket[bytes]]]:
    """Yield two connected sockets."""
    with zmq.Context() as context, context.socket(zmq.PAIR) as one, context.socket(zmq.PAIR) as other:
        one.bind("inproc://channel")
        other.connect("inproc://channel")
        one.rcvtimeo = other.rcvtimeo = 5000
        yield one, other


def test_messages_of_many_threads_are_not_mixed(sockets: tuple[zmq.Socket[bytes], zmq.Socket[bytes]]) -> None:
    async def work() -> list[list[bytes]]:
        channel = Channel(sockets[0], IOLoop.current())

        def send(name: bytes) -> None:
            for number in range(MESSAGES):
                channel.send_multipart([name, b"%d" % number, name])

        threads = [threading.Thread(target=send, args=(b"%d" % number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        received = [sockets[1].recv_multipart() for _ in range(THREADS * MESSAGES)]
        for thread in threads:
            thread.join()
        return received

    received = asyncio.run(work())
    assert all(first == last for first, _, last in received)
    for name in (b"%d" % number for number in range(THREADS)):
        assert [int(number) for first, number, _ in received if first == name] == list(range(MESSAGES))


def test_messages_that_arrive_while_another_thread_sends_are_read(
    sockets: tuple[zmq.Socket[bytes], zmq.Socket[bytes]],
) -> None:
    async def work() -> int:
        channel, read, all_read = Channel(sockets[0], IOLoop.current()), 0, asyncio.Event()

        async def receive(frames: list[zmq.Frame]) -> None:
            nonlocal read
            read += len(frames)
            if read == MESSAGES:
                all_read.set()

        channel.on_recv(receive)

        def exchange() -> None:
            for _ in range(MESSAGES):
                sockets[1].send(b"question")
                channel.send_multipart([b"answer"])

        thread = threading.Thread(target=exchange)
        thread.start()
        await asyncio.wait_for(all_read.wait(), 5)
        thread.join()
        return read

    assert asyncio.run(work()) == MESSAGES


def test_a_new_subscription_is_confirmed(client: BlockingKernelClient) -> None:
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.rcvtimeo, socket.linger = 10_000, 0
        socket.connect(f"tcp://{client.ip}:{client.iopub_port}")
        socket.subscribe(b"mine")
        topic, *_, content = socket.recv_multipart()
    assert topic == b"mine" and json.loads(content) == {"subscription": "mine"}


def test_the_end_of_a_subscription_is_not_parsed_as_a_subscription() -> None:
    assert parse_subscription([zmq.Frame(b"\x01status")]) == b"status"
    assert parse_subscription([zmq.Frame(b"\x00status")]) is None


HEADERS: list[dict[str, object]] = [
    {"date": "2026-02-03T04:05:06.789Z"},
    {"date": "2026-02-03T04:05:06+02:00"},
    {"date": "no date"},
    {"date": None},
    {"version": "4.1", "msg_type": "object_info_request"},
]


def sign_message(key: bytes, header: dict[str, object]) -> list[bytes]:
    """Return the frames of a signed message as a front end sends it."""
    front_end = Session(key=key)
    message = front_end.msg(
        "execute_request", {"code": "1", "oname": "a", "detail_level": 0}, metadata={"cellId": "x"}
    )
    message["header"] |= header
    return [*front_end.serialize(message)[1:], b"buffer"]


@pytest.mark.parametrize("header", HEADERS, ids=str)
@pytest.mark.parametrize("key", [b"secret", b""])
def test_a_message_is_read_as_jupyter_client_reads_it(key: bytes, header: dict[str, object]) -> None:
    frames = sign_message(key, header)
    expected = Session(key=key).deserialize(list(frames))
    assert KernelSession(key=key).deserialize(frames) == expected
    assert KernelSession(key=key).deserialize([zmq.Frame(part) for part in frames], copy=False) == expected


def test_a_message_is_read_once_and_only_with_its_signature() -> None:
    session, frames = KernelSession(key=b"secret"), sign_message(b"secret", {})
    # To deserialize it without its content does not count as reading.
    assert session.deserialize(frames, content=False)["content"] == frames[4]
    session.deserialize(frames)
    for wrong in (
        frames,
        sign_message(b"another key", {}),
        [b"", *frames[1:]],
        [*frames[:4], b'{"code": "2"}'],
        frames[:4],
    ):
        with pytest.raises((ValueError, TypeError)):
            session.deserialize(wrong)
