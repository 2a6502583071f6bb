"""A kernel that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_core.utils import ensure_event_loop
from kernels import start


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    """A client of a kernel that the tests of a module share."""
    kernel, connected = start()
    yield connected
    connected.stop_channels()
    kernel.shutdown_kernel(now=True)


@pytest.fixture(scope="session", autouse=True)
def event_loop() -> Iterator[None]:
    """The client's event loop, which nobody else closes."""
    loop = ensure_event_loop()
    yield
    loop.close()
