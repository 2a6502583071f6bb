"""Kernels of this checkout, clients of them, and cells that run in them."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[2]
TIMEOUT = 60  # seconds; only a test that fails takes so long
OUTPUT_TYPES = ("display_data", "execute_result", "stream", "error")
KernelAndClient = tuple[KernelManager, BlockingKernelClient]


def make_manager(name: str = "puppet") -> KernelManager:
    """Return a manager for a kernel by the name of its specification in this checkout."""
    specs = KernelSpecManager(kernel_dirs=[str(ROOT / "puppet_kernel" / "kernelspecs")])
    return KernelManager(kernel_name=name, kernel_spec_manager=specs)


def start_kernel(
    name: str = "puppet",
    state: str | Path | None = None,
    folder: str | Path = ROOT,
    log: IO[str] | None = None,
) -> KernelAndClient:
    """Start a kernel, and return its manager and a client once it is ready.

    Args:
        name: The name of its specification.
        state: The folder of its history, by default a new one.
        folder: Its working directory.
        log: The file for its standard error, by default that of the tests.
    """
    kernel = make_manager(name)
    if state is None:
        state = tempfile.mkdtemp(prefix="puppet-kernel-state-")
        atexit.register(shutil.rmtree, state, ignore_errors=True)
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": str(state)}
    kernel.start_kernel(env=environment, cwd=str(folder), stderr=log)
    client = kernel.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=30)
    return kernel, client


@contextmanager
def open_kernel(name: str = "puppet", **options: Any) -> Iterator[KernelAndClient]:
    """Start a kernel, yield its manager and a client, and shut it down afterwards.

    Args:
        name: The name of its specification.
        options: Other arguments of `start_kernel`.
    """
    kernel, client = start_kernel(name, **options)
    try:
        yield kernel, client
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def make_environment(folder: Path) -> dict[str, str]:
    """Return environment variables with which a command finds the kernels of this checkout.

    Args:
        folder: The folder in which the command stores its files.
    """
    data = folder / "share" / "jupyter"
    data.mkdir(parents=True, exist_ok=True)
    if not (data / "kernels").exists():
        (data / "kernels").symlink_to(ROOT / "puppet_kernel" / "kernelspecs")
    return {
        **os.environ,
        "JUPYTER_PATH": str(data),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PYTHONWARNINGS": "ignore",
        "XDG_STATE_HOME": str(folder),
    }


def run_module(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python as a command in a folder, with the kernels of this checkout."""
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=make_environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


class Execution:
    """The reply to an execution and the messages that it caused."""

    def __init__(self, reply: dict[str, Any], messages: list[dict[str, Any]]) -> None:
        self.reply = reply
        self.messages = messages

    def get_contents(self, kind: str) -> list[dict[str, Any]]:
        """Return the contents of the messages of a type."""
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    def join_stream(self, name: str) -> str:
        """Return the text of a stream, `stdout` or `stderr`."""
        return "".join(content["text"] for content in self.get_contents("stream") if content["name"] == name)

    @property
    def text(self) -> str:
        """The first output below the cell as plain text."""
        outputs = self.get_contents("execute_result") + self.get_contents("display_data")
        return outputs[0]["data"]["text/plain"] if outputs else ""


def send_code(
    client: BlockingKernelClient, code: str, metadata: dict[str, Any] | None = None, **options: Any
) -> str:
    """Send a request that runs code, and return its identity.

    Args:
        options: Other fields of the request.
    """
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": True,
    }
    request = client.session.msg("execute_request", content | options, metadata=metadata or {})
    client.shell_channel.send(request)
    return str(request["header"]["msg_id"])


def execute(
    client: BlockingKernelClient,
    code: str,
    metadata: dict[str, Any] | None = None,
    on_stream: Callable[[], object] = lambda: None,
    **options: Any,
) -> Execution:
    """Run code and wait until the kernel is idle.

    Args:
        on_stream: A function that is called after each message of a stream.
        options: Other fields of the request.
    """
    identity = send_code(client, code, metadata, **options)
    messages = []
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["parent_header"].get("msg_id") != identity:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            break
        messages.append(message)
        if message["msg_type"] == "stream":
            on_stream()
    return Execution(receive_reply(client, identity)["content"], messages)


def get_reply(client: BlockingKernelClient, kind: str, **content: Any) -> dict[str, Any]:
    """Send a request on the shell channel, and return the content of the reply."""
    return send_and_wait(client, client.session.msg(kind, content))["content"]


def send_and_wait(client: BlockingKernelClient, request: dict[str, Any]) -> dict[str, Any]:
    """Send a request on the shell channel, and return the reply."""
    client.shell_channel.send(request)
    return receive_reply(client, request["header"]["msg_id"])


def receive_reply(client: BlockingKernelClient, identity: str) -> dict[str, Any]:
    """Return the reply to a request, the next one on the shell channel; skip others."""
    while True:
        reply: dict[str, Any] = client.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == identity:
            return reply


def wait_for_signals(client: BlockingKernelClient) -> None:
    """Wait until the kernel has handled every signal, so that none interrupts the next cell."""
    get_reply(client, "kernel_info_request")


class Outputs:
    """The outputs of cells as a front end displays them, including updates by other cells.

    Attributes:
        by_cell: The contents of the messages that each cell displays.
    """

    def __init__(self) -> None:
        self.by_cell: dict[str, list[Any]] = {}

    def apply(self, name: str, message: dict[str, Any]) -> None:
        """Apply a message that the execution of a cell caused."""
        kind, content, outputs = message["msg_type"], message["content"], self.by_cell[name]
        if kind == "clear_output":
            outputs.clear()
        elif kind == "update_display_data":
            for others in self.by_cell.values():
                for index, output in enumerate(others):
                    if output.get("transient") == content["transient"]:
                        others[index] = content
        elif kind == "stream" and outputs and outputs[-1].get("name") == content["name"]:
            outputs[-1] = {**content, "text": outputs[-1]["text"] + content["text"]}
        elif kind in OUTPUT_TYPES:
            outputs.append(content)

    def render(self, name: str) -> str:
        """Return the output of a cell without cell numbers, which increase, and times."""
        text = json.dumps(self.by_cell[name], ensure_ascii=False)
        text = re.sub(r"\[\d+\]|before \[\d+\]|\[<[^>]*>\d+<[^>]*>\]", "[n]", text)
        return re.sub(r" *[\d,]+(\\*\.\d+)? (s|ms|µs)\b *", " ", text)
