"""Starting a kernel: what its connection file says, or one of its own; and what is not loaded for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import ROOT, environment, start

from puppet_kernel.__main__ import OPTIONAL, SELDOM

COMMAND = [sys.executable, "-m", "puppet_kernel", "kernel", "-f"]
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")


def answers(path: Path, process: subprocess.Popen[bytes]) -> None:
    """A client that reads the connection file has a cell run, then shuts the kernel down."""
    client = BlockingKernelClient(connection_file=str(path))
    client.load_connection_file()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        assert client.execute("1 + 1", reply=True, timeout=60)["content"]["status"] == "ok"
        assert client.is_alive()
        client.shutdown(reply=True, timeout=60)
    finally:
        client.stop_channels()
    assert process.wait(60) == 0


def connection(**told: Any) -> dict[str, Any]:
    return {"transport": "tcp", "ip": "127.0.0.1", "key": "secret", "signature_scheme": "hmac-sha256"} | told


CURVE = dict(
    zip(("curve_publickey", "curve_secretkey"), map(bytes.decode, zmq.curve_keypair()), strict=True)
    if zmq.has("curve")
    else ()
)


@pytest.mark.parametrize(
    "told",
    [
        connection(**dict.fromkeys(PORTS, 0)),
        connection(key=""),
        connection(transport="ipc", ip="socket"),
        connection(**CURVE),
    ],
    ids=["any ports", "no key", "ipc", "curve"],
)
def test_a_connection_file_is_completed(
    tmp_path: Path, told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the sockets of ipc are
    path = tmp_path / "connection.json"
    path.write_text(json.dumps(told))
    process = subprocess.Popen([*COMMAND, str(path)], cwd=tmp_path, env=environment(tmp_path))
    try:
        wait_for(lambda: all(json.loads(path.read_text() or "{}").get(port) for port in PORTS))
        answers(path, process)
    finally:
        process.kill()
        process.wait()
    assert path.exists()


def test_a_connection_file_that_is_missing_is_made_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "made" / "connection.json"
    process = subprocess.Popen([*COMMAND, str(path)], env=environment(tmp_path))
    try:
        wait_for(lambda: path.exists() and path.read_text().endswith("}"))
        assert path.stat().st_mode & 0o777 == 0o600
        assert json.loads(path.read_text())["key"]
        answers(path, process)
    finally:
        process.kill()
        process.wait()
    assert not path.exists()


def wait_for(condition: Any) -> None:
    """Waits until something is so."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_who_subscribes_after_asking_sees_what_the_cell_shows(tmp_path: Path) -> None:
    """A client connects its channels in any order; the kernel answers nobody before somebody can hear it all."""
    path = tmp_path / "connection.json"
    path.write_text(json.dumps(connection(**dict.fromkeys(PORTS, 0))))
    patient = "from puppet_kernel.jupyter import launching; launching.SUBSCRIPTION_SECONDS = 60"
    code = f"{patient}; raise SystemExit(launching.launch(['-f', {str(path)!r}]))"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment(tmp_path))
    client = BlockingKernelClient(connection_file=str(path))
    try:
        wait_for(lambda: all(json.loads(path.read_text() or "{}").get(port) for port in PORTS))
        client.load_connection_file()
        client.start_channels(iopub=False)
        client.execute("6 * 7")
        with pytest.raises(Empty):
            client.get_shell_msg(timeout=0.5)
        client.iopub_channel.start()
        assert client.get_shell_msg(timeout=60)["content"]["status"] == "ok"
        wait_for(lambda: client.get_iopub_msg(timeout=60)["msg_type"] == "execute_result")
    finally:
        client.stop_channels()
        process.kill()
        process.wait()


