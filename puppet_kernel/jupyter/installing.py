"""`python -m puppet_kernel install`: makes the kernels known to a Jupyter of another environment."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager

from puppet_kernel.cli.options import UsageError

SPECS = Path(__file__).parent.parent / "kernelspecs"
USAGE = "install takes one of --user, --sys-prefix and --prefix DIR"


def install(arguments: list[str]) -> list[str]:
    """Installs the kernels where the arguments say, to be run with this Python; gives their directories.

    Raises UsageError for arguments that mean nothing, and when it cannot be done.
    """
    place = _place(arguments)
    made = []
    for spec in sorted(path for path in SPECS.iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / spec.name
            shutil.copytree(spec, copy)
            told = json.loads((copy / "kernel.json").read_text(encoding="utf-8"))
            told["argv"][0] = sys.executable
            (copy / "kernel.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
            try:
                made.append(KernelSpecManager().install_kernel_spec(str(copy), spec.name, **place))
            except OSError as problem:
                raise UsageError(f"cannot install the kernels: {problem}") from None
    return made


def _place(arguments: list[str]) -> dict[str, Any]:
    """Where to install, as the manager of kernels takes it."""
    match arguments:
        case ["--user"]:
            return {"user": True}
        case ["--sys-prefix"]:
            return {"prefix": sys.prefix}
        case ["--prefix", folder]:
            return {"prefix": folder}
        case [option] if option.startswith("--prefix=") and option != "--prefix=":
            return {"prefix": option.removeprefix("--prefix=")}
    raise UsageError(USAGE)
