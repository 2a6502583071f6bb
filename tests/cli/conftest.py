"""Running the command as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Result = subprocess.CompletedProcess[str]


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment in which this checkout is the one that runs."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.fixture
def repl(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Result]:
    """Return `repl(*arguments, stdin="")`, which runs `puppet-repl` and returns exit code and output."""

    def run(*arguments: str, stdin: str = "") -> Result:
        return subprocess.run(
            [sys.executable, "-m", "puppet_kernel", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env=environment,
        )

    return run
