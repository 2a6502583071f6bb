"""Register the kernels with a Jupyter elsewhere: `python -m puppet_kernel install`."""

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
    """Install the kernel specifications for this Python, and return their directories.

    Raises:
        UsageError: The arguments are not valid, or the directory cannot be written.
    """
    location = _parse_location(arguments)
    directories = []
    for spec in sorted(path for path in SPECS.iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / spec.name
            shutil.copytree(spec, copy)
            specification = json.loads((copy / "kernel.json").read_text(encoding="utf-8"))
            specification["argv"][0] = sys.executable
            (copy / "kernel.json").write_text(json.dumps(specification, indent=2) + "\n", encoding="utf-8")
            try:
                directories.append(KernelSpecManager().install_kernel_spec(str(copy), spec.name, **location))
            except OSError as problem:
                raise UsageError(f"cannot install the kernels: {problem}") from None
    return directories


def _parse_location(arguments: list[str]) -> dict[str, Any]:
    """Return the location to install to, as arguments of `install_kernel_spec`."""
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
