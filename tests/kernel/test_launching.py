"""A kernel starts from a connection file, and imports no modules that it does not need."""

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
from kernels import ROOT, make_environment, open_kernel

from puppet_kernel.__main__ import OPTIONAL, SELDOM

COMMAND = [sys.executable, "-m", "puppet_kernel", "kernel", "-f"]
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")


def run_and_shut_down(path: Path, process: subprocess.Popen[bytes]) -> None:
    """Run a cell as a client that reads the connection file, then shut the kernel down."""
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


def make_connection(**fields: Any) -> dict[str, Any]:
    """Return the fields of a connection file."""
    return {
        "transport": "tcp",
        "ip": "127.0.0.1",
        "key": "secret",
        "signature_scheme": "hmac-sha256",
    } | fields


CURVE = dict(
    zip(("curve_publickey", "curve_secretkey"), map(bytes.decode, zmq.curve_keypair()), strict=True)
    if zmq.has("curve")
    else ()
)


@pytest.mark.parametrize(
    "fields",
    [
        make_connection(**dict.fromkeys(PORTS, 0)),
        make_connection(key=""),
        make_connection(transport="ipc", ip="socket"),
        make_connection(**CURVE),
    ],
    ids=["any ports", "no key", "ipc", "curve"],
)
def test_a_connection_file_is_completed(
    tmp_path: Path, fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # The sockets of ipc are there.
    path = tmp_path / "connection.json"
    path.write_text(json.dumps(fields))
    process = subprocess.Popen([*COMMAND, str(path)], cwd=tmp_path, env=make_environment(tmp_path))
    try:
        wait_for_ports(path)
        run_and_shut_down(path, process)
    finally:
        process.kill()
        process.wait()
    assert path.exists()


def test_a_missing_connection_file_is_created_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "made" / "connection.json"
    process = subprocess.Popen([*COMMAND, str(path)], env=make_environment(tmp_path))
    try:
        wait_for(lambda: path.exists() and path.read_text().endswith("}"))
        assert path.stat().st_mode & 0o777 == 0o600
        assert json.loads(path.read_text())["key"]
        run_and_shut_down(path, process)
    finally:
        process.kill()
        process.wait()
    assert not path.exists()


def wait_for(condition: Any) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def wait_for_ports(path: Path) -> None:
    """Wait until a connection file has all ports."""
    wait_for(lambda: all(json.loads(path.read_text() or "{}").get(port) for port in PORTS))


def test_a_client_that_subscribes_after_a_request_gets_the_outputs(tmp_path: Path) -> None:
    """Clients connect their channels in any order, so a kernel runs no cell before a client subscribes."""
    path = tmp_path / "connection.json"
    path.write_text(json.dumps(make_connection(**dict.fromkeys(PORTS, 0))))
    wait_longer = "from puppet_kernel.jupyter import launching; launching.SUBSCRIPTION_SECONDS = 60"
    code = f"{wait_longer}; raise SystemExit(launching.launch(['-f', {str(path)!r}]))"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=make_environment(tmp_path))
    client = BlockingKernelClient(connection_file=str(path))
    try:
        wait_for_ports(path)
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


