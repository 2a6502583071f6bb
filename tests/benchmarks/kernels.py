"""The kernel beside ipykernel's own Python kernel: both run by turns, so what else the machine does meets both.

The CPU of a kernel's process is what a busy machine spoils least; wall times are the least of all rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import psutil
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

NAMES = ("puppet", "python3")
ROUNDS = 5
CELLS = 200
QUEUED = 500
CODE = "1 + 1"
TIMEOUT = 120

Figures = dict[str, float]


def kernels() -> dict[str, tuple[float, float | None]]:
    """Start, cells, a queue of cells and idle memory: ours and theirs, in seconds and MB."""
    best: dict[str, Figures] = {name: {} for name in NAMES}
    for _ in range(ROUNDS):
        for name in NAMES:
            for label, figure in _figures(name).items():
                best[name][label] = min(figure, best[name].get(label, figure))
    ours, theirs = (best[name] for name in NAMES)
    return {label: (ours[label], theirs[label]) for label in ours}


def _figures(name: str) -> Figures:
    begun = time.perf_counter()
    manager = KernelManager(kernel_name=name)
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=TIMEOUT)
        process = psutil.Process(manager.provisioner.pid)
        found = {"start": time.perf_counter() - begun, "start, CPU": _cpu(process)}
        found["idle memory (GB)"] = _memory(process.pid)
        found["first cell"] = _timed(lambda: _run(client))
        for _ in range(20):
            _run(client)
        before = _cpu(process)
        found["cell"] = min(_timed(lambda: _run(client)) for _ in range(CELLS))
        found["cell, CPU"] = (_cpu(process) - before) / CELLS
        before = _cpu(process)
        found["500 queued cells"] = _timed(lambda: _queue(client))
        found["500 queued cells, CPU"] = _cpu(process) - before
        return found
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def _run(client: BlockingKernelClient) -> None:
    client.execute(CODE, reply=True, timeout=TIMEOUT)


def _queue(client: BlockingKernelClient) -> None:
    """Sends many cells at once and reads the replies."""
    last = [client.execute(CODE) for _ in range(QUEUED)][-1]
    while client.get_shell_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != last:
        pass


def _timed(work: Callable[[], None]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _memory(pid: int) -> float:
    """The memory of a process, what it shares with others divided among them, in GB."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        return float(psutil.Process(pid).memory_info().rss) / 1e9
    (size,) = (line.split()[1] for line in rollup.read_text().splitlines() if line.startswith("Pss:"))
    return int(size) * 1024 / 1e9