def test_a_kernel_whose_parent_is_gone_ends(tmp_path: Path) -> None:
    path = tmp_path / "connection.json"
    start = f"import subprocess; print(subprocess.Popen({[*COMMAND, str(path)]!r}).pid, flush=True); input()"
    parent = subprocess.Popen(
        [sys.executable, "-c", f"import os; os.environ['JPY_PARENT_PID'] = str(os.getpid()); {start}"],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdin and parent.stdout
    pid = int(parent.stdout.readline())
    wait_for(path.exists)
    parent.communicate("\n")
    wait_for(lambda: not Path(f"/proc/{pid}").exists() or is_zombie(pid))


def is_zombie(pid: int) -> bool:
    """True for a process that has ended, and that nobody has asked how."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def loaded(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_kernel_loads_no_client_no_manager_and_no_shell_of_ipython() -> None:
    found = loaded("import sys, puppet_kernel.jupyter.launching; print(*sys.modules)")
    assert {"jupyter_client.manager", "jupyter_client.client", "IPython.core.interactiveshell"}.isdisjoint(
        found
    )


def test_a_kernel_loads_no_libraries_that_it_does_without() -> None:
    code = (
        "import sys; from puppet_kernel import __main__, process\n"
        "with process.omit_modules(*__main__.OPTIONAL): import puppet_kernel.jupyter.launching\n"
        "print(*sys.modules)"
    )
    found = loaded(code)
    # a client of HTTP that is loaded without `ssl` would know no https
    others = {"dateutil.parser._parser", "dateutil.tz.tz", "decimal", "http.client", "urllib.request"}
    assert {*OPTIONAL, *others}.isdisjoint(found)
    assert "asyncio.sslproto" in found
    assert loaded(
        f"{code.rpartition('print')[0]}import ssl, ctypes; print(ssl.__name__, ctypes.__name__)"
    ) == [
        "ssl",
        "ctypes",
    ]


def test_a_kernel_runs_modules_that_few_kernels_use_on_first_use() -> None:
    start = (
        "import sys; from puppet_kernel import __main__, process\n"
        "for name, functions in __main__.SELDOM.items(): process.defer_module(name, *functions)\n"
        "import puppet_kernel.jupyter.launching\n"
    )
    waiting = "print(*[name for name in __main__.SELDOM if '__getattr__' in vars(sys.modules[name])])"
    assert {*loaded(start + waiting)} == {*SELDOM}
    asked = "import logging, traceback, urllib.parse; from textwrap import dedent, fill\n"
    shown = (
        "print(logging.handlers.SocketHandler.__name__, urllib.parse.quote('a b'), dedent(' x'), fill('y'))"
    )
    assert loaded(start + asked + shown) == ["SocketHandler", "a%20b", "x", "y"]
    assert loaded(f"{start}import platform, uuid; print(len(str(uuid.uuid4())), hasattr(uuid, 'no'))") == [
        "36",
        "False",
    ]


def test_threads_that_ask_a_deferred_module_at_once_see_it_whole() -> None:
    code = (
        "from puppet_kernel import process; process.defer_module('decimal')\n"
        "import decimal, threading; from concurrent.futures import ThreadPoolExecutor\n"
        "start = threading.Barrier(8)\n"
        "def ask(_): start.wait(); return decimal.Decimal('1')\n"
        "with ThreadPoolExecutor(8) as pool: print(*pool.map(ask, range(8)))"
    )
    assert loaded(code) == ["1"] * 8


def test_the_packages_are_whole_for_who_asks_them() -> None:
    dates = "from jupyter_client.jsonutil import parse_date; print(parse_date('2026-02-03T04:05:06Z').year)"
    assert loaded(f"import puppet_kernel.jupyter.ipykernel_imports; {dates}") == ["2026"]
    assert loaded(f"import puppet_kernel.jupyter.ipykernel_imports, dateutil.parser; {dates}") == ["2026"]
    zone = "import puppet_kernel.jupyter.ipykernel_imports, dateutil.tz; print(dateutil.tz.tzutc().__class__)"
    assert loaded(zone) == ["<class", "'dateutil.tz.tz.tzutc'>"]
    code = "import puppet_kernel.jupyter.ipykernel_imports, {0}; print({0}.{1}.__name__, hasattr({0}, 'nothing'))"
    assert loaded(code.format("jupyter_client", "KernelManager")) == ["KernelManager", "False"]
    assert loaded(code.format("IPython", "get_ipython")) == ["get_ipython", "False"]
    assert loaded(
        "import puppet_kernel.jupyter.ipykernel_imports\nfrom ipykernel import version_info\nprint(1)"
    ) == ["1"]


@pytest.mark.parametrize("name", ["puppet", "puppet-released"])
def test_nothing_is_imported_from_the_folder_of_the_notebook(name: str, tmp_path: Path) -> None:
    """Whoever fills that folder could have code run there, before any cell is."""
    folder, ran = tmp_path / "folder", tmp_path / "ran"
    folder.mkdir()
    for module in (
        "puppet_kernel",
        "evaluator",
        "lexer_parser",
        "zmq",
        "tornado",
        "yaml",
        "regex",
        "csv",
        "hmac",
    ):
        assert find_spec(module) is not None
        (folder / f"{module}.py").write_text(f"open({str(ran)!r}, 'a').write({module!r})\n")
    (folder / "facts.yaml").write_text("of: yaml\n")
    kernel, client = start(name, folder=folder)
    try:
        for source in ("%facts facts.yaml", "'aa' =~ /(a)\\1/", "%fleet debian-12 rocky-9"):
            assert client.execute(source, reply=True, timeout=60)["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
    assert not ran.exists()


def test_a_module_in_c_is_never_deferred() -> None:
    code = "from puppet_kernel import process; process.defer_module('zlib'); import zlib\n"
    assert loaded(f"{code}print(zlib.decompress(zlib.compress(b'text')).decode())") == ["text"]