def test_a_kernel_ends_after_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "connection.json"
    start = f"import subprocess; print(subprocess.Popen({[*COMMAND, str(path)]!r}).pid, flush=True); input()"
    parent = subprocess.Popen(
        [sys.executable, "-c", f"import os; os.environ['JPY_PARENT_PID'] = str(os.getpid()); {start}"],
        env=make_environment(tmp_path),
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
    """Return whether a process has ended, but its parent has not waited for it."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def run_code(code: str) -> list[str]:
    """Return the words that Python code prints in a new process."""
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=True
    )
    return process.stdout.split()


def test_a_kernel_imports_no_client_no_manager_and_no_shell_of_ipython() -> None:
    modules = run_code("import sys, puppet_kernel.jupyter.launching; print(*sys.modules)")
    assert {"jupyter_client.manager", "jupyter_client.client", "IPython.core.interactiveshell"}.isdisjoint(
        modules
    )


def test_a_kernel_imports_no_optional_libraries() -> None:
    code = (
        "import sys; from puppet_kernel import __main__, process\n"
        "with process.omit_modules(*__main__.OPTIONAL): import puppet_kernel.jupyter.launching\n"
        "print(*sys.modules)"
    )
    modules = run_code(code)
    # A client of HTTP that is imported without `ssl` does not support https.
    others = {"dateutil.parser._parser", "dateutil.tz.tz", "decimal", "http.client", "urllib.request"}
    assert {*OPTIONAL, *others}.isdisjoint(modules)
    assert "asyncio.sslproto" in modules
    assert run_code(
        f"{code.rpartition('print')[0]}import ssl, ctypes; print(ssl.__name__, ctypes.__name__)"
    ) == [
        "ssl",
        "ctypes",
    ]


def test_a_kernel_defers_rarely_used_modules_until_their_first_use() -> None:
    start = (
        "import sys; from puppet_kernel import __main__, process\n"
        "for name, functions in __main__.SELDOM.items(): process.defer_module(name, *functions)\n"
        "import puppet_kernel.jupyter.launching\n"
    )
    list_deferred = "print(*[name for name in __main__.SELDOM if '__getattr__' in vars(sys.modules[name])])"
    assert {*run_code(start + list_deferred)} == {*SELDOM}
    imports = "import logging, traceback, urllib.parse; from textwrap import dedent, fill\n"
    uses = (
        "print(logging.handlers.SocketHandler.__name__, urllib.parse.quote('a b'), dedent(' x'), fill('y'))"
    )
    assert run_code(start + imports + uses) == ["SocketHandler", "a%20b", "x", "y"]
    assert run_code(f"{start}import platform, uuid; print(len(str(uuid.uuid4())), hasattr(uuid, 'no'))") == [
        "36",
        "False",
    ]


def test_threads_that_use_a_deferred_module_at_once_get_all_of_it() -> None:
    code = (
        "from puppet_kernel import process; process.defer_module('decimal')\n"
        "import decimal, threading; from concurrent.futures import ThreadPoolExecutor\n"
        "start = threading.Barrier(8)\n"
        "def use(_): start.wait(); return decimal.Decimal('1')\n"
        "with ThreadPoolExecutor(8) as pool: print(*pool.map(use, range(8)))"
    )
    assert run_code(code) == ["1"] * 8


def test_the_packages_have_all_their_names_for_other_code() -> None:
    parse_a_date = (
        "from jupyter_client.jsonutil import parse_date; print(parse_date('2026-02-03T04:05:06Z').year)"
    )
    assert run_code(f"import puppet_kernel.jupyter.ipykernel_imports; {parse_a_date}") == ["2026"]
    assert run_code(f"import puppet_kernel.jupyter.ipykernel_imports, dateutil.parser; {parse_a_date}") == [
        "2026"
    ]
    get_a_time_zone = (
        "import puppet_kernel.jupyter.ipykernel_imports, dateutil.tz; print(dateutil.tz.tzutc().__class__)"
    )
    assert run_code(get_a_time_zone) == ["<class", "'dateutil.tz.tz.tzutc'>"]
    code = "import puppet_kernel.jupyter.ipykernel_imports, {0}; print({0}.{1}.__name__, hasattr({0}, 'nothing'))"
    assert run_code(code.format("jupyter_client", "KernelManager")) == ["KernelManager", "False"]
    assert run_code(code.format("IPython", "get_ipython")) == ["get_ipython", "False"]
    assert run_code(
        "import puppet_kernel.jupyter.ipykernel_imports\nfrom ipykernel import version_info\nprint(1)"
    ) == ["1"]


@pytest.mark.parametrize("name", ["puppet", "puppet-released"])
def test_nothing_is_imported_from_the_folder_of_the_notebook(name: str, tmp_path: Path) -> None:
    """Otherwise a file in that folder is executed before any cell."""
    folder, record = tmp_path / "folder", tmp_path / "ran"
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
        (folder / f"{module}.py").write_text(f"open({str(record)!r}, 'a').write({module!r})\n")
    (folder / "facts.yaml").write_text("of: yaml\n")
    with open_kernel(name, folder=folder) as (_, client):
        for source in ("%facts facts.yaml", "'aa' =~ /(a)\\1/", "%fleet debian-12 rocky-9"):
            assert client.execute(source, reply=True, timeout=60)["content"]["status"] == "ok"
    assert not record.exists()


def test_a_module_in_c_is_never_deferred() -> None:
    code = "from puppet_kernel import process; process.defer_module('zlib'); import zlib\n"
    assert run_code(f"{code}print(zlib.decompress(zlib.compress(b'text')).decode())") == ["text"]
