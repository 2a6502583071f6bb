"""A kernel that the tests of a file share, and new sessions in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_core.utils import ensure_event_loop
from kernels import KernelAndClient, execute, open_kernel


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelAndClient]:
    """Yield the manager and a client of a kernel that the tests of a file share."""
    with open_kernel() as manager_and_client:
        yield manager_and_client


@pytest.fixture(scope="module")
def client(kernel: KernelAndClient) -> BlockingKernelClient:
    """Return the client of the shared kernel."""
    return kernel[1]


@pytest.fixture
def new_session(client: BlockingKernelClient) -> None:
    """Start a new session in the shared kernel."""
    execute(client, "%reset", store_history=False)


@pytest.fixture(scope="session", autouse=True)
def event_loop() -> Iterator[None]:
    """Close the event loop of the clients after all tests, as nothing else does."""
    loop = ensure_event_loop()
    yield
    loop.close()
