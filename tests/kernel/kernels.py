"""Kernels of this checkout, for the tests of the protocol."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[2]


def manager(name: str = "puppet") -> KernelManager:
    """A manager of a kernel by the name of its specification in this checkout."""
    specs = KernelSpecManager(kernel_dirs=[str(ROOT / "puppet_kernel" / "kernelspecs")])
    return KernelManager(kernel_name=name, kernel_spec_manager=specs)


def start(
    name: str = "puppet",
    state: str | Path | None = None,
    folder: str | Path = ROOT,
    log: IO[str] | None = None,
) -> tuple[KernelManager, BlockingKernelClient]:
    """A kernel that is ready, and a client of it.

    state  where its history is kept, by default a new folder;  folder  where it works
    log    what gets its standard error, by default that of the tests
    """
    kernel = manager(name)
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


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command that finds the kernels of this checkout, and keeps what it has in a folder."""
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


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python as a command in a folder, with the kernels of this checkout."""
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
