"""A server process, requests to it, and cells that run in a kernel of it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from tornado.httpclient import HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

from puppet_kernel.jupyter.installing import install

TIMEOUT = 600
NOT_YET = (404, 424, 503)  # The status of a proxy before its server has started.


@contextmanager
def run_server(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in a folder with the kernels of this Python; end it and its processes afterwards."""
    install([f"--prefix={folder}"])
    environment = {**os.environ, "JUPYTER_PATH": str(folder / "share" / "jupyter")}
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        yield server
    except BaseException:
        print((folder / "log").read_text(errors="replace")[-3000:])
        raise
    finally:
        processes = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
        for process in processes:
            process.terminate()
        for process in psutil.wait_procs(processes, 10)[1]:
            process.kill()


def request_json(url: str, token: str = "", method: str = "GET", body: Any = None) -> Any:
    """Return the JSON of the response to a request, which is repeated until the server has started."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method)
    if token:
        request.add_header("Authorization", f"token {token}")
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return json.loads(response.read() or "null")
        except (urllib.error.URLError, ConnectionError) as problem:
            is_starting = not isinstance(problem, urllib.error.HTTPError) or problem.code in NOT_YET
            if not is_starting or time.monotonic() > end:
                raise
            time.sleep(0.5)


def run_cell(base: str, kernel: str, code: str, token: str = "") -> str:
    """Run a cell in a kernel of a server, and return its output."""
    return str(IOLoop().run_sync(lambda: _run_cell(base, kernel, code, token), timeout=TIMEOUT))


async def _run_cell(base: str, kernel: str, code: str, token: str) -> str:
    url = f"{base.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels"
    headers = {"Authorization": f"token {token}"} if token else {}
    socket = await websocket_connect(HTTPRequest(url, headers=headers, request_timeout=TIMEOUT))
    header = {
        "msg_id": uuid.uuid4().hex,
        "msg_type": "execute_request",
        "username": "",
        "session": uuid.uuid4().hex,
    }
    content = {"code": code, "silent": False, "store_history": False, "user_expressions": {}}
    message = {
        "header": {**header, "version": "5.4"},
        "parent_header": {},
        "metadata": {},
        "content": content,
    }
    await socket.write_message(json.dumps({**message, "channel": "shell", "buffers": []}))
    while True:
        text = await socket.read_message()
        if text is None:
            raise ConnectionError("the kernel is gone")
        reply = json.loads(text)
        if (
            reply["msg_type"] in ("execute_result", "error")
            and reply["parent_header"]["msg_id"] == header["msg_id"]
        ):
            socket.close()
            return str(reply["content"].get("data", {}).get("text/plain", reply["content"]))


def list_kernels(server: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the kernels that a server, or another server that it started, has started."""
    children = psutil.Process(server.pid).children(recursive=True)
    return [
        process
        for process in children
        if "puppet_kernel" in process.cmdline() and "kernel" in process.cmdline()
    ]


def print_memory(server: subprocess.Popen[bytes]) -> None:
    """Print the memory of a kernel on average, with shared pages divided among the kernels."""
    sizes = [kernel.memory_full_info().pss / 1e6 for kernel in list_kernels(server)]
    print(f"{len(sizes)} kernels, {sum(sizes) / len(sizes):.1f} MB each (PSS)")


def make_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder for the files of a server."""
    return tempfile.TemporaryDirectory(prefix="puppet-kernel-", ignore_cleanup_errors=True)
