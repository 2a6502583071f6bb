"""The common parts of the scripts: a server process, requests to it, and a cell that runs in a kernel behind it."""

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
NOT_YET = (404, 424, 503)  # what a proxy says of what has not started


@contextmanager
def serving(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a folder, which knows the kernels of this Python; it and all that it started end with the block."""
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
        started = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
        for process in started:
            process.terminate()
        for process in psutil.wait_procs(started, 10)[1]:
            process.kill()


def asked(url: str, token: str = "", method: str = "GET", body: Any = None) -> Any:
    """The answer to a request, as JSON has it; asks again while nobody listens yet."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method)
    if token:
        request.add_header("Authorization", f"token {token}")
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.loads(answer.read() or "null")
        except (urllib.error.URLError, ConnectionError) as problem:
            waits = not isinstance(problem, urllib.error.HTTPError) or problem.code in NOT_YET
            if not waits or time.monotonic() > end:
                raise
            time.sleep(0.5)


def shown(base: str, kernel: str, code: str, token: str = "") -> str:
    """Return the output of a cell in a kernel of a server, through its socket for the browser."""
    return str(IOLoop().run_sync(lambda: _shown(base, kernel, code, token), timeout=TIMEOUT))


async def _shown(base: str, kernel: str, code: str, token: str) -> str:
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
        found = json.loads(text)
        if (
            found["msg_type"] in ("execute_result", "error")
            and found["parent_header"]["msg_id"] == header["msg_id"]
        ):
            socket.close()
            return str(found["content"].get("data", {}).get("text/plain", found["content"]))


def kernels(server: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The kernels that a server, or one of those that it started, has started."""
    below = psutil.Process(server.pid).children(recursive=True)
    return [one for one in below if "puppet_kernel" in one.cmdline() and "kernel" in one.cmdline()]


def report(server: subprocess.Popen[bytes]) -> None:
    """Prints how much memory a kernel takes, what it shares with others divided among them."""
    sizes = [one.memory_full_info().pss / 1e6 for one in kernels(server)]
    print(f"{len(sizes)} kernels, {sum(sizes) / len(sizes):.1f} MB each (PSS)")


def folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for what a server keeps."""
    return tempfile.TemporaryDirectory(prefix="puppet-kernel-", ignore_cleanup_errors=True)
