"""Channels: every thread sends, one loop reads, and nothing that has come is overlooked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from tornado.ioloop import IOLoop

from puppet_kernel.jupyter.channels import Channel, parse_subscription

THREADS, MESSAGES = 4, 200


@pytest.fixture
def sockets() -> Iterator[tuple[zmq.Socket[bytes], zmq.Socket[bytes]]]:
    """Two sockets that are connected."""
    with zmq.Context() as context, context.socket(zmq.PAIR) as one, context.socket(zmq.PAIR) as other:
        one.bind("inproc://channel")
        other.connect("inproc://channel")
        one.rcvtimeo = other.rcvtimeo = 5000
        yield one, other


def test_messages_of_many_threads_stay_whole(sockets: tuple[zmq.Socket[bytes], zmq.Socket[bytes]]) -> None:
    async def work() -> list[list[bytes]]:
        channel = Channel(sockets[0], IOLoop.current())

        def send(name: bytes) -> None:
            for number in range(MESSAGES):
                channel.send_multipart([name, b"%d" % number, name])

        threads = [threading.Thread(target=send, args=(b"%d" % number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        found = [sockets[1].recv_multipart() for _ in range(THREADS * MESSAGES)]
        for thread in threads:
            thread.join()
        return found

    found = asyncio.run(work())
    assert all(first == last for first, _, last in found)
    for name in (b"%d" % number for number in range(THREADS)):
        assert [int(number) for first, number, _ in found if first == name] == list(range(MESSAGES))


def test_what_comes_while_another_thread_sends_is_read(
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


def test_who_subscribes_to_something_new_is_welcomed(client: BlockingKernelClient) -> None:
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.rcvtimeo, socket.linger = 10_000, 0
        socket.connect(f"tcp://{client.ip}:{client.iopub_port}")
        socket.subscribe(b"mine")
        topic, *_, content = socket.recv_multipart()
    assert topic == b"mine" and json.loads(content) == {"subscription": "mine"}


def test_the_end_of_a_subscription_is_none() -> None:
    assert parse_subscription([zmq.Frame(b"\x01status")]) == b"status"
    assert parse_subscription([zmq.Frame(b"\x00status")]) is None
