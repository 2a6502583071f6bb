"""What the kernel takes from ipykernel and jupyter_client, without what it does not take.

The packages import clients, managers and the shell of IPython when they are imported, which is half of the time that
a kernel takes to start. So each is entered here without its own first lines: these run when somebody asks the package
for a name, as any other program in this process may.

In a browser there are no sockets and none of these packages: what stands in for them is in `bare`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING, Any


def _enter(name: str) -> None:
    """Makes a package known, so that its modules can be imported, and nothing of it loaded."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return  # it is loaded, or the import that follows tells that it is missing
    package, loader = module_from_spec(spec), spec.loader

    def load(attribute: str) -> Any:
        if vars(package).pop("__getattr__", None) is not None:
            loader.exec_module(package)
        return getattr(package, attribute)

    vars(package)["__getattr__"] = load
    sys.modules[name] = package


# whoever checks types is told of what the desktop has, on which platform ever
if TYPE_CHECKING or sys.platform != "emscripten":
    for _package in ("ipykernel", "jupyter_client", "IPython"):
        _enter(_package)

    from ipykernel.control import ControlThread
    from ipykernel.heartbeat import Heartbeat
    from ipykernel.kernelbase import Kernel
    from ipykernel.parentpoller import ParentPollerUnix
    from ipykernel.thread import BaseThread
    from jupyter_client.jsonutil import json_default
    from jupyter_client.session import Session
else:
    from puppet_kernel.jupyter.bare import Kernel, Session

__all__ = [
    "BaseThread",
    "ControlThread",
    "Heartbeat",
    "Kernel",
    "ParentPollerUnix",
    "Session",
    "json_default",
]
