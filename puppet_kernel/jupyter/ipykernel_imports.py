"""The used parts of ipykernel and jupyter_client, imported without the rest of them.

We use ipykernel's `Kernel` and its heartbeat, control thread and parent poller, but not its application, its shell
channel thread and its subshell manager. Measured on Python 3.11 with ipykernel 7.4 (`tests/benchmarks/kernels.py`,
lowest of several rounds on one machine):

* ipykernel's own kernel: 0.34 s of CPU to start and 42.1 MB (PSS) when idle. Our kernel with the whole language:
  0.15 s and 25.2 MB.
* Imported normally, the packages and those that they use load clients, managers, IPython's shell, encryption and
  dates of other protocols: 0.25 s of CPU and 44.2 MB instead of 0.15 s and 31.3 MB (resident). Therefore
  `process.defer_module` delays their own `__init__` modules, and modules that few kernels use.

In a browser there are neither sockets nor these packages; `inprocess` has the replacements.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from puppet_kernel import process

# Modules that few kernels use; of each, the functions that are imported by name.
_SELDOM = {
    "ipykernel": (),
    "ipykernel.jsonutil": ("json_clean",),
    "jupyter_client": (),
    "jupyter_client.adapter": ("adapt",),
    "jupyter_client.jsonutil": ("extract_dates", "json_clean", "json_default", "squash_dates"),
    "jupyter_client.localinterfaces": ("localhost",),
    "IPython": (),
    "tornado.escape": ("_unicode",),
    "traitlets.config": (),
    "zmq.asyncio": (),
}

# Type checkers see the packages of the desktop, on every platform.
if TYPE_CHECKING or sys.platform != "emscripten":
    for _module, _functions in _SELDOM.items():
        process.defer_module(_module, *_functions)

    from ipykernel.control import ControlThread
    from ipykernel.heartbeat import Heartbeat
    from ipykernel.kernelbase import Kernel
    from ipykernel.parentpoller import ParentPollerUnix
    from ipykernel.thread import BaseThread
    from jupyter_client._version import protocol_version
    from jupyter_client.adapter import adapt
    from jupyter_client.jsonutil import json_default
    from jupyter_client.session import Session
    from tornado.ioloop import IOLoop
else:
    from puppet_kernel.jupyter.inprocess import InProcessKernel as Kernel
    from puppet_kernel.jupyter.inprocess import InProcessSession as Session

__all__ = [
    "BaseThread",
    "ControlThread",
    "Heartbeat",
    "IOLoop",
    "Kernel",
    "ParentPollerUnix",
    "Session",
    "adapt",
    "json_default",
    "protocol_version",
]
