"""The kernel compared with the Python kernel of ipykernel.

Both run in turn, so that other load on the machine affects both. The CPU time of a kernel's process varies least on a
busy machine; elapsed times are the least of all rounds.
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


def measure_kernels() -> dict[str, tuple[float, float | None]]:
    """Measure start, cells, queued cells and idle memory of both kernels, in seconds and GB."""
    best: dict[str, Figures] = {name: {} for name in NAMES}
    for _ in range(ROUNDS):
        for name in NAMES:
            for label, figure in _measure_kernel(name).items():
                best[name][label] = min(figure, best[name].get(label, figure))
    ours, theirs = (best[name] for name in NAMES)
    return {label: (ours[label], theirs[label]) for label in ours}


def _measure_kernel(name: str) -> Figures:
    start = time.perf_counter()
    manager = KernelManager(kernel_name=name)
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=TIMEOUT)
        process = psutil.Process(manager.provisioner.pid)
        figures = {"start": time.perf_counter() - start, "start, CPU": _read_cpu_seconds(process)}
        figures["idle memory (GB)"] = _read_memory(process.pid)
        figures["first cell"] = _measure_seconds(lambda: _run_cell(client))
        for _ in range(20):
            _run_cell(client)
        before = _read_cpu_seconds(process)
        figures["cell"] = min(_measure_seconds(lambda: _run_cell(client)) for _ in range(CELLS))
        figures["cell, CPU"] = (_read_cpu_seconds(process) - before) / CELLS
        before = _read_cpu_seconds(process)
        figures["500 queued cells"] = _measure_seconds(lambda: _run_queue(client))
        figures["500 queued cells, CPU"] = _read_cpu_seconds(process) - before
        return figures
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def _run_cell(client: BlockingKernelClient) -> None:
    client.execute(CODE, reply=True, timeout=TIMEOUT)


def _run_queue(client: BlockingKernelClient) -> None:
    """Send many cells at once and read the replies."""
    last = [client.execute(CODE) for _ in range(QUEUED)][-1]
    while client.get_shell_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != last:
        pass


def _measure_seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _read_cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _read_memory(pid: int) -> float:
    """Return the memory of a process in GB, with its share of the memory that processes share."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        return float(psutil.Process(pid).memory_info().rss) / 1e9
    (size,) = (line.split()[1] for line in rollup.read_text().splitlines() if line.startswith("Pss:"))
    return int(size) * 1024 / 1e9
